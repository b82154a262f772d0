#include "ui/file_commands.h"

#include <QDir>
#include <QFileInfo>
#include <QMenu>

#include "core/base/error.h"
#include "ui/dialog_seams.h"
#include "ui/export/file_name.h"
#include "ui/format.h"
#include "ui/panels/open_pairs_dialog.h"
#include "ui/run_spec.h"
#include "ui/settings.h"

namespace attnscope {

FileCommands::FileCommands(Session& session, QWidget& window) : QObject(&window), m_session(session), m_window(window) {
  connect(&session, &Session::saved, this, [this](const QString& file) {
    addRecentFile(file);
    Q_EMIT notice(tr("The model is saved as %1.").arg(QDir::toNativeSeparators(file)));
  });
}

void FileCommands::whenDiscardable(const QString& what, std::function<void()> act) {
  if (!m_session.hasUnsavedTraining()) return act();
  const QString question =
      tr("%1 steps of training are not saved and will be lost. %2").arg(countText(m_session.unsavedSteps()), what);
  dialogSeams().confirm(&m_window, question, tr("Discard training"), std::move(act));
}

void FileCommands::openData() {
  const QString filter = tr("Pairs (*.tsv *.csv *.jsonl *.txt);;All files (*)");
  const QStringList files = dialogSeams().openFiles(&m_window, tr("Open pairs: one table, or two plain files"), filter);
  if (!files.isEmpty()) openPairs(files);
}

void FileCommands::openModelOrTrace() {
  const QString filter = tr("Models and traces (*.safetensors *.json);;All files (*)");
  const QStringList files = dialogSeams().openFiles(&m_window, tr("Open a model or a trace"), filter);
  if (!files.isEmpty()) open(files);
}

void FileCommands::open(const QStringList& files) {
  if (files.isEmpty()) return;
  const QString& first = files.front();
  const QString suffix = QFileInfo(first).suffix().toLower();
  if (!QFileInfo(first).isFile()) {
    Q_EMIT failed(tr("%1: there is no such file").arg(first));
  } else if (suffix == QLatin1String("safetensors")) {
    whenDiscardable(tr("Open the model?"), [this, first] {
      addRecentFile(first);
      m_session.openModel(first.toStdString());
    });
  } else if (suffix == QLatin1String("json")) {
    openTrace(first);
  } else if (files.size() > 2) {
    Q_EMIT failed(tr("Pairs come in one table or two plain files; these are %1 files.").arg(files.size()));
  } else {
    openPairs(files);
  }
}

void FileCommands::openTrace(const QString& file) {
  try {
    m_session.openTrace(file.toStdString());
    addRecentFile(file);
    Q_EMIT notice(
        tr("Showing the trace %1. Train, or type an input, to return to the model.").arg(QFileInfo(file).fileName()));
  } catch (const Error& error) {
    Q_EMIT failed(text(error.what()));
  }
}

void FileCommands::openPairs(const QStringList& files) {
  if (files.size() > 2) {
    Q_EMIT failed(tr("Pairs come in one table or two plain files; these are %1 files.").arg(files.size()));
    return;
  }
  auto* dialog = new OpenPairsDialog(files, &m_window);
  connect(dialog, &OpenPairsDialog::chosen, this, [this, files](const TextDataOptions& options) {
    whenDiscardable(tr("Train on the new data?"), [this, files, options] {
      for (const QString& file : files) addRecentFile(file);
      RunSpec spec;
      spec.data.text = options;
      spec.train.seed = m_session.spec().train.seed;
      spec.train.threads = windowThreads();
      m_session.load(std::move(spec));
    });
  });
  dialog->open();
}

QString FileCommands::baseName() const {
  if (!m_session.traceFile().isEmpty()) return QFileInfo(m_session.traceFile()).completeBaseName();
  if (!m_session.info()) return QStringLiteral("attnscope");
  return QStringLiteral("%1-step-%2").arg(text(m_session.info()->data->name)).arg(m_session.snapshot().step);
}

void FileCommands::saveModel() {
  const QString folder = settings().value("files/folder", QDir::homePath()).toString();
  const QString proposal = QDir(folder).filePath(legalFileName(baseName(), QStringLiteral("safetensors")));
  QString file = dialogSeams().saveFile(&m_window, tr("Save the model"), proposal, tr("Models (*.safetensors)"));
  if (file.isEmpty()) return;
  if (QFileInfo(file).suffix() != QLatin1String("safetensors")) file += QStringLiteral(".safetensors");
  settings().setValue("files/folder", QFileInfo(file).absolutePath());
  m_session.saveModel(file.toStdString());
}

void FileCommands::fillRecent(QMenu& menu) {
  menu.clear();
  for (const QString& file : recentFiles()) {
    QString title = QFileInfo(file).fileName();
    QAction* action = menu.addAction(title.replace(QLatin1Char('&'), QStringLiteral("&&")));
    action->setToolTip(file);
    connect(action, &QAction::triggered, this, [this, file] { open({file}); });
  }
  menu.setToolTipsVisible(true);
  if (menu.isEmpty()) menu.addAction(tr("nothing opened yet"))->setEnabled(false);
}

}  // namespace attnscope
