#include "core/train/trainer.h"

#include <algorithm>
#include <chrono>
#include <cmath>

#include "core/base/error.h"
#include "core/tensor/kernels.h"

namespace attnscope {
namespace {

constexpr std::size_t kValidationExamples = 512;
constexpr int kExamplesPerPiece = 16;
constexpr int kMostPieces = 4;
constexpr long kMostSteps = 1'000'000'000'000;  // a file that claims more is not believed

// A function of the batch alone: the sums, and so the bits, do not depend on the number of threads.
int pieceCount(std::size_t examples) {
  return std::clamp(static_cast<int>(examples) / kExamplesPerPiece, 1, kMostPieces);
}

double secondsSince(std::chrono::steady_clock::time_point start) {
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
}

long lossCount(const ModelConfig& config, std::span<const Example* const> examples) {
  long count = 0;
  for (const Example* example : examples) {
    if (config.family == "seq2seq") {
      count += static_cast<long>(example->target.size());
      continue;
    }
    const RecurrentConfig& model = config.recurrent;
    const long steps =
        static_cast<long>(model.tokens ? example->source.size() : example->vectors.size() / model.vectorSize);
    switch (model.outputKind) {
      case OutputKind::Class:
        count += 1;
        break;
      case OutputKind::StepClass:
        count += steps;
        break;
      case OutputKind::Vector:
        count += model.outputSize;
        break;
      case OutputKind::StepVector:
        count += steps * model.outputSize;
        break;
    }
  }
  return count;
}

// What no step could be made with, whoever asked for it.
TrainOptions checkedOptions(TrainOptions options) {
  const auto need = [](bool fits, const char* name, const char* what) {
    if (!fits) throw Error(ErrorKind::Usage, name, std::string("must be ") + what);
  };
  need(options.batch >= 1 && options.batch <= 65536, "batch", "a whole number from 1 to 65536");
  need(options.rate > 0 && std::isfinite(options.rate), "rate", "a number above 0");
  need(options.momentum >= 0 && options.momentum < 1, "momentum", "from 0 to below 1");
  need(options.weightDecay >= 0 && std::isfinite(options.weightDecay), "weight-decay", "0 or a number above");
  need(options.clip >= 0 && std::isfinite(options.clip), "clip", "0 (none) or a number above");
  need(options.teacherForcing >= 0 && options.teacherForcing <= 1, "teacher-forcing", "a probability from 0 to 1");
  need(options.warmup >= 0, "warmup", "0 or a number of steps");
  need(options.validateEvery >= 0, "validate-every", "0 (never) or a number of steps");
  return options;
}

// The number that says which of two validations is better.
double scoreOf(const ValidationReport& report) {
  if (report.freeSequenceAccuracy) return *report.freeSequenceAccuracy;
  if (report.accuracy) return *report.accuracy;
  return -report.forcedLoss;
}

ModelConfig checkedConfig(const TrainingData& data, const Json& config) {
  Json complete = completeConfig(config, dataSizes(data));
  const ModelConfig parsed = parseConfig(complete);
  if (parsed.family != data.family)
    throw Error(ErrorKind::BadInput, "config.family",
                "is " + parsed.family + ", but " + data.name + " is data for the family " + data.family);
  if (parsed.family == "recurrent" && parsed.recurrent.tokens != (data.vectorSize == 0))
    throw Error(ErrorKind::BadInput, "config.input.kind",
                std::string("must be ") + (data.vectorSize == 0 ? "token" : "vector") + " for " + data.name);
  if (parsed.family == "recurrent" && !data.outputKind.empty()) {
    const std::string kind = toJson(parsed)["output"]["kind"];
    if (kind != data.outputKind)
      throw Error(ErrorKind::BadInput, "config.output.kind", "must be " + data.outputKind + " for " + data.name);
  }
  return parsed;
}

}  // namespace

struct Trainer::Piece {
  Piece(std::size_t parameters, std::uint64_t seed, int index)
      : gradients(parameters, 0.0f), random(seed, "forcing/" + std::to_string(index)) {}
  Tape<float> tape;
  AlignedVector<float> gradients;
  Random random;
  double loss = 0;
};

Trainer::Trainer(std::shared_ptr<const TrainingData> data, const Json& config, const TrainOptions& options)
    : m_data(std::move(data)),
      m_options(checkedOptions(options)),
      m_predictor(checkedConfig(*m_data, config), lexiconOf(*m_data), options.seed),
      m_optimizer(m_predictor.layout().size()),
      m_pool(options.threads) {
  setUp();
}

Trainer::Trainer(std::shared_ptr<const TrainingData> data, const ModelFile& file, const TrainOptions& options)
    : m_data(std::move(data)),
      m_options(checkedOptions(options)),
      m_predictor(file),
      m_optimizer(m_predictor.layout().size()),
      m_pool(options.threads) {
  if (canTrain()) checkedConfig(*m_data, file.config);
  const Json step = file.task.is_object() ? file.task.value("step", Json(0)) : Json(0);
  if (step.is_number_integer() && step >= 0 && step <= kMostSteps) m_step = step.get<long>();
  setUp();
}

Trainer::~Trainer() = default;

void Trainer::setUp() {
  m_gradients.assign(m_predictor.layout().size(), 0.0f);
  if (canTrain()) m_batcher = std::make_unique<Batcher>(*m_data, m_options.seed);
  for (int i = 0; i < kMostPieces; ++i)
    m_pieces.push_back(std::make_unique<Piece>(m_predictor.layout().size(), m_options.seed, i));
  m_startStep = m_step;
}

bool Trainer::canTrain() const { return m_data->draw || !m_data->train.empty(); }

double Trainer::forwardBackward(std::span<const Example* const> examples, long& count) {
  const int pieces = pieceCount(examples.size());
  count = lossCount(m_predictor.config(), examples);
  RunOptions options;
  options.lossScale = 1.0 / static_cast<double>(count);
  options.teacherForcing = m_options.teacherForcing;
  if (m_options.teacherForcing < 1 && m_predictor.config().family == "seq2seq") options.decoding = Decoding::Mixed;
  float* weights = m_predictor.weights().data();
  m_pool.run(pieces, [&](int index) {
    Piece& piece = *m_pieces[index];
    const std::size_t begin = examples.size() * index / pieces, end = examples.size() * (index + 1) / pieces;
    RunOptions own = options;
    own.random = &piece.random;
    piece.tape.reset();
    std::fill(piece.gradients.begin(), piece.gradients.end(), 0.0f);
    const Parameters<float> parameters(m_predictor.layout(), weights, piece.gradients.data());
    const Batch batch = m_predictor.batchOf(examples.subspan(begin, end - begin));
    piece.loss = m_predictor.model().run(piece.tape, parameters, batch, own).lossSum;
    piece.tape.backward();
  });
  double loss = 0;
  std::copy(m_pieces[0]->gradients.begin(), m_pieces[0]->gradients.end(), m_gradients.begin());
  for (int i = 0; i < pieces; ++i) {
    loss += m_pieces[i]->loss;
    if (i == 0) continue;
    const auto size = static_cast<int>(m_gradients.size());
    add(View<float>{m_gradients.data(), 1, size, size}, View<float>{m_pieces[i]->gradients.data(), 1, size, size});
  }
  return loss / static_cast<double>(count);
}

void Trainer::checkFinite(double loss, double norm) const {
  if (std::isfinite(loss) && std::isfinite(norm)) return;
  std::string tensor = "the loss";
  for (const auto& info : m_predictor.layout().list())
    if (!allFinite(m_gradients.data() + info.offset, info.count())) {
      tensor = "the gradient of " + info.name;
      break;
    }
  throw Error(ErrorKind::Diverged, "step " + std::to_string(m_step + 1),
              tensor + " is not finite; the weights of step " + std::to_string(m_step) +
                  " are kept. A lower learning rate or a tighter gradient clip helps");
}

// A rate that is far too large throws the weights out of range although loss and gradient were finite.
void Trainer::checkWeights() {
  AlignedVector<float>& weights = m_predictor.weights();
  for (const auto& info : m_predictor.layout().list()) {
    if (allFinite(weights.data() + info.offset, info.count())) continue;
    weights = m_before;
    throw Error(ErrorKind::Diverged, "step " + std::to_string(m_step + 1),
                "the new values of " + info.name + " are not finite; the weights of step " + std::to_string(m_step) +
                    " are kept. A lower learning rate helps");
  }
}

HistoryPoint Trainer::advance() {
  ATTNSCOPE_CHECK(m_batcher, "nothing to train on");
  const auto start = std::chrono::steady_clock::now();
  m_endReason.clear();
  HistoryPoint point;
  OptimizerStep step{m_options.optimizer, m_options.rate, m_options.momentum, m_options.weightDecay, m_options.clip};
  if (m_step < m_options.warmup) step.rate *= static_cast<double>(m_step + 1) / static_cast<double>(m_options.warmup);
  long count = 0;
  point.loss = forwardBackward(m_batcher->next(m_options.batch), count);
  if (!std::isfinite(point.loss)) checkFinite(point.loss, 0);
  m_before = m_predictor.weights();
  point.gradientNorm = m_optimizer.step(step, m_gradients, m_predictor.weights());
  checkFinite(point.loss, point.gradientNorm);
  checkWeights();
  ++m_step;
  const double elapsed = secondsSince(start);
  point.step = m_step;
  point.epoch = m_batcher->epoch();
  point.rate = step.rate;
  point.tokensPerSecond = elapsed > 0 ? static_cast<double>(count) / elapsed : 0;
  const long own = m_step - m_startStep;
  const bool last =
      (m_options.steps && own >= *m_options.steps) || (m_options.epochs && point.epoch >= *m_options.epochs);
  const bool due = last || (m_options.validateEvery > 0 && m_step % m_options.validateEvery == 0);
  if (due && !m_data->validation.empty()) point.validation = validate();
  m_seconds += secondsSince(start);
  point.seconds = m_seconds;
  if (point.validation) point.validation->seconds = m_seconds;
  updateBounds(point);
  return point;
}

void Trainer::updateBounds(const HistoryPoint& point) {
  const long own = m_step - m_startStep;
  if (point.validation) {
    const double score = scoreOf(*point.validation);
    const double loss = point.validation->forcedLoss;
    // While no whole sequence is right yet, or all are, the loss tells the better one.
    if (m_validationsSinceBest < 0 || score > m_bestScore || (score == m_bestScore && loss < m_bestLoss)) {
      m_bestScore = score;
      m_bestLoss = loss;
      m_validationsSinceBest = 0;
      if (m_options.keepBest) m_bestWeights = m_predictor.weights();
    } else {
      ++m_validationsSinceBest;
    }
    const bool classes = point.validation->freeSequenceAccuracy || point.validation->accuracy;
    if (m_options.untilAccuracy && classes && score >= *m_options.untilAccuracy)
      m_endReason = "accuracy";
    else if (m_options.patience && m_validationsSinceBest >= *m_options.patience)
      m_endReason = "patience";
  }
  if (!m_endReason.empty()) return;
  if (m_options.steps && own >= *m_options.steps)
    m_endReason = "steps";
  else if (m_options.epochs && point.epoch >= *m_options.epochs)
    m_endReason = "epochs";
  else if (m_options.seconds && m_seconds >= *m_options.seconds)
    m_endReason = "seconds";
}

void Trainer::clearBounds() {
  m_options.steps.reset();
  m_options.epochs.reset();
  m_options.seconds.reset();
  m_options.untilAccuracy.reset();
  m_options.patience.reset();
  m_endReason.clear();
}

void Trainer::finish() {
  if (m_options.keepBest && !m_bestWeights.empty()) m_predictor.weights() = m_bestWeights;
}

ValidationReport Trainer::validate() {
  std::vector<const Example*> examples;
  for (const Example& example : m_data->validation) {
    if (examples.size() == kValidationExamples) break;
    examples.push_back(&example);
  }
  ValidationReport report = m_predictor.evaluate(examples, m_pool).report;
  report.step = m_step;
  report.seconds = m_seconds;
  return report;
}

double Trainer::secondsLeft() const {
  double left = -1;
  const auto sooner = [&](double seconds) {
    left = left < 0 ? std::max(0.0, seconds) : std::min(left, std::max(0.0, seconds));
  };
  const long own = m_step - m_startStep;
  if (m_options.seconds) sooner(*m_options.seconds - m_seconds);
  if (own == 0 || m_seconds <= 0) return left;
  const double perStep = m_seconds / static_cast<double>(own);
  if (m_options.steps) sooner(perStep * static_cast<double>(*m_options.steps - own));
  if (m_options.epochs && epoch() > 0) sooner(m_seconds * (*m_options.epochs / epoch() - 1));
  return left;
}

std::size_t Trainer::memoryBytes() const {
  const std::size_t parameters = m_predictor.layout().size();
  // Values, gradient, two moments, and a gradient for each piece.
  std::size_t bytes = parameters * sizeof(float) * (4 + kMostPieces);
  for (const auto& piece : m_pieces) bytes += piece->tape.memoryBytes();
  return bytes;
}

Trace Trainer::trace(const TraceRequest& request) const {
  Trace trace;
  trace.generator = "attnscope " ATTNSCOPE_VERSION;
  trace.config = config();
  trace.step = m_step;
  trace.seed = m_options.seed;
  if (request.text) {
    const TextRule rule = textRule(m_data->origin);
    trace.examples.push_back(
        m_predictor.trace(exampleOfText(m_predictor, *request.text, rule.tokenizer, rule.lowercase), true));
  } else if (!m_data->validation.empty()) {
    const auto count = static_cast<int>(m_data->validation.size());
    const int index = ((request.validationExample % count) + count) % count;
    trace.examples.push_back(m_predictor.trace(m_data->validation[index], request.free));
  }
  return trace;
}

ModelFile Trainer::modelFile() const {
  ModelFile file;
  file.config = config();
  file.source = m_predictor.lexicon().source;
  file.target = m_predictor.lexicon().target;
  file.labels = m_predictor.lexicon().labels;
  file.task = m_data->origin.is_object() ? m_data->origin : Json::object();
  file.task["step"] = m_step;
  file.task["seed"] = m_options.seed;
  file.task["attnscope"] = ATTNSCOPE_VERSION;
  file.weights = m_predictor.weights();
  return file;
}

}  // namespace attnscope
