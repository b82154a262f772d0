#include "core/train/predictor.h"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "core/base/error.h"
#include "core/base/text.h"
#include "core/data/text_data.h"
#include "core/data/tokenizer.h"

namespace attnscope {
namespace {

constexpr std::size_t kEvaluationBatch = 64;
constexpr int kReportedRows = 64;

bool hasClasses(const ModelConfig& config) {
  return config.family == "recurrent" &&
         (config.recurrent.outputKind == OutputKind::Class || config.recurrent.outputKind == OutputKind::StepClass);
}

// Sums over examples; added up in a fixed order and divided once.
struct Tally {
  double loss = 0, absolute = 0, naive = 0;
  long lossCount = 0, tokens = 0, forcedTokens = 0, freeTokens = 0, examples = 0, forcedWhole = 0, freeWhole = 0;
  long decisions = 0, right = 0, naiveCount = 0;
  SiteMetrics site;
  std::vector<SiteMetrics> rows;  // by output row
};

void addSites(const Record<float>& record, const ModelConfig& config, std::span<const Example* const> examples,
              Tally& tally) {
  for (const auto& recorded : record.sites)
    for (int b = 0; b < record.batch; ++b) {
      const Example& example = *examples[b];
      const int columns = config.family == "seq2seq" || config.recurrent.tokens
                              ? static_cast<int>(example.source.size())
                              : static_cast<int>(example.vectors.size()) / config.recurrent.vectorSize;
      const Site site =
          siteOf(recorded, record.batch, b, config.family == "seq2seq" ? record.lengths[b] : columns, columns);
      const auto gold = goldOf(example, config, site);
      const auto* known = gold.empty() ? nullptr : &gold;
      tally.site.add(site, known);
      const int rows = std::min(site.rows, kReportedRows);
      if (static_cast<int>(tally.rows.size()) < rows) tally.rows.resize(static_cast<std::size_t>(rows));
      for (int row = 0; row < rows; ++row) tally.rows[row].addRow(site, row, known);
    }
}

void countForced(const Record<float>& record, std::span<const Example* const> examples, Tally& tally) {
  for (int b = 0; b < record.batch; ++b) {
    const auto& target = examples[b]->target;
    long right = 0;
    for (std::size_t t = 0; t < target.size(); ++t) right += record.chosen[t * record.batch + b] == target[t];
    tally.forcedTokens += right;
    tally.tokens += static_cast<long>(target.size());
    tally.forcedWhole += right == static_cast<long>(target.size());
  }
  tally.examples += record.batch;
}

// A free-running token is right where it equals the reference at the same place.
void countFree(const Record<float>& record, std::span<const Example* const> examples, Tally& tally,
               std::vector<std::vector<int>>& predictions) {
  for (int b = 0; b < record.batch; ++b) {
    const auto& target = examples[b]->target;
    std::vector<int> written;
    long right = 0;
    for (int t = 0; t < record.lengths[b]; ++t) {
      const int id = record.chosen[static_cast<std::size_t>(t) * record.batch + b];
      right += t < static_cast<int>(target.size()) && id == target[t];
      written.push_back(id);
    }
    tally.freeTokens += right;
    tally.freeWhole += written == target;
    if (!written.empty() && written.back() == kEnd) written.pop_back();
    predictions.push_back(std::move(written));
  }
}

void countClasses(const Record<float>& record, std::span<const Example* const> examples, Tally& tally,
                  std::vector<std::vector<int>>& predictions) {
  for (int b = 0; b < record.batch; ++b) {
    std::vector<int> chosen;
    for (int t = 0; t < record.lengths[b]; ++t) {
      chosen.push_back(record.chosen[static_cast<std::size_t>(t) * record.batch + b]);
      tally.right += chosen.back() == examples[b]->labels[t];
      ++tally.decisions;
    }
    predictions.push_back(std::move(chosen));
  }
}

// Vector outputs: absolute error, and the squared error of repeating the previous value (step_vector).
void countVectors(const Record<float>& record, std::span<const Example* const> examples, Tally& tally) {
  const int size = record.logits.columns;
  for (int b = 0; b < record.batch; ++b) {
    const auto& values = examples[b]->values;
    for (int t = 0; t < record.lengths[b]; ++t)
      for (int k = 0; k < size; ++k) {
        const double truth = values[static_cast<std::size_t>(t) * size + k];
        tally.absolute += std::abs(record.logits.row(t * record.batch + b)[k] - truth);
        if (t == 0) continue;
        const double step = truth - values[static_cast<std::size_t>(t - 1) * size + k];
        tally.naive += step * step;
        ++tally.naiveCount;
      }
  }
}

void merge(const Tally& from, Tally& into) {
  into.loss += from.loss, into.absolute += from.absolute, into.naive += from.naive;
  into.lossCount += from.lossCount, into.tokens += from.tokens, into.forcedTokens += from.forcedTokens;
  into.freeTokens += from.freeTokens, into.examples += from.examples, into.forcedWhole += from.forcedWhole;
  into.freeWhole += from.freeWhole, into.decisions += from.decisions, into.right += from.right;
  into.naiveCount += from.naiveCount;
  into.site.merge(from.site);
  if (into.rows.size() < from.rows.size()) into.rows.resize(from.rows.size());
  for (std::size_t row = 0; row < from.rows.size(); ++row) into.rows[row].merge(from.rows[row]);
}

// One batch measured: teacher-forced, and for seq2seq free-running as well.
Tally measure(const Model<float>& model, const ModelConfig& config, const Parameters<float>& parameters,
              const Batch& batch, std::span<const Example* const> examples,
              std::vector<std::vector<int>>& predictions) {
  Tally tally;
  Tape<float> tape(false);
  RunOptions options;
  const Record<float> forced = model.run(tape, parameters, batch, options);
  tally.loss = forced.lossSum;
  tally.lossCount = forced.lossCount;
  addSites(forced, config, examples, tally);
  if (config.family == "seq2seq") {
    countForced(forced, examples, tally);
    tape.reset();
    options.decoding = Decoding::Free;
    countFree(model.run(tape, parameters, batch, options), examples, tally, predictions);
  } else if (hasClasses(config)) {
    countClasses(forced, examples, tally, predictions);
  } else {
    countVectors(forced, examples, tally);
  }
  return tally;
}

double share(long part, long whole) { return whole > 0 ? static_cast<double>(part) / static_cast<double>(whole) : 0; }

ValidationReport reportOf(const Tally& tally, const ModelConfig& config) {
  ValidationReport report;
  report.forcedLoss = tally.lossCount > 0 ? tally.loss / static_cast<double>(tally.lossCount) : 0;
  if (config.family == "seq2seq") {
    report.forcedTokenAccuracy = share(tally.forcedTokens, tally.tokens);
    report.forcedSequenceAccuracy = share(tally.forcedWhole, tally.examples);
    report.freeTokenAccuracy = share(tally.freeTokens, tally.tokens);
    report.freeSequenceAccuracy = share(tally.freeWhole, tally.examples);
  } else if (hasClasses(config)) {
    report.accuracy = share(tally.right, tally.decisions);
  } else {
    report.rmse = std::sqrt(report.forcedLoss);
    report.mae = tally.lossCount > 0 ? tally.absolute / static_cast<double>(tally.lossCount) : 0;
    if (tally.naiveCount > 0) report.naiveRmse = std::sqrt(tally.naive / static_cast<double>(tally.naiveCount));
  }
  if (config.attention()) report.site = tally.site;
  return report;
}

// Steps parted by spaces, the values of one step by commas.
Example exampleOfNumbers(std::string_view text, int size) {
  Example example;
  for (const std::string& step : tokenize(TokenizerKind::Whitespace, text)) {
    int values = 0;
    for (std::size_t begin = 0; begin <= step.size(); ++values) {
      const std::size_t end = std::min(step.find(',', begin), step.size());
      const auto number = parseNumber(std::string_view(step).substr(begin, end - begin));
      if (!number || !std::isfinite(static_cast<float>(*number)))
        throw Error(ErrorKind::BadInput, "input",
                    "'" + step + "' is no number; steps are parted by spaces, as in 0.5 -1 2");
      example.vectors.push_back(static_cast<float>(*number));
      begin = end + 1;
    }
    if (values != size)
      throw Error(ErrorKind::BadInput, "input",
                  "'" + step + "' has " + std::to_string(values) + " values where a step needs " +
                      std::to_string(size) + "; part them by commas");
  }
  if (example.vectors.empty()) throw Error(ErrorKind::BadInput, "input", "is empty; type numbers such as 0.5 -1 2");
  return example;
}

}  // namespace

Predictor::Predictor(ModelConfig config, Lexicon lexicon, std::uint64_t seed)
    : m_config(std::move(config)),
      m_lexicon(std::move(lexicon)),
      m_layout(parameterLayout(m_config)),
      m_model(makeModel<float>(m_config)),
      m_weights(m_layout.size()) {
  initialise(m_layout, seed, m_weights.data());
}

Predictor::Predictor(const ModelFile& file)
    : m_config(parseConfig(file.config)),
      m_lexicon{file.source, file.target, file.labels},
      m_layout(parameterLayout(m_config)),
      m_model(makeModel<float>(m_config)),
      m_weights(file.weights) {
  ATTNSCOPE_CHECK(m_weights.size() == m_layout.size(), std::to_string(m_weights.size()));
}

void Predictor::setTemperature(double temperature) {
  AttentionConfig* attention = m_config.attention();
  if (!attention || !(temperature > 0)) return;
  attention->temperature = std::clamp(temperature, kLeastTemperature, kLargestTemperature);
  m_model = makeModel<float>(m_config);
}

Parameters<float> Predictor::parameters() const {
  // Nothing writes through this without gradients and with a tape that does not record.
  return Parameters<float>(m_layout, const_cast<float*>(m_weights.data()), nullptr);
}

Batch Predictor::batchOf(std::span<const Example* const> examples) const {
  const bool recurrent = m_config.family == "recurrent";
  const bool vectors = recurrent && !m_config.recurrent.tokens;
  return makeBatch(examples, vectors ? m_config.recurrent.vectorSize : 0,
                   recurrent ? m_config.recurrent.outputSize : 0);
}

TraceExample Predictor::trace(const Example& example, bool free, int maxSteps) const {
  const Example* one[] = {&example};
  Batch batch = batchOf(one);
  const bool forced = m_config.family == "recurrent" || (!free && !example.target.empty());
  RunOptions options;
  options.decoding = forced ? Decoding::Forced : Decoding::Free;
  if (!forced) options.maxSteps = maxSteps > 0 ? maxSteps : 2 * batch.sourceLength + 10;
  Tape<float> tape(false);
  const Parameters<float> bound = parameters();
  return traceOf(m_model->run(tape, bound, batch, options), 0, example, m_config, m_lexicon, forced);
}

Evaluation Predictor::evaluate(std::span<const Example* const> examples, ThreadPool& pool) const {
  // Examples of like length together; results go back to their own places.
  std::vector<std::size_t> order(examples.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::stable_sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) {
    return examples[a]->source.size() + examples[a]->vectors.size() <
           examples[b]->source.size() + examples[b]->vectors.size();
  });
  const int chunks = static_cast<int>((order.size() + kEvaluationBatch - 1) / kEvaluationBatch);
  std::vector<Tally> tallies(static_cast<std::size_t>(chunks));
  Evaluation evaluation;
  evaluation.predictions.resize(examples.size());
  const Parameters<float> bound = parameters();
  pool.run(chunks, [&](int chunk) {
    const std::size_t begin = chunk * kEvaluationBatch, end = std::min(order.size(), begin + kEvaluationBatch);
    std::vector<const Example*> part;
    for (std::size_t i = begin; i < end; ++i) part.push_back(examples[order[i]]);
    std::vector<std::vector<int>> predictions;
    tallies[chunk] = measure(*m_model, m_config, bound, batchOf(part), part, predictions);
    for (std::size_t i = 0; i < predictions.size(); ++i)
      evaluation.predictions[order[begin + i]] = std::move(predictions[i]);
  });
  Tally total;
  for (const Tally& tally : tallies) merge(tally, total);
  evaluation.report = reportOf(total, m_config);
  evaluation.rows = std::move(total.rows);
  return evaluation;
}

