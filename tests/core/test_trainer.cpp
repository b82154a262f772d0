// Training: the same bits every time, its bounds, what it keeps, and what it does with data at the edge.
#include <QElapsedTimer>
#include <QTest>
#include <cmath>
#include <limits>

#include "tests/support/error_text.h"
#include "tests/support/train_run.h"

using namespace attnscope;

namespace {

using Bits = std::pair<AlignedVector<float>, std::vector<double>>;  // weights, losses

Bits trained(std::shared_ptr<const TrainingData> data, const Json& config, const TrainOptions& options, int steps) {
  Trainer trainer(std::move(data), config, options);
  Bits bits;
  for (int i = 0; i < steps; ++i) bits.second.push_back(trainer.advance().loss);
  bits.first = trainer.predictor().weights();
  return bits;
}

// Advances until the run says that it has ended, at most `most` steps.
std::vector<HistoryPoint> runToEnd(Trainer& trainer, int most = 1000) {
  std::vector<HistoryPoint> points;
  while (trainer.endReason().empty() && static_cast<int>(points.size()) < most) points.push_back(trainer.advance());
  trainer.finish();
  return points;
}

}  // namespace

class TestTrainer : public QObject {
  Q_OBJECT
 private slots:
  void sameSeedSameBits_data();
  void sameSeedSameBits();
  void endsAtSteps();
  void endsAtEpochs();
  void endsAtSeconds();
  void endsAtAccuracy();
  void endsWithoutPatience();
  void boundsCanBeCleared();
  void keepsTheBest();
  void keepsTheLowerLossAmongEquals();
  void warmsUp();
  void usesItsOptimizerOptions();
  void partlyItsOwnOutput();
  void withoutValidation();
  void oneExample();
  void batchOfOne();
  void everyTaskTrains_data();
  void everyTaskTrains();
  void refusesOptionsThatMakeNoSense_data();
  void refusesOptionsThatMakeNoSense();
  void refusesAConfigurationForOtherData();
  void goesOnFromAModelFile();
  void vectorOutputs();
  void tracesWhatIsAsked();
  void secondsLeft();
  void learnsToReverse();
};

void TestTrainer::sameSeedSameBits_data() {
  QTest::addColumn<QByteArray>("task");
  QTest::addColumn<double>("forcing");
  QTest::newRow("reverse") << QByteArray("reverse") << 1.0;
  QTest::newRow("reverse, half its own") << QByteArray("reverse") << 0.5;
  QTest::newRow("difference") << QByteArray("difference") << 1.0;
}

void TestTrainer::sameSeedSameBits() {
  QFETCH(QByteArray, task);
  QFETCH(double, forcing);
  const auto data = dataOfTask(task.constData());
  const Json config = configOfTask(task.constData());
  const auto bits = [&](std::uint64_t seed, int threads) {
    TrainOptions options = quickOptions(seed, threads);
    options.batch = 70;  // four pieces of unequal size
    options.teacherForcing = forcing;
    return trained(data, config, options, 6);
  };
  const Bits one = bits(1, 1);
  QVERIFY(one == bits(1, 1));
  QVERIFY(one == bits(1, 2));
  QVERIFY(one == bits(1, 3));
  QVERIFY(one.first != bits(2, 1).first);
}

void TestTrainer::endsAtSteps() {
  TrainOptions options = quickOptions();
  options.steps = 7;
  Trainer trainer(copyPairs(40), pairsConfig(), options);
  const auto points = runToEnd(trainer);
  QCOMPARE(points.size(), std::size_t{7});
  QCOMPARE(trainer.endReason(), std::string("steps"));
  for (std::size_t i = 0; i < points.size(); ++i) {
    QCOMPARE(points[i].step, static_cast<long>(i + 1));
    QCOMPARE(points[i].validation.has_value(), i == 6);  // the end is measured
  }
}

void TestTrainer::endsAtEpochs() {
  TrainOptions options = quickOptions();
  options.batch = 8;
  options.epochs = 1.5;
  Trainer trainer(copyPairs(40), pairsConfig(), options);
  const auto points = runToEnd(trainer);
  QCOMPARE(trainer.endReason(), std::string("epochs"));
  QCOMPARE(points.size(), std::size_t{8});  // 5 steps an epoch: 1.5 is passed within the eighth
  QVERIFY(points.back().validation.has_value());
}

