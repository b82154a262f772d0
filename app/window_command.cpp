#include "app/window_command.h"

#include <QApplication>

#include "ui/main_window.h"
#include "ui/resources.h"

namespace attnscope {

int runWindow(int& argc, char** argv, const std::vector<std::string>& files) {
  QApplication::setApplicationName(QStringLiteral("Attnscope"));
  QApplication::setApplicationVersion(QStringLiteral(ATTNSCOPE_VERSION));
  QApplication::setDesktopFileName(QStringLiteral("attnscope"));
  QApplication application(argc, argv);
  loadResources();
  MainWindow window;
  window.show();
  QStringList paths;
  for (const std::string& file : files) paths << QString::fromStdString(file);
  if (!paths.isEmpty()) window.open(paths);
  return QApplication::exec();
}

}  // namespace attnscope
