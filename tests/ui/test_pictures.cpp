// Every picture on every kind of trace: it paints, follows the selection, says what it lacks, and reads out right.
#include <QImage>
#include <QPainter>
#include <QTest>
#include <map>

#include "tests/support/sample_trace.h"
#include "ui/paint/color_map.h"
#include "ui/paint/picture.h"
#include "ui/paint/tokens.h"

using namespace attnscope;

namespace {

constexpr QSize kSize(860, 560);

Picture pictureOf(const Trace* trace) {
  Picture picture;
  picture.trace = trace;
  picture.style.theme = &Theme::light();
  picture.style.font.setPixelSize(13);
  return picture;
}

QImage painted(const PictureInfo& info, const Picture& picture, QSize size = kSize) {
  QImage image(size, QImage::Format_ARGB32_Premultiplied);
  image.fill(Qt::magenta);
  QPainter painter(&image);
  info.paint(painter, QRectF(QPointF(0, 0), QSizeF(size)), picture);
  return image;
}

int differing(const QImage& a, const QImage& b) {
  int count = 0;
  for (int y = 0; y < a.height(); ++y) {
    for (int x = 0; x < a.width(); ++x) count += a.pixel(x, y) != b.pixel(x, y);
  }
  return count;
}

const PictureInfo& info(const char* name) { return *findPicture(name); }

bool isCell(const Picture& picture, double x, double y) {
  const auto hit = info("alignment").hit(QRectF(QPointF(0, 0), QSizeF(kSize)), picture, QPointF(x, y));
  return hit && hit->step >= 0 && hit->column >= 0;
}

// The middle of every cell of the alignment by (step, column): the map's edges are searched by hitting.
std::map<std::pair<int, int>, QPointF> cellPoints(const Picture& picture) {
  double left = kSize.width() / 2.0, top = kSize.height() / 2.0;
  double right = left, bottom = top;
  const double x = left, y = top;
  while (isCell(picture, left - 1, y)) --left;
  while (isCell(picture, right + 1, y)) ++right;
  while (isCell(picture, x, top - 1)) --top;
  while (isCell(picture, x, bottom + 1)) ++bottom;
  const Site& site = picture.current()->sites[0];
  const int rows = picture.state.transpose ? site.columns : site.rows;
  const int columns = picture.state.transpose ? site.rows : site.columns;
  std::map<std::pair<int, int>, QPointF> out;
  for (int r = 0; r < rows; ++r) {
    for (int c = 0; c < columns; ++c) {
      const QPointF at(left + (right + 1 - left) * (c + 0.5) / columns, top + (bottom + 1 - top) * (r + 0.5) / rows);
      const auto hit = info("alignment").hit(QRectF(QPointF(0, 0), QSizeF(kSize)), picture, at);
      if (hit) out[{hit->step, hit->column}] = at;
    }
  }
  return out;
}

// The middle of every row of the inspector's table by position.
std::map<int, QPointF> inspectorRows(const Picture& picture, QSize size) {
  std::map<int, QPointF> out;
  for (int y = 0; y < size.height(); y += 6) {
    const QPointF at(size.width() / 2.0, y);
    const auto hit = info("inspector").hit(QRectF(QPointF(0, 0), QSizeF(size)), picture, at);
    if (hit && hit->column >= 0) out[hit->column] = at;
  }
  return out;
}

QString readoutAt(const PictureInfo& which, const Picture& picture, const QPointF& point) {
  const auto hit = which.hit(QRectF(QPointF(0, 0), QSizeF(kSize)), picture, point);
  return hit ? hit->readout : QString();
}

QStringList lines(const std::string& csv) { return QString::fromStdString(csv).split('\n', Qt::SkipEmptyParts); }

Trace onlyTheHeads() {
  Trace trace = sample::heads();
  trace.examples[0].sites.erase(trace.examples[0].sites.begin());
  return trace;
}

}  // namespace

class TestPictures : public QObject {
  Q_OBJECT

  std::map<QString, Trace> m_traces;

