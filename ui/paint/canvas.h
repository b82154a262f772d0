// A painter with the fonts and colours of one picture, and the few drawing helpers all pictures share.
// All lengths are logical pixels; `em` is the pixel size of the picture's font and scales everything.
#pragma once

#include <QFontMetricsF>
#include <QPainter>

#include "ui/paint/picture.h"

namespace attnscope {

// The fonts of a picture: sizes in pixels and no hinting, so that text is as wide on a screen as in a file.
struct Fonts {
  explicit Fonts(const QFont& base);
  double em;
  QFont normal, small, bold, smallBold;
};

enum class Weight { Normal, Small, Bold, SmallBold };

class Canvas {
 public:
  Canvas(QPainter& painter, const Picture& picture);
  Canvas(const Canvas&) = delete;
  Canvas& operator=(const Canvas&) = delete;

  QPainter& painter;
  const Picture& picture;
  const Theme& theme;
  const Fonts fonts;
  const double em;
  const bool vector;

  const QFont& font(Weight weight) const;
  double width(const QString& text, Weight weight = Weight::Normal) const;
  double lineHeight(Weight weight = Weight::Normal) const;

  // One line inside `box` (alignment: left, right or centre; always centred vertically), elided where too wide
  // unless `elide` is false.
  void text(const QRectF& box, Qt::Alignment alignment, const QString& text, const QColor& color,
            Weight weight = Weight::Normal, bool elide = true);
  // One line turned a quarter to the left, its centre line through the middle of `box`; `alignment` along the
  // reading direction (left is the bottom of the box).
  void verticalText(const QRectF& box, Qt::Alignment alignment, const QString& text, const QColor& color,
                    Weight weight = Weight::Normal);
  // Wrapped text from the top of `box`; returns the height used.
  double paragraph(const QRectF& box, const QString& text, const QColor& color, Weight weight = Weight::Normal,
                   Qt::Alignment alignment = Qt::AlignLeft);
  // Edges on whole pixels.
  void fill(const QRectF& box, const QColor& color);
  void frame(const QRectF& box, const QColor& color, double width, bool dashed = false, double radius = 0);
  void line(const QPointF& from, const QPointF& to, const QColor& color, double width = 1);
};

double fontEm(const Picture& picture);  // the pixel size of the picture's font

// The height `paragraph` needs.
double paragraphHeight(const QFont& font, const QString& text, double width);

// Fills the background, draws the caption at the bottom, and returns what is left inside the margins.
QRectF beginPicture(Canvas& canvas, const QRectF& rect);
// The same rectangle for hit(), which has no painter.
QRectF contentRect(const QRectF& rect, const Picture& picture);
// One plain sentence in the middle: what the trace lacks.
void drawSentence(Canvas& canvas, const QRectF& rect, const QString& sentence);
// The sentence for a picture without a trace.
QString noTraceSentence();

QString fixedNumber(double value, int decimals);  // "0.83", "−1.20", "NaN", "−∞"; −0 is "0.00"
QString percent(double share);                    // 0.98 → "98 %"
QString scaleNumber(double value);                // ticks: the fewest digits, at most three significant

// CSV: a field, quoted where needed; a number with the fewest digits that read back.
std::string csvField(std::string_view text);
std::string csvNumber(double value);  // "NaN", "Infinity", "-Infinity" where not finite
std::string csvNumber(float value);

}  // namespace attnscope
