// Below the pictures: the decoding steps of the example on show, walked by hand or played.
#pragma once

#include <QTimer>
#include <QWidget>

#include "ui/panels/fields.h"
#include "ui/session.h"

class QSlider;
class QToolButton;

namespace attnscope {

class StepAxis : public QWidget {
  Q_OBJECT
 public:
  explicit StepAxis(Session& session);
  void move(int by);
  void setIconColor(const QColor& color);

 private:
  void refresh();
  void setPlaying(bool playing);
  void advance();

  Session& m_session;
  QToolButton *m_previous, *m_play, *m_next;
  QSlider* m_slider;
  ChoiceField* m_speed;
  QLabel* m_text;
  QTimer m_timer;
  QColor m_iconColor;
};

}  // namespace attnscope
