#include "core/trace/metrics.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <span>

#include "core/base/error.h"

namespace attnscope {
namespace {

double ratio(double sum, long count) {
  return count > 0 ? sum / static_cast<double>(count) : std::numeric_limits<double>::quiet_NaN();
}

// One row's gold set, each cell once.
std::vector<GoldCell> goldOfRow(const std::vector<GoldCell>& gold, int row) {
  std::vector<GoldCell> right;
  for (const GoldCell& cell : gold)
    if (cell.row == row && std::find(right.begin(), right.end(), cell) == right.end()) right.push_back(cell);
  return right;
}

bool holds(std::span<const GoldCell> gold, int column) {
  return std::any_of(gold.begin(), gold.end(), [&](const GoldCell& cell) { return cell.column == column; });
}

double massOn(const Site& site, int head, int row, std::span<const GoldCell> gold) {
  double mass = 0;
  for (const GoldCell& cell : gold) {
    if (cell.column < 0 || cell.column >= site.columns) continue;
    const std::size_t index = site.index(head, row, cell.column);
    if (site.cells[index] == Cell::Real) mass += site.weights[index];
  }
  return mass;
}

// H/ln n of the weights divided by their sum.
double normalisedEntropy(const Site& site, int head, int row, const RowMetrics& metrics) {
  if (metrics.realCells < 2 || !(metrics.sum > 0)) return 0;
  double entropy = 0;
  for (int column = 0; column < site.columns; ++column) {
    const std::size_t index = site.index(head, row, column);
    if (site.cells[index] != Cell::Real || !(site.weights[index] > 0)) continue;
    const double share = site.weights[index] / metrics.sum;
    entropy -= share * std::log(share);
  }
  return entropy / std::log(static_cast<double>(metrics.realCells));
}

}  // namespace

RowMetrics rowMetrics(const Site& site, int head, int row) {
  RowMetrics metrics;
  double moment = 0;
  for (int column = 0; column < site.columns; ++column) {
    const std::size_t index = site.index(head, row, column);
    if (site.cells[index] != Cell::Real) continue;
    const double weight = site.weights[index];
    ++metrics.realCells;
    metrics.sum += weight;
    moment += weight * column;
    if (weight > metrics.maxWeight) {
      metrics.maxWeight = weight;
      metrics.argMax = column;
    }
  }
  if (metrics.sum > 0) metrics.expectedColumn = moment / metrics.sum;
  metrics.entropy = normalisedEntropy(site, head, row, metrics);
  return metrics;
}

void SiteMetrics::add(const Site& site, const std::vector<GoldCell>* gold) {
  for (int row = 0; row < site.rows; ++row) addRow(site, row, gold);
}

void SiteMetrics::addRow(const Site& site, int row, const std::vector<GoldCell>* gold) {
  const std::vector<GoldCell> right = gold ? goldOfRow(*gold, row) : std::vector<GoldCell>();
  for (int head = 0; head < site.heads; ++head) {
    const RowMetrics metrics = rowMetrics(site, head, row);
    if (metrics.realCells >= 2 && metrics.sum > 0 && std::isfinite(metrics.sum)) {
      ++rows;
      entropySum += metrics.entropy;
      maxWeightSum += metrics.maxWeight;
    }
    if (!gold) continue;
    if (metrics.argMax >= 0) ++predicted;
    if (right.empty()) continue;
    ++goldRows;
    sure += static_cast<long>(right.size());
    massOnGoldSum += massOn(site, head, row, right);
    if (metrics.argMax < 0) continue;
    for (int offset = -1; offset <= 1; ++offset) hits[offset + 1] += holds(right, metrics.argMax - offset);
    matched += holds(right, metrics.argMax);
  }
}

void SiteMetrics::merge(const SiteMetrics& other) {
  rows += other.rows;
  entropySum += other.entropySum;
  maxWeightSum += other.maxWeightSum;
  goldRows += other.goldRows;
  for (std::size_t i = 0; i < hits.size(); ++i) hits[i] += other.hits[i];
  massOnGoldSum += other.massOnGoldSum;
  sure += other.sure;
  predicted += other.predicted;
  matched += other.matched;
}

double SiteMetrics::entropy() const { return ratio(entropySum, rows); }

double SiteMetrics::maxWeight() const { return ratio(maxWeightSum, rows); }

std::optional<double> SiteMetrics::agreement(int offset) const {
  ATTNSCOPE_CHECK(offset >= -1 && offset <= 1, "offset " + std::to_string(offset));
  if (goldRows == 0) return std::nullopt;
  return ratio(static_cast<double>(hits[offset + 1]), goldRows);
}

std::optional<double> SiteMetrics::massOnGold() const {
  if (goldRows == 0) return std::nullopt;
  return ratio(massOnGoldSum, goldRows);
}

std::optional<double> SiteMetrics::aer() const {
  if (sure == 0) return std::nullopt;
  // With every link sure, S = P: both intersections are the same.
  return 1.0 - 2.0 * static_cast<double>(matched) / static_cast<double>(predicted + sure);
}

}  // namespace attnscope
