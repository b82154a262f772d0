#include "core/autograd/optimizer.h"

#include <algorithm>
#include <cmath>
#include <string>

#include "core/base/error.h"
#include "core/tensor/eigen.h"

namespace attnscope {
namespace {

constexpr const char* kNames[] = {"sgd", "momentum", "adam"};
constexpr double kBeta1 = 0.9, kBeta2 = 0.999, kEpsilon = 1e-8;

// In double and in blocks: the rounding does not grow with the number of parameters.
double squaredNorm(const AlignedVector<float>& gradients) {
  double total = 0;
  for (std::size_t i = 0; i < gradients.size(); i += 1024) {
    const auto count = static_cast<int>(std::min<std::size_t>(1024, gradients.size() - i));
    total += Eigen::Map<const Eigen::ArrayXf, Eigen::Aligned64>(gradients.data() + i, count).cast<double>().square().sum();
  }
  return total;
}

using Block = Eigen::Map<Eigen::ArrayXf, Eigen::Aligned64>;

}  // namespace

OptimizerKind optimizerKind(std::string_view name) {
  for (int i = 0; i < 3; ++i)
    if (name == kNames[i]) return static_cast<OptimizerKind>(i);
  throw Error(ErrorKind::Usage, "optimizer", "'" + std::string(name) + "' is unknown; take adam, sgd or momentum");
}

const char* optimizerName(OptimizerKind kind) { return kNames[static_cast<int>(kind)]; }

double Optimizer::step(const OptimizerStep& options, AlignedVector<float>& gradients, AlignedVector<float>& values) {
  const double norm = std::sqrt(squaredNorm(gradients));
  if (!std::isfinite(norm)) return norm;
  ++m_steps;
  const auto size = static_cast<Eigen::Index>(values.size());
  Block gradient(gradients.data(), size), value(values.data(), size);
  if (options.clip > 0 && norm > options.clip) gradient *= static_cast<float>(options.clip / norm);
  if (options.weightDecay > 0) value *= static_cast<float>(1 - options.rate * options.weightDecay);
  Block first(m_first.data(), size), second(m_second.data(), size);
  const auto rate = static_cast<float>(options.rate);
  switch (options.kind) {
    case OptimizerKind::Sgd:
      value -= rate * gradient;
      break;
    case OptimizerKind::Momentum:
      first = static_cast<float>(options.momentum) * first + gradient;
      value -= rate * first;
      break;
    case OptimizerKind::Adam: {
      const auto t = static_cast<double>(m_steps);
      const auto stepSize = static_cast<float>(options.rate / (1 - std::pow(kBeta1, t)));
      const auto rootScale = static_cast<float>(1 / std::sqrt(1 - std::pow(kBeta2, t)));
      first += static_cast<float>(1 - kBeta1) * (gradient - first);
      second += static_cast<float>(1 - kBeta2) * (gradient.square() - second);
      value -= stepSize * first / (second.sqrt() * rootScale + static_cast<float>(kEpsilon));
      break;
    }
  }
  return norm;
}

void Optimizer::reset() {
  std::fill(m_first.begin(), m_first.end(), 0.0f);
  std::fill(m_second.begin(), m_second.end(), 0.0f);
  m_steps = 0;
}

}  // namespace attnscope
