#include "core/models/seq2seq.h"

#include <algorithm>

#include "core/attention/attention.h"
#include "core/autograd/ops_loss.h"
#include "core/base/error.h"
#include "core/data/vocabulary.h"
#include "core/models/rnn_pass.h"
#include "core/tensor/kernels.h"

namespace attnscope {
namespace {

std::string number(int k) { return std::to_string(k); }

int memorySize(const Seq2SeqConfig& config) { return config.encoder.hidden * config.encoder.directions(); }

// Columns of the bottom decoder layer's input behind the embedding.
int joinedSize(const Seq2SeqConfig& config) {
  switch (config.context) {
    case Context::None: return 0;
    case Context::Fixed: return memorySize(config);
    case Context::Attention:
      if (config.query == Query::Previous) return memorySize(config);
      return config.inputFeeding ? config.decoder.hidden : 0;
  }
  return 0;
}

// Whether the output layer reads [s_t; c_t] (else s_t, or h̃_t).
bool outputReadsContext(const Seq2SeqConfig& config) {
  return config.context == Context::Fixed || (config.context == Context::Attention && config.query == Query::Previous);
}

bool combines(const Seq2SeqConfig& config) {
  return config.context == Context::Attention && config.query == Query::Current;
}

// Decoder layer k (0 at the bottom) starts from this encoder layer: aligned from the top.
int bridgeLayer(const Seq2SeqConfig& config, int k) {
  return std::max(0, k + config.encoder.layers - config.decoder.layers);
}

// One forward pass over one batch.
template <class S>
class Pass {
 public:
  Pass(const Seq2SeqConfig& config, Tape<S>& tape, const Parameters<S>& parameters, const Batch& batch,
       const RunOptions& options)
      : m_config(config), m_tape(tape), m_parameters(parameters), m_batch(batch), m_options(options), m_b(batch.size) {}

  Record<S> run() {
    encode();
    setUpDecoder();
    bridge();
    if (m_options.decoding == Decoding::Forced)
      runForced();
    else
      runStepwise();
    return finish();
  }

 private:
  // --- encoder ---------------------------------------------------------------------------------------------------

  void encode() {
    const int n = m_batch.sourceLength;
    int* ids = m_tape.template array<int>(static_cast<std::size_t>(n) * m_b);
    for (int b = 0; b < m_b; ++b)
      for (int t = 0; t < n; ++t) ids[t * m_b + b] = m_batch.source[static_cast<std::size_t>(b) * n + t];
    Var<S> x = m_tape.zeros(n * m_b, m_config.embedding);
    embed(m_tape, m_parameters["source_embedding.weight"], ids, x);
    m_sourceLengths = m_tape.template array<int>(m_b);
    std::copy(m_batch.sourceLengths.begin(), m_batch.sourceLengths.end(), m_sourceLengths);
    for (int layer = 0; layer < m_config.encoder.layers; ++layer) x = encodeLayer(layer, x);
    m_memory = x;
  }

  Var<S> encodeLayer(int layer, Var<S> x) {
    const RnnConfig& rnn = m_config.encoder;
    const int H = rnn.hidden, size = H * rnn.directions();
    const StateBuffer<S> h = makeStates(m_tape, m_b, m_batch.sourceLength, size);
    StateBuffer<S> c;
    if (rnn.cell == CellKind::Lstm) c = makeStates(m_tape, m_b, m_batch.sourceLength, size);
    for (int direction = 0; direction < rnn.directions(); ++direction) {
      const auto part = [&](StateBuffer<S> both) {
        if (both.all) both.all = both.all.columns(direction * H, H);
        return both;
      };
      RnnPass<S> pass(m_tape, m_parameters, "encoder.", rnn, layer, direction == 1, part(h), part(c), m_sourceLengths);
      pass.input(m_tape, x).applyAll(m_tape);
      pass.runAll(m_tape);
      m_encoder.push_back(pass);
    }
    return h.outputs();
  }

