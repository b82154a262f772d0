#include <QCoreApplication>
#include <algorithm>
#include <cmath>

#include "ui/paint/alignment_layout.h"
#include "ui/paint/color_map.h"
#include "ui/paint/pictures.h"
#include "ui/paint/tokens.h"

namespace attnscope {
namespace {

// Below this share of the scale a number in a cell would only be noise.
constexpr double kSmallestShown = 0.05;

bool hasMap(const Picture& picture) {
  const Site* site = shownSite(picture);
  return site && site->rows > 0 && site->columns > 0;
}

QString lackSentence(const Picture& picture) {
  if (!picture.current()) return noTraceSentence();
  if (!shownSite(picture)) {
    return QCoreApplication::translate(
        "paint", "This trace has no attention weights: choose a model with attention, or open a trace with sites.");
  }
  return QCoreApplication::translate("paint",
                                     "This attention site has no steps: trace an input with at least one token.");
}

HeatCell heatCell(const AlignmentLayout& layout, bool scores, int r, int c) {
  const std::size_t i = layout.index(r, c);
  switch (layout.site->cells[i]) {
    case Cell::Masked:
      return {CellLook::Masked, 0};
    case Cell::Missing:
      return {CellLook::Missing, 0};
    case Cell::Real:
      break;
  }
  return layout.scale.cell(layout.values(scores)[i]);
}

void drawValues(Canvas& canvas, const AlignmentLayout& layout, bool scores) {
  const double widest = canvas.width(scores ? QStringLiteral("−0.00") : QStringLiteral("0.00"), Weight::Small);
  if (layout.cell < widest + canvas.em * 0.5 || layout.cell < canvas.lineHeight(Weight::Small)) return;
  for (int r = 0; r < layout.rows; ++r) {
    for (int c = 0; c < layout.columns; ++c) {
      const HeatCell cell = heatCell(layout, scores, r, c);
      const double value = layout.values(scores)[layout.index(r, c)];
      if (cell.look != CellLook::Value) continue;
      if (!scores && value < kSmallestShown * layout.scale.high) continue;
      canvas.text(cellRect(layout.map, layout.rows, layout.columns, r, c), Qt::AlignHCenter, fixedNumber(value, 2),
                  inkOn(cell.color), Weight::Small, false);
    }
  }
}

void drawGold(Canvas& canvas, const AlignmentLayout& layout) {
  const std::vector<GoldCell>* gold = layout.example->findGold(layout.site->name);
  if (!canvas.picture.state.showGold || !gold || layout.cell < kSmallestOutlined) return;
  const double width = std::clamp(layout.cell * 0.05, 1.0, canvas.em * 0.14);
  for (const GoldCell& cell : *gold) {
    const int r = layout.shownRowOf(cell.row, cell.column), c = layout.shownColumnOf(cell.row, cell.column);
    if (r < 0 || c < 0 || r >= layout.rows || c >= layout.columns) continue;
    const QRectF box = cellRect(layout.map, layout.rows, layout.columns, r, c);
    const double inset = layout.cell > canvas.em ? width : 0;
    // Dark below light: the dashes stand out on every colour of every map.
    const QRectF outline = box.adjusted(inset, inset, -inset, -inset);
    canvas.frame(outline, QColor(0, 0, 0, 110), width);
    canvas.frame(outline, Qt::white, width, true);
  }
}

void drawRowLabels(Canvas& canvas, const AlignmentLayout& layout, int selected) {
  const double line = canvas.lineHeight();
  for (const int r :
       thinnedLabels(std::vector<double>(layout.rowTokens.size(), line * 0.95), layout.cell, 0, selected)) {
    const QRectF row = cellRect(layout.map, layout.rows, layout.columns, r, 0);
    const QRectF box(layout.rowLabelBox.left(), row.center().y() - line / 2, layout.rowLabelBox.width(), line);
    const bool muted = isSpecialToken(layout.rowTokens[static_cast<std::size_t>(r)]);
    canvas.text(box, Qt::AlignRight, layout.rowLabels[r], muted ? canvas.theme.mutedText : canvas.theme.text,
                r == selected ? Weight::Bold : Weight::Normal);
  }
}

void drawColumnLabels(Canvas& canvas, const AlignmentLayout& layout, int selected) {
  const std::vector<double> extents = columnLabelExtents(layout, canvas.fonts, layout.verticalLabels);
  const double gap = layout.verticalLabels ? 0 : canvas.em * kLabelGap;
  for (const int c : thinnedLabels(extents, layout.cell, gap, selected)) {
    const double extent = extents[static_cast<std::size_t>(c)];
    const double centre = cellRect(layout.map, layout.rows, layout.columns, 0, c).center().x();
    const QRectF box = layout.columnLabelBox;
    const bool muted = isSpecialToken(layout.columnTokens[static_cast<std::size_t>(c)]);
    const QColor color = muted ? canvas.theme.mutedText : canvas.theme.text;
    const Weight weight = c == selected ? Weight::Bold : Weight::Normal;
    if (layout.verticalLabels) {
      canvas.verticalText(QRectF(centre - canvas.em, box.top(), canvas.em * 2, box.height() - canvas.em * 0.4),
                          Qt::AlignLeft, layout.columnLabels[c], color, weight);
    } else {
      canvas.text(QRectF(centre - extent / 2, box.top(), extent, box.height()), Qt::AlignHCenter,
                  layout.columnLabels[c], color, weight);
    }
  }
}

struct Sums {
  std::vector<double> rows, columns;
};

Sums sumsOf(const AlignmentLayout& layout) {
  Sums sums{std::vector<double>(static_cast<std::size_t>(layout.rows)),
            std::vector<double>(static_cast<std::size_t>(layout.columns))};
  for (int r = 0; r < layout.rows; ++r) {
    for (int c = 0; c < layout.columns; ++c) {
      const std::size_t i = layout.index(r, c);
      if (layout.site->cells[i] != Cell::Real || !std::isfinite(layout.site->weights[i])) continue;
      sums.rows[static_cast<std::size_t>(r)] += layout.site->weights[i];
      sums.columns[static_cast<std::size_t>(c)] += layout.site->weights[i];
    }
  }
  return sums;
}

// Numbers where they fit, thin bars (longest: the largest sum) where they do not.
void drawSums(Canvas& canvas, const AlignmentLayout& layout) {
  const Sums sums = sumsOf(layout);
  const QColor color = canvas.theme.mutedText;
  QColor barColor = color;
  barColor.setAlphaF(0.35f);
  const double line = canvas.lineHeight(Weight::Small);
  const auto largest = [](const std::vector<double>& values) {
    return std::max(1e-9, *std::max_element(values.begin(), values.end()));
  };
  const QRectF rowBox = layout.rowSumBox, columnBox = layout.columnSumBox;
  canvas.text(QRectF(rowBox.left(), rowBox.top() - line * 1.5, rowBox.width(), line), Qt::AlignLeft,
              QStringLiteral("Σ"), color, Weight::Small);
  canvas.text(QRectF(layout.map.left() - canvas.em * 2, columnBox.top(), canvas.em * 1.6, columnBox.height()),
              Qt::AlignRight, QStringLiteral("Σ"), color, Weight::Small);
  for (int r = 0; r < layout.rows; ++r) {
    const QRectF cell = cellRect(layout.map, layout.rows, layout.columns, r, 0);
    const double sum = sums.rows[static_cast<std::size_t>(r)];
    const QRectF box(rowBox.left(), cell.top(), rowBox.width(), cell.height());
    if (cell.height() >= line * 0.95) {
      canvas.text(box, Qt::AlignLeft, fixedNumber(sum, 2), color, Weight::Small, false);
    } else {
      canvas.fill(QRectF(box.left(), box.top(), canvas.em * 1.6 * sum / largest(sums.rows), box.height()), barColor);
    }
  }
  const bool numbers = layout.cell >= canvas.width(QStringLiteral("00.00"), Weight::Small);
  for (int c = 0; c < layout.columns; ++c) {
    const QRectF cell = cellRect(layout.map, layout.rows, layout.columns, 0, c);
    const double sum = sums.columns[static_cast<std::size_t>(c)];
    const QRectF box(cell.left(), columnBox.top(), cell.width(), columnBox.height());
    if (numbers) {
      canvas.text(box, Qt::AlignHCenter, fixedNumber(sum, 2), color, Weight::Small, false);
    } else {
      canvas.fill(QRectF(box.left(), box.top(), box.width(), box.height() * sum / largest(sums.columns)), barColor);
    }
  }
}

// A frame around a whole shown row or column, a little outside its cells.
void drawLane(Canvas& canvas, const AlignmentLayout& layout, int row, int column, double width) {
  QRectF box = layout.map;
  if (row >= 0 && row < layout.rows) {
    const QRectF cell = cellRect(layout.map, layout.rows, layout.columns, row, 0);
    box = QRectF(box.left(), cell.top(), box.width(), cell.height());
  } else if (column >= 0 && column < layout.columns) {
    const QRectF cell = cellRect(layout.map, layout.rows, layout.columns, 0, column);
    box = QRectF(cell.left(), box.top(), cell.width(), box.height());
  } else {
    return;
  }
  canvas.frame(box.adjusted(-width / 2, -width / 2, width / 2, width / 2), canvas.theme.accent, width, false, 2);
}

void drawSelection(Canvas& canvas, const AlignmentLayout& layout) {
  const PictureState& state = canvas.picture.state;
  const double width = std::max(1.5, canvas.em * 0.16);
  const bool stepIsRow = !layout.transpose;
  if (state.column >= 0 && state.column < layout.site->columns) {
    drawLane(canvas, layout, stepIsRow ? -1 : state.column, stepIsRow ? state.column : -1, 1.2);
  }
  if (state.step >= 0 && state.step < layout.site->rows) {
    drawLane(canvas, layout, stepIsRow ? state.step : -1, stepIsRow ? -1 : state.step, width);
  }
  const int r = layout.shownRowOf(state.hoverStep, state.hoverColumn);
  const int c = layout.shownColumnOf(state.hoverStep, state.hoverColumn);
  if (r >= 0 && r < layout.rows && c >= 0 && c < layout.columns) {
    const QRectF box = cellRect(layout.map, layout.rows, layout.columns, r, c);
    canvas.frame(box.adjusted(-0.5, -0.5, 0.5, 0.5), QColor(0, 0, 0, 150), 3);
    canvas.frame(box.adjusted(-0.5, -0.5, 0.5, 0.5), Qt::white, 1.4);
  }
}

void drawSurroundings(Canvas& canvas, const AlignmentLayout& layout) {
  const PictureState& state = canvas.picture.state;
  canvas.text(layout.headingBox, Qt::AlignHCenter, layout.heading, canvas.theme.text, Weight::SmallBold);
  canvas.text(layout.columnTitleBox, Qt::AlignHCenter, layout.columnTitle, canvas.theme.mutedText, Weight::Small);
  canvas.verticalText(layout.rowTitleBox, Qt::AlignHCenter, layout.rowTitle, canvas.theme.mutedText, Weight::Small);
  drawRowLabels(canvas, layout, layout.transpose ? state.column : state.step);
  drawColumnLabels(canvas, layout, layout.transpose ? state.step : state.column);
  drawColorBar(canvas, layout.bar, layout.scale, layout.barTitle);
  drawLegend(canvas, layout.legendBox, layout.legend, layout.legendBelow);
  double y = layout.notesBox.top();
  for (const QString& note : layout.notes) {
    y += canvas.paragraph(QRectF(layout.notesBox.left(), y, layout.notesBox.width(), canvas.em * 3), note,
                          canvas.theme.mutedText, Weight::Small, Qt::AlignHCenter) +
         canvas.em * 0.2;
  }
}

void paint(QPainter& painter, const QRectF& rect, const Picture& asked) {
  const Picture picture = hasMap(asked) ? enlargedAlignment(rect, asked) : asked;
  Canvas canvas(painter, picture);
  const QRectF content = beginPicture(canvas, rect);
  if (!hasMap(picture)) return drawSentence(canvas, content, lackSentence(picture));
  const AlignmentLayout layout = layOutAlignment(content, picture);
  const bool scores = showsScores(picture, *layout.site);
  drawHeatMap(canvas, layout.map, layout.rows, layout.columns,
              [&](int r, int c) { return heatCell(layout, scores, r, c); });
  drawValues(canvas, layout, scores);
  drawGold(canvas, layout);
  drawSums(canvas, layout);
  drawSurroundings(canvas, layout);
  drawSelection(canvas, layout);
}

std::optional<PictureHit> hit(const QRectF& rect, const Picture& asked, const QPointF& point) {
  if (!hasMap(asked)) return std::nullopt;
  const Picture picture = enlargedAlignment(rect, asked);
  const AlignmentLayout layout = layOutAlignment(contentRect(rect, picture), picture);
  const QRectF rowLane(layout.rowLabelBox.left(), layout.map.top(),
                       layout.rowSumBox.right() - layout.rowLabelBox.left(), layout.map.height());
  const QRectF columnLane(layout.map.left(), layout.columnLabelBox.top(), layout.map.width(),
                          layout.columnSumBox.bottom() - layout.columnLabelBox.top());
  const bool inRow = rowLane.contains(point), inColumn = columnLane.contains(point);
  if (!inRow && !inColumn) return std::nullopt;
  int r = -1, c = -1;
  if (inRow) r = std::clamp(static_cast<int>((point.y() - layout.map.top()) / layout.cell), 0, layout.rows - 1);
  if (inColumn) c = std::clamp(static_cast<int>((point.x() - layout.map.left()) / layout.cell), 0, layout.columns - 1);
  PictureHit found;
  found.step = layout.transpose ? c : r;
  found.column = layout.transpose ? r : c;
  found.readout = cellReadout(*layout.example, *layout.site, layout.head, found.step, found.column);
  return found;
}

// A masked cell is 0 in weights and empty in scores; missing data is empty.
std::string cellCsv(const Site& site, std::size_t index, bool scores) {
  switch (site.cells[index]) {
    case Cell::Masked:
      return scores ? "" : "0";
    case Cell::Missing:
      return "";
    case Cell::Real:
      break;
  }
  return csvNumber(scores ? site.scores[index] : site.weights[index]);
}

std::string csv(const Picture& picture) {
  if (!hasMap(picture)) return "target\n";
  const AlignmentLayout layout = layOutAlignment(QRectF(0, 0, 1000, 1000), picture);
  const bool scores = showsScores(picture, *layout.site);
  std::string out = layout.transpose ? "source" : "target";
  for (const std::string& token : layout.columnTokens) out += ',' + csvField(token);
  out += '\n';
  for (int r = 0; r < layout.rows; ++r) {
    out += csvField(layout.rowTokens[static_cast<std::size_t>(r)]);
    for (int c = 0; c < layout.columns; ++c) out += ',' + cellCsv(*layout.site, layout.index(r, c), scores);
    out += '\n';
  }
  return out;
}

}  // namespace

const PictureInfo kAlignmentPicture{
    "alignment",
    QT_TRANSLATE_NOOP("views", "Alignment"),
    QT_TRANSLATE_NOOP("views", "Which input position does each output step look at, and how strongly?"),
    alignmentSize,
    paint,
    hit,
    csv};

}  // namespace attnscope
