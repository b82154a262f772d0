#include "ui/selection.h"

namespace attnscope {

void Selection::pin(int step, int column) {
  if (step == m_step && column == m_column) return;
  m_step = step;
  m_column = column;
  Q_EMIT changed();
}

void Selection::hover(int step, int column) {
  if (step == m_hoverStep && column == m_hoverColumn) return;
  m_hoverStep = step;
  m_hoverColumn = column;
  Q_EMIT changed();
}

void Selection::release() {
  m_hoverStep = m_hoverColumn = -1;
  m_step = m_column = -1;
  Q_EMIT changed();
}

}  // namespace attnscope