void TestTrainer::endsAtSeconds() {
  TrainOptions options = quickOptions();
  options.seconds = 0.05;
  Trainer trainer(copyPairs(40), pairsConfig(), options);
  const auto points = runToEnd(trainer, 1'000'000);
  QCOMPARE(trainer.endReason(), std::string("seconds"));
  QVERIFY(points.back().seconds >= 0.05);
  QVERIFY(points.size() == 1 || points[points.size() - 2].seconds < 0.05);
}

void TestTrainer::endsAtAccuracy() {
  TrainOptions options = quickOptions();
  options.rate = 0.02;
  options.validateEvery = 10;
  options.untilAccuracy = 0.5;
  options.steps = 2000;
  Trainer trainer(copyPairs(64, 1), pairsConfig(), options);
  const auto points = runToEnd(trainer, 2000);
  QCOMPARE(trainer.endReason(), std::string("accuracy"));
  QVERIFY(*points.back().validation->freeSequenceAccuracy >= 0.5);
}

void TestTrainer::endsWithoutPatience() {
  TrainOptions options = quickOptions();
  options.rate = 1e-30;  // nothing changes, so no validation is better than the first
  options.validateEvery = 2;
  options.patience = 3;
  Trainer trainer(copyPairs(40), pairsConfig(), options);
  QCOMPARE(runToEnd(trainer).size(), std::size_t{8});
  QCOMPARE(trainer.endReason(), std::string("patience"));
}

void TestTrainer::boundsCanBeCleared() {
  TrainOptions options = quickOptions();
  options.steps = 2;
  Trainer trainer(copyPairs(40), pairsConfig(), options);
  runToEnd(trainer);
  trainer.clearBounds();
  QVERIFY(trainer.endReason().empty());
  for (int i = 0; i < 5; ++i) trainer.advance();
  QVERIFY(trainer.endReason().empty());
  QCOMPARE(trainer.step(), 7L);
}

// A rate that destroys what was learned: the best validation's weights come back, the last one's do not.
void TestTrainer::keepsTheBest() {
  for (bool keep : {true, false}) {
    TrainOptions options = quickOptions();
    options.rate = 0.02;
    options.validateEvery = 20;
    options.keepBest = keep;
    Trainer trainer(copyPairs(64, 1), pairsConfig(), options);
    std::optional<double> best;
    for (int i = 0; i < 200; ++i) {
      const auto point = trainer.advance();
      if (point.validation) best = std::max(best.value_or(0), *point.validation->freeSequenceAccuracy);
    }
    QVERIFY(*best > 0.5);
    trainer.options().rate = 3;
    for (int i = 0; i < 40; ++i) trainer.advance();
    const AlignedVector<float> last = trainer.predictor().weights();
    QVERIFY(*trainer.validate().freeSequenceAccuracy < *best);
    trainer.finish();
    if (keep)
      QCOMPARE(*trainer.validate().freeSequenceAccuracy, *best);
    else
      QVERIFY(trainer.predictor().weights() == last);
  }
}

// As long as no whole sequence is right, all validations have one accuracy; the first is not the best of them.
void TestTrainer::keepsTheLowerLossAmongEquals() {
  TrainOptions options = quickOptions();
  options.validateEvery = 5;
  options.keepBest = true;
  options.patience = 3;
  options.steps = 60;
  auto data = copyPairs(64, 8);
  Trainer trainer(data, pairsConfig(), options);
  const auto points = runToEnd(trainer);
  QCOMPARE(trainer.endReason(), std::string("steps"));
  QCOMPARE(*points.back().validation->freeSequenceAccuracy, 0.0);
  double lowest = 1e9;
  for (const auto& point : points)
    if (point.validation) lowest = std::min(lowest, point.validation->forcedLoss);
  QCOMPARE(trainer.validate().forcedLoss, lowest);
}

void TestTrainer::warmsUp() {
  TrainOptions options = quickOptions();
  options.rate = 0.01;
  options.warmup = 4;
  Trainer trainer(copyPairs(40), pairsConfig(), options);
  for (double expected : {0.0025, 0.005, 0.0075, 0.01, 0.01}) {
    const HistoryPoint point = trainer.advance();
    QVERIFY(std::abs(point.rate - expected) < 1e-15);
  }
}

