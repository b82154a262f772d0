// Token strings and ids.
#include <QtTest>

#include "core/data/vocabulary.h"
#include "tests/support/error_text.h"

using namespace attnscope;
using Strings = std::vector<std::string>;

class TestVocabulary : public QObject {
  Q_OBJECT
 private slots:
  void specialTokens();
  void byFrequency();
  void limits();
  void givenOrder();
  void refusals();
  void textIsNeverSpecial();
};

void TestVocabulary::specialTokens() {
  const Vocabulary vocabulary;
  QCOMPARE(vocabulary.tokens(), (Strings{"<pad>", "<s>", "</s>", "<unk>"}));
  QCOMPARE(vocabulary.id("<pad>"), kPad);
  QCOMPARE(vocabulary.id("<s>"), kStart);
  QCOMPARE(vocabulary.id("</s>"), kEnd);
  QCOMPARE(vocabulary.id("absent"), kUnknown);
  QVERIFY(!vocabulary.contains("absent"));
}

void TestVocabulary::byFrequency() {
  const Vocabulary vocabulary =
      Vocabulary::byFrequency({{"b", 2}, {"a", 2}, {"c", 5}, {"</s>", 9}, {"<pad>", 9}}, 0, 1);
  QCOMPARE(vocabulary.tokens(), (Strings{"<pad>", "<s>", "</s>", "<unk>", "c", "a", "b"}));
  QCOMPARE(vocabulary.id("a"), 5);
  QCOMPARE(vocabulary.token(6), std::string("b"));
}

void TestVocabulary::limits() {
  const std::map<std::string, long> counts = {{"a", 3}, {"b", 2}, {"c", 1}};
  QCOMPARE(Vocabulary::byFrequency(counts, 6, 1).size(), 6);
  QCOMPARE(Vocabulary::byFrequency(counts, 5, 1).tokens().back(), std::string("a"));
  QCOMPARE(Vocabulary::byFrequency(counts, 4, 1).size(), 4);
  QCOMPARE(Vocabulary::byFrequency(counts, 1, 1).size(), 4);
  QCOMPARE(Vocabulary::byFrequency(counts, 0, 2).size(), 6);
  QCOMPARE(Vocabulary::byFrequency(counts, 0, 4).size(), 4);
}

void TestVocabulary::givenOrder() {
  QCOMPARE(Vocabulary::ofWords({"z", "a"}).tokens(), (Strings{"<pad>", "<s>", "</s>", "<unk>", "z", "a"}));
}

void TestVocabulary::refusals() {
  const auto make = [](Strings tokens) {
    return errorText(ErrorKind::BadInput, [&] { Vocabulary vocabulary(tokens); });
  };
  QCOMPARE(make({"<pad>", "<s>", "</s>", "<unk>", "a", "a"}),
           QString("vocabulary: the token \"a\" has two ids, 4 and 5"));
  QCOMPARE(make({"<pad>", "<s>", "</s>", "<unk>", "<s>"}),
           QString("vocabulary: the token \"<s>\" has two ids, 1 and 4"));
  QCOMPARE(make({"a", "b"}), QString("vocabulary: does not begin with the tokens <pad>, <s>, </s>, <unk>"));
  QCOMPARE(make({"<s>", "<pad>", "</s>", "<unk>"}),
           QString("vocabulary: does not begin with the tokens <pad>, <s>, </s>, <unk>"));
  QVERIFY_EXCEPTION_THROWN(Vocabulary().token(4), std::logic_error);
  QVERIFY_EXCEPTION_THROWN(Vocabulary().token(-1), std::logic_error);
}

void TestVocabulary::textIsNeverSpecial() {
  const Vocabulary vocabulary = Vocabulary::ofWords({"a"});
  QCOMPARE(vocabulary.wordId("a"), 4);
  for (const char* word : {"<pad>", "<s>", "</s>", "<unk>", "b"}) QCOMPARE(vocabulary.wordId(word), kUnknown);
}

QTEST_GUILESS_MAIN(TestVocabulary)
#include "test_vocabulary.moc"
