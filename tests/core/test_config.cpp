// Configurations: what is accepted, what is refused and where, what data and settings fill in.
#include <QTest>

#include "core/models/config.h"
#include "tests/support/error_text.h"
#include "tests/support/model_run.h"

using namespace attnscope;

namespace {

Json patched(Json config, const char* patch) {
  config.merge_patch(Json::parse(patch));
  return config;
}

QString refusal(const Json& config) {
  return errorText(ErrorKind::BadInput, [&] { parseConfig(config); });
}

QString refusalOf(bool seq2seq, const QByteArray& patch) {
  return refusal(patched(seq2seq ? smallSeq2Seq() : smallRecurrent(), patch.constData()));
}

// A string as it is, anything else as JSON.
Json settled(const Json& config, const std::vector<Setting>& settings) { return applySettings(config, settings); }

}  // namespace

class TestConfig : public QObject {
  Q_OBJECT
 private slots:
  void roundTrip_data();
  void roundTrip();
  void defaultsAreWrittenOut();
  void meaninglessDefaultsAreAccepted();
  void refused_data();
  void refused();
  void refusesWhatIsNoObject();
  void refusesModelsThatFillTheMachine();
  void dataGiveSizes();
  void dataContradictSizes();
  void settingsAreParsedAsJsonOrText();
  void settingsDropWhatBecomesMeaningless_data();
  void settingsDropWhatBecomesMeaningless();
  void givenKeysAreKept();
  void settingsFillUnits();
  void settingsThatLeadNowhere();
};

void TestConfig::roundTrip_data() {
  QTest::addColumn<QByteArray>("config");
  const auto row = [](const char* name, const Json& config) {
    QTest::newRow(name) << QByteArray::fromStdString(config.dump());
  };
  row("additive", smallSeq2Seq());
  row("feeding",
      patched(smallSeq2Seq(), R"({"query":"current","input_feeding":true,"attention":{"temperature":0.25}})"));
  row("none", patched(smallSeq2Seq(), R"({"context":"none","query":null,"attention":null})"));
  row("fixed", patched(smallSeq2Seq(), R"({"context":"fixed","query":null,"attention":null,"encoder":{"layers":3}})"));
  row("copy", patched(smallSeq2Seq(), R"({"bridge":"copy","encoder":{"bidirectional":false,"cell":"lstm"},
      "decoder":{"cell":"lstm"},"attention":{"score":"dot","units":null}})"));
  row("before", patched(smallSeq2Seq(), R"({"encoder":{"reset":"before"},"decoder":{"reset":"before"}})"));
  row("states", smallRecurrent());
  row("plain", [] {
    Json config = smallRecurrent();
    config["attention"] = nullptr;
    return config;
  }());
  row("tokens", patched(smallRecurrent(), R"({"input":{"kind":"token","vocabulary":12,"embedding":6,"size":null},
      "cell":"lstm","layers":2,"attention":{"score":"concat","units":3,"memory":"lower","joins":"output"},
      "output":{"kind":"step_vector","size":2}})"));
}

void TestConfig::roundTrip() {
  QFETCH(QByteArray, config);
  const Json complete = toJson(parseConfig(Json::parse(config.toStdString())));
  QCOMPARE(QString::fromStdString(toJson(parseConfig(complete)).dump()), QString::fromStdString(complete.dump()));
  // Nothing that was said is lost (a merge patch takes a null for "away").
  Json said = Json::parse(config.toStdString()), merged = complete;
  if (said.contains("attention") && said["attention"].is_null()) said.erase("attention");
  merged.merge_patch(said);
  QCOMPARE(QString::fromStdString(merged.dump()), QString::fromStdString(complete.dump()));
}

void TestConfig::defaultsAreWrittenOut() {
  const Json complete = toJson(parseConfig(smallSeq2Seq()));
  QVERIFY(complete["encoder"]["layers"] == Json(1));
  QVERIFY(complete["encoder"]["reset"] == Json("after"));
  QCOMPARE(complete["decoder"].contains("bidirectional"), false);
  QVERIFY(complete["input_feeding"] == Json(false));
  QVERIFY(complete["attention"]["normalizer"] == Json("softmax"));
  QVERIFY(complete["attention"]["scope"]["kind"] == Json("global"));
  QVERIFY(complete["attention"]["temperature"] == Json(1.0));
}

void TestConfig::meaninglessDefaultsAreAccepted() {
  QCOMPARE(refusalOf(true, R"({"input_feeding":false,"attention":{"coverage":false,"coverage_weight":1}})"),
           "nothing thrown");
  QCOMPARE(refusalOf(true, R"({"encoder":{"cell":"lstm","reset":"after"},"decoder":{"bidirectional":false}})"),
           "nothing thrown");
  QCOMPARE(refusalOf(false, R"({"reset":"after","bidirectional":false})"), "nothing thrown");
}

