#include <QTemporaryDir>
#include <QtTest>
#include <bit>
#include <cmath>
#include <limits>

#include "core/base/error.h"
#include "core/base/random.h"
#include "core/trace/trace_json.h"

using namespace attnscope;

namespace {

constexpr float kInfinity = std::numeric_limits<float>::infinity();
constexpr float kNaN = std::numeric_limits<float>::quiet_NaN();

bool same(double a, double b) { return a == b || (std::isnan(a) && std::isnan(b)); }

template <class List>
bool sameNumbers(const List& a, const List& b) {
  return std::equal(a.begin(), a.end(), b.begin(), b.end(), [](auto x, auto y) { return same(x, y); });
}

bool same(const Matrix& a, const Matrix& b) {
  return a.rows == b.rows && a.columns == b.columns && sameNumbers(a.values, b.values);
}

template <class List, class Same>
bool sameList(const List& a, const List& b, Same equal) {
  return std::equal(a.begin(), a.end(), b.begin(), b.end(), equal);
}

bool same(const std::vector<NamedMatrix>& a, const std::vector<NamedMatrix>& b) {
  return sameList(a, b, [](const auto& x, const auto& y) { return x.name == y.name && same(x.matrix, y.matrix); });
}

bool same(const Axis& a, const Axis& b) { return a.name == b.name && a.tokens == b.tokens; }

bool same(const Site& a, const Site& b) {
  return a.name == b.name && a.heads == b.heads && a.rows == b.rows && a.columns == b.columns && a.cells == b.cells &&
         sameNumbers(a.weights, b.weights) && sameNumbers(a.scores, b.scores) && same(a.rowAxis, b.rowAxis) &&
         same(a.columnAxis, b.columnAxis);
}

bool same(const StateTrack& a, const StateTrack& b) {
  return a.name == b.name && same(a.h, b.h) && same(a.c, b.c) && same(a.gates, b.gates);
}

bool same(const OutputStep& a, const OutputStep& b) {
  return a.token == b.token && same(a.probability, b.probability) && a.top == b.top && sameNumbers(a.values, b.values);
}

// Where two examples differ; empty where nowhere.
QString difference(const TraceExample& a, const TraceExample& b) {
  const auto sameGold = [](const SiteGold& x, const SiteGold& y) { return x.site == y.site && x.cells == y.cells; };
  const auto equal = [](const auto& x, const auto& y) { return same(x, y); };
  if (a.source != b.source || a.target != b.target || a.reference != b.reference) return "tokens";
  if (a.sourceUnknown != b.sourceUnknown) return "unknown";
  if (a.series.names != b.series.names || !same(a.series.values, b.series.values)) return "series";
  if (a.forced != b.forced) return "mode";
  if (!sameList(a.gold, b.gold, sameGold)) return "gold";
  if (!sameList(a.sites, b.sites, equal)) return "sites";
  if (!same(a.memory, b.memory) || !same(a.context, b.context) || !same(a.query, b.query)) return "vectors";
  if (!sameList(a.states, b.states, equal)) return "states";
  return sameList(a.outputs, b.outputs, equal) ? QString() : "outputs";
}

QString difference(const Trace& a, const Trace& b) {
  if (a.generator != b.generator || a.config != b.config || a.step != b.step || a.seed != b.seed) return "head";
  if (a.examples.size() != b.examples.size()) return "count";
  for (std::size_t i = 0; i < a.examples.size(); ++i) {
    const QString found = difference(a.examples[i], b.examples[i]);
    if (!found.isEmpty()) return QString("examples[%1]: %2").arg(i).arg(found);
  }
  return {};
}

Matrix matrix(int rows, int columns, std::vector<float> values) { return {rows, columns, std::move(values)}; }

TraceExample translation() {
  TraceExample example;
  example.source = {"le", "chat \"noir\"", "猫\n", "</s>"};
  example.target = {"the", "</s>"};
  example.sourceUnknown = {0, 1, 0, 0};
  example.reference = {"the", "cat", "</s>"};
  example.gold = {{"decoder", {{0, 0}, {1, 3}}}};
  Site site;
  site.name = "decoder";
  site.rows = 2;
  site.columns = 4;
  site.weights = {0.1f, 0.9f, 0, 0, 1e-20f, 0.3333333f, 0, kNaN};
  site.scores = {-1.5f, 2, 0, -kInfinity, kInfinity, 0.1f, 0, kNaN};
  site.cells.assign(8, Cell::Real);
  site.cells[2] = Cell::Masked;
  site.cells[6] = Cell::Missing;
  site.rowAxis = {"target", example.target};
  site.columnAxis = {"source", example.source};
  example.sites.push_back(site);
  example.memory = {{"decoder", matrix(4, 1, {1, 2, 3, kNaN})}};
  example.context = {{"decoder", matrix(2, 2, {1, -2, kInfinity, -kInfinity})}};
  example.query = {{"decoder", matrix(2, 1, {0.5f, 1e30f})}};
  example.states = {{"encoder.0", matrix(1, 2, {1, 2}), {}, {{"r", matrix(1, 2, {3, 4})}, {"z", matrix(1, 2, {5, 6})}}},
                    {"decoder.0", matrix(1, 1, {7}), matrix(1, 1, {8}), {}}};
  example.outputs = {{"the", 0.93, {{"the", 0.93}, {"a", 0.1}}, {}}, {"</s>", 1.0 / 3, {}, {}}};
  return example;
}

TraceExample recurrent() {
  TraceExample example;
  example.series = {{"x", "y"}, matrix(2, 2, {1, 2, 3, kNaN})};
  example.target = {"> 0", "≤ 0"};
  example.forced = true;
  Site site;
  site.name = "memory";
  site.heads = 2;
  site.rows = 2;
  site.columns = 3;
  site.weights = {1, 0, 0, 0.5f, 0.5f, 0, 1, 0, 0, 0.25f, 0.75f, 0};
  site.cells.assign(12, Cell::Real);
  for (int i : {1, 2, 5, 7, 8, 11}) site.cells[i] = Cell::Masked;  // no scores: only "masked" can say so
  site.rowAxis = {"target", example.target};
  site.columnAxis = {"", {"h₀", "h₁", "h₂"}};
  example.sites.push_back(site);
  example.outputs = {{"> 0", 0.5, {}, {1.5f, kNaN}}};
  return example;
}

Trace sample() {
  Trace trace;
  trace.generator = "attnscope test";
  trace.config = Json::parse(R"({"family":"seq2seq","embedding":8})");
  trace.step = 1240;
  trace.seed = UINT64_MAX;
  trace.examples = {translation(), recurrent(), TraceExample()};
  return trace;
}

QString errorOf(const std::string& text) {
  try {
    traceFromJson(text, "t.json");
  } catch (const Error& error) {
    return error.kind() == ErrorKind::BadInput ? error.what() : "another kind of error";
  }
  return "no error";
}

std::string exampleText(const std::string& rest) {
  return R"({"examples":[{"source":["a","b"],"target":["x","y"],)" + rest + "}]}";
}

std::string siteText(const std::string& site) { return exampleText(R"("sites":{"decoder":)" + site + "}"); }

}  // namespace

