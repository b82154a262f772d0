#include "ui/settings.h"

#include <QFileInfo>

namespace attnscope {

static constexpr int kRecentFiles = 10;

QStringList recentFiles() {
  QStringList files = settings().value("files/recent").toStringList();
  files.removeIf([](const QString& file) { return !QFileInfo::exists(file); });
  return files;
}

void addRecentFile(const QString& file) {
  QStringList files = recentFiles();
  const QString whole = QFileInfo(file).absoluteFilePath();
  files.removeAll(whole);
  files.prepend(whole);
  settings().setValue("files/recent", files.mid(0, kRecentFiles));
}

}  // namespace attnscope
