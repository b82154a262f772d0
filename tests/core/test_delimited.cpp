// Lines and rows of delimited text.
#include <QElapsedTimer>
#include <QtTest>

#include "core/base/json.h"
#include "core/base/text.h"
#include "core/io/delimited.h"
#include "core/io/file.h"
#include "tests/support/shared_data.h"

using namespace attnscope;
using namespace std::string_literals;
using Fields = std::vector<std::string>;

namespace {

std::vector<DelimitedRow> rowsOf(std::string_view text, char delimiter = ',', Quotes quotes = Quotes::Interpreted) {
  DelimitedReader reader(text, delimiter, quotes);
  std::vector<DelimitedRow> rows;
  for (DelimitedRow row; reader.next(row);) rows.push_back(row);
  return rows;
}

// "LINE:field|field LINE!fault …"
std::string shape(const std::vector<DelimitedRow>& rows) {
  std::string text;
  for (const DelimitedRow& row : rows) {
    text += (text.empty() ? "" : " ") + std::to_string(row.line) + (row.fault.empty() ? ":" : "!" + row.fault);
    for (std::size_t i = 0; row.fault.empty() && i < row.fields.size(); ++i) text += (i > 0 ? "|" : "") + row.fields[i];
  }
  return text;
}

std::string sharedText(const std::filesystem::path& file) { return decodeText(readFile(file)); }

}  // namespace

class TestDelimited : public QObject {
  Q_OBJECT
 private slots:
  void lines_data();
  void lines();
  void quoted_data();
  void quoted();
  void unquoted();
  void problems();
  void delimiters_data();
  void delimiters();
  void linearTime_data();
  void linearTime();
  void spectrum();
  void oddFiles();
};

void TestDelimited::lines_data() {
  QTest::addColumn<QByteArray>("text");
  QTest::addColumn<QStringList>("expected");
  QTest::newRow("empty") << QByteArray("") << QStringList{};
  QTest::newRow("LF") << QByteArray("a\nb\n") << QStringList{"a", "b"};
  QTest::newRow("no last end") << QByteArray("a\nb") << QStringList{"a", "b"};
  QTest::newRow("CRLF") << QByteArray("a\r\n\r\nb\r\n") << QStringList{"a", "", "b"};
  QTest::newRow("CR") << QByteArray("a\rb\r\rc") << QStringList{"a", "b", "", "c"};
  QTest::newRow("mixed") << QByteArray("a\r\nb\nc\rd") << QStringList{"a", "b", "c\rd"};
  QTest::newRow("blank lines count") << QByteArray("\n\n") << QStringList{"", ""};
}

void TestDelimited::lines() {
  QFETCH(QByteArray, text);
  QFETCH(QStringList, expected);
  const std::string bytes = text.toStdString();
  LineReader reader(bytes);
  QStringList found;
  for (std::string_view line; reader.next(line);) {
    found += QString::fromStdString(std::string(line));
    QCOMPARE(reader.line(), static_cast<long>(found.size()));
  }
  QCOMPARE(found, expected);
}

