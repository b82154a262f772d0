// The help: short pages of our own in a window that stays open beside the work.
#pragma once

#include <QWidget>

class QTextBrowser;

namespace attnscope {

class HelpWindow : public QWidget {
  Q_OBJECT
 public:
  explicit HelpWindow(QWidget* parent);
  void showPage(const QString& page);  // "index", "tour", "views", "mechanism", "keys", "files"

 private:
  QTextBrowser* m_browser;
};

}  // namespace attnscope
