#include <QtTest>
#include <cmath>

#include "core/train/bleu.h"

using namespace attnscope;

namespace {

std::vector<std::string> words(const char* text) {
  std::vector<std::string> tokens;
  for (const QString& word : QString::fromUtf8(text).split(QLatin1Char(' '), Qt::SkipEmptyParts)) {
    tokens.push_back(word.toStdString());
  }
  return tokens;
}

}  // namespace

class TestBleu : public QObject {
  Q_OBJECT

 private Q_SLOTS:
  void theSameTextIsAHundred() {
    Bleu bleu;
    bleu.add(words("a b c d e"), words("a b c d e"));
    QCOMPARE(bleu.score(), 100.0);
  }

  void matchesAreClippedAndSummedOverTheCorpus() {
    // First: output a a b c d, reference a b c d e. 1-grams 4 of 5 (one a is clipped), 2-grams 3 of 4, 3-grams 2 of 3,
    // 4-grams 1 of 2. Second: all of 4, 3, 2, 1. Lengths 9 and 9.
    Bleu bleu;
    bleu.add(words("a a b c d"), words("a b c d e"));
    bleu.add(words("w x y z"), words("w x y z"));
    const double expected = 100 * std::pow(8.0 / 9 * 6.0 / 7 * 4.0 / 5 * 2.0 / 3, 0.25);
    QVERIFY(std::abs(bleu.score() - expected) < 1e-9);
  }

  void shortOutputsPayTheBrevityPenalty() {
    Bleu bleu;
    bleu.add(words("a b c d"), words("a b c d e f"));
    QVERIFY(std::abs(bleu.score() - 100 * std::exp(1 - 6.0 / 4)) < 1e-9);
  }

  void longOutputsPayByPrecisionOnly() {
    Bleu bleu;
    bleu.add(words("a b c d e"), words("a b c d"));
    QVERIFY(std::abs(bleu.score() - 100 * std::pow(4.0 / 5 * 3.0 / 4 * 2.0 / 3 * 1.0 / 2, 0.25)) < 1e-9);
  }

  void withoutFourGramsItIsZero() {
    Bleu bleu;
    QCOMPARE(bleu.score(), 0.0);
    bleu.add({}, words("a b"));
    bleu.add(words("a b c"), words("a b c"));
    QCOMPARE(bleu.score(), 0.0);
  }
};

QTEST_GUILESS_MAIN(TestBleu)
#include "test_bleu.moc"
