#include <QtTest>
#include <cmath>
#include <limits>

#include "core/trace/metrics.h"

using namespace attnscope;

namespace {

Site siteOf(int rows, int columns, std::vector<float> weights) {
  Site site;
  site.rows = rows;
  site.columns = columns;
  site.weights = std::move(weights);
  site.cells.assign(site.weights.size(), Cell::Real);
  return site;
}

Site oneHot(int rows, int columns, const std::vector<int>& at) {
  std::vector<float> weights(static_cast<std::size_t>(rows) * columns);
  for (int row = 0; row < rows; ++row) weights[static_cast<std::size_t>(row) * columns + at[row]] = 1;
  return siteOf(rows, columns, weights);
}

void near(double actual, double expected) {
  QVERIFY2(std::abs(actual - expected) < 1e-6, qPrintable(QString("%1, not %2").arg(actual).arg(expected)));
}

}  // namespace

class TestMetrics : public QObject {
  Q_OBJECT
 private slots:
  void rowOfKnownEntropy();
  void entropyCountsUnmaskedCellsOnly();
  void entropyOfUnnormalisedRows();
  void emptyAndSingleRows();
  void tiesTakeTheLowestColumn();
  void agreementTellsTheOffset();
  void agreementWithSets();
  void alignmentErrorRate();
  void massOnGoldAndHeads();
  void withoutGold();
  void goldOutsideTheSiteIsNeverHit();
  void nonFiniteRowsDoNotCount();
};

void TestMetrics::rowOfKnownEntropy() {
  const RowMetrics metrics = rowMetrics(siteOf(1, 3, {0.7f, 0.2f, 0.1f}), 0, 0);
  near(metrics.entropy, 0.729847);
  near(metrics.sum, 1);
  near(metrics.maxWeight, 0.7);
  near(metrics.expectedColumn, 0.4);
  QCOMPARE(metrics.argMax, 0);
  QCOMPARE(metrics.realCells, 3);
  near(rowMetrics(siteOf(1, 4, {0.25f, 0.25f, 0.25f, 0.25f}), 0, 0).entropy, 1);
  near(rowMetrics(siteOf(1, 3, {0, 1, 0}), 0, 0).entropy, 0);
}

void TestMetrics::entropyCountsUnmaskedCellsOnly() {
  Site site = siteOf(1, 5, {0.7f, 0, 0.2f, 0.1f, 9});
  site.cells[1] = Cell::Masked;
  site.cells[4] = Cell::Missing;
  const RowMetrics metrics = rowMetrics(site, 0, 0);
  near(metrics.entropy, 0.729847);
  QCOMPARE(metrics.realCells, 3);
  near(metrics.sum, 1);
  QCOMPARE(metrics.argMax, 0);
}

void TestMetrics::entropyOfUnnormalisedRows() {
  const RowMetrics metrics = rowMetrics(siteOf(1, 3, {0.35f, 0.1f, 0.05f}), 0, 0);
  near(metrics.entropy, 0.729847);
  near(metrics.sum, 0.5);
  near(metrics.expectedColumn, 0.4);
}

void TestMetrics::emptyAndSingleRows() {
  const RowMetrics empty = rowMetrics(siteOf(1, 3, {0, 0, 0}), 0, 0);
  QCOMPARE(empty.argMax, -1);
  QCOMPARE(empty.entropy, 0.0);
  Site site = siteOf(1, 2, {1, 0});
  site.cells[1] = Cell::Masked;
  const RowMetrics single = rowMetrics(site, 0, 0);
  QCOMPARE(single.entropy, 0.0);
  QCOMPARE(single.argMax, 0);
  SiteMetrics sums;
  sums.add(site, nullptr);
  sums.add(siteOf(1, 3, {0, 0, 0}), nullptr);
  QCOMPARE(sums.rows, 0L);
  QVERIFY(std::isnan(sums.entropy()));
  QVERIFY(std::isnan(sums.maxWeight()));
}

void TestMetrics::tiesTakeTheLowestColumn() { QCOMPARE(rowMetrics(siteOf(1, 3, {0.2f, 0.4f, 0.4f}), 0, 0).argMax, 1); }

