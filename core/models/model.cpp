#include "core/models/model.h"

#include <algorithm>

#include "core/models/recurrent.h"
#include "core/models/seq2seq.h"

namespace attnscope {

ParameterLayout parameterLayout(const ModelConfig& config) {
  ParameterLayout layout;
  if (config.family == "seq2seq")
    addSeq2SeqParameters(layout, config.seq2seq);
  else
    addRecurrentParameters(layout, config.recurrent);
  return layout;
}

template <class S>
std::unique_ptr<Model<S>> makeModel(const ModelConfig& config) {
  return config.family == "seq2seq" ? makeSeq2Seq<S>(config.seq2seq) : makeRecurrent<S>(config.recurrent);
}

template <class S>
void argMaxRows(View<S> logits, int first, int* chosen) {
  first = std::min(first, logits.columns - 1);
  for (int r = 0; r < logits.rows; ++r) {
    const S* row = logits.row(r);
    chosen[r] = static_cast<int>(std::max_element(row + first, row + logits.columns) - row);
  }
}

template std::unique_ptr<Model<float>> makeModel(const ModelConfig&);
template std::unique_ptr<Model<double>> makeModel(const ModelConfig&);
template void argMaxRows(View<float>, int, int*);
template void argMaxRows(View<double>, int, int*);

}  // namespace attnscope