  const RnnPass<S>& encoderPass(int layer, int direction) const {
    return m_encoder[static_cast<std::size_t>(layer) * m_config.encoder.directions() + direction];
  }

  // The final state of a layer's directions, as parts of [final forward; final backward].
  std::vector<Var<S>> finals(int layer, bool cellState) const {
    std::vector<Var<S>> parts;
    for (int direction = 0; direction < m_config.encoder.directions(); ++direction) {
      const RnnPass<S>& pass = encoderPass(layer, direction);
      parts.push_back((cellState ? pass.c : pass.h).final(direction == 1));
    }
    return parts;
  }

  // --- decoder ---------------------------------------------------------------------------------------------------

  int decoderSteps() const {
    if (m_options.decoding != Decoding::Free) return m_batch.targetLength;
    if (m_options.maxSteps > 0) return m_options.maxSteps;
    return m_batch.targetLength > 0 ? m_batch.targetLength : 2 * m_batch.sourceLength + 10;
  }

  void setUpDecoder() {
    const RnnConfig& rnn = m_config.decoder;
    m_steps = decoderSteps();
    ATTNSCOPE_CHECK(m_steps > 0, "a target is needed");
    m_lengths = m_tape.template array<int>(m_b);
    if (m_options.decoding == Decoding::Free)
      std::fill_n(m_lengths, m_b, m_steps);
    else
      std::copy(m_batch.targetLengths.begin(), m_batch.targetLengths.end(), m_lengths);
    for (int layer = 0; layer < rnn.layers; ++layer) {
      const StateBuffer<S> h = makeStates(m_tape, m_b, m_steps, rnn.hidden);
      StateBuffer<S> c;
      if (rnn.cell == CellKind::Lstm) c = makeStates(m_tape, m_b, m_steps, rnn.hidden);
      m_decoder.emplace_back(m_tape, m_parameters, "decoder.", rnn, layer, false, h, c, m_lengths);
    }
    const int rows = m_steps * m_b, E = m_config.embedding;
    m_ids = m_tape.template array<int>(rows);
    m_inputs = m_tape.zeros(rows, E);
    m_inputProjection = m_decoder[0].input(m_tape, m_inputs);
    for (int layer = 1; layer < rnn.layers; ++layer)
      m_layerProjections.push_back(m_decoder[layer].input(m_tape, m_decoder[layer - 1].h.outputs()));
    if (m_config.context == Context::Attention) setUpAttention();
    setUpOutput();
    if (m_config.context == Context::Fixed) setUpFixedContext();
  }

  const StateBuffer<S>& top() const { return m_decoder.back().h; }

  void setUpAttention() {
    const bool previous = m_config.query == Query::Previous;
    m_contexts = m_tape.zeros(m_steps * m_b, memorySize(m_config));
    AttentionConfig attention = m_config.attention;
    if (m_options.temperature > 0) attention.temperature = m_options.temperature;
    m_attention = Attention<S>(m_tape, m_parameters, attention, m_memory,
                               previous ? top().before(false) : top().outputs(), m_contexts, m_b, false);
    m_attention.prepare(0, m_batch.sourceLength);
    m_available = m_tape.template array<int>(m_b);
    if (previous) m_contextProjection = m_decoder[0].input(m_tape, m_contexts, m_config.embedding);
    if (!combines(m_config)) return;
    const Var<S> weight = m_parameters["combine.weight"];
    const int m = memorySize(m_config), H = m_config.decoder.hidden;
    // h̃ with a block of zeros before the first step, h̃_0.
    m_combined = makeStates(m_tape, m_b, m_steps, H);
    m_combineContext = Projection<S>(m_tape, weight.columns(0, m), m_contexts, m_combined.outputs());
    m_combineState = Projection<S>(m_tape, weight.columns(m, H), top().outputs(), m_combined.outputs());
    if (m_config.inputFeeding)
      m_feedProjection = m_decoder[0].input(m_tape, m_combined.before(false), m_config.embedding);
  }

