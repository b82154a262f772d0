// Training on its own thread: commands in, immutable snapshots out (architecture.md, Threads).
#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "core/data/training_data.h"
#include "core/trace/trace.h"
#include "core/train/options.h"
#include "core/train/report.h"
#include "core/train/trainer.h"

namespace attnscope {

enum class RunState {
  Empty,     // nothing loaded yet
  Loading,   // data are being read, a model is being built
  Paused,    // ready to train
  Training,
  Finished,  // a bound of the options was reached; may be continued with train()
  Failed,    // loading failed, or the loss is not finite; `message` says so
};

// What does not change while one model trains.
struct RunInfo {
  Json config;                          // complete
  std::shared_ptr<const TrainingData> data;
  TrainOptions options;
  long parameters = 0;
  std::size_t memoryBytes = 0;          // parameters, gradients, optimiser state and the largest tape so far or expected
  bool fromModelFile = false;           // loaded weights, not a fresh start
};

struct Snapshot {
  RunState state = RunState::Empty;
  std::uint64_t generation = 0;         // grows with every load/reset; a snapshot of an older one is stale
  std::shared_ptr<const RunInfo> info;  // null until something is loaded
  std::string message;                  // Finished: the reason; else one line, what went wrong and where
  std::uint64_t messages = 0;           // given so far: the same one again is news too
  long step = 0;
  double epoch = 0;
  double seconds = 0;                   // spent training
  double secondsLeft = -1;              // −1: no end is set
  double loss = 0;                      // of the last step, running mean of about 20 steps
  double tokensPerSecond = 0;           // target tokens (recurrent: steps)
  std::optional<ValidationReport> validation;  // the newest
  std::shared_ptr<const Trace> trace;   // one example, under the weights of `traceStep`; null before the first
  std::uint64_t traceRequest = 0;       // the number setTraceRequest returned for it
  std::string traceError;               // why the request could not be traced; empty where it could
  long traceStep = 0;
  std::uint64_t saves = 0;              // save commands done, and the last one's error
  std::string saveError;
};

// Thread-safe: any thread may call; one GUI thread is meant to. Commands are applied between training steps, in order.
class Worker {
 public:
  // `wake` is called on the worker thread, at most once until the next takeSnapshot().
  explicit Worker(std::function<void()> wake);
  ~Worker();  // stops the thread after the step under way
  Worker(const Worker&) = delete;
  Worker& operator=(const Worker&) = delete;

  void load(RunSpec spec);                        // new data and a new model with fresh weights; ends Paused or Failed
  void openModel(std::filesystem::path file);     // a model file with its task or data; ends Paused or Failed
  void reset();                                   // fresh weights, same data and options
  void train();
  void pause();
  void singleStep();
  void setRate(double rate);
  void setTemperature(double temperature);        // Error is impossible: values ≤ 0 are ignored
  void setTeacherForcing(double probability);
  void setClip(double clip);
  void setPace(double stepsPerSecond);            // 0: full speed
  std::uint64_t setTraceRequest(TraceRequest request);
  void saveModel(std::filesystem::path file);     // result in Snapshot::saves, saveError

  std::shared_ptr<const Snapshot> takeSnapshot();             // the newest; never null
  std::vector<HistoryPoint> historySince(std::size_t index);  // of the newest generation; complete and in order

 private:
  struct State;
  struct Thread;
  std::unique_ptr<State> m_state;
  std::unique_ptr<Thread> m_thread;  // last: joined before the state goes
};

}  // namespace attnscope
