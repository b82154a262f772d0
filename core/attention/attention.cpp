#include "core/attention/attention.h"

namespace attnscope {

template <class S>
Attention<S>::Attention(Tape<S>& tape, const Parameters<S>& parameters, const AttentionConfig& config, Var<S> memory,
                        Var<S> queries, Var<S> contexts, int batch, bool growing)
    : m_score(scoreOps<S>(config.score)),
      m_normalizer(normalizerOps<S>(config.normalizer)),
      m_scope(scopeOps<S>(config.scope)) {
  AttentionPass<S>& pass = m_pass;
  pass.tape = &tape;
  pass.parameters = &parameters;
  pass.config = &config;
  pass.batch = batch;
  pass.positions = memory.rowCount() / batch;
  pass.steps = queries.rowCount() / batch;
  pass.growing = growing;
  pass.inverseTemperature = static_cast<S>(1 / config.temperature);
  pass.memory = memory;
  pass.queries = queries;
  pass.contexts = contexts;
  const int rows = pass.steps * batch;
  pass.scores = tape.zeros(rows, pass.positions);
  pass.weights = tape.zeros(rows, pass.positions);
  pass.rawWeights = m_scope.reweigh ? tape.zeros(rows, pass.positions) : pass.weights;
  if (config.coverage) pass.coverage = tape.zeros(rows + batch, pass.positions);
  pass.ranges = tape.template array<Range>(static_cast<std::size_t>(rows));
  std::fill_n(pass.ranges, rows, Range{});
  m_score.setUp(pass);
  if (m_scope.setUp) m_scope.setUp(pass);
  if (!growing) addStepsToMemory(tape, pass.weights.value, pass.contexts.grad, S(1), batch, pass.memory);
}

template <class S>
void Attention<S>::attend(int step, const int* available) {
  AttentionPass<S>& pass = m_pass;
  const int first = step * pass.batch;
  const Range* ranges = pass.ranges + first;
  const auto block = [&](Var<S> all) { return all.rows(first, pass.batch); };
  m_scope.choose(pass, step, available);
  m_score.score(pass, step);
  normalise(*pass.tape, block(pass.scores), ranges, m_normalizer, block(pass.rawWeights));
  if (m_scope.reweigh) m_scope.reweigh(pass, step);
  readMemory(*pass.tape, pass.memory, block(pass.weights), ranges, block(pass.contexts), pass.growing);
  if (pass.coverage)
    addCoverage(*pass.tape, block(pass.coverage), block(pass.weights), pass.coverage.rows(first + pass.batch, pass.batch));
}

template <class S>
double Attention<S>::coverageLoss(S scale) {
  if (!m_pass.coverage) return 0;
  return attnscope::coverageLoss(*m_pass.tape, m_pass.weights,
                                 m_pass.coverage.rows(0, m_pass.steps * m_pass.batch), m_pass.ranges, scale);
}

template class Attention<float>;
template class Attention<double>;

}  // namespace attnscope
