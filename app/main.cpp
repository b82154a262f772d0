#include "app/cli.h"

int main(int argc, char** argv) { return attnscope::runCommandLine(argc, argv); }
