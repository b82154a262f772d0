// Golden numbers and properties of normalisers, scopes and coverage (models.md 3; reference F.3, F.4, F.14).
#include <QTest>
#include <cmath>
#include <limits>

#include "core/attention/attention.h"
#include "core/attention/tables.h"

using namespace attnscope;

namespace {

std::vector<double> normalised(const std::string& name, const std::vector<double>& e) {
  std::vector<double> p(e.size(), -1);
  normalizerOps<double>(name).forward(e.data(), static_cast<int>(e.size()), p.data());
  return p;
}

bool near(const std::vector<double>& ours, const std::vector<double>& expected, double tolerance = 5e-7) {
  if (ours.size() != expected.size()) return false;
  double worst = 0;
  for (std::size_t i = 0; i < ours.size(); ++i) {
    const double difference = std::abs(ours[i] - expected[i]);
    worst = std::isfinite(difference) ? std::max(worst, difference) : std::numeric_limits<double>::infinity();
  }
  return worst <= tolerance;
}

// One attention step over flat scores: the memory is zero, so every additive score is the same.
struct Flat {
  Flat(AttentionConfig attention, int n, int t) : config(std::move(attention)), positions(n), steps(t) {
    addAttentionParameters(layout, config, 2, 2);
    values.assign(layout.size(), 0.0);
  }
  // Weights of every step, [steps][positions].
  std::vector<std::vector<double>> weights(int available) {
    Tape<double> tape(false);
    const Parameters<double> parameters(layout, values.data(), nullptr);
    const Var<double> memory = tape.zeros(positions, 2), queries = tape.zeros(steps, 2);
    for (int t = 0; t < steps; ++t) queries.value.row(t)[0] = 1;
    Attention<double> attention(tape, parameters, config, memory, queries, tape.zeros(steps, 2), 1, false);
    attention.prepare(0, positions);
    std::vector<std::vector<double>> all;
    for (int t = 0; t < steps; ++t) {
      attention.attend(t, &available);
      const double* row = attention.pass().weights.value.row(t);
      all.emplace_back(row, row + positions);
    }
    return all;
  }
  AttentionConfig config;
  int positions, steps;
  ParameterLayout layout;
  std::vector<double> values;
};

AttentionConfig additive(const std::string& scope, int window) {
  AttentionConfig config;
  config.score = "additive";
  config.units = 2;
  config.scope = scope;
  config.window = window;
  return config;
}

}  // namespace

class TestMechanisms : public QObject {
  Q_OBJECT
 private slots:
  void goldenNormalisers() {
    QVERIFY(near(normalised("sparsemax", {1, .8, .1}), {.6, .4, 0}));
    QVERIFY(near(normalised("sparsemax", {.5, .5, 0}), {.5, .5, 0}));
    QVERIFY(near(normalised("sparsemax", {2, 0, 0}), {1, 0, 0}));
    QVERIFY(near(normalised("sparsemax", {.1, 0, -.1}), {.4333333, .3333333, .2333333}));
    QVERIFY(near(normalised("sparsemax", {.3, -.7}), {1, 0}));
    QVERIFY(near(normalised("entmax15", {1, .8, .1}), {.529248, .393749, .077003}));
    QVERIFY(near(normalised("entmax15", {1, 0}), {.830719, .169281}));
    QVERIFY(near(normalised("entmax15", {2, 0, 0}), {1, 0, 0}));
    QVERIFY(near(normalised("hard", {.5, 2, 2}), {0, 1, 0}));
  }

  void properties_data() {
    QTest::addColumn<QByteArray>("name");
    for (const auto& row : normalizerTable()) QTest::newRow(row.name.data()) << QByteArray(row.name.data());
  }
  void properties() {
    QFETCH(QByteArray, name);
    const std::string kind = name.toStdString();
    QVERIFY(near(normalised(kind, {3.25}), {1}, 0));
    for (const std::vector<double>& e : {std::vector<double>{0.25, -1, 0.5, 0.125}, {1e4, -1e4, 1e4}, {-1e30, -1e30}, {7, 7, 7, 7}}) {
      const auto p = normalised(kind, e);
      double sum = 0;
      for (double x : p) {
        QVERIFY(std::isfinite(x) && x >= 0);
        sum += x;
      }
      QVERIFY(std::abs(sum - 1) < 1e-12);
      std::vector<double> moved = e;
      for (double& x : moved) x += 64;  // exact in these sums
      if (e[0] > -1e20) QVERIFY(near(normalised(kind, moved), p, 0));
    }
    if (kind != "hard") QVERIFY(near(normalised(kind, {7, 7, 7, 7}), {.25, .25, .25, .25}, 1e-15));
  }

