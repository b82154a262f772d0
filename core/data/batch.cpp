#include "core/data/batch.h"

#include <algorithm>
#include <numeric>

#include "core/base/error.h"

namespace attnscope {
namespace {

// Rows of unequal length side by side; `width` numbers per position.
template <class T>
void pad(std::span<const Example* const> examples, std::vector<T> Example::*member, int length, int width, T filler,
         std::vector<T>& out) {
  out.assign(examples.size() * static_cast<std::size_t>(length) * width, filler);
  for (std::size_t b = 0; b < examples.size(); ++b) {
    const auto& row = examples[b]->*member;
    std::copy(row.begin(), row.end(), out.begin() + static_cast<std::ptrdiff_t>(b * length * width));
  }
}

}  // namespace

long Batch::targetCount() const { return std::accumulate(targetLengths.begin(), targetLengths.end(), 0L); }
long Batch::stepCount() const { return std::accumulate(sourceLengths.begin(), sourceLengths.end(), 0L); }

Batch makeBatch(std::span<const Example* const> examples, int vectorSize, int valueSize) {
  Batch batch;
  batch.size = static_cast<int>(examples.size());
  batch.vectorSize = vectorSize;
  std::size_t values = 0, labels = 0;
  for (const Example* example : examples) {
    const std::size_t n = vectorSize > 0 ? example->vectors.size() / vectorSize : example->source.size();
    ATTNSCOPE_CHECK(n > 0, "an example without a source");
    batch.sourceLengths.push_back(static_cast<int>(n));
    batch.targetLengths.push_back(static_cast<int>(example->target.size()));
    values = std::max(values, example->values.size());
    labels = std::max(labels, example->labels.size());
  }
  batch.sourceLength = *std::max_element(batch.sourceLengths.begin(), batch.sourceLengths.end());
  batch.targetLength = *std::max_element(batch.targetLengths.begin(), batch.targetLengths.end());
  if (vectorSize > 0)
    pad(examples, &Example::vectors, batch.sourceLength, vectorSize, 0.0f, batch.vectors);
  else
    pad(examples, &Example::source, batch.sourceLength, 1, 0, batch.source);
  if (batch.targetLength > 0) pad(examples, &Example::target, batch.targetLength, 1, 0, batch.target);
  if (labels > 0) pad(examples, &Example::labels, labels > 1 ? batch.sourceLength : 1, 1, -1, batch.labels);
  if (values > 0) {
    const int length = values > static_cast<std::size_t>(valueSize) ? batch.sourceLength : 1;
    pad(examples, &Example::values, length, valueSize, 0.0f, batch.values);
  }
  return batch;
}

}  // namespace attnscope
