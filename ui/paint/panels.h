// Small parts that several pictures are made of.
#pragma once

#include <QStringList>

#include "ui/paint/heat_map.h"

namespace attnscope {

// A matrix of steps × dimensions with the steps from left to right and the dimensions from top to bottom.
LooksSeen drawSteps(Canvas& canvas, const QRectF& box, const Matrix& matrix, const Scale& scale);
// One row of a matrix as a strip from left to right.
void drawStrip(Canvas& canvas, const QRectF& box, const Matrix& matrix, int row, const Scale& scale);
// Labels spread evenly over the width of `box`, thinned, the selected one bold; special tokens muted.
void drawStepLabels(Canvas& canvas, const QRectF& box, const QStringList& labels, int selected);
// A frame around one of `count` columns of a box.
void drawStepFrame(Canvas& canvas, const QRectF& box, int count, int step, bool pinned);

// A formula or other line in a rounded box; returns its height.
double drawFormulaBox(Canvas& canvas, const QRectF& place, const QString& text);
double formulaBoxHeight(const Fonts& fonts, const QString& text, double width);

// The index among `count` equal parts of the width of `box` at x; −1 outside.
int partAt(const QRectF& box, int count, double x);

}  // namespace attnscope
