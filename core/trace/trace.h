// The trace: what a model looked at, as one plain value (formats.md 3). The narrow waist of the program: models
// write it, every view, export and metric reads it, and nothing else passes between them.
#pragma once

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "core/base/json.h"

namespace attnscope {

struct Matrix {
  int rows = 0;
  int columns = 0;
  std::vector<float> values;  // row-major
  bool empty() const { return values.empty(); }
  float at(int row, int column) const { return values[static_cast<std::size_t>(row) * columns + column]; }
};

// Real: a number (it may be non-finite). Masked: outside mask or scope (weight 0, no score). Missing: not known.
enum class Cell : std::uint8_t { Real, Masked, Missing };

// The labels along one side of a site. `name` is "source", "target", … where the tokens are that list of the
// example, else empty and the tokens stand only here.
struct Axis {
  std::string name;
  std::vector<std::string> tokens;
};

// The weights of one attention site (models.md 5) for one example.
struct Site {
  std::string name;             // "decoder", "memory"
  int heads = 1;
  int rows = 0;                 // output steps
  int columns = 0;              // memory positions
  std::vector<float> weights;   // heads × rows × columns
  std::vector<float> scores;    // e/τ, what the normaliser reads; empty where unknown
  std::vector<Cell> cells;      // heads × rows × columns
  Axis rowAxis;
  Axis columnAxis;
  std::size_t index(int head, int row, int column) const {
    return (static_cast<std::size_t>(head) * rows + row) * columns + column;
  }
};

struct NamedMatrix {
  std::string name;
  Matrix matrix;
};

// The states of one layer over its steps: "encoder.0", "encoder.0.reverse", "decoder.0", "rnn.0".
struct StateTrack {
  std::string name;
  Matrix h;                        // steps × hidden
  Matrix c;                        // lstm only
  std::vector<NamedMatrix> gates;  // gru: r, z, n (z keeps the old state); lstm: i, f, o, g
};

struct OutputStep {
  std::string token;                                   // chosen (free) or given (forced) token, or class name
  double probability = 0;                              // the model's probability of that token
  std::vector<std::pair<std::string, double>> top;     // the most probable, falling
  std::vector<float> values;                           // vector outputs: the prediction
};

// A cell of a site that is known to be right, 0-based.
struct GoldCell {
  int row = 0;
  int column = 0;
  bool operator==(const GoldCell&) const = default;
};

struct SiteGold {
  std::string site;
  std::vector<GoldCell> cells;
};

// Vector inputs: one row of numbers per step.
struct Series {
  std::vector<std::string> names;  // one per column
  Matrix values;                   // steps × names
};

struct TraceExample {
  std::vector<std::string> source;        // token inputs, with </s> where the model read it
  std::vector<std::string> target;        // the tokens the rows stand for, with </s>; classes in recurrent
  std::vector<std::uint8_t> sourceUnknown;  // 1 where the token is not in the vocabulary; may be empty
  Series series;                          // vector inputs
  std::vector<std::string> reference;     // the known right target, empty where unknown
  bool forced = false;                    // teacher-forced, else free-running
  std::vector<SiteGold> gold;
  std::vector<Site> sites;
  std::vector<NamedMatrix> memory;        // by site: the vectors v_i, positions × size
  std::vector<NamedMatrix> context;       // by site: c_t, steps × size
  std::vector<NamedMatrix> query;         // by site: u_t, steps × size
  std::vector<StateTrack> states;
  std::vector<OutputStep> outputs;

  const Site* findSite(std::string_view name) const;            // nullptr where absent
  const std::vector<GoldCell>* findGold(std::string_view site) const;
};

// nullptr where absent.
const Matrix* findMatrix(const std::vector<NamedMatrix>& list, std::string_view name);

struct Trace {
  std::string generator;        // "attnscope 0.1.0"
  Json config;                  // the model's configuration; null where unknown
  std::int64_t step = -1;       // training step; −1 where unknown
  std::uint64_t seed = 0;
  std::vector<TraceExample> examples;
};

}  // namespace attnscope
