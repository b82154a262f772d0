// Colour maps, token labels and label thinning.
#include <QTest>
#include <cmath>

#include "ui/paint/color_map.h"
#include "ui/paint/tokens.h"

using namespace attnscope;

class TestColorMap : public QObject {
  Q_OBJECT
 private Q_SLOTS:
  void lightnessRisesEvenly_data() {
    QTest::addColumn<int>("map");
    for (const ColorMap map : {ColorMap::Viridis, ColorMap::Cividis, ColorMap::Magma, ColorMap::Greys}) {
      QTest::newRow(colorMapName(map)) << static_cast<int>(map);
    }
  }
  void lightnessRisesEvenly() {
    QFETCH(int, map);
    const auto at = [&](double t) { return lightness(mapColor(static_cast<ColorMap>(map), t)); };
    const double range = at(1) - at(0);
    QVERIFY(range > 70);
    for (int i = 1; i <= 200; ++i) {
      const double rise = at(i / 200.0) - at((i - 1) / 200.0);
      QVERIFY2(rise > -0.35, qPrintable(QString("falls by %1 at %2").arg(rise).arg(i / 200.0)));
    }
    for (int i = 1; i <= 10; ++i) {
      const double rise = at(i / 10.0) - at((i - 1) / 10.0);
      QVERIFY2(rise > range / 10 * 0.5 && rise < range / 10 * 1.6, qPrintable(QString("uneven: %1").arg(rise)));
    }
  }

  void divergingIsCentredOnZero() {
    QCOMPARE(divergingColor(0), qRgb(255, 255, 255));
    for (int i = 1; i <= 100; ++i) {
      for (const double sign : {-1.0, 1.0}) {
        QVERIFY(lightness(divergingColor(sign * i / 100)) < lightness(divergingColor(sign * (i - 1) / 100)) + 1e-9);
      }
    }
    QVERIFY(std::abs(lightness(divergingColor(-1)) - lightness(divergingColor(1))) < 12);
    QVERIFY(qBlue(divergingColor(-0.7)) > qRed(divergingColor(-0.7)));
    QVERIFY(qRed(divergingColor(0.7)) > qBlue(divergingColor(0.7)));
  }

  void outsideIsClamped() {
    QCOMPARE(mapColor(ColorMap::Viridis, -3), mapColor(ColorMap::Viridis, 0));
    QCOMPARE(mapColor(ColorMap::Viridis, 7), mapColor(ColorMap::Viridis, 1));
    QCOMPARE(mapColor(ColorMap::Viridis, NAN), mapColor(ColorMap::Viridis, 0));
    QCOMPARE(mapColor(ColorMap::Viridis, 0), qRgb(0x44, 0x01, 0x54));
    QCOMPARE(mapColor(ColorMap::Viridis, 1), qRgb(0xfd, 0xe7, 0x25));
  }

  void inkReads() {
    for (int i = 0; i <= 50; ++i) {
      const QRgb under = mapColor(ColorMap::Viridis, i / 50.0);
      QVERIFY(std::abs(lightness(inkOn(under).rgb()) - lightness(under)) > 38);
    }
  }

  void tokensAreVisibleText() {
    QCOMPARE(tokenLabel(" "), QString("␣"));
    QCOMPARE(tokenLabel("a b"), QString("a b"));  // a class name, not white space as a token
    QCOMPARE(tokenLabel("\t"), QString("⇥"));
    QCOMPARE(tokenLabel("\n"), QString("⏎"));
    QCOMPARE(tokenLabel("\x01"), QString(QChar(0x2401)));
    QCOMPARE(tokenLabel(""), QString("∅"));
    QCOMPARE(tokenLabel("<pad>"), QString());
    QCOMPARE(tokenLabel("<b>&amp;"), QString("<b>&amp;"));
    QCOMPARE(tokenLabel("猫"), QString("猫"));
    QCOMPARE(tokenLabel("👩‍🔬"), QString("👩‍🔬"));
    QCOMPARE(tokenLabel("\xcc\x81"), QString(QChar(0x25cc)) + QChar(0x0301));
    QCOMPARE(tokenLabel("a\xe2\x80\xae"), QString("a\ufffd"));  // an override would turn the label round
    QCOMPARE(quotedToken("שלום"), QString("“\u2068שלום\u2069”"));
    QVERIFY(isSpecialToken("</s>"));
    QVERIFY(!isSpecialToken("s"));
    QCOMPARE(subscript(10), QString("₁₀"));
  }

  void labelsNeverOverlap() {
    const std::vector<double> mixed{8, 8, 8, 40, 8, 8};
    QCOMPARE(thinnedLabels(mixed, 30, 3, -1).size(), std::size_t{6});
    QVERIFY(thinnedLabels(mixed, 20, 3, -1).size() < 6);
    for (const double pitch : {1.0, 2.5, 7.0, 13.0}) {
      for (const int keep : {-1, 0, 17, 99}) {
        std::vector<double> extents;
        for (int i = 0; i < 100; ++i) extents.push_back(5 + i % 7 * 4);
        std::vector<int> shown = thinnedLabels(extents, pitch, 2, keep);
        std::sort(shown.begin(), shown.end());
        QVERIFY(!shown.empty());
        QVERIFY(keep < 0 || std::binary_search(shown.begin(), shown.end(), keep));
        for (std::size_t k = 1; k < shown.size(); ++k) {
          const double apart = (shown[k] - shown[k - 1]) * pitch;
          QVERIFY(apart >= (extents[shown[k]] + extents[shown[k - 1]]) / 2 + 2 - 1e-6);
        }
      }
    }
  }
};

QTEST_GUILESS_MAIN(TestColorMap)
#include "test_color_map.moc"
