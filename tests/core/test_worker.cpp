// The training thread: commands in order, the newest snapshot only, and nothing lost when something fails.
#include <QTemporaryDir>
#include <QTest>
#include <cmath>
#include <limits>
#include <thread>

#include "core/io/file.h"
#include "tests/support/train_run.h"
#include "tests/support/watched_worker.h"

using namespace attnscope;

namespace {

RunSpec runOf(const char* task = "reverse", std::uint64_t seed = 1) {
  RunSpec run;
  run.data.task = task;
  run.data.taskOptions = findTask(task).defaults;
  if (std::string(task) == "reverse") run.data.taskOptions = TaskOptions{2, 4, 5};
  Json& config = run.config;
  config = findTask(task).config(*run.data.taskOptions);
  if (config["family"] == "seq2seq") {
    config["embedding"] = 4;
    config["encoder"]["hidden"] = config["decoder"]["hidden"] = 6;
  }
  run.train = quickOptions(seed);
  run.train.batch = 8;
  return run;
}

}  // namespace

class TestWorker : public QObject {
  Q_OBJECT
 private slots:
  void startsEmpty();
  void loads();
  void historyIsCompleteAndInOrder();
  void snapshotsOnlyGoForward();
  void wakesOnceUntilTaken();
  void commandsInOrder();
  void pausesAndSteps();
  void keepsPace();
  void failedLoadKeepsWhatWasThere();
  void failedOpenKeepsWhatWasThere();
  void resetStartsAgain();
  void finishesAndGoesOn();
  void tracesAreNumbered();
  void badTextIsSaid();
  void settingsAct();
  void valuesThatMakeNoSenseAreIgnored();
  void savesAndOpens();
  void openedModelShowsItsOwnLoss();
  void saveErrorsAreSaid();
  void opensModelsWhoseDataAreGone();
  void divergenceIsSaid();
  void endsWhileTraining();
  void manyCallersAtOnce();

 private:
  std::filesystem::path path(const char* name) const {
    return std::filesystem::path(m_folder.path().toStdString()) / name;
  }
  QTemporaryDir m_folder;
};

void TestWorker::startsEmpty() {
  Watched run;
  QVERIFY(run.worker.takeSnapshot());
  QCOMPARE(run.worker.takeSnapshot()->state, RunState::Empty);
  // Nothing to do these with; none may crash or change the state.
  run.worker.train();
  run.worker.pause();
  run.worker.singleStep();
  run.worker.reset();
  run.worker.setRate(1);
  run.worker.setTemperature(2);
  run.worker.saveModel(path("nothing.safetensors"));
  const SnapshotPtr snapshot = run.until([](const Snapshot& s) { return s.saves == 1; });
  QVERIFY(snapshot);
  QCOMPARE(snapshot->state, RunState::Empty);
  QVERIFY(!snapshot->saveError.empty());
  QVERIFY(run.worker.historySince(0).empty());
}

void TestWorker::loads() {
  Watched run;
  run.worker.load(runOf());
  const SnapshotPtr snapshot = run.untilState(RunState::Paused);
  QVERIFY(snapshot && snapshot->info && snapshot->trace);
  QCOMPARE(snapshot->generation, std::uint64_t{1});
  QCOMPARE(snapshot->step, 0L);
  QCOMPARE(snapshot->traceStep, 0L);
  QVERIFY(snapshot->info->parameters > 0 && snapshot->info->memoryBytes > 0 && !snapshot->info->fromModelFile);
  QCOMPARE(snapshot->info->data->validation.size(), std::size_t{512});
  run.worker.load(runOf("difference"));
  const SnapshotPtr next = run.until([](const Snapshot& s) { return s.generation == 2; });
  QVERIFY(next);
  QCOMPARE(next->info->data->family, std::string("recurrent"));
}

