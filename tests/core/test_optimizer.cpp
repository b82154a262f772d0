// Optimisers: their rules to the number, clipping, decay, and what a gradient that is not finite does.
#include <QTest>
#include <cmath>
#include <limits>

#include "core/autograd/optimizer.h"
#include "core/base/random.h"
#include "tests/support/error_text.h"

using namespace attnscope;

namespace {

using Block = AlignedVector<float>;

OptimizerStep stepOf(OptimizerKind kind, double rate) {
  OptimizerStep step;
  step.kind = kind;
  step.rate = rate;
  return step;
}

Block blockOf(std::initializer_list<float> numbers) { return Block(numbers.begin(), numbers.end()); }

bool near(double a, double b, double tolerance = 1e-6) {
  return std::abs(a - b) <= tolerance * std::max(1.0, std::abs(b));
}

}  // namespace

class TestOptimizer : public QObject {
  Q_OBJECT
 private slots:
  void names();
  void sgd();
  void momentum();
  void adamFirstStep();
  void adamAgainstLoops();
  void clipsByTheNormOfAll();
  void decayIsDecoupled();
  void nonFiniteMovesNothing_data();
  void nonFiniteMovesNothing();
  void resetForgets();
  void normOfManyParameters();
};

void TestOptimizer::names() {
  for (auto kind : {OptimizerKind::Sgd, OptimizerKind::Momentum, OptimizerKind::Adam})
    QCOMPARE(optimizerKind(optimizerName(kind)), kind);
  QCOMPARE(optimizerKind("adam"), OptimizerKind::Adam);
  QVERIFY(errorText(ErrorKind::Usage, [] { optimizerKind("rmsprop"); }).contains("'rmsprop' is unknown"));
}

void TestOptimizer::sgd() {
  Optimizer optimizer(2);
  Block values = blockOf({1, -2}), gradients = blockOf({0.5f, 4});
  QVERIFY(near(optimizer.step(stepOf(OptimizerKind::Sgd, 0.1), gradients, values), std::sqrt(16.25)));
  QVERIFY(near(values[0], 0.95) && near(values[1], -2.4));
}

void TestOptimizer::momentum() {
  Optimizer optimizer(1);
  OptimizerStep step = stepOf(OptimizerKind::Momentum, 0.1);
  step.momentum = 0.5;
  Block values = blockOf({0});
  for (double expected : {-0.1, -0.25, -0.425}) {  // velocities 1, 1.5, 1.75
    Block gradients = blockOf({1});
    optimizer.step(step, gradients, values);
    QVERIFY(near(values[0], expected));
  }
}

// With bias correction the first step is the rate itself, whatever the gradient; without it 3.162 times that.
void TestOptimizer::adamFirstStep() {
  for (float g : {0.003f, -0.003f, 5.0f}) {
    Optimizer optimizer(1);
    Block values = blockOf({0}), gradients = blockOf({g});
    optimizer.step(stepOf(OptimizerKind::Adam, 0.01), gradients, values);
    QVERIFY2(near(values[0] / 0.01, g > 0 ? -1.0 : 1.0, 1e-5), qPrintable(QString::number(values[0])));
  }
}

void TestOptimizer::adamAgainstLoops() {
  constexpr int kCount = 37;
  Optimizer optimizer(kCount);
  Random random(3, "adam");
  Block values(kCount);
  std::vector<double> x(kCount), m(kCount, 0), v(kCount, 0);
  for (int i = 0; i < kCount; ++i) x[i] = values[i] = static_cast<float>(random.normal());
  for (int t = 1; t <= 50; ++t) {
    Block gradients(kCount);
    for (int i = 0; i < kCount; ++i) {
      gradients[i] = static_cast<float>(random.normal() * (i % 5 == 0 ? 1e-4 : 1));
      const double g = gradients[i];
      m[i] = 0.9 * m[i] + 0.1 * g;
      v[i] = 0.999 * v[i] + 0.001 * g * g;
      x[i] -= 0.01 * (m[i] / (1 - std::pow(0.9, t))) / (std::sqrt(v[i] / (1 - std::pow(0.999, t))) + 1e-8);
    }
    optimizer.step(stepOf(OptimizerKind::Adam, 0.01), gradients, values);
  }
  for (int i = 0; i < kCount; ++i) QVERIFY2(std::abs(values[i] - x[i]) < 2e-5, qPrintable(QString::number(i)));
}

