// The top row: train, step, reset; how far training is; export.
#pragma once

#include <QWidget>

#include "ui/actions.h"
#include "ui/session.h"

class QLabel;

namespace attnscope {

class ToolBar : public QWidget {
  Q_OBJECT
 public:
  ToolBar(Session& session, Actions& actions, const AppStyle& style);

 private:
  void refresh();
  QString progress() const;

  Session& m_session;
  Actions& m_actions;
  const AppStyle& m_style;
  QLabel* m_progress;
  bool m_showsPause = true;
};

}  // namespace attnscope
