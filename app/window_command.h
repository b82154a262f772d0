// Starts the window.
#pragma once

#include <string>
#include <vector>

namespace attnscope {

// Runs until the window is closed; the exit code. `files` are opened as if dropped on it. `argc` is a reference
// because Qt keeps it.
int runWindow(int& argc, char** argv, const std::vector<std::string>& files = {});

}  // namespace attnscope
