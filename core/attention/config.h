// An attention's part of a model's configuration (models.md 3); read, checked and written with the rest of it by
// core/models/config.h.
#pragma once

#include <string>

namespace attnscope {

// Beyond these 1/τ is no use in single precision.
inline constexpr double kLeastTemperature = 1e-9, kLargestTemperature = 1e9;

struct AttentionConfig {
  std::string score = "dot";           // a name of scoreTable()
  int units = 0;                       // a; 0 where the score has none
  std::string normalizer = "softmax";  // a name of normalizerTable()
  std::string scope = "global";        // a name of scopeTable()
  double temperature = 1;              // τ, divides the scores
};

}  // namespace attnscope