 private Q_SLOTS:
  void initTestCase() {
    m_traces = {{"letters", sample::letters()},
                {"strange", sample::strangeTokens()},
                {"holes", sample::holes()},
                {"single", sample::single()},
                {"recurrent", sample::recurrent()},
                {"heads", sample::heads()},
                {"weights only", sample::weightsOnly()},
                {"64", sample::square(64)},
                {"300", sample::square(300)},
                {"empty", Trace{}}};
    Trace noSteps = sample::weightsOnly();
    Site& site = noSteps.examples[0].sites[0];
    site.rows = 0;
    site.weights.clear();
    site.cells.clear();
    m_traces["no steps"] = noSteps;
    Trace noSites = sample::letters();
    noSites.examples[0].sites.clear();
    m_traces["no sites"] = noSites;
  }

  void paintsEverything_data() {
    QTest::addColumn<QString>("trace");
    QTest::addColumn<QString>("picture");
    for (const auto& entry : m_traces) {
      for (const PictureInfo& row : pictureTable()) {
        QTest::addRow("%s: %s", qPrintable(entry.first), row.name) << entry.first << QString(row.name);
      }
    }
  }
  void paintsEverything() {
    QFETCH(QString, trace);
    QFETCH(QString, picture);
    const PictureInfo& row = info(qPrintable(picture));
    Picture shown = pictureOf(&m_traces[trace]);
    const QSize preferred = row.preferredSize(shown);
    QVERIFY(preferred.width() >= 16 && preferred.width() <= 20000 && preferred.height() >= 16 &&
            preferred.height() <= 20000);
    for (const QSize size : {kSize, QSize(290, 640), QSize(40, 30), QSize(1, 1)}) {
      for (const bool vector : {false, true}) {
        if (vector && trace == "300") continue;
        shown.style.vector = vector;
        shown.style.theme = vector ? &Theme::darkTheme() : &Theme::light();
        shown.state.head = vector ? 3 : 0;
        shown.state.scores = shown.state.transpose = vector;
        shown.state.step = 2;
        shown.state.column = 1;
        shown.state.hoverStep = 500;
        shown.state.hoverColumn = 7;
        painted(row, shown, size);
      }
    }
    shown = pictureOf(&m_traces[trace]);
    const QImage image = painted(row, shown);
    QImage blank = image;
    blank.fill(Theme::light().window);
    QVERIFY(differing(image, blank) > 100);
    for (int x = 3; x < kSize.width(); x += 97) {
      for (int y = 3; y < kSize.height(); y += 61) row.hit(QRectF(QPointF(0, 0), QSizeF(kSize)), shown, QPointF(x, y));
    }
    QVERIFY(!row.csv(shown).empty());
  }

  void withoutATraceEveryPictureSaysSo() {
    for (const PictureInfo& row : pictureTable()) {
      const Picture shown = pictureOf(nullptr);
      QImage blank(kSize, QImage::Format_ARGB32_Premultiplied);
      blank.fill(Theme::light().window);
      QVERIFY(differing(painted(row, shown), blank) > 100);
      QVERIFY(!row.hit(QRectF(0, 0, 860, 560), shown, QPointF(400, 300)));
    }
  }

  void followsTheStep() {
    for (const PictureInfo& row : pictureTable()) {
      Picture shown = pictureOf(&m_traces["letters"]);
      shown.state.step = 2;
      const QImage before = painted(row, shown);
      QCOMPARE(differing(before, painted(row, shown)), 0);
      shown.state.step = 6;
      QVERIFY2(differing(before, painted(row, shown)) > 200, row.name);
    }
  }

  void lackingPartsAreNamedNotDrawn() {
    for (const char* name : {"context", "states"}) {
      const Picture shown = pictureOf(&m_traces["weights only"]);
      for (int x = 5; x < 860; x += 15) QVERIFY(!info(name).hit(QRectF(0, 0, 860, 560), shown, QPointF(x, 200)));
      QCOMPARE(lines(info(name).csv(shown)).size(), 1);
    }
  }

  void cellsHaveTheColourOfTheirWeight() {
    Picture shown = pictureOf(&m_traces["letters"]);
    const Site& site = m_traces["letters"].examples[0].sites[0];
    for (const bool transpose : {false, true}) {
      shown.state.transpose = transpose;
      const QImage image = painted(info("alignment"), shown);
      const auto points = cellPoints(shown);
      QCOMPARE(points.size(), std::size_t{100});
      for (const auto& [cell, point] : points) {
        const float weight = site.weights[site.index(0, cell.first, cell.second)];
        // A little off the middle, where no digit stands.
        QCOMPARE(image.pixel(point.toPoint() + QPoint(0, 11)), mapColor(ColorMap::Viridis, weight));
      }
    }
  }

