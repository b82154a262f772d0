// The files that pairs of texts come from, good, odd and broken.
#include <QtTest>

#include "tests/support/shared_data.h"
#include "tests/support/text_files.h"

using namespace attnscope;
using namespace std::string_literals;
using Strings = std::vector<std::string>;

namespace {

std::string utf16le(const QString& text) {
  std::string bytes = "\xFF\xFE";
  for (const QChar c : text) {
    bytes += static_cast<char>(c.unicode() & 0xFF);
    bytes += static_cast<char>(c.unicode() >> 8);
  }
  return bytes;
}

}  // namespace

class TestPairReader : public QObject {
  Q_OBJECT
 private slots:
  void init() { m_files = std::make_unique<TextFiles>(); }
  void formats_data();
  void formats();
  void columns_data();
  void columns();
  void twoFiles();
  void malformed_data();
  void malformed();
  void badRowsSkipped();
  void unusableFiles_data();
  void unusableFiles();
  void longLinesAreQuick();
  void sharedPairs();
  void sharedTwoFiles();
  void sharedOddFiles();

 private:
  std::unique_ptr<TextFiles> m_files;
};

void TestPairReader::formats_data() {
  QTest::addColumn<QString>("name");
  QTest::addColumn<QByteArray>("bytes");
  const auto row = [](const char* title, const char* name, const std::string& bytes) {
    QTest::newRow(title) << name << QByteArray::fromStdString(bytes);
  };
  row("tsv", "p.tsv", "a b\tx\nç \"d\ty \"z\n");
  row("tsv, third column", "p.tsv", "a b\tx\tCC-BY 1\nç \"d\ty \"z\tCC-BY 2\n");
  row("txt", "p.txt", "a b\tx\nç \"d\ty \"z");
  row("BOM", "p.tsv",
      "\xEF\xBB\xBF"
      "a b\tx\nç \"d\ty \"z\n");
  row("UTF-16", "p.tsv", utf16le("a b\tx\r\nç \"d\ty \"z\r\n"));
  row("CRLF", "p.TSV", "a b\tx\r\nç \"d\ty \"z\r\n");
  row("CR", "p.tsv", "a b\tx\rç \"d\ty \"z\r");
  row("blank line at the end", "p.tsv", "a b\tx\nç \"d\ty \"z\n\n\n");
  row("spaces", "p.tsv", " a b \tx\nç  \"d\t y \"z  \n");
  row("csv", "p.csv", "source,target\na b,x\n\"ç \"\"d\",\"y \"\"z\"\n");
  row("csv, swapped", "p.CSV", "target;id;source\nx;1;a b\n\"y \"\"z\";2;\"ç\n\"\"d\"\n");
  row("csv, other names", "p.csv", "French\tEnglish\na b\tx\nç \"d\ty \"z\n");
  row("csv, one named, behind", "p.csv", "x1,source\nx,a b\n\"y \"\"z\",\"ç \"\"d\"\n");
  row("jsonl", "p.jsonl",
      "{\"source\":\"a b\",\"target\":\"x\"}\n{\"target\":\"y \\\"z\",\"n\":1,\"source\":\"\\u00e7 \\\"d\"}\r\n\n");
}

void TestPairReader::formats() {
  QFETCH(QString, name);
  QFETCH(QByteArray, bytes);
  const TrainingData data = loadTextData(m_files->optionsFor(name.toStdString(), bytes.toStdString()));
  QCOMPARE(pairsOf(data), (QStringList{"a b=x", "ç \"d=y \"z"}));
  QCOMPARE(data.report.rows, 2L);
  QCOMPARE(data.report.used, 2L);
  QVERIFY(data.report.skipped.empty() && data.report.details.empty());
}

