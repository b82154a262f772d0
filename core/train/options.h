// What a run trains on and how (formats.md 6, `train`).
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>

#include "core/autograd/optimizer.h"
#include "core/base/json.h"
#include "core/data/task.h"
#include "core/data/text_data.h"

namespace attnscope {

struct DataSpec {
  std::string task;                        // a built-in task, or empty: `text`
  std::optional<TaskOptions> taskOptions;  // absent: the task's defaults
  TextDataOptions text;
};

struct TrainOptions {
  OptimizerKind optimizer = OptimizerKind::Adam;
  double rate = 0.002;
  double momentum = 0.9;
  double weightDecay = 0;                  // decoupled, as in AdamW
  long warmup = 0;                         // steps over which the rate rises linearly
  double clip = 1;                         // global norm of the gradient; 0: none
  int batch = 32;
  double teacherForcing = 1;               // probability that a step is fed the reference
  std::uint64_t seed = 1;
  int threads = 0;                         // 0: all cores
  long validateEvery = 100;                // steps
  // The run ends at the first of these that is set.
  std::optional<long> steps;
  std::optional<double> epochs;
  std::optional<double> seconds;
  std::optional<double> untilAccuracy;     // free-running whole-sequence (or class) accuracy, 0–1
  std::optional<long> patience;            // validations without a better one
  bool keepBest = false;                   // give back the weights of the best validation, else the last
};

// `training` is a task's table entry ({"batch":32,"rate":0.002}); keys as on the command line. Unknown keys: check.
TrainOptions trainOptionsFrom(const Json& training);

struct RunSpec {
  DataSpec data;
  Json config;                             // null: the task's default (files: a default that suits them)
  TrainOptions train;
};

}  // namespace attnscope
