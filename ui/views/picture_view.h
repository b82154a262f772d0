// Shows one picture of pictureTable(): paints it once into a pixmap, reads out what the mouse is over, pins what is
// clicked, zooms with the wheel, pans by dragging and fits on a double click.
#pragma once

#include <QPixmap>
#include <QWidget>

#include "ui/app_style.h"
#include "ui/session.h"
#include "ui/view_options.h"

namespace attnscope {

class PictureView : public QWidget {
  Q_OBJECT
 public:
  PictureView(const PictureInfo& info, Session& session, const ViewOptions& options, const AppStyle& style);

  const PictureInfo& info() const { return m_info; }
  Picture picture() const;  // what is on show; the trace lives as long as the session shows it
  // In a scroll area: as high as the picture asks for.
  void setKeepsPreferredHeight(bool keeps);
  double zoom() const { return m_zoom; }

 protected:
  void paintEvent(QPaintEvent*) override;
  void mouseMoveEvent(QMouseEvent* event) override;
  void mousePressEvent(QMouseEvent* event) override;
  void mouseReleaseEvent(QMouseEvent* event) override;
  void mouseDoubleClickEvent(QMouseEvent* event) override;
  void leaveEvent(QEvent*) override;
  void wheelEvent(QWheelEvent* event) override;
  void resizeEvent(QResizeEvent*) override;
  void changeEvent(QEvent* event) override;

 private:
  QRectF target() const;  // where the whole picture lies; larger than the widget when zoomed
  void invalidate();
  void fit();
  void zoomAt(const QPointF& point, double factor);
  void keepInside();

  const PictureInfo& m_info;
  Session& m_session;
  const ViewOptions& m_options;
  const AppStyle& m_style;
  QPixmap m_cache;
  bool m_stale = true;
  bool m_keepsPreferredHeight = false;
  double m_zoom = 1;
  QPointF m_offset;
  QPointF m_pressed, m_offsetPressed;
  bool m_dragging = false;
};

}  // namespace attnscope
