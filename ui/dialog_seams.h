// Every question that leaves the window goes through here, so that tests can answer it.
#pragma once

#include <QString>
#include <QStringList>
#include <functional>

class QWidget;

namespace attnscope {

struct DialogSeams {
  std::function<QStringList(QWidget*, const QString& title, const QString& filter)> openFiles;  // empty: cancelled
  // Asks before overwriting. Empty: cancelled.
  std::function<QString(QWidget*, const QString& title, const QString& proposal, const QString& filter)> saveFile;
  // Not modal to the program: returns at once and calls `accepted` when the user agrees.
  std::function<void(QWidget*, const QString& question, const QString& accept, std::function<void()> accepted)> confirm;
};

DialogSeams& dialogSeams();

}  // namespace attnscope
