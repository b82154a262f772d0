// The window: puts the panels together and connects commands to what they do.
#pragma once

#include <QMainWindow>
#include <vector>

#include "ui/actions.h"
#include "ui/app_style.h"
#include "ui/file_commands.h"
#include "ui/run_draft.h"
#include "ui/session.h"
#include "ui/view_options.h"

class QLabel;
class QSplitter;
class QStackedWidget;
class QTabBar;

namespace attnscope {

class HelpWindow;
class InputBar;
class MessageBar;
class PictureView;
class StepAxis;
class TrainingView;

class MainWindow : public QMainWindow {
  Q_OBJECT
 public:
  MainWindow();
  ~MainWindow() override;

  Session& session() { return m_session; }
  AppStyle& appStyle() { return m_style; }
  void open(const QStringList& files) { m_files->open(files); }

 protected:
  void keyPressEvent(QKeyEvent* event) override;
  void closeEvent(QCloseEvent* event) override;
  void dragEnterEvent(QDragEnterEvent* event) override;
  void dropEvent(QDropEvent* event) override;

 private:
  void addPage(QWidget* page, const QString& title, const QString& question);
  QWidget* makeViewBar();
  QWidget* makeCenter();
  QWidget* makeInspector();
  void layOut();
  void connectActions();
  void connectSession();
  void dress();
  void refreshStatus();
  void toggleTraining();
  void applyDraft();
  void openExport();
  void copyPicture();
  void showAbout();
  std::vector<Exportable> exportables();
  Exportable pictureExport(PictureView* view);
  QString caption() const;
  void restoreLayout();
  void saveLayout() const;

  AppStyle m_style;
  ViewOptions m_options;
  Session m_session;
  RunDraft m_draft;
  Actions* m_actions;
  FileCommands* m_files;
  std::vector<PictureView*> m_views;
  QTabBar* m_tabs = nullptr;
  QStackedWidget* m_pages = nullptr;
  QSplitter *m_rows = nullptr, *m_columns = nullptr;
  MessageBar* m_messages = nullptr;
  InputBar* m_input = nullptr;
  StepAxis* m_steps = nullptr;
  TrainingView* m_training = nullptr;
  HelpWindow* m_help = nullptr;
  QLabel *m_statusRun = nullptr, *m_statusSeed = nullptr, *m_statusData = nullptr;
  bool m_mayClose = false;
};

}  // namespace attnscope
