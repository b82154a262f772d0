// The contract between a picture and whoever shows it: a view in the window, an export, the command line.
// A picture is a pure function of a trace, what is selected and a style; it needs QtGui only.
#pragma once

#include <QColor>
#include <QFont>
#include <QPointF>
#include <QRectF>
#include <QSize>
#include <QString>
#include <optional>
#include <span>
#include <string>

#include "core/trace/trace.h"

class QPainter;

namespace attnscope {

enum class ColorMap { Viridis, Cividis, Magma, Greys };  // for weights; signed values use a diverging map about zero

// The colours of a picture and of the window alike; two instances: light and dark.
struct Theme {
  bool dark = false;
  QColor window, panel, field, border, text, mutedText, accent, accentText, grid;
  QColor loss, accuracy, entropy, agreement, warning, good;  // curves, marks
  static const Theme& light();
  static const Theme& darkTheme();
};

struct PictureStyle {
  const Theme* theme = nullptr;        // never null when painting
  QFont font;                          // everything scales with its size
  ColorMap colorMap = ColorMap::Viridis;
  bool fitScale = false;               // else weights are shown on a fixed 0–1
  bool squareRoot = false;             // colour ∝ √weight; the colour bar says so
  bool vector = false;                 // painting into SVG/PDF: cells as rectangles, text as text
  bool background = true;              // fill with theme->window first
  double zoom = 1;                     // the rectangle painted into is that much larger than the window on it
  QString caption;                     // model, step, seed; drawn below when not empty (exports)
};

// What is shown and selected. Steps, columns and heads are 0-based; −1 is none.
struct PictureState {
  std::string site;                    // empty: the first
  int head = 0;
  bool scores = false;                 // scores instead of weights
  bool transpose = false;
  bool showGold = true;
  int step = -1;                       // the pinned decoding step (a row)
  int column = -1;                     // the pinned memory position
  int hoverStep = -1, hoverColumn = -1;
};

struct Picture {
  const Trace* trace = nullptr;        // null or without examples: the picture says what it lacks
  int example = 0;
  PictureState state;
  PictureStyle style;
  const TraceExample* current() const; // the example or nullptr
};

// What lies under a point of a picture.
struct PictureHit {
  int step = -1;                       // −1: not about one step
  int column = -1;
  QString readout;                     // one or two lines: tokens, value, rank; plain text, never markup
};

// One row of the view table. A new view is one source with these functions and one line in pictureTable().
struct PictureInfo {
  const char* name;                    // "alignment": --view NAME, object names, settings
  const char* title;                   // QT_TRANSLATE_NOOP("views", "Alignment")
  const char* question;                // QT_TRANSLATE_NOOP: the question the view answers, its tool tip
  QSize (*preferredSize)(const Picture&);                              // logical pixels, for exports
  void (*paint)(QPainter&, const QRectF&, const Picture&);
  std::optional<PictureHit> (*hit)(const QRectF&, const Picture&, const QPointF&);  // same rectangle as painted
  std::string (*csv)(const Picture&);                                  // the numbers shown, with a header row
};

std::span<const PictureInfo> pictureTable();           // alignment, context, states, inspector
const PictureInfo* findPicture(std::string_view name); // nullptr where absent

}  // namespace attnscope
