// A model: its parameters' layout and its forward pass. Weights stand outside, so that several passes (pieces of a
// batch on several threads, validation, traces) share them.
#pragma once

#include <memory>

#include "core/autograd/parameters.h"
#include "core/base/random.h"
#include "core/data/batch.h"
#include "core/models/config.h"
#include "core/models/record.h"

namespace attnscope {

enum class Decoding {
  Forced,  // the reference is fed (teacher forcing)
  Free,    // the model's own choice is fed; greedy
  Mixed,   // each step one of the two, by `teacherForcing`; the loss counts all steps
};

struct RunOptions {
  Decoding decoding = Decoding::Forced;
  double teacherForcing = 1;      // Mixed: probability of the reference
  Random* random = nullptr;       // Mixed: draws
  int maxSteps = 0;               // Free: at most so many steps; 0: the batch's target length, or 2n + 10 without one
  double lossScale = 1;           // gradients are those of lossScale · (sum of the loss)
  double temperature = 0;         // > 0: instead of the configuration's
};

template <class S>
class Model {
 public:
  virtual ~Model() = default;
  // A forward pass; with a recording tape, tape.backward() then adds to the parameters' gradients.
  virtual Record<S> run(Tape<S>& tape, const Parameters<S>& parameters, const Batch& batch,
                        const RunOptions& options) const = 0;
};

// The parameters of a configuration: names, shapes, how they are drawn (models.md 4).
ParameterLayout parameterLayout(const ModelConfig& config);

template <class S>
std::unique_ptr<Model<S>> makeModel(const ModelConfig& config);

// The largest logit of each row, lowest id at a tie, from id `first` on.
template <class S>
void argMaxRows(View<S> logits, int first, int* chosen);

}  // namespace attnscope
