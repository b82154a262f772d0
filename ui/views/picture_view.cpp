#include "ui/views/picture_view.h"

#include <QCoreApplication>
#include <QMouseEvent>
#include <QPainter>
#include <QToolTip>
#include <cmath>

namespace attnscope {

static constexpr double kMostZoom = 16;

PictureView::PictureView(const PictureInfo& info, Session& session, const ViewOptions& options, const AppStyle& style)
    : m_info(info), m_session(session), m_options(options), m_style(style) {
  setObjectName(QLatin1String(info.name) + QLatin1String("View"));
  setAccessibleName(QCoreApplication::translate("views", info.title));
  setAccessibleDescription(QCoreApplication::translate("views", info.question));
  setMouseTracking(true);
  setFocusPolicy(Qt::StrongFocus);
  setMinimumSize(120, 80);
  setContextMenuPolicy(Qt::ActionsContextMenu);
  connect(&session, &Session::traceChanged, this, &PictureView::invalidate);
  connect(&session.selection(), &Selection::changed, this, &PictureView::invalidate);
  connect(&options, &ViewOptions::changed, this, &PictureView::invalidate);
  connect(&style, &AppStyle::changed, this, &PictureView::invalidate);
}

Picture PictureView::picture() const {
  Picture picture;
  picture.trace = m_session.trace().get();
  picture.example = m_session.traceFile().isEmpty() ? 0 : m_session.exampleIndex();
  m_options.applyTo(picture);
  const Selection& selection = m_session.selection();
  const int count = m_session.stepCount();
  picture.state.step = std::min(selection.step(), count - 1);
  picture.state.column = selection.column();
  picture.state.hoverStep = selection.hoverStep() < count ? selection.hoverStep() : -1;
  picture.state.hoverColumn = selection.hoverColumn();
  picture.style.theme = &m_style.theme();
  picture.style.font = font();
  picture.style.zoom = m_zoom;
  return picture;
}

void PictureView::setKeepsPreferredHeight(bool keeps) {
  m_keepsPreferredHeight = keeps;
  invalidate();
}

QRectF PictureView::target() const { return {m_offset, QSizeF(size()) * m_zoom}; }

void PictureView::invalidate() {
  m_stale = true;
  if (m_keepsPreferredHeight) setMinimumHeight(m_info.preferredSize(picture()).height());
  update();
}

void PictureView::paintEvent(QPaintEvent*) {
  const double ratio = devicePixelRatioF();
  const QSize pixels = (QSizeF(size()) * ratio).toSize();
  if (m_stale || m_cache.size() != pixels) {
    m_cache = QPixmap(pixels);
    m_cache.setDevicePixelRatio(ratio);
    m_cache.fill(m_style.theme().window);
    QPainter painter(&m_cache);
    painter.setRenderHint(QPainter::Antialiasing);
    m_info.paint(painter, target(), picture());
    m_stale = false;
  }
  QPainter painter(this);
  painter.drawPixmap(0, 0, m_cache);
}

void PictureView::mouseMoveEvent(QMouseEvent* event) {
  const QPointF at = event->position();
  if (event->buttons() & Qt::LeftButton) {
    if (!m_dragging && (at - m_pressed).manhattanLength() < 4) return;
    m_dragging = true;
    if (m_zoom > 1) {
      setCursor(Qt::ClosedHandCursor);
      m_offset = m_offsetPressed + at - m_pressed;
      keepInside();
      invalidate();
    }
    return;
  }
  const std::optional<PictureHit> hit = m_info.hit(target(), picture(), at);
  m_session.selection().hover(hit ? hit->step : -1, hit ? hit->column : -1);
  if (hit && !hit->readout.isEmpty()) {
    // Escaped, because a tool tip would take tokens such as <s> for markup.
    const QString readout = hit->readout.toHtmlEscaped().replace(QLatin1Char('\n'), QLatin1String("<br>"));
    QToolTip::showText(event->globalPosition().toPoint(),
                       QStringLiteral("<p style='white-space:pre'>%1</p>").arg(readout), this);
  } else {
    QToolTip::hideText();
  }
}

void PictureView::mousePressEvent(QMouseEvent* event) {
  if (event->button() != Qt::LeftButton) return;
  m_pressed = event->position();
  m_offsetPressed = m_offset;
  m_dragging = false;
}

void PictureView::mouseReleaseEvent(QMouseEvent* event) {
  unsetCursor();
  if (event->button() != Qt::LeftButton || std::exchange(m_dragging, false)) return;
  const std::optional<PictureHit> hit = m_info.hit(target(), picture(), event->position());
  if (!hit || (hit->step < 0 && hit->column < 0)) return;
  Selection& selection = m_session.selection();
  selection.pin(hit->step >= 0 ? hit->step : selection.step(), hit->column);
}

void PictureView::mouseDoubleClickEvent(QMouseEvent* event) {
  if (event->button() == Qt::LeftButton) fit();
}

void PictureView::leaveEvent(QEvent*) { m_session.selection().hover(-1, -1); }

void PictureView::wheelEvent(QWheelEvent* event) {
  if (m_keepsPreferredHeight || event->angleDelta().y() == 0) {
    event->ignore();
    return;
  }
  zoomAt(event->position(), std::pow(1.2, event->angleDelta().y() / 120.0));
}

void PictureView::zoomAt(const QPointF& point, double factor) {
  const double zoom = std::clamp(m_zoom * factor, 1.0, kMostZoom);
  m_offset = point - (point - m_offset) * (zoom / m_zoom);
  m_zoom = zoom;
  keepInside();
  invalidate();
}

void PictureView::fit() {
  m_zoom = 1;
  m_offset = {};
  invalidate();
}

void PictureView::keepInside() {
  m_offset.setX(std::clamp(m_offset.x(), width() * (1 - m_zoom), 0.0));
  m_offset.setY(std::clamp(m_offset.y(), height() * (1 - m_zoom), 0.0));
}

void PictureView::resizeEvent(QResizeEvent*) {
  keepInside();
  invalidate();
}

void PictureView::changeEvent(QEvent* event) {
  if (event->type() == QEvent::FontChange) invalidate();
  QWidget::changeEvent(event);
}

}  // namespace attnscope
