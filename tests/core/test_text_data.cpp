// What becomes of pairs of texts: tokens, ids, vocabularies, the split.
#include <QtTest>
#include <algorithm>
#include <cmath>
#include <set>

#include "core/base/sha256.h"
#include "tests/support/text_files.h"

using namespace attnscope;
using namespace std::string_literals;
using Strings = std::vector<std::string>;

class TestTextData : public QObject {
  Q_OBJECT
 private slots:
  void init() { m_files = std::make_unique<TextFiles>(); }
  void examplesAreClosed();
  void unusableRows();
  void options();
  void splitsByDistinctSource();
  void smallSplits();
  void shufflesBySeed();
  void validationFile();
  void vocabularyOfTheTrainingPart();
  void specialTokensInText();
  void lowerCasing();
  void cjkIsFound();
  void origin();
  void rowsForAModel();
  void typedText();

 private:
  std::unique_ptr<TextFiles> m_files;
};

void TestTextData::examplesAreClosed() {
  const TrainingData data = loadTextData(m_files->optionsFor("p.tsv", "le chat\tthe cat\nle chat\tthe cat\n"));
  QCOMPARE(data.family, "seq2seq"s);
  QCOMPARE(data.name, "p"s);
  QCOMPARE(data.train.size(), 2U);
  QCOMPARE(data.validation.size(), 0U);
  const Example& example = data.train[0];
  QCOMPARE(example.sourceTokens, (Strings{"le", "chat", "</s>"}));
  QCOMPARE(example.targetTokens, (Strings{"the", "cat", "</s>"}));
  QCOMPARE(example.source, (std::vector<int>{data.source.id("le"), data.source.id("chat"), kEnd}));
  QCOMPARE(example.target, (std::vector<int>{data.target.id("the"), data.target.id("cat"), kEnd}));
  QCOMPARE(data.source.size(), 6);
}

void TestTextData::unusableRows() {
  TextDataOptions options =
      m_files->optionsFor("p.tsv", "a\tx\n\ty\nb\t \n\n1 2 3 4\tx\nb\t1 2 3 4\n1 2 3\t1 2 3\n \t\n");
  options.maxLength = 3;
  const LoadReport report = loadTextData(options).report;
  QCOMPARE(report.rows, 8L);
  QCOMPARE(report.used, 2L);
  QVERIFY(report.skipped == (std::map<std::string, long>{{"empty source", 2},
                                                         {"empty target", 1},
                                                         {"empty line", 1},
                                                         {"source longer than 3 tokens", 1},
                                                         {"target longer than 3 tokens", 1}}));
  QCOMPARE(report.details.size(), 6U);
  QVERIFY(report.details[1].ends_with("p.tsv:3: empty target"));
}

void TestTextData::options() {
  const TextDataOptions good = m_files->optionsFor("p.tsv", numbered(10));
  const auto refused = [&](auto change) {
    TextDataOptions options = good;
    change(options);
    return m_files->error(options, ErrorKind::Usage);
  };
  QCOMPARE(refused([](auto& o) { o.maxLength = 0; }), QString("max-length: must be at least 1"));
  QCOMPARE(refused([](auto& o) { o.minCount = 0; }), QString("min-count: must be at least 1"));
  QVERIFY(refused([](auto& o) { o.maxVocabulary = 4; }).startsWith("max-vocabulary: must be at least 5"));
  for (const double fraction : {0.0, 1.0, -1.0, std::nan("")}) {
    QVERIFY(refused([&](auto& o) { o.validationFraction = fraction; }).startsWith("validation: "));
  }
  QVERIFY(refused([](auto& o) { o.files.clear(); }).contains("not from 0 files"));
  QVERIFY(refused([](auto& o) { o.files.resize(3); }).contains("not from 3 files"));
  QVERIFY(refused([](auto& o) { o.sourceColumn = o.targetColumn = "1"; }).contains("same column"));
  TextDataOptions rare = good;
  rare.minCount = 2;
  QVERIFY(m_files->error(rare).contains("no word occurs 2 times"));
}

