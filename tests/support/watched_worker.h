// A worker whose snapshots a test waits for.
#pragma once

#include <atomic>
#include <chrono>
#include <condition_variable>
#include <functional>
#include <memory>
#include <mutex>

#include "core/train/worker.h"

namespace attnscope {

using SnapshotPtr = std::shared_ptr<const Snapshot>;

// A worker and the one thread that watches it.
class Watched {
 public:
  Watched() : worker([this] { wake(); }) {}

  // Takes snapshots as they are announced until one fits; null after 60 seconds.
  SnapshotPtr until(const std::function<bool(const Snapshot&)>& fits) {
    const auto end = std::chrono::steady_clock::now() + std::chrono::seconds(60);
    while (true) {
      const SnapshotPtr snapshot = worker.takeSnapshot();
      if (fits(*snapshot)) return snapshot;
      std::unique_lock lock(m_mutex);
      if (!m_changed.wait_until(lock, end, [this] { return m_woken; })) return nullptr;
      m_woken = false;
    }
  }
  SnapshotPtr untilState(RunState state) {
    return until([=](const Snapshot& s) { return s.state == state; });
  }
  SnapshotPtr untilStep(long step) {
    return until([=](const Snapshot& s) { return s.step >= step; });
  }

  std::atomic<int> wakes{0};

 private:
  void wake() {
    ++wakes;
    const std::lock_guard lock(m_mutex);
    m_woken = true;
    m_changed.notify_all();
  }
  std::mutex m_mutex;
  std::condition_variable m_changed;
  bool m_woken = false;

 public:
  Worker worker;  // last: its thread calls wake()
};

}  // namespace attnscope