void TestDelimited::quoted_data() {
  QTest::addColumn<QByteArray>("text");
  QTest::addColumn<QByteArray>("expected");
  const auto row = [](const char* name, const char* text, const char* expected) {
    QTest::newRow(name) << QByteArray(text) << QByteArray(expected);
  };
  row("empty", "", "");
  row("plain", "a,b\nc,d\n", "1:a|b 2:c|d");
  row("no last end", "a,b", "1:a|b");
  row("empty fields", ",\n,,", "1:| 2:||");
  row("CRLF and CR", "a,b\r\nc\rd\r\n", "1:a|b 2:c 3:d");
  row("blank", "a\n\nb\n", "1:a 2: 3:b");
  row("quotes", "\"a,b\",\"c\"\n", "1:a,b|c");
  row("doubled", "\"say \"\"hi\"\"\",\"\"\"\"\n\"\",x", "1:say \"hi\"|\" 2:|x");
  row("newlines inside", "\"a\nb\r\nc\rd\",e\nf,g", "1:a\nb\r\nc\rd|e 5:f|g");
  row("spaces around quotes", "a, \"b,c\" ,d\n", "1:a|b,c|d");
  row("quote inside", "5\" x,a\"\"b\n", "1:5\" x|a\"\"b");
  row("text behind a quote", "a,\"b\"c\nd,e\n", "1!quotes 2:d|e");
  row("never closed", "a,b\nc,\"d\ne,f\ng,h", "1:a|b 2!quotes 3:e|f 4:g|h");
  row("stray quote meets a good one", "a,\"b\nc,d\n\"e\",f\n", "1!quotes 2:c|d 3:e|f");
  row("quote at the very end", "a,\"", "1!quotes");
  row("encoding", "a,b\n\xFF,c\nd,e", "1:a|b 2!encoding 3:d|e");
}

void TestDelimited::quoted() {
  QFETCH(QByteArray, text);
  QFETCH(QByteArray, expected);
  QCOMPARE(shape(rowsOf(text.toStdString())), expected.toStdString());
}

void TestDelimited::unquoted() {
  QCOMPARE(shape(rowsOf("\"a\t b \"\"\nc\t\t\n\nd", '\t', Quotes::Text)), "1:\"a| b \"\" 2:c|| 3: 4:d"s);
  QCOMPARE(shape(rowsOf("a\tb\r\nc\0\tb\r\n\xC3\tx"s, '\t', Quotes::Text)), "1:a|b 2!encoding 3!encoding"s);
  QVERIFY(rowsOf("a\n\n", '\t', Quotes::Text)[1].isBlank());
  QVERIFY(!rowsOf("\t\n", '\t', Quotes::Text)[0].isBlank());
  QVERIFY(!rowsOf("\xFF\n", '\t', Quotes::Text)[0].isBlank());
}

void TestDelimited::problems() {
  QVERIFY(rowsOf("\"a")[0].problem.find("never closed") != std::string::npos);
  QVERIFY(rowsOf("\"a\"b")[0].problem.find("closing quote") != std::string::npos);
  QVERIFY(rowsOf("ab\xFF")[0].problem.starts_with("byte 3 "));
}

void TestDelimited::delimiters_data() {
  QTest::addColumn<QByteArray>("text");
  QTest::addColumn<char>("expected");
  QTest::newRow("empty") << QByteArray("") << ',';
  QTest::newRow("none") << QByteArray("a\nb\n") << ',';
  QTest::newRow("comma") << QByteArray("a,b\n1,2\n") << ',';
  QTest::newRow("semicolon") << QByteArray("a;b\n1,5;2,5\n") << ';';
  QTest::newRow("tab") << QByteArray("a\tb\nx, y\tz\n") << '\t';
  QTest::newRow("commas in text") << QByteArray("source;target\nOne, two;Eins, zwei\nA;B\n") << ';';
  QTest::newRow("semicolons in text") << QByteArray("source,target\na;b,c;d\ne,f\n") << ',';
  QTest::newRow("comma in a quoted header") << QByteArray("\"a,b\";c\n1;2\n") << ';';
  QTest::newRow("blank lines first") << QByteArray("\n\na;b\n1;2\n") << ';';
  QTest::newRow("header of both") << QByteArray("a,b;c\n1;2\n3;4\n") << ';';
}

void TestDelimited::delimiters() {
  QFETCH(QByteArray, text);
  QFETCH(char, expected);
  QCOMPARE(findDelimiter(text.toStdString()), expected);
}

