// A model's configuration (models.md): read from JSON, checked, completed with its defaults, written back.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "core/attention/config.h"
#include "core/base/json.h"

namespace attnscope {

enum class CellKind { Rnn, Gru, Lstm };
enum class Reset { After, Before };            // where a GRU's reset gate acts (models.md 2)
enum class Memory { Encoder, States, Inputs, Lower };
enum class Joins { State, Input, Output };
enum class Context { None, Fixed, Attention };
enum class Query { Previous, Current };
enum class Bridge { Copy, Tanh };
enum class OutputKind { Class, StepClass, Vector, StepVector };

// One layered RNN: `cell`, `hidden`, `layers`, `bidirectional`, `reset`.
struct RnnConfig {
  CellKind cell = CellKind::Gru;
  Reset reset = Reset::After;
  int hidden = 0;
  int layers = 1;
  bool bidirectional = false;
  int directions() const { return bidirectional ? 2 : 1; }
};

struct Seq2SeqConfig {
  int sourceVocabulary = 0, targetVocabulary = 0, embedding = 0;
  RnnConfig encoder, decoder;
  Bridge bridge = Bridge::Tanh;
  Context context = Context::Attention;
  Query query = Query::Previous;
  bool inputFeeding = false;
  AttentionConfig attention;                   // context == Attention only
};

struct RecurrentConfig {
  bool tokens = false;                         // input.kind: token or vector
  int vocabulary = 0, embedding = 0, vectorSize = 0;
  RnnConfig rnn;                               // one direction
  bool attends = false;                        // "attention": null is the plain RNN
  AttentionConfig attention;
  Memory memory = Memory::States;
  Joins joins = Joins::State;
  OutputKind outputKind = OutputKind::Class;
  int outputSize = 0;
  int inputSize() const { return tokens ? embedding : vectorSize; }
};

struct ModelConfig {
  std::string family;                          // "seq2seq" or "recurrent"; says which of the two below counts
  Seq2SeqConfig seq2seq;
  RecurrentConfig recurrent;

  // The one attention of the model, or nullptr.
  const AttentionConfig* attention() const;
  AttentionConfig* attention();
};

// Throws Error(BadInput) with the JSON path as its place ("config.encoder.cell"): unknown key, wrong type, missing
// key, an option that a choice makes meaningless unless it holds its default, sizes that cannot go together, more than
// 100 million parameters.
ModelConfig parseConfig(const Json& json);
Json toJson(const ModelConfig& config);        // complete: every default written out

// models.md sizes that data decide: fills in `source_vocabulary`, … where absent; Error(BadInput) where they differ.
struct DataSizes {
  int sourceVocabulary = 0, targetVocabulary = 0, vectorSize = 0, classes = 0;
};
Json completeConfig(Json config, const DataSizes& sizes);

// Applies `path` = `value` ("attention.score", "general"; a value that parses as JSON is that, else a string), then
// drops keys that a changed `family`, `context`, score or cell makes meaningless, unless they are in `given` too.
// Throws Error(Usage) on a path that leads through a value.
struct Setting {
  std::string path;
  std::string value;
};
Json applySettings(Json config, const std::vector<Setting>& settings);

}  // namespace attnscope