void TestWorker::historyIsCompleteAndInOrder() {
  Watched run;
  run.worker.load(runOf());
  run.worker.train();
  std::vector<HistoryPoint> seen;
  while (seen.size() < 300) {
    QVERIFY(run.untilStep(static_cast<long>(seen.size()) + 1));
    for (auto& point : run.worker.historySince(seen.size())) seen.push_back(std::move(point));
  }
  for (std::size_t i = 0; i < seen.size(); ++i) QCOMPARE(seen[i].step, static_cast<long>(i + 1));
  run.worker.pause();
  const SnapshotPtr paused = run.untilState(RunState::Paused);
  QVERIFY(paused);
  QCOMPARE(run.worker.historySince(0).size(), static_cast<std::size_t>(paused->step));
  QVERIFY(run.worker.historySince(1'000'000).empty());
}

void TestWorker::snapshotsOnlyGoForward() {
  Watched run;
  run.worker.load(runOf());
  run.worker.train();
  long step = 0;
  double seconds = 0;
  for (int i = 0; i < 20; ++i) {
    const SnapshotPtr snapshot = run.untilStep(step + 1);
    QVERIFY(snapshot);
    QVERIFY(snapshot->step > step && snapshot->seconds >= seconds);
    QVERIFY(snapshot->traceStep <= snapshot->step);
    QVERIFY(run.worker.historySince(0).size() >= static_cast<std::size_t>(snapshot->step));  // never behind a snapshot
    step = snapshot->step;
    seconds = snapshot->seconds;
  }
}

void TestWorker::wakesOnceUntilTaken() {
  Watched run;
  run.worker.load(runOf());
  run.worker.train();
  QVERIFY(run.untilStep(1));
  run.worker.takeSnapshot();
  const int before = run.wakes;
  for (int i = 0; i < 100 && run.worker.historySince(0).size() < 200; ++i) QTest::qWait(20);  // many steps, none taken
  QVERIFY(run.wakes - before <= 1);
  run.worker.takeSnapshot();
  QVERIFY(run.untilStep(static_cast<long>(run.worker.historySince(0).size())));
}

// The seed of the last load counts, and every command acts on what the ones before it made.
void TestWorker::commandsInOrder() {
  Watched run;
  for (int i = 0; i < 5; ++i) run.worker.load(runOf("reverse", static_cast<std::uint64_t>(i)));
  for (int i = 0; i < 3; ++i) run.worker.singleStep();
  run.worker.saveModel(path("ordered.safetensors"));
  run.worker.reset();
  QVERIFY(run.until([](const Snapshot& s) { return s.generation == 6; }));
  const ModelFile file = readModelFile(path("ordered.safetensors"));
  QCOMPARE(file.task["seed"].get<int>(), 4);
  QCOMPARE(file.task["step"].get<int>(), 3);
}

void TestWorker::pausesAndSteps() {
  Watched run;
  run.worker.load(runOf());
  run.worker.train();
  QVERIFY(run.untilStep(5));
  run.worker.pause();
  SnapshotPtr snapshot = run.untilState(RunState::Paused);
  QVERIFY(snapshot);
  const long step = snapshot->step;
  QCOMPARE(snapshot->traceStep, step);
  QTest::qWait(50);
  QCOMPARE(run.worker.takeSnapshot()->step, step);
  run.worker.singleStep();
  snapshot = run.untilStep(step + 1);
  QCOMPARE(snapshot->step, step + 1);
  QCOMPARE(snapshot->state, RunState::Paused);
  QCOMPARE(snapshot->traceStep, step + 1);
}

void TestWorker::keepsPace() {
  Watched run;
  run.worker.load(runOf());
  run.worker.setPace(20);
  run.worker.train();
  QVERIFY(run.untilStep(1));
  QTest::qWait(500);
  const std::size_t steps = run.worker.historySince(0).size();
  QVERIFY2(steps >= 2 && steps <= 14, qPrintable(QString::number(steps)));
  // A pace that is nearly nothing still hears commands.
  run.worker.setPace(1e-300);
  run.worker.pause();
  QVERIFY(run.untilState(RunState::Paused));
}