  void scaleChoicesChangeTheColours() {
    Picture shown = pictureOf(&m_traces["recurrent"]);
    const auto points = cellPoints(shown);
    const Site& site = m_traces["recurrent"].examples[0].sites[0];
    const double weight = site.weights[site.index(0, 8, 3)];
    const QPoint at = points.at({8, 3}).toPoint() + QPoint(0, 12);
    shown.style.squareRoot = true;
    QCOMPARE(painted(info("alignment"), shown).pixel(at), mapColor(ColorMap::Viridis, std::sqrt(weight)));
    shown.style.squareRoot = false;
    shown.style.colorMap = ColorMap::Magma;
    QCOMPARE(painted(info("alignment"), shown).pixel(at), mapColor(ColorMap::Magma, weight));
  }

  void readsOutTokensValueRankGold() {
    const Picture shown = pictureOf(&m_traces["letters"]);
    const auto points = cellPoints(shown);
    const QString readout = readoutAt(info("alignment"), shown, points.at({3, 5}));
    for (const char* part : {"step 4", "position 6", "b", "weight 0.801", "rank 1 of 10", "score 0.000", "gold"}) {
      QVERIFY2(readout.contains(part), qPrintable(readout));
    }
    QVERIFY(readoutAt(info("alignment"), shown, points.at({3, 4})).contains("rank 2 of 10"));
    QVERIFY(!readoutAt(info("alignment"), shown, points.at({3, 4})).contains("gold"));
  }

  void holesHaveTheirOwnLooks() {
    Picture whole = pictureOf(&m_traces["letters"]), holes = pictureOf(&m_traces["holes"]);
    whole.state.showGold = holes.state.showGold = false;
    const QImage before = painted(info("alignment"), whole), after = painted(info("alignment"), holes);
    const auto at = cellPoints(holes);
    QVERIFY(readoutAt(info("alignment"), holes, at.at({0, 7})).contains("masked"));
    QVERIFY(readoutAt(info("alignment"), holes, at.at({6, 8})).contains("no data"));
    QVERIFY(readoutAt(info("alignment"), holes, at.at({7, 1})).contains("NaN"));
    QVERIFY(readoutAt(info("alignment"), holes, at.at({7, 2})).contains("∞"));
    const auto look = [&](int row, int column) {
      const QPoint middle = at.at({row, column}).toPoint();
      return after.copy(QRect(middle - QPoint(12, 12), QSize(24, 24)));
    };
    QVERIFY(look(0, 7) != look(6, 8));
    QVERIFY(look(6, 8) != look(7, 1));
    QVERIFY(look(0, 7) != look(7, 1));
    // One hole blanks nothing else.
    const auto wholeAt = cellPoints(whole);
    const QPoint off(0, 11);
    QCOMPARE(after.pixel(at.at({9, 9}).toPoint() + off), before.pixel(wholeAt.at({9, 9}).toPoint() + off));
    QCOMPARE(after.pixel(at.at({7, 0}).toPoint() + off), before.pixel(wholeAt.at({7, 0}).toPoint() + off));
  }

  void csvHoldsTheNumbersShown() {
    Picture shown = pictureOf(&m_traces["letters"]);
    const Site& site = m_traces["letters"].examples[0].sites[0];
    QStringList rows = lines(info("alignment").csv(shown));
    QCOMPARE(rows.size(), 11);
    QCOMPARE(rows[0], QString("target,k,c,f,a,j,b,d,h,e,</s>"));
    QCOMPARE(rows[4].split(',')[0], QString("b"));
    for (int r = 0; r < 10; ++r) {
      for (int c = 0; c < 10; ++c) QCOMPARE(rows[r + 1].split(',')[c + 1].toFloat(), site.weights[site.index(0, r, c)]);
    }
    shown.state.scores = true;
    rows = lines(info("alignment").csv(shown));
    QCOMPARE(rows[4].split(',')[1].toFloat(), site.scores[site.index(0, 3, 0)]);
    shown = pictureOf(&m_traces["holes"]);
    rows = lines(info("alignment").csv(shown));
    QCOMPARE(rows[1].split(',')[8], QString("0"));
    QCOMPARE(rows[7].split(',')[9], QString());
    QCOMPARE(rows[8].split(',')[2], QString("NaN"));
    QCOMPARE(rows[8].split(',')[3], QString("Infinity"));
  }

