// Starting the window where there may be no display.
#pragma once

#include <string>
#include <vector>

namespace attnscope {

// Runs the window (app/window_command.h). Error(Usage) where there is no display to show it on.
int startWindow(int& argc, char** argv, const std::vector<std::string>& files);

}  // namespace attnscope
