// Run specifications as the window handles them.
#pragma once

#include <QString>

#include "core/train/worker.h"

namespace attnscope {

RunSpec defaultSpec(const std::string& task);  // a task with what trains it well
// What a loaded run was loaded from. No task and no files: a model whose data are not known.
RunSpec specOf(const RunInfo& info);
int windowThreads();  // training leaves one core to the window
// One `attnscope train …` line for a POSIX shell.
QString commandLine(const RunSpec& spec);

}  // namespace attnscope
