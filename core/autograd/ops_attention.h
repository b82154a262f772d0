// The three operations of one attention step (models.md 3). A memory of N positions over a batch of B is a matrix of
// N·B rows, position-major: v_i of example b is row i·B + b. Scores and weights of one step are [B, N].
// Which positions example b may see at this step is a range; outside it scores and weights stay 0 and nothing is read.
#pragma once

#include "core/autograd/tape.h"

namespace attnscope {

struct Range {
  int begin = 0, end = 0;  // positions begin … end−1
  bool empty() const { return begin >= end; }
};

// scores[b, i] = scale · ⟨keys_i, query⟩. `accumulateKeys`: add to the keys' gradient here, step by step; otherwise
// the caller uses addStepsToMemory once for all steps (possible when no key depends on a later step).
template <class S>
void dotScores(Tape<S>& tape, Var<S> keys, Var<S> query, const Range* ranges, S scale, Var<S> scores,
               bool accumulateKeys);

// scores[b, i] = scale · ⟨q, tanh(keys_i + query + extra_i)⟩, q [1, a]; `extra` [N·B, a] is this step's own and may be
// empty.
template <class S>
void additiveScores(Tape<S>& tape, Var<S> keys, Var<S> query, Var<S> extra, Var<S> q, const Range* ranges, S scale,
                    Var<S> scores);

// scores[b, i] = scale · β[b] · ⟨v_i, u⟩ / max(‖v_i‖‖u‖, 1e-8), β [B, 1] (Graves et al. 2014, 3.3.1). Below the bound
// the denominator is a constant.
template <class S>
void cosineScores(Tape<S>& tape, Var<S> memory, Var<S> query, Var<S> beta, const Range* ranges, S scale, Var<S> scores);

// scores[b, i] = scale · x[b, i] inside the ranges.
template <class S>
void scoresFrom(Tape<S>& tape, Var<S> x, const Range* ranges, S scale, Var<S> scores);

// hidden_i [N·B, a] = tanh(keys_i + query) inside the ranges; outside it stays as it is.
template <class S>
void tanhWithQuery(Tape<S>& tape, Var<S> keys, Var<S> query, const Range* ranges, Var<S> hidden);

// scores[b, i] = scale · ⟨q, hidden_i⟩ inside the ranges.
template <class S>
void readOutScores(Tape<S>& tape, Var<S> hidden, Var<S> q, const Range* ranges, S scale, Var<S> scores);

// features_i,k [N·B, k] = Σ_j filters[k, j] · previous[b, i + j − (width−1)/2], zero outside the row (Chorowski et al.
// 2015, eq. 8). filters [k, width]. Only positions inside the ranges are computed.
template <class S>
void convolveWeights(Tape<S>& tape, Var<S> previous, Var<S> filters, const Range* ranges, Var<S> features);

// extra_i [N·B, a] = coverage[b, i] · vector, vector [1, a].
template <class S>
void spreadCoverage(Tape<S>& tape, Var<S> coverage, Var<S> vector, const Range* ranges, Var<S> extra);

// next = coverage + weights, all [B, N].
template <class S>
void addCoverage(Tape<S>& tape, Var<S> coverage, Var<S> weights, Var<S> next);

// Σ over the ranges of min(weights, coverage); its gradient, times `scale`, goes to the smaller one, at a tie to the
// weights (See et al. 2017, eq. 12). Call it for all steps at once, after the last.
template <class S>
double coverageLoss(Tape<S>& tape, Var<S> weights, Var<S> coverage, const Range* ranges, S scale);

// How scores of one row become weights and back. backward adds to dScores.
template <class S>
struct NormalizerOps {
  void (*forward)(const S* scores, int n, S* weights);
  void (*backward)(const S* scores, const S* weights, const S* dWeights, int n, S* dScores);
};

template <class S>
void normalise(Tape<S>& tape, Var<S> scores, const Range* ranges, NormalizerOps<S> ops, Var<S> weights);

// weights[b, i] = raw[b, i] · exp(−(i + 1 − centre[b])² / (2 deviation²)) inside the ranges; centre [B, 1], positions
// counted from 1 (Luong et al. 2015, eq. 10).
template <class S>
void gaussianWeights(Tape<S>& tape, Var<S> raw, Var<S> centre, const Range* ranges, S deviation, Var<S> weights);

// y [B, 1] = softplus(x) ; y = sizes[b] · σ(x).
template <class S>
void softplusOp(Tape<S>& tape, Var<S> x, Var<S> y);
template <class S>
void scaledSigmoid(Tape<S>& tape, Var<S> x, const int* sizes, Var<S> y);

// context[b] = Σ_i weights[b, i] · memory_i. `accumulateMemory` as above.
template <class S>
void readMemory(Tape<S>& tape, Var<S> memory, Var<S> weights, const Range* ranges, Var<S> context,
                bool accumulateMemory);

// Backward only, over all T steps at once: for each example the memory's gradient += scale · Cᵀ R, with C [T, N]
// its coefficients and R [T, size] its rows. Call it before the first step, so that it runs after the last.
template <class S>
void addStepsToMemory(Tape<S>& tape, View<S> coefficients, View<S> rows, S scale, int batch, Var<S> memory);

}  // namespace attnscope
