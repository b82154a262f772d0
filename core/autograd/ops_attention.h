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

// scores[b, i] = scale · ⟨q, tanh(keys_i + query)⟩, q [1, a].
template <class S>
void additiveScores(Tape<S>& tape, Var<S> keys, Var<S> query, Var<S> q, const Range* ranges, S scale, Var<S> scores);

// How scores of one row become weights and back. backward adds to dScores.
template <class S>
struct NormalizerOps {
  void (*forward)(const S* scores, int n, S* weights);
  void (*backward)(const S* weights, const S* dWeights, int n, S* dScores);
};

template <class S>
void normalise(Tape<S>& tape, Var<S> scores, const Range* ranges, NormalizerOps<S> ops, Var<S> weights);

// context[b] = Σ_i weights[b, i] · memory_i. `accumulateMemory` as above.
template <class S>
void readMemory(Tape<S>& tape, Var<S> memory, Var<S> weights, const Range* ranges, Var<S> context,
                bool accumulateMemory);

// Backward only, over all T steps at once: for each example the memory's gradient += scale · Cᵀ R, with C [T, N]
// its coefficients and R [T, size] its rows. Call it before the first step, so that it runs after the last.
template <class S>
void addStepsToMemory(Tape<S>& tape, View<S> coefficients, View<S> rows, S scale, int batch, Var<S> memory);

}  // namespace attnscope
