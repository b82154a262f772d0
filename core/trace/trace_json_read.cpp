#include <algorithm>
#include <limits>

#include "core/base/error.h"
#include "core/io/file.h"
#include "core/trace/json_cursor.h"
#include "core/trace/trace_json.h"

namespace attnscope {
namespace {

constexpr int kVersion = 1;
constexpr int kLargestSide = 1'000'000;  // of a shape: bounds what an empty list of numbers can make a view draw

std::string shapeText(const std::vector<int>& shape) {
  std::string text;
  for (int side : shape) text += (text.empty() ? "[" : ",") + std::to_string(side);
  return text + "]";
}

// The sides of a shape with `least` to `most` of them, whose product is `count`.
std::vector<int> readShape(const JsonCursor& holder, std::size_t least, std::size_t most, const char* list,
                           std::size_t count) {
  const JsonCursor cursor = holder.at("shape");
  const std::vector<int> shape = cursor.integers(0, kLargestSide);
  if (shape.size() < least || shape.size() > most) {
    cursor.fail(most == 2 ? "a shape is [rows, columns]" : "a shape is [rows, columns] or [heads, rows, columns]");
  }
  std::uint64_t product = 1;  // three sides of 10^6 fit in 64 bits
  for (int side : shape) product *= static_cast<std::uint64_t>(side);
  if (product != count) {
    holder.at(list).fail(std::to_string(product) + " numbers are needed for the shape " + shapeText(shape) + ", " +
                         std::to_string(count) + " are here");
  }
  return shape;
}

Matrix readMatrix(const JsonCursor& cursor) {
  Matrix matrix;
  matrix.values = cursor.at("values").floats();
  const std::vector<int> shape = readShape(cursor, 2, 2, "values", matrix.values.size());
  matrix.rows = shape[0];
  matrix.columns = shape[1];
  return matrix;
}

std::vector<NamedMatrix> readMatrices(const JsonCursor& holder, std::string_view key) {
  std::vector<NamedMatrix> matrices;
  if (!holder.has(key)) return matrices;
  for (const auto& [name, cursor] : holder.at(key).members()) matrices.push_back({name, readMatrix(cursor)});
  return matrices;
}

Series readSeries(const JsonCursor& cursor) {
  Series series;
  series.names = cursor.at("names").strings();
  series.values.columns = static_cast<int>(series.names.size());
  for (const JsonCursor& row : cursor.at("values").items()) {
    const std::vector<float> values = row.floats();
    if (values.size() != series.names.size()) {
      row.fail("a row of " + std::to_string(series.names.size()) + " numbers is needed, one for each name; " +
               std::to_string(values.size()) + " are here");
    }
    series.values.values.insert(series.values.values.end(), values.begin(), values.end());
    ++series.values.rows;
  }
  return series;
}

std::vector<std::string> counted(int count) {
  std::vector<std::string> tokens;
  for (int i = 1; i <= count; ++i) tokens.push_back(std::to_string(i));
  return tokens;
}

bool fits(const std::vector<std::string>& tokens, int size) { return tokens.size() == static_cast<std::size_t>(size); }

// `usual` names the example's list that this axis has where the file does not say.
Axis readAxis(const JsonCursor& site, std::string_view key, const char* usual, int size, const TraceExample& example) {
  const auto listOf = [&](std::string_view name) -> const std::vector<std::string>& {
    return name == "source" ? example.source : example.target;
  };
  if (!site.has(key)) return fits(listOf(usual), size) ? Axis{usual, listOf(usual)} : Axis{"", counted(size)};
  const JsonCursor cursor = site.at(key);
  Axis axis;
  if (!cursor.isString()) {
    axis.tokens = cursor.strings();
  } else {
    const std::string name = cursor.string();
    const bool series = name == "source" && example.series.values.rows > 0;
    if (series || (name != "source" && name != "target")) return {"", counted(size)};
    axis = {name, listOf(name)};
  }
  if (!fits(axis.tokens, size)) {
    cursor.fail(std::to_string(size) + " tokens are needed for the shape, " + std::to_string(axis.tokens.size()) +
                " are here");
  }
  return axis;
}

void readScores(const JsonCursor& cursor, Site& site) {
  std::vector<bool> isNull;
  site.scores = cursor.floats(&isNull);
  if (site.scores.size() != site.weights.size()) {
    cursor.fail(std::to_string(site.weights.size()) + " scores are needed, one for each weight; " +
                std::to_string(site.scores.size()) + " are here");
  }
  for (std::size_t i = 0; i < site.scores.size(); ++i) {
    if (isNull[i] && site.cells[i] == Cell::Real && site.weights[i] == 0) site.cells[i] = Cell::Masked;
    if (site.cells[i] != Cell::Real) site.scores[i] = 0;
  }
}

void readMasked(const JsonCursor& cursor, Site& site) {
  for (int index : cursor.integers(0, static_cast<int>(site.cells.size()) - 1)) {
    site.cells[index] = Cell::Masked;
    site.weights[index] = 0;
  }
}

Site readSite(const std::string& name, const JsonCursor& cursor, const TraceExample& example) {
  Site site;
  site.name = name;
  std::vector<bool> isNull;
  site.weights = cursor.at("weights").floats(&isNull);
  std::vector<int> shape = {static_cast<int>(example.target.size()), static_cast<int>(example.source.size())};
  if (cursor.has("shape") || site.weights.size() != example.target.size() * example.source.size()) {
    shape = readShape(cursor, 2, 3, "weights", site.weights.size());
  }
  site.heads = shape.size() == 3 ? shape[0] : 1;
  if (site.heads == 0) cursor.at("shape").fail("a site has at least one head");
  site.rows = shape[shape.size() - 2];
  site.columns = shape[shape.size() - 1];
  site.cells.assign(site.weights.size(), Cell::Real);
  for (std::size_t i = 0; i < isNull.size(); ++i) {
    if (!isNull[i]) continue;
    site.cells[i] = Cell::Missing;
    site.weights[i] = 0;
  }
  if (cursor.has("scores")) readScores(cursor.at("scores"), site);
  if (cursor.has("masked")) readMasked(cursor.at("masked"), site);
  site.rowAxis = readAxis(cursor, "rows", "target", site.rows, example);
  site.columnAxis = readAxis(cursor, "columns", "source", site.columns, example);
  return site;
}

SiteGold readGold(const std::string& name, const JsonCursor& cursor, const TraceExample& example) {
  SiteGold gold{name, {}};
  const Site* site = example.findSite(name);
  for (const JsonCursor& item : cursor.items()) {
    const std::vector<int> cell = item.integers(0, kLargestSide);
    if (cell.size() != 2) item.fail("a gold cell is [row, column]");
    if (site && (cell[0] >= site->rows || cell[1] >= site->columns)) {
      item.fail("this cell lies outside the site's shape " + shapeText({site->rows, site->columns}));
    }
    gold.cells.push_back({cell[0], cell[1]});
  }
  return gold;
}

std::vector<StateTrack> readStates(const JsonCursor& holder) {
  std::vector<StateTrack> states;
  if (!holder.has("states")) return states;
  for (const auto& [name, cursor] : holder.at("states").members()) {
    StateTrack track;
    track.name = name;
    track.h = readMatrix(cursor.at("h"));
    if (cursor.has("c")) track.c = readMatrix(cursor.at("c"));
    track.gates = readMatrices(cursor, "gates");
    states.push_back(std::move(track));
  }
  return states;
}

OutputStep readOutput(const JsonCursor& cursor) {
  OutputStep step;
  if (cursor.has("token")) step.token = cursor.at("token").string();
  if (cursor.has("probability")) step.probability = cursor.at("probability").number();
  if (cursor.has("values")) step.values = cursor.at("values").floats();
  if (!cursor.has("top")) return step;
  for (const JsonCursor& item : cursor.at("top").items()) {
    const std::vector<JsonCursor> pair = item.items();
    if (pair.size() != 2) item.fail("an entry is [token, probability]");
    step.top.emplace_back(pair[0].string(), pair[1].number());
  }
  return step;
}

bool readForced(const JsonCursor& cursor) {
  const std::string mode = cursor.string();
  if (mode != "forced" && mode != "free") cursor.fail("the mode is \"forced\" or \"free\"");
  return mode == "forced";
}

void readUnknown(const JsonCursor& cursor, TraceExample& example) {
  example.sourceUnknown.assign(example.source.size(), 0);
  for (int position : cursor.integers(0, static_cast<int>(example.source.size()) - 1)) {
    example.sourceUnknown[position] = 1;
  }
}

TraceExample readExample(const JsonCursor& cursor) {
  TraceExample example;
  const JsonCursor source = cursor.at("source");
  if (source.isObject()) {
    example.series = readSeries(source);
  } else {
    example.source = source.strings();
  }
  example.target = cursor.at("target").strings();
  if (cursor.has("unknown")) readUnknown(cursor.at("unknown"), example);
  if (cursor.has("reference")) example.reference = cursor.at("reference").strings();
  if (cursor.has("mode")) example.forced = readForced(cursor.at("mode"));
  for (const auto& [name, site] : cursor.at("sites").members()) example.sites.push_back(readSite(name, site, example));
  if (cursor.has("gold")) {
    for (const auto& [name, gold] : cursor.at("gold").members()) example.gold.push_back(readGold(name, gold, example));
  }
  example.memory = readMatrices(cursor, "memory");
  example.context = readMatrices(cursor, "context");
  example.query = readMatrices(cursor, "query");
  example.states = readStates(cursor);
  if (cursor.has("outputs")) {
    for (const JsonCursor& output : cursor.at("outputs").items()) example.outputs.push_back(readOutput(output));
  }
  return example;
}

void checkKind(const JsonCursor& root) {
  if (!root.isObject()) root.fail("a trace file holds one JSON object");
  if (root.has("attnscope") && root.at("attnscope").json() != "trace") {
    root.at("attnscope").fail("this is not a trace: the value would be \"trace\"");
  }
  if (!root.has("version")) return;
  const std::int64_t version = root.at("version").integer(1, std::numeric_limits<int>::max());
  if (version > kVersion) {
    root.at("version").fail("version " + std::to_string(version) + " is newer than this program reads (" +
                            std::to_string(kVersion) + "); get a newer Attnscope");
  }
}

}  // namespace

Trace traceFromJson(std::string_view text, const std::string& place) {
  const Json json = parseJson(text, place);
  const JsonCursor root(json, place);
  checkKind(root);
  Trace trace;
  if (root.has("generator")) trace.generator = root.at("generator").string();
  if (root.has("config")) {
    if (!root.at("config").isObject()) root.at("config").fail("a configuration is an object");
    trace.config = root.at("config").json();
  }
  if (root.has("step")) trace.step = root.at("step").integer(0, std::numeric_limits<std::int64_t>::max());
  if (root.has("seed")) trace.seed = root.at("seed").unsignedInteger();
  for (const JsonCursor& example : root.at("examples").items()) trace.examples.push_back(readExample(example));
  return trace;
}

Trace readTrace(const std::filesystem::path& file) {
  return traceFromJson(readFile(file), file == "-" ? "standard input" : file.string());
}

}  // namespace attnscope
