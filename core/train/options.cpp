#include "core/train/options.h"

#include "core/base/error.h"

namespace attnscope {

TrainOptions trainOptionsFrom(const Json& training) {
  TrainOptions options;
  for (const auto& [key, value] : training.items()) {
    if (key == "batch") options.batch = value.get<int>();
    else if (key == "rate") options.rate = value.get<double>();
    else if (key == "optimizer") options.optimizer = optimizerKind(value.get<std::string>());
    else if (key == "momentum") options.momentum = value.get<double>();
    else if (key == "weight-decay") options.weightDecay = value.get<double>();
    else if (key == "warmup") options.warmup = value.get<long>();
    else if (key == "clip") options.clip = value.get<double>();
    else if (key == "teacher-forcing") options.teacherForcing = value.get<double>();
    else if (key == "steps") options.steps = value.get<long>();
    else if (key == "validate-every") options.validateEvery = value.get<long>();
    else ATTNSCOPE_CHECK(false, key);
  }
  return options;
}

}  // namespace attnscope
