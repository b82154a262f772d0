#include <charconv>
#include <cmath>

#include "core/io/file.h"
#include "core/trace/trace_json.h"

namespace attnscope {
namespace {

// Writes text by hand: the JSON library would spell a float with the digits of a double.
class Writer {
 public:
  const std::string& text() const { return m_text; }

  void open(char bracket) {
    separate();
    m_text += bracket;
    m_first = true;
  }
  void close(char bracket) {
    m_text += bracket;
    m_first = false;
  }
  void key(std::string_view name) {
    string(name);
    m_text += ':';
    m_first = true;
  }
  void string(std::string_view value) {
    separate();
    m_text += Json(value).dump(-1, ' ', false, Json::error_handler_t::replace);
  }
  void raw(std::string_view json) {
    separate();
    m_text += json;
  }
  void null() { raw("null"); }
  void newLine() { m_newLine = true; }

  template <class Number>
  void number(Number value) {
    if constexpr (std::is_floating_point_v<Number>) {
      if (std::isnan(value)) return string("NaN");
      if (std::isinf(value)) return string(value > 0 ? "Infinity" : "-Infinity");
    }
    char digits[40];
    raw(std::string_view(digits, std::to_chars(digits, digits + sizeof digits, value).ptr));
  }

  template <class List>
  void strings(const List& values) {
    open('[');
    for (const auto& value : values) string(value);
    close(']');
  }
  template <class List>
  void numbers(const List& values) {
    open('[');
    for (const auto& value : values) number(value);
    close(']');
  }

 private:
  void separate() {
    if (!m_first) m_text += ',';
    if (m_newLine) m_text += '\n';
    m_first = false;
    m_newLine = false;
  }