void TestConfig::refused_data() {
  QTest::addColumn<bool>("seq2seq");
  QTest::addColumn<QByteArray>("patch");
  QTest::addColumn<QString>("start");  // place and the beginning of the message
  QTest::addColumn<QString>("also");   // what it must say as well
  const auto row = [](bool seq2seq, const char* patch, const char* start, const char* also = "") {
    QTest::addRow("%s %s", seq2seq ? "seq2seq" : "recurrent", patch)
        << seq2seq << QByteArray(patch) << QString(start) << QString(also);
  };
  row(true, R"({"familie":"x"})", "config.familie: is not a known key");
  row(true, R"({"encoder":{"hiden":3}})", "config.encoder.hiden: is not a known key");
  row(true, R"({"attention":{"heads":3}})", "config.attention.heads: is not a known key");
  row(true, R"({"attention":{"memory":"states"}})", "config.attention.memory: is not a known key");
  row(true, R"({"attention":{"scope":{"size":3}}})", "config.attention.scope.size: is not a known key");
  row(false, R"({"input":{"depth":3}})", "config.input.depth: is not a known key");
  row(false, R"({"output":{"depth":3}})", "config.output.depth: is not a known key");
  row(true, R"({"family":"perceptron"})", "config.family: must be one of seq2seq, recurrent", "\"perceptron\"");
  row(true, R"({"family":null})", "config.family: is missing");
  row(true, R"({"family":3})", "config.family: must be one of", "not 3");
  row(true, R"({"encoder":null})", "config.encoder: is missing");
  row(true, R"({"encoder":7})", "config.encoder: an object");
  row(true, R"({"encoder":{"cell":"GRU"}})", "config.encoder.cell: must be one of rnn, gru, lstm", "\"GRU\"");
  row(true, R"({"encoder":{"hidden":null}})", "config.encoder.hidden: is missing");
  row(true, R"({"encoder":{"hidden":0}})", "config.encoder.hidden: must be a whole number", "not 0");
  row(true, R"({"encoder":{"hidden":-4}})", "config.encoder.hidden: must be a whole number", "not -4");
  row(true, R"({"encoder":{"hidden":4.5}})", "config.encoder.hidden: must be a whole number", "not 4.5");
  row(true, R"({"encoder":{"hidden":"4"}})", "config.encoder.hidden: must be a whole number", "\"4\"");
  row(true, R"({"encoder":{"hidden":99999999999999999999}})", "config.encoder.hidden: must be a whole number");
  row(true, R"({"encoder":{"layers":17}})", "config.encoder.layers: must be at most 16");
  row(true, R"({"encoder":{"bidirectional":1}})", "config.encoder.bidirectional: must be true or false");
  row(true, R"({"decoder":{"bidirectional":true}})", "config.decoder.bidirectional: has no meaning in a decoder");
  row(true, R"({"encoder":{"cell":"lstm","reset":"before"}})",
      "config.encoder.reset: has no meaning for the cell lstm");
  row(true, R"({"decoder":{"reset":"never"}})", "config.decoder.reset: must be one of after, before");
  row(true, R"({"source_vocabulary":3})", "config.source_vocabulary: must be at least 4", "not 3");
  row(true, R"({"target_vocabulary":2})", "config.target_vocabulary: must be at least 4", "not 2");
  row(true, R"({"target_vocabulary":null})", "config.target_vocabulary: is missing");
  row(true, R"({"bridge":"copy"})", "config.bridge: copy needs an encoder of one direction");
  row(true, R"({"bridge":"copy","encoder":{"bidirectional":false,"cell":"lstm"}})",
      "config.bridge: copy needs the same cell");
  row(true, R"({"bridge":"copy","encoder":{"bidirectional":false,"hidden":6}})",
      "config.bridge: copy needs equal sizes", "encoder.hidden is 6 and decoder.hidden 4");
  row(true, R"({"query":null})", "config.query: is missing");
  row(true, R"({"attention":null})", "config.attention: is missing");
  row(true, R"({"context":"none"})", "config.query: has no meaning with context none");
  row(true, R"({"context":"none","query":null})", "config.attention: has no meaning with context none");
  row(true, R"({"context":"fixed","query":null,"attention":null,"input_feeding":true})",
      "config.input_feeding: has no meaning with context fixed");
  row(true, R"({"input_feeding":true})", "config.input_feeding: true goes with query current only");
  row(true, R"({"attention":{"score":"dot","units":null}})", "config.attention.score: dot needs", "8 and 4");
  row(true, R"({"attention":{"score":"scaled_dot","units":null}})", "config.attention.score: scaled_dot needs",
      "8 and 4");
  row(true, R"({"attention":{"score":"mean_dot","units":null}})", "config.attention.score: mean_dot needs", "8 and 4");
  row(true, R"({"attention":{"score":"telepathy"}})", "config.attention.score: must be one of dot, scaled_dot");
  row(true, R"({"attention":{"units":null}})", "config.attention.units: is missing");
  row(true, R"({"attention":{"score":"general"}})", "config.attention.units: has no meaning for the score general");
  row(true, R"({"attention":{"normalizer":"hardmax"}})", "config.attention.normalizer: must be one of softmax");
  row(true, R"({"attention":{"scope":"global"}})", "config.attention.scope: an object");
  row(true, R"({"attention":{"scope":{"kind":"local_m2"}}})", "config.attention.scope.kind: must be one of global");
  row(true, R"({"attention":{"scope":{"window":2}}})",
      "config.attention.scope.window: has no meaning for the scope global");
  row(true, R"({"attention":{"temperature":0}})", "config.attention.temperature: must be a number above 0");
  row(true, R"({"attention":{"temperature":-1}})", "config.attention.temperature: must be a number above 0");
  row(true, R"({"attention":{"temperature":"1"}})", "config.attention.temperature: must be a number above 0");
  row(true, R"({"attention":{"temperature":1e-300}})", "config.attention.temperature: must be from 1e-9 to 1e9");
  row(true, R"({"attention":{"temperature":1e300}})", "config.attention.temperature: must be from 1e-9 to 1e9");
  row(true, R"({"attention":{"max_length":5}})", "config.attention.max_length: has no meaning for the score additive");
  row(true, R"({"attention":{"filters":5}})", "config.attention.filters: has no meaning for the score additive");
  row(true, R"({"attention":{"coverage_weight":2}})",
      "config.attention.coverage_weight: has no meaning without coverage");
  row(false, R"({"bidirectional":true})", "config.bidirectional: has no meaning in the family recurrent");
  row(false, R"({"input":{"kind":"image"}})", "config.input.kind: must be one of vector, token");
  row(false, R"({"input":{"vocabulary":9}})", "config.input.vocabulary: has no meaning for vector inputs");
  row(false, R"({"input":{"embedding":9}})", "config.input.embedding: has no meaning for vector inputs");
  row(false, R"({"input":{"kind":"token","vocabulary":9,"embedding":4}})",
      "config.input.size: has no meaning for token inputs");
  row(false, R"({"input":{"kind":"token","vocabulary":3,"embedding":4,"size":null}})",
      "config.input.vocabulary: must be at least 4");
  row(false, R"({"output":{"kind":"classes"}})",
      "config.output.kind: must be one of class, step_class, vector, step_vector");
  row(false, R"({"output":{"size":0}})", "config.output.size: must be a whole number");
  row(false, R"({"cell":"gru"})", "config.attention.joins: state goes with the cell rnn only");
  row(false, R"({"attention":{"memory":"lower"}})", "config.attention.memory: lower needs at least 2 layers");
  row(false, R"({"attention":{"memory":"encoder"}})", "config.attention.memory: must be one of states, inputs, lower");
  row(false, R"({"attention":{"joins":"both"}})", "config.attention.joins: must be one of state, input, output");
  row(false, R"({"attention":{"memory":"inputs","score":"mean_dot"}})", "config.attention.score: mean_dot needs",
      "2 and 4");
  row(false, R"({"encoder":{"cell":"gru"}})", "config.encoder: is not a known key");
}

