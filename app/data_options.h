// Options that say which data: of a built-in task, and of files.
#pragma once

#include <CLI/CLI.hpp>
#include <optional>
#include <string>
#include <vector>

#include "core/data/task.h"
#include "core/data/text_data.h"

namespace attnscope {

struct TaskFlags {
  std::string lengths;
  std::optional<long> symbols;
};
void addTaskFlags(CLI::App& command, TaskFlags& flags);
// `base` with what the flags say. Error(Usage).
TaskOptions taskOptions(TaskOptions base, const TaskFlags& flags);

// How the rows of a file are read; absent: the loader's (or the model's) own way.
struct TextFlags {
  std::string sourceColumn, targetColumn, tokenizer;
  bool lowercase = false, skipBadRows = false;
  std::optional<long> maxLength;
};
// `--data FILE [FILE]`
CLI::Option* addDataOption(CLI::App& command, std::vector<std::string>& files);
void addTextFlags(CLI::App& command, TextFlags& flags, CLI::Option* data);
void applyTextFlags(const TextFlags& flags, TextDataOptions& options);

}  // namespace attnscope
