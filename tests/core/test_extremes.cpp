// Sizes, temperatures and rates at the edge: nothing crashes, hangs or is not finite.
#include <QElapsedTimer>
#include <QTest>
#include <cmath>
#include <limits>

#include "tests/support/error_text.h"
#include "tests/support/train_run.h"

using namespace attnscope;

namespace {

// An example of `length` positions for the model of `run`.
Example exampleOf(const ModelRun<float>& run, int length) {
  Random random(1, "extreme");
  const bool seq2seq = run.config.family == "seq2seq";
  Example example = randomPair(random, length - 1, length - 1, seq2seq ? run.config.seq2seq.sourceVocabulary : 9,
                               seq2seq ? run.config.seq2seq.targetVocabulary : 8);
  if (seq2seq) return example;
  example.target.clear();
  example.labels = {1};
  for (int i = 0; i < 2 * length; ++i) example.vectors.push_back(static_cast<float>(random.normal()));
  return example;
}

bool allFiniteNumbers(const AlignedVector<float>& values) {
  return std::all_of(values.begin(), values.end(), [](float x) { return std::isfinite(x); });
}

}  // namespace

class TestExtremes : public QObject {
  Q_OBJECT
 private slots:
  void extremeSizes_data();
  void extremeSizes();
  void extremeTemperatures();
  void timeGrowsWithLength();
  void absurdRateKeepsGoodWeights();
  void nonFiniteWeightsAreNamed();
};

void TestExtremes::extremeSizes_data() {
  QTest::addColumn<QByteArray>("config");
  QTest::addColumn<int>("length");
  const auto row = [](const char* name, const Json& config, int length) {
    QTest::newRow(name) << QByteArray::fromStdString(config.dump()) << length;
  };
  const Json one =
      Json::parse(R"({"embedding":1,"encoder":{"hidden":1},"decoder":{"hidden":1},"attention":{"units":1}})");
  row("everything 1", smallSeq2Seq(one), 1);
  row("least vocabularies", smallSeq2Seq({{"source_vocabulary", 4}, {"target_vocabulary", 4}}), 3);
  row("1000 words", smallSeq2Seq(), 1000);
  row("16 layers", smallSeq2Seq({{"encoder", {{"layers", 16}}}, {"decoder", {{"layers", 16}}}}), 3);
  row("1000 steps of past", smallRecurrent(), 1000);
  row("one step", smallRecurrent(), 1);
  row("wide", smallRecurrent({{"hidden", 300}}), 5);
}

void TestExtremes::extremeSizes() {
  QFETCH(QByteArray, config);
  QFETCH(int, length);
  ModelRun<float> run(Json::parse(config.toStdString()), 5, 1);
  const Batch batch = run.batchOf({exampleOf(run, length)});
  QVERIFY(std::isfinite(run.backward(batch).lossSum));
  for (float g : run.gradients) QVERIFY(std::isfinite(g));
  RunOptions options;
  options.decoding = Decoding::Free;
  if (run.config.family == "seq2seq") run.forward(batch, options);
}

void TestExtremes::extremeTemperatures() {
  for (double temperature : {1e-9, 1e-6, 1e6, 1e9})
    for (Json json : {smallSeq2Seq(), smallRecurrent()}) {
      json["attention"]["temperature"] = temperature;
      ModelRun<float> run(json);
      const auto record = run.backward(run.batchOf({exampleOf(run, 5)}));
      QVERIFY(std::isfinite(record.lossSum));
      for (float g : run.gradients) QVERIFY(std::isfinite(g));
      const auto& site = record.sites[0];
      for (int r = 0; r < site.steps * record.batch; ++r) {
        const Range range = site.ranges[r];
        if (range.empty()) continue;
        float sum = 0;
        for (int i = 0; i < range.end; ++i) sum += site.weights.row(r)[i];
        QVERIFY(std::abs(sum - 1) < 1e-5);
        if (temperature >= 1e6) QVERIFY(std::abs(site.weights.row(r)[0] - 1.0f / static_cast<float>(range.end)) < 1e-4);
      }
    }
}

void TestExtremes::absurdRateKeepsGoodWeights() {
  for (double rate : {1e4, 1e30, 1e38, 1e300})
    for (auto kind : {OptimizerKind::Adam, OptimizerKind::Sgd, OptimizerKind::Momentum}) {
      TrainOptions options = quickOptions();
      options.optimizer = kind;
      options.rate = rate;
      options.clip = 0;
      Trainer trainer(copyPairs(40), pairsConfig(), options);
      AlignedVector<float> before;
      const QString text = errorText(ErrorKind::Diverged, [&] {
        for (int i = 0; i < 30; ++i) {
          before = trainer.predictor().weights();
          trainer.advance();
        }
      });
      QVERIFY(allFiniteNumbers(trainer.predictor().weights()));
      if (text == "nothing thrown") continue;
      QVERIFY2(text.startsWith("step " + QString::number(trainer.step() + 1) + ": "), qPrintable(text));
      QVERIFY2(text.contains("not finite") && text.contains("are kept") && !text.contains('\n'), qPrintable(text));
      QVERIFY(trainer.predictor().weights() == before);
    }
}

void TestExtremes::nonFiniteWeightsAreNamed() {
  Trainer trainer(copyPairs(40), pairsConfig(), quickOptions());
  trainer.advance();
  const auto& info = trainer.predictor().layout().find("attention.W1");
  trainer.predictor().weights()[info.offset] = std::numeric_limits<float>::quiet_NaN();
  const QString text = errorText(ErrorKind::Diverged, [&] { trainer.advance(); });
  QVERIFY2(text.startsWith("step 2: "), qPrintable(text));
  QCOMPARE(trainer.step(), 1L);
  // An update that leaves the range of a float is named by its tensor.
  TrainOptions options = quickOptions();
  options.optimizer = OptimizerKind::Sgd;
  options.clip = 0;
  options.rate = 1e300;
  Trainer fast(copyPairs(40), pairsConfig(), options);
  QVERIFY(errorText(ErrorKind::Diverged, [&] { fast.advance(); }).contains("the new values of "));
}

// Without attention the work is linear in the length; ten times longer may not take a hundred times.
void TestExtremes::timeGrowsWithLength() {
  Json config = smallRecurrent();
  config["attention"] = nullptr;
  ModelRun<float> run(config);
  const auto best = [&](int length) {
    const Batch batch = run.batchOf({exampleOf(run, length)});
    qint64 least = std::numeric_limits<qint64>::max();
    for (int i = 0; i < 7; ++i) {
      QElapsedTimer clock;
      clock.start();
      run.backward(batch);
      least = std::min(least, clock.nsecsElapsed());
    }
    return static_cast<double>(least);
  };
  const double factor = best(20'000) / best(2'000);
  QVERIFY2(factor < 40, qPrintable(QString::number(factor)));
}

QTEST_GUILESS_MAIN(TestExtremes)
#include "test_extremes.moc"
