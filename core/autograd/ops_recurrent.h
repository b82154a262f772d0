// One step of a recurrent cell on summed pre-activations (models.md 2). The gate buffers are activated in place:
// what was added to them needs only their gradient. Rows b with t ≥ lengths[b] carry their state unchanged and get
// gates of 0; `lengths` nullptr: every row is real.
#pragma once

#include "core/autograd/tape.h"

namespace attnscope {

struct StepMask {
  const int* lengths = nullptr;  // [B]; must outlive the pass
  int t = 0;                     // 0-based
  bool real(int row) const { return !lengths || t < lengths[row]; }
};

// h = tanh(gates). All [B, H].
template <class S>
void rnnStep(Tape<S>& tape, Var<S> gates, Var<S> previous, Var<S> h, StepMask mask);

// GRU, reset after the product: gates [B, 3H] hold W_ih x + b_ih, hidden [B, 3H] holds W_hh h + b_hh;
// gates become r, z, n; h = (1−z)∘n + z∘previous.
template <class S>
void gruStep(Tape<S>& tape, Var<S> gates, Var<S> hidden, Var<S> previous, Var<S> h, StepMask mask);

// GRU, reset before the product (Cho et al.), in two halves. First: gates' r and z are activated and
// reset = r∘previous [B, H]. Then the caller adds W_hn reset to gates' n part; second: n is activated and h made.
template <class S>
void gruResetBefore(Tape<S>& tape, Var<S> gates, Var<S> previous, Var<S> reset, StepMask mask);
template <class S>
void gruUpdateBefore(Tape<S>& tape, Var<S> gates, Var<S> previous, Var<S> h, StepMask mask);

// LSTM: gates [B, 4H] become i, f, g, o; c = f∘previousC + i∘g; h = o∘tanh(c).
template <class S>
void lstmStep(Tape<S>& tape, Var<S> gates, Var<S> previousC, Var<S> previousH, Var<S> c, Var<S> h, StepMask mask);

}  // namespace attnscope
