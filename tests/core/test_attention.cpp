// Attention against plain loops written from the equations (models.md 3), and the properties it must have.
#include <QTest>
#include <cmath>
#include <limits>

#include "core/attention/attention.h"
#include "core/attention/tables.h"
#include "core/base/random.h"
#include "tests/support/gradient_check.h"

using namespace attnscope;

namespace {

constexpr int kBatch = 3, kSteps = 4, kUnits = 3, kPositions = 5;
constexpr double kNan = std::numeric_limits<double>::quiet_NaN(), kInfinity = std::numeric_limits<double>::infinity();

// One attention over one batch. `positions` may be more than what `available` ever shows.
struct Scene {
  AttentionConfig config;
  int m = 4, d = 4, positions = kPositions;
  bool growing = false;
  std::vector<double> memory, queries, values;  // [N·B, m], [T·B, d], parameters
  std::vector<std::vector<int>> available;      // by step and example
  ParameterLayout layout;
};

struct Outcome {
  std::vector<double> scores, weights, contexts;  // [T·B, N], [T·B, N], [T·B, m]
  std::vector<double> dMemory, dQueries, dValues;
  std::vector<Range> ranges;
};

Scene sceneOf(const std::string& score, bool growing, double temperature = 1) {
  Scene scene;
  scene.config.score = score;
  scene.config.temperature = temperature;
  scene.growing = growing;
  for (const auto& row : scoreTable()) {
    if (row.name != score) continue;
    scene.config.units = row.takesUnits ? kUnits : 0;
    if (!row.equalSizes) scene.d = 2;
  }
  addAttentionParameters(scene.layout, scene.config, scene.m, scene.d);
  Random random(11, score);
  const auto fill = [&](std::vector<double>& numbers, std::size_t count) {
    for (std::size_t i = 0; i < count; ++i) numbers.push_back(random.normal());
  };
  fill(scene.memory, static_cast<std::size_t>(scene.positions) * kBatch * scene.m);
  fill(scene.queries, static_cast<std::size_t>(kSteps) * kBatch * scene.d);
  fill(scene.values, scene.layout.size());
  const int lengths[kBatch] = {4, 1, 3};
  for (int t = 0; t < kSteps; ++t) {
    scene.available.emplace_back();
    for (int length : lengths) scene.available.back().push_back(growing ? std::min(t, length) : length);
  }
  return scene;
}

double coefficient(int row, int column) { return std::sin(1.0 + 3.0 * row + 7.0 * column); }

// Runs forward, then backward from fixed coefficients of the contexts.
Outcome attended(const Scene& scene) {
  Tape<double> tape;
  std::vector<double> memory = scene.memory, queries = scene.queries, values = scene.values;
  Outcome outcome;
  outcome.dMemory.assign(memory.size(), 0);
  outcome.dQueries.assign(queries.size(), 0);
  outcome.dValues.assign(values.size(), 0);
  const Parameters<double> parameters(scene.layout, values.data(), outcome.dValues.data());
  const Var<double> v{{memory.data(), scene.positions * kBatch, scene.m, scene.m},
                      {outcome.dMemory.data(), scene.positions * kBatch, scene.m, scene.m}};
  const Var<double> u{{queries.data(), kSteps * kBatch, scene.d, scene.d},
                      {outcome.dQueries.data(), kSteps * kBatch, scene.d, scene.d}};
  const Var<double> contexts = tape.zeros(kSteps * kBatch, scene.m);
  Attention<double> attention(tape, parameters, scene.config, v, u, contexts, kBatch, scene.growing);
  if (!scene.growing) attention.prepare(0, scene.positions);
  for (int t = 0; t < kSteps; ++t) {
    if (scene.growing && t > 0) attention.prepare(t - 1, 1);
    attention.attend(t, scene.available[t].data());
  }
  for (int r = 0; r < contexts.rowCount(); ++r)
    for (int k = 0; k < scene.m; ++k) contexts.grad.row(r)[k] = coefficient(r, k);
  tape.backward();
  const auto copied = [](const View<double>& view) {
    return std::vector<double>(view.data, view.data + static_cast<std::size_t>(view.rows) * view.columns);
  };
  outcome.scores = copied(attention.pass().scores.value);
  outcome.weights = copied(attention.pass().weights.value);
  outcome.contexts = copied(contexts.value);
  outcome.ranges.assign(attention.pass().ranges, attention.pass().ranges + kSteps * kBatch);
  return outcome;
}

// e of one position and one query, straight from the table of models.md.
double naiveScore(const Scene& scene, const double* v, const double* u) {
  const int m = scene.m, d = scene.d, a = scene.config.units;
  const std::string& name = scene.config.score;
  const auto tensor = [&](const char* key) {
    return scene.values.data() + scene.layout.find(std::string("attention.") + key).offset;
  };
  double e = 0;
  if (name == "dot" || name == "scaled_dot" || name == "mean_dot") {
    for (int k = 0; k < d; ++k) e += v[k] * u[k];
    if (name == "scaled_dot") e /= std::sqrt(d);
    if (name == "mean_dot") e /= d;
  } else if (name == "general") {
    for (int i = 0; i < m; ++i)
      for (int j = 0; j < d; ++j) e += v[i] * tensor("W")[i * d + j] * u[j];
  } else if (name == "additive") {
    for (int k = 0; k < a; ++k) {
      double inner = 0;
      for (int i = 0; i < m; ++i) inner += tensor("W1")[k * m + i] * v[i];
      for (int j = 0; j < d; ++j) inner += tensor("W2")[k * d + j] * u[j];
      e += tensor("q")[k] * std::tanh(inner);
    }
  } else if (name == "concat") {
    for (int k = 0; k < a; ++k) {
      double inner = 0;
      for (int j = 0; j < d; ++j) inner += tensor("W")[k * (d + m) + j] * u[j];
      for (int i = 0; i < m; ++i) inner += tensor("W")[k * (d + m) + d + i] * v[i];
      e += tensor("q")[k] * std::tanh(inner);
    }
  } else {
    throw std::logic_error("no reference for " + name);
  }
  return e / scene.config.temperature;
}

std::vector<double> naiveSoftmax(const std::vector<double>& e) {
  const double largest = e.empty() ? 0 : *std::max_element(e.begin(), e.end());
  double sum = 0;
  std::vector<double> p;
  for (double x : e) p.push_back(std::exp(x - largest)), sum += p.back();
  for (double& x : p) x /= sum;
  return p;
}

Outcome naive(const Scene& scene) {
  Outcome outcome;
  const int N = scene.positions;
  outcome.scores.assign(static_cast<std::size_t>(kSteps) * kBatch * N, 0);
  outcome.weights = outcome.scores;
  outcome.contexts.assign(static_cast<std::size_t>(kSteps) * kBatch * scene.m, 0);
  for (int t = 0; t < kSteps; ++t)
    for (int b = 0; b < kBatch; ++b) {
      const int row = t * kBatch + b;
      std::vector<double> e;
      for (int i = 0; i < scene.available[t][b]; ++i)
        e.push_back(
            naiveScore(scene, scene.memory.data() + (i * kBatch + b) * scene.m, scene.queries.data() + row * scene.d));
      const auto p = naiveSoftmax(e);
      for (std::size_t i = 0; i < e.size(); ++i) {
        outcome.scores[row * N + i] = e[i];
        outcome.weights[row * N + i] = p[i];
        for (int k = 0; k < scene.m; ++k)
          outcome.contexts[row * scene.m + k] += p[i] * scene.memory[(i * kBatch + b) * scene.m + k];
      }
    }
  return outcome;
}

double largestDifference(const std::vector<double>& a, const std::vector<double>& b) {
  if (a.size() != b.size()) return kInfinity;
  double worst = 0;
  for (std::size_t i = 0; i < a.size(); ++i)
    worst = std::isfinite(a[i] - b[i]) ? std::max(worst, std::abs(a[i] - b[i])) : kInfinity;
  return worst;
}

// The same scene with `extra` more positions that hold `filler` and are never available.
Scene widened(const Scene& scene, int extra, double filler) {
  Scene wide = scene;
  wide.positions += extra;
  wide.memory.resize(static_cast<std::size_t>(wide.positions) * kBatch * wide.m, filler);
  return wide;
}

std::vector<double> leftColumns(const std::vector<double>& values, int width, int kept) {
  std::vector<double> left;
  for (std::size_t r = 0; r < values.size() / width; ++r)
    left.insert(left.end(), values.begin() + r * width, values.begin() + r * width + kept);
  return left;
}

template <class S>
std::vector<S> softmaxOf(const std::vector<S>& e) {
  std::vector<S> p(e.size());
  normalizerOps<S>("softmax").forward(e.data(), static_cast<int>(e.size()), p.data());
  return p;
}

}  // namespace

