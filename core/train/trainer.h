// Training, one optimiser step at a time, on the caller's thread (with helpers inside a step). The same options, data
// and seed give the same numbers to the last bit, whatever the number of threads.
#pragma once

#include <memory>
#include <optional>
#include <string>

#include "core/data/batcher.h"
#include "core/train/data_spec.h"
#include "core/train/predictor.h"

namespace attnscope {

// Which example a trace is of.
struct TraceRequest {
  int validationExample = 0;        // index modulo the number of validation examples
  std::optional<std::string> text;  // typed source instead (vector inputs: numbers, steps parted by spaces,
                                    // values of one step by commas)
  bool free = false;                // free-running although the target is known
};

class Trainer {
 public:
  // `config`: null for the default, sizes may be left out (the data give them). Throws Error when data and
  // configuration cannot go together or an option makes no sense, before anything is built.
  Trainer(std::shared_ptr<const TrainingData> data, const Json& config, const TrainOptions& options);
  // Goes on from a model file's weights. `data` may hold no examples; then only traces of typed text are possible.
  Trainer(std::shared_ptr<const TrainingData> data, const ModelFile& file, const TrainOptions& options);

  ~Trainer();

  const TrainingData& data() const { return *m_data; }
  std::shared_ptr<const TrainingData> sharedData() const { return m_data; }
  const TrainOptions& options() const { return m_options; }
  TrainOptions& options() {
    return m_options;
  }  // rate, clip, teacherForcing, weightDecay and bounds may change between steps
  const Predictor& predictor() const { return m_predictor; }
  Predictor& predictor() { return m_predictor; }
  Json config() const { return toJson(m_predictor.config()); }
  bool canTrain() const;

  // One optimiser step; validates when it is due (every validateEvery steps and where a bound of steps or epochs ends
  // the run), given validation data. Throws Error(Diverged) naming step and tensor when loss, gradient or new weights
  // are not finite; the weights are then those before the step.
  HistoryPoint advance();
  // Why the run has ended: "steps", "epochs", "seconds", "accuracy", "patience"; empty while it goes on.
  const std::string& endReason() const { return m_endReason; }
  void clearBounds();  // the run no longer ends by itself
  // With keepBest, puts back the weights of the best validation. Call once at the end.
  void finish();

  ValidationReport validate();  // on at most 512 validation examples
  long step() const { return m_step; }
  double epoch() const { return m_batcher ? m_batcher->epoch() : 0; }
  double seconds() const { return m_seconds; }
  double secondsLeft() const;  // by the first bound that can be foreseen; −1 without one
  std::size_t memoryBytes() const;

  Trace trace(const TraceRequest& request) const;  // Error(BadInput) where the text cannot be used
  // The model as it stands, with `attnscope.task` filled in.
  ModelFile modelFile() const;

 private:
  struct Piece;  // a part of the batch with its own tape and gradients

  void setUp();
  double forwardBackward(std::span<const Example* const> examples, long& count);
  void checkFinite(double loss, double norm) const;
  void checkWeights();
  void updateBounds(const HistoryPoint& point);

  std::shared_ptr<const TrainingData> m_data;
  TrainOptions m_options;
  Predictor m_predictor;
  Optimizer m_optimizer;
  ThreadPool m_pool;
  std::unique_ptr<Batcher> m_batcher;
  std::vector<std::unique_ptr<Piece>> m_pieces;
  AlignedVector<float> m_gradients;
  AlignedVector<float> m_before;  // the weights before the step under way
  long m_step = 0;
  long m_startStep = 0;  // a model file's; bounds count from here
  double m_seconds = 0;
  std::string m_endReason;
  // The best validation so far.
  AlignedVector<float> m_bestWeights;
  double m_bestScore = 0, m_bestLoss = 0;
  long m_validationsSinceBest = -1;  // −1: none yet
};

}  // namespace attnscope