class TestTraceJson : public QObject {
  Q_OBJECT
 private slots:
  void readsBackEqual();
  void filesReadBackEqual();
  void readsTheDocumentedForm();
  void leastFormIsEnough();
  void axesFollowTheirNames();
  void floatsAreShortAndExact();
  void errorsNameTheirPlace_data();
  void errorsNameTheirPlace();
  void deepNestingIsRefused();
  void unknownKeysAreIgnored();
  void everyCutIsAnError();
  void damagedFilesNeverCrash();
};

void TestTraceJson::readsBackEqual() {
  const Trace trace = sample();
  const std::string text = traceToJson(trace);
  QCOMPARE(difference(traceFromJson(text, "t.json"), trace), QString());
  QCOMPARE(traceToJson(traceFromJson(text, "t.json")), text);
  Trace bare;
  QCOMPARE(difference(traceFromJson(traceToJson(bare), "t.json"), bare), QString());
}

void TestTraceJson::filesReadBackEqual() {
  QTemporaryDir folder;
  const std::filesystem::path file = folder.filePath("trace.json").toStdString();
  writeTrace(sample(), file);
  QCOMPARE(difference(readTrace(file), sample()), QString());
}

void TestTraceJson::readsTheDocumentedForm() {
  const Trace trace = traceFromJson(R"({"attnscope":"trace","version":1,"generator":"g","step":1240,"seed":1,
    "examples":[{"source":["le","chat","</s>"],"target":["the","cat","</s>"],"mode":"free",
      "gold":{"decoder":[[0,0],[1,1]]},
      "sites":{"decoder":{"shape":[3,3],"weights":[1,0,0,0.5,0.5,0,null,0,1],"scores":[2,null,"-Infinity",1,1,0,null,0,1],
        "rows":"target","columns":["1st","2nd","3rd"]}},
      "states":{"encoder.0":{"h":{"shape":[1,2],"values":[1,null]}}},
      "outputs":[{"token":"the","probability":0.93,"top":[["the",0.93],["a",0.04]]}]}]})",
                                    "t.json");
  const TraceExample& example = trace.examples.at(0);
  const Site& site = example.sites.at(0);
  QVERIFY(!example.forced);
  QCOMPARE(site.cells[0], Cell::Real);
  QCOMPARE(site.cells[1], Cell::Masked);
  QCOMPARE(site.cells[2], Cell::Real);
  QCOMPARE(site.scores[2], -kInfinity);
  QCOMPARE(site.cells[6], Cell::Missing);
  QCOMPARE(site.rowAxis.name, std::string("target"));
  QCOMPARE(site.rowAxis.tokens, example.target);
  QCOMPARE(site.columnAxis.name, std::string());
  QCOMPARE(site.columnAxis.tokens.at(2), std::string("3rd"));
  QCOMPARE(example.findGold("decoder")->at(1), (GoldCell{1, 1}));
  QVERIFY(std::isnan(example.states.at(0).h.values.at(1)));
  QCOMPARE(example.outputs.at(0).top.at(1).second, 0.04);
}

