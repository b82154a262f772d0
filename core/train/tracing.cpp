#include "core/train/tracing.h"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "core/tensor/eigen.h"

namespace attnscope {
namespace {

constexpr std::size_t kTopTokens = 5;

// Rows t·batch + b of a step-major view.
Matrix rowsOf(const View<float>& view, int batch, int b, int steps) {
  Matrix matrix{steps, view.columns, {}};
  matrix.values.reserve(static_cast<std::size_t>(steps) * view.columns);
  for (int t = 0; t < steps; ++t) {
    const float* row = view.row(t * batch + b);
    matrix.values.insert(matrix.values.end(), row, row + view.columns);
  }
  return matrix;
}

StateTrack trackOf(const LayerRecord<float>& layer, int batch, int b) {
  StateTrack track;
  track.name = layer.name;
  const int steps = std::min(layer.steps, layer.lengths[b]);
  track.h = rowsOf(layer.h, batch, b, steps);
  if (layer.c) track.c = rowsOf(layer.c, batch, b, steps);
  for (const auto& gate : layer.gates) track.gates.push_back({gate.name, rowsOf(gate.values, batch, b, steps)});
  return track;
}

std::vector<double> softmaxOf(const float* logits, int size) {
  const float largest = *std::max_element(logits, logits + size);
  std::vector<double> p(static_cast<std::size_t>(size));
  for (int i = 0; i < size; ++i) p[i] = std::exp(static_cast<double>(logits[i]) - largest);
  const double sum = std::accumulate(p.begin(), p.end(), 0.0);
  for (double& x : p) x /= sum;
  return p;
}

// `name(id)` spells an id; `taken` is the id the step stands for.
template <class Name>
OutputStep classStep(const float* logits, int size, int taken, const Name& name) {
  const std::vector<double> p = softmaxOf(logits, size);
  std::vector<int> order(static_cast<std::size_t>(size));
  std::iota(order.begin(), order.end(), 0);
  const auto kept = static_cast<std::ptrdiff_t>(std::min<std::size_t>(kTopTokens, order.size()));
  std::partial_sort(order.begin(), order.begin() + kept, order.end(),
                    [&](int a, int c) { return p[a] != p[c] ? p[a] > p[c] : a < c; });
  OutputStep step;
  step.token = name(taken);
  step.probability = p[taken];
  for (auto id = order.begin(); id != order.begin() + kept; ++id) step.top.emplace_back(name(*id), p[*id]);
  return step;
}

std::vector<std::string> spelled(const std::vector<int>& ids, const Vocabulary& vocabulary) {
  std::vector<std::string> tokens;
  for (int id : ids) tokens.push_back(vocabulary.token(id));
  return tokens;
}

void fillSource(const Example& example, const Vocabulary& vocabulary, TraceExample& trace) {
  trace.source = example.sourceTokens.size() == example.source.size() ? example.sourceTokens
                                                                      : spelled(example.source, vocabulary);
  for (int id : example.source) trace.sourceUnknown.push_back(id == kUnknown);
}

void fillSeq2Seq(const Record<float>& record, int b, const Example& example, const Lexicon& lexicon, bool forced,
                 TraceExample& trace) {
  fillSource(example, lexicon.source, trace);
  trace.reference = example.targetTokens.size() == example.target.size() ? example.targetTokens
                                                                         : spelled(example.target, lexicon.target);
  const auto name = [&](int id) { return lexicon.target.token(id); };
  for (int t = 0; t < record.lengths[b]; ++t) {
    const int row = t * record.batch + b;
    const int taken = forced ? example.target[t] : record.chosen[row];
    trace.target.push_back(forced ? trace.reference[t] : lexicon.target.token(taken));
    trace.outputs.push_back(classStep(record.logits.row(row), record.logits.columns, taken, name));
  }
}

void fillSeries(const Example& example, int size, TraceExample& trace) {
  trace.series.values = {static_cast<int>(example.vectors.size()) / size, size, example.vectors};
  for (int k = 0; k < size; ++k) trace.series.names.push_back("x" + std::to_string(k + 1));
}

std::string labelName(const Lexicon& lexicon, int id) {
  return id < static_cast<int>(lexicon.labels.size()) ? lexicon.labels[id] : std::to_string(id);
}

void fillRecurrent(const Record<float>& record, int b, const Example& example, const RecurrentConfig& config,
                   const Lexicon& lexicon, TraceExample& trace) {
  if (config.tokens)
    fillSource(example, lexicon.source, trace);
  else
    fillSeries(example, config.vectorSize, trace);
  const bool classes = config.outputKind == OutputKind::Class || config.outputKind == OutputKind::StepClass;
  const auto name = [&](int id) { return labelName(lexicon, id); };
  for (int t = 0; t < record.lengths[b]; ++t) {
    const int row = t * record.batch + b;
    OutputStep step;
    if (classes) {
      step = classStep(record.logits.row(row), config.outputSize, record.chosen[row], name);
      trace.target.push_back(step.token);
    } else {
      step.values.assign(record.logits.row(row), record.logits.row(row) + config.outputSize);
    }
    trace.outputs.push_back(std::move(step));
  }
  if (classes)
    for (int label : example.labels) trace.reference.push_back(labelName(lexicon, label));
}

std::vector<std::string> numbered(const std::string& letter, int first, int count) {
  std::vector<std::string> names;
  for (int i = 0; i < count; ++i) names.push_back(letter + std::to_string(first + i));
  return names;
}

void labelSite(const ModelConfig& config, const TraceExample& trace, Site& site) {
  if (config.family == "seq2seq") {
    site.rowAxis = {"target", trace.target};
    site.columnAxis = {"source", trace.source};
    return;
  }
  const bool tokens = config.recurrent.tokens;
  site.rowAxis = tokens ? Axis{"source", trace.source} : Axis{"", numbered("x", 1, site.rows)};
  switch (config.recurrent.memory) {
    case Memory::States: site.columnAxis = {"memory", numbered("h", 0, site.columns)}; break;
    case Memory::Lower: site.columnAxis = {"memory", numbered("h'", 1, site.columns)}; break;
    default: site.columnAxis = tokens ? Axis{"source", trace.source} : Axis{"", numbered("x", 1, site.columns)};
  }
}

}  // namespace

Site siteOf(const SiteRecord<float>& record, int batch, int b, int rows, int columns) {
  Site site;
  site.name = record.name;
  site.rows = rows;
  site.columns = columns;
  const std::size_t count = static_cast<std::size_t>(rows) * columns;
  site.weights.assign(count, 0);
  site.scores.assign(count, 0);
  site.cells.assign(count, Cell::Masked);
  for (int t = 0; t < rows; ++t) {
    const int from = t * batch + b;
    const Range range = record.ranges[from];
    for (int i = range.begin; i < std::min(range.end, columns); ++i) {
      const std::size_t at = site.index(0, t, i);
      site.weights[at] = record.weights.row(from)[i];
      site.scores[at] = record.scores.row(from)[i];
      site.cells[at] = Cell::Real;
    }
  }
  return site;
}

std::vector<GoldCell> goldOf(const Example& example, const ModelConfig& config, const Site& site) {
  const int shift = config.family == "recurrent" && config.recurrent.memory == Memory::States ? 1 : 0;
  std::vector<GoldCell> cells;
  for (const GoldLink& link : example.gold)
    if (link.row < site.rows && link.position + shift < site.columns) cells.push_back({link.row, link.position + shift});
  return cells;
}

TraceExample traceOf(const Record<float>& record, int b, const Example& example, const ModelConfig& config,
                     const Lexicon& lexicon, bool forced) {
  TraceExample trace;
  const bool seq2seq = config.family == "seq2seq";
  trace.forced = forced;
  if (seq2seq)
    fillSeq2Seq(record, b, example, lexicon, forced, trace);
  else
    fillRecurrent(record, b, example, config.recurrent, lexicon, trace);
  const int columns = static_cast<int>(seq2seq || config.recurrent.tokens
                                           ? example.source.size()
                                           : example.vectors.size() / config.recurrent.vectorSize);
  const int steps = seq2seq ? record.lengths[b] : columns;
  for (const auto& recorded : record.sites) {
    Site site = siteOf(recorded, record.batch, b, steps, columns);
    labelSite(config, trace, site);
    if (auto gold = goldOf(example, config, site); !gold.empty()) trace.gold.push_back({site.name, std::move(gold)});
    trace.sites.push_back(std::move(site));
    trace.memory.push_back({recorded.name, rowsOf(recorded.memory, record.batch, b, columns)});
    trace.context.push_back({recorded.name, rowsOf(recorded.contexts, record.batch, b, steps)});
    trace.query.push_back({recorded.name, rowsOf(recorded.queries, record.batch, b, steps)});
  }
  for (const auto& layer : record.layers) trace.states.push_back(trackOf(layer, record.batch, b));
  return trace;
}

}  // namespace attnscope
