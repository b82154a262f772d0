// Which examples each training step sees. The order is a function of the seed alone.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "core/data/training_data.h"

namespace attnscope {

class Batcher {
 public:
  // A task draws fresh examples for every step; files are gone through epoch by epoch, shuffled, with examples of
  // about the same length side by side. `data` must outlive this.
  Batcher(const TrainingData& data, std::uint64_t seed);

  // The next `size` examples (files: fewer at the end of an epoch), by rising length. Valid until the next call.
  std::span<const Example* const> next(int size);
  // Passes over the data so far. A task counts 10,000 drawn examples as one.
  double epoch() const;

 private:
  void shuffleEpoch();
  void arrangePool(int size);

  const TrainingData& m_data;
  Random m_random;
  std::vector<Example> m_drawn;
  std::vector<const Example*> m_batch;
  std::vector<std::size_t> m_order;  // files: this epoch's
  std::size_t m_arranged = 0;        // … of which so many are put into batches of like length
  std::size_t m_position = 0;
  long m_seen = 0;
};

}  // namespace attnscope