void TestTraceJson::leastFormIsEnough() {
  const Trace trace = traceFromJson(siteText(R"({"weights":[1,0,0.5,0.5]})"), "t.json");
  const Site& site = trace.examples.at(0).sites.at(0);
  QCOMPARE(site.rows, 2);
  QCOMPARE(site.columns, 2);
  QCOMPARE(site.rowAxis.name, std::string("target"));
  QCOMPARE(site.columnAxis.name, std::string("source"));
  QVERIFY(site.scores.empty());
  QCOMPARE(trace.step, std::int64_t{-1});
}

void TestTraceJson::axesFollowTheirNames() {
  const auto siteOf = [](const std::string& text) { return traceFromJson(siteText(text), "t").examples[0].sites[0]; };
  const Site blocks = siteOf(R"({"shape":[2,3],"weights":[0,0,1,0,0,1],"rows":"source","columns":"blocks"})");
  QCOMPARE(blocks.rowAxis.tokens, (std::vector<std::string>{"a", "b"}));
  QCOMPARE(blocks.columnAxis.tokens, (std::vector<std::string>{"1", "2", "3"}));
  const Site unsaid = siteOf(R"({"shape":[1,2],"weights":[0,1]})");
  QCOMPARE(unsaid.rowAxis.tokens, (std::vector<std::string>{"1"}));
  QCOMPARE(unsaid.columnAxis.tokens, (std::vector<std::string>{"a", "b"}));
}

void TestTraceJson::floatsAreShortAndExact() {
  Trace trace;
  trace.examples.resize(1);
  Matrix numbers = matrix(1, 3, {0.1f, 0.93f, 16777216});
  Random random(1, "test");
  while (numbers.values.size() < 20000) {
    const auto bits = static_cast<std::uint32_t>(random.bits());
    const float value = std::bit_cast<float>(bits);
    if (std::isfinite(value)) numbers.values.push_back(value);
  }
  numbers.columns = static_cast<int>(numbers.values.size());
  trace.examples[0].memory = {{"decoder", numbers}};
  const std::string text = traceToJson(trace);
  QVERIFY(text.find("[0.1,0.93,16777216,") != std::string::npos);
  QCOMPARE(difference(traceFromJson(text, "t.json"), trace), QString());
}

