// One message at a time above the pictures: plain text, closable, the newest replaces the last.
#pragma once

#include <QFrame>

class QLabel;
class QToolButton;

namespace attnscope {

class MessageBar : public QFrame {
  Q_OBJECT
 public:
  MessageBar();
  void showError(const QString& message) { show(message, true); }
  void showNotice(const QString& message) { show(message, false); }
  void setIconColor(const QColor& color);

 private:
  void show(const QString& message, bool error);

  QLabel* m_label;
  QToolButton* m_close;
};

}  // namespace attnscope
