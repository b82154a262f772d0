// Bump allocation for one training step: grow when needed, merge on the next reset, so that a steady step
// allocates nothing. Memory is 64-byte aligned. Not thread-safe; one owner.
#pragma once

#include <cstddef>
#include <memory>
#include <vector>

namespace attnscope {

class Arena {
 public:
  void* allocate(std::size_t bytes);  // uninitialised; valid until reset()
  void reset();                       // forgets everything; several chunks become one as large as all of them
  std::size_t capacity() const { return m_capacity; }

 private:
  struct Free {
    void operator()(std::byte* p) const;
  };
  struct Chunk {
    std::unique_ptr<std::byte[], Free> memory;
    std::size_t size = 0;
  };
  void addChunk(std::size_t atLeast);

  std::vector<Chunk> m_chunks;
  std::size_t m_used = 0;  // of the last chunk
  std::size_t m_capacity = 0;
};

}  // namespace attnscope