void TestTrainer::usesItsOptimizerOptions() {
  const auto weightsWith = [](auto change) {
    TrainOptions options = quickOptions();
    change(options);
    return trained(copyPairs(40), pairsConfig(), options, 3).first;
  };
  const auto plain = weightsWith([](TrainOptions&) {});
  QVERIFY(plain != weightsWith([](TrainOptions& o) { o.rate = 0.003; }));
  QVERIFY(plain != weightsWith([](TrainOptions& o) { o.clip = 0.01; }));
  QVERIFY(plain != weightsWith([](TrainOptions& o) { o.weightDecay = 0.1; }));
  QVERIFY(plain != weightsWith([](TrainOptions& o) { o.optimizer = OptimizerKind::Sgd; }));
  QVERIFY(plain != weightsWith([](TrainOptions& o) { o.teacherForcing = 0.1; }));
  QVERIFY(plain == weightsWith([](TrainOptions& o) { o.momentum = 0.1; }));  // Adam has none
}

void TestTrainer::partlyItsOwnOutput() {
  for (double forcing : {0.0, 0.5}) {
    TrainOptions options = quickOptions();
    options.teacherForcing = forcing;
    options.rate = 0.01;
    const Bits bits = trained(copyPairs(64, 1), pairsConfig(), options, 150);
    QVERIFY2(bits.second.back() < 0.7 * bits.second.front(), qPrintable(QString::number(bits.second.back())));
  }
}

void TestTrainer::withoutValidation() {
  TrainOptions options = quickOptions();
  options.validateEvery = 1;
  options.keepBest = true;
  options.patience = 2;
  options.steps = 10;
  Trainer trainer(copyPairs(40, 3, false), pairsConfig(), options);
  const auto points = runToEnd(trainer);
  QCOMPARE(points.size(), std::size_t{10});
  for (const auto& point : points) QVERIFY(!point.validation);
  // The weights are those of the last step.
  options.keepBest = false;
  Trainer last(copyPairs(40, 3, false), pairsConfig(), options);
  runToEnd(last);
  QVERIFY(trainer.predictor().weights() == last.predictor().weights());
  QVERIFY(trainer.trace({}).examples.empty());
  trainer.validate();
}

void TestTrainer::oneExample() {
  auto data = copyPairs(1);
  data->validation = data->train;
  TrainOptions options = quickOptions();
  options.rate = 0.02;
  options.steps = 200;
  Trainer trainer(data, pairsConfig(), options);
  const auto points = runToEnd(trainer);
  QCOMPARE(points.back().epoch, 200.0);
  QCOMPARE(*points.back().validation->freeSequenceAccuracy, 1.0);
  QVERIFY(points.back().loss < 0.1);
}

void TestTrainer::batchOfOne() {
  TrainOptions options = quickOptions();
  options.batch = 1;
  for (const char* task : {"reverse", "difference", "recall"}) {
    const Bits bits = trained(dataOfTask(task), configOfTask(task), options, 5);
    for (double loss : bits.second) QVERIFY(std::isfinite(loss));
  }
}

void TestTrainer::everyTaskTrains_data() {
  QTest::addColumn<QByteArray>("task");
  for (const Task& task : taskTable()) QTest::newRow(task.name.c_str()) << QByteArray::fromStdString(task.name);
}

void TestTrainer::everyTaskTrains() {
  QFETCH(QByteArray, task);
  TrainOptions options = quickOptions();
  options.steps = 12;
  Trainer trainer(dataOfTask(task.constData(), 8), configOfTask(task.constData()), options);
  const auto points = runToEnd(trainer);
  QVERIFY(points.back().loss < points.front().loss * 1.05);
  const auto& report = *points.back().validation;
  QVERIFY(std::isfinite(report.forcedLoss));
  QCOMPARE(report.accuracy.has_value(), trainer.data().family == "recurrent");
  QCOMPARE(report.freeSequenceAccuracy.has_value(), trainer.data().family == "seq2seq");
  const Trace trace = trainer.trace({});
  QCOMPARE(trace.step, 12);
  QCOMPARE(trace.examples.size(), std::size_t{1});
  QVERIFY(!trace.examples[0].outputs.empty());
}

