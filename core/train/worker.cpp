#include "core/train/worker.h"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <condition_variable>
#include <deque>
#include <mutex>
#include <thread>

#include "core/base/error.h"

namespace attnscope {
namespace {

using Clock = std::chrono::steady_clock;
constexpr auto kPublishInterval = std::chrono::milliseconds(16);
constexpr double kLeastPace = 1e-3;   // a step in a quarter of an hour; less would overflow a clock
constexpr double kLossMemory = 0.95;  // running mean over about 20 steps

bool ends(RunState state) { return state == RunState::Finished || state == RunState::Failed; }

}  // namespace

// What the threads share, and what only the worker thread touches.
struct Worker::State {
  explicit State(std::function<void()> wakeUp) : wake(std::move(wakeUp)) {}

  using Command = std::function<void(State&)>;

  // Shared, under `mutex`.
  std::mutex mutex;
  std::condition_variable_any arrived;
  std::deque<Command> commands;
  std::shared_ptr<const Snapshot> mailbox = std::make_shared<Snapshot>();
  bool wakePending = false;
  std::vector<HistoryPoint> history;
  std::uint64_t requests = 0;

  // The worker thread's own.
  std::function<void()> wake;
  std::shared_ptr<const TrainingData> data;
  DataSpec spec;
  Json config;
  std::optional<ModelFile> file;  // reset() of an opened model goes back to it
  TrainOptions options;
  std::unique_ptr<Trainer> trainer;
  Snapshot current;
  TraceRequest request;
  std::uint64_t requestNumber = 0;
  double stepsPerSecond = 0;
  Clock::time_point lastPublished{}, lastStep{}, traceDue{};
  bool stale = true;               // the trace is not of the present weights and request

  void post(Command command) {
    {
      const std::lock_guard lock(mutex);
      commands.push_back(std::move(command));
    }
    arrived.notify_one();
  }

  void serve(const std::stop_token& stop);
  bool applyCommands(const std::stop_token& stop);
  void trainOnce();
  void publish();
  void refreshTrace();