void TestMetrics::agreementTellsTheOffset() {
  const std::vector<GoldCell> gold = {{0, 0}, {1, 1}, {2, 2}, {3, 3}};
  SiteMetrics sums;
  sums.add(oneHot(4, 5, {1, 2, 3, 3}), &gold);  // three rows one to the right of gold, one on it
  near(*sums.agreement(1), 0.75);
  near(*sums.agreement(0), 0.25);
  near(*sums.agreement(-1), 0);
  sums.add(oneHot(4, 5, {0, 0, 1, 2}), &gold);  // one on it, three to the left
  near(*sums.agreement(1), 0.375);
  near(*sums.agreement(0), 0.25);
  near(*sums.agreement(-1), 0.375);
  QCOMPARE(sums.goldRows, 8L);
}

void TestMetrics::agreementWithSets() {
  const std::vector<GoldCell> gold = {{0, 1}, {0, 2}, {0, 2}};  // a repeated link counts once
  SiteMetrics sums;
  sums.add(oneHot(2, 4, {2, 0}), &gold);
  QCOMPARE(sums.goldRows, 1L);
  near(*sums.agreement(0), 1);
  near(*sums.agreement(1), 1);
  near(*sums.agreement(-1), 0);
  near(*sums.massOnGold(), 1);
  QCOMPARE(sums.sure, 2L);
  QCOMPARE(sums.predicted, 2L);
  QCOMPARE(sums.matched, 1L);
}

// A = {00, 12, 21, 33} against S = {00, 11, 21}: |A∩S| = 2. With P = S ∪ {12, 34}, Och & Ney's rate is
// 1 − (2 + 3)/(4 + 3) = .285714; with all links sure (P = S) it is 1 − (2 + 2)/(4 + 3).
void TestMetrics::alignmentErrorRate() {
  const std::vector<GoldCell> sure = {{0, 0}, {1, 1}, {2, 1}};
  const std::vector<GoldCell> all = {{0, 0}, {1, 2}, {2, 1}, {3, 3}};
  const Site predicted = oneHot(4, 5, {0, 2, 1, 3});
  SiteMetrics sums;
  sums.add(predicted, &sure);
  near(*sums.aer(), 1 - 4.0 / 7.0);
  SiteMetrics perfect;
  perfect.add(predicted, &all);
  near(*perfect.aer(), 0);
  perfect.add(predicted, &sure);  // counts are added before dividing: not the mean of 0 and 3/7
  near(*perfect.aer(), 1 - 2.0 * 6 / 15);
}

void TestMetrics::massOnGoldAndHeads() {
  Site site = siteOf(1, 2, {0.75f, 0.25f, 0.25f, 0.75f});
  site.heads = 2;
  const std::vector<GoldCell> gold = {{0, 0}};
  SiteMetrics sums;
  sums.add(site, &gold);
  QCOMPARE(sums.goldRows, 2L);
  near(*sums.massOnGold(), 0.5);
  near(*sums.agreement(0), 0.5);
  near(*sums.agreement(1), 0.5);
  near(sums.maxWeight(), 0.75);
}

void TestMetrics::withoutGold() {
  SiteMetrics sums;
  sums.add(oneHot(2, 2, {0, 1}), nullptr);
  QVERIFY(!sums.agreement(0) && !sums.massOnGold() && !sums.aer());
  QCOMPARE(sums.rows, 2L);
  near(sums.entropy(), 0);
}

void TestMetrics::goldOutsideTheSiteIsNeverHit() {
  const std::vector<GoldCell> gold = {{0, 7}, {9, 0}};
  SiteMetrics sums;
  sums.add(oneHot(1, 2, {0}), &gold);
  QCOMPARE(sums.goldRows, 1L);
  near(*sums.massOnGold(), 0);
  near(*sums.agreement(0), 0);
}

void TestMetrics::nonFiniteRowsDoNotCount() {
  const float nan = std::numeric_limits<float>::quiet_NaN();
  const float infinity = std::numeric_limits<float>::infinity();
  SiteMetrics sums;
  sums.add(siteOf(3, 2, {nan, 0.5f, infinity, 0, 0.5f, 0.5f}), nullptr);
  QCOMPARE(sums.rows, 1L);
  near(sums.entropy(), 1);
}

QTEST_GUILESS_MAIN(TestMetrics)
#include "test_metrics.moc"
