// Where the parts of the alignment picture stand; the same for painting and for finding what is under a point.
#pragma once

#include <QStringList>

#include "ui/paint/heat_map.h"

namespace attnscope {

// "Shown" rows and columns are those on the page: with transpose the site's columns are the shown rows.
struct AlignmentLayout {
  const TraceExample* example = nullptr;
  const Site* site = nullptr;
  int head = 0;
  bool transpose = false;
  int rows = 0, columns = 0;  // shown
  std::vector<std::string> rowTokens, columnTokens;
  QStringList rowLabels, columnLabels;
  QString rowTitle, columnTitle, heading, barTitle;
  QStringList notes;  // sentences below the map
  Scale scale;
  std::vector<LegendEntry> legend;
  bool legendBelow = false;

  double cell = 0;              // side of a cell
  bool verticalLabels = false;  // column labels turned
  bool sums = false;            // room for row and column sums
  QRectF map, headingBox, columnTitleBox, columnLabelBox, rowTitleBox, rowLabelBox, rowSumBox, columnSumBox, bar,
      legendBox, notesBox;

  std::size_t index(int shownRow, int shownColumn) const {
    return transpose ? site->index(head, shownColumn, shownRow) : site->index(head, shownRow, shownColumn);
  }
  int shownRowOf(int step, int column) const { return transpose ? column : step; }
  int shownColumnOf(int step, int column) const { return transpose ? step : column; }
  const std::vector<float>& values(bool scores) const { return scores ? site->scores : site->weights; }
};

// `picture` has a site with at least one cell.
AlignmentLayout layOutAlignment(const QRectF& content, const Picture& picture);

// The same with larger text, and so larger cells, where a map of few cells would leave most of `rect` empty.
Picture enlargedAlignment(const QRectF& rect, const Picture& picture);
QSize alignmentSize(const Picture& picture);

// Lengths of the column labels along the columns; kLabelGap (in em) stays free between two that are not turned.
std::vector<double> columnLabelExtents(const AlignmentLayout& layout, const Fonts& fonts, bool turned);
inline constexpr double kLabelGap = 0.3;
inline constexpr double kSmallestOutlined = 4;  // gold outlines would hide smaller cells

bool showsScores(const Picture& picture, const Site& site);  // asked for and known

}  // namespace attnscope
