#include "core/autograd/ops_loss.h"

#include <cmath>
#include <string>

#include "core/base/error.h"
#include "core/tensor/eigen.h"

namespace attnscope {

template <class S>
double crossEntropy(Var<S> logits, const int* targets, double scale) {
  const int size = logits.columnCount();
  double total = 0;
  for (int r = 0; r < logits.rowCount(); ++r) {
    if (targets[r] < 0) continue;
    ATTNSCOPE_CHECK(targets[r] < size, std::to_string(targets[r]));
    const auto row = asRow(logits.value.row(r), size);
    const S largest = row.maxCoeff();
    S sum;
    if (logits.grad) {
      auto grad = asRow(logits.grad.row(r), size);
      grad = (row - largest).exp();
      sum = grad.sum();
      grad *= static_cast<S>(scale) / sum;
      grad[targets[r]] -= static_cast<S>(scale);
    } else {
      sum = (row - largest).exp().sum();
    }
    total += static_cast<double>(std::log(sum) + largest - row[targets[r]]);
  }
  return total;
}

template <class S>
double squaredError(Var<S> prediction, const S* target, const unsigned char* real, double scale) {
  const int size = prediction.columnCount();
  double total = 0;
  for (int r = 0; r < prediction.rowCount(); ++r) {
    if (real && !real[r]) continue;
    for (int k = 0; k < size; ++k) {
      const S difference = prediction.value.row(r)[k] - target[static_cast<std::size_t>(r) * size + k];
      total += static_cast<double>(difference) * static_cast<double>(difference);
      if (prediction.grad) prediction.grad.row(r)[k] = static_cast<S>(2 * scale) * difference;
    }
  }
  return total;
}

template double crossEntropy(Var<float>, const int*, double);
template double crossEntropy(Var<double>, const int*, double);
template double squaredError(Var<float>, const float*, const unsigned char*, double);
template double squaredError(Var<double>, const double*, const unsigned char*, double);

}  // namespace attnscope
