#include "ui/paint/canvas.h"

#include <QCoreApplication>
#include <QFontInfo>
#include <QImage>
#include <QPaintEngine>
#include <QTextLayout>
#include <algorithm>
#include <charconv>
#include <cmath>

namespace attnscope {
namespace {

QFont sized(const QFont& base, double pixels, bool bold) {
  QFont font = base;
  font.setPixelSize(std::max(1, static_cast<int>(std::lround(pixels))));
  font.setHintingPreference(QFont::PreferNoHinting);
  font.setBold(bold);
  return font;
}

double pixelSize(const QFont& font) {
  const double pixels = font.pixelSize() > 0 ? font.pixelSize() : QFontInfo(font).pixelSize();
  return std::max(4.0, pixels);
}

double layOut(QTextLayout& layout, double width) {
  QTextOption option;
  option.setWrapMode(QTextOption::WrapAtWordBoundaryOrAnywhere);
  layout.setTextOption(option);
  double y = 0;
  layout.beginLayout();
  for (QTextLine line = layout.createLine(); line.isValid(); line = layout.createLine()) {
    line.setLineWidth(std::max(1.0, width));
    line.setPosition(QPointF(0, y));
    y += line.height();
  }
  layout.endLayout();
  return y;
}

// Emoji: Qt's PDF engine leaves glyphs out that are bitmaps in colour.
bool hasColorGlyphs(const QString& text) {
  const QList<uint> points = text.toUcs4();
  return std::any_of(points.begin(), points.end(),
                     [](uint point) { return (point >= 0x1f000 && point < 0x20000) || point == 0xfe0f; });
}

QImage textImage(const QSizeF& size, const QPointF& baseline, const QString& text, const QFont& font,
                 const QColor& color) {
  constexpr double kDensity = 4;
  QImage image((size * kDensity).toSize(), QImage::Format_ARGB32_Premultiplied);
  image.setDevicePixelRatio(kDensity);
  image.fill(Qt::transparent);
  QPainter painter(&image);
  painter.setFont(font);
  painter.setPen(color);
  painter.drawText(baseline, text);
  return image;
}

template <class Number>
std::string shortest(Number value) {
  if (std::isnan(value)) return "NaN";
  if (std::isinf(value)) return value > 0 ? "Infinity" : "-Infinity";
  char buffer[64];
  const auto result = std::to_chars(buffer, buffer + sizeof buffer, value == 0 ? Number(0) : value);
  return std::string(buffer, result.ptr);
}

}  // namespace

Fonts::Fonts(const QFont& base)
    : em(pixelSize(base)),
      normal(sized(base, em, false)),
      small(sized(base, em * 0.86, false)),
      bold(sized(base, em, true)),
      smallBold(sized(base, em * 0.86, true)) {}

Canvas::Canvas(QPainter& target, const Picture& shown)
    : painter(target),
      picture(shown),
      theme(shown.style.theme ? *shown.style.theme : Theme::light()),
      fonts(shown.style.font),
      em(fonts.em),
      vector(shown.style.vector) {
  painter.setRenderHint(QPainter::Antialiasing, true);
  painter.setRenderHint(QPainter::TextAntialiasing, true);
}

const QFont& Canvas::font(Weight weight) const {
  switch (weight) {
    case Weight::Normal:
      return fonts.normal;
    case Weight::Small:
      return fonts.small;
    case Weight::Bold:
      return fonts.bold;
    case Weight::SmallBold:
      return fonts.smallBold;
  }
  return fonts.normal;
}

double Canvas::width(const QString& text, Weight weight) const {
  return QFontMetricsF(font(weight)).horizontalAdvance(text);
}

double Canvas::lineHeight(Weight weight) const { return QFontMetricsF(font(weight)).height(); }

void Canvas::text(const QRectF& box, Qt::Alignment alignment, const QString& text, const QColor& color, Weight weight,
                  bool elide) {
  if (text.isEmpty()) return;
  const QFontMetricsF metrics(font(weight));
  // Half a pixel of grace: a box computed from the text's own width must not elide it.
  const QString shown = elide ? metrics.elidedText(text, Qt::ElideRight, box.width() + 0.5) : text;
  const double advance = metrics.horizontalAdvance(shown);
  double x = box.left();
  if (alignment & Qt::AlignRight) x = box.right() - advance;
  if (alignment & Qt::AlignHCenter) x = box.center().x() - advance / 2;
  const QPointF baseline(x, box.center().y() + (metrics.ascent() - metrics.descent()) / 2);
  if (painter.paintEngine()->type() == QPaintEngine::Pdf && hasColorGlyphs(shown)) {
    const QRectF place(x - em, baseline.y() - metrics.ascent() * 1.5, advance + 2 * em, metrics.height() * 2);
    painter.drawImage(place, textImage(place.size(), baseline - place.topLeft(), shown, font(weight), color));
    return;
  }
  painter.setFont(font(weight));
  painter.setPen(color);
  painter.drawText(baseline, shown);
}

void Canvas::verticalText(const QRectF& box, Qt::Alignment alignment, const QString& text, const QColor& color,
                          Weight weight) {
  painter.save();
  painter.translate(box.left(), box.bottom());
  painter.rotate(-90);
  this->text(QRectF(0, 0, box.height(), box.width()), alignment, text, color, weight);
  painter.restore();
}

double Canvas::paragraph(const QRectF& box, const QString& text, const QColor& color, Weight weight,
                         Qt::Alignment alignment) {
  QTextLayout layout(text, font(weight));
  const double height = layOut(layout, box.width());
  painter.setFont(font(weight));
  painter.setPen(color);
  const QFontMetricsF metrics(font(weight));
  for (int i = 0; i < layout.lineCount(); ++i) {
    const QTextLine line = layout.lineAt(i);
    const QString part = text.mid(line.textStart(), line.textLength()).trimmed();
    const double spare = box.width() - metrics.horizontalAdvance(part);
    const double indent = alignment & Qt::AlignHCenter ? spare / 2 : alignment & Qt::AlignRight ? spare : 0;
    painter.drawText(QPointF(box.left() + indent, box.top() + line.y() + line.ascent()), part);
  }
  return height;
}

void Canvas::fill(const QRectF& box, const QColor& color) {
  painter.save();
  painter.setRenderHint(QPainter::Antialiasing, false);
  painter.fillRect(box, color);
  painter.restore();
}

void Canvas::frame(const QRectF& box, const QColor& color, double width, bool dashed, double radius) {
  QPen pen(color, width);
  pen.setJoinStyle(Qt::MiterJoin);
  if (dashed) {
    pen.setCapStyle(Qt::FlatCap);
    pen.setDashPattern({2.5, 1.8});
  }
  painter.setPen(pen);
  painter.setBrush(Qt::NoBrush);
  if (radius > 0)
    painter.drawRoundedRect(box, radius, radius);
  else
    painter.drawRect(box);
}

void Canvas::line(const QPointF& from, const QPointF& to, const QColor& color, double width) {
  painter.setPen(QPen(color, width));
  painter.drawLine(from, to);
}

double fontEm(const Picture& picture) { return pixelSize(picture.style.font); }

double paragraphHeight(const QFont& font, const QString& text, double width) {
  QTextLayout layout(text, font);
  return layOut(layout, width);
}

QRectF contentRect(const QRectF& rect, const Picture& picture) {
  const Fonts fonts(picture.style.font);
  const double margin = fonts.em;
  QRectF inner = rect.adjusted(margin, margin, -margin, -margin);
  if (!picture.style.caption.isEmpty()) {
    inner.setBottom(inner.bottom() - paragraphHeight(fonts.small, picture.style.caption, inner.width()) - fonts.em / 2);
  }
  return inner;
}

QRectF beginPicture(Canvas& canvas, const QRectF& rect) {
  if (canvas.picture.style.background) canvas.fill(rect, canvas.theme.window);
  const QRectF inner = contentRect(rect, canvas.picture);
  if (const QString& caption = canvas.picture.style.caption; !caption.isEmpty()) {
    const QRectF box(inner.left(), inner.bottom() + canvas.em / 2, inner.width(), canvas.em * 2);
    canvas.paragraph(box, caption, canvas.theme.mutedText, Weight::Small, Qt::AlignHCenter);
  }
  return inner;
}

void drawSentence(Canvas& canvas, const QRectF& rect, const QString& sentence) {
  const double width = std::min(rect.width(), canvas.em * 34);
  const double height = paragraphHeight(canvas.fonts.normal, sentence, width);
  const QRectF box(rect.center().x() - width / 2, rect.center().y() - height / 2, width, height);
  canvas.paragraph(box, sentence, canvas.theme.mutedText, Weight::Normal, Qt::AlignHCenter);
}

QString noTraceSentence() {
  return QCoreApplication::translate("paint", "Nothing is traced yet: train a step, type an input, or open a trace.");
}

QString fixedNumber(double value, int decimals) {
  if (std::isnan(value)) return QStringLiteral("NaN");
  if (std::isinf(value)) return value > 0 ? QStringLiteral("∞") : QStringLiteral("−∞");
  QString text = QString::number(std::abs(value), 'f', decimals);
  const bool zero = text.toDouble() == 0;
  return value < 0 && !zero ? QStringLiteral("−") + text : text;
}

QString percent(double share) {
  if (!std::isfinite(share)) return QStringLiteral("–");
  return QCoreApplication::translate("paint", "%1 %").arg(qRound(share * 100));
}

QString scaleNumber(double value) {
  if (!std::isfinite(value)) return fixedNumber(value, 0);
  QString text = QString::number(std::abs(value), 'g', 3);
  return value < 0 ? QStringLiteral("−") + text : text;
}

std::string csvField(std::string_view text) {
  if (text.find_first_of(",\"\r\n") == std::string_view::npos) return std::string(text);
  std::string quoted = "\"";
  for (const char c : text) {
    if (c == '"') quoted += '"';
    quoted += c;
  }
  return quoted + '"';
}

std::string csvNumber(double value) { return shortest(value); }
std::string csvNumber(float value) { return shortest(value); }

}  // namespace attnscope
