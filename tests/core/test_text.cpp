// UTF-8 and UTF-16, grapheme clusters, numbers, SHA-256.
#include <QtTest>
#include <clocale>
#include <cmath>
#include <limits>
#include <sstream>

#include "core/base/sha256.h"
#include "core/base/text.h"
#include "core/io/file.h"
#include "tests/support/shared_data.h"

using namespace attnscope;
using namespace std::string_literals;

namespace {

std::vector<std::string> clustersOf(const std::string& text) {
  std::vector<std::string> clusters;
  for (const std::string_view cluster : graphemes(text)) clusters.emplace_back(cluster);
  return clusters;
}

using Strings = std::vector<std::string>;

}  // namespace

class TestText : public QObject {
  Q_OBJECT
 private slots:
  void firstFault_data();
  void firstFault();
  void faultMessages();
  void byteOrderMarks();
  void utf16Faults();
  void codePoints();
  void trims();
  void clusters();
  void everyGraphemeCase();
  void excerpts();
  void numbersRoundTrip();
  void numbersAreStrict();
  void numbersIgnoreTheLocale();
  void digests();
};

void TestText::firstFault_data() {
  QTest::addColumn<QByteArray>("bytes");
  QTest::addColumn<int>("position");
  const auto row = [](const char* name, const std::string& bytes, int position) {
    QTest::newRow(name) << QByteArray::fromStdString(bytes) << position;
  };
  row("empty", "", -1);
  row("ascii", "abc", -1);
  row("one to four bytes", "aé€😀", -1);
  row("largest", "\xF4\x8F\xBF\xBF", -1);
  row("lone continuation", "ab\x80", 2);
  row("cut at the end", "a\xE2\x82", 1);
  row("cut by another", "a\xE2\x82z", 1);
  row("overlong 2", "\xC0\xAF", 0);
  row("overlong 3", "x\xE0\x80\xAF", 1);
  row("overlong 4", "x\xF0\x80\x80\xAF", 1);
  row("surrogate", "xy\xED\xA0\x80", 2);
  row("before surrogates", "\xED\x9F\xBF", -1);
  row("above U+10FFFF", "\xF4\x90\x80\x80", 0);
  row("F5", "\xF5\x80\x80\x80", 0);
  row("FF", "abc\xFF", 3);
}

void TestText::firstFault() {
  QFETCH(QByteArray, bytes);
  QFETCH(int, position);
  const auto found = firstInvalidUtf8(bytes.toStdString());
  QCOMPARE(found ? static_cast<int>(*found) : -1, position);
}

void TestText::faultMessages() {
  QVERIFY(!textFault("fine"));
  QVERIFY(textFault("ab\xFF")->starts_with("byte 3 "));
  QVERIFY(textFault("a\0b"s)->starts_with("a NUL byte at byte 2"));
  QVERIFY(textFault("\xFF\0"s)->starts_with("byte 1 "));
}

void TestText::byteOrderMarks() {
  QCOMPARE(decodeText("plain"), "plain"s);
  QCOMPARE(decodeText("\xEF\xBB\xBFé"), "é"s);
  QCOMPARE(decodeText("\xFF\xFE"
                      "a\0\xE9\0\x3D\xD8\x00\xDE"s),
           "aé😀"s);
  QCOMPARE(decodeText("\xFE\xFF\0a\0\xE9\xD8\x3D\xDE\x00"s), "aé😀"s);
  QCOMPARE(decodeText("\xFF\xFE"), ""s);
  QCOMPARE(decodeText(""), ""s);
}

void TestText::utf16Faults() {
  QCOMPARE(firstInvalidUtf8(decodeText("\xFF\xFE"
                                       "a\0\x3D\xD8"
                                       "b\0"s)),
           std::optional<std::size_t>(1));
  QCOMPARE(firstInvalidUtf8(decodeText("\xFF\xFE"
                                       "a\0b\0\x00\xDE"s)),
           std::optional<std::size_t>(2));
  QCOMPARE(firstInvalidUtf8(decodeText("\xFF\xFE"
                                       "a\0b"s)),
           std::optional<std::size_t>(1));
  QCOMPARE(firstInvalidUtf8(decodeText("\xFF\xFE\x3D\xD8"s)), std::optional<std::size_t>(0));
}

void TestText::codePoints() {
  for (const char32_t c :
       {U'\0', U'a', U'\u007F', U'\u0080', U'\u07FF', U'\u0800', U'\uFFFD', U'\U00010000', U'\U0010FFFF'}) {
    std::string text;
    appendUtf8(text, c);
    std::size_t position = 0;
    QCOMPARE(nextCodePoint(text, position), c);
    QCOMPARE(position, text.size());
    QVERIFY(!firstInvalidUtf8(text));
  }
}

void TestText::trims() {
  QCOMPARE(trimmed(" \t\u3000a b\u00A0\r\n"), "a b"s);
  QCOMPARE(trimmed(" \u2003 "), ""s);
  QCOMPARE(trimmed(""), ""s);
  QCOMPARE(trimmed("é"), "é"s);
}