  void setUpOutput() {
    const Var<S> weight = m_parameters["output.weight"];
    const int H = m_config.decoder.hidden;
    m_logits = m_tape.zeros(m_steps * m_b, m_config.targetVocabulary);
    addBias(m_tape, m_parameters["output.bias"], m_logits);
    const Var<S> states = combines(m_config) ? m_combined.outputs() : top().outputs();
    m_outputState = Projection<S>(m_tape, weight.columns(0, H), states, m_logits);
    if (outputReadsContext(m_config) && m_config.context == Context::Attention)
      m_outputContext = Projection<S>(m_tape, weight.columns(H, memorySize(m_config)), m_contexts, m_logits);
  }

  // Cho et al.: one context for all steps, in the bottom layer's input and in the output.
  void setUpFixedContext() {
    const Var<S> outputWeight = m_parameters["output.weight"];
    const int H = m_config.decoder.hidden, size = m_config.encoder.hidden;
    const Var<S> toGates = m_tape.zeros(m_b, m_decoder[0].gates().columnCount());
    const Var<S> toLogits = m_tape.zeros(m_b, m_config.targetVocabulary);
    const Var<S> inputWeight = m_parameters["decoder.weight_ih_l0"];
    const auto parts = finals(m_config.encoder.layers - 1, false);
    for (std::size_t k = 0; k < parts.size(); ++k) {
      const int offset = static_cast<int>(k) * size;
      Projection<S>(m_tape, inputWeight.columns(m_config.embedding + offset, size), parts[k], toGates).applyAll(m_tape);
      Projection<S>(m_tape, outputWeight.columns(H + offset, size), parts[k], toLogits).applyAll(m_tape);
    }
    addToEveryBlock(m_tape, toGates, m_decoder[0].gates());
    addToEveryBlock(m_tape, toLogits, m_logits);
  }

  void bridge() {
    const bool lstm = m_config.decoder.cell == CellKind::Lstm;
    for (int k = 0; k < m_config.decoder.layers; ++k) {
      const int from = bridgeLayer(m_config, k);
      if (m_config.bridge == Bridge::Copy) {
        copyOp(m_tape, finals(from, false)[0], m_decoder[k].h.initial(false));
        if (lstm) copyOp(m_tape, finals(from, true)[0], m_decoder[k].c.initial(false));
        continue;
      }
      bridgeTanh("bridge_h." + number(k), finals(from, false), m_decoder[k].h.initial(false));
      const bool fromCell = m_config.encoder.cell == CellKind::Lstm;
      if (lstm) bridgeTanh("bridge_c." + number(k), finals(from, fromCell), m_decoder[k].c.initial(false));
    }
  }

  void bridgeTanh(const std::string& name, const std::vector<Var<S>>& parts, Var<S> target) {
    const Var<S> weight = m_parameters[name + ".weight"];
    addBias(m_tape, m_parameters[name + ".bias"], target);
    for (std::size_t k = 0; k < parts.size(); ++k) {
      const int size = parts[k].columnCount();
      Projection<S>(m_tape, weight.columns(static_cast<int>(k) * size, size), parts[k], target).applyAll(m_tape);
    }
    tanhInPlace(m_tape, target);
  }

  void attend(int t) {
    for (int b = 0; b < m_b; ++b) m_available[b] = t < m_lengths[b] ? m_sourceLengths[b] : 0;
    m_attention.attend(t, m_available);
  }

  // One decoder step; its embedded input is in the gates of layer 0 already.
  void step(int t) {
    const int first = t * m_b;
    if (m_config.context == Context::Attention && m_config.query == Query::Previous) {
      attend(t);
      m_contextProjection.apply(m_tape, first, m_b);
    }
    if (m_config.inputFeeding) m_feedProjection.apply(m_tape, first, m_b);
    for (int layer = 0; layer < m_config.decoder.layers; ++layer) {
      if (layer > 0) m_layerProjections[layer - 1].apply(m_tape, first, m_b);
      m_decoder[layer].step(m_tape, t);
    }
    if (!combines(m_config)) return;
    attend(t);
    m_combineContext.apply(m_tape, first, m_b);
    m_combineState.apply(m_tape, first, m_b);
    tanhInPlace(m_tape, m_combined.block(t + 1));
  }

