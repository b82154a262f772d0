// Traces made by hand, with everything a view can meet: known numbers, strange tokens, holes, extremes of size.
#pragma once

#include <algorithm>
#include <cmath>
#include <limits>
#include <string>
#include <vector>

#include "core/trace/trace.h"

namespace attnscope::sample {

inline Matrix matrix(int rows, int columns, double phase) {
  Matrix out{rows, columns, {}};
  for (int r = 0; r < rows; ++r) {
    for (int c = 0; c < columns; ++c) {
      out.values.push_back(static_cast<float>(0.95 * std::sin(phase + 0.7 * r + 1.3 * c + 0.21 * r * c)));
    }
  }
  return out;
}

inline Matrix gate(int rows, int columns, double phase) {
  Matrix out = matrix(rows, columns, phase);
  for (float& value : out.values) value = 1.0f / (1.0f + std::exp(-4.0f * value));
  return out;
}

// A site of one head whose row t is the softmax of −sharpness·|column − centre(t)|.
template <class Centre>
Site site(const std::string& name, int rows, int columns, double sharpness, Centre centre) {
  Site out;
  out.name = name;
  out.rows = rows;
  out.columns = columns;
  for (int r = 0; r < rows; ++r) {
    double sum = 0;
    std::vector<double> row;
    for (int c = 0; c < columns; ++c) {
      const double score = -sharpness * std::abs(c - static_cast<double>(centre(r)));
      out.scores.push_back(static_cast<float>(score));
      row.push_back(std::exp(score));
      sum += row.back();
    }
    for (const double value : row) out.weights.push_back(static_cast<float>(value / sum));
  }
  out.cells.assign(out.weights.size(), Cell::Real);
  return out;
}

inline StateTrack gruTrack(const std::string& name, int steps, int hidden, double phase) {
  StateTrack track;
  track.name = name;
  track.h = matrix(steps, hidden, phase);
  track.gates = {{"r", gate(steps, hidden, phase + 1)},
                 {"z", gate(steps, hidden, phase + 2)},
                 {"n", matrix(steps, hidden, phase + 3)}};
  return track;
}

inline StateTrack lstmTrack(const std::string& name, int steps, int hidden, double phase) {
  StateTrack track;
  track.name = name;
  track.h = matrix(steps, hidden, phase);
  track.c = matrix(steps, hidden, phase + 5);
  for (float& value : track.c.values) value *= 2;
  track.gates = {{"i", gate(steps, hidden, phase + 1)},
                 {"f", gate(steps, hidden, phase + 2)},
                 {"o", gate(steps, hidden, phase + 3)},
                 {"g", matrix(steps, hidden, phase + 4)}};
  return track;
}

inline Trace wrap(TraceExample example, Json config) {
  Trace trace;
  trace.generator = "test";
  trace.config = std::move(config);
  trace.step = 1240;
  trace.seed = 1;
  trace.examples.push_back(std::move(example));
  return trace;
}

inline Json seq2seqConfig(const std::string& query, bool inputFeeding, const std::string& score) {
  return Json{
      {"family", "seq2seq"},
      {"encoder", {{"cell", "gru"}, {"hidden", 16}, {"layers", 1}, {"bidirectional", true}}},
      {"decoder", {{"cell", "gru"}, {"hidden", 16}, {"layers", 1}}},
      {"context", "attention"},
      {"query", query},
      {"input_feeding", inputFeeding},
      {"attention", {{"score", score}, {"units", 16}, {"normalizer", "softmax"}, {"scope", {{"kind", "global"}}}}}};
}

// `source` without </s>; the target is it reversed, both closed by </s>; gold is the reversal.
inline Trace reverse(const std::vector<std::string>& source, const std::string& query = "previous", int hidden = 16) {
  const int n = static_cast<int>(source.size());
  TraceExample example;
  example.source = source;
  example.source.push_back("</s>");
  example.target.assign(source.rbegin(), source.rend());
  example.target.push_back("</s>");
  example.reference = example.target;
  const auto centre = [n](int r) { return r == n ? n : n - 1 - r; };
  Site attention = site("decoder", n + 1, n + 1, 2.2, centre);
  attention.rowAxis.name = "target";
  attention.columnAxis.name = "source";
  example.memory = {{"decoder", matrix(n + 1, 2 * hidden, 0.3)}};
  Matrix context{n + 1, 2 * hidden, std::vector<float>(static_cast<std::size_t>(n + 1) * 2 * hidden)};
  for (int r = 0; r <= n; ++r) {
    for (int c = 0; c <= n; ++c) {
      for (int d = 0; d < 2 * hidden; ++d) {
        context.values[static_cast<std::size_t>(r) * 2 * hidden + d] +=
            attention.weights[attention.index(0, r, c)] * example.memory[0].matrix.at(c, d);
      }
    }
  }
  example.context = {{"decoder", context}};
  example.query = {{"decoder", matrix(n + 1, hidden, 2.1)}};
  example.states = {gruTrack("encoder.0", n + 1, hidden, 0.1), gruTrack("encoder.0.reverse", n + 1, hidden, 0.9),
                    gruTrack("decoder.0", n + 1, hidden, 1.7)};
  SiteGold gold{"decoder", {}};
  for (int r = 0; r <= n; ++r) {
    gold.cells.push_back({r, centre(r)});
    const std::string& own = example.target[static_cast<std::size_t>(r)];
    const std::string& other = example.target[static_cast<std::size_t>((r + 1) % (n + 1))];
    example.outputs.push_back({own, 0.97, {{own, 0.97}, {other, 0.01}, {"</s>", 0.005}}, {}});
  }
  example.gold = {gold};
  example.sites = {attention};
  return wrap(std::move(example),
              seq2seqConfig(query, query == "current", query == "current" ? "general" : "additive"));
}

inline Trace letters() { return reverse({"k", "c", "f", "a", "j", "b", "d", "h", "e"}); }

inline Trace strangeTokens() {
  return reverse({"猫", "ἀé́", "👩‍🔬", "שלום", "مرحبا", " ", "\t", "<b>&amp;</b>", "", "\xcc\x81",
                  "donaudampfschifffahrtsgesellschaft", "a", "a"},
                 "current");
}

inline Trace square(int size) {
  std::vector<std::string> tokens;
  for (int i = 0; i + 1 < size; ++i) tokens.push_back("word" + std::to_string(i + 1));
  return reverse(tokens, "previous", 8);
}

// One cell, no gold, no score.
inline Trace single() {
  TraceExample example;
  example.source = {"a"};
  example.target = {"b"};
  Site attention = site("decoder", 1, 1, 1, [](int) { return 0; });
  attention.scores.clear();
  attention.rowAxis.name = "target";
  attention.columnAxis.name = "source";
  example.sites = {attention};
  return wrap(std::move(example), Json());
}

// Masked cells (a causal mask over half the rows), missing and non-finite cells, in weights, states and contexts.
inline Trace holes() {
  Trace trace = letters();
  TraceExample& example = trace.examples[0];
  Site& attention = example.sites[0];
  for (int r = 0; r < 5; ++r) {
    for (int c = r + 5; c < attention.columns; ++c) {
      attention.cells[attention.index(0, r, c)] = Cell::Masked;
      attention.weights[attention.index(0, r, c)] = 0;
    }
  }
  attention.cells[attention.index(0, 6, 8)] = attention.cells[attention.index(0, 6, 9)] = Cell::Missing;
  attention.weights[attention.index(0, 7, 1)] = std::numeric_limits<float>::quiet_NaN();
  attention.weights[attention.index(0, 7, 2)] = std::numeric_limits<float>::infinity();
  attention.scores[attention.index(0, 7, 2)] = -std::numeric_limits<float>::infinity();
  example.context[0].matrix.values[3] = std::numeric_limits<float>::quiet_NaN();
  example.memory[0].matrix.values[5] = std::numeric_limits<float>::infinity();
  example.states[0].h.values[7] = std::numeric_limits<float>::quiet_NaN();
  example.query[0].matrix.values[2] = std::numeric_limits<float>::quiet_NaN();
  return trace;
}

// An RNN that attends to its earlier states: rows are steps, columns h₀ … h₈, later ones masked.
inline Trace recurrent() {
  const int steps = 9, hidden = 12;
  TraceExample example;
  example.series.names = {"x"};
  example.series.values = matrix(steps, 1, 0.4);
  example.target.assign(steps, "+");
  for (int i = 0; i < steps; i += 2) example.target[static_cast<std::size_t>(i)] = "−";
  Site attention = site("memory", steps, steps, 1.1, [](int r) { return std::max(0, r - 2); });
  attention.rowAxis.name = "steps";
  attention.columnAxis.name = "memory";
  for (int i = 0; i < steps; ++i) {
    attention.rowAxis.tokens.push_back(std::to_string(i + 1));
    attention.columnAxis.tokens.push_back("h" + std::to_string(i));
  }
  SiteGold gold{"memory", {}};
  for (int r = 0; r < steps; ++r) {
    double sum = 0;
    for (int c = 0; c <= r; ++c) sum += attention.weights[attention.index(0, r, c)];
    for (int c = 0; c < steps; ++c) {
      const std::size_t i = attention.index(0, r, c);
      attention.cells[i] = c <= r ? Cell::Real : Cell::Masked;
      attention.weights[i] = c <= r ? static_cast<float>(attention.weights[i] / sum) : 0.0f;
    }
    if (r >= 2) gold.cells.push_back({r, r - 2});
    example.outputs.push_back({example.target[static_cast<std::size_t>(r)], 0.8, {{"+", 0.8}, {"−", 0.2}}, {}});
  }
  example.gold = {gold};
  example.memory = {{"memory", matrix(steps, hidden, 0.2)}};
  example.context = {{"memory", matrix(steps, hidden, 0.8)}};
  example.query = {{"memory", matrix(steps, hidden, 1.5)}};
  example.states = {lstmTrack("rnn.0", steps, hidden, 0.6)};
  example.sites = {attention};
  example.forced = true;
  return wrap(std::move(example), Json{{"family", "recurrent"},
                                       {"input", {{"kind", "vector"}, {"size", 1}}},
                                       {"cell", "lstm"},
                                       {"hidden", hidden},
                                       {"layers", 1},
                                       {"attention",
                                        {{"score", "mean_dot"},
                                         {"memory", "states"},
                                         {"joins", "output"},
                                         {"normalizer", "softmax"},
                                         {"temperature", 0.5},
                                         {"scope", {{"kind", "global"}}}}},
                                       {"output", {{"kind", "step_class"}, {"size", 2}}}});
}

// Two layers, four heads, given targets: everything there is more than one of.
inline Trace heads() {
  Trace trace = letters();
  TraceExample& example = trace.examples[0];
  example.forced = true;
  const int n = example.sites[0].rows;
  Site many;
  many.name = "decoder.cross.1";
  many.heads = 4;
  many.rows = many.columns = n;
  for (int h = 0; h < 4; ++h) {
    const Site one = site("", n, n, 0.4 + h, [n, h](int r) { return (r + h) % n; });
    many.weights.insert(many.weights.end(), one.weights.begin(), one.weights.end());
    many.scores.insert(many.scores.end(), one.scores.begin(), one.scores.end());
  }
  many.cells.assign(many.weights.size(), Cell::Real);
  many.rowAxis.name = "target";
  many.columnAxis.name = "source";
  example.sites.push_back(many);
  for (int layer = 1; layer < 3; ++layer) {
    example.states.push_back(lstmTrack("encoder." + std::to_string(layer), n, 16, layer));
    example.states.push_back(lstmTrack("decoder." + std::to_string(layer), n, 16, 3 + layer));
  }
  return trace;
}

// Only what a file must have: tokens and weights.
inline Trace weightsOnly() {
  Trace trace = letters();
  TraceExample& example = trace.examples[0];
  example.memory.clear();
  example.context.clear();
  example.query.clear();
  example.states.clear();
  example.outputs.clear();
  example.gold.clear();
  example.sites[0].scores.clear();
  trace.config = Json();
  return trace;
}

}  // namespace attnscope::sample
