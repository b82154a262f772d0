// The command line (`attnscope --help`).
#pragma once

namespace attnscope {

// Runs what the arguments ask for. The exit code: 0 done, 1 the answer is no, 2 usage, 3 bad input, 4 cannot write,
// 5 diverged, 130 interrupted; errors go to standard error as one line.
int runCommandLine(int argc, char** argv);

}  // namespace attnscope
