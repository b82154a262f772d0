// A few threads that run numbered pieces of work. Which thread runs which piece is left open; whoever needs the same
// bits every time gives each piece its own place for results and adds them up in order afterwards.
#pragma once

#include <condition_variable>
#include <exception>
#include <functional>
#include <mutex>
#include <thread>
#include <vector>

namespace attnscope {

class ThreadPool {
 public:
  static constexpr int kMostThreads = 256;
  explicit ThreadPool(int threads);  // the caller is one of them; 0: as many as the machine has; at most kMostThreads
  ~ThreadPool();
  ThreadPool(const ThreadPool&) = delete;
  ThreadPool& operator=(const ThreadPool&) = delete;

  int threads() const { return static_cast<int>(m_threads.size()) + 1; }
  // work(0) … work(count−1); returns when all are done. The first exception is thrown again here.
  void run(int count, const std::function<void(int)>& work);

 private:
  void serve();
  void takePieces(std::unique_lock<std::mutex>& lock);

  std::mutex m_mutex;
  std::condition_variable m_wake, m_done;
  const std::function<void(int)>* m_work = nullptr;
  int m_next = 0, m_count = 0, m_running = 0;
  bool m_stopping = false;
  std::exception_ptr m_error;
  std::vector<std::thread> m_threads;
};

}  // namespace attnscope
