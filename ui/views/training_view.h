// The curves of training. The one source that knows QCustomPlot stands beside this header.
#pragma once

#include <QWidget>
#include <functional>
#include <memory>
#include <string>

#include "ui/app_style.h"
#include "ui/session.h"

class QPainter;

namespace attnscope {

class TrainingView : public QWidget {
  Q_OBJECT
 public:
  TrainingView(Session& session, const AppStyle& style);
  ~TrainingView() override;

  void setLogLoss(bool log);
  void resetZoom();
  int curvePoints(const QString& name) const;  // points drawn of one named curve
  // For exports: the curves as they are on show, and their numbers.
  void paint(QPainter& painter, const QRectF& rect, const Theme& theme);
  std::string csv() const;

 protected:
  void changeEvent(QEvent* event) override;

 private:
  struct Plot;
  void append(std::size_t first);
  void dress();
  void readOut(const QPointF& at, const QPointF& global);

  Session& m_session;
  const AppStyle& m_style;
  std::unique_ptr<Plot> m_plot;
};

}  // namespace attnscope
