// Compares what backward gives with central differences, in double.
#pragma once

#include <algorithm>
#include <cmath>
#include <functional>
#include <string>
#include <vector>

#include "core/autograd/tape.h"
#include "core/base/random.h"

namespace attnscope {

struct GradientError {
  double error = 0;      // ‖backward − difference‖∞ / max(1e-3, ‖difference‖∞), the worst of all inputs
  std::string where;
};

// `values` are the numbers the function depends on, `gradients` what backward gave for them. `loss` runs forward.
inline GradientError compareWithDifferences(const std::string& name, double* values, const double* gradients,
                                            std::size_t count, const std::function<double()>& loss) {
  constexpr double kStep = 1e-5;
  double worst = 0, largest = 1e-3;
  std::size_t at = 0;
  for (std::size_t i = 0; i < count; ++i) {
    const double kept = values[i];
    values[i] = kept + kStep;
    const double up = loss();
    values[i] = kept - kStep;
    const double down = loss();
    values[i] = kept;
    const double difference = (up - down) / (2 * kStep);
    largest = std::max(largest, std::abs(difference));
    if (std::abs(difference - gradients[i]) > worst) worst = std::abs(difference - gradients[i]), at = i;
  }
  return {worst / largest, name + "[" + std::to_string(at) + "]"};
}

// An operation on inputs of given shapes; the loss is a fixed random combination of its output.
struct OpCase {
  std::string name;
  std::vector<std::pair<int, int>> shapes;
  std::function<Var<double>(Tape<double>&, const std::vector<Var<double>>&)> run;
};

class OpCheck {
 public:
  explicit OpCheck(const OpCase& op) : m_op(op) {
    Random random(7, op.name);
    for (const auto& [rows, columns] : op.shapes) {
      m_values.emplace_back(static_cast<std::size_t>(rows) * columns);
      m_gradients.emplace_back(m_values.back().size(), 0.0);
      for (double& x : m_values.back()) x = random.uniform(-1, 1);
    }
  }

  GradientError worst() {
    backward();
    GradientError worst;
    for (std::size_t k = 0; k < m_values.size(); ++k) {
      const auto one = compareWithDifferences("input " + std::to_string(k), m_values[k].data(), m_gradients[k].data(),
                                              m_values[k].size(), [this] { return forward(); });
      if (one.error > worst.error) worst = one;
    }
    return worst;
  }

 private:
  std::vector<Var<double>> bind() {
    std::vector<Var<double>> inputs;
    for (std::size_t k = 0; k < m_values.size(); ++k) {
      const auto [rows, columns] = m_op.shapes[k];
      inputs.push_back({{m_values[k].data(), rows, columns, columns}, {m_gradients[k].data(), rows, columns, columns}});
    }
    return inputs;
  }

  double coefficient(int r, int c) const { return std::sin(1.0 + 3.0 * r + 7.0 * c); }

  double forward() {
    Tape<double> tape(false);
    auto inputs = bind();
    for (auto& input : inputs) input.grad = {};
    const Var<double> out = m_op.run(tape, inputs);
    double loss = 0;
    for (int r = 0; r < out.rowCount(); ++r)
      for (int c = 0; c < out.columnCount(); ++c) loss += coefficient(r, c) * out.value.row(r)[c];
    return loss;
  }

  void backward() {
    Tape<double> tape;
    const Var<double> out = m_op.run(tape, bind());
    for (int r = 0; r < out.rowCount(); ++r)
      for (int c = 0; c < out.columnCount(); ++c) out.grad.row(r)[c] = coefficient(r, c);
    tape.backward();
  }

  const OpCase& m_op;
  std::vector<std::vector<double>> m_values, m_gradients;
};

}  // namespace attnscope
