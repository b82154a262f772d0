// What is remembered from one start to the next, in the user's attnscope.ini.
#pragma once

#include <QSettings>
#include <QStringList>

namespace attnscope {

inline QSettings settings() {
  return QSettings(QSettings::IniFormat, QSettings::UserScope, QStringLiteral("attnscope"),
                   QStringLiteral("attnscope"));
}

QStringList recentFiles();  // newest first, at most ten, only those that still exist
void addRecentFile(const QString& file);

}  // namespace attnscope
