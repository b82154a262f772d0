#include "ui/icons.h"

#include <QIconEngine>
#include <QPainter>
#include <QPainterPath>

namespace attnscope {

// On a unit square.
static QPainterPath pathOf(Shape shape) {
  QPainterPath path;
  const auto triangle = [&path](QPointF a, QPointF b, QPointF c) {
    path.addPolygon(QPolygonF({a, b, c}));
    path.closeSubpath();
  };
  switch (shape) {
    case Shape::Play:
      triangle({0.2, 0.1}, {0.9, 0.5}, {0.2, 0.9});
      break;
    case Shape::Pause:
      path.addRect(0.18, 0.12, 0.22, 0.76);
      path.addRect(0.6, 0.12, 0.22, 0.76);
      break;
    case Shape::Next:
      triangle({0.14, 0.12}, {0.68, 0.5}, {0.14, 0.88});
      path.addRect(0.72, 0.12, 0.14, 0.76);
      break;
    case Shape::Previous:
      triangle({0.86, 0.12}, {0.32, 0.5}, {0.86, 0.88});
      path.addRect(0.14, 0.12, 0.14, 0.76);
      break;
    case Shape::Reset: {
      QPainterPath arc;
      arc.arcMoveTo(0.16, 0.16, 0.68, 0.68, 140);
      arc.arcTo(0.16, 0.16, 0.68, 0.68, 140, 290);
      QPainterPathStroker stroker;
      stroker.setWidth(0.12);
      path = stroker.createStroke(arc);
      triangle({0.06, 0.1}, {0.42, 0.34}, {0.08, 0.46});
      break;
    }
    case Shape::Close: {
      QPainterPath cross;
      cross.moveTo(0.2, 0.2);
      cross.lineTo(0.8, 0.8);
      cross.moveTo(0.8, 0.2);
      cross.lineTo(0.2, 0.8);
      QPainterPathStroker stroker;
      stroker.setWidth(0.12);
      path = stroker.createStroke(cross);
      break;
    }
  }
  path.setFillRule(Qt::WindingFill);
  return path;
}

namespace {

class ShapeEngine : public QIconEngine {
 public:
  ShapeEngine(Shape shape, const QColor& color) : m_shape(shape), m_color(color) {}
  void paint(QPainter* painter, const QRect& rect, QIcon::Mode mode, QIcon::State) override {
    QColor color = m_color;
    if (mode == QIcon::Disabled) color.setAlphaF(0.4f);
    const double side = std::min(rect.width(), rect.height()) * 0.9;
    painter->save();
    painter->setRenderHint(QPainter::Antialiasing);
    painter->translate(rect.center() + QPointF(0.5, 0.5) - QPointF(side, side) / 2);
    painter->scale(side, side);
    painter->fillPath(pathOf(m_shape), color);
    painter->restore();
  }
  QPixmap pixmap(const QSize& size, QIcon::Mode mode, QIcon::State state) override {
    QPixmap pixmap(size);
    pixmap.fill(Qt::transparent);
    QPainter painter(&pixmap);
    paint(&painter, QRect(QPoint(), size), mode, state);
    return pixmap;
  }
  QIconEngine* clone() const override { return new ShapeEngine(*this); }

 private:
  Shape m_shape;
  QColor m_color;
};

}  // namespace

QIcon makeIcon(Shape shape, const QColor& color) { return QIcon(new ShapeEngine(shape, color)); }

QIcon programIcon() { return QIcon(QStringLiteral(":/attnscope/attnscope.svg")); }

}  // namespace attnscope