class TestAttention : public QObject {
  Q_OBJECT
 private slots:
  void everyScoreHasAReference();
  void equations_data() { scenes(); }
  void equations();
  void gradients_data() { scenes(); }
  void gradients();
  void weightsSumToOne_data() { scenes(); }
  void weightsSumToOne();
  void masksAreExact_data() { scenes(); }
  void masksAreExact();
  void emptyMemory_data() { scenes(); }
  void emptyMemory();
  void onePosition_data() { scenes(); }
  void onePosition();
  void widerPaddingChangesNothing_data() { scenes(); }
  void widerPaddingChangesNothing();
  void softmaxOfKnownNumbers();
  void softmaxIgnoresAConstant();
  void softmaxOfExtremeScores();

 private:
  static void scenes() {
    QTest::addColumn<QByteArray>("score");
    QTest::addColumn<bool>("growing");
    QTest::addColumn<double>("temperature");
    for (const auto& row : scoreTable())
      for (bool growing : {false, true})
        for (double temperature : {1.0, 0.3})
          QTest::addRow("%s %s %g", row.name.data(), growing ? "growing" : "complete", temperature)
              << QByteArray(row.name.data()) << growing << temperature;
  }
  static Scene fetched() {
    // QFETCH works in the test's own frame only.
    const auto value = [](const char* column) {
      return *static_cast<QByteArray*>(QTest::qData(column, qMetaTypeId<QByteArray>()));
    };
    return sceneOf(value("score").toStdString(), *static_cast<bool*>(QTest::qData("growing", qMetaTypeId<bool>())),
                   *static_cast<double*>(QTest::qData("temperature", qMetaTypeId<double>())));
  }
};

