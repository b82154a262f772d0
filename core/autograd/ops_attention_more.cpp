// The operations of the scores and scopes beyond products and additive scores (models.md 3).
#include <cmath>

#include "core/autograd/ops_attention.h"
#include "core/tensor/eigen.h"

namespace attnscope {
namespace {

constexpr double kSmallestNorm = 1e-8;

// f(b, i, row) for every cell inside the ranges; row is that of a position-major matrix.
template <class F>
void forCells(const Range* ranges, int batch, F f) {
  for (int b = 0; b < batch; ++b)
    for (int i = ranges[b].begin; i < ranges[b].end; ++i) f(b, i, i * batch + b);
}

template <class S>
S logistic(S x) {
  return S(1) / (S(1) + std::exp(-x));
}

}  // namespace

template <class S>
void cosineScores(Tape<S>& tape, Var<S> memory, Var<S> query, Var<S> beta, const Range* ranges, S scale,
                  Var<S> scores) {
  const int batch = query.rowCount(), size = query.columnCount();
  const auto bound = static_cast<S>(kSmallestNorm);
  const auto norm = [size](const View<S>& view, int row) { return asColumn(view.row(row), size).norm(); };
  forCells(ranges, batch, [&](int b, int i, int row) {
    const S product = asColumn(memory.value.row(row), size).dot(asColumn(query.value.row(b), size));
    const S norms = norm(memory.value, row) * norm(query.value, b);
    scores.value.row(b)[i] = scale * beta.value.row(b)[0] * product / std::max(norms, bound);
  });
  tape.onBackward([=] {
    forCells(ranges, batch, [&](int b, int i, int row) {
      const auto v = asRow(memory.value.row(row), size), u = asRow(query.value.row(b), size);
      const S vNorm = norm(memory.value, row), uNorm = norm(query.value, b), norms = vNorm * uNorm;
      const S cosine = (v * u).sum() / std::max(norms, bound);
      const S d = scale * scores.grad.row(b)[i];
      beta.grad.row(b)[0] += d * cosine;
      const S factor = d * beta.value.row(b)[0] / std::max(norms, bound);
      const bool bounded = norms < bound;
      if (memory.grad) {
        auto dv = asRow(memory.grad.row(row), size);
        dv += factor * u;
        if (!bounded) dv -= (factor * cosine * uNorm / vNorm) * v;
      }
      auto du = asRow(query.grad.row(b), size);
      du += factor * v;
      if (!bounded) du -= (factor * cosine * vNorm / uNorm) * u;
    });
  });
}

template <class S>
void scoresFrom(Tape<S>& tape, Var<S> x, const Range* ranges, S scale, Var<S> scores) {
  const int batch = scores.rowCount();
  forCells(ranges, batch, [&](int b, int i, int) { scores.value.row(b)[i] = scale * x.value.row(b)[i]; });
  tape.onBackward([=] {
    forCells(ranges, batch, [&](int b, int i, int) { x.grad.row(b)[i] += scale * scores.grad.row(b)[i]; });
  });
}

template <class S>
void tanhWithQuery(Tape<S>& tape, Var<S> keys, Var<S> query, const Range* ranges, Var<S> hidden) {
  const int batch = query.rowCount(), units = query.columnCount();
  forCells(ranges, batch, [&](int b, int, int row) {
    asRow(hidden.value.row(row), units) =
        (asRow(keys.value.row(row), units) + asRow(query.value.row(b), units)).tanh();
  });
  tape.onBackward([=] {
    forCells(ranges, batch, [&](int b, int, int row) {
      auto d = asRow(hidden.grad.row(row), units);
      d *= S(1) - asRow(hidden.value.row(row), units).square();
      asRow(keys.grad.row(row), units) += d;
      asRow(query.grad.row(b), units) += d;
    });
  });
}

template <class S>
void readOutScores(Tape<S>& tape, Var<S> hidden, Var<S> q, const Range* ranges, S scale, Var<S> scores) {
  const int batch = scores.rowCount(), units = q.columnCount();
  const auto vector = asRow(q.value.data, units);
  forCells(ranges, batch, [&](int b, int i, int row) {
    scores.value.row(b)[i] = scale * (asRow(hidden.value.row(row), units) * vector).sum();
  });
  tape.onBackward([=] {
    const auto direction = asRow(q.value.data, units);
    auto dVector = asRow(q.grad.data, units);
    forCells(ranges, batch, [&](int b, int i, int row) {
      const S d = scale * scores.grad.row(b)[i];
      dVector += d * asRow(hidden.value.row(row), units);
      asRow(hidden.grad.row(row), units) += d * direction;
    });
  });
}

template <class S>
void convolveWeights(Tape<S>& tape, Var<S> previous, Var<S> filters, const Range* ranges, Var<S> features) {
  const int batch = previous.rowCount(), positions = previous.columnCount();
  const int width = filters.columnCount(), half = (width - 1) / 2, count = filters.rowCount();
  // g(k, j, source position) for the taps that fall inside the row.
  const auto forTaps = [=](int i, auto g) {
    for (int j = 0; j < width; ++j)
      if (const int from = i + j - half; from >= 0 && from < positions)
        for (int k = 0; k < count; ++k) g(k, j, from);
  };
  forCells(ranges, batch, [&](int b, int i, int row) {
    forTaps(i, [&](int k, int j, int from) {
      features.value.row(row)[k] += filters.value.row(k)[j] * previous.value.row(b)[from];
    });
  });
  tape.onBackward([=] {
    forCells(ranges, batch, [&](int b, int i, int row) {
      forTaps(i, [&](int k, int j, int from) {
        const S d = features.grad.row(row)[k];
        filters.grad.row(k)[j] += d * previous.value.row(b)[from];
        previous.grad.row(b)[from] += d * filters.value.row(k)[j];
      });
    });
  });
}

template <class S>
void spreadCoverage(Tape<S>& tape, Var<S> coverage, Var<S> vector, const Range* ranges, Var<S> extra) {
  const int batch = coverage.rowCount(), units = vector.columnCount();
  forCells(ranges, batch, [&](int b, int i, int row) {
    asRow(extra.value.row(row), units) = coverage.value.row(b)[i] * asRow(vector.value.data, units);
  });
  tape.onBackward([=] {
    forCells(ranges, batch, [&](int b, int i, int row) {
      const auto d = asRow(extra.grad.row(row), units);
      coverage.grad.row(b)[i] += (d * asRow(vector.value.data, units)).sum();
      asRow(vector.grad.data, units) += coverage.value.row(b)[i] * d;
    });
  });
}

template <class S>
void addCoverage(Tape<S>& tape, Var<S> coverage, Var<S> weights, Var<S> next) {
  asEigen(next.value) = asEigen(coverage.value) + asEigen(weights.value);
  tape.onBackward([=] {
    asEigen(coverage.grad) += asEigen(next.grad);
    asEigen(weights.grad) += asEigen(next.grad);
  });
}

template <class S>
double coverageLoss(Tape<S>& tape, Var<S> weights, Var<S> coverage, const Range* ranges, S scale) {
  double total = 0;
  forCells(ranges, weights.rowCount(), [&](int r, int i, int) {
    total += static_cast<double>(std::min(weights.value.row(r)[i], coverage.value.row(r)[i]));
  });
  tape.onBackward([=] {
    forCells(ranges, weights.rowCount(), [&](int r, int i, int) {
      const bool toWeights = weights.value.row(r)[i] <= coverage.value.row(r)[i];
      (toWeights ? weights : coverage).grad.row(r)[i] += scale;
    });
  });
  return total;
}

template <class S>
void gaussianWeights(Tape<S>& tape, Var<S> raw, Var<S> centre, const Range* ranges, S deviation, Var<S> weights) {
  const int batch = raw.rowCount();
  const S variance = deviation * deviation;
  const auto gaussian = [=](int b, int i) {
    const S distance = static_cast<S>(i + 1) - centre.value.row(b)[0];
    return std::exp(-distance * distance / (2 * variance));
  };
  forCells(ranges, batch, [&](int b, int i, int) { weights.value.row(b)[i] = raw.value.row(b)[i] * gaussian(b, i); });
  tape.onBackward([=] {
    forCells(ranges, batch, [&](int b, int i, int) {
      const S d = weights.grad.row(b)[i], distance = static_cast<S>(i + 1) - centre.value.row(b)[0];
      raw.grad.row(b)[i] += d * gaussian(b, i);
      centre.grad.row(b)[0] += d * weights.value.row(b)[i] * distance / variance;
    });
  });
}

template <class S>
void softplusOp(Tape<S>& tape, Var<S> x, Var<S> y) {
  for (int r = 0; r < x.rowCount(); ++r) {
    const S value = x.value.row(r)[0];
    y.value.row(r)[0] = std::max(value, S(0)) + std::log1p(std::exp(-std::abs(value)));
  }
  tape.onBackward([=] {
    for (int r = 0; r < x.rowCount(); ++r) x.grad.row(r)[0] += y.grad.row(r)[0] * logistic(x.value.row(r)[0]);
  });
}

template <class S>
void scaledSigmoid(Tape<S>& tape, Var<S> x, const int* sizes, Var<S> y) {
  for (int r = 0; r < x.rowCount(); ++r) y.value.row(r)[0] = static_cast<S>(sizes[r]) * logistic(x.value.row(r)[0]);
  tape.onBackward([=] {
    for (int r = 0; r < x.rowCount(); ++r) {
      const S p = logistic(x.value.row(r)[0]);
      x.grad.row(r)[0] += y.grad.row(r)[0] * static_cast<S>(sizes[r]) * p * (1 - p);
    }
  });
}

#define ATTNSCOPE_INSTANTIATE(S)                                                                  \
  template void cosineScores(Tape<S>&, Var<S>, Var<S>, Var<S>, const Range*, S, Var<S>);          \
  template void scoresFrom(Tape<S>&, Var<S>, const Range*, S, Var<S>);                            \
  template void tanhWithQuery(Tape<S>&, Var<S>, Var<S>, const Range*, Var<S>);                    \
  template void readOutScores(Tape<S>&, Var<S>, Var<S>, const Range*, S, Var<S>);                 \
  template void convolveWeights(Tape<S>&, Var<S>, Var<S>, const Range*, Var<S>);                  \
  template void spreadCoverage(Tape<S>&, Var<S>, Var<S>, const Range*, Var<S>);                   \
  template void addCoverage(Tape<S>&, Var<S>, Var<S>, Var<S>);                                    \
  template double coverageLoss(Tape<S>&, Var<S>, Var<S>, const Range*, S);                        \
  template void gaussianWeights(Tape<S>&, Var<S>, Var<S>, const Range*, S, Var<S>);               \
  template void softplusOp(Tape<S>&, Var<S>, Var<S>);                                             \
  template void scaledSigmoid(Tape<S>&, Var<S>, const int*, Var<S>);
ATTNSCOPE_INSTANTIATE(float)
ATTNSCOPE_INSTANTIATE(double)

}  // namespace attnscope
