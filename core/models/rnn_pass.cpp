#include "core/models/rnn_pass.h"

#include "core/base/error.h"

namespace attnscope {

int gateCount(CellKind cell) {
  switch (cell) {
    case CellKind::Rnn: return 1;
    case CellKind::Gru: return 3;
    case CellKind::Lstm: return 4;
  }
  return 0;
}

namespace {

std::string suffixOf(int layer, bool reverse) { return "_l" + std::to_string(layer) + (reverse ? "_reverse" : ""); }

}  // namespace

void addRnnParameters(ParameterLayout& layout, const std::string& prefix, const RnnConfig& rnn, int inputSize,
                      int layer, bool reverse, int extraHidden) {
  const int gates = gateCount(rnn.cell) * rnn.hidden;
  const std::string suffix = suffixOf(layer, reverse);
  const bool lstm = rnn.cell == CellKind::Lstm;
  layout.add(prefix + "weight_ih" + suffix, {gates, inputSize}, Init::Recurrent, rnn.hidden);
  layout.add(prefix + "weight_hh" + suffix, {gates, rnn.hidden + extraHidden}, Init::Recurrent, rnn.hidden);
  layout.add(prefix + "bias_ih" + suffix, {gates}, lstm ? Init::ForgetOne : Init::Recurrent, rnn.hidden);
  layout.add(prefix + "bias_hh" + suffix, {gates}, lstm ? Init::ForgetZero : Init::Recurrent, rnn.hidden);
}

template <class S>
RnnPass<S>::RnnPass(Tape<S>& tape, const Parameters<S>& parameters, const std::string& prefix, const RnnConfig& rnn,
                    int layer, bool reverse, StateBuffer<S> hBuffer, StateBuffer<S> cBuffer, const int* lengths)
    : h(hBuffer),
      c(cBuffer),
      m_rnn(rnn),
      m_reverse(reverse),
      m_lengths(lengths),
      m_batch(hBuffer.batch),
      m_steps(hBuffer.steps) {
  const std::string suffix = suffixOf(layer, reverse);
  const int rows = m_steps * m_batch, H = rnn.hidden;
  m_weightInput = parameters[prefix + "weight_ih" + suffix];
  m_weightHidden = parameters[prefix + "weight_hh" + suffix];
  const Var<S> biasInput = parameters[prefix + "bias_ih" + suffix], biasHidden = parameters[prefix + "bias_hh" + suffix];
  const Var<S> before = h.before(reverse);
  m_gates = tape.zeros(rows, gateCount(rnn.cell) * H);
  addBias(tape, biasInput, m_gates);
  if (rnn.cell != CellKind::Gru) {
    addBias(tape, biasHidden, m_gates);
    m_hiddenProjection = Projection<S>(tape, m_weightHidden.columns(0, H), before, m_gates);
  } else if (rnn.reset == Reset::After) {
    m_hidden = tape.zeros(rows, 3 * H);
    addBias(tape, biasHidden, m_hidden);
    m_hiddenProjection = Projection<S>(tape, m_weightHidden, before, m_hidden);
  } else {
    addBias(tape, biasHidden, m_gates);
    m_reset = tape.zeros(rows, H);
    m_hiddenProjection = Projection<S>(tape, m_weightHidden.rows(0, 2 * H), before, m_gates.columns(0, 2 * H));
    m_resetProjection = Projection<S>(tape, m_weightHidden.rows(2 * H, H), m_reset, m_gates.columns(2 * H, H));
  }
}

template <class S>
Projection<S> RnnPass<S>::input(Tape<S>& tape, Var<S> x, int columnBegin) const {
  return Projection<S>(tape, m_weightInput.columns(columnBegin, x.columnCount()), x, m_gates);
}

template <class S>
Projection<S> RnnPass<S>::stateContext(Tape<S>& tape, Var<S> contexts) const {
  const int H = m_rnn.hidden;
  return Projection<S>(tape, m_weightHidden.columns(H, contexts.columnCount()), contexts, m_gates);
}

template <class S>
void RnnPass<S>::step(Tape<S>& tape, int t) const {
  const int first = t * m_batch;
  const int from = m_reverse ? t + 2 : t;
  const Var<S> gates = m_gates.rows(first, m_batch), previous = h.block(from), next = h.block(t + 1);
  const StepMask mask{m_lengths, t};
  m_hiddenProjection.apply(tape, first, m_batch);
  switch (m_rnn.cell) {
    case CellKind::Rnn:
      rnnStep(tape, gates, previous, next, mask);
      break;
    case CellKind::Lstm:
      lstmStep(tape, gates, c.block(from), previous, c.block(t + 1), next, mask);
      break;
    case CellKind::Gru:
      if (m_rnn.reset == Reset::After) {
        gruStep(tape, gates, m_hidden.rows(first, m_batch), previous, next, mask);
      } else {
        gruResetBefore(tape, gates, previous, m_reset.rows(first, m_batch), mask);
        m_resetProjection.apply(tape, first, m_batch);
        gruUpdateBefore(tape, gates, previous, next, mask);
      }
      break;
  }
}

template <class S>
void RnnPass<S>::runAll(Tape<S>& tape) const {
  for (int k = 0; k < m_steps; ++k) step(tape, m_reverse ? m_steps - 1 - k : k);
}

template <class S>
LayerRecord<S> RnnPass<S>::record(std::string name) const {
  LayerRecord<S> layer;
  layer.name = std::move(name);
  layer.steps = m_steps;
  layer.lengths = m_lengths;
  layer.h = h.outputs().value;
  if (m_rnn.cell == CellKind::Lstm) layer.c = c.outputs().value;
  const std::vector<std::string> names = m_rnn.cell == CellKind::Gru    ? std::vector<std::string>{"r", "z", "n"}
                                         : m_rnn.cell == CellKind::Lstm ? std::vector<std::string>{"i", "f", "g", "o"}
                                                                        : std::vector<std::string>{};
  for (std::size_t k = 0; k < names.size(); ++k)
    layer.gates.push_back({names[k], m_gates.columns(static_cast<int>(k) * m_rnn.hidden, m_rnn.hidden).value});
  return layer;
}

template class RnnPass<float>;
template class RnnPass<double>;

}  // namespace attnscope
