// The scores (models.md 3), one row of kInfo and kOps each.
#include <algorithm>
#include <array>
#include <cmath>
#include <string>

#include "core/attention/attention.h"
#include "core/attention/tables.h"
#include "core/base/error.h"

namespace attnscope {
namespace {

constexpr MechanismInfo kInfo[] = {
    {.name = "dot", .title = "dot", .formula = "eᵢ = ⟨vᵢ, u⟩", .source = "Luong et al. 2015, eq. 8", .equalSizes = true},
    {.name = "scaled_dot",
     .title = "scaled dot",
     .formula = "eᵢ = ⟨vᵢ, u⟩ / √d",
     .source = "Vaswani et al. 2017, eq. 1",
     .equalSizes = true},
    {.name = "mean_dot",
     .title = "mean dot",
     .formula = "eᵢ = ⟨vᵢ, u⟩ / d",
     .source = "mean of the element-wise product",
     .equalSizes = true},
    {.name = "general", .title = "general", .formula = "eᵢ = vᵢᵀ W u", .source = "Luong et al. 2015, eq. 8"},
    {.name = "additive",
     .title = "additive",
     .formula = "eᵢ = qᵀ tanh(W₁ vᵢ + W₂ u)",
     .source = "Bahdanau et al. 2014, A.1.2",
     .takesUnits = true,
     .takesCoverage = true},
    {.name = "concat",
     .title = "concat",
     .formula = "eᵢ = qᵀ tanh(W [u; vᵢ])",
     .source = "Luong et al. 2015, eq. 8",
     .takesUnits = true},
    {.name = "location",
     .title = "location",
     .formula = "eᵢ = (W u)ᵢ",
     .source = "Luong et al. 2015, eq. 8",
     .takesMaxLength = true},
    {.name = "mlp",
     .title = "perceptron",
     .formula = "eᵢ = qᵀ tanh(B tanh(A [vᵢ; u] + a) + b)",
     .source = "two-layer form of Bahdanau et al. 2014, A.1.2",
     .takesUnits = true},
    {.name = "cosine",
     .title = "cosine",
     .formula = "eᵢ = β ⟨vᵢ, u⟩ / (‖vᵢ‖ ‖u‖), β = softplus(⟨w, u⟩ + b)",
     .source = "Graves et al. 2014, eq. 5 and 6",
     .equalSizes = true},
    {.name = "location_sensitive",
     .title = "location-sensitive",
     .formula = "eᵢ = qᵀ tanh(W₁ vᵢ + W₂ u + U fᵢ + b), f = F ∗ p⁻",
     .source = "Chorowski et al. 2015, eq. 8 and 9",
     .takesUnits = true,
     .takesFilters = true},
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

// This step's part of a buffer with a row for every step, position and example.
template <class S>
Var<S> stepCells(const AttentionPass<S>& pass, Var<S> all, int step) {
  const int cells = pass.positions * pass.batch;
  return all.rows(step * cells, cells);
}

template <class S>
Var<S> cellBuffer(const AttentionPass<S>& pass, int columns) {
  return pass.tape->zeros(pass.steps * pass.positions * pass.batch, columns);
}

// `extra`: what this step adds inside the tanh, or nothing.
template <class S>
void scoreTanhWith(AttentionPass<S>& pass, int step, Var<S> extra) {
  const int first = step * pass.batch;
  pass.queryProjection.apply(*pass.tape, first, pass.batch);
  additiveScores(*pass.tape, pass.keys, pass.projectedQueries.rows(first, pass.batch), extra, pass.vector,
                 pass.ranges + first, pass.inverseTemperature, pass.scores.rows(first, pass.batch));
}

template <class S>
void scoreTanh(AttentionPass<S>& pass, int step) {
  scoreTanhWith(pass, step, Var<S>{});
}

// additive with coverage (See et al. 2017, eq. 11).
template <class S>
void scoreAdditive(AttentionPass<S>& pass, int step) {
  if (!pass.coverage) return scoreTanh(pass, step);
  const Var<S> extra = pass.tape->zeros(pass.positions * pass.batch, pass.vector.columnCount());
  const int first = step * pass.batch;
  spreadCoverage(*pass.tape, pass.coverage.rows(first, pass.batch), (*pass.parameters)["attention.w_cov"],
                 pass.ranges + first, extra);
  scoreTanhWith(pass, step, extra);
}

// location_sensitive: a convolution over the previous weights comes into the tanh. At step 1 they are zero.

template <class S>
void setUpLocationSensitive(AttentionPass<S>& pass) {
  const Parameters<S>& parameters = *pass.parameters;
  const Var<S> spread = parameters["attention.U"];
  setUpTanh(pass, parameters["attention.W1"], parameters["attention.W2"]);
  addBias(*pass.tape, parameters["attention.b"], pass.keys);
  pass.features = cellBuffer(pass, spread.columnCount());
  pass.extra = cellBuffer(pass, spread.rowCount());
  pass.extraProjection = Projection<S>(*pass.tape, spread, pass.features, pass.extra);
}

template <class S>
void scoreLocationSensitive(AttentionPass<S>& pass, int step) {
  const int first = step * pass.batch, cells = pass.positions * pass.batch;
  if (step > 0) {
    convolveWeights(*pass.tape, pass.weights.rows(first - pass.batch, pass.batch), (*pass.parameters)["attention.F"],
                    pass.ranges + first, stepCells(pass, pass.features, step));
    pass.extraProjection.apply(*pass.tape, step * cells, cells);
  }
  scoreTanhWith(pass, step, stepCells(pass, pass.extra, step));
}

// location: row i of W u is the score of position i; the memory's content plays no part.

template <class S>
void setUpLocation(AttentionPass<S>& pass) {
  const Var<S> weight = (*pass.parameters)["attention.W"];
  const int positions = std::min(pass.positions, weight.rowCount());
  pass.projectedQueries = pass.tape->zeros(pass.queries.rowCount(), positions);
  pass.queryProjection = Projection<S>(*pass.tape, weight.rows(0, positions), pass.queries, pass.projectedQueries);
}

template <class S>
void scoreLocation(AttentionPass<S>& pass, int step) {
  const int first = step * pass.batch;
  pass.queryProjection.apply(*pass.tape, first, pass.batch);
  scoresFrom(*pass.tape, pass.projectedQueries.rows(first, pass.batch), pass.ranges + first, pass.inverseTemperature,
             pass.scores.rows(first, pass.batch));
}

// mlp: two layers of tanh over [v; u]; the first layer's part of v is the key.

template <class S>
void setUpMlp(AttentionPass<S>& pass) {
  const Parameters<S>& parameters = *pass.parameters;
  const Var<S> first = parameters["attention.layers.0.weight"], second = parameters["attention.layers.1.weight"];
  const int m = pass.memory.columnCount(), units = first.rowCount();
  setUpTanh(pass, first.columns(0, m), first.columns(m, first.columnCount() - m));
  addBias(*pass.tape, parameters["attention.layers.0.bias"], pass.keys);
  pass.hidden = cellBuffer(pass, units);
  pass.hidden2 = cellBuffer(pass, units);
  addBias(*pass.tape, parameters["attention.layers.1.bias"], pass.hidden2);
  pass.extraProjection = Projection<S>(*pass.tape, second, pass.hidden, pass.hidden2);
}

template <class S>
void scoreMlp(AttentionPass<S>& pass, int step) {
  Tape<S>& tape = *pass.tape;
  const int first = step * pass.batch, cells = pass.positions * pass.batch;
  const Range* ranges = pass.ranges + first;
  pass.queryProjection.apply(tape, first, pass.batch);
  tanhWithQuery(tape, pass.keys, pass.projectedQueries.rows(first, pass.batch), ranges,
                stepCells(pass, pass.hidden, step));
  pass.extraProjection.apply(tape, step * cells, cells);
  const Var<S> hidden2 = stepCells(pass, pass.hidden2, step);
  tanhInPlace(tape, hidden2);
  readOutScores(tape, hidden2, pass.vector, ranges, pass.inverseTemperature, pass.scores.rows(first, pass.batch));
}

// cosine with a learned sharpness β.

template <class S>
void setUpCosine(AttentionPass<S>& pass) {
  const int rows = pass.queries.rowCount();
  pass.projectedQueries = pass.tape->zeros(rows, 1);
  pass.beta = pass.tape->zeros(rows, 1);
  addBias(*pass.tape, (*pass.parameters)["attention.beta.bias"], pass.projectedQueries);
  pass.queryProjection =
      Projection<S>(*pass.tape, (*pass.parameters)["attention.beta.weight"], pass.queries, pass.projectedQueries);
}

template <class S>
void scoreCosine(AttentionPass<S>& pass, int step) {
  const int first = step * pass.batch;
  const Var<S> beta = pass.beta.rows(first, pass.batch);
  pass.queryProjection.apply(*pass.tape, first, pass.batch);
  softplusOp(*pass.tape, pass.projectedQueries.rows(first, pass.batch), beta);
  cosineScores(*pass.tape, pass.memory, pass.queries.rows(first, pass.batch), beta, pass.ranges + first,
               pass.inverseTemperature, pass.scores.rows(first, pass.batch));
}

// Same order as kInfo.
template <class S>
constexpr std::array<ScoreOps<S>, std::size(kInfo)> kOps = {{
    {setUpPlainDot<S>, prepareNothing<S>, scoreDot<S>},
    {setUpScaledDot<S>, prepareNothing<S>, scoreDot<S>},
    {setUpMeanDot<S>, prepareNothing<S>, scoreDot<S>},
    {setUpGeneral<S>, prepareGeneral<S>, scoreDot<S>},
    {setUpAdditive<S>, prepareKeys<S>, scoreAdditive<S>},
    {setUpConcat<S>, prepareKeys<S>, scoreTanh<S>},
    {setUpLocation<S>, prepareNothing<S>, scoreLocation<S>},
    {setUpMlp<S>, prepareKeys<S>, scoreMlp<S>},
    {setUpCosine<S>, prepareNothing<S>, scoreCosine<S>},
    {setUpLocationSensitive<S>, prepareKeys<S>, scoreLocationSensitive<S>},
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

int memoryLimit(const AttentionConfig& config) { return config.maxLength; }

void addAttentionParameters(ParameterLayout& layout, const AttentionConfig& config, int m, int d) {
  const int a = config.units;
  const auto add = [&](const char* name, std::vector<int> shape, Init init = Init::Glorot) {
    layout.add(std::string("attention.") + name, std::move(shape), init);
  };
  const bool sensitive = config.score == "location_sensitive", mlp = config.score == "mlp";
  if (config.score == "general") add("W", {m, d});
  if (config.score == "concat") add("W", {a, d + m});
  if (config.score == "location") add("W", {config.maxLength, d});
  if (config.score == "additive" || sensitive) {
    add("W1", {a, m});
    add("W2", {a, d});
  }
  if (mlp) {
    add("layers.0.weight", {a, m + d});
    add("layers.0.bias", {a}, Init::Zero);
    add("layers.1.weight", {a, a});
    add("layers.1.bias", {a}, Init::Zero);
  }
  if (config.score == "additive" || config.score == "concat" || mlp || sensitive) add("q", {a});
  if (sensitive) {
    add("b", {a}, Init::Zero);
    add("F", {config.filters, 1, config.width});
    add("U", {a, config.filters});
  }
  if (config.score == "cosine") {
    add("beta.weight", {1, d});
    add("beta.bias", {1}, Init::Zero);
  }
  if (config.coverage) add("w_cov", {a});
  addScopeParameters(layout, config, d);
}

}  // namespace attnscope
