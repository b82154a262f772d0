// Optimisers over one block of parameters.
#pragma once

#include <string_view>

#include "core/tensor/aligned.h"

namespace attnscope {

enum class OptimizerKind { Sgd, Momentum, Adam };
OptimizerKind optimizerKind(std::string_view name);  // "sgd", "momentum", "adam"; else Error(Usage)
const char* optimizerName(OptimizerKind kind);

struct OptimizerStep {
  OptimizerKind kind = OptimizerKind::Adam;
  double rate = 0.002;
  double momentum = 0.9;     // momentum
  double weightDecay = 0;    // decoupled (Loshchilov & Hutter 2019): values −= rate · decay · values
  double clip = 0;           // global norm of the gradient; 0: none
};

class Optimizer {
 public:
  explicit Optimizer(std::size_t parameters) : m_first(parameters, 0.0f), m_second(parameters, 0.0f) {}

  // Clips `gradients` in place and moves `values`. Returns the global norm before clipping; when that is not finite
  // nothing moves. Adam: β 0.9 and 0.999, ε 1e-8 outside the root, bias-corrected (Kingma & Ba 2015).
  double step(const OptimizerStep& options, AlignedVector<float>& gradients, AlignedVector<float>& values);
  void reset();

 private:
  AlignedVector<float> m_first, m_second;  // momentum or Adam's moments
  long m_steps = 0;
};

}  // namespace attnscope
