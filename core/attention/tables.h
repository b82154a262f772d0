// The names a user chooses from, with their formulas (models.md 3). The engine's factories stand in the sources of
// the same tables; the window and the help read these.
#pragma once

#include <span>
#include <string_view>

namespace attnscope {

struct MechanismInfo {
  std::string_view name;      // as in a configuration: "scaled_dot"
  std::string_view title;     // as shown: "scaled dot"
  std::string_view formula;   // one line with Unicode: "eᵢ = ⟨vᵢ, u⟩/√d"
  std::string_view source;    // paper and equation
  bool takesUnits = false;    // needs `units`
  bool equalSizes = false;    // needs m = d
};

std::span<const MechanismInfo> scoreTable();
std::span<const MechanismInfo> normalizerTable();
std::span<const MechanismInfo> scopeTable();

}  // namespace attnscope
