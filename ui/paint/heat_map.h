// Matrices as colours, with a look of their own for cells without a number, and the colour bar and legend that
// explain them.
#pragma once

#include <functional>
#include <optional>

#include "ui/paint/canvas.h"

namespace attnscope {

enum class CellLook : std::uint8_t { Value, Masked, Missing, NonFinite };

struct HeatCell {
  CellLook look = CellLook::Value;
  QRgb color = 0;  // of a Value
};

using HeatCells = std::function<HeatCell(int row, int column)>;

// Which looks occur, for the legend.
struct LooksSeen {
  bool masked = false, missing = false, nonFinite = false;
};

// Draws rows × columns cells filling `area`. For the screen one image scaled without smoothing, for files
// rectangles; the marks of cells without a number are drawn over them.
LooksSeen drawHeatMap(Canvas& canvas, const QRectF& area, int rows, int columns, const HeatCells& cells);

// The rectangle of one cell of such a map.
QRectF cellRect(const QRectF& area, int rows, int columns, int row, int column);

// How numbers become colours.
struct Scale {
  double low = 0, high = 1;
  bool isSigned = false;    // the diverging map, low = −high
  bool squareRoot = false;  // colour ∝ √ of the share between low and high
  ColorMap map = ColorMap::Viridis;

  double share(double value) const;  // 0–1 along the bar
  QRgb color(double value) const;
  HeatCell cell(float value) const {
    return std::isfinite(value) ? HeatCell{CellLook::Value, color(value)} : HeatCell{CellLook::NonFinite, 0};
  }
};

// A diverging scale that holds every finite value of the matrix; ±1 where it has none.
Scale signedScale(const Matrix& matrix);

// The bar fills `box` from bottom (low) to top (high); tick numbers stand to its right, `title` above it.
void drawColorBar(Canvas& canvas, const QRectF& box, const Scale& scale, const QString& title);
double colorBarTextWidth(const Canvas& canvas, const Scale& scale);

enum class LegendSign { Gold, Masked, Missing, NonFinite };
struct LegendEntry {
  LegendSign sign;
  QString text;
};
std::vector<LegendEntry> lookEntries(const LooksSeen& looks);
double legendWidth(const Canvas& canvas, const std::vector<LegendEntry>& entries);
// Entries below each other, or in one row that wraps; returns the height used.
double drawLegend(Canvas& canvas, const QRectF& box, const std::vector<LegendEntry>& entries, bool inRow);

}  // namespace attnscope