void TestAttention::everyScoreHasAReference() {
  for (const auto& row : scoreTable()) {
    const Scene scene = sceneOf(std::string(row.name), false);
    QVERIFY(std::isfinite(naiveScore(scene, scene.memory.data(), scene.queries.data())));
  }
}

void TestAttention::equations() {
  const Scene scene = fetched();
  const Outcome ours = attended(scene), expected = naive(scene);
  QVERIFY(largestDifference(ours.scores, expected.scores) < 1e-12);
  QVERIFY(largestDifference(ours.weights, expected.weights) < 1e-12);
  QVERIFY(largestDifference(ours.contexts, expected.contexts) < 1e-12);
}

// Backward of the whole attention, not of its operations one by one.
void TestAttention::gradients() {
  Scene scene = fetched();
  const Outcome ours = attended(scene);
  const auto loss = [&] {
    const Outcome outcome = naive(scene);
    double sum = 0;
    for (int r = 0; r < kSteps * kBatch; ++r)
      for (int k = 0; k < scene.m; ++k) sum += coefficient(r, k) * outcome.contexts[r * scene.m + k];
    return sum;
  };
  const auto worst = [&](const char* name, std::vector<double>& values, const std::vector<double>& gradients) {
    return compareWithDifferences(name, values.data(), gradients.data(), values.size(), loss).error;
  };
  QVERIFY(worst("memory", scene.memory, ours.dMemory) < 1e-7);
  QVERIFY(worst("queries", scene.queries, ours.dQueries) < 1e-7);
  QVERIFY(worst("parameters", scene.values, ours.dValues) < 1e-7);
}

void TestAttention::weightsSumToOne() {
  const Scene scene = fetched();
  const Outcome ours = attended(scene);
  for (int t = 0; t < kSteps; ++t)
    for (int b = 0; b < kBatch; ++b) {
      double sum = 0;
      for (int i = 0; i < kPositions; ++i) sum += ours.weights[(t * kBatch + b) * kPositions + i];
      QVERIFY(std::abs(sum - (scene.available[t][b] > 0 ? 1 : 0)) < 1e-14);
    }
}

void TestAttention::masksAreExact() {
  const Scene scene = fetched();
  const Outcome ours = attended(scene);
  for (int t = 0; t < kSteps; ++t)
    for (int b = 0; b < kBatch; ++b) {
      const int row = t * kBatch + b;
      QCOMPARE(ours.ranges[row].begin, 0);
      QCOMPARE(ours.ranges[row].end, scene.available[t][b]);
      for (int i = scene.available[t][b]; i < kPositions; ++i) {
        QVERIFY(ours.weights[row * kPositions + i] == 0.0);
        QVERIFY(ours.scores[row * kPositions + i] == 0.0);
      }
    }
  // A position that nobody may see has no gradient at all.
  for (int b = 0; b < kBatch; ++b)
    for (int k = 0; k < scene.m; ++k) QVERIFY(ours.dMemory[((kPositions - 1) * kBatch + b) * scene.m + k] == 0.0);
}

void TestAttention::emptyMemory() {
  Scene scene = fetched();
  for (auto& step : scene.available) step.assign(kBatch, 0);
  const Outcome ours = attended(scene);
  for (const auto* part : {&ours.scores, &ours.weights, &ours.contexts, &ours.dMemory, &ours.dQueries, &ours.dValues})
    QVERIFY(std::all_of(part->begin(), part->end(), [](double x) { return x == 0.0; }));
}

