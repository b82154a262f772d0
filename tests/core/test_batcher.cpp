// Which examples each step sees, and how they stand side by side.
#include <QTest>
#include <algorithm>
#include <map>

#include "core/data/batch.h"
#include "core/data/batcher.h"
#include "core/data/task.h"

using namespace attnscope;

namespace {

// `count` examples; example i has i % 9 + 1 words and carries i as its label.
TrainingData filesOf(int count) {
  TrainingData data;
  data.family = "seq2seq";
  for (int i = 0; i < count; ++i) {
    Example example;
    example.source.assign(static_cast<std::size_t>(i % 9 + 1), 4);
    example.target = {4, 2};
    example.labels = {i};
    data.train.push_back(example);
  }
  return data;
}

std::vector<int> labelsOf(std::span<const Example* const> batch) {
  std::vector<int> labels;
  for (const Example* example : batch) labels.push_back(example->labels[0]);
  return labels;
}

}  // namespace

class TestBatcher : public QObject {
  Q_OBJECT
 private slots:
  void everyExampleOnceAnEpoch_data();
  void everyExampleOnceAnEpoch();
  void changingSizesKeepTheEpoch();
  void sameSeedSameOrder();
  void lengthsStandTogether();
  void epochsAreOfDifferentOrder();
  void tasksDraw();
  void padding();
  void paddingOfOutputs();
};

void TestBatcher::everyExampleOnceAnEpoch_data() {
  QTest::addColumn<int>("count");
  QTest::addColumn<int>("size");
  for (int count : {1, 2, 31, 32, 33, 500, 513})
    for (int size : {1, 8, 32, 1000}) QTest::addRow("%d by %d", count, size) << count << size;
}

void TestBatcher::everyExampleOnceAnEpoch() {
  QFETCH(int, count);
  QFETCH(int, size);
  const TrainingData data = filesOf(count);
  Batcher batcher(data, 1);
  for (int epoch = 1; epoch <= 3; ++epoch) {
    std::vector<int> times(static_cast<std::size_t>(count), 0);
    for (int seen = 0; seen < count;) {
      const auto batch = batcher.next(size);
      QVERIFY(!batch.empty() && static_cast<int>(batch.size()) <= size);
      for (int label : labelsOf(batch)) ++times[static_cast<std::size_t>(label)];
      seen += static_cast<int>(batch.size());
      QVERIFY(seen <= count);
    }
    QVERIFY(std::all_of(times.begin(), times.end(), [](int n) { return n == 1; }));
    QCOMPARE(batcher.epoch(), static_cast<double>(epoch));
  }
}

void TestBatcher::changingSizesKeepTheEpoch() {
  const TrainingData data = filesOf(200);
  Batcher batcher(data, 1);
  std::map<int, int> times;
  const int sizes[] = {3, 64, 1, 17, 500};
  for (int i = 0; batcher.epoch() < 1; ++i)
    for (int label : labelsOf(batcher.next(sizes[i % 5]))) ++times[label];
  QCOMPARE(times.size(), std::size_t{200});
  for (const auto& [label, n] : times) QCOMPARE(n, 1);
}

void TestBatcher::sameSeedSameOrder() {
  const TrainingData data = filesOf(100);
  Batcher one(data, 7), two(data, 7), other(data, 8);
  bool differs = false;
  for (int i = 0; i < 20; ++i) {
    const auto labels = labelsOf(one.next(16));
    QVERIFY(labels == labelsOf(two.next(16)));
    differs = differs || labels != labelsOf(other.next(16));
  }
  QVERIFY(differs);
}

// Within a batch lengths rise; over a pool a batch holds few different ones.
void TestBatcher::lengthsStandTogether() {
  const TrainingData data = filesOf(512);
  Batcher batcher(data, 1);
  double spread = 0;
  for (int i = 0; i < 16; ++i) {
    const auto batch = batcher.next(32);
    QVERIFY(std::is_sorted(batch.begin(), batch.end(),
                           [](const Example* a, const Example* b) { return a->source.size() < b->source.size(); }));
    spread += static_cast<double>(batch.back()->source.size() - batch.front()->source.size()) / 16;
  }
  QVERIFY2(spread < 2, qPrintable(QString::number(spread)));
}

// Not only do batches come in another order: other examples stand together.
void TestBatcher::epochsAreOfDifferentOrder() {
  const TrainingData data = filesOf(64);
  Batcher batcher(data, 1);
  std::vector<std::vector<std::vector<int>>> epochs(2);
  for (auto& batches : epochs) {
    for (int i = 0; i < 8; ++i) {
      batches.push_back(labelsOf(batcher.next(8)));
      std::sort(batches.back().begin(), batches.back().end());
    }
    std::sort(batches.begin(), batches.end());
  }
  QVERIFY(epochs[0] != epochs[1]);
}

void TestBatcher::tasksDraw() {
  const Task& task = findTask("reverse");
  const TrainingData data = taskData(task, task.defaults, 1, 4);
  Batcher one(data, 1), two(data, 1), other(data, 2);
  const auto sources = [](std::span<const Example* const> batch) {
    std::vector<std::vector<int>> all;
    for (const Example* example : batch) all.push_back(example->source);
    return all;
  };
  const auto first = sources(one.next(50));
  QCOMPARE(first.size(), std::size_t{50});
  QVERIFY(first == sources(two.next(50)));
  QVERIFY(first != sources(other.next(50)));
  QVERIFY(first != sources(one.next(50)));  // fresh ones
  for (int i = 0; i < 198; ++i) one.next(50);
  QCOMPARE(one.epoch(), 1.0);  // 10,000 drawn
}

void TestBatcher::padding() {
  Example a, b;
  a.source = {4, 5, 2};
  a.target = {6, 2};
  b.source = {7};
  b.target = {4, 4, 4, 2};
  const Example* both[] = {&a, &b};
  const Batch batch = makeBatch(both, 0, 0);
  QCOMPARE(batch.size, 2);
  QVERIFY((batch.source == std::vector<int>{4, 5, 2, 7, 0, 0}));
  QVERIFY((batch.target == std::vector<int>{6, 2, 0, 0, 4, 4, 4, 2}));
  QVERIFY((batch.sourceLengths == std::vector<int>{3, 1}));
  QVERIFY((batch.targetLengths == std::vector<int>{2, 4}));
  QCOMPARE(batch.targetCount(), 6L);
  QCOMPARE(batch.stepCount(), 4L);
  QVERIFY(batch.vectors.empty() && batch.labels.empty() && batch.values.empty());
}

void TestBatcher::paddingOfOutputs() {
  Example a, b;
  a.vectors = {1, 2, 3, 4};
  a.labels = {1, 2};
  a.values = {.5f, .25f};
  b.vectors = {5, 6};
  b.labels = {0};
  b.values = {.75f};
  const Example* both[] = {&a, &b};
  const Batch batch = makeBatch(both, 2, 1);
  QCOMPARE(batch.sourceLength, 2);
  QVERIFY((batch.vectors == std::vector<float>{1, 2, 3, 4, 5, 6, 0, 0}));
  QVERIFY((batch.labels == std::vector<int>{1, 2, 0, -1}));
  QVERIFY((batch.values == std::vector<float>{.5f, .25f, .75f, 0}));
}

QTEST_GUILESS_MAIN(TestBatcher)
#include "test_batcher.moc"