  void output(int rowBegin, int rowCount) {
    m_outputState.apply(m_tape, rowBegin, rowCount);
    if (outputReadsContext(m_config) && m_config.context == Context::Attention)
      m_outputContext.apply(m_tape, rowBegin, rowCount);
  }

  int target(int b, int t) const { return m_batch.target[static_cast<std::size_t>(b) * m_batch.targetLength + t]; }

  void runForced() {
    for (int t = 0; t < m_steps; ++t)
      for (int b = 0; b < m_b; ++b) m_ids[t * m_b + b] = t == 0 ? kStart : target(b, t - 1);
    embed(m_tape, m_parameters["target_embedding.weight"], m_ids, m_inputs);
    m_inputProjection.applyAll(m_tape);
    for (int t = 0; t < m_steps; ++t) step(t);
    output(0, m_steps * m_b);
    m_chosen.resize(static_cast<std::size_t>(m_steps) * m_b);
    argMaxRows(m_logits.value, kEnd, m_chosen.data());
  }

  void runStepwise() {
    const Var<S> table = m_parameters["target_embedding.weight"];
    m_chosen.assign(static_cast<std::size_t>(m_steps) * m_b, kEnd);
    for (int t = 0; t < m_steps; ++t) {
      const int first = t * m_b;
      chooseInputs(t);
      embed(m_tape, table, m_ids + first, m_inputs.rows(first, m_b));
      m_inputProjection.apply(m_tape, first, m_b);
      step(t);
      output(first, m_b);
      argMaxRows(m_logits.value.rowRange(first, m_b), kEnd, m_chosen.data() + first);
      if (m_options.decoding == Decoding::Free && closeFinished(t)) break;
    }
  }

  void chooseInputs(int t) {
    for (int b = 0; b < m_b; ++b) {
      int& id = m_ids[t * m_b + b];
      const bool reference = m_options.decoding == Decoding::Mixed && t > 0 && t <= m_lengths[b] &&
                             m_options.random->uniform() < m_options.teacherForcing;
      id = t == 0 ? kStart : reference ? target(b, t - 1) : m_chosen[static_cast<std::size_t>(t - 1) * m_b + b];
    }
  }

  // An example that has written </s> is finished; true when all are.
  bool closeFinished(int t) {
    bool all = true;
    for (int b = 0; b < m_b; ++b) {
      if (t < m_lengths[b] && m_chosen[static_cast<std::size_t>(t) * m_b + b] == kEnd) m_lengths[b] = t + 1;
      all = all && m_lengths[b] <= t + 1;
    }
    return all;
  }

  // --- loss and record -------------------------------------------------------------------------------------------

  void addLoss(Record<S>& record) {
    if (m_batch.target.empty() || m_options.decoding == Decoding::Free) return;
    int* targets = m_tape.template array<int>(static_cast<std::size_t>(m_steps) * m_b);
    for (int t = 0; t < m_steps; ++t)
      for (int b = 0; b < m_b; ++b) targets[t * m_b + b] = t < m_batch.targetLengths[b] ? target(b, t) : -1;
    record.lossSum = crossEntropy(m_logits, targets, m_options.lossScale);
    record.lossCount = m_batch.targetCount();
  }

  Record<S> finish() {
    Record<S> record;
    record.batch = m_b;
    addLoss(record);
    record.steps = m_steps;
    record.lengths.assign(m_lengths, m_lengths + m_b);
    record.logits = m_logits.value;
    record.chosen = std::move(m_chosen);
    for (int layer = 0; layer < m_config.encoder.layers; ++layer)
      for (int direction = 0; direction < m_config.encoder.directions(); ++direction)
        record.layers.push_back(
            encoderPass(layer, direction).record("encoder." + number(layer) + (direction ? ".reverse" : "")));
    for (int layer = 0; layer < m_config.decoder.layers; ++layer)
      record.layers.push_back(m_decoder[layer].record("decoder." + number(layer)));
    if (m_config.context == Context::Attention) record.sites.push_back(siteRecord());
    return record;
  }

