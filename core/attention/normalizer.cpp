#include "core/attention/normalizer.h"

#include <string>

#include "core/attention/tables.h"
#include "core/base/error.h"
#include "core/tensor/eigen.h"

namespace attnscope {
namespace {

constexpr MechanismInfo kInfo[] = {
    {"softmax", "softmax", "pᵢ = exp(eᵢ) / Σⱼ exp(eⱼ)", "Bahdanau et al. 2014, eq. 6"},
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
void softmaxBackward(const S* weights, const S* dWeights, int n, S* dScores) {
  const Eigen::Map<const Eigen::Array<S, 1, Eigen::Dynamic>> p(weights, n), dp(dWeights, n);
  asRow(dScores, n) += p * (dp - (p * dp).sum());
}

// Same order as kInfo.
template <class S>
constexpr NormalizerOps<S> kOps[] = {
    {softmaxForward<S>, softmaxBackward<S>},
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