void TestTextData::splitsByDistinctSource() {
  std::string text;
  for (int i = 0; i < 3000; ++i) text += "s" + std::to_string(i % 1000) + "\tt" + std::to_string(i) + "\n";
  const TrainingData data = loadTextData(m_files->optionsFor("p.tsv", text));
  std::set<std::string> training, validation;
  for (const Example& example : data.train) training.insert(joined(example.sourceTokens));
  for (const Example& example : data.validation) validation.insert(joined(example.sourceTokens));
  QCOMPARE(validation.size(), 100U);
  QCOMPARE(training.size(), 900U);
  QCOMPARE(data.validation.size(), 300U);
  QCOMPARE(data.train.size(), 2700U);
  for (const std::string& source : validation) QVERIFY(!training.contains(source));
}

void TestTextData::smallSplits() {
  const auto sizes = [&](int count, double fraction) {
    TextDataOptions options = m_files->optionsFor("p.tsv", numbered(count));
    options.validationFraction = fraction;
    const TrainingData data = loadTextData(options);
    return std::pair(data.train.size(), data.validation.size());
  };
  QVERIFY(sizes(1, 0.5) == std::pair(1UL, 0UL));
  QVERIFY(sizes(2, 0.01) == std::pair(1UL, 1UL));
  QVERIFY(sizes(2, 0.99) == std::pair(1UL, 1UL));
  QVERIFY(sizes(10, 0.3) == std::pair(7UL, 3UL));
}

void TestTextData::shufflesBySeed() {
  TextDataOptions options = m_files->optionsFor("p.tsv", numbered(200));
  const auto order = [&](std::uint64_t seed) {
    options.seed = seed;
    Strings sources;
    const TrainingData data = loadTextData(options);
    for (const auto* part : {&data.train, &data.validation}) {
      for (const Example& example : *part) sources.push_back(example.sourceTokens[0]);
    }
    return sources;
  };
  const Strings first = order(1);
  QVERIFY(order(1) == first);
  Strings second = order(2);
  QVERIFY(second != first);
  Strings sorted = first;
  std::sort(sorted.begin(), sorted.end());
  std::sort(second.begin(), second.end());
  QVERIFY(second == sorted && first != sorted);
}

void TestTextData::validationFile() {
  TextDataOptions options = m_files->optionsFor("p.tsv", numbered(10));
  options.validationFile = m_files->put("v.tsv", "s1 new\tt1\n\tt\n");
  const TrainingData data = loadTextData(options);
  QCOMPARE(data.train.size(), 10U);
  QCOMPARE(data.validation.size(), 1U);
  QCOMPARE(data.validation[0].source, (std::vector<int>{data.source.id("s1"), kUnknown, kEnd}));
  QCOMPARE(data.report.rows, 12L);
  QCOMPARE(data.report.used, 11L);
  QCOMPARE(data.origin["validation"][0]["name"].get<std::string>(), "v.tsv"s);
  options.validationFile = m_files->put("v.tsv", "a\t\n");
  QCOMPARE(m_files->error(options), QString("v.tsv: none of the 1 rows can be used (1 × empty target)"));
}

void TestTextData::vocabularyOfTheTrainingPart() {
  const TrainingData data = loadTextData(m_files->optionsFor("p.tsv", numbered(100)));
  QCOMPARE(data.source.size(), 94);
  for (const Example& example : data.validation) {
    QCOMPARE(example.source[0], kUnknown);
    QVERIFY(!data.source.contains(example.sourceTokens[0]));
  }
  TextDataOptions options = m_files->optionsFor("p.tsv", "a a b\tx\na b c\ty\n");
  options.validationFile = m_files->put("v.tsv", "a\tx\n");
  options.maxVocabulary = 6;
  QCOMPARE(loadTextData(options).source.tokens(), (Strings{"<pad>", "<s>", "</s>", "<unk>", "a", "b"}));
}

void TestTextData::specialTokensInText() {
  const TrainingData data = loadTextData(m_files->optionsFor("p.tsv", "<s> a </s> <pad> <unk>\t<pad> x </s>\n"));
  QCOMPARE(data.train[0].source, (std::vector<int>{kUnknown, data.source.id("a"), kUnknown, kUnknown, kUnknown, kEnd}));
  QCOMPARE(data.train[0].target, (std::vector<int>{kUnknown, data.target.id("x"), kUnknown, kEnd}));
  QCOMPARE(data.train[0].sourceTokens, (Strings{"<s>", "a", "</s>", "<pad>", "<unk>", "</s>"}));
  QCOMPARE(data.source.size(), 5);
}

