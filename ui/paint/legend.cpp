#include <QCoreApplication>
#include <QLinearGradient>
#include <algorithm>

#include "ui/paint/heat_map.h"

namespace attnscope {
namespace {

std::vector<double> tickValues(const Scale& scale) {
  if (scale.isSigned) return {scale.low, scale.low / 2, 0, scale.high / 2, scale.high};
  std::vector<double> ticks;
  for (int i = 0; i <= 4; ++i) ticks.push_back(scale.low + (scale.high - scale.low) * i / 4);
  return ticks;
}

void drawSign(Canvas& canvas, const QRectF& box, LegendSign sign) {
  const auto cells = [&](CellLook look) {
    drawHeatMap(canvas, box, 1, 1, [look](int, int) { return HeatCell{look, 0}; });
    canvas.frame(box, canvas.theme.border, 1);
  };
  switch (sign) {
    case LegendSign::Gold:
      canvas.frame(box, canvas.theme.mutedText, std::max(1.0, canvas.em * 0.12), true);
      break;
    case LegendSign::Masked:
      cells(CellLook::Masked);
      break;
    case LegendSign::Missing:
      cells(CellLook::Missing);
      break;
    case LegendSign::NonFinite:
      cells(CellLook::NonFinite);
      break;
  }
}

double entryWidth(const Canvas& canvas, const LegendEntry& entry) {
  return canvas.em * 1.6 + canvas.width(entry.text, Weight::Small);
}

}  // namespace

void drawColorBar(Canvas& canvas, const QRectF& box, const Scale& scale, const QString& title) {
  const double line = canvas.lineHeight(Weight::Small);
  canvas.text(QRectF(box.left(), box.top() - line * 1.5, canvas.width(title, Weight::Small), line), Qt::AlignLeft,
              title, canvas.theme.mutedText, Weight::Small);
  QLinearGradient gradient(box.bottomLeft(), box.topLeft());
  for (int i = 0; i <= 64; ++i) {
    Scale straight = scale;
    straight.squareRoot = false;
    gradient.setColorAt(i / 64.0, QColor::fromRgb(straight.color(scale.low + (scale.high - scale.low) * i / 64.0)));
  }
  canvas.painter.fillRect(box, gradient);
  double lastY = 1e9;
  for (const double value : tickValues(scale)) {
    const double y = box.bottom() - box.height() * scale.share(value);
    if (lastY - y < line) continue;  // with a square root or a low bar the lowest ticks crowd
    lastY = y;
    canvas.text(QRectF(box.right() + canvas.em * 0.45, y - line / 2, canvas.em * 6, line), Qt::AlignLeft,
                scaleNumber(value), canvas.theme.mutedText, Weight::Small);
  }
}

double colorBarTextWidth(const Canvas& canvas, const Scale& scale) {
  double width = 0;
  for (const double value : tickValues(scale)) width = std::max(width, canvas.width(scaleNumber(value), Weight::Small));
  return width + canvas.em * 0.45;
}

std::vector<LegendEntry> lookEntries(const LooksSeen& looks) {
  std::vector<LegendEntry> entries;
  if (looks.masked) entries.push_back({LegendSign::Masked, QCoreApplication::translate("paint", "masked")});
  if (looks.missing) entries.push_back({LegendSign::Missing, QCoreApplication::translate("paint", "no data")});
  if (looks.nonFinite) entries.push_back({LegendSign::NonFinite, QCoreApplication::translate("paint", "not finite")});
  return entries;
}

double legendWidth(const Canvas& canvas, const std::vector<LegendEntry>& entries) {
  double width = 0;
  for (const LegendEntry& entry : entries) width = std::max(width, entryWidth(canvas, entry));
  return width;
}

double drawLegend(Canvas& canvas, const QRectF& box, const std::vector<LegendEntry>& entries, bool inRow) {
  const double line = canvas.em * 1.6, side = canvas.em;
  double x = box.left(), y = box.top();
  for (const LegendEntry& entry : entries) {
    const double width = entryWidth(canvas, entry);
    if (inRow && x > box.left() && x + width > box.right()) {
      x = box.left();
      y += line;
    }
    drawSign(canvas, QRectF(x, y + (line - side) / 2, side, side), entry.sign);
    canvas.text(QRectF(x + side * 1.5, y, width - side * 1.4, line), Qt::AlignLeft, entry.text, canvas.theme.mutedText,
                Weight::Small);
    if (inRow)
      x += width + canvas.em * 1.4;
    else
      y += line;
  }
  return entries.empty() ? 0 : y - box.top() + (inRow ? line : 0);
}

}  // namespace attnscope