void TestWorker::failedLoadKeepsWhatWasThere() {
  std::vector<RunSpec> bad(4, runOf());
  bad[0].data.task = "no such task";
  bad[1].config["encoder"]["cell"] = "nonsense";
  bad[2].train.batch = 0;
  bad[3].data.task.clear();
  bad[3].data.text.files = {path("absent.tsv")};
  for (const auto& spec : bad) {
    Watched run;
    run.worker.load(runOf());
    run.worker.singleStep();
    run.worker.load(spec);
    const SnapshotPtr failed = run.until([](const Snapshot& s) { return s.messages == 1; });
    QVERIFY(failed);
    QCOMPARE(failed->state, RunState::Paused);
    QVERIFY(!failed->message.empty() && failed->message.find('\n') == std::string::npos);
    QCOMPARE(failed->generation, std::uint64_t{1});
    QCOMPARE(failed->step, 1L);
    QVERIFY(failed->info && failed->trace);
    QCOMPARE(run.worker.historySince(0).size(), std::size_t{1});
    run.worker.train();  // it goes on where it was
    QVERIFY(run.untilStep(5));
    run.worker.pause();
    run.worker.reset();
    QVERIFY(run.until([](const Snapshot& s) { return s.generation == 2 && s.state == RunState::Paused; }));
  }
}

void TestWorker::failedOpenKeepsWhatWasThere() {
  Watched run;
  run.worker.load(runOf());
  QVERIFY(run.untilState(RunState::Paused));
  writeFile(path("nonsense.safetensors"), "not a model");
  run.worker.openModel(path("nonsense.safetensors"));
  const SnapshotPtr failed = run.until([](const Snapshot& s) { return s.messages == 1; });
  QVERIFY(failed && failed->info);
  QCOMPARE(failed->state, RunState::Paused);
  QVERIFY(failed->message.find("nonsense.safetensors") != std::string::npos);
  run.worker.singleStep();
  const SnapshotPtr after = run.untilStep(1);
  QCOMPARE(after->state, RunState::Paused);
}

void TestWorker::resetStartsAgain() {
  Watched run;
  run.worker.load(runOf());
  for (int i = 0; i < 3; ++i) run.worker.singleStep();
  QVERIFY(run.untilStep(3));
  const auto first = run.worker.historySince(0);
  run.worker.reset();
  const SnapshotPtr snapshot = run.until([](const Snapshot& s) { return s.generation == 2; });
  QVERIFY(snapshot);
  QCOMPARE(snapshot->state, RunState::Paused);
  QCOMPARE(snapshot->step, 0L);
  QVERIFY(run.worker.historySince(0).empty());
  for (int i = 0; i < 3; ++i) run.worker.singleStep();
  QVERIFY(run.untilStep(3));
  const auto second = run.worker.historySince(0);
  for (std::size_t i = 0; i < 3; ++i) QCOMPARE(second[i].loss, first[i].loss);
}

void TestWorker::finishesAndGoesOn() {
  Watched run;
  RunSpec spec = runOf();
  spec.train.steps = 5;
  run.worker.load(spec);
  run.worker.train();
  SnapshotPtr snapshot = run.untilState(RunState::Finished);
  QVERIFY(snapshot);
  QCOMPARE(snapshot->step, 5L);
  QCOMPARE(snapshot->message, std::string("steps"));
  QVERIFY(snapshot->validation);
  run.worker.train();  // wished for: no bound any more
  snapshot = run.untilStep(20);
  QVERIFY(snapshot);
  QCOMPARE(snapshot->state, RunState::Training);
  QVERIFY(snapshot->message.empty());
}

void TestWorker::tracesAreNumbered() {
  Watched run;
  run.worker.load(runOf());
  std::uint64_t last = 0;
  for (int i = 0; i < 5; ++i) {
    const std::uint64_t number = run.worker.setTraceRequest({i, {}, false});
    QVERIFY(number > last);
    last = number;
  }
  SnapshotPtr snapshot = run.until([=](const Snapshot& s) { return s.trace && s.traceRequest == last; });
  QVERIFY(snapshot);
  QVERIFY(snapshot->trace->examples[0].source == snapshot->info->data->validation[4].sourceTokens);
  const auto free = run.worker.setTraceRequest({0, "a b c", true});
  snapshot = run.until([=](const Snapshot& s) { return s.traceRequest == free; });
  QVERIFY(snapshot && !snapshot->trace->examples[0].forced);
  QVERIFY((snapshot->trace->examples[0].source == std::vector<std::string>{"a", "b", "c", "</s>"}));
}

