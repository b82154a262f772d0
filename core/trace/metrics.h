// Numbers that describe a site's weights (definitions: reference D.1–D.3).
#pragma once

#include <array>
#include <optional>

#include "core/trace/trace.h"

namespace attnscope {

struct RowMetrics {
  double sum = 0;         // Σ weights over the real cells
  double entropy = 0;     // normalised: H/ln n over the n unmasked cells of a/Σa; n ≤ 1: 0
  double maxWeight = 0;
  int argMax = -1;        // lowest column of the largest weight; −1: no real cell with a positive weight
  int realCells = 0;
  double expectedColumn = 0;
};
RowMetrics rowMetrics(const Site& site, int head, int row);

// Sums over rows, so that they can be added over many examples and divided once.
struct SiteMetrics {
  long rows = 0;                    // rows with at least two real cells (entropy) and any weight
  double entropySum = 0;
  double maxWeightSum = 0;
  long goldRows = 0;                // rows with gold
  std::array<long, 3> hits{};       // arg-max − gold ∈ G_t at offsets −1, 0, +1 (arg-max column = gold + offset)
  double massOnGoldSum = 0;         // Σ weights on the row's gold set
  long sure = 0, predicted = 0, matched = 0;  // for AER with all gold links sure, arg-max links as the prediction

  void add(const Site& site, const std::vector<GoldCell>* gold);              // all heads and rows
  void addRow(const Site& site, int row, const std::vector<GoldCell>* gold);  // all heads
  void merge(const SiteMetrics& other);
  double entropy() const;                              // NaN where no row counts
  double maxWeight() const;
  std::optional<double> agreement(int offset) const;   // offset −1, 0, 1; nothing without gold
  std::optional<double> massOnGold() const;
  std::optional<double> aer() const;                   // Och & Ney; all links sure
};

}  // namespace attnscope
