#include "core/tensor/arena.h"

#include <algorithm>
#include <new>

namespace attnscope {
namespace {
constexpr std::size_t kAlignment = 64;
constexpr std::size_t kFirstChunk = 1 << 18;
}  // namespace

void Arena::Free::operator()(std::byte* p) const { ::operator delete[](p, std::align_val_t(kAlignment)); }

void Arena::addChunk(std::size_t atLeast) {
  const std::size_t size = std::max({atLeast, kFirstChunk, m_capacity});  // doubles: few chunks before a merge
  auto* raw = static_cast<std::byte*>(::operator new[](size, std::align_val_t(kAlignment)));
  m_chunks.push_back({std::unique_ptr<std::byte[], Free>(raw), size});
  m_capacity += size;
  m_used = 0;
}

void* Arena::allocate(std::size_t bytes) {
  bytes = (bytes + kAlignment - 1) / kAlignment * kAlignment;
  if (m_chunks.empty() || m_used + bytes > m_chunks.back().size) addChunk(bytes);
  void* result = m_chunks.back().memory.get() + m_used;
  m_used += bytes;
  return result;
}

void Arena::reset() {
  if (m_chunks.size() > 1) {
    const std::size_t total = m_capacity;
    m_chunks.clear();
    m_capacity = 0;
    addChunk(total);
  }
  m_used = 0;
}

}  // namespace attnscope