static Example readText(const Predictor& predictor, std::string_view text, TokenizerKind tokenizer, bool lowercase) {
  const ModelConfig& config = predictor.config();
  if (config.family != "seq2seq" && !config.recurrent.tokens)
    return exampleOfNumbers(text, config.recurrent.vectorSize);
  Example example = exampleFromText(text, tokenizer, lowercase, predictor.lexicon().source);
  if (config.family == "seq2seq") return example;
  example.source.pop_back();  // a recurrent model reads no </s>
  example.sourceTokens.pop_back();
  return example;
}

Example exampleOfText(const Predictor& predictor, std::string_view text, TokenizerKind tokenizer, bool lowercase) {
  Example example = readText(predictor, text, tokenizer, lowercase);
  const ModelConfig& config = predictor.config();
  const std::size_t vector = static_cast<std::size_t>(std::max(1, config.recurrent.vectorSize));
  const std::size_t count = example.source.empty() ? example.vectors.size() / vector
                                                   : example.source.size() - (config.family == "seq2seq" ? 1 : 0);
  if (count > kLongestText)
    throw Error(ErrorKind::BadInput, "",
                "has " + std::to_string(count) + " tokens; at most " + std::to_string(kLongestText) +
                    " can be traced");
  return example;
}

}  // namespace attnscope
