#include "core/models/config.h"

#include "core/attention/tables.h"
#include "core/base/error.h"
#include "core/models/json_reader.h"
#include "core/models/model.h"

namespace attnscope {
namespace {

const std::vector<std::string> kCells{"rnn", "gru", "lstm"};
const std::vector<std::string> kResets{"after", "before"};
const std::vector<std::string> kMemories{"encoder", "states", "inputs", "lower"};
const std::vector<std::string> kJoins{"state", "input", "output"};
const std::vector<std::string> kContexts{"none", "fixed", "attention"};
const std::vector<std::string> kQueries{"previous", "current"};
const std::vector<std::string> kBridges{"copy", "tanh"};
const std::vector<std::string> kOutputs{"class", "step_class", "vector", "step_vector"};

std::vector<std::string> namesOf(std::span<const MechanismInfo> table) {
  std::vector<std::string> names;
  for (const auto& row : table) names.emplace_back(row.name);
  return names;
}

const MechanismInfo& pick(JsonReader& reader, const std::string& key, std::span<const MechanismInfo> table,
                          std::optional<int> fallback = {}) {
  return table[reader.choice(key, namesOf(table), fallback)];
}

// Keys shared by every place that names a cell.
void parseCell(JsonReader& reader, RnnConfig& rnn) {
  rnn.cell = static_cast<CellKind>(reader.choice("cell", kCells));
  rnn.hidden = reader.positive("hidden");
  rnn.layers = reader.positive("layers", 1);
  if (rnn.layers > 16) reader.fail("layers", "must be at most 16");
  if (rnn.cell == CellKind::Gru)
    rnn.reset = static_cast<Reset>(reader.choice("reset", kResets, 0));
  else
    reader.meaningless("reset", "for the cell " + kCells[static_cast<int>(rnn.cell)], "after");
}

RnnConfig parseRnn(const Json& json, const std::string& path, bool mayBeBidirectional) {
  JsonReader reader(json, path);
  RnnConfig rnn;
  parseCell(reader, rnn);
  if (mayBeBidirectional)
    rnn.bidirectional = reader.boolean("bidirectional", false);
  else
    reader.meaningless("bidirectional", "in a decoder", false);
  reader.finish();
  return rnn;
}

std::string parseScope(const Json& json, const std::string& path) {
  JsonReader reader(json, path);
  const std::string kind(pick(reader, "kind", scopeTable(), 0).name);
  reader.meaningless("window", "for the scope " + kind);
  reader.finish();
  return kind;
}

// The part of "attention" that every family shares. m: size of a memory vector, d: of the query.
AttentionConfig parseAttention(JsonReader& reader, int m, int d) {
  AttentionConfig attention;
  const MechanismInfo& score = pick(reader, "score", scoreTable());
  attention.score = score.name;
  if (score.takesUnits)
    attention.units = reader.positive("units");
  else
    reader.meaningless("units", "for the score " + attention.score);
  if (score.equalSizes && m != d)
    reader.fail("score", attention.score + " needs a memory and a query of one size, but they are " +
                             std::to_string(m) + " and " + std::to_string(d) +
                             "; take another score (general, additive) or equal sizes");
  attention.normalizer = pick(reader, "normalizer", normalizerTable(), 0).name;
  if (reader.has("scope")) attention.scope = parseScope(reader.object("scope"), reader.pathOf("scope"));
  attention.temperature = reader.positiveNumber("temperature", 1);
  if (attention.temperature < kLeastTemperature || attention.temperature > kLargestTemperature)
    reader.fail("temperature", "must be from 1e-9 to 1e9, not " + Json(attention.temperature).dump());
  for (const char* key : {"max_length", "filters", "width"})
    reader.meaningless(key, "for the score " + attention.score);
  if (reader.boolean("coverage", false)) reader.fail("coverage", "true is not offered by this version; take it out");
  reader.meaningless("coverage_weight", "without coverage", 1);
  return attention;
}

void checkBridge(const JsonReader& reader, const Seq2SeqConfig& model) {
  if (model.bridge != Bridge::Copy) return;
  const RnnConfig &encoder = model.encoder, &decoder = model.decoder;
  if (encoder.bidirectional)
    reader.fail("bridge", "copy needs an encoder of one direction; take tanh, or set encoder.bidirectional to false");
  if (encoder.cell != decoder.cell) reader.fail("bridge", "copy needs the same cell in encoder and decoder; take tanh");
  if (encoder.hidden != decoder.hidden)
    reader.fail("bridge", "copy needs equal sizes, but encoder.hidden is " + std::to_string(encoder.hidden) +
                              " and decoder.hidden " + std::to_string(decoder.hidden) + "; take tanh");
}

// <pad>, <s>, </s> and <unk> come before the words.
int parseVocabulary(JsonReader& reader, const char* key) {
  const int size = reader.positive(key);
  if (size < 4)
    reader.fail(key, "must be at least 4, not " + std::to_string(size) + ": <pad>, <s>, </s>, <unk> and the words");
  return size;
}

Seq2SeqConfig parseSeq2Seq(JsonReader& reader) {
  Seq2SeqConfig model;
  model.sourceVocabulary = parseVocabulary(reader, "source_vocabulary");
  model.targetVocabulary = parseVocabulary(reader, "target_vocabulary");
  model.embedding = reader.positive("embedding");
  model.encoder = parseRnn(reader.object("encoder"), reader.pathOf("encoder"), true);
  model.decoder = parseRnn(reader.object("decoder"), reader.pathOf("decoder"), false);
  model.bridge = static_cast<Bridge>(reader.choice("bridge", kBridges));
  checkBridge(reader, model);
  model.context = static_cast<Context>(reader.choice("context", kContexts));
  if (model.context != Context::Attention) {
    const std::string reason = "with context " + kContexts[static_cast<int>(model.context)];
    reader.meaningless("query", reason);
    reader.meaningless("input_feeding", reason, false);
    reader.meaningless("attention", reason);
    return model;
  }
  model.query = static_cast<Query>(reader.choice("query", kQueries));
  model.inputFeeding = reader.boolean("input_feeding", false);
  if (model.inputFeeding && model.query == Query::Previous)
    reader.fail("input_feeding",
                "true goes with query current only: with previous the context enters the decoder already");
  JsonReader inner(reader.object("attention"), reader.pathOf("attention"));
  model.attention = parseAttention(inner, model.encoder.hidden * model.encoder.directions(), model.decoder.hidden);
  inner.finish();
  return model;
}

void parseInput(JsonReader& reader, RecurrentConfig& model) {
  JsonReader input(reader.object("input"), reader.pathOf("input"));
  model.tokens = input.choice("kind", {"vector", "token"}) == 1;
  if (model.tokens) {
    model.vocabulary = parseVocabulary(input, "vocabulary");
    model.embedding = input.positive("embedding");
    input.meaningless("size", "for token inputs");
  } else {
    model.vectorSize = input.positive("size");
    input.meaningless("vocabulary", "for vector inputs");
    input.meaningless("embedding", "for vector inputs");
  }
  input.finish();
}

void parseRecurrentAttention(const Json& json, const std::string& path, RecurrentConfig& model) {
  JsonReader reader(json, path);
  model.memory = static_cast<Memory>(reader.choice("memory", {kMemories.begin() + 1, kMemories.end()}) + 1);
  model.joins = static_cast<Joins>(reader.choice("joins", kJoins));
  if (model.memory == Memory::Lower && model.rnn.layers < 2)
    reader.fail("memory", "lower needs at least 2 layers: it is the layer below that is looked at");
  if (model.joins == Joins::State && model.rnn.cell != CellKind::Rnn)
    reader.fail("joins", "state goes with the cell rnn only; take input or output");
  const int m = model.memory == Memory::Inputs ? model.inputSize() : model.rnn.hidden;
  model.attention = parseAttention(reader, m, model.rnn.hidden);
  reader.finish();
  model.attends = true;
}

RecurrentConfig parseRecurrent(JsonReader& reader) {
  RecurrentConfig model;
  parseInput(reader, model);
  parseCell(reader, model.rnn);
  reader.meaningless("bidirectional", "in the family recurrent", false);
  JsonReader output(reader.object("output"), reader.pathOf("output"));
  model.outputKind = static_cast<OutputKind>(output.choice("kind", kOutputs));
  model.outputSize = output.positive("size");
  output.finish();
  const Json& attention = reader.object("attention");
  if (!attention.is_null()) parseRecurrentAttention(attention, reader.pathOf("attention"), model);
  return model;
}

// A size typed with a digit too many must not take the machine's memory: training holds about eight numbers of four
// bytes for each parameter.
void checkSize(const ModelConfig& config) {
  constexpr std::size_t kMostParameters = 100'000'000;
  const std::size_t size = parameterLayout(config).size();
  if (size > kMostParameters)
    throw Error(ErrorKind::BadInput, "config",
                "a model of " + std::to_string(size) + " parameters is too large, at most " +
                    std::to_string(kMostParameters) + " are possible; take smaller sizes");
}

Json rnnJson(const RnnConfig& rnn, bool withDirection) {
  Json json{{"cell", kCells[static_cast<int>(rnn.cell)]}, {"hidden", rnn.hidden}, {"layers", rnn.layers}};
  if (rnn.cell == CellKind::Gru) json["reset"] = kResets[static_cast<int>(rnn.reset)];
  if (withDirection) json["bidirectional"] = rnn.bidirectional;
  return json;
}

Json attentionJson(const AttentionConfig& attention) {
  Json json{{"score", attention.score}};
  if (attention.units > 0) json["units"] = attention.units;
  json["normalizer"] = attention.normalizer;
  json["scope"] = Json{{"kind", attention.scope}};
  json["temperature"] = attention.temperature;
  return json;
}

Json seq2seqJson(const Seq2SeqConfig& model) {
  Json json{{"family", "seq2seq"},
            {"source_vocabulary", model.sourceVocabulary},
            {"target_vocabulary", model.targetVocabulary},
            {"embedding", model.embedding},
            {"encoder", rnnJson(model.encoder, true)},
            {"decoder", rnnJson(model.decoder, false)},
            {"bridge", kBridges[static_cast<int>(model.bridge)]},
            {"context", kContexts[static_cast<int>(model.context)]}};
  if (model.context == Context::Attention) {
    json["query"] = kQueries[static_cast<int>(model.query)];
    json["input_feeding"] = model.inputFeeding;
    json["attention"] = attentionJson(model.attention);
  }
  return json;
}

Json recurrentJson(const RecurrentConfig& model) {
  Json json{{"family", "recurrent"}};
  json["input"] = model.tokens
                      ? Json{{"kind", "token"}, {"vocabulary", model.vocabulary}, {"embedding", model.embedding}}
                      : Json{{"kind", "vector"}, {"size", model.vectorSize}};
  json.update(rnnJson(model.rnn, false));
  json["attention"] = nullptr;
  if (model.attends) {
    Json attention{{"memory", kMemories[static_cast<int>(model.memory)]},
                   {"joins", kJoins[static_cast<int>(model.joins)]}};
    attention.update(attentionJson(model.attention));
    json["attention"] = attention;
  }
  json["output"] = Json{{"kind", kOutputs[static_cast<int>(model.outputKind)]}, {"size", model.outputSize}};
  return json;
}

}  // namespace

const AttentionConfig* ModelConfig::attention() const {
  if (family == "seq2seq") return seq2seq.context == Context::Attention ? &seq2seq.attention : nullptr;
  return recurrent.attends ? &recurrent.attention : nullptr;
}

AttentionConfig* ModelConfig::attention() {
  return const_cast<AttentionConfig*>(static_cast<const ModelConfig*>(this)->attention());
}

ModelConfig parseConfig(const Json& json) {
  JsonReader reader(json, "config");
  ModelConfig config;
  config.family = reader.choice("family", {"seq2seq", "recurrent"}) == 0 ? "seq2seq" : "recurrent";
  if (config.family == "seq2seq")
    config.seq2seq = parseSeq2Seq(reader);
  else
    config.recurrent = parseRecurrent(reader);
  reader.finish();
  checkSize(config);
  return config;
}

Json toJson(const ModelConfig& config) {
  return config.family == "seq2seq" ? seq2seqJson(config.seq2seq) : recurrentJson(config.recurrent);
}

}  // namespace attnscope
