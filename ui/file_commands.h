// Opening, saving and exporting for the window: asks, does it, and reports in one line.
#pragma once

#include <QObject>
#include <functional>

#include "ui/panels/export_dialog.h"
#include "ui/session.h"

class QMenu;

namespace attnscope {

class FileCommands : public QObject {
  Q_OBJECT
 public:
  FileCommands(Session& session, QWidget& window);

  void openData();
  void openModelOrTrace();
  void open(const QStringList& files);  // by what they are: models, traces, data (dropped, recent, command line)
  void saveModel();
  void fillRecent(QMenu& menu);
  QString baseName() const;  // begins the names of written files: "reverse-step-1240"
  // Runs `act` at once where no unsaved training would be lost, else when the user agrees.
  void whenDiscardable(const QString& what, std::function<void()> act);

 Q_SIGNALS:
  void notice(const QString& message);
  void failed(const QString& message);

 private:
  void openTrace(const QString& file);
  void openPairs(const QStringList& files);

  Session& m_session;
  QWidget& m_window;
};

}  // namespace attnscope
