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
  bool equalSizes = false;    // scores: needs m = d
  bool takesMaxLength = false;  // scores: needs `max_length`
  bool takesFilters = false;  // scores: needs `filters` and `width`
  bool takesCoverage = false; // scores: `coverage` may be true
  int smallestWindow = -1;    // scopes: needs `window` of at least this; −1: takes none
};

std::span<const MechanismInfo> scoreTable();
std::span<const MechanismInfo> normalizerTable();
std::span<const MechanismInfo> scopeTable();

}  // namespace attnscope
