// The equations of the mechanism in use, written for one step, from the model's configuration.
#pragma once

#include <QString>
#include <QStringList>

#include "core/trace/trace.h"

namespace attnscope {

// One line each, in Unicode; empty where the configuration does not say.
struct Equations {
  QString query;            // "u = s₃"
  QString score;            // "eᵢ = qᵀ tanh(W₁ vᵢ + W₂ u)"
  QString scoreName;        // "e" or "e/τ": what the numbers are
  QString weights;          // "p = softmax(e)"
  QString context;          // "c₄ = Σ pᵢ vᵢ"
  QStringList output;       // how the context reaches the output
  bool classifies = false;  // steps answer with classes; they do not write a sequence
};

Equations equationsAt(const Json& config, int step);  // step is 0-based

}  // namespace attnscope
