// The left panel: data, model, attention, training, and what they amount to. Edits a RunDraft; says when a change
// needs a new model, and why a choice is impossible.
#pragma once

#include <QWidget>

#include "ui/run_draft.h"

class QLabel;
class QPushButton;
class QScrollArea;

namespace attnscope {

class SetupPanel : public QWidget {
  Q_OBJECT
 public:
  SetupPanel(Session& session, RunDraft& draft);

 Q_SIGNALS:
  void openDataRequested();
  void applyRequested();  // the window asks before it discards training

 private:
  void refresh();
  void refreshCost();
  void rememberSpeed();

  Session& m_session;
  RunDraft& m_draft;
  QLabel* m_cost;
  QLabel* m_error;
  QLabel* m_note;
  QPushButton* m_apply;
  QPushButton* m_revert;
};

}  // namespace attnscope
