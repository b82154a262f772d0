// One direction of one recurrent layer over T steps of one batch: its buffers, its products, its cell (models.md 2).
#pragma once

#include <string>
#include <vector>

#include "core/autograd/ops_basic.h"
#include "core/autograd/ops_recurrent.h"
#include "core/autograd/parameters.h"
#include "core/models/config.h"
#include "core/models/record.h"

namespace attnscope {

// How many pre-activations a cell has: 1, 3 or 4 times its hidden size.
int gateCount(CellKind cell);

// `weight_ih_l{k}` … under `prefix` ("encoder."); `extraHidden`: more columns of weight_hh (a context joined to the state).
void addRnnParameters(ParameterLayout& layout, const std::string& prefix, const RnnConfig& rnn, int inputSize,
                      int layer, bool reverse, int extraHidden = 0);

// Where states stand: blocks of B rows, step t in block t+1. Block 0 is the state before the first step of the forward
// direction, block T+1 that of the backward direction; both directions may be columns of one buffer.
template <class S>
struct StateBuffer {
  Var<S> all;  // [(T+2)·B, H]
  int batch = 0, steps = 0;
  Var<S> block(int index) const { return all.rows(index * batch, batch); }
  Var<S> outputs() const { return all.rows(batch, steps * batch); }            // steps 0 … T−1
  Var<S> before(bool reverse) const { return all.rows(reverse ? 2 * batch : 0, steps * batch); }  // state each step starts from
  Var<S> initial(bool reverse) const { return block(reverse ? steps + 1 : 0); }
  Var<S> final(bool reverse) const { return block(reverse ? 1 : steps); }
};

template <class S>
StateBuffer<S> makeStates(Tape<S>& tape, int batch, int steps, int size) {
  return {tape.zeros((steps + 2) * batch, size), batch, steps};
}

template <class S>
class RnnPass {
 public:
  RnnPass() = default;
  // `h` (and `c` for lstm) may be columns of a larger buffer. lengths [B] must outlive the pass.
  RnnPass(Tape<S>& tape, const Parameters<S>& parameters, const std::string& prefix, const RnnConfig& rnn, int layer,
          bool reverse, StateBuffer<S> h, StateBuffer<S> c, const int* lengths);

  // x [T·B, k] enters through columns columnBegin … columnBegin+k−1 of weight_ih. Create before the first step.
  Projection<S> input(Tape<S>& tape, Var<S> x, int columnBegin = 0) const;
  // contexts [T·B, m] enter through the last m columns of weight_hh (joins: state).
  Projection<S> stateContext(Tape<S>& tape, Var<S> contexts) const;

  void step(Tape<S>& tape, int t) const;  // t of the sequence, whatever the direction
  void runAll(Tape<S>& tape) const;       // every step in the direction's order

  Var<S> gates() const { return m_gates; }
  LayerRecord<S> record(std::string name) const;

  StateBuffer<S> h, c;

 private:
  RnnConfig m_rnn;
  bool m_reverse = false;
  const int* m_lengths = nullptr;
  int m_batch = 0, m_steps = 0;
  Var<S> m_weightInput, m_weightHidden;
  Var<S> m_gates;   // [T·B, G·H] pre-activations, then gates
  Var<S> m_hidden;  // gru, reset after: W_hh h + b_hh
  Var<S> m_reset;   // gru, reset before: r∘h
  Projection<S> m_hiddenProjection, m_resetProjection;
};

}  // namespace attnscope