void TestConfig::refused() {
  QFETCH(bool, seq2seq);
  QFETCH(QByteArray, patch);
  QFETCH(QString, start);
  QFETCH(QString, also);
  const QString text = refusalOf(seq2seq, patch);
  QVERIFY2(text.startsWith(start), qPrintable(text));
  QVERIFY2(text.contains(also), qPrintable(text));
  QVERIFY2(!text.contains('\n'), qPrintable(text));
}

void TestConfig::refusesWhatIsNoObject() {
  for (const char* text : {"null", "[]", "3", "\"seq2seq\"", "true"})
    QVERIFY2(refusal(Json::parse(text)).startsWith("config: an object"), text);
}

// 2^24 is a number a size may have, not all sizes together.
void TestConfig::refusesModelsThatFillTheMachine() {
  const QString text = refusalOf(true, R"({"encoder":{"hidden":60000}})");
  QVERIFY2(text.startsWith("config: a model of ") && text.contains("too large"), qPrintable(text));
  QVERIFY(refusalOf(true, R"({"source_vocabulary":16777216,"embedding":16777216})").contains("too large"));
  QVERIFY(refusalOf(false, R"({"hidden":16777216,"layers":16})").contains("too large"));
  QCOMPARE(refusalOf(true, R"({"encoder":{"hidden":1024},"decoder":{"hidden":1024}})"), "nothing thrown");
}

