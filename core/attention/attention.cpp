#include "core/attention/attention.h"

namespace attnscope {

template <class S>
Attention<S>::Attention(Tape<S>& tape, const Parameters<S>& parameters, const AttentionConfig& config, Var<S> memory,
                        Var<S> queries, Var<S> contexts, int batch, bool growing)
    : m_score(scoreOps<S>(config.score)),
      m_normalizer(normalizerOps<S>(config.normalizer)),
      m_scope(scopeRange(config.scope)) {
  AttentionPass<S>& pass = m_pass;
  pass.tape = &tape;
  pass.parameters = &parameters;
  pass.batch = batch;
  pass.positions = memory.rowCount() / batch;
  pass.steps = queries.rowCount() / batch;
  pass.growing = growing;
  pass.inverseTemperature = static_cast<S>(1 / config.temperature);
  pass.memory = memory;
  pass.queries = queries;
  pass.contexts = contexts;
  pass.scores = tape.zeros(pass.steps * batch, pass.positions);
  pass.weights = tape.zeros(pass.steps * batch, pass.positions);
  pass.ranges = tape.template array<Range>(static_cast<std::size_t>(pass.steps) * batch);
  std::fill_n(pass.ranges, static_cast<std::size_t>(pass.steps) * batch, Range{});
  m_score.setUp(pass);
  if (!growing) addStepsToMemory(tape, pass.weights.value, pass.contexts.grad, S(1), batch, pass.memory);
}

template <class S>
void Attention<S>::attend(int step, const int* available) {
  AttentionPass<S>& pass = m_pass;
  const int first = step * pass.batch;
  Range* ranges = pass.ranges + first;
  for (int b = 0; b < pass.batch; ++b) ranges[b] = m_scope(step, available[b]);
  const auto block = [&](Var<S> all) { return all.rows(first, pass.batch); };
  m_score.score(pass, step);
  normalise(*pass.tape, block(pass.scores), ranges, m_normalizer, block(pass.weights));
  readMemory(*pass.tape, pass.memory, block(pass.weights), ranges, block(pass.contexts), pass.growing);
}

template class Attention<float>;
template class Attention<double>;

}  // namespace attnscope
