#include "core/models/recurrent.h"

#include <algorithm>

#include "core/attention/attention.h"
#include "core/autograd/ops_loss.h"
#include "core/models/rnn_pass.h"

namespace attnscope {
namespace {

int memorySize(const RecurrentConfig& config) {
  return config.memory == Memory::Inputs ? config.inputSize() : config.rnn.hidden;
}

bool everyStep(OutputKind kind) { return kind == OutputKind::StepClass || kind == OutputKind::StepVector; }
bool isClass(OutputKind kind) { return kind == OutputKind::Class || kind == OutputKind::StepClass; }

// One forward pass over one batch.
template <class S>
class Pass {
 public:
  Pass(const RecurrentConfig& config, Tape<S>& tape, const Parameters<S>& parameters, const Batch& batch,
       const RunOptions& options)
      : m_config(config), m_tape(tape), m_parameters(parameters), m_batch(batch), m_options(options), m_b(batch.size),
        m_steps(batch.sourceLength) {}

  Record<S> run() {
    readInput();
    Var<S> below = m_input;
    const int layers = m_config.rnn.layers;
    for (int layer = 0; layer < layers; ++layer) {
      const StateBuffer<S> h = makeStates(m_tape, m_b, m_steps, m_config.rnn.hidden);
      StateBuffer<S> c;
      if (m_config.rnn.cell == CellKind::Lstm) c = makeStates(m_tape, m_b, m_steps, m_config.rnn.hidden);
      m_layers.emplace_back(m_tape, m_parameters, "rnn.", m_config.rnn, layer, false, h, c, m_lengths);
      m_layers.back().input(m_tape, below).applyAll(m_tape);
      if (layer + 1 < layers || !m_config.attends)
        m_layers.back().runAll(m_tape);
      else
        runTop(below);
      below = h.outputs();
    }
    return finish();
  }

 private:
  void readInput() {
    const int size = m_config.inputSize();
    m_lengths = m_tape.template array<int>(m_b);
    std::copy(m_batch.sourceLengths.begin(), m_batch.sourceLengths.end(), m_lengths);
    if (m_config.tokens) {
      int* ids = m_tape.template array<int>(static_cast<std::size_t>(m_steps) * m_b);
      for (int b = 0; b < m_b; ++b)
        for (int t = 0; t < m_steps; ++t) ids[t * m_b + b] = m_batch.source[static_cast<std::size_t>(b) * m_steps + t];
      m_input = m_tape.zeros(m_steps * m_b, size);
      embed(m_tape, m_parameters["embedding.weight"], ids, m_input);
      return;
    }
    m_input = m_tape.constant(m_steps * m_b, size);
    for (int b = 0; b < m_b; ++b)
      for (int t = 0; t < m_lengths[b]; ++t) {
        const float* from = m_batch.vectors.data() + (static_cast<std::size_t>(b) * m_steps + t) * size;
        std::copy_n(from, size, m_input.value.row(t * m_b + b));
      }
  }

  // The top layer, which attends. `below` is its own input, [T·B, ·].
  void runTop(Var<S> below) {
    const RnnPass<S>& top = m_layers.back();
    const bool output = m_config.joins == Joins::Output;
    const bool growing = m_config.memory == Memory::States && !output;
    const Var<S> memory = m_config.memory == Memory::States   ? top.h.before(false)
                          : m_config.memory == Memory::Inputs ? m_input
                                                              : m_layers[m_layers.size() - 2].h.outputs();
    if (output) top.runAll(m_tape);  // the context is not fed back: every state is there before the first look
    m_contexts = m_tape.zeros(m_steps * m_b, memorySize(m_config));
    AttentionConfig attention = m_config.attention;
    if (m_options.temperature > 0) attention.temperature = m_options.temperature;
    m_attention = Attention<S>(m_tape, m_parameters, attention, memory,
                               output ? top.h.outputs() : top.h.before(false), m_contexts, m_b, growing);
    if (!growing) m_attention.prepare(0, m_steps);
    m_available = m_tape.template array<int>(m_b);
    if (output) {
      for (int t = 0; t < m_steps; ++t) attend(t);
      return;
    }
    const Projection<S> join = m_config.joins == Joins::State ? top.stateContext(m_tape, m_contexts)
                                                              : top.input(m_tape, m_contexts, below.columnCount());
    for (int t = 0; t < m_steps; ++t) {
      // Column j of `states` is h_j; h_{t−1} (0-based: the state two before the one being made) is the newest seen.
      if (growing && t >= 1) m_attention.prepare(t - 1, 1);
      attend(t);
      join.apply(m_tape, t * m_b, m_b);
      top.step(m_tape, t);
    }
  }

  // How many memory positions step t (0-based) may see, from the first on.
  int availableAt(int t) const {
    return m_config.memory == Memory::States && m_config.joins != Joins::Output ? t : t + 1;
  }

  void attend(int t) {
    for (int b = 0; b < m_b; ++b) m_available[b] = t < m_lengths[b] ? availableAt(t) : 0;
    m_attention.attend(t, m_available);
  }

  // What the output layer reads: every step, or the last real one of each example.
  Var<S> outputRows(Var<S> all) {
    if (everyStep(m_config.outputKind)) return all;
    int* rows = m_tape.template array<int>(m_b);
    for (int b = 0; b < m_b; ++b) rows[b] = (m_lengths[b] - 1) * m_b + b;
    const Var<S> last = m_tape.zeros(m_b, all.columnCount());
    gatherRows(m_tape, all, rows, last);
    return last;
  }

