#include "ui/paint/alignment_layout.h"

#include <QCoreApplication>
#include <algorithm>
#include <cmath>

#include "core/trace/metrics.h"
#include "ui/paint/pictures.h"
#include "ui/paint/tokens.h"

namespace attnscope {
namespace {

constexpr double kLargestCell = 3.4, kPreferredCell = 3.4;  // in em
constexpr double kMostEnlarged = 2;

Scale fixedScale(const Picture& picture) {
  Scale scale;
  scale.map = picture.style.colorMap;
  scale.squareRoot = picture.style.squareRoot;
  return scale;
}

Scale scaleOf(const Picture& picture, const Site& site, int head) {
  const bool scores = showsScores(picture, site);
  if (!scores && !picture.style.fitScale) return fixedScale(picture);
  const std::vector<float>& values = scores ? site.scores : site.weights;
  double low = INFINITY, high = -INFINITY;
  for (int r = 0; r < site.rows; ++r) {
    for (int c = 0; c < site.columns; ++c) {
      const std::size_t i = site.index(head, r, c);
      if (site.cells[i] != Cell::Real || !std::isfinite(values[i])) continue;
      low = std::min(low, static_cast<double>(values[i]));
      high = std::max(high, static_cast<double>(values[i]));
    }
  }
  Scale scale = fixedScale(picture);
  if (scores) {
    const double largest = low <= high ? std::max({std::abs(low), std::abs(high), 1e-6}) : 1;
    return Scale{-largest, largest, true, false, scale.map};
  }
  if (low < high) scale.low = low, scale.high = high;
  return scale;
}

QString barTitle(const Picture& picture, const Site& site) {
  if (showsScores(picture, site)) return QCoreApplication::translate("paint", "score e/τ");
  if (picture.style.squareRoot) return QCoreApplication::translate("paint", "weight (colour ∝ √)");
  return picture.style.fitScale ? QCoreApplication::translate("paint", "weight (fitted)")
                                : QCoreApplication::translate("paint", "weight");
}

std::vector<LegendEntry> legendOf(const Picture& picture, const TraceExample& example, const Site& site, int head) {
  LooksSeen looks;
  const std::vector<float>& values = showsScores(picture, site) ? site.scores : site.weights;
  for (int r = 0; r < site.rows; ++r) {
    for (int c = 0; c < site.columns; ++c) {
      const std::size_t i = site.index(head, r, c);
      looks.masked |= site.cells[i] == Cell::Masked;
      looks.missing |= site.cells[i] == Cell::Missing;
      looks.nonFinite |= site.cells[i] == Cell::Real && !std::isfinite(values[i]);
    }
  }
  std::vector<LegendEntry> entries;
  const std::vector<GoldCell>* gold = example.findGold(site.name);
  if (picture.state.showGold && gold && !gold->empty()) {
    entries.push_back({LegendSign::Gold, QCoreApplication::translate("paint", "gold")});
  }
  for (const LegendEntry& entry : lookEntries(looks)) entries.push_back(entry);
  return entries;
}

QStringList notesOf(const Picture& picture, const TraceExample& example, const Site& site) {
  QStringList notes;
  const std::vector<GoldCell>* gold = example.findGold(site.name);
  SiteMetrics metrics;
  metrics.add(site, gold);
  if (const auto here = metrics.agreement(0); picture.state.showGold && here) {
    notes << QCoreApplication::translate("paint",
                                         "Largest weight on gold: %1 (one position before %2, one position after %3)")
                 .arg(percent(*here), percent(metrics.agreement(-1).value_or(0)),
                      percent(metrics.agreement(1).value_or(0)));
  }
  if (std::isfinite(metrics.entropy())) {
    notes << QCoreApplication::translate("paint", "Mean entropy %1 (0: one position has it all, 1: spread evenly)")
                 .arg(fixedNumber(metrics.entropy(), 2));
  }
  if (picture.state.scores && site.scores.empty()) {
    notes << QCoreApplication::translate("paint", "This trace has no scores; the weights are shown.");
  }
  return notes;
}

double widest(const QStringList& labels, const QFont& font) {
  const QFontMetricsF metrics(font);
  double width = 0;
  for (const QString& label : labels) width = std::max(width, metrics.horizontalAdvance(label));
  return width;
}

struct Space {
  double left, top, right, bottom;  // around the map
};

AlignmentLayout describe(const Picture& picture) {
  AlignmentLayout out;
  out.example = picture.current();
  out.site = shownSite(picture);
  out.head = shownHead(picture, *out.site);
  out.transpose = picture.state.transpose;
  const Site& site = *out.site;
  const auto steps = axisTokens(*out.example, site.rowAxis, site.rows);
  const auto memory = axisTokens(*out.example, site.columnAxis, site.columns);
  out.rowTokens = steps, out.columnTokens = memory;
  out.rowLabels = axisLabels(*out.example, site.rowAxis, steps);
  out.columnLabels = axisLabels(*out.example, site.columnAxis, memory);
  out.rowTitle = axisTitle(*out.example, site.rowAxis);
  out.columnTitle = axisTitle(*out.example, site.columnAxis);
  out.rows = site.rows, out.columns = site.columns;
  if (out.transpose) {
    std::swap(out.rowTokens, out.columnTokens);
    std::swap(out.rowLabels, out.columnLabels);
    std::swap(out.rowTitle, out.columnTitle);
    std::swap(out.rows, out.columns);
  }
  if (out.example->sites.size() > 1) out.heading = QString::fromStdString(site.name);
  if (site.heads > 1) {
    if (out.heading.isEmpty()) out.heading = QString::fromStdString(site.name);
    out.heading += QCoreApplication::translate("paint", " · head %1 of %2").arg(out.head + 1).arg(site.heads);
  }
  out.scale = scaleOf(picture, site, out.head);
  out.barTitle = barTitle(picture, site);
  out.legend = legendOf(picture, *out.example, site, out.head);
  out.notes = notesOf(picture, *out.example, site);
  return out;
}

double columnLabelHeight(const AlignmentLayout& layout, const Fonts& fonts) {
  const double em = fonts.em;
  return layout.verticalLabels ? std::min(widest(layout.columnLabels, fonts.bold), em * 7) + em * 0.5 : em * 1.8;
}

double rightPanelWidth(const AlignmentLayout& layout, const Fonts& fonts) {
  const QFontMetricsF small(fonts.small);
  const double numbers =
      std::max(small.horizontalAdvance(scaleNumber(layout.scale.low)), small.horizontalAdvance(QStringLiteral("0.75")));
  double width = fonts.em * 1.1 + fonts.em * 0.45 + numbers;
  if (!layout.legend.empty() && !layout.legendBelow) {
    double legend = 0;
    for (const LegendEntry& entry : layout.legend) legend = std::max(legend, small.horizontalAdvance(entry.text));
    width += fonts.em * 3.2 + legend;
  }
  return std::max(width, small.horizontalAdvance(layout.barTitle));
}

double notesHeight(const AlignmentLayout& layout, const Fonts& fonts, double width) {
  double height = 0;
  for (const QString& note : layout.notes) height += paragraphHeight(fonts.small, note, width) + fonts.em * 0.2;
  return height;
}

Space spaceAround(const AlignmentLayout& layout, const Fonts& fonts, double contentWidth) {
  const double em = fonts.em;
  const double labels = std::min(widest(layout.rowLabels, fonts.bold), std::min(em * 9, contentWidth * 0.25));
  Space space{};
  space.left = em * 2.2 + labels + em * 0.8;
  space.top = (layout.heading.isEmpty() ? 0 : em * 1.9) + em * 1.7 + columnLabelHeight(layout, fonts);
  space.right = (layout.sums ? em * 3.1 : 0) + em * 1.9 + rightPanelWidth(layout, fonts);
  const double notes = notesHeight(layout, fonts, contentWidth);
  space.bottom = (layout.sums ? em * 1.9 : 0) + (notes > 0 ? em * 0.7 + notes : 0) +
                 (layout.legendBelow && !layout.legend.empty() ? em * 2.0 : 0);
  return space;
}

double cellFor(const AlignmentLayout& layout, const Space& space, const QRectF& content, double em) {
  const double wide = (content.width() - space.left - space.right) / layout.columns;
  const double high = (content.height() - space.top - space.bottom) / layout.rows;
  const double cell = std::clamp(std::min(wide, high), 0.2, em * kLargestCell);
  return cell >= 4 ? std::floor(cell) : cell;
}

// Turned only where turning shows more of the labels.
bool turnsLabels(const AlignmentLayout& layout, const Fonts& fonts) {
  const std::vector<double> flat = columnLabelExtents(layout, fonts, false),
                            turned = columnLabelExtents(layout, fonts, true);
  const double gap = fonts.em * kLabelGap;
  return thinnedLabels(turned, layout.cell, 0, -1).size() > thinnedLabels(flat, layout.cell, gap, -1).size();
}

void fit(AlignmentLayout& layout, const QRectF& content, const Fonts& fonts) {
  layout.legendBelow = content.width() < fonts.em * 38;
  layout.sums = true;
  layout.verticalLabels = false;
  layout.cell = cellFor(layout, spaceAround(layout, fonts, content.width()), content, fonts.em);
  layout.verticalLabels = turnsLabels(layout, fonts);
  layout.cell = cellFor(layout, spaceAround(layout, fonts, content.width()), content, fonts.em);
  if (layout.cell < kSmallestOutlined && !layout.legend.empty() && layout.legend[0].sign == LegendSign::Gold) {
    layout.legend[0].text = QCoreApplication::translate("paint", "gold: when enlarged");
  }
}

void place(AlignmentLayout& layout, const QRectF& content, const Fonts& fonts) {
  const double em = fonts.em;
  const Space space = spaceAround(layout, fonts, content.width());
  const double width = layout.cell * layout.columns, height = layout.cell * layout.rows;
  const double spareX = content.width() - space.left - space.right - width;
  const double spareY = content.height() - space.top - space.bottom - height;
  const double left = std::round(content.left() + std::max(0.0, spareX / 2) + space.left);
  const double top = std::round(content.top() + std::max(0.0, spareY / 2) + space.top);
  layout.map = QRectF(left, top, width, height);
  const double labelHeight = columnLabelHeight(layout, fonts);
  layout.columnLabelBox = QRectF(left, top - labelHeight, width, labelHeight);
  layout.columnTitleBox = QRectF(left - em * 8, top - labelHeight - em * 1.7, width + em * 16, em * 1.7);
  layout.headingBox = QRectF(layout.columnTitleBox.left(), layout.columnTitleBox.top() - em * 1.9,
                             layout.columnTitleBox.width(), em * 1.6);
  const double titleWidth = em * 1.6;
  layout.rowTitleBox = QRectF(left - space.left, top + height / 2 - em * 10, titleWidth, em * 20);
  layout.rowLabelBox = QRectF(left - space.left + titleWidth, top, space.left - titleWidth - em * 0.8, height);
  layout.rowSumBox = QRectF(layout.map.right() + em * 0.4, top, em * 2.7, height);
  layout.columnSumBox = QRectF(left, layout.map.bottom() + em * 0.3, width, em * 1.5);
  // A bar shorter than a few lines could not carry its numbers.
  const double barHeight = std::max(height, std::min(em * 8, content.height() * 0.5));
  layout.bar = QRectF(layout.map.right() + em * 3.1 + em * 1.9, top, em * 1.1, barHeight);
  const QFontMetricsF small(fonts.small);
  const double notesWidth = content.width(), notes = notesHeight(layout, fonts, notesWidth);
  double y = layout.map.bottom() + em * 1.9 + em * 0.7;
  if (barHeight > height) y = std::max(y, layout.bar.bottom() + em * 0.7);
  layout.notesBox = QRectF(content.left(), y, notesWidth, notes);
  const double ticks =
      std::max(small.horizontalAdvance(scaleNumber(layout.scale.low)), small.horizontalAdvance(QStringLiteral("0.75")));
  layout.legendBox =
      layout.legendBelow
          ? QRectF(layout.map.left(), y + notes + em * 0.2, content.right() - layout.map.left(), em * 1.8)
          : QRectF(layout.bar.right() + em * 0.45 + ticks + em * 1.6, top - em * 0.3, em * 14, height);
}

}  // namespace

bool showsScores(const Picture& picture, const Site& site) { return picture.state.scores && !site.scores.empty(); }

std::vector<double> columnLabelExtents(const AlignmentLayout& layout, const Fonts& fonts, bool turned) {
  const QFontMetricsF metrics(fonts.bold);
  std::vector<double> extents;
  for (const QString& label : layout.columnLabels) {
    const double longest = std::max(fonts.em * 7, layout.cell);
    extents.push_back(turned ? metrics.height() * 0.95 : std::min(metrics.horizontalAdvance(label), longest));
  }
  return extents;
}

AlignmentLayout layOutAlignment(const QRectF& content, const Picture& picture) {
  AlignmentLayout layout = describe(picture);
  const Fonts fonts(picture.style.font);
  fit(layout, content, fonts);
  place(layout, content, fonts);
  return layout;
}

Picture enlargedAlignment(const QRectF& rect, const Picture& picture) {
  const QRectF content = contentRect(rect, picture);
  const Fonts fonts(picture.style.font);
  const double largest = std::floor(fonts.em * kLargestCell);
  const Site& site = *shownSite(picture);
  const bool transposed = picture.state.transpose;
  if (largest * (transposed ? site.rows : site.columns) > content.width()) return picture;
  if (largest * (transposed ? site.columns : site.rows) > content.height()) return picture;
  AlignmentLayout layout = describe(picture);
  fit(layout, content, fonts);
  if (layout.cell < largest) return picture;
  const Space space = spaceAround(layout, fonts, content.width());
  const double margins = fonts.em * 2;
  const double wide = space.left + layout.cell * layout.columns + space.right + margins;
  const double high = space.top + layout.cell * layout.rows + space.bottom + margins;
  const double growth = std::min(
      {(content.width() + margins) / wide, (content.height() + margins) / high, kMostEnlarged * picture.style.zoom});
  Picture larger = picture;
  larger.style.font.setPixelSize(std::max(qRound(fonts.em), static_cast<int>(fonts.em * growth)));
  return larger;
}

QSize alignmentSize(const Picture& picture) {
  const Fonts fonts(picture.style.font);
  const double em = fonts.em;
  const Site* site = shownSite(picture);
  if (!site || site->rows == 0 || site->columns == 0) return QSize(qRound(em * 46), qRound(em * 30));
  AlignmentLayout layout = describe(picture);
  const int larger = std::max(layout.rows, layout.columns);
  // Whole pixels for every cell of a large map, comfortable cells for a small one.
  layout.cell = std::floor(std::clamp(em * 60 / larger, 4.0, em * kPreferredCell));
  layout.sums = true;
  layout.verticalLabels = turnsLabels(layout, fonts);
  const double width = std::max(layout.cell * layout.columns, em * 4);
  const Space space = spaceAround(layout, fonts, em * 46);
  const double inner = std::max(space.left + width + space.right, em * 38);
  const double height = space.top + std::max(layout.cell * layout.rows, em * 8) + space.bottom;
  const double caption =
      picture.style.caption.isEmpty() ? 0 : paragraphHeight(fonts.small, picture.style.caption, inner) + em * 0.5;
  return QSize(static_cast<int>(std::ceil(inner + em * 2)), static_cast<int>(std::ceil(height + caption + em * 2)));
}

}  // namespace attnscope