void TestPairReader::columns_data() {
  QTest::addColumn<QString>("name");
  QTest::addColumn<QString>("bytes");
  QTest::addColumn<QString>("source");
  QTest::addColumn<QString>("target");
  QTest::addColumn<QString>("expected");  // a pair, or a part of the error
  QTest::newRow("tsv numbers") << "p.tsv"
                               << "a\tb\tc\n"
                               << "3"
                               << "1"
                               << "c=a";
  QTest::newRow("tsv source only") << "p.tsv"
                                   << "a\tb\tc\n"
                                   << "2"
                                   << ""
                                   << "b=a";
  QTest::newRow("tsv target only") << "p.tsv"
                                   << "a\tb\tc\n"
                                   << ""
                                   << "1"
                                   << "b=a";
  QTest::newRow("tsv too far") << "p.tsv"
                               << "a\tb\tc\n"
                               << "1"
                               << "4"
                               << "p.tsv:1: 3 columns where column 4 is asked for";
  QTest::newRow("tsv names") << "p.tsv"
                             << "en\tx\tfr\na\tb\tc\n"
                             << "fr"
                             << "en"
                             << "c=a";
  QTest::newRow("tsv a name and a number") << "p.tsv"
                                           << "en\tx\tfr\na\tb\tc\n"
                                           << "fr"
                                           << "1"
                                           << "c=a";
  QTest::newRow("csv names") << "p.csv"
                             << "en,x,fr\na,b,c\n"
                             << "fr"
                             << "en"
                             << "c=a";
  QTest::newRow("csv numbers") << "p.csv"
                               << "en,x,fr\na,b,c\n"
                               << "3"
                               << "1"
                               << "c=a";
  QTest::newRow("csv one name") << "p.csv"
                                << "en,x,fr\na,b,c\n"
                                << "x"
                                << ""
                                << "b=a";
  QTest::newRow("csv no such") << "p.csv"
                               << "en,x,fr\na,b,c\n"
                               << "de"
                               << "en"
                               << "p.csv:1: there is no column \"de\"; the columns are en, x, fr";
  QTest::newRow("csv no such number") << "p.csv"
                                      << "en,x\na,b\n"
                                      << "3"
                                      << "1"
                                      << "there is no column \"3\"";
  QTest::newRow("csv one column") << "p.csv"
                                  << "en\na\n"
                                  << ""
                                  << ""
                                  << "p.csv:1: one column where two are needed";
  QTest::newRow("jsonl keys") << "p.jsonl"
                              << "{\"fr\":\"c\",\"en\":\"a\"}"
                              << "fr"
                              << "en"
                              << "c=a";
  QTest::newRow("jsonl no such") << "p.jsonl"
                                 << "{\"fr\":\"c\"}"
                                 << "fr"
                                 << "en"
                                 << "p.jsonl:1: the object has no key \"en\"";
}

void TestPairReader::columns() {
  QFETCH(QString, name);
  QFETCH(QString, bytes);
  QFETCH(QString, source);
  QFETCH(QString, target);
  QFETCH(QString, expected);
  TextDataOptions options = m_files->optionsFor(name.toStdString(), bytes.toStdString());
  options.sourceColumn = source.toStdString();
  options.targetColumn = target.toStdString();
  if (expected.contains('=')) {
    QCOMPARE(pairsOf(loadTextData(options)), QStringList{expected});
  } else {
    QVERIFY2(m_files->error(options).contains(expected), qPrintable(m_files->error(options)));
  }
}

void TestPairReader::twoFiles() {
  TextDataOptions options;
  options.files = {m_files->put("p.fr", "a\tb\r\nc\n\n"), m_files->put("p.en", "x\ny\n")};
  QCOMPARE(pairsOf(loadTextData(options)), (QStringList{"a b=x", "c=y"}));
  options.files[1] = m_files->put("p.en", "x\n\nz\n");
  const LoadReport report = loadTextData(options).report;
  QCOMPARE(report.used, 1L);
  QVERIFY(report.details[0].ends_with("p.en:2: empty target"));
  QVERIFY(report.details[1].ends_with("p.fr:3: empty source"));
  options.files[1] = m_files->put("p.en", "x\ny\nz\nw\n");
  QVERIFY2(m_files->error(options).startsWith("p.en: has 4 lines where "), qPrintable(m_files->error(options)));
  QVERIFY(m_files->error(options).contains("p.fr has 3;"));
  options.files[1] = m_files->put("p.en", "x\n\xFF\n");
  QVERIFY2(m_files->error(options).startsWith("p.en:2: byte 1 "), qPrintable(m_files->error(options)));
}

