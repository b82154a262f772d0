// Attention = score → scope → normaliser → context, over one batch (models.md 3). Prepare the memory once (or position
// by position while it grows), then attend once per step; scores, weights, ranges and contexts stay behind as the record.
#pragma once

#include "core/attention/config.h"
#include "core/attention/normalizer.h"
#include "core/attention/scope.h"
#include "core/autograd/ops_basic.h"
#include "core/autograd/parameters.h"

namespace attnscope {

// Everything one forward pass of an attention works on. A score reads what it needs and keeps its own in `keys`, …
// N positions, T steps, B examples; memory [N·B, m], queries [T·B, d], contexts [T·B, m], scores and weights [T·B, N].
template <class S>
struct AttentionPass {
  Tape<S>* tape = nullptr;
  const Parameters<S>* parameters = nullptr;
  int batch = 0, positions = 0, steps = 0;
  bool growing = false;          // the memory is written while steps go on (it depends on earlier contexts)
  S inverseTemperature = 1;
  Var<S> memory, queries, contexts, scores, weights;
  Range* ranges = nullptr;       // [T·B]
  // The score's own:
  Var<S> keys;                   // what a query is compared with, [N·B, ·]
  Var<S> projectedQueries;       // [T·B, a]
  Var<S> vector;                 // q, [1, a]
  Projection<S> keyProjection, queryProjection;
  S scale = 1;                   // of a product score, 1/τ included
};

// One score: a row of the table in score.cpp.
template <class S>
struct ScoreOps {
  void (*setUp)(AttentionPass<S>&);                             // before anything else
  void (*prepare)(AttentionPass<S>&, int begin, int count);     // positions begin … begin+count−1 of the memory are there
  void (*score)(AttentionPass<S>&, int step);                   // fill scores of this step inside its ranges
};
template <class S>
ScoreOps<S> scoreOps(std::string_view name);  // check: `name` is in scoreTable()

// m: size of a memory vector, d: of the query. Names under `attention.`.
void addAttentionParameters(ParameterLayout& layout, const AttentionConfig& config, int m, int d);

template <class S>
class Attention {
 public:
  Attention() = default;
  // `parameters` and `tape` must outlive this. contexts is a zeroed buffer [steps·batch, m] this fills.
  Attention(Tape<S>& tape, const Parameters<S>& parameters, const AttentionConfig& config, Var<S> memory,
            Var<S> queries, Var<S> contexts, int batch, bool growing);

  void prepare(int begin, int count) { m_score.prepare(m_pass, begin, count); }
  // Step `step` of every example; available[b] positions from the first are real (0: context and weights stay 0).
  void attend(int step, const int* available);

  const AttentionPass<S>& pass() const { return m_pass; }

 private:
  AttentionPass<S> m_pass;
  ScoreOps<S> m_score{};
  NormalizerOps<S> m_normalizer{};
  ScopeRange m_scope = nullptr;
};

}  // namespace attnscope