void TestTrainer::refusesOptionsThatMakeNoSense_data() {
  QTest::addColumn<QByteArray>("name");
  for (const char* name :
       {"batch", "rate", "momentum", "weight-decay", "clip", "teacher-forcing", "warmup", "validate-every"})
    QTest::newRow(name) << QByteArray(name);
}

void TestTrainer::refusesOptionsThatMakeNoSense() {
  QFETCH(QByteArray, name);
  const double nan = std::numeric_limits<double>::quiet_NaN(), infinity = std::numeric_limits<double>::infinity();
  std::vector<TrainOptions> all;
  const auto add = [&](auto change) { all.push_back(quickOptions()), change(all.back()); };
  if (name == "batch")
    for (int value : {0, -1, 1'000'000}) add([=](TrainOptions& o) { o.batch = value; });
  if (name == "rate")
    for (double value : {0.0, -1.0, nan, infinity}) add([=](TrainOptions& o) { o.rate = value; });
  if (name == "momentum")
    for (double value : {-0.1, 1.0, nan}) add([=](TrainOptions& o) { o.momentum = value; });
  if (name == "weight-decay")
    for (double value : {-0.1, nan, infinity}) add([=](TrainOptions& o) { o.weightDecay = value; });
  if (name == "clip")
    for (double value : {-0.1, nan, infinity}) add([=](TrainOptions& o) { o.clip = value; });
  if (name == "teacher-forcing")
    for (double value : {-0.1, 1.1, nan}) add([=](TrainOptions& o) { o.teacherForcing = value; });
  if (name == "warmup") add([](TrainOptions& o) { o.warmup = -1; });
  if (name == "validate-every") add([](TrainOptions& o) { o.validateEvery = -1; });
  QVERIFY(!all.empty());
  for (const auto& options : all) {
    const QString text = errorText(ErrorKind::Usage, [&] { Trainer(copyPairs(4), pairsConfig(), options); });
    QVERIFY2(text.startsWith(QString(name) + ": must be "), qPrintable(text));
  }
}

void TestTrainer::refusesAConfigurationForOtherData() {
  const auto refusal = [](std::shared_ptr<const TrainingData> data, const Json& config) {
    return errorText(ErrorKind::BadInput, [&] { Trainer(std::move(data), config, quickOptions()); });
  };
  QVERIFY(refusal(copyPairs(4), configOfTask("difference")).contains("family"));
  QVERIFY(refusal(dataOfTask("difference"), configOfTask("recall")).startsWith("config."));
  Json outputs = configOfTask("difference");
  outputs["output"]["kind"] = "class";
  QVERIFY(refusal(dataOfTask("difference"), outputs).startsWith("config.output.kind: must be step_class"));
  QVERIFY(refusal(copyPairs(4), smallSeq2Seq()).startsWith("config.source_vocabulary: is 9, but the data have 8"));
  // A model file cannot bring the wrong outputs in by the back door.
  Trainer trainer(dataOfTask("difference"), configOfTask("difference"), quickOptions());
  ModelFile file = trainer.modelFile();
  file.config["output"]["kind"] = "class";
  QVERIFY(errorText(ErrorKind::BadInput, [&] {
            Trainer(dataOfTask("difference"), file, quickOptions());
          }).startsWith("config.output.kind"));
}

void TestTrainer::goesOnFromAModelFile() {
  const auto data = copyPairs(40);
  TrainOptions options = quickOptions();
  Trainer trainer(data, pairsConfig(), options);
  for (int i = 0; i < 5; ++i) trainer.advance();
  ModelFile file = trainer.modelFile();
  QVERIFY(file.task["step"] == Json(5));
  QVERIFY(file.task["seed"] == Json(1));
  options.steps = 3;  // counts from here
  Trainer next(data, file, options);
  QVERIFY(next.predictor().weights() == trainer.predictor().weights());
  QCOMPARE(runToEnd(next).back().step, 8L);
  // A number of steps that cannot be is not believed.
  for (const Json& step :
       {Json(-3), Json(9223372036854775807LL), Json(18446744073709551615ULL), Json("many"), Json(1.5)}) {
    file.task["step"] = step;
    QCOMPARE(Trainer(data, file, options).step(), 0L);
  }
  // Without examples there is a model to look at and nothing to train on.
  auto bare = std::make_shared<TrainingData>(*data);
  bare->train.clear();
  bare->validation.clear();
  Trainer looking(bare, file, options);
  QVERIFY(!looking.canTrain());
  QCOMPARE(looking.trace({0, "a b", true}).examples.size(), std::size_t{1});
}

