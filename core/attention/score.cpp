// The scores (models.md 3), one row of kInfo and kOps each.
#include <array>
#include <cmath>
#include <string>

#include "core/attention/attention.h"
#include "core/attention/tables.h"
#include "core/base/error.h"

namespace attnscope {
namespace {

constexpr MechanismInfo kInfo[] = {
    {"dot", "dot", "eᵢ = ⟨vᵢ, u⟩", "Luong et al. 2015, eq. 8", false, true},
    {"scaled_dot", "scaled dot", "eᵢ = ⟨vᵢ, u⟩ / √d", "Vaswani et al. 2017, eq. 1", false, true},
    {"mean_dot", "mean dot", "eᵢ = ⟨vᵢ, u⟩ / d", "mean of the element-wise product", false, true},
    {"general", "general", "eᵢ = vᵢᵀ W u", "Luong et al. 2015, eq. 8", false, false},
    {"additive", "additive", "eᵢ = qᵀ tanh(W₁ vᵢ + W₂ u)", "Bahdanau et al. 2014, A.1.2", true, false},
    {"concat", "concat", "eᵢ = qᵀ tanh(W [u; vᵢ])", "Luong et al. 2015, eq. 8", true, false},
};

// Product scores: ⟨key, query⟩ with a scale.

template <class S>
void setUpDot(AttentionPass<S>& pass, double scale) {
  pass.scale = static_cast<S>(scale) * pass.inverseTemperature;
  pass.keys = pass.memory;
  if (!pass.growing)
    addStepsToMemory(*pass.tape, pass.scores.grad, pass.queries.value, pass.scale, pass.batch, pass.keys);
}

template <class S>
void setUpPlainDot(AttentionPass<S>& pass) {
  setUpDot(pass, 1.0);
}
template <class S>
void setUpScaledDot(AttentionPass<S>& pass) {
  setUpDot(pass, 1.0 / std::sqrt(static_cast<double>(pass.queries.columnCount())));
}
template <class S>
void setUpMeanDot(AttentionPass<S>& pass) {
  setUpDot(pass, 1.0 / pass.queries.columnCount());
}

template <class S>
void prepareNothing(AttentionPass<S>&, int, int) {}

template <class S>
void scoreDot(AttentionPass<S>& pass, int step) {
  const int first = step * pass.batch;
  dotScores(*pass.tape, pass.keys, pass.queries.rows(first, pass.batch), pass.ranges + first, pass.scale,
            pass.scores.rows(first, pass.batch), pass.growing);
}

// general: the keys Wᵀ v_i are made once, one product for the whole memory.

template <class S>
void setUpGeneral(AttentionPass<S>& pass) {
  const Var<S> weight = (*pass.parameters)["attention.W"];
  pass.scale = pass.inverseTemperature;
  pass.keys = pass.tape->zeros(pass.memory.rowCount(), weight.columnCount());
  pass.keyProjection = Projection<S>(*pass.tape, weight, pass.memory, pass.keys, WeightLayout::InOut);
}

template <class S>
void prepareKeys(AttentionPass<S>& pass, int begin, int count) {
  pass.keyProjection.apply(*pass.tape, begin * pass.batch, count * pass.batch);
}

// When the whole memory was prepared at once, the keys' gradient over all steps is one product per example; it must
// be registered after the projection, so that it runs before it.
template <class S>
void prepareGeneral(AttentionPass<S>& pass, int begin, int count) {
  prepareKeys(pass, begin, count);
  if (!pass.growing)
    addStepsToMemory(*pass.tape, pass.scores.grad, pass.queries.value, pass.scale, pass.batch, pass.keys);
}

// additive and concat: qᵀ tanh(key + projected query).

template <class S>
void setUpTanh(AttentionPass<S>& pass, Var<S> keyWeight, Var<S> queryWeight) {
  Tape<S>& tape = *pass.tape;
  const int units = keyWeight.rowCount();
  pass.vector = (*pass.parameters)["attention.q"];
  pass.keys = tape.zeros(pass.memory.rowCount(), units);
  pass.projectedQueries = tape.zeros(pass.queries.rowCount(), units);
  pass.keyProjection = Projection<S>(tape, keyWeight, pass.memory, pass.keys);
  pass.queryProjection = Projection<S>(tape, queryWeight, pass.queries, pass.projectedQueries);
}

template <class S>
void setUpAdditive(AttentionPass<S>& pass) {
  setUpTanh(pass, (*pass.parameters)["attention.W1"], (*pass.parameters)["attention.W2"]);
}

template <class S>
void setUpConcat(AttentionPass<S>& pass) {
  const Var<S> weight = (*pass.parameters)["attention.W"];  // [a, d+m], the query's columns first
  const int d = pass.queries.columnCount();
  setUpTanh(pass, weight.columns(d, weight.columnCount() - d), weight.columns(0, d));
}

template <class S>
void scoreTanh(AttentionPass<S>& pass, int step) {
  const int first = step * pass.batch;
  pass.queryProjection.apply(*pass.tape, first, pass.batch);
  additiveScores(*pass.tape, pass.keys, pass.projectedQueries.rows(first, pass.batch), pass.vector,
                 pass.ranges + first, pass.inverseTemperature, pass.scores.rows(first, pass.batch));
}

// Same order as kInfo.
template <class S>
constexpr std::array<ScoreOps<S>, std::size(kInfo)> kOps = {{
    {setUpPlainDot<S>, prepareNothing<S>, scoreDot<S>},
    {setUpScaledDot<S>, prepareNothing<S>, scoreDot<S>},
    {setUpMeanDot<S>, prepareNothing<S>, scoreDot<S>},
    {setUpGeneral<S>, prepareGeneral<S>, scoreDot<S>},
    {setUpAdditive<S>, prepareKeys<S>, scoreTanh<S>},
    {setUpConcat<S>, prepareKeys<S>, scoreTanh<S>},
}};

}  // namespace

std::span<const MechanismInfo> scoreTable() { return kInfo; }

template <class S>
ScoreOps<S> scoreOps(std::string_view name) {
  for (std::size_t i = 0; i < std::size(kInfo); ++i)
    if (kInfo[i].name == name) return kOps<S>[i];
  ATTNSCOPE_CHECK(false, std::string(name));
}

template ScoreOps<float> scoreOps(std::string_view);
template ScoreOps<double> scoreOps(std::string_view);

void addAttentionParameters(ParameterLayout& layout, const AttentionConfig& config, int m, int d) {
  const auto add = [&](const char* name, std::vector<int> shape) {
    layout.add(std::string("attention.") + name, std::move(shape), Init::Glorot);
  };
  if (config.score == "general") add("W", {m, d});
  if (config.score == "concat") add("W", {config.units, d + m});
  if (config.score == "additive") {
    add("W1", {config.units, m});
    add("W2", {config.units, d});
  }
  if (config.score == "additive" || config.score == "concat") add("q", {config.units});
}

}  // namespace attnscope
