// How text becomes tokens and is joined again.
#include <QtTest>

#include "core/base/text.h"
#include "core/data/tokenizer.h"
#include "core/io/delimited.h"
#include "core/io/file.h"
#include "tests/support/error_text.h"
#include "tests/support/shared_data.h"

using namespace attnscope;
using Strings = std::vector<std::string>;

class TestTokenizer : public QObject {
  Q_OBJECT
 private slots:
  void names();
  void whitespace();
  void characters();
  void words_data();
  void words();
  void joined_data();
  void joined();
  void joinsAndTokenisesBack();
  void defaults();
  void lowerCases();
  void noTextIsLost();
};

void TestTokenizer::names() {
  for (const char* name : {"whitespace", "characters", "words"}) QCOMPARE(tokenizerName(tokenizerKind(name)), name);
  QCOMPARE(errorText(ErrorKind::Usage, [] { tokenizerKind("bpe"); }),
           QString("tokenizer: \"bpe\" is not known; use whitespace, characters or words"));
}

void TestTokenizer::whitespace() {
  QCOMPARE(tokenize(TokenizerKind::Whitespace, ""), Strings{});
  QCOMPARE(tokenize(TokenizerKind::Whitespace, " \t\u00A0\u3000"), Strings{});
  QCOMPARE(tokenize(TokenizerKind::Whitespace, " le  chat\u00A0!\u3000noir\n"), (Strings{"le", "chat", "!", "noir"}));
  QCOMPARE(joinTokens(TokenizerKind::Whitespace, {"le", "chat", "."}), std::string("le chat ."));
}

void TestTokenizer::characters() {
  QCOMPARE(tokenize(TokenizerKind::Characters, "a e\u0301👍🏽"), (Strings{"a", " ", "e\u0301", "👍🏽"}));
  QCOMPARE(joinTokens(TokenizerKind::Characters, {"a", " ", "e\u0301"}), std::string("a e\u0301"));
}

void TestTokenizer::words_data() {
  QTest::addColumn<QString>("text");
  QTest::addColumn<QString>("tokens");  // parted by spaces
  QTest::newRow("empty") << ""
                         << "";
  QTest::newRow("English") << "I try."
                           << "I try .";
  QTest::newRow("inner apostrophe and hyphen") << "Don't daisy-chain l’été!"
                                               << "Don't daisy-chain l’été !";
  QTest::newRow("outer apostrophe and hyphen") << "'tis dogs' - a-- b''c"
                                               << "' tis dogs ' - a - - b ' ' c";
  QTest::newRow("digits part") << "3.14 2-3 v2"
                               << "3 . 14 2 - 3 v2";
  QTest::newRow("Chinese") << "让我来。"
                           << "让 我 来 。";
  QTest::newRow("mixed scripts") << "我用GPT2了"
                                 << "我 用 GPT2 了";
  QTest::newRow("Japanese") << "パーティーへ行くよ、ね"
                            << "パ ー テ ィ ー へ 行 く よ 、 ね";
  QTest::newRow("decomposed kana") << "か\u3099ｶﾞ"
                                   << "か\u3099 ｶﾞ";
  QTest::newRow("hyphen beside CJK") << "中-a 中-文"
                                     << "中 - a 中 - 文";
  QTest::newRow("extension B") << "𠀀𠀁"
                               << "𠀀 𠀁";
  QTest::newRow("Korean") << "나는 학생이다."
                          << "나는 학생이다 .";
  QTest::newRow("Hindi") << "नमस्ते, हिन्दी।"
                         << "नमस्ते , हिन्दी ।";
  QTest::newRow("Arabic") << "كَتَبَ؟"
                          << "كَتَبَ ؟";
  QTest::newRow("Hebrew abbreviation") << "בארה\"ב \"כן\""
                                       << "בארה\"ב \" כן \"";
  QTest::newRow("combining") << "cafe\u0301s"
                             << "cafe\u0301s";
  QTest::newRow("emoji") << "hi👩‍👩‍👧👍🏽!🇩🇪🇫🇷1️⃣❤️"
                         << "hi 👩‍👩‍👧 👍🏽 ! 🇩🇪 🇫🇷 1️⃣ ❤️";
  QTest::newRow("signs") << "a_b (c) $5 50%"
                         << "a _ b ( c ) $ 5 50 %";
  QTest::newRow("soft hyphen") << "hy\u00ADphen"
                               << "hy\u00ADphen";
  QTest::newRow("space with a mark") << "a \u0301b"
                                     << "a \u0301b";
}