void TestDelimited::linearTime_data() {
  QTest::addColumn<QByteArray>("piece");
  QTest::newRow("a line each, quote open") << QByteArray("\"a\n");
  QTest::newRow("three quotes") << QByteArray("\"\"\"\n");
  QTest::newRow("open, then neutral") << QByteArray("x,\"\n\"\"\n");
  QTest::newRow("delimiters") << QByteArray(",");
  QTest::newRow("doubled quotes") << QByteArray("\"\"");
  QTest::newRow("one line") << QByteArray("a b");
  QTest::newRow("CR") << QByteArray("\r");
  QTest::newRow("not text") << QByteArray("\xFF\n");
}

// Re-reading after malformed rows must not make it quadratic: 3 MB would take minutes.
void TestDelimited::linearTime() {
  QFETCH(QByteArray, piece);
  const std::string text =
      (QByteArray("\"open\n") + piece.repeated(3000000 / static_cast<int>(piece.size()))).toStdString();
  QElapsedTimer timer;
  timer.start();
  DelimitedRow row;
  for (DelimitedReader reader(text, ',', Quotes::Interpreted); reader.next(row);) {
  }
  for (DelimitedReader reader(text, ',', Quotes::Text); reader.next(row);) {
  }
  findDelimiter(text);
  QVERIFY2(timer.elapsed() < 10000, qPrintable(QString::number(timer.elapsed())));
}

// The pairs of a .csv and the records expected of it.
void TestDelimited::spectrum() {
  const auto folder = sharedData("csv/spectrum");
  if (!folder) QSKIP("the folder csv/spectrum of the shared data is absent");
  int files = 0;
  for (const auto& entry : std::filesystem::directory_iterator(*folder)) {
    if (entry.path().extension() != ".csv") continue;
    ++files;
    const std::string text = sharedText(entry.path());
    const std::vector<DelimitedRow> rows = rowsOf(text, findDelimiter(text));
    std::filesystem::path expectedFile = entry.path();
    const Json expected = Json::parse(readFile(expectedFile.replace_extension(".json")));
    QCOMPARE(rows.size(), expected.size() + 1);
    for (std::size_t i = 0; i < expected.size(); ++i) {
      for (std::size_t c = 0; c < rows[0].fields.size(); ++c) {
        QCOMPARE(rows[i + 1].fields[c], expected[i].at(rows[0].fields[c]).get<std::string>());
      }
    }
  }
  QVERIFY(files >= 8);
}

void TestDelimited::oddFiles() {
  const auto folder = sharedData("csv");
  if (!folder) QSKIP("the folder csv of the shared data is absent");
  const auto table = [&](const char* name) {
    const std::string text = sharedText(*folder / name);
    return rowsOf(text, findDelimiter(text));
  };
  QCOMPARE(table("messytables/utf8bom.csv")[0].fields.size(), 2U);
  QVERIFY(table("messytables/utf8bom.csv")[0].fields[0].find("\xEF\xBB\xBF") == std::string::npos);
  QCOMPARE(table("messytables/simple.ssv")[0].fields.size(), 3U);
  QCOMPARE(table("messytables/simple.ssv").size(), 7U);
  QVERIFY(table("messytables/mixedGLB.csv").size() > 100);
  QCOMPARE(table("messytables/utf-16le_encoded.csv").size(), 328U);
  QCOMPARE(table("made/utf16le-bom.csv").size(), 41U);
  QCOMPARE(table("made/bad-utf8.csv")[1].fault, "encoding"s);
  const auto complexRows = table("messytables/complex.csv");
  for (const DelimitedRow& row : complexRows) QCOMPARE(row.fields.size(), complexRows[0].fields.size());
  int faults = 0;
  for (const DelimitedRow& row : table("made/unclosed-quote.csv")) faults += !row.fault.empty();
  QCOMPARE(faults, 1);
  const std::string numbers = sharedText(*folder / "decimal-comma-air-quality.csv");
  QCOMPARE(findDelimiter(numbers), ';');
}

QTEST_GUILESS_MAIN(TestDelimited)
#include "test_delimited.moc"