  SiteRecord<S> siteRecord() const {
    const AttentionPass<S>& pass = m_attention.pass();
    return {"decoder",         m_steps,           m_batch.sourceLength, pass.weights.value,  pass.scores.value, pass.ranges,
            pass.memory.value, pass.contexts.value, pass.queries.value};
  }

  const Seq2SeqConfig& m_config;
  Tape<S>& m_tape;
  const Parameters<S>& m_parameters;
  const Batch& m_batch;
  const RunOptions& m_options;
  const int m_b;

  std::vector<RnnPass<S>> m_encoder, m_decoder;  // encoder: layer by layer, direction by direction
  Var<S> m_memory, m_inputs, m_contexts, m_logits;
  StateBuffer<S> m_combined;
  Attention<S> m_attention;
  Projection<S> m_inputProjection, m_contextProjection, m_feedProjection, m_combineContext, m_combineState;
  Projection<S> m_outputState, m_outputContext;
  std::vector<Projection<S>> m_layerProjections;
  int m_steps = 0;
  int* m_sourceLengths = nullptr;
  int* m_lengths = nullptr;    // real decoder steps; free-running: shrinks when </s> is written
  int* m_available = nullptr;
  int* m_ids = nullptr;        // what each step is fed
  std::vector<int> m_chosen;
};

template <class S>
class Seq2Seq : public Model<S> {
 public:
  explicit Seq2Seq(const Seq2SeqConfig& config) : m_config(config) {}
  Record<S> run(Tape<S>& tape, const Parameters<S>& parameters, const Batch& batch,
                const RunOptions& options) const override {
    return Pass<S>(m_config, tape, parameters, batch, options).run();
  }

 private:
  Seq2SeqConfig m_config;
};

}  // namespace

void addSeq2SeqParameters(ParameterLayout& layout, const Seq2SeqConfig& config) {
  const int m = memorySize(config), H = config.decoder.hidden, E = config.embedding;
  layout.add("source_embedding.weight", {config.sourceVocabulary, E}, Init::Embedding);
  layout.add("target_embedding.weight", {config.targetVocabulary, E}, Init::Embedding);
  for (int layer = 0; layer < config.encoder.layers; ++layer)
    for (int direction = 0; direction < config.encoder.directions(); ++direction)
      addRnnParameters(layout, "encoder.", config.encoder, layer == 0 ? E : m, layer, direction == 1);
  for (int layer = 0; layer < config.decoder.layers; ++layer)
    addRnnParameters(layout, "decoder.", config.decoder, layer == 0 ? E + joinedSize(config) : H, layer, false);
  if (config.bridge == Bridge::Tanh)
    for (int k = 0; k < config.decoder.layers; ++k)
      for (const char* kind : {"bridge_h.", "bridge_c."}) {
        if (kind[7] == 'c' && config.decoder.cell != CellKind::Lstm) continue;
        layout.add(kind + number(k) + ".weight", {H, m}, Init::Glorot);
        layout.add(kind + number(k) + ".bias", {H}, Init::Zero);
      }
  if (config.context == Context::Attention) addAttentionParameters(layout, config.attention, m, H);
  if (combines(config)) layout.add("combine.weight", {H, m + H}, Init::Glorot);
  layout.add("output.weight", {config.targetVocabulary, H + (outputReadsContext(config) ? m : 0)}, Init::Glorot);
  layout.add("output.bias", {config.targetVocabulary}, Init::Zero);
}

template <class S>
std::unique_ptr<Model<S>> makeSeq2Seq(const Seq2SeqConfig& config) {
  return std::make_unique<Seq2Seq<S>>(config);
}

template std::unique_ptr<Model<float>> makeSeq2Seq(const Seq2SeqConfig&);
template std::unique_ptr<Model<double>> makeSeq2Seq(const Seq2SeqConfig&);

}  // namespace attnscope