void TestConfig::dataGiveSizes() {
  Json config = smallSeq2Seq(Json{{"source_vocabulary", nullptr}, {"target_vocabulary", nullptr}});
  config = completeConfig(config, {30, 40, 0, 0});
  QVERIFY(config["source_vocabulary"] == Json(30));
  QVERIFY(config["target_vocabulary"] == Json(40));
  config = smallRecurrent(Json::parse(R"({"input":{"size":null},"output":{"size":null}})"));
  config = completeConfig(config, {0, 0, 5, 7});
  QVERIFY(config["input"]["size"] == Json(5));
  QVERIFY(config["output"]["size"] == Json(7));
  config = smallRecurrent(Json::parse(R"({"input":{"kind":"token","size":null,"embedding":2}})"));
  config = completeConfig(config, {11, 0, 0, 3});
  QVERIFY(config["input"]["vocabulary"] == Json(11));
  QCOMPARE(config["input"].contains("size"), false);
  // Where the data do not decide nothing is invented.
  QVERIFY(completeConfig(smallRecurrent(), {}) == smallRecurrent());
  QVERIFY(errorText(ErrorKind::BadInput, [] { completeConfig(Json(3), {}); }).startsWith("config: an object"));
}

void TestConfig::dataContradictSizes() {
  const auto text = [](const Json& config, const DataSizes& sizes) {
    return errorText(ErrorKind::BadInput, [&] { completeConfig(config, sizes); });
  };
  QVERIFY(text(smallSeq2Seq(), {10, 8, 0, 0}).startsWith("config.source_vocabulary: is 9, but the data have 10"));
  QVERIFY(text(smallSeq2Seq(), {9, 7, 0, 0}).startsWith("config.target_vocabulary: is 8, but the data have 7"));
  QVERIFY(text(smallRecurrent(), {0, 0, 1, 3}).startsWith("config.input.size: is 2, but the data have 1"));
  QVERIFY(text(smallRecurrent(), {0, 0, 2, 4}).startsWith("config.output.size: is 3, but the data have 4"));
}

void TestConfig::settingsAreParsedAsJsonOrText() {
  const Json config = settled(smallSeq2Seq(), {{"encoder.hidden", "64"},
                                               {"encoder.bidirectional", "false"},
                                               {"attention.temperature", "0.5"},
                                               {"encoder.cell", "lstm"},
                                               {"attention.scope.kind", "global"}});
  QVERIFY(config["encoder"]["hidden"] == Json(64));
  QVERIFY(config["encoder"]["bidirectional"] == Json(false));
  QVERIFY(config["attention"]["temperature"] == Json(0.5));
  QVERIFY(config["encoder"]["cell"] == Json("lstm"));
  QVERIFY(config["attention"]["scope"]["kind"] == Json("global"));
  QVERIFY(settled(smallSeq2Seq(), {{"embedding", "5"}, {"embedding", "6"}})["embedding"] == Json(6));
  QVERIFY(settled(smallSeq2Seq(), {}) == smallSeq2Seq());
}

void TestConfig::settingsDropWhatBecomesMeaningless_data() {
  QTest::addColumn<QByteArray>("config");
  QTest::addColumn<QByteArray>("path");
  QTest::addColumn<QByteArray>("value");
  QTest::addColumn<QByteArray>("gone");  // a JSON pointer
  const auto row = [](const Json& config, const char* path, const char* value, const char* gone) {
    QTest::addRow("%s=%s: %s", path, value, gone)
        << QByteArray::fromStdString(config.dump()) << QByteArray(path) << QByteArray(value) << QByteArray(gone);
  };
  const Json fed = patched(smallSeq2Seq(), R"({"query":"current","input_feeding":true})");
  const Json before = patched(smallSeq2Seq(), R"({"encoder":{"reset":"before"},"decoder":{"reset":"before"}})");
  row(smallSeq2Seq(), "context", "none", "/attention");
  row(smallSeq2Seq(), "context", "fixed", "/query");
  row(fed, "context", "none", "/input_feeding");
  row(fed, "query", "previous", "/input_feeding");
  row(smallSeq2Seq(), "attention.score", "general", "/attention/units");
  row(before, "encoder.cell", "lstm", "/encoder/reset");
  row(before, "decoder.cell", "rnn", "/decoder/reset");
  const Json gru = patched(smallRecurrent(), R"({"cell":"gru","reset":"before","attention":{"joins":"input"}})");
  row(gru, "cell", "lstm", "/reset");
}

