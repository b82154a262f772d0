#include "app/window_command.h"

int main(int argc, char** argv) { return attnscope::runWindow(argc, argv); }