  void otherTablesHoldTheirNumbers() {
    const Picture shown = pictureOf(&m_traces["letters"]);
    const TraceExample& example = m_traces["letters"].examples[0];
    const QStringList context = lines(info("context").csv(shown));
    QCOMPARE(context.size(), 1 + 10 + 10);
    QCOMPARE(context[2].split(',')[6].toFloat(), example.context[0].matrix.at(1, 0));
    double moved = 0;
    for (int d = 0; d < 32; ++d) {
      moved += std::pow(double(example.context[0].matrix.at(1, d)) - example.context[0].matrix.at(0, d), 2);
    }
    QVERIFY(std::abs(context[2].split(',')[3].toDouble() - std::sqrt(moved)) < 1e-9);
    const QStringList states = lines(info("states").csv(shown));
    QCOMPARE(states.size(), 1 + 3 * 4 * 160 + 320);
    Picture fourth = shown;
    fourth.state.step = 3;
    const QStringList inspector = lines(info("inspector").csv(fourth));
    QCOMPARE(inspector.size(), 1 + 16 + 10 + 32 + 3);
    QVERIFY(inspector[17 + 5].startsWith("weight,6,b,0,0.80"));
    QVERIFY(inspector.last().startsWith("output,3,</s>,,0.005"));
  }

  void inspectorRowsAreCells() {
    Picture shown = pictureOf(&m_traces["letters"]);
    shown.state.step = 3;
    const QSize column(300, 800);
    const auto rows = inspectorRows(shown, column);
    QCOMPARE(rows.size(), std::size_t{10});
    const auto hit = info("inspector").hit(QRectF(QPointF(0, 0), QSizeF(column)), shown, rows.at(5));
    QCOMPARE(hit->step, 3);
    QVERIFY(hit->readout.contains("weight 0.801"));
    QCOMPARE(inspectorRows(pictureOf(&m_traces["64"]), column).size(), std::size_t{12});
    QVERIFY(inspectorRows(pictureOf(&m_traces["64"]), QSize(300, 420)).size() < 12);
  }

  void statesSelectBothAxes() {
    const Picture shown = pictureOf(&m_traces["letters"]);
    bool step = false, column = false;
    for (int x = 5; x < 860; x += 4) {
      const auto hit = info("states").hit(QRectF(0, 0, 860, 560), shown, QPointF(x, 80));
      step |= hit && hit->step == 9 && hit->column == -1;
      column |= hit && hit->column == 9 && hit->step == -1;
    }
    QVERIFY(step);
    QVERIFY(column);
  }

  void headsDiffer() {
    const Trace trace = onlyTheHeads();
    Picture shown = pictureOf(&trace);
    const QImage first = painted(info("alignment"), shown);
    shown.state.head = 2;
    QVERIFY(differing(first, painted(info("alignment"), shown)) > 1000);
  }

  void aSmallMapFillsALargeWindowAndFollowsTheZoom() {
    Picture shown = pictureOf(&m_traces["letters"]);
    const auto& row = info("alignment");
    // How much of the middle line is cells.
    const auto cells = [&](const QSizeF& size) {
      int count = 0;
      for (double y = 1; y < size.height(); y += 8)
        if (const auto hit = row.hit(QRectF({}, size), shown, {size.width() * 0.4, y}); hit && hit->step >= 0) ++count;
      return count;
    };
    const int small = cells({700, 480}), large = cells({1400, 960});
    QVERIFY2(large > 1.6 * small, qPrintable(QStringLiteral("%1 %2").arg(small).arg(large)));
    shown.style.zoom = 4;
    QVERIFY(cells({2800, 1920}) > 1.6 * large);
  }

  void spacesBetweenWordsStayPlain() {
    QCOMPARE(tokenLabel("a b"), QString("a b"));
    QCOMPARE(tokenLabel(" a b "), QString("␣a b␣"));
    QCOMPARE(tokenLabel("  "), QString("␣␣"));
  }

  void textScalesWithTheFont() {
    for (const PictureInfo& row : pictureTable()) {
      Picture shown = pictureOf(&m_traces["letters"]);
      const QSize small = row.preferredSize(shown);
      shown.style.font.setPixelSize(26);
      const QSize large = row.preferredSize(shown);
      QVERIFY2(large.width() > small.width() * 1.7 && large.width() < small.width() * 2.3, row.name);
    }
  }
};

QTEST_MAIN(TestPictures)
#include "test_pictures.moc"
