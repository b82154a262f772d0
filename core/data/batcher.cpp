#include "core/data/batcher.h"

#include <algorithm>
#include <numeric>

#include "core/base/error.h"

namespace attnscope {
namespace {

constexpr double kTaskEpoch = 10000;
constexpr std::size_t kPoolBatches = 16;  // so many batches are sorted by length together

std::size_t cost(const Example& example) {
  return example.source.size() + example.target.size() + example.vectors.size();
}

}  // namespace

Batcher::Batcher(const TrainingData& data, std::uint64_t seed) : m_data(data), m_random(seed, "train") {
  ATTNSCOPE_CHECK(data.draw || !data.train.empty(), "nothing to train on");
  if (!data.draw) shuffleEpoch();
}

void Batcher::shuffleEpoch() {
  m_order.resize(m_data.train.size());
  std::iota(m_order.begin(), m_order.end(), std::size_t{0});
  m_random.shuffle(m_order);
  m_arranged = m_position = 0;
}

// Sorts the next pool by length and shuffles its batches, so that a batch has little padding but no step sees only
// short ones for long.
void Batcher::arrangePool(int size) {
  const std::size_t batch = static_cast<std::size_t>(size);
  const std::size_t begin = m_arranged, end = std::min(m_order.size(), begin + kPoolBatches * batch);
  const auto first = m_order.begin() + static_cast<std::ptrdiff_t>(begin);
  std::stable_sort(first, first + static_cast<std::ptrdiff_t>(end - begin), [&](std::size_t a, std::size_t b) {
    return cost(m_data.train[a]) < cost(m_data.train[b]);
  });
  const std::size_t whole = (end - begin) / batch;
  for (std::size_t i = whole; i > 1; --i) {
    const auto j = static_cast<std::size_t>(m_random.below(static_cast<int>(i)));
    if (j == i - 1) continue;
    const auto last = first + static_cast<std::ptrdiff_t>((i - 1) * batch);
    std::swap_ranges(last, last + size, first + static_cast<std::ptrdiff_t>(j * batch));
  }
  m_arranged = end;
}

std::span<const Example* const> Batcher::next(int size) {
  m_batch.clear();
  if (m_data.draw) {
    m_drawn.resize(static_cast<std::size_t>(size));
    for (auto& example : m_drawn) {
      example = m_data.draw(m_random);
      m_batch.push_back(&example);
    }
  } else {
    if (m_position == m_order.size()) shuffleEpoch();
    if (m_position >= m_arranged) arrangePool(size);
    const std::size_t end = std::min(m_arranged, m_position + static_cast<std::size_t>(size));
    for (; m_position < end; ++m_position) m_batch.push_back(&m_data.train[m_order[m_position]]);
  }
  m_seen += static_cast<long>(m_batch.size());
  std::stable_sort(m_batch.begin(), m_batch.end(),
                   [](const Example* a, const Example* b) { return cost(*a) < cost(*b); });
  return m_batch;
}

double Batcher::epoch() const {
  return static_cast<double>(m_seen) / (m_data.draw ? kTaskEpoch : static_cast<double>(m_data.train.size()));
}

}  // namespace attnscope