void TestConfig::settingsDropWhatBecomesMeaningless() {
  QFETCH(QByteArray, config);
  QFETCH(QByteArray, path);
  QFETCH(QByteArray, value);
  QFETCH(QByteArray, gone);
  const Json before = Json::parse(config.toStdString());
  const Json::json_pointer pointer(gone.toStdString());
  QVERIFY(before.contains(pointer));
  const Json after = settled(before, {{path.toStdString(), value.toStdString()}});
  QVERIFY2(!after.contains(pointer), after.dump().c_str());
  QCOMPARE(refusal(after), "nothing thrown");
}

void TestConfig::givenKeysAreKept() {
  const Json config = settled(smallSeq2Seq(), {{"context", "none"}, {"query", "current"}});
  QVERIFY(config.contains("query"));
  QVERIFY(refusal(config).startsWith("config.query: has no meaning"));
  QVERIFY(settled(smallSeq2Seq(), {{"attention.score", "general"}, {"attention.units", "9"}})["attention"].contains(
      "units"));
  // A changed family takes away everything of the other one, and nothing that was asked for.
  const Json other = settled(smallSeq2Seq(), {{"family", "recurrent"},
                                              {"input.kind", "token"},
                                              {"input.embedding", "4"},
                                              {"input.vocabulary", "9"},
                                              {"cell", "gru"},
                                              {"hidden", "8"},
                                              {"attention.memory", "states"},
                                              {"attention.joins", "output"},
                                              {"output.kind", "class"},
                                              {"output.size", "3"}});
  QVERIFY(!other.contains("encoder") && !other.contains("bridge") && !other.contains("query"));
  QCOMPARE(refusal(other), "nothing thrown");
  const Json back = settled(other, {{"family", "seq2seq"},
                                    {"source_vocabulary", "9"},
                                    {"target_vocabulary", "9"},
                                    {"embedding", "4"},
                                    {"encoder.cell", "gru"},
                                    {"encoder.hidden", "4"},
                                    {"decoder.cell", "gru"},
                                    {"decoder.hidden", "4"},
                                    {"bridge", "tanh"},
                                    {"context", "attention"},
                                    {"query", "current"}});
  QVERIFY(!back.contains("cell") && !back.contains("output") && !back["attention"].contains("joins"));
  QCOMPARE(refusal(back), "nothing thrown");
}

void TestConfig::settingsFillUnits() {
  Json dot = patched(smallSeq2Seq(), R"({"encoder":{"bidirectional":false},"decoder":{"hidden":4},
      "attention":{"score":"dot","units":null}})");
  QVERIFY(settled(dot, {{"attention.score", "concat"}})["attention"]["units"] == Json(4));
  QVERIFY(settled(smallRecurrent(), {{"attention.score", "additive"}})["attention"]["units"] == Json(4));
  QVERIFY(settled(smallSeq2Seq(), {{"attention.score", "concat"}})["attention"]["units"] == Json(5));
}

void TestConfig::settingsThatLeadNowhere() {
  const auto text = [](const Json& config, const char* path, const char* value = "1") {
    return errorText(ErrorKind::Usage, [&] { settled(config, {{path, value}}); });
  };
  QVERIFY(text(smallSeq2Seq(), "embedding.size").startsWith("embedding.size: 'embedding' is a value"));
  QVERIFY(text(smallSeq2Seq(), "encoder.cell.kind").contains("'cell' is a value"));
  QVERIFY(text(smallSeq2Seq(), "encoder..cell").contains("a path like"));
  QVERIFY(text(smallSeq2Seq(), "").contains("a path like"));
  QVERIFY(text(Json::array({1}), "embedding").contains("'config' is a value"));
  // Nonsense values get through to the parser, which names them.
  for (const char* key :
       {"family", "context", "query", "attention", "attention.score", "encoder", "decoder", "encoder.cell"})
    for (const char* value : {"5", "null", "[1]", "{\"a\":2}", "true"}) {
      const Json config = settled(smallSeq2Seq(), {{key, value}});
      QVERIFY2(refusal(config).startsWith("config"), key);
    }
}

QTEST_GUILESS_MAIN(TestConfig)
#include "test_config.moc"