void TestTokenizer::words() {
  QFETCH(QString, text);
  QFETCH(QString, tokens);
  QStringList found;
  for (const std::string& token : tokenize(TokenizerKind::Words, text.toStdString()))
    found += QString::fromStdString(token);
  QCOMPARE(found, tokens.split(' ', Qt::SkipEmptyParts));
}

void TestTokenizer::joined_data() {
  QTest::addColumn<QString>("text");
  for (const char* text : {"I try.", "让我来。", "Don't daisy-chain, please!", "我用GPT2了", "He said \"no\" (twice).",
                           "It costs $5, or 1,000 at 3.14 on 2024-05-01 at 10:30?", "«oui»", "¿Qué? ¡No!", "either/or",
                           "„Ja“, sagt er: „nein“.", "“yes” and “no”", "ארה\"ב אומר \"לא\".", "他说：“你好”。",
                           "50% of [it]; so: this", "👍🏽 👍", "word - word", "हाँ।", "نعم؟"}) {
    QTest::newRow(text) << text;
  }
}

void TestTokenizer::joined() {
  QFETCH(QString, text);
  const Strings tokens = tokenize(TokenizerKind::Words, text.toStdString());
  QCOMPARE(QString::fromStdString(joinTokens(TokenizerKind::Words, tokens)), text);
}

void TestTokenizer::joinsAndTokenisesBack() {
  const auto file = sharedData("translation/eng-cmn.tsv");
  if (!file) QSKIP("the file translation/eng-cmn.tsv of the shared data is absent");
  const std::string text = decodeText(readFile(*file));
  DelimitedReader rows(text, '\t', Quotes::Text);
  DelimitedRow row;
  int count = 0, same = 0;
  while (rows.next(row)) {
    for (const std::string& field : {row.fields[0], row.fields[1]}) {
      ++count;
      same += joinTokens(TokenizerKind::Words, tokenize(TokenizerKind::Words, field)) == trimmed(field);
    }
  }
  QVERIFY2(same > 0.96 * count, qPrintable(QString("%1 of %2").arg(same).arg(count)));
}

void TestTokenizer::defaults() {
  QVERIFY(defaultTokenizer({}) == TokenizerKind::Whitespace);
  QVERIFY(defaultTokenizer({"le chat", "“été”", "나는"}) == TokenizerKind::Whitespace);
  QVERIFY(defaultTokenizer({"the cat", "猫"}) == TokenizerKind::Words);
  QVERIFY(defaultTokenizer({"ねこ"}) == TokenizerKind::Words);
  QVERIFY(defaultTokenizer({"、。！"}) == TokenizerKind::Whitespace);
}

void TestTokenizer::lowerCases() {
  QCOMPARE(lowerCase("ÀB ΣΑ ЖД ẞ猫1"), std::string("àb σα жд ß猫1"));
  QCOMPARE(lowerCase(""), std::string());
}

void TestTokenizer::noTextIsLost() {
  std::string text = "a\u200D👍";
  for (char32_t c = 1; c < 0x30000; c += 7) {
    if (c < 0xD800 || c > 0xDFFF) appendUtf8(text, c);
  }
  std::string expected;
  for (std::size_t position = 0; position < text.size();) {
    const char32_t c = nextCodePoint(text, position);
    if (!isWhiteSpace(c)) appendUtf8(expected, c);
  }
  for (const TokenizerKind kind : {TokenizerKind::Whitespace, TokenizerKind::Words}) {
    std::string found;
    for (const std::string& token : tokenize(kind, text)) found += token;
    QVERIFY(found == expected);
  }
}

QTEST_GUILESS_MAIN(TestTokenizer)
#include "test_tokenizer.moc"
