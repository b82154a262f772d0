#include "core/base/parallel.h"

#include <algorithm>

namespace attnscope {

ThreadPool::ThreadPool(int threads) {
  if (threads <= 0) threads = std::max(1, static_cast<int>(std::thread::hardware_concurrency()));
  threads = std::min(threads, kMostThreads);
  for (int i = 1; i < threads; ++i) m_threads.emplace_back([this] { serve(); });
}

ThreadPool::~ThreadPool() {
  {
    const std::lock_guard lock(m_mutex);
    m_stopping = true;
  }
  m_wake.notify_all();
  for (auto& thread : m_threads) thread.join();
}

void ThreadPool::takePieces(std::unique_lock<std::mutex>& lock) {
  while (m_next < m_count) {
    const int piece = m_next++;
    ++m_running;
    lock.unlock();
    std::exception_ptr error;
    try {
      (*m_work)(piece);
    } catch (...) {
      error = std::current_exception();
    }
    lock.lock();
    --m_running;
    if (error && !m_error) m_error = error;
  }
  if (m_running == 0) m_done.notify_all();
}

void ThreadPool::serve() {
  std::unique_lock lock(m_mutex);
  while (true) {
    m_wake.wait(lock, [this] { return m_stopping || m_next < m_count; });
    if (m_stopping) return;
    takePieces(lock);
  }
}

void ThreadPool::run(int count, const std::function<void(int)>& work) {
  std::unique_lock lock(m_mutex);
  m_work = &work;
  m_next = 0;
  m_count = count;
  m_error = nullptr;
  if (count > 1) m_wake.notify_all();
  takePieces(lock);
  m_done.wait(lock, [this] { return m_next >= m_count && m_running == 0; });
  m_work = nullptr;
  if (m_error) std::rethrow_exception(m_error);
}

}  // namespace attnscope