  void begin(RunState state);
  void install(std::unique_ptr<Trainer> made, bool fromFile);
  void say(const std::string& message);
  void fail(const std::string& message);
  void refuse(RunState before, const std::string& message);
  void load(const RunSpec& run);
  void open(const std::filesystem::path& path);
  void reset();
  void save(const std::filesystem::path& path);
};

// Waits for a command, or for the next step when paced. False: the worker is to end.
bool Worker::State::applyCommands(const std::stop_token& stop) {
  std::deque<Command> taken;
  {
    std::unique_lock lock(mutex);
    const auto ready = [this] { return !commands.empty(); };
    if (current.state != RunState::Training)
      arrived.wait(lock, stop, ready);
    else if (stepsPerSecond > 0)
      arrived.wait_until(
          lock, stop,
          lastStep + std::chrono::duration_cast<Clock::duration>(std::chrono::duration<double>(1 / stepsPerSecond)),
          ready);
    taken.swap(commands);
  }
  for (auto& command : taken) {
    if (stop.stop_requested()) return false;
    command(*this);
  }
  if (!taken.empty()) publish();
  return !stop.stop_requested();
}

void Worker::State::serve(const std::stop_token& stop) {
  while (applyCommands(stop)) {
    if (current.state != RunState::Training) continue;
    const auto due = lastStep + std::chrono::duration<double>(stepsPerSecond > 0 ? 1 / stepsPerSecond : 0);
    if (Clock::now() < due) continue;
    trainOnce();
    if (current.state != RunState::Training || Clock::now() - lastPublished >= kPublishInterval) publish();
  }
}

void Worker::State::trainOnce() {
  lastStep = Clock::now();
  HistoryPoint point;
  try {
    point = trainer->advance();
  } catch (const Error& error) {
    fail(error.what());
    return;
  } catch (const std::exception& error) {
    fail(std::string("training stopped by an internal error: ") + error.what());
    return;
  }
  current.loss = history.empty() ? point.loss : kLossMemory * current.loss + (1 - kLossMemory) * point.loss;
  current.tokensPerSecond = current.tokensPerSecond == 0
                                ? point.tokensPerSecond
                                : kLossMemory * current.tokensPerSecond + (1 - kLossMemory) * point.tokensPerSecond;
  current.step = point.step;
  current.epoch = point.epoch;
  current.seconds = point.seconds;
  current.secondsLeft = trainer->secondsLeft();
  if (point.validation) current.validation = point.validation;
  stale = true;
  {
    const std::lock_guard lock(mutex);
    history.push_back(std::move(point));
  }
  if (trainer->endReason().empty()) return;
  trainer->finish();
  current.state = RunState::Finished;
  say(trainer->endReason());
}

void Worker::State::refreshTrace() {
  if (!trainer || !stale) return;
  const auto start = Clock::now();
  // While it trains, the trace of a long input must not take most of the time: it comes less often.
  const bool asked = current.traceRequest != requestNumber;
  if (!asked && current.state == RunState::Training && start < traceDue) return;
  stale = false;
  current.traceRequest = requestNumber;
  current.traceStep = trainer->step();
  current.traceError.clear();
  try {
    current.trace = std::make_shared<const Trace>(trainer->trace(request));
  } catch (const Error& error) {
    current.traceError = error.message();
  } catch (const std::exception& error) {
    current.traceError = std::string("internal error: ") + error.what();
  }
  const auto end = Clock::now();
  traceDue = end + 3 * (end - start);
}

void Worker::State::publish() {
  refreshTrace();
  bool wakeNow = false;
  {
    const std::lock_guard lock(mutex);
    mailbox = std::make_shared<const Snapshot>(current);
    wakeNow = !wakePending;
    wakePending = true;
  }
  lastPublished = Clock::now();
  if (wakeNow) wake();
}

// A new generation: whatever was shown before is of an older model.
void Worker::State::begin(RunState state) {
  const std::uint64_t generation = current.generation + 1, saves = current.saves, messages = current.messages;
  current = Snapshot{};
  current.generation = generation;
  current.messages = messages;
  current.saves = saves;
  current.state = state;
  stale = true;
  const std::lock_guard lock(mutex);
  history.clear();
}

void Worker::State::install(std::unique_ptr<Trainer> made, bool fromFile) {
  begin(RunState::Paused);
  trainer = std::move(made);
  RunInfo info;
  info.config = trainer->config();
  info.data = trainer->sharedData();
  info.options = trainer->options();
  info.parameters = static_cast<long>(trainer->predictor().layout().size());
  info.fromModelFile = fromFile;
  refreshTrace();
  info.memoryBytes = trainer->memoryBytes();
  current.info = std::make_shared<const RunInfo>(std::move(info));
  current.step = trainer->step();
}

// The trainer stays in place with its last finite weights.
void Worker::State::fail(const std::string& message) {
  current.state = RunState::Failed;
  say(message);
}

void Worker::State::say(const std::string& message) {
  current.message = message;
  ++current.messages;
}

// What ran before goes on as it was; where nothing did, there is nothing to go back to.
void Worker::State::refuse(RunState before, const std::string& message) {
  fail(message);
  if (trainer) current.state = before;
}

void Worker::State::load(const RunSpec& run) {
  const RunState before = current.state;
  current.state = RunState::Loading;
  publish();
  try {
    auto loaded = loadData(run.data, run.train.seed);
    const Json wanted = run.config.is_null() ? defaultConfig(run.data, *loaded) : run.config;
    auto made = std::make_unique<Trainer>(loaded, wanted, run.train);
    spec = run.data;
    config = wanted;
    options = run.train;
    data = loaded;
    file.reset();
    install(std::move(made), false);
  } catch (const std::exception& error) {
    refuse(before, error.what());
  }
}

void Worker::State::open(const std::filesystem::path& path) {
  const RunState before = current.state;
  current.state = RunState::Loading;
  publish();
  try {
    ModelFile model = readModelFile(path);
    TrainOptions own = options;
    if (model.task.is_object() && model.task.contains("seed") && model.task["seed"].is_number_unsigned())
      own.seed = model.task["seed"].get<std::uint64_t>();
    std::string missing;
    auto loaded = dataOf(model, path, own.seed, missing);
    auto made = std::make_unique<Trainer>(loaded, model, own);
    config = model.config;
    options = own;
    data = loaded;
    file = std::move(model);
    install(std::move(made), true);
    if (!missing.empty()) say(missing);
  } catch (const std::exception& error) {
    refuse(before, error.what());
  }
}

void Worker::State::reset() {
  if (!trainer) return;
  try {
    auto made =
        file ? std::make_unique<Trainer>(data, *file, options) : std::make_unique<Trainer>(data, config, options);
    install(std::move(made), file.has_value());
  } catch (const std::exception& error) {
    fail(error.what());
  }
}

void Worker::State::save(const std::filesystem::path& path) {
  current.saveError.clear();
  try {
    if (!trainer) throw Error(ErrorKind::Usage, "", "there is no model to save yet");
    writeModelFile(trainer->modelFile(), path);
  } catch (const std::exception& error) {
    current.saveError = error.what();
  }
  ++current.saves;
}

struct Worker::Thread {
  std::jthread thread;
};

Worker::Worker(std::function<void()> wake)
    : m_state(std::make_unique<State>(std::move(wake))), m_thread(std::make_unique<Thread>()) {
  m_thread->thread = std::jthread([state = m_state.get()](const std::stop_token& stop) { state->serve(stop); });
}

Worker::~Worker() = default;  // m_thread, declared last, is stopped and joined first

void Worker::load(RunSpec run) {
  m_state->post([run = std::move(run)](State& state) { state.load(run); });
}
void Worker::openModel(std::filesystem::path path) {
  m_state->post([path = std::move(path)](State& state) { state.open(path); });
}
void Worker::reset() {
  m_state->post([](State& state) { state.reset(); });
}

void Worker::train() {
  m_state->post([](State& state) {
    if (!state.trainer) return;
    if (!state.trainer->canTrain()) {
      state.say("there are no data to train on; open a data file or choose a task");
      return;
    }
    // A run that has reached its bounds goes on without them: the wish is explicit.
    if (state.current.state == RunState::Finished) state.trainer->clearBounds();
    state.current.state = RunState::Training;
    state.current.message.clear();
    state.lastStep = {};
  });
}

void Worker::pause() {
  m_state->post([](State& state) {
    if (state.current.state == RunState::Training) state.current.state = RunState::Paused;
  });
}

void Worker::singleStep() {
  m_state->post([](State& state) {
    if (!state.trainer || !state.trainer->canTrain() || state.current.state == RunState::Training) return;
    const bool ended = ends(state.current.state);
    state.current.state = RunState::Paused;
    if (ended) state.current.message.clear();
    state.trainOnce();
  });
}

void Worker::setRate(double rate) {
  m_state->post([rate](State& state) {
    if (!(rate > 0) || !std::isfinite(rate)) return;
    state.options.rate = rate;
    if (state.trainer) state.trainer->options().rate = rate;
  });
}

void Worker::setTemperature(double temperature) {
  m_state->post([temperature](State& state) {
    if (!state.trainer || !(temperature > 0)) return;
    state.trainer->predictor().setTemperature(temperature);
    // A reset keeps it, as it keeps a changed rate.
    if (!state.file) state.config = state.trainer->config();
    state.stale = true;
  });
}

void Worker::setTeacherForcing(double probability) {
  m_state->post([p = std::clamp(probability, 0.0, 1.0)](State& state) {
    state.options.teacherForcing = p;
    if (state.trainer) state.trainer->options().teacherForcing = p;
  });
}

void Worker::setClip(double clip) {
  m_state->post([clip = std::max(0.0, clip)](State& state) {
    state.options.clip = clip;
    if (state.trainer) state.trainer->options().clip = clip;
  });
}

void Worker::setPace(double stepsPerSecond) {
  m_state->post([pace = stepsPerSecond > 0 ? std::max(kLeastPace, stepsPerSecond) : 0](State& state) {
    state.stepsPerSecond = pace;
  });
}

std::uint64_t Worker::setTraceRequest(TraceRequest request) {
  std::uint64_t number = 0;
  {
    const std::lock_guard lock(m_state->mutex);
    number = ++m_state->requests;
  }
  m_state->post([request = std::move(request), number](State& state) {
    state.request = request;
    state.requestNumber = number;
    state.stale = true;
  });
  return number;
}

void Worker::saveModel(std::filesystem::path path) {
  m_state->post([path = std::move(path)](State& state) { state.save(path); });
}

std::shared_ptr<const Snapshot> Worker::takeSnapshot() {
  const std::lock_guard lock(m_state->mutex);
  m_state->wakePending = false;
  return m_state->mailbox;
}

std::vector<HistoryPoint> Worker::historySince(std::size_t index) {
  const std::lock_guard lock(m_state->mutex);
  if (index >= m_state->history.size()) return {};
  return {m_state->history.begin() + static_cast<std::ptrdiff_t>(index), m_state->history.end()};
}

}  // namespace attnscope