void TestPairReader::malformed_data() {
  QTest::addColumn<QString>("name");
  QTest::addColumn<QByteArray>("bytes");
  QTest::addColumn<QString>("expected");
  const auto row = [](const char* title, const char* name, const std::string& bytes, const char* expected) {
    QTest::newRow(title) << name << QByteArray::fromStdString(bytes) << expected;
  };
  row("one column", "p.tsv", "a\tb\nc\n",
      "p.tsv:2: one column where two are needed; separate source and target by a tab");
  row("csv columns", "p.csv", "source,target\n\"a\n\",b\nc,d,e\n",
      "p.csv:4: 3 columns where the header has 2; put a field that holds the delimiter in quotes");
  row("quote", "p.csv", "source,target\na,b\nc,\"d\ne,f\n",
      "p.csv:3: a quote opened in this row is never closed; close it, or double a quote that is text");
  row("encoding", "p.tsv", "a\tb\nc\t\xE9\n",
      "p.tsv:2: byte 3 is neither UTF-8 nor UTF-16 with a byte order mark; save the file as UTF-8");
  row("surrogate", "p.tsv",
      "\xFF\xFE"
      "a\0\t\0b\0\n\0c\0\t\0\x00\xDC"s,
      "p.tsv:2: byte 3 is neither UTF-8 nor UTF-16 with a byte order mark; save the file as UTF-8");
  row("NUL", "p.tsv", "a\tb\nc\0\td\n"s,
      "p.tsv:2: a NUL byte at byte 2: not a text file, or UTF-16 without a byte order mark; save it as UTF-8");
  row("header", "p.csv", "s\xFF,t\na,b\n",
      "p.csv:1: byte 2 is neither UTF-8 nor UTF-16 with a byte order mark; save the file as UTF-8");
  row("JSON", "p.jsonl", "{\"source\":\"a\",\"target\":\"b\"}\n{\"source\"\n",
      "p.jsonl:2: the line is not a JSON object");
  row("JSON list", "p.jsonl", "[\"a\",\"b\"]\n", "p.jsonl:1: the line is not a JSON object");
  row("JSON number", "p.jsonl", "{\"source\":\"a\",\"target\":1}\n", "p.jsonl:1: the value of \"target\" is not text");
  row("JSON NUL", "p.jsonl", "{\"source\":\"a\",\"target\":\"\\u0000\"}\n", "p.jsonl:1: a text holds a NUL");
  row("JSON surrogate", "p.jsonl", "{\"source\":\"a\",\"target\":\"\\ud800\"}\n",
      "p.jsonl:1: the line is not a JSON object");
  row("JSON encoding", "p.jsonl", "\n{\"\xFF\n",
      "p.jsonl:2: byte 3 is neither UTF-8 nor UTF-16 with a byte order mark; save the file as UTF-8");
}

void TestPairReader::malformed() {
  QFETCH(QString, name);
  QFETCH(QByteArray, bytes);
  QFETCH(QString, expected);
  QCOMPARE(m_files->error(m_files->optionsFor(name.toStdString(), bytes.toStdString())), expected);
}

void TestPairReader::badRowsSkipped() {
  TextDataOptions options = m_files->optionsFor("p.tsv", numbered(3) + "x\n\xFF\ty\n" + numbered(3));
  options.skipBadRows = true;
  const LoadReport report = loadTextData(options).report;
  QCOMPARE(report.rows, 8L);
  QCOMPARE(report.used, 6L);
  QVERIFY(report.skipped == (std::map<std::string, long>{{"malformed: columns", 1}, {"malformed: encoding", 1}}));
  QVERIFY(report.details[0].ends_with("p.tsv:4: one column where two are needed; separate source and target by a tab"));
  options.files = {m_files->put("q.csv", "source,target\na,\"b\nc,d\n\"e\"x,f\ng,h\n")};
  QCOMPARE(pairsOf(loadTextData(options)), (QStringList{"c=d", "g=h"}));
  options.files = {m_files->put("many.tsv", numbered(1) + std::string(1000, '\n') + numbered(1))};
  QCOMPARE(loadTextData(options).report.details.size(), 20U);
}

void TestPairReader::unusableFiles_data() {
  QTest::addColumn<QString>("name");
  QTest::addColumn<QByteArray>("bytes");
  QTest::addColumn<QString>("expected");
  QTest::newRow("empty") << "p.tsv" << QByteArray("") << "p.tsv: the file is empty";
  QTest::newRow("BOM only") << "p.tsv" << QByteArray("\xEF\xBB\xBF") << "p.tsv: the file is empty";
  QTest::newRow("blank") << "p.tsv" << QByteArray("\n\n") << "p.tsv: there are no rows to use";
  QTest::newRow("blank csv") << "p.csv" << QByteArray("\n\n") << "p.csv: there is no header row";
  QTest::newRow("header only") << "p.csv" << QByteArray("source,target\n") << "p.csv: there are no rows to use";
  QTest::newRow("all too long")
      << "p.tsv" << QByteArray("a\t") + QByteArray("x ").repeated(100000) + "\nb\t\n"
      << "p.tsv: none of the 2 rows can be used (1 × empty target, 1 × target longer than 200 tokens)";
  QTest::newRow("picture")
      << "p.tsv" << QByteArray("\x89PNG\r\n\x1A\n\0\0", 10)
      << "p.tsv:1: byte 1 is neither UTF-8 nor UTF-16 with a byte order mark; save the file as UTF-8";
}