  // A row masked outside 1 … 2: nothing outside is read or written, whatever stands there.
  void maskedCellsStayUntouched() {
    for (const auto& row : normalizerTable()) {
      Tape<double> tape;
      const Var<double> scores = tape.zeros(1, 4), weights = tape.zeros(1, 4);
      const double nan = std::numeric_limits<double>::quiet_NaN();
      const double filled[] = {nan, 1, 0.5, nan};
      std::copy_n(filled, 4, scores.value.row(0));
      static const Range range{1, 3};
      normalise(tape, scores, &range, normalizerOps<double>(row.name), weights);
      weights.grad.row(0)[1] = 1;
      tape.backward();
      const double* p = weights.value.row(0);
      QVERIFY(p[0] == 0 && p[3] == 0 && std::abs(p[1] + p[2] - 1) < 1e-12);
      QVERIFY(scores.grad.row(0)[0] == 0 && scores.grad.row(0)[3] == 0);
      QVERIFY(std::isfinite(scores.grad.row(0)[1]) && std::isfinite(scores.grad.row(0)[2]));
    }
  }

  void causalAndMonotonicWindows() {
    const auto causal = Flat(additive("causal", 0), 4, 5).weights(3);
    QVERIFY(near(causal[0], {1, 0, 0, 0}) && near(causal[1], {0.5, 0.5, 0.0, 0.0}));
    QVERIFY(near(causal[4], {1 / 3., 1 / 3., 1 / 3., 0}));
    const auto local = Flat(additive("local_m", 1), 4, 5).weights(3);
    QVERIFY(near(local[0], {0.5, 0.5, 0.0, 0.0}) && near(local[1], {1 / 3., 1 / 3., 1 / 3., 0}));
    QVERIFY(near(local[4], {0, .5, .5, 0}));  // p = min(t, n)
    QVERIFY(near(Flat(additive("local_m", 1), 4, 1).weights(0)[0], {0, 0, 0, 0}));
  }

  // F.4, there with positions from 0: its p is ours − 1.
  void predictedWindow() {
    const auto at = [](double centre) {
      Flat flat(additive("local_p", 2), 6, 1);
      // p = n·σ(v₁ tanh(w)): tanh(w) = 1/2 for w = atanh(1/2) on the query (1, 0).
      flat.values[flat.layout.find("attention.position.W").offset] = std::atanh(0.5);
      flat.values[flat.layout.find("attention.position.v").offset] = 2 * std::log(centre / (6 - centre));
      return flat.weights(6)[0];
    };
    QVERIFY(near(at(1.3), {.318666, .260902, .078582, 0, 0, 0}, 1e-6));
    QVERIFY(near(at(3.5), {0, .081163, .220624, .220624, .081163, 0}, 1e-6));
  }

  void goldenCoverageLoss() {
    // Rows of three steps; F.14: 0, .9, .4.
    const double rows[3][3] = {{.7, .2, .1}, {.6, .3, .1}, {.1, .1, .8}};
    Tape<double> tape;
    const Var<double> weights = tape.zeros(3, 3), coverage = tape.zeros(4, 3);
    static const Range ranges[] = {{0, 3}, {0, 3}, {0, 3}};
    for (int t = 0; t < 3; ++t) {
      std::copy_n(rows[t], 3, weights.value.row(t));
      addCoverage(tape, coverage.rows(t, 1), weights.rows(t, 1), coverage.rows(t + 1, 1));
    }
    QVERIFY(std::abs(coverageLoss(tape, weights, coverage.rows(0, 3), ranges, 1.0) - 1.3) < 1e-12);
  }
};

QTEST_GUILESS_MAIN(TestMechanisms)
#include "test_mechanisms.moc"