void TestTextData::lowerCasing() {
  TextDataOptions options = m_files->optionsFor("p.tsv", "Le CHAT\tThe CAT\nle chat\tthe cat\n");
  options.lowercase = true;
  const TrainingData data = loadTextData(options);
  QCOMPARE(data.validation.size(), 0U);
  QCOMPARE(data.source.size(), 6);
  QCOMPARE(data.train[0].source, data.train[1].source);
  QVERIFY(data.train[0].sourceTokens != data.train[1].sourceTokens);
  QCOMPARE(data.train[0].targetTokens, (Strings{"the", "cat", "</s>"}));
}

void TestTextData::cjkIsFound() {
  const TrainingData data = loadTextData(m_files->optionsFor("p.tsv", "I try.\t让我来。\n"));
  QCOMPARE(data.origin["tokenizer"].get<std::string>(), "words"s);
  QCOMPARE(data.train[0].sourceTokens, (Strings{"I", "try", ".", "</s>"}));
  QCOMPARE(data.train[0].targetTokens, (Strings{"让", "我", "来", "。", "</s>"}));
  TextDataOptions options = m_files->optionsFor("p.tsv", "I try.\t让我来。\n");
  options.tokenizer = TokenizerKind::Characters;
  QCOMPARE(loadTextData(options).train[0].sourceTokens, (Strings{"I", " ", "t", "r", "y", ".", "</s>"}));
}

void TestTextData::origin() {
  TextDataOptions options = m_files->optionsFor("p.csv", "source,target\na,b\n");
  options.seed = 7;
  QCOMPARE(loadTextData(options).origin.dump(),
           R"({"files":[{"name":"p.csv","digest":")" + sha256("source,target\na,b\n") +
               R"("}],"columns":{"source":"source","target":"target"},"tokenizer":"whitespace","lowercase":false,)" +
               R"("max_length":200,"seed":7})");
  QCOMPARE(loadTextData(m_files->optionsFor("p.tsv", "a\tb\n")).origin["columns"].dump(),
           R"({"source":"1","target":"2"})"s);
  options.files = {m_files->put("p.a", "a\n"), m_files->put("p.b", "b\n")};
  QCOMPARE(loadTextData(options).origin["files"].size(), 2U);
  QCOMPARE(loadTextData(options).origin["columns"].dump(), "{}"s);
}

void TestTextData::rowsForAModel() {
  TextDataOptions options = m_files->optionsFor("p.tsv", "b A\tx\na\ty\n\tz\n");
  options.lowercase = true;
  const TextRows rows = loadTextRows(options, Vocabulary::ofWords({"a"}), Vocabulary::ofWords({"y"}));
  QCOMPARE(rows.examples.size(), 2U);
  QCOMPARE(rows.examples[0].source, (std::vector<int>{kUnknown, 4, kEnd}));
  QCOMPARE(rows.examples[0].sourceTokens, (Strings{"b", "A", "</s>"}));
  QCOMPARE(rows.examples[1].target, (std::vector<int>{4, kEnd}));
  QCOMPARE(rows.report.skipped.at("empty source"), 1L);
}

void TestTextData::typedText() {
  const Vocabulary vocabulary = Vocabulary::ofWords({"le", "chat"});
  const Example example = exampleFromText("  Le chien </s>\n", TokenizerKind::Whitespace, true, vocabulary);
  QCOMPARE(example.source, (std::vector<int>{4, kUnknown, kUnknown, kEnd}));
  QCOMPARE(example.sourceTokens, (Strings{"Le", "chien", "</s>", "</s>"}));
  QVERIFY(example.target.empty());
  const auto refused = [&](std::string_view text) {
    return errorText(ErrorKind::BadInput, [&] { exampleFromText(text, TokenizerKind::Characters, false, vocabulary); });
  };
  QCOMPARE(refused(" "), QString("input text: there is no word in it; type at least one"));
  QVERIFY(refused("a\xFF").startsWith("input text: byte 2 "));
}

QTEST_GUILESS_MAIN(TestTextData)
#include "test_text_data.moc"
