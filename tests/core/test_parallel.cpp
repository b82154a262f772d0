// Pieces of work on several threads.
#include <QTest>
#include <atomic>
#include <set>
#include <stdexcept>

#include "core/base/parallel.h"

using namespace attnscope;

class TestParallel : public QObject {
  Q_OBJECT
 private slots:
  void everyPieceOnce_data() {
    QTest::addColumn<int>("threads");
    for (int threads : {1, 2, 3, 8}) QTest::addRow("%d", threads) << threads;
  }
  void everyPieceOnce() {
    QFETCH(int, threads);
    ThreadPool pool(threads);
    QCOMPARE(pool.threads(), threads);
    for (int count : {0, 1, 2, 7, 1000}) {
      std::vector<std::atomic<int>> times(static_cast<std::size_t>(count));
      pool.run(count, [&](int i) { ++times[static_cast<std::size_t>(i)]; });
      for (const auto& n : times) QCOMPARE(n.load(), 1);
    }
  }
  void oneThreadIsTheCaller() {
    ThreadPool pool(1);
    std::set<std::thread::id> ids;
    pool.run(20, [&](int) { ids.insert(std::this_thread::get_id()); });
    QVERIFY(ids == std::set<std::thread::id>{std::this_thread::get_id()});
  }
  void severalThreadsWork() {
    ThreadPool pool(2);
    // Each piece waits for the other, so both must run at once.
    std::atomic<int> here{0};
    pool.run(2, [&](int) {
      ++here;
      for (int i = 0; i < 20'000 && here < 2; ++i) std::this_thread::sleep_for(std::chrono::milliseconds(1));
    });
    QCOMPARE(here.load(), 2);
  }
  void countIsKeptInBounds() {
    QVERIFY(ThreadPool(0).threads() >= 1);
    QVERIFY(ThreadPool(-5).threads() >= 1);
    QCOMPARE(ThreadPool(1'000'000).threads(), ThreadPool::kMostThreads);
  }
  void exceptionsComeBack() {
    ThreadPool pool(3);
    for (int failing : {0, 5, 19}) {
      std::atomic<int> done{0};
      QVERIFY_THROWS_EXCEPTION(std::runtime_error, pool.run(20, [&](int i) {
        if (i == failing) throw std::runtime_error("piece");
        ++done;
      }));
      QCOMPARE(done.load(), 19);  // the others are done before it comes back
    }
    std::atomic<int> after{0};
    pool.run(4, [&](int) { ++after; });
    QCOMPARE(after.load(), 4);
  }
  // Many short rounds: a helper that comes late must neither miss work nor touch a round that is over.
  void manyShortRounds() {
    ThreadPool pool(3);
    long total = 0;
    for (int round = 0; round < 5000; ++round) {
      std::atomic<long> sum{0};
      pool.run(4, [&](int i) { sum += i + 1; });
      total += sum;
    }
    QCOMPARE(total, 50'000L);
  }
  void idlePoolsEnd() {
    for (int i = 0; i < 200; ++i) ThreadPool pool(3);
  }
};

QTEST_GUILESS_MAIN(TestParallel)
#include "test_parallel.moc"
