#include "app/window_start.h"

#include <unistd.h>

#include <QCoreApplication>
#include <QtGlobal>

#include "app/output.h"
#include "app/window_command.h"
#include "core/base/error.h"

namespace attnscope {
namespace {

constexpr const char* kWithout = "`attnscope demo` and the other commands (attnscope --help) work without one";

QtMessageHandler g_previous = nullptr;

// Qt aborts where it cannot reach the display; a person deserves a sentence instead.
void reportStart(QtMsgType type, const QMessageLogContext& context, const QString& message) {
  const bool starting = QCoreApplication::startingUp();
  if (type == QtFatalMsg && starting) {
    printError(std::string("the window cannot be opened on this display; ") + kWithout);
    ::_exit(exitCode(ErrorKind::Usage));
  }
  if (!starting && g_previous) g_previous(type, context, message);
}

bool isSet(const char* name) { return !qEnvironmentVariableIsEmpty(name); }

}  // namespace

int startWindow(int& argc, char** argv, const std::vector<std::string>& files) {
#ifdef Q_OS_LINUX
  if (!isSet("DISPLAY") && !isSet("WAYLAND_DISPLAY") && !isSet("QT_QPA_PLATFORM")) {
    throw Error(ErrorKind::Usage, "", std::string("the window needs a display, and there is none here; ") + kWithout);
  }
#endif
  g_previous = qInstallMessageHandler(reportStart);
  return runWindow(argc, argv, files);
}

}  // namespace attnscope