void TestText::clusters() {
  QCOMPARE(clustersOf(""), Strings{});
  QCOMPARE(clustersOf("ab"), (Strings{"a", "b"}));
  QCOMPARE(clustersOf("e\u0301a"), (Strings{"e\u0301", "a"}));
  QCOMPARE(clustersOf("\r\n\n"), (Strings{"\r\n", "\n"}));
  QCOMPARE(clustersOf("👩‍👩‍👧👍🏽"), (Strings{"👩‍👩‍👧", "👍🏽"}));
  QCOMPARE(clustersOf("🇩🇪🇫🇷🇮"), (Strings{"🇩🇪", "🇫🇷", "🇮"}));
  QCOMPARE(clustersOf("नि"), (Strings{"नि"}));
  QCOMPARE(clustersOf("각"), (Strings{"각"}));
}

void TestText::everyGraphemeCase() {
  const auto file = sharedData("unicode/GraphemeBreakTest.txt");
  if (!file) QSKIP("the file unicode/GraphemeBreakTest.txt of the shared data is absent");
  std::istringstream lines(readFile(*file));
  int cases = 0;
  for (std::string line; std::getline(lines, line);) {
    std::istringstream words(line.substr(0, line.find('#')));
    Strings expected;
    std::string text;
    for (std::string word; words >> word;) {
      if (word == "÷") {
        expected.emplace_back();
      } else if (word != "×") {
        appendUtf8(text, static_cast<char32_t>(std::stoul(word, nullptr, 16)));
        appendUtf8(expected.back(), static_cast<char32_t>(std::stoul(word, nullptr, 16)));
      }
    }
    if (expected.empty()) continue;
    expected.pop_back();
    QVERIFY2(clustersOf(text) == expected, line.c_str());
    ++cases;
  }
  QVERIFY(cases > 500);
}

void TestText::excerpts() {
  QCOMPARE(excerpt("short"), "short"s);
  QCOMPARE(excerpt("a\nb\xFF"), "a?b?"s);
  QCOMPARE(excerpt("ééé", 3), "é…"s);
  QCOMPARE(excerpt(std::string(1000, 'x')).size(), 40 + "…"s.size());
}

void TestText::numbersRoundTrip() {
  for (const double value : {0.1, 1.0 / 3, 5e-324, 1.7976931348623157e308, -2.5, 123456789.0, 1e21}) {
    QCOMPARE(parseNumber(formatNumber(value)), std::optional<double>(value));
  }
  QCOMPARE(formatNumber(0.1), "0.1"s);
  QCOMPARE(formatNumber(0.1F), "0.1"s);
  QCOMPARE(formatNumber(3.0), "3"s);
  QCOMPARE(formatNumber(-0.0), "-0"s);
  QCOMPARE(formatNumber(std::numeric_limits<double>::quiet_NaN()), "NaN"s);
  QCOMPARE(formatNumber(std::numeric_limits<float>::infinity()), "Infinity"s);
  QCOMPARE(formatNumber(-std::numeric_limits<double>::infinity()), "-Infinity"s);
}

void TestText::numbersAreStrict() {
  QCOMPARE(parseNumber("-1.5e3"), std::optional<double>(-1500));
  QCOMPARE(parseNumber("+2"), std::optional<double>(2));
  QCOMPARE(parseNumber(".5"), std::optional<double>(0.5));
  for (const char* text : {"", "+", "-", ".", "+-1", "--1", "++1", " 1", "1 ", "1,5", "0x10", "1e", "nan", "inf",
                           "infinity", "1e999", "1.2.3", "12abc", "١"}) {
    QVERIFY2(!parseNumber(text), text);
  }
  QCOMPARE(parseInteger("-42"), std::optional<long long>(-42));
  QCOMPARE(parseInteger("+42"), std::optional<long long>(42));
  for (const char* text : {"", "+", "+-1", "1.0", "1e3", " 1", "9223372036854775808", "0x1"}) {
    QVERIFY2(!parseInteger(text), text);
  }
}

void TestText::numbersIgnoreTheLocale() {
  const bool found = std::setlocale(LC_ALL, "de_DE.UTF-8") || std::setlocale(LC_ALL, "fr_FR.UTF-8");
  const std::string text = formatNumber(1234.5);
  const auto number = parseNumber("1234.5");
  std::setlocale(LC_ALL, "C");
  QCOMPARE(text, "1234.5"s);
  QCOMPARE(number, std::optional<double>(1234.5));
  if (!found) QSKIP("no locale with a decimal comma is installed: only the C locale was tried");
}

void TestText::digests() {
  QCOMPARE(sha256(""), "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"s);
  QCOMPARE(sha256("abc"), "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"s);
  QCOMPARE(sha256("abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq"),
           "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1"s);
  QCOMPARE(sha256(std::string(1000000, 'a')), "cdc76e5c9914fb9281a1c7e284d73e67f1809a48a497200e046d39ccc7112cd0"s);
  for (const std::size_t size : {55, 56, 63, 64, 65, 119, 120}) {
    const QByteArray bytes(static_cast<int>(size), 'x');
    QCOMPARE(sha256(bytes.toStdString()),
             QCryptographicHash::hash(bytes, QCryptographicHash::Sha256).toHex().toStdString());
  }
}

QTEST_GUILESS_MAIN(TestText)
#include "test_text.moc"
