#include "ui/paint/heat_map.h"

#include <QImage>
#include <algorithm>
#include <cmath>

#include "ui/paint/color_map.h"

namespace attnscope {
namespace {

// Above this many cells a file would grow by megabytes: neighbours of one colour become one rectangle.
constexpr int kMergeAbove = 10000;

struct Grid {
  QRectF area;
  int rows, columns;
  std::vector<HeatCell> cells;
  const HeatCell& at(int row, int column) const { return cells[static_cast<std::size_t>(row) * columns + column]; }
  double x(int column) const { return area.left() + area.width() * column / columns; }
  double y(int row) const { return area.top() + area.height() * row / rows; }
  double pitch() const { return std::min(area.width() / columns, area.height() / rows); }
};

QRgb baseColor(const HeatCell& cell, const Canvas& canvas, bool tiny) {
  switch (cell.look) {
    case CellLook::Value:
      return cell.color;
    case CellLook::Masked:
    case CellLook::Missing:
      return canvas.theme.field.rgb();
    case CellLook::NonFinite:
      return tiny ? canvas.theme.warning.rgb() : canvas.theme.field.rgb();
  }
  return canvas.theme.field.rgb();
}

void drawAsImage(Canvas& canvas, const Grid& grid, bool tiny) {
  QImage image(grid.columns, grid.rows, QImage::Format_RGB32);
  for (int r = 0; r < grid.rows; ++r) {
    QRgb* line = reinterpret_cast<QRgb*>(image.scanLine(r));
    for (int c = 0; c < grid.columns; ++c) line[c] = baseColor(grid.at(r, c), canvas, tiny) | 0xff000000;
  }
  canvas.painter.save();
  canvas.painter.setRenderHint(QPainter::SmoothPixmapTransform, false);
  canvas.painter.setRenderHint(QPainter::Antialiasing, false);
  canvas.painter.drawImage(grid.area, image);
  canvas.painter.restore();
}

// A rectangle reaches a little under its right and lower neighbours, which are painted later: otherwise viewers that
// smooth edges show hairlines between cells.
void drawAsRectangles(Canvas& canvas, const Grid& grid, bool tiny) {
  const bool merge = grid.rows * grid.columns > kMergeAbove;
  const double under = std::min(0.5, grid.pitch() / 4);
  canvas.painter.save();
  canvas.painter.setPen(Qt::NoPen);
  for (int r = 0; r < grid.rows; ++r) {
    for (int c = 0; c < grid.columns;) {
      const QRgb color = baseColor(grid.at(r, c), canvas, tiny);
      int end = c + 1;
      while (merge && end < grid.columns && baseColor(grid.at(r, end), canvas, tiny) == color) ++end;
      const double right = end < grid.columns ? under : 0, down = r + 1 < grid.rows ? under : 0;
      canvas.painter.fillRect(QRectF(QPointF(grid.x(c), grid.y(r)), QPointF(grid.x(end) + right, grid.y(r + 1) + down)),
                              QColor::fromRgb(color));
      c = end;
    }
  }
  canvas.painter.restore();
}

// The pieces of one falling diagonal that lie in masked cells, as lines.
void hatchDiagonal(const Grid& grid, double offset, QList<QLineF>& lines) {
  const double cellWidth = grid.area.width() / grid.columns, cellHeight = grid.area.height() / grid.rows;
  double t = std::max(0.0, -offset);  // the point (offset + t, t) inside the area
  const double end = std::min(grid.area.height(), grid.area.width() - offset);
  double start = -1;
  while (t < end - 1e-9) {
    const int row = std::min(static_cast<int>((t + 1e-6) / cellHeight), grid.rows - 1);
    const int column = std::min(static_cast<int>((offset + t + 1e-6) / cellWidth), grid.columns - 1);
    const double next = std::min({(row + 1) * cellHeight, (column + 1) * cellWidth - offset, end});
    const bool masked = grid.at(row, column).look == CellLook::Masked;
    const auto flush = [&] {
      if (start >= 0)
        lines.append(QLineF(grid.area.left() + offset + start, grid.area.top() + start, grid.area.left() + offset + t,
                            grid.area.top() + t));
      start = -1;
    };
    if (masked && start < 0) start = t;
    if (!masked) flush();
    t = std::max(next, t + 1e-6);
    if (t >= end - 1e-9) flush();
  }
}

void drawHatching(Canvas& canvas, const Grid& grid) {
  const double spacing = canvas.em * 0.5;
  QList<QLineF> lines;
  for (double offset = -grid.area.height() + spacing / 2; offset < grid.area.width(); offset += spacing) {
    hatchDiagonal(grid, offset, lines);
  }
  QColor color = canvas.theme.mutedText;
  color.setAlphaF(0.55f);
  canvas.painter.setPen(QPen(color, 1));
  canvas.painter.drawLines(lines);
}

void drawDot(Canvas& canvas, const QPointF& centre, double pitch) {
  canvas.painter.setPen(Qt::NoPen);
  canvas.painter.setBrush(canvas.theme.mutedText);
  const double radius = std::clamp(pitch * 0.08, 0.7, 2.5);
  canvas.painter.drawEllipse(centre, radius, radius);
}

void drawCross(Canvas& canvas, const QPointF& centre, double pitch) {
  const double arm = std::min(pitch * 0.25, canvas.em * 0.4);
  canvas.painter.setPen(QPen(canvas.theme.warning, std::clamp(pitch * 0.06, 1.0, 2.0)));
  canvas.painter.drawLine(centre + QPointF(-arm, -arm), centre + QPointF(arm, arm));
  canvas.painter.drawLine(centre + QPointF(-arm, arm), centre + QPointF(arm, -arm));
}

void drawMarks(Canvas& canvas, const Grid& grid) {
  for (int r = 0; r < grid.rows; ++r) {
    for (int c = 0; c < grid.columns; ++c) {
      const CellLook look = grid.at(r, c).look;
      if (look != CellLook::Missing && look != CellLook::NonFinite) continue;
      const QPointF centre((grid.x(c) + grid.x(c + 1)) / 2, (grid.y(r) + grid.y(r + 1)) / 2);
      if (look == CellLook::Missing)
        drawDot(canvas, centre, grid.pitch());
      else
        drawCross(canvas, centre, grid.pitch());
    }
  }
}

}  // namespace

LooksSeen drawHeatMap(Canvas& canvas, const QRectF& area, int rows, int columns, const HeatCells& cells) {
  if (rows <= 0 || columns <= 0) return {};
  Grid grid{area, rows, columns, {}};
  grid.cells.reserve(static_cast<std::size_t>(rows) * columns);
  LooksSeen seen;
  for (int r = 0; r < rows; ++r) {
    for (int c = 0; c < columns; ++c) {
      grid.cells.push_back(cells(r, c));
      seen.masked |= grid.cells.back().look == CellLook::Masked;
      seen.missing |= grid.cells.back().look == CellLook::Missing;
      seen.nonFinite |= grid.cells.back().look == CellLook::NonFinite;
    }
  }
  const bool tiny = grid.pitch() < 5;
  if (canvas.vector)
    drawAsRectangles(canvas, grid, tiny);
  else
    drawAsImage(canvas, grid, tiny);
  if (seen.masked) drawHatching(canvas, grid);
  if (!tiny && (seen.missing || seen.nonFinite)) drawMarks(canvas, grid);
  return seen;
}

QRectF cellRect(const QRectF& area, int rows, int columns, int row, int column) {
  const double width = area.width() / columns, height = area.height() / rows;
  return QRectF(area.left() + width * column, area.top() + height * row, width, height);
}

double Scale::share(double value) const {
  if (high <= low) return 0.5;
  const double linear = std::clamp((value - low) / (high - low), 0.0, 1.0);
  return squareRoot ? std::sqrt(linear) : linear;
}

QRgb Scale::color(double value) const {
  return isSigned ? divergingColor(2 * share(value) - 1) : mapColor(map, share(value));
}

Scale signedScale(const Matrix& matrix) {
  double largest = 0;
  for (const float value : matrix.values) {
    if (std::isfinite(value)) largest = std::max(largest, std::abs(static_cast<double>(value)));
  }
  if (largest == 0) largest = 1;
  return Scale{-largest, largest, true, false, ColorMap::Viridis};
}

}  // namespace attnscope
