// Run specifications as the window handles them.
#pragma once

#include <QString>

#include "core/train/worker.h"

namespace attnscope {

RunSpec defaultSpec(const std::string& task);                      // a task with what trains it well
// The specification of a loaded run. `last` was asked for: it fills in what the run does not say (file options).
RunSpec specOf(const RunInfo& info, const RunSpec& last);
// One `attnscope train …` line for a POSIX shell.
QString commandLine(const RunSpec& spec);

}  // namespace attnscope