  Var<S> makeLogits() {
    const Var<S> weight = m_parameters["output.weight"];
    const int H = m_config.rnn.hidden;
    const Var<S> states = outputRows(m_layers.back().h.outputs());
    const Var<S> logits = m_tape.zeros(states.rowCount(), m_config.outputSize);
    addBias(m_tape, m_parameters["output.bias"], logits);
    Projection<S>(m_tape, weight.columns(0, H), states, logits).applyAll(m_tape);
    if (m_config.attends && m_config.joins == Joins::Output) {
      const Var<S> contexts = outputRows(m_contexts);
      Projection<S>(m_tape, weight.columns(H, contexts.columnCount()), contexts, logits).applyAll(m_tape);
    }
    return logits;
  }

  void addLoss(Record<S>& record, Var<S> logits) {
    const bool each = everyStep(m_config.outputKind);
    const int steps = each ? m_steps : 1;
    const std::size_t rows = static_cast<std::size_t>(steps) * m_b;
    record.lossCount = each ? m_batch.stepCount() : m_b;
    if (isClass(m_config.outputKind)) {
      if (m_batch.labels.empty()) return;
      int* targets = m_tape.template array<int>(rows);
      for (int t = 0; t < steps; ++t)
        for (int b = 0; b < m_b; ++b)
          targets[t * m_b + b] =
              each && t >= m_lengths[b] ? -1 : m_batch.labels[static_cast<std::size_t>(b) * steps + t];
      record.lossSum = crossEntropy(logits, targets, m_options.lossScale);
      return;
    }
    record.lossCount *= m_config.outputSize;
    if (m_batch.values.empty()) return;
    const int size = m_config.outputSize;
    S* targets = m_tape.template array<S>(rows * size);
    auto* real = m_tape.template array<unsigned char>(rows);
    for (int t = 0; t < steps; ++t)
      for (int b = 0; b < m_b; ++b) {
        real[t * m_b + b] = !each || t < m_lengths[b];
        const float* from = m_batch.values.data() + (static_cast<std::size_t>(b) * steps + t) * size;
        std::copy_n(from, size, targets + static_cast<std::size_t>(t * m_b + b) * size);
      }
    record.lossSum = squaredError(logits, targets, real, m_options.lossScale);
  }

  Record<S> finish() {
    Record<S> record;
    record.batch = m_b;
    const Var<S> logits = makeLogits();
    addLoss(record, logits);
    record.logits = logits.value;
    const bool each = everyStep(m_config.outputKind);
    record.steps = each ? m_steps : 1;
    record.lengths.assign(m_b, 1);
    if (each) record.lengths.assign(m_lengths, m_lengths + m_b);
    if (isClass(m_config.outputKind)) {
      record.chosen.resize(static_cast<std::size_t>(logits.rowCount()));
      argMaxRows(logits.value, 0, record.chosen.data());
    }
    for (std::size_t layer = 0; layer < m_layers.size(); ++layer)
      record.layers.push_back(m_layers[layer].record("rnn." + std::to_string(layer)));
    if (m_config.attends) {
      const AttentionPass<S>& pass = m_attention.pass();
      record.sites.push_back({"memory", m_steps, m_steps, pass.weights.value, pass.scores.value, pass.ranges,
                              pass.memory.value, pass.contexts.value, pass.queries.value});
    }
    return record;
  }

  const RecurrentConfig& m_config;
  Tape<S>& m_tape;
  const Parameters<S>& m_parameters;
  const Batch& m_batch;
  const RunOptions& m_options;
  const int m_b, m_steps;
  int* m_lengths = nullptr;
  int* m_available = nullptr;
  Var<S> m_input, m_contexts;
  std::vector<RnnPass<S>> m_layers;
  Attention<S> m_attention;
};

template <class S>
class Recurrent : public Model<S> {
 public:
  explicit Recurrent(const RecurrentConfig& config) : m_config(config) {}
  Record<S> run(Tape<S>& tape, const Parameters<S>& parameters, const Batch& batch,
                const RunOptions& options) const override {
    return Pass<S>(m_config, tape, parameters, batch, options).run();
  }

 private:
  RecurrentConfig m_config;
};

}  // namespace

void addRecurrentParameters(ParameterLayout& layout, const RecurrentConfig& config) {
  const int H = config.rnn.hidden, input = config.inputSize();
  const int m = config.attends ? memorySize(config) : 0;
  if (config.tokens) layout.add("embedding.weight", {config.vocabulary, input}, Init::Embedding);
  for (int layer = 0; layer < config.rnn.layers; ++layer) {
    const bool top = config.attends && layer + 1 == config.rnn.layers;
    const int own = layer == 0 ? input : H;
    addRnnParameters(layout, "rnn.", config.rnn, own + (top && config.joins == Joins::Input ? m : 0), layer, false,
                     top && config.joins == Joins::State ? m : 0);
  }
  if (config.attends) addAttentionParameters(layout, config.attention, m, H);
  layout.add("output.weight", {config.outputSize, H + (config.attends && config.joins == Joins::Output ? m : 0)},
             Init::Glorot);
  layout.add("output.bias", {config.outputSize}, Init::Zero);
}

template <class S>
std::unique_ptr<Model<S>> makeRecurrent(const RecurrentConfig& config) {
  return std::make_unique<Recurrent<S>>(config);
}

template std::unique_ptr<Model<float>> makeRecurrent(const RecurrentConfig&);
template std::unique_ptr<Model<double>> makeRecurrent(const RecurrentConfig&);

}  // namespace attnscope
