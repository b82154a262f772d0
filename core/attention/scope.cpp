#include "core/attention/scope.h"

#include <algorithm>
#include <cmath>
#include <string>

#include "core/attention/attention.h"
#include "core/attention/tables.h"
#include "core/base/error.h"

namespace attnscope {
namespace {

constexpr MechanismInfo kInfo[] = {
    {"global", "global", "every real position", "Luong et al. 2015, 3.1"},
    {.name = "local_m",
     .title = "local, monotonic",
     .formula = "|s − pₜ| ≤ D, pₜ = min(t, n)",
     .source = "Luong et al. 2015, 3.2",
     .smallestWindow = 0},
    {.name = "local_p",
     .title = "local, predicted",
     .formula = "|s − pₜ| ≤ D, pₜ = n·σ(vᵀ tanh(W u)), weights · exp(−(s − pₜ)²/(2(D/2)²))",
     .source = "Luong et al. 2015, eq. 9 and 10",
     .takesUnits = true,
     .smallestWindow = 1},
    {"causal", "causal", "s ≤ t", "Vaswani et al. 2017, 3.2.3"},
};

template <class S>
void chooseGlobal(AttentionPass<S>& pass, int step, const int* available) {
  for (int b = 0; b < pass.batch; ++b) pass.ranges[step * pass.batch + b] = {0, available[b]};
}

template <class S>
void chooseCausal(AttentionPass<S>& pass, int step, const int* available) {
  for (int b = 0; b < pass.batch; ++b) pass.ranges[step * pass.batch + b] = {0, std::min(step + 1, available[b])};
}

// Positions s = 1 … n with |s − centre| ≤ D, as a 0-based range.
Range around(double centre, int window, int n) {
  const int first = std::max(1, static_cast<int>(std::ceil(centre - window)));
  const int last = std::min(n, static_cast<int>(std::floor(centre + window)));
  return first > last ? Range{} : Range{first - 1, last};
}

template <class S>
void chooseMonotonic(AttentionPass<S>& pass, int step, const int* available) {
  for (int b = 0; b < pass.batch; ++b)
    pass.ranges[step * pass.batch + b] = around(std::min(step + 1, available[b]), pass.config->window, available[b]);
}

template <class S>
void setUpPredicted(AttentionPass<S>& pass) {
  Tape<S>& tape = *pass.tape;
  const Var<S> weight = (*pass.parameters)["attention.position.W"];
  const int rows = pass.queries.rowCount();
  pass.positionHidden = tape.zeros(rows, weight.rowCount());
  pass.positionLogit = tape.zeros(rows, 1);
  pass.centre = tape.zeros(rows, 1);
  pass.positionProjection = Projection<S>(tape, weight, pass.queries, pass.positionHidden);
  pass.positionReadOut = Projection<S>(tape, (*pass.parameters)["attention.position.v"], pass.positionHidden, pass.positionLogit);
  pass.sizes = tape.template array<int>(static_cast<std::size_t>(rows));
}

template <class S>
void choosePredicted(AttentionPass<S>& pass, int step, const int* available) {
  Tape<S>& tape = *pass.tape;
  const int first = step * pass.batch;
  std::copy_n(available, pass.batch, pass.sizes + first);
  pass.positionProjection.apply(tape, first, pass.batch);
  tanhInPlace(tape, pass.positionHidden.rows(first, pass.batch));
  pass.positionReadOut.apply(tape, first, pass.batch);
  scaledSigmoid(tape, pass.positionLogit.rows(first, pass.batch), pass.sizes + first, pass.centre.rows(first, pass.batch));
  for (int b = 0; b < pass.batch; ++b)
    pass.ranges[first + b] = around(pass.centre.value.row(first + b)[0], pass.config->window, available[b]);
}

template <class S>
void reweighPredicted(AttentionPass<S>& pass, int step) {
  const int first = step * pass.batch;
  gaussianWeights(*pass.tape, pass.rawWeights.rows(first, pass.batch), pass.centre.rows(first, pass.batch),
                  pass.ranges + first, static_cast<S>(pass.config->window) / 2, pass.weights.rows(first, pass.batch));
}

// Same order as kInfo.
template <class S>
constexpr ScopeOps<S> kOps[] = {
    {nullptr, chooseGlobal<S>, nullptr},
    {nullptr, chooseMonotonic<S>, nullptr},
    {setUpPredicted<S>, choosePredicted<S>, reweighPredicted<S>},
    {nullptr, chooseCausal<S>, nullptr},
};

}  // namespace

std::span<const MechanismInfo> scopeTable() { return kInfo; }

template <class S>
ScopeOps<S> scopeOps(std::string_view name) {
  for (std::size_t i = 0; i < std::size(kInfo); ++i)
    if (kInfo[i].name == name) return kOps<S>[i];
  ATTNSCOPE_CHECK(false, std::string(name));
}

template ScopeOps<float> scopeOps(std::string_view);
template ScopeOps<double> scopeOps(std::string_view);

void addScopeParameters(ParameterLayout& layout, const AttentionConfig& config, int d) {
  if (config.scope != "local_p") return;
  layout.add("attention.position.W", {config.units, d}, Init::Glorot);
  layout.add("attention.position.v", {config.units}, Init::Glorot);
}

}  // namespace attnscope
