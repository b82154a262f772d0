// The commands of the tree. Each adds its sub-command with its options; parsing sets what will be run.
#pragma once

#include <CLI/CLI.hpp>
#include <functional>
#include <string>

namespace attnscope {

struct Chosen {
  bool quiet = false;
  std::function<int()> run;  // the exit code; may throw Error
};

// A sub-command with the options all have. `notes`, with an example, end its help.
CLI::App* addCommand(CLI::App& app, Chosen& chosen, const std::string& name, const std::string& description,
                     const std::string& notes);

void addTasksCommand(CLI::App& app, Chosen& chosen);
void addTrainCommand(CLI::App& app, Chosen& chosen);
void addTraceCommand(CLI::App& app, Chosen& chosen);
void addPlotCommand(CLI::App& app, Chosen& chosen);
void addEvaluateCommand(CLI::App& app, Chosen& chosen);
void addVerifyCommand(CLI::App& app, Chosen& chosen);
void addDemoCommand(CLI::App& app, Chosen& chosen);

}  // namespace attnscope