  std::string m_text;
  bool m_first = true;
  bool m_newLine = false;
};

void writeMatrix(Writer& out, const Matrix& matrix) {
  out.open('{');
  out.key("shape");
  out.numbers(std::vector<int>{matrix.rows, matrix.columns});
  out.key("values");
  out.numbers(matrix.values);
  out.close('}');
}

void writeMatrices(Writer& out, std::string_view key, const std::vector<NamedMatrix>& matrices) {
  if (matrices.empty()) return;
  out.key(key);
  out.open('{');
  for (const NamedMatrix& item : matrices) {
    out.key(item.name);
    writeMatrix(out, item.matrix);
  }
  out.close('}');
}

// By name where the reader finds the same tokens in the example, else as a list.
void writeAxis(Writer& out, std::string_view key, const Axis& axis, const TraceExample& example) {
  out.key(key);
  const bool isSource = axis.name == "source" && axis.tokens == example.source;
  const bool isTarget = axis.name == "target" && axis.tokens == example.target;
  if (isSource || isTarget) {
    out.string(axis.name);
  } else {
    out.strings(axis.tokens);
  }
}

void writeScores(Writer& out, const Site& site) {
  out.key("scores");
  out.open('[');
  for (std::size_t i = 0; i < site.scores.size(); ++i) {
    if (site.cells[i] == Cell::Real) {
      out.number(site.scores[i]);
    } else {
      out.null();
    }
  }
  out.close(']');
}

// Without scores nothing else says which of the weights of 0 are outside mask or scope.
void writeMasked(Writer& out, const Site& site) {
  std::vector<std::size_t> masked;
  for (std::size_t i = 0; i < site.cells.size(); ++i) {
    if (site.cells[i] == Cell::Masked) masked.push_back(i);
  }
  if (masked.empty()) return;
  out.key("masked");
  out.numbers(masked);
}

void writeSite(Writer& out, const Site& site, const TraceExample& example) {
  out.key(site.name);
  out.open('{');
  out.key("shape");
  out.numbers(site.heads == 1 ? std::vector<int>{site.rows, site.columns}
                              : std::vector<int>{site.heads, site.rows, site.columns});
  out.key("weights");
  out.open('[');
  for (std::size_t i = 0; i < site.weights.size(); ++i) {
    if (site.cells[i] == Cell::Missing) {
      out.null();
    } else {
      out.number(site.cells[i] == Cell::Masked ? 0.0f : site.weights[i]);
    }
  }
  out.close(']');
  if (site.scores.empty()) {
    writeMasked(out, site);
  } else {
    writeScores(out, site);
  }
  writeAxis(out, "rows", site.rowAxis, example);
  writeAxis(out, "columns", site.columnAxis, example);
  out.close('}');
}

void writeSource(Writer& out, const TraceExample& example) {
  out.key("source");
  if (example.series.names.empty() && example.series.values.rows == 0) return out.strings(example.source);
  const Matrix& values = example.series.values;
  out.open('{');
  out.key("names");
  out.strings(example.series.names);
  out.key("values");
  out.open('[');
  for (int row = 0; row < values.rows; ++row) {
    out.open('[');
    for (int column = 0; column < values.columns; ++column) out.number(values.at(row, column));
    out.close(']');
  }
  out.close(']');
  out.close('}');
}

void writeUnknown(Writer& out, const std::vector<std::uint8_t>& flags) {
  if (flags.empty()) return;
  out.key("unknown");
  out.open('[');
  for (std::size_t i = 0; i < flags.size(); ++i) {
    if (flags[i]) out.number(i);
  }
  out.close(']');
}

void writeGold(Writer& out, const std::vector<SiteGold>& gold) {
  if (gold.empty()) return;
  out.key("gold");
  out.open('{');
  for (const SiteGold& site : gold) {
    out.key(site.site);
    out.open('[');
    for (const GoldCell& cell : site.cells) out.numbers(std::vector<int>{cell.row, cell.column});
    out.close(']');
  }
  out.close('}');
}

void writeStates(Writer& out, const std::vector<StateTrack>& states) {
  if (states.empty()) return;
  out.key("states");
  out.open('{');
  for (const StateTrack& track : states) {
    out.key(track.name);
    out.open('{');
    out.key("h");
    writeMatrix(out, track.h);
    if (!track.c.empty()) {
      out.key("c");
      writeMatrix(out, track.c);
    }
    writeMatrices(out, "gates", track.gates);
    out.close('}');
  }
  out.close('}');
}

void writeOutput(Writer& out, const OutputStep& step) {
  out.open('{');
  out.key("token");
  out.string(step.token);
  out.key("probability");
  out.number(step.probability);
  if (!step.top.empty()) {
    out.key("top");
    out.open('[');
    for (const auto& [token, probability] : step.top) {
      out.open('[');
      out.string(token);
      out.number(probability);
      out.close(']');
    }
    out.close(']');
  }
  if (!step.values.empty()) {
    out.key("values");
    out.numbers(step.values);
  }
  out.close('}');
}

void writeExample(Writer& out, const TraceExample& example) {
  out.newLine();
  out.open('{');
  writeSource(out, example);
  writeUnknown(out, example.sourceUnknown);
  out.key("target");
  out.strings(example.target);
  if (!example.reference.empty()) {
    out.key("reference");
    out.strings(example.reference);
  }
  out.key("mode");
  out.string(example.forced ? "forced" : "free");
  writeGold(out, example.gold);
  out.key("sites");
  out.open('{');
  for (const Site& site : example.sites) writeSite(out, site, example);
  out.close('}');
  writeMatrices(out, "memory", example.memory);
  writeMatrices(out, "context", example.context);
  writeMatrices(out, "query", example.query);
  writeStates(out, example.states);
  if (!example.outputs.empty()) {
    out.key("outputs");
    out.open('[');
    for (const OutputStep& step : example.outputs) writeOutput(out, step);
    out.close(']');
  }
  out.close('}');
}

}  // namespace

std::string traceToJson(const Trace& trace) {
  Writer out;
  out.open('{');
  out.key("attnscope");
  out.string("trace");
  out.key("version");
  out.number(1);
  out.key("generator");
  out.string(trace.generator);
  if (!trace.config.is_null()) {
    out.key("config");
    out.raw(trace.config.dump(-1, ' ', false, Json::error_handler_t::replace));
  }
  if (trace.step >= 0) {
    out.key("step");
    out.number(trace.step);
  }
  out.key("seed");
  out.number(trace.seed);
  out.key("examples");
  out.open('[');
  for (const TraceExample& example : trace.examples) writeExample(out, example);
  out.close(']');
  out.close('}');
  return out.text() + "\n";
}

void writeTrace(const Trace& trace, const std::filesystem::path& file) { writeFile(file, traceToJson(trace)); }

}  // namespace attnscope
