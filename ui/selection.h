// What is selected, for every view at once: a pinned decoding step and memory position, and what the mouse is over.
#pragma once

#include <QObject>

namespace attnscope {

class Selection : public QObject {
  Q_OBJECT
 public:
  using QObject::QObject;

  // 0-based; −1 is none.
  int step() const { return m_step; }
  int column() const { return m_column; }
  int hoverStep() const { return m_hoverStep; }
  int hoverColumn() const { return m_hoverColumn; }

  void pin(int step, int column);
  void pinStep(int step) { pin(step, m_column); }
  void hover(int step, int column);
  void release();  // pins nothing, hovers nothing

 Q_SIGNALS:
  void changed();

 private:
  int m_step = 0, m_column = -1;
  int m_hoverStep = -1, m_hoverColumn = -1;
};

}  // namespace attnscope