void TestTraceJson::errorsNameTheirPlace_data() {
  QTest::addColumn<std::string>("text");
  QTest::addColumn<QString>("message");
  const auto row = [](const char* name, const std::string& text, const char* message) {
    QTest::newRow(name) << text << QString(message);
  };
  row("count", siteText(R"({"shape":[3,3],"weights":[1,2,3,4,5,6,7,8]})"),
      "t.json: examples[0].sites.decoder.weights: 9 numbers are needed for the shape [3,3], 8 are here");
  row("shape kind", siteText(R"({"shape":[3],"weights":[1,2,3]})"),
      "t.json: examples[0].sites.decoder.shape: a shape is [rows, columns] or [heads, rows, columns]");
  row("negative side", siteText(R"({"shape":[-1,-4],"weights":[1,2,3,4]})"),
      "t.json: examples[0].sites.decoder.shape[0]: a whole number from 0 to 1000000 is needed, not -1");
  row("huge side", siteText(R"({"shape":[18446744073709551615,2],"weights":[]})"),
      "t.json: examples[0].sites.decoder.shape[0]: a whole number from 0 to 1000000 is needed, not "
      "18446744073709551615");
  row("overflowing product", siteText(R"({"shape":[65536,65536],"weights":[]})"),
      "t.json: examples[0].sites.decoder.weights: 4294967296 numbers are needed for the shape [65536,65536], 0 are "
      "here");
  row("no heads", siteText(R"({"shape":[0,3,3],"weights":[]})"),
      "t.json: examples[0].sites.decoder.shape: a site has at least one head");
  row("no weights", siteText(R"({"shape":[1,1]})"),
      "t.json: examples[0].sites.decoder: the key \"weights\" is missing");
  row("no shape", siteText(R"({"weights":[1]})"), "t.json: examples[0].sites.decoder: the key \"shape\" is missing");
  row("string weight", siteText(R"({"weights":[1,2,"x",4]})"),
      "t.json: examples[0].sites.decoder.weights[2]: only \"NaN\", \"Infinity\" and \"-Infinity\" are numbers as "
      "strings");
  row("list weight", siteText(R"({"weights":[1,2,[],4]})"),
      "t.json: examples[0].sites.decoder.weights[2]: a number is needed here, not a list");
  row("beyond float", siteText(R"({"weights":[1,2,1e300,4]})"),
      "t.json: examples[0].sites.decoder.weights[2]: the number 1e+300 is too large for a 32-bit float");
  row("beyond double", siteText(R"({"weights":[1,2,1e999,4]})"), "t.json: the JSON holds a number that is too large");
  row("scores", siteText(R"({"weights":[1,2,3,4],"scores":[1]})"),
      "t.json: examples[0].sites.decoder.scores: 4 scores are needed, one for each weight; 1 are here");
  row("axis count", siteText(R"({"shape":[1,2],"weights":[1,2],"rows":"target"})"),
      "t.json: examples[0].sites.decoder.rows: 1 tokens are needed for the shape, 2 are here");
  row("masked", siteText(R"({"weights":[1,2,3,4],"masked":[4]})"),
      "t.json: examples[0].sites.decoder.masked[0]: a whole number from 0 to 3 is needed, not 4");
  row("odd site name", exampleText(R"("sites":{"a\nb":7})"),
      "t.json: examples[0].sites.\"a\\nb\": an object is needed here, not a number");
  row("sites", exampleText(R"("sites":[])"), "t.json: examples[0].sites: an object is needed here, not a list");
  row("no sites", exampleText(R"("mode":"free")"), "t.json: examples[0]: the key \"sites\" is missing");
  row("token", R"({"examples":[{"source":["a",1],"target":[],"sites":{}}]})",
      "t.json: examples[0].source[1]: a string is needed here, not a number");
  row("series", R"({"examples":[{"source":{"names":["x"],"values":[[1],[1,2]]},"target":[],"sites":{}}]})",
      "t.json: examples[0].source.values[1]: a row of 1 numbers is needed, one for each name; 2 are here");
  row("unknown", exampleText(R"("sites":{},"unknown":[2])"),
      "t.json: examples[0].unknown[0]: a whole number from 0 to 1 is needed, not 2");
  row("mode", exampleText(R"("sites":{},"mode":"both")"),
      "t.json: examples[0].mode: the mode is \"forced\" or \"free\"");
  row("gold outside", exampleText(R"("sites":{"d":{"weights":[1,2,3,4]}},"gold":{"d":[[0,0],[0,2]]})"),
      "t.json: examples[0].gold.d[1]: this cell lies outside the site's shape [2,2]");
  row("gold cell", exampleText(R"("sites":{},"gold":{"d":[[0]]})"),
      "t.json: examples[0].gold.d[0]: a gold cell is [row, column]");
  row("matrix", exampleText(R"("sites":{},"memory":{"d":{"shape":[2,2],"values":[1]}})"),
      "t.json: examples[0].memory.d.values: 4 numbers are needed for the shape [2,2], 1 are here");
  row("matrix shape", exampleText(R"("sites":{},"context":{"d":{"shape":[1,1,1],"values":[1]}})"),
      "t.json: examples[0].context.d.shape: a shape is [rows, columns]");
  row("states", exampleText(R"("sites":{},"states":{"encoder.0":{}})"),
      "t.json: examples[0].states.encoder.0: the key \"h\" is missing");
  row("top", exampleText(R"("sites":{},"outputs":[{"token":"a","top":[["a"]]}])"),
      "t.json: examples[0].outputs[0].top[0]: an entry is [token, probability]");
  row("examples", R"({"attnscope":"trace"})", "t.json: the key \"examples\" is missing");
  row("list", "[]", "t.json: a trace file holds one JSON object");
  row("other file", R"({"attnscope":"session","examples":[]})",
      "t.json: attnscope: this is not a trace: the value would be \"trace\"");
  row("newer", R"({"version":2,"examples":[]})",
      "t.json: version: version 2 is newer than this program reads (1); get a newer Attnscope");
  row("config", R"({"config":[],"examples":[]})", "t.json: config: a configuration is an object");
  row("step", R"({"step":1.5,"examples":[]})",
      "t.json: step: a whole number from 0 to 9223372036854775807 is needed, not 1.5");
  row("seed", R"({"seed":-1,"examples":[]})", "t.json: seed: a whole number from 0 is needed, not -1");
  row("empty", "",
      "t.json:1: not JSON: syntax error while parsing value - unexpected end of input; "
      "expected '[', '{', or a literal");
}