void TestWorker::badTextIsSaid() {
  Watched run;
  run.worker.load(runOf("difference"));
  for (const char* text : {"", "one two", "1,2", "nan", "1e999"}) {
    const auto number = run.worker.setTraceRequest({0, text, false});
    const SnapshotPtr snapshot = run.until([=](const Snapshot& s) { return s.traceRequest == number; });
    QVERIFY(snapshot);
    QVERIFY2(!snapshot->traceError.empty(), text);
    QCOMPARE(snapshot->state, RunState::Paused);
  }
  const auto number = run.worker.setTraceRequest({0, "0.5 -1 2", false});
  const SnapshotPtr snapshot = run.until([=](const Snapshot& s) { return s.traceRequest == number; });
  QVERIFY(snapshot && snapshot->traceError.empty());
  QCOMPARE(snapshot->trace->examples[0].series.values.rows, 3);
}

void TestWorker::settingsAct() {
  Watched run;
  run.worker.load(runOf());
  run.worker.setRate(0.25);
  run.worker.singleStep();
  QVERIFY(run.untilStep(1));
  QCOMPARE(run.worker.historySince(0)[0].rate, 0.25);
  // A high temperature makes weights even, at once and without training.
  run.worker.setTemperature(1e6);
  const auto number = run.worker.setTraceRequest({0, {}, false});
  const SnapshotPtr snapshot = run.until([=](const Snapshot& s) { return s.traceRequest == number; });
  QVERIFY(snapshot);
  const Site& site = snapshot->trace->examples[0].sites[0];
  for (float weight : site.weights) QVERIFY(std::abs(weight - 1.0f / static_cast<float>(site.columns)) < 1e-3);
  QCOMPARE(snapshot->step, 1L);
}

void TestWorker::valuesThatMakeNoSenseAreIgnored() {
  const double nan = std::numeric_limits<double>::quiet_NaN(), infinity = std::numeric_limits<double>::infinity();
  Watched run;
  run.worker.load(runOf());
  for (double value : {nan, 0.0, -1.0, infinity, -infinity}) {
    run.worker.setRate(value);
    run.worker.setTemperature(value);
    run.worker.setTeacherForcing(value);
    run.worker.setClip(value);
    run.worker.setPace(value);
  }
  run.worker.setPace(0);
  for (int i = 0; i < 5; ++i) run.worker.singleStep();
  const SnapshotPtr snapshot = run.untilStep(5);
  QVERIFY(snapshot);
  QCOMPARE(snapshot->state, RunState::Paused);
  for (const auto& point : run.worker.historySince(0)) {
    QVERIFY(std::isfinite(point.loss));
    QCOMPARE(point.rate, 0.002);
  }
}

void TestWorker::savesAndOpens() {
  Watched run;
  run.worker.load(runOf());
  for (int i = 0; i < 4; ++i) run.worker.singleStep();
  run.worker.saveModel(path("model.safetensors"));
  const SnapshotPtr saved = run.until([](const Snapshot& s) { return s.saves == 1; });
  QVERIFY(saved);
  QVERIFY2(saved->saveError.empty(), saved->saveError.c_str());
  Watched other;
  other.worker.openModel(path("model.safetensors"));
  const SnapshotPtr opened = other.untilState(RunState::Paused);
  QVERIFY(opened && opened->info);
  QVERIFY2(opened->message.empty(), opened->message.c_str());
  QVERIFY(opened->info->fromModelFile);
  QCOMPARE(opened->step, 4L);
  QVERIFY(opened->trace->examples[0].sites[0].weights == saved->trace->examples[0].sites[0].weights);
  other.worker.singleStep();
  QVERIFY(other.untilStep(5));
  other.worker.reset();  // back to the file, not to fresh weights
  const SnapshotPtr again = other.until([](const Snapshot& s) { return s.generation == 2; });
  QVERIFY(again && again->info->fromModelFile);
  QCOMPARE(again->step, 4L);
  QVERIFY(again->trace->examples[0].sites[0].weights == saved->trace->examples[0].sites[0].weights);
}

