// A training run on the command line: from the first step to the saved model.
#pragma once

#include <string>

#include "core/train/trainer.h"

namespace attnscope {

struct RunOutputs {
  std::string out, log;  // files, "-" or empty
  bool quiet = false;
};

// Trains to the end with progress and log, saves, sums up. The exit code: 0; 1 where an accuracy was asked for and
// another bound came first; 130 after Ctrl-C. Error(Diverged) and Error(CannotWrite) (of the log) after the last good
// weights are saved.
int runTraining(Trainer& trainer, const RunOutputs& outputs);

}  // namespace attnscope