void TestPairReader::unusableFiles() {
  QFETCH(QString, name);
  QFETCH(QByteArray, bytes);
  QFETCH(QString, expected);
  QCOMPARE(m_files->error(m_files->optionsFor(name.toStdString(), bytes.toStdString())), expected);
  TextDataOptions absent;
  absent.files = {m_files->path() / "absent.tsv"};
  QCOMPARE(m_files->error(absent), QString("absent.tsv: there is no such file"));
  absent.files = {m_files->path()};
  QVERIFY(m_files->error(absent).endsWith(": is a folder where a file is needed"));
}

void TestPairReader::longLinesAreQuick() {
  QElapsedTimer timer;
  timer.start();
  for (const char* name : {"p.tsv", "p.csv", "p.jsonl"}) {
    const std::string longText = QByteArray("a\u0301,b ").repeated(200000).toStdString();
    std::string text = numbered(2);
    if (name == "p.csv"s) text = "source,target\ns0,t0\n\"" + longText + "\",x\n";
    if (name == "p.tsv"s) text += longText + "\tx\n";
    if (name == "p.jsonl"s)
      text = "{\"source\":\"a\",\"target\":\"b\"}\n{\"source\":\"" + longText + "\",\"target\":\"b\"}\n";
    TextDataOptions options = m_files->optionsFor(name, text);
    for (const TokenizerKind kind : {TokenizerKind::Whitespace, TokenizerKind::Characters, TokenizerKind::Words}) {
      options.tokenizer = kind;
      QCOMPARE(loadTextData(options).report.skipped.at("source longer than 200 tokens"), 1L);
    }
  }
  QVERIFY2(timer.elapsed() < 20000, qPrintable(QString::number(timer.elapsed())));
}

void TestPairReader::sharedPairs() {
  const auto folder = sharedData("translation");
  if (!folder) QSKIP("the folder translation of the shared data is absent");
  TextDataOptions options;
  options.files = {*folder / "eng-cmn.tsv"};
  TrainingData data = loadTextData(options);
  QCOMPARE(data.report.rows, 17488L);
  QCOMPARE(data.report.used, 17488L);
  QCOMPARE(data.origin["tokenizer"].get<std::string>(), "words"s);
  options.files = {*folder / "novels.en-fr.tsv"};
  data = loadTextData(options);
  QCOMPARE(data.report.rows, 3492L);
  QVERIFY(data.report.skipped.at("source longer than 200 tokens") > 0);
  for (const Example& example : data.train) QVERIFY(example.source.size() <= 201 && example.target.size() <= 201);
  options.files = {*folder / "../dates/dates.en-US.tsv"};
  options.tokenizer = TokenizerKind::Characters;
  data = loadTextData(options);
  QCOMPARE(data.report.used, 4000L);
  QCOMPARE(data.target.size(), 15);
}

void TestPairReader::sharedTwoFiles() {
  const auto folder = sharedData("translation/tatoeba");
  if (!folder) QSKIP("the folder translation/tatoeba of the shared data is absent");
  for (const std::string language : {"ara", "cmn", "deu", "fra", "heb", "hin", "jpn"}) {
    const std::string stem = "tatoeba." + language + "-eng";
    TextDataOptions options;
    options.files = {*folder / (stem + "." + language), *folder / (stem + ".eng")};
    const TrainingData data = loadTextData(options);
    QCOMPARE(data.report.used, 1000L);
    QCOMPARE(data.name, stem);
    const bool isCjk = language == "cmn" || language == "jpn";
    QCOMPARE(data.origin["tokenizer"].get<std::string>(), isCjk ? "words"s : "whitespace"s);
  }
}

void TestPairReader::sharedOddFiles() {
  const auto folder = sharedData("csv");
  if (!folder) QSKIP("the folder csv of the shared data is absent");
  TextDataOptions options;
  const auto load = [&](const char* name) {
    options.files = {*folder / name};
    return errorText(ErrorKind::BadInput, [&] { loadTextData(options); })
        .remove(QString::fromStdString(folder->string()) + "/");
  };
  QCOMPARE(load("made/utf16le-bom.csv"), QString("nothing thrown"));
  QCOMPARE(load("made/header-only.csv"), QString("made/header-only.csv: there are no rows to use"));
  QVERIFY(load("made/bad-utf8.csv").startsWith("made/bad-utf8.csv:2: byte "));
  QVERIFY(load("made/unclosed-quote.csv").contains("is never closed"));
  options.files = {*folder / "marian/decode_ape_empty_fields.tsv"};
  const LoadReport report = loadTextData(options).report;
  QCOMPARE(report.rows, 20L);
  QVERIFY(report.skipped.at("empty source") > 0 && report.skipped.at("empty target") > 0);
}

QTEST_GUILESS_MAIN(TestPairReader)
#include "test_pair_reader.moc"