// The running mean starts at the first loss of the run, not at nothing.
void TestWorker::openedModelShowsItsOwnLoss() {
  Watched run;
  run.worker.load(runOf());
  for (int i = 0; i < 4; ++i) run.worker.singleStep();
  run.worker.saveModel(path("loss.safetensors"));
  run.worker.openModel(path("loss.safetensors"));
  run.worker.singleStep();
  const SnapshotPtr snapshot = run.untilStep(5);
  QVERIFY(snapshot);
  QCOMPARE(snapshot->loss, run.worker.historySince(0).at(0).loss);
}

void TestWorker::saveErrorsAreSaid() {
  Watched run;
  run.worker.load(runOf());
  run.worker.saveModel(path("no/such/folder.safetensors"));
  SnapshotPtr snapshot = run.until([](const Snapshot& s) { return s.saves == 1; });
  QVERIFY(snapshot);
  QVERIFY(snapshot->saveError.find("no/such/folder.safetensors") != std::string::npos);
  QCOMPARE(snapshot->state, RunState::Paused);
  run.worker.saveModel(path("fine.safetensors"));
  snapshot = run.until([](const Snapshot& s) { return s.saves == 2; });
  QVERIFY(snapshot && snapshot->saveError.empty());
}

void TestWorker::opensModelsWhoseDataAreGone() {
  Trainer trainer(copyPairs(8), pairsConfig(), quickOptions());
  ModelFile file = trainer.modelFile();
  file.task = {{"paths", {path("gone.tsv").string()}}, {"step", 7}};
  writeModelFile(file, path("gone.safetensors"));
  Watched run;
  run.worker.openModel(path("gone.safetensors"));
  SnapshotPtr snapshot = run.untilState(RunState::Paused);
  QVERIFY(snapshot);
  QVERIFY(snapshot->message.find("gone.tsv") != std::string::npos);
  run.worker.train();
  run.worker.singleStep();
  const auto number = run.worker.setTraceRequest({0, "a b", true});
  snapshot = run.until([=](const Snapshot& s) { return s.traceRequest == number; });
  QVERIFY(snapshot && snapshot->trace);
  QCOMPARE(snapshot->trace->examples.size(), std::size_t{1});
  QCOMPARE(snapshot->state, RunState::Paused);
}

void TestWorker::divergenceIsSaid() {
  Watched run;
  RunSpec spec = runOf();
  spec.train.optimizer = OptimizerKind::Sgd;
  spec.train.clip = 0;
  run.worker.load(spec);
  run.worker.setRate(1e300);
  run.worker.train();
  const SnapshotPtr snapshot = run.untilState(RunState::Failed);
  QVERIFY(snapshot);
  QVERIFY2(snapshot->message.starts_with("step 1: ") && snapshot->message.find("not finite") != std::string::npos,
           snapshot->message.c_str());
  QVERIFY(snapshot->trace);
  for (float weight : snapshot->trace->examples[0].sites[0].weights) QVERIFY(std::isfinite(weight));
  run.worker.setRate(0.01);
  run.worker.train();
  QVERIFY(run.untilStep(10));  // goes on from the weights that were kept
}

void TestWorker::endsWhileTraining() {
  for (int i = 0; i < 20; ++i) {
    Watched run;
    run.worker.load(runOf());
    run.worker.train();
    if (i % 4 == 1) run.untilStep(1);
    if (i % 4 == 2) run.worker.setPace(0.01);
    if (i % 4 == 3) run.worker.saveModel(path("ending.safetensors"));
  }
}

void TestWorker::manyCallersAtOnce() {
  Watched run;
  run.worker.load(runOf());
  run.worker.train();
  std::vector<std::jthread> callers;
  for (int k = 0; k < 3; ++k)
    callers.emplace_back([&run, k] {
      for (int i = 0; i < 100; ++i) {
        run.worker.setRate(0.001 * (k + 1));
        run.worker.setTraceRequest({i, {}, k == 1});
        run.worker.setTemperature(1 + k);
        run.worker.takeSnapshot();
        run.worker.historySince(static_cast<std::size_t>(i));
      }
    });
  callers.clear();
  const auto number = run.worker.setTraceRequest({});
  QCOMPARE(number, std::uint64_t{301});
  QVERIFY(run.until([=](const Snapshot& s) { return s.traceRequest == number; }));
}

QTEST_GUILESS_MAIN(TestWorker)
#include "test_worker.moc"
