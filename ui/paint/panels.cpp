#include "ui/paint/panels.h"

#include <algorithm>
#include <cmath>

#include "ui/paint/tokens.h"

namespace attnscope {

LooksSeen drawSteps(Canvas& canvas, const QRectF& box, const Matrix& matrix, const Scale& scale) {
  return drawHeatMap(canvas, box, matrix.columns, matrix.rows,
                     [&](int dimension, int step) { return scale.cell(matrix.at(step, dimension)); });
}

void drawStrip(Canvas& canvas, const QRectF& box, const Matrix& matrix, int row, const Scale& scale) {
  if (row < 0 || row >= matrix.rows) return;
  drawHeatMap(canvas, box, 1, matrix.columns, [&](int, int column) { return scale.cell(matrix.at(row, column)); });
}

void drawStepLabels(Canvas& canvas, const QRectF& box, const QStringList& labels, int selected) {
  if (labels.isEmpty()) return;
  const double pitch = box.width() / static_cast<double>(labels.size());
  // Where a few characters fit, long labels are elided: one long token must not thin out all the others.
  const double gap = canvas.em * 0.3,
               longest = pitch >= canvas.em * 1.8 ? std::max(pitch - gap, canvas.em * 2.3) : canvas.em * 6;
  std::vector<double> extents;
  for (const QString& label : labels) extents.push_back(std::min(canvas.width(label, Weight::SmallBold), longest));
  for (const int i : thinnedLabels(extents, pitch, gap, selected)) {
    const double extent = extents[static_cast<std::size_t>(i)], centre = box.left() + pitch * (i + 0.5);
    canvas.text(QRectF(centre - extent / 2, box.top(), extent, box.height()), Qt::AlignHCenter, labels[i],
                isSpecialToken(labels[i].toStdString()) ? canvas.theme.mutedText : canvas.theme.text,
                i == selected ? Weight::SmallBold : Weight::Small);
  }
}

void drawStepFrame(Canvas& canvas, const QRectF& box, int count, int step, bool pinned) {
  if (step < 0 || step >= count) return;
  const double width = pinned ? std::max(1.5, canvas.em * 0.14) : 1;
  const QRectF cell = cellRect(box, 1, count, 0, step);
  canvas.frame(cell.adjusted(-width / 2, -width / 2, width / 2, width / 2),
               pinned ? canvas.theme.accent : canvas.theme.mutedText, width, false, 2);
}

double formulaBoxHeight(const Fonts& fonts, const QString& text, double width) {
  return paragraphHeight(fonts.normal, text, width - fonts.em * 1.2) + fonts.em * 0.8;
}

double drawFormulaBox(Canvas& canvas, const QRectF& place, const QString& text) {
  const double height = formulaBoxHeight(canvas.fonts, text, place.width());
  const QRectF box(place.left() + 0.5, place.top() + 0.5, place.width() - 1, height - 1);
  canvas.painter.setPen(QPen(canvas.theme.border, 1));
  canvas.painter.setBrush(canvas.theme.field);
  canvas.painter.drawRoundedRect(box, canvas.em * 0.35, canvas.em * 0.35);
  const double side = canvas.em * 0.6;
  canvas.paragraph(QRectF(box.left() + side, place.top() + canvas.em * 0.4, place.width() - side * 2, height), text,
                   canvas.theme.text);
  return height;
}

int partAt(const QRectF& box, int count, double x) {
  if (count <= 0 || x < box.left() || x >= box.right()) return -1;
  return std::min(count - 1, static_cast<int>((x - box.left()) / box.width() * count));
}

}  // namespace attnscope
