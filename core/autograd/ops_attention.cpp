#include "core/autograd/ops_attention.h"

#include "core/tensor/eigen.h"

namespace attnscope {
namespace {

// The rows of one example in a step-major or position-major matrix, as a matrix of its own.
template <class S>
EigenMap<S> exampleRows(const View<S>& view, int batch, int b, int begin, int end) {
  return EigenMap<S>(view.row(begin * batch + b), end - begin, view.columns, Eigen::OuterStride<>(batch * view.stride));
}

}  // namespace

template <class S>
void dotScores(Tape<S>& tape, Var<S> keys, Var<S> query, const Range* ranges, S scale, Var<S> scores,
               bool accumulateKeys) {
  const int batch = query.rowCount(), size = query.columnCount();
  for (int b = 0; b < batch; ++b) {
    const Range range = ranges[b];
    if (range.empty()) continue;
    auto row = asColumn(scores.value.row(b) + range.begin, range.end - range.begin);
    row.noalias() = exampleRows(keys.value, batch, b, range.begin, range.end) * asColumn(query.value.row(b), size);
    row *= scale;
  }
  tape.onBackward([=] {
    for (int b = 0; b < batch; ++b) {
      const Range range = ranges[b];
      if (range.empty()) continue;
      const auto dRow = asColumn(scores.grad.row(b) + range.begin, range.end - range.begin);
      auto dQuery = asColumn(query.grad.row(b), size);
      dQuery.noalias() += scale * exampleRows(keys.value, batch, b, range.begin, range.end).transpose() * dRow;
      if (accumulateKeys)
        exampleRows(keys.grad, batch, b, range.begin, range.end).noalias() +=
            scale * dRow * asColumn(query.value.row(b), size).transpose();
    }
  });
}

template <class S>
void additiveScores(Tape<S>& tape, Var<S> keys, Var<S> query, Var<S> q, const Range* ranges, S scale, Var<S> scores) {
  const int batch = query.rowCount(), units = query.columnCount();
  const int positions = scores.columnCount();
  // tanh values are kept for backward: computing them again costs as much as the whole forward step.
  const std::size_t perExample = static_cast<std::size_t>(positions) * units;
  S* kept = tape.template array<S>(tape.recording() ? perExample * batch : units);
  const bool recording = tape.recording();
  const auto vector = asRow(q.value.data, units);
  for (int b = 0; b < batch; ++b) {
    const auto u = asRow(query.value.row(b), units);
    for (int i = ranges[b].begin; i < ranges[b].end; ++i) {
      auto row = asRow(recording ? kept + b * perExample + static_cast<std::size_t>(i) * units : kept, units);
      row = (asRow(keys.value.row(i * batch + b), units) + u).tanh();
      scores.value.row(b)[i] = scale * (row * vector).sum();
    }
  }
  tape.onBackward([=] {
    const auto direction = asRow(q.value.data, units);
    auto dVector = asRow(q.grad.data, units);
    for (int b = 0; b < batch; ++b) {
      auto dQuery = asRow(query.grad.row(b), units);
      for (int i = ranges[b].begin; i < ranges[b].end; ++i) {
        const S d = scale * scores.grad.row(b)[i];
        auto row = asRow(kept + b * perExample + static_cast<std::size_t>(i) * units, units);
        dVector += d * row;
        row = d * direction * (S(1) - row.square());  // this step's tanh is not needed again
        dQuery += row;
        asRow(keys.grad.row(i * batch + b), units) += row;
      }
    }
  });
}

template <class S>
void normalise(Tape<S>& tape, Var<S> scores, const Range* ranges, NormalizerOps<S> ops, Var<S> weights) {
  const int batch = scores.rowCount();
  for (int b = 0; b < batch; ++b)
    if (const Range r = ranges[b]; !r.empty())
      ops.forward(scores.value.row(b) + r.begin, r.end - r.begin, weights.value.row(b) + r.begin);
  tape.onBackward([=] {
    for (int b = 0; b < batch; ++b)
      if (const Range r = ranges[b]; !r.empty())
        ops.backward(weights.value.row(b) + r.begin, weights.grad.row(b) + r.begin, r.end - r.begin,
                     scores.grad.row(b) + r.begin);
  });
}

template <class S>
void readMemory(Tape<S>& tape, Var<S> memory, Var<S> weights, const Range* ranges, Var<S> context,
                bool accumulateMemory) {
  const int batch = context.rowCount(), size = context.columnCount();
  for (int b = 0; b < batch; ++b) {
    const Range range = ranges[b];
    if (range.empty()) continue;
    asColumn(context.value.row(b), size).noalias() =
        exampleRows(memory.value, batch, b, range.begin, range.end).transpose() *
        asColumn(weights.value.row(b) + range.begin, range.end - range.begin);
  }
  tape.onBackward([=] {
    for (int b = 0; b < batch; ++b) {
      const Range range = ranges[b];
      if (range.empty()) continue;
      const auto dContext = asColumn(context.grad.row(b), size);
      asColumn(weights.grad.row(b) + range.begin, range.end - range.begin).noalias() +=
          exampleRows(memory.value, batch, b, range.begin, range.end) * dContext;
      if (accumulateMemory)
        exampleRows(memory.grad, batch, b, range.begin, range.end).noalias() +=
            asColumn(weights.value.row(b) + range.begin, range.end - range.begin) * dContext.transpose();
    }
  });
}

template <class S>
void addStepsToMemory(Tape<S>& tape, View<S> coefficients, View<S> rows, S scale, int batch, Var<S> memory) {
  if (!memory.grad) return;
  tape.onBackward([=] {
    const int steps = coefficients.rows / batch, positions = memory.rowCount() / batch;
    for (int b = 0; b < batch; ++b)
      exampleRows(memory.grad, batch, b, 0, positions).noalias() +=
          scale * exampleRows(coefficients, batch, b, 0, steps).transpose() * exampleRows(rows, batch, b, 0, steps);
  });
}

#define ATTNSCOPE_INSTANTIATE(S)                                                                            \
  template void dotScores(Tape<S>&, Var<S>, Var<S>, const Range*, S, Var<S>, bool);                         \
  template void additiveScores(Tape<S>&, Var<S>, Var<S>, Var<S>, const Range*, S, Var<S>);                  \
  template void normalise(Tape<S>&, Var<S>, const Range*, NormalizerOps<S>, Var<S>);                        \
  template void readMemory(Tape<S>&, Var<S>, Var<S>, const Range*, Var<S>, bool);                           \
  template void addStepsToMemory(Tape<S>&, View<S>, View<S>, S, int, Var<S>);
ATTNSCOPE_INSTANTIATE(float)
ATTNSCOPE_INSTANTIATE(double)

}  // namespace attnscope