void TestOptimizer::clipsByTheNormOfAll() {
  Optimizer optimizer(3);
  OptimizerStep step = stepOf(OptimizerKind::Sgd, 1);
  step.clip = 1;
  Block values = blockOf({0, 0, 0}), gradients = blockOf({3, 0, 4});
  QVERIFY(near(optimizer.step(step, gradients, values), 5));  // before clipping
  QVERIFY(near(values[0], -0.6) && values[1] == 0.0f && near(values[2], -0.8));
  values = blockOf({0, 0, 0});
  gradients = blockOf({0.3f, 0, 0.4f});
  optimizer.step(step, gradients, values);
  QVERIFY(near(values[0], -0.3) && near(values[2], -0.4));  // below the bound nothing is done
  step.clip = 0;
  values = blockOf({0, 0, 0});
  gradients = blockOf({300, 0, 400});
  optimizer.step(step, gradients, values);
  QVERIFY(near(values[0], -300));
}

void TestOptimizer::decayIsDecoupled() {
  for (auto kind : {OptimizerKind::Sgd, OptimizerKind::Momentum, OptimizerKind::Adam}) {
    Optimizer optimizer(2);
    OptimizerStep step = stepOf(kind, 0.1);
    step.weightDecay = 0.5;
    Block values = blockOf({2, -4}), gradients = blockOf({0, 0});
    optimizer.step(step, gradients, values);
    QVERIFY(near(values[0], 1.9) && near(values[1], -3.8));
    optimizer.step(step, gradients, values);
    QVERIFY(near(values[0], 1.805) && near(values[1], -3.61));
  }
}

void TestOptimizer::nonFiniteMovesNothing_data() {
  QTest::addColumn<float>("bad");
  QTest::newRow("NaN") << std::numeric_limits<float>::quiet_NaN();
  QTest::newRow("infinity") << std::numeric_limits<float>::infinity();
  QTest::newRow("-infinity") << -std::numeric_limits<float>::infinity();
}

void TestOptimizer::nonFiniteMovesNothing() {
  QFETCH(float, bad);
  for (auto kind : {OptimizerKind::Sgd, OptimizerKind::Momentum, OptimizerKind::Adam}) {
    Optimizer disturbed(2), calm(2);
    OptimizerStep step = stepOf(kind, 0.1);
    step.clip = 1;
    step.weightDecay = 0.1;
    Block values = blockOf({1, 2}), others = values, gradients = blockOf({1, bad});
    QVERIFY(!std::isfinite(disturbed.step(step, gradients, values)));
    QVERIFY(values == others);
    gradients = blockOf({1, 1});
    disturbed.step(step, gradients, values);  // … and leaves nothing behind either
    gradients = blockOf({1, 1});
    calm.step(step, gradients, others);
    QVERIFY(values == others);
  }
}

void TestOptimizer::resetForgets() {
  Optimizer optimizer(1), fresh(1);
  Block values = blockOf({0});
  for (int i = 0; i < 5; ++i) {
    Block gradients = blockOf({2});
    optimizer.step(stepOf(OptimizerKind::Adam, 0.1), gradients, values);
  }
  optimizer.reset();
  Block a = blockOf({1}), b = a, gradients = blockOf({-1});
  optimizer.step(stepOf(OptimizerKind::Adam, 0.1), gradients, a);
  gradients = blockOf({-1});
  fresh.step(stepOf(OptimizerKind::Adam, 0.1), gradients, b);
  QVERIFY(a == b);
}

void TestOptimizer::normOfManyParameters() {
  constexpr std::size_t kCount = 1'000'003;  // not a multiple of any block
  Optimizer optimizer(kCount);
  Block values(kCount, 0.0f), gradients(kCount, 0.1f);
  const double norm = optimizer.step(stepOf(OptimizerKind::Sgd, 1), gradients, values);
  QVERIFY(near(norm, 0.1 * std::sqrt(static_cast<double>(kCount)), 1e-6));
  QVERIFY(near(values.back(), -0.1));
  gradients.assign(kCount, 1e25f);  // squares beyond a float's range
  QVERIFY(std::isfinite(optimizer.step(stepOf(OptimizerKind::Sgd, 1e-26), gradients, values)));
}

QTEST_GUILESS_MAIN(TestOptimizer)
#include "test_optimizer.moc"
