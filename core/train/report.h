// Numbers a run reports.
#pragma once

#include <optional>

#include "core/trace/metrics.h"

namespace attnscope {

// On validation data. Classes: one decision per example, so token and sequence accuracy are one number.
struct ValidationReport {
  long step = 0;
  double seconds = 0;
  double forcedLoss = 0;                          // nats per token, teacher-forced (vector outputs: mean squared error)
  std::optional<double> forcedTokenAccuracy, forcedSequenceAccuracy;  // seq2seq
  std::optional<double> freeTokenAccuracy, freeSequenceAccuracy;      // seq2seq
  std::optional<double> accuracy;                 // classes
  std::optional<double> rmse, mae, naiveRmse;     // vector outputs
  std::optional<SiteMetrics> site;                // the family's site, teacher-forced
};

struct HistoryPoint {
  long step = 0;
  double epoch = 0;
  double seconds = 0;
  double loss = 0;          // of this training step
  double rate = 0;
  double gradientNorm = 0;  // before clipping
  double tokensPerSecond = 0;
  std::optional<ValidationReport> validation;     // after this step
};

}  // namespace attnscope