void TestTraceJson::errorsNameTheirPlace() {
  QFETCH(std::string, text);
  QTEST(errorOf(text), "message");
}

void TestTraceJson::deepNestingIsRefused() {
  const QString message = "t.json: the JSON is nested deeper than 64 levels";
  const std::string deep(100, '[');
  const std::string deepConfig = "{\"config\":" + deep + std::string(100, ']') + "}";
  const std::string bracketsInString = "{\"generator\":\"\\\"" + deep + "\",\"examples\":[]}";
  QCOMPARE(errorOf(std::string(3000000, '[')), message);
  QCOMPARE(errorOf(deepConfig), message);
  QCOMPARE(errorOf(bracketsInString), QString("no error"));
}

void TestTraceJson::unknownKeysAreIgnored() {
  QCOMPARE(errorOf(exampleText(R"("sites":{},"more":{"a":[1,{}]})")), QString("no error"));
}

void TestTraceJson::everyCutIsAnError() {
  std::string text = traceToJson(sample());
  text.pop_back();  // the line's end: without it the text is whole
  for (std::size_t length = 0; length < text.size(); ++length) {
    const QString message = errorOf(text.substr(0, length));
    QVERIFY2(message.startsWith("t.json:") && !message.contains('\n'), qPrintable(message));
  }
}

void TestTraceJson::damagedFilesNeverCrash() {
  const std::string text = traceToJson(sample());
  const std::string signs = "0-9.,:[]{}\"eEnx\\\xff\n";
  Random random(1, "test");
  for (int round = 0; round < 20000; ++round) {
    std::string damaged = text;
    for (int i = random.between(1, 3); i > 0; --i) {
      damaged[random.below(static_cast<int>(damaged.size()))] = signs[random.below(static_cast<int>(signs.size()))];
    }
    const QString message = errorOf(damaged);
    QVERIFY2(message == "no error" || (message.startsWith("t.json:") && !message.contains('\n')), qPrintable(message));
  }
}

QTEST_GUILESS_MAIN(TestTraceJson)
#include "test_trace_json.moc"