// One position gets all the weight whatever its score, so nothing can move the score.
void TestAttention::onePosition() {
  Scene scene = fetched();
  for (auto& step : scene.available) step.assign(kBatch, 1);
  if (scene.growing) scene.available[0].assign(kBatch, 0);
  const Outcome ours = attended(scene);
  for (int t = scene.growing ? 1 : 0; t < kSteps; ++t)
    for (int b = 0; b < kBatch; ++b) {
      QCOMPARE(ours.weights[(t * kBatch + b) * kPositions], 1.0);
      for (int k = 0; k < scene.m; ++k)
        QCOMPARE(ours.contexts[(t * kBatch + b) * scene.m + k], scene.memory[b * scene.m + k]);
    }
  QVERIFY(std::all_of(ours.dQueries.begin(), ours.dQueries.end(), [](double x) { return std::abs(x) < 1e-15; }));
  QVERIFY(std::all_of(ours.dValues.begin(), ours.dValues.end(), [](double x) { return std::abs(x) < 1e-14; }));
}

void TestAttention::widerPaddingChangesNothing() {
  const Scene scene = fetched();
  const Outcome ours = attended(scene);
  for (double filler : {0.0, 1e30, kInfinity, kNan}) {
    const Outcome wide = attended(widened(scene, 3, filler));
    const auto same = [](const std::vector<double>& a, const std::vector<double>& b) {
      return largestDifference(a, b) < 1e-14;
    };
    QVERIFY(same(leftColumns(wide.weights, kPositions + 3, kPositions), ours.weights));
    QVERIFY(same(leftColumns(wide.scores, kPositions + 3, kPositions), ours.scores));
    QVERIFY(same(wide.contexts, ours.contexts));
    QVERIFY(same(wide.dQueries, ours.dQueries));
    const auto end = wide.dMemory.begin() + static_cast<std::ptrdiff_t>(ours.dMemory.size());
    QVERIFY(same({wide.dMemory.begin(), end}, ours.dMemory));
    QVERIFY(std::all_of(end, wide.dMemory.end(), [](double x) { return x == 0.0; }));
    // A memory that grows is prepared where it is there; a complete one is one product, which a hole would spoil.
    if (std::isfinite(filler)) QVERIFY(largestDifference(wide.dValues, ours.dValues) < 1e-12);
  }
}

void TestAttention::softmaxOfKnownNumbers() {
  const auto near = [](const std::vector<double>& a, const std::vector<double>& b, double tolerance) {
    return largestDifference(a, b) < tolerance;
  };
  QVERIFY(near(softmaxOf<double>({1000, 1000, 999}), {.4223188, .4223188, .1553624}, 1e-7));
  QVERIFY(near(softmaxOf<double>({-1000, 0}), {0, 1}, 1e-300));
  // The context of the values (1,0), (0,1), (1,1) at the scores (2, .5, 1).
  const std::vector<double> p = softmaxOf<double>({2, .5, 1});
  QVERIFY(near(p, {.629, .140, .231}, 5e-4));
  QVERIFY(near({p[0] + p[2], p[1] + p[2]}, {.860, .371}, 5e-4));
}

void TestAttention::softmaxIgnoresAConstant() {
  const std::vector<double> e{0.25, -1.5, 3, 0.125};
  for (double constant : {-1024.0, 1.0, 65536.0}) {  // exact in the sums with e
    std::vector<double> moved = e;
    for (double& x : moved) x += constant;
    QVERIFY(softmaxOf(moved) == softmaxOf(e));
  }
}

void TestAttention::softmaxOfExtremeScores() {
  const std::vector<std::vector<float>> rows{
      {1e4f, -1e4f}, {-1e4f, -1e4f, -1e4f}, {1e4f}, {3e38f, -3e38f, 0}, {1e4f, 1e4f - 1, -1e4f, 0}};
  for (const auto& e : rows) {
    const auto p = softmaxOf(e);
    double sum = 0;
    for (float x : p) {
      QVERIFY(std::isfinite(x) && x >= 0);
      sum += x;
    }
    QVERIFY(std::abs(sum - 1) < 1e-6);
    std::vector<float> dWeights(e.size(), 1e4f), dScores(e.size(), 0);
    dWeights[0] = -1e4f;
    normalizerOps<float>("softmax").backward(p.data(), dWeights.data(), static_cast<int>(e.size()), dScores.data());
    for (float x : dScores) QVERIFY(std::isfinite(x));
  }
}

QTEST_GUILESS_MAIN(TestAttention)
#include "test_attention.moc"