void TestTrainer::vectorOutputs() {
  auto data = std::make_shared<TrainingData>();
  data->family = "recurrent";
  data->name = "series";
  data->vectorSize = 1;
  Random random(1, "series");
  for (int i = 0; i < 40; ++i) {
    Example example;
    for (int t = 0; t < 6; ++t) example.vectors.push_back(static_cast<float>(random.normal()));
    example.values = example.vectors;
    (i < 32 ? data->train : data->validation).push_back(example);
  }
  TrainOptions options = quickOptions();
  options.rate = 0.01;
  options.steps = 300;
  Trainer trainer(
      data, smallRecurrent(Json::parse(R"({"input":{"size":1},"hidden":8,"output":{"kind":"step_vector","size":1}})")),
      options);
  const auto points = runToEnd(trainer);
  const auto& report = *points.back().validation;
  QVERIFY(report.rmse && report.mae && report.naiveRmse && !report.accuracy);
  QVERIFY(std::abs(*report.rmse - std::sqrt(report.forcedLoss)) < 1e-12);
  QVERIFY2(*report.rmse < 0.5 * *report.naiveRmse, qPrintable(QString::number(*report.rmse)));
}

void TestTrainer::tracesWhatIsAsked() {
  const auto data = copyPairs(40);
  Trainer trainer(data, pairsConfig(), quickOptions());
  const auto count = static_cast<int>(data->validation.size());
  const auto source = [&](int index) { return trainer.trace({index, {}, false}).examples[0].source; };
  QVERIFY(source(0) == source(count) && source(-1) == source(count - 1));
  source(std::numeric_limits<int>::max());
  source(std::numeric_limits<int>::min());
  QVERIFY(trainer.trace({0, {}, false}).examples[0].forced);
  QVERIFY(!trainer.trace({0, {}, true}).examples[0].forced);
  const Trace typed = trainer.trace({0, "a zz d", false});
  QVERIFY((typed.examples[0].source == std::vector<std::string>{"a", "zz", "d", "</s>"}));
  QVERIFY((typed.examples[0].sourceUnknown == std::vector<std::uint8_t>{0, 1, 0, 0}));
  QVERIFY(errorText(ErrorKind::BadInput, [&] { trainer.trace({0, "  ", false}); }).contains("no word"));
  // A pasted book would need its square of memory.
  std::string book;
  for (int i = 0; i < 100'000; ++i) book += "a ";
  QVERIFY(errorText(ErrorKind::BadInput, [&] { trainer.trace({0, book, false}); }).contains("100000 tokens; at most 2000"));
}

void TestTrainer::secondsLeft() {
  TrainOptions options = quickOptions();
  Trainer endless(copyPairs(40), pairsConfig(), options);
  endless.advance();
  QCOMPARE(endless.secondsLeft(), -1.0);
  options.steps = 10;
  options.seconds = 1000;
  Trainer bounded(copyPairs(40), pairsConfig(), options);
  QCOMPARE(bounded.secondsLeft(), 1000.0);
  bounded.advance();
  QVERIFY(bounded.secondsLeft() > 0 && bounded.secondsLeft() < 100);
  while (bounded.endReason().empty()) bounded.advance();
  QVERIFY(bounded.secondsLeft() < 1e-9);
}

// The default task of the program, as a user starts it.
void TestTrainer::learnsToReverse() {
  const Task& task = findTask("reverse");
  TrainOptions options = trainOptionsFrom(task.training);
  options.rate = 0.002;
  options.threads = 0;
  options.validateEvery = 100;
  options.untilAccuracy = 0.95;
  options.steps = 800;
  QElapsedTimer clock;
  clock.start();
  Trainer trainer(dataOfTask("reverse", 128), configOfTask("reverse"), options);
  runToEnd(trainer);
  qInfo("%ld steps, %.1f s", trainer.step(), static_cast<double>(clock.elapsed()) / 1000);
  QCOMPARE(trainer.endReason(), std::string("accuracy"));
}

QTEST_GUILESS_MAIN(TestTrainer)
#include "test_trainer.moc"
