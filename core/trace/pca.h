// The plane in which a set of vectors spreads most, for drawing them in two dimensions.
#pragma once

#include <array>
#include <span>
#include <vector>

#include "core/trace/trace.h"

namespace attnscope {

struct Pca {
  std::vector<double> mean;                      // size
  std::array<std::vector<double>, 2> direction;  // unit vectors; the entry of largest absolute value is positive
  std::array<double, 2> share{};                 // of the variance, 0–1; 0 where there is none

  // The coordinates of a row; NaN where the row holds a non-finite number or has another size.
  std::array<double, 2> project(std::span<const float> row) const;
};

// Fitted on the rows of all parts together, which have equally many columns; rows with non-finite numbers are left
// out. Deterministic. With fewer than two usable rows or no spread the directions are coordinate axes.
Pca fitPca(std::span<const Matrix* const> parts);

}  // namespace attnscope
