// An attention's part of a model's configuration (models.md 3); read, checked and written with the rest of it by
// core/models/config.h.
#pragma once

#include <string>

namespace attnscope {

// Beyond these 1/τ is no use in single precision.
inline constexpr double kLeastTemperature = 1e-9, kLargestTemperature = 1e9;

struct AttentionConfig {
  std::string score = "dot";                   // a name of scoreTable()
  int units = 0;                               // a; 0 where the score has none
  std::string normalizer = "softmax";          // a name of normalizerTable()
  std::string scope = "global";                // a name of scopeTable()
  int window = 0;                              // D of a local scope
  double temperature = 1;                      // τ > 0, divides the scores
  int maxLength = 0;                           // location: the largest memory
  int filters = 0, width = 0;                  // location_sensitive: k filters of odd width
  bool coverage = false;                       // the score reads Σ of earlier weights, the loss punishes repeats
  double coverageWeight = 1;                   // λ
};

}  // namespace attnscope
