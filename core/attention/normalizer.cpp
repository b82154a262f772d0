#include "core/attention/normalizer.h"

#include <algorithm>
#include <cmath>
#include <functional>
#include <string>
#include <vector>

#include "core/attention/tables.h"
#include "core/base/error.h"
#include "core/tensor/eigen.h"

namespace attnscope {
namespace {

constexpr MechanismInfo kInfo[] = {
    {"softmax", "softmax", "pᵢ = exp(eᵢ) / Σⱼ exp(eⱼ)", "Bahdanau et al. 2014, eq. 6"},
    {"sparsemax", "sparsemax", "pᵢ = max(eᵢ − κ, 0), κ such that Σ pᵢ = 1", "Martins & Astudillo 2016, eq. 3"},
    {"entmax15", "1.5-entmax", "pᵢ = max(eᵢ/2 − κ, 0)², κ such that Σ pᵢ = 1", "Peters et al. 2019, eq. 13"},
    {"hard", "hard", "pᵢ = 1 at the first largest eᵢ, else 0", "straight-through: Bengio et al. 2013"},
};

// The largest real score is subtracted first: exact under adding a constant, no overflow for any finite score.
template <class S>
void softmaxForward(const S* scores, int n, S* weights) {
  const Eigen::Map<const Eigen::Array<S, 1, Eigen::Dynamic>> e(scores, n);
  auto p = asRow(weights, n);
  p = (e - e.maxCoeff()).exp();
  p /= p.sum();
}

template <class S>
void softmaxBackward(const S*, const S* weights, const S* dWeights, int n, S* dScores) {
  const Eigen::Map<const Eigen::Array<S, 1, Eigen::Dynamic>> p(weights, n), dp(dWeights, n);
  asRow(dScores, n) += p * (dp - (p * dp).sum());
}

// Scores in falling order, in memory that each thread keeps.
template <class S>
std::vector<S>& sorted(const S* scores, int n) {
  thread_local std::vector<S> falling;
  falling.assign(scores, scores + n);
  std::sort(falling.begin(), falling.end(), std::greater<>());
  return falling;
}

template <class S>
void sparsemaxForward(const S* scores, int n, S* weights) {
  const std::vector<S>& z = sorted(scores, n);
  // Differences from the largest: exact under adding a constant.
  S sum = 0, threshold = 0;
  for (int k = 1; k <= n; ++k) {
    const S shifted = z[k - 1] - z[0];
    if (1 + static_cast<S>(k) * shifted <= sum + shifted) break;
    sum += shifted;
    threshold = (sum - 1) / static_cast<S>(k);
  }
  for (int i = 0; i < n; ++i) weights[i] = std::max(scores[i] - z[0] - threshold, S(0));
}

// diag(s) − s sᵀ/Σs with s the given non-negative vector.
template <class S, class Support>
void supportBackward(const S* weights, const S* dWeights, int n, S* dScores, Support support) {
  S total = 0, mean = 0;
  for (int i = 0; i < n; ++i) {
    total += support(weights[i]);
    mean += support(weights[i]) * dWeights[i];
  }
  if (total == 0) return;
  mean /= total;
  for (int i = 0; i < n; ++i) dScores[i] += support(weights[i]) * (dWeights[i] - mean);
}

template <class S>
void sparsemaxBackward(const S*, const S* weights, const S* dWeights, int n, S* dScores) {
  supportBackward(weights, dWeights, n, dScores, [](S p) { return p > 0 ? S(1) : S(0); });
}

template <class S>
void entmax15Forward(const S* scores, int n, S* weights) {
  const std::vector<S>& z = sorted(scores, n);
  S sum = 0, squares = 0, threshold = 0;
  for (int k = 1; k <= n; ++k) {
    const S x = (z[k - 1] - z[0]) / 2;
    sum += x;
    squares += x * x;
    const S mean = sum / static_cast<S>(k);
    const S spread = squares - sum * mean;
    const S candidate = mean - std::sqrt(std::max((1 - spread) / static_cast<S>(k), S(0)));
    if (candidate > x) break;
    threshold = candidate;
  }
  for (int i = 0; i < n; ++i) {
    const S root = std::max((scores[i] - z[0]) / 2 - threshold, S(0));
    weights[i] = root * root;
  }
}

template <class S>
void entmax15Backward(const S*, const S* weights, const S* dWeights, int n, S* dScores) {
  supportBackward(weights, dWeights, n, dScores, [](S p) { return std::sqrt(p); });
}

template <class S>
void hardForward(const S* scores, int n, S* weights) {
  std::fill_n(weights, n, S(0));
  weights[std::max_element(scores, scores + n) - scores] = 1;
}

// Straight-through: the gradient of softmax over the same scores.
template <class S>
void hardBackward(const S* scores, const S*, const S* dWeights, int n, S* dScores) {
  thread_local std::vector<S> soft;
  soft.resize(static_cast<std::size_t>(n));
  softmaxForward(scores, n, soft.data());
  softmaxBackward(scores, soft.data(), dWeights, n, dScores);
}

// Same order as kInfo.
template <class S>
constexpr NormalizerOps<S> kOps[] = {
    {softmaxForward<S>, softmaxBackward<S>},
    {sparsemaxForward<S>, sparsemaxBackward<S>},
    {entmax15Forward<S>, entmax15Backward<S>},
    {hardForward<S>, hardBackward<S>},
};

}  // namespace

std::span<const MechanismInfo> normalizerTable() { return kInfo; }

template <class S>
NormalizerOps<S> normalizerOps(std::string_view name) {
  for (std::size_t i = 0; i < std::size(kInfo); ++i)
    if (kInfo[i].name == name) return kOps<S>[i];
  ATTNSCOPE_CHECK(false, std::string(name));
}

template NormalizerOps<float> normalizerOps(std::string_view);
template NormalizerOps<double> normalizerOps(std::string_view);

}  // namespace attnscope
