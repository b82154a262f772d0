// Losses. Each returns the sum over what is real (in double, whatever the scalar) and, when recording, leaves
// ∂(scale · sum)/∂input in the input's gradient, from where backward goes on.
#pragma once

#include "core/autograd/tape.h"

namespace attnscope {

// Σ_r −log softmax(logits[r])[targets[r]] in nats over the rows with targets[r] ≥ 0.
template <class S>
double crossEntropy(Var<S> logits, const int* targets, double scale);

// Σ (prediction − target)² over the rows with real[r] ≠ 0 (nullptr: all). target [rows, columns] row-major.
template <class S>
double squaredError(Var<S> prediction, const S* target, const unsigned char* real, double scale);

}  // namespace attnscope
