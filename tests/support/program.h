// Runs the real program, as a person in a terminal would.
#pragma once

#include <QByteArray>
#include <QProcess>
#include <QStringList>

namespace attnscope {

struct ProgramResult {
  int code = -1;  // −1: it crashed or did not end in time
  QByteArray output, errors;
};

// `environment`: NAME=VALUE; NAME alone takes the variable away.
inline ProgramResult runProgram(const QStringList& arguments, const QByteArray& input = {}, const QString& folder = {},
                                const QStringList& environment = {}) {
  QProcess process;
  QProcessEnvironment variables = QProcessEnvironment::systemEnvironment();
  for (const QString& one : environment) {
    const qsizetype equals = one.indexOf(QLatin1Char('='));
    if (equals < 0) {
      variables.remove(one);
    } else {
      variables.insert(one.left(equals), one.mid(equals + 1));
    }
  }
  process.setProcessEnvironment(variables);
  if (!folder.isEmpty()) process.setWorkingDirectory(folder);
  process.start(QStringLiteral(ATTNSCOPE_BINARY), arguments);
  process.write(input);
  process.closeWriteChannel();
  const bool ended = process.waitForFinished(120'000) && process.exitStatus() == QProcess::NormalExit;
  return {ended ? process.exitCode() : -1, process.readAllStandardOutput(), process.readAllStandardError()};
}

}  // namespace attnscope
