#include "ui/main_window.h"

#include <QApplication>
#include <QClipboard>
#include <QCloseEvent>
#include <QLabel>
#include <QMenu>
#include <QMenuBar>
#include <QMessageBox>
#include <QMimeData>
#include <QPainter>
#include <QScrollArea>
#include <QSplitter>
#include <QStackedWidget>
#include <QStatusBar>
#include <QTabBar>
#include <QVBoxLayout>

#include "ui/format.h"
#include "ui/help_window.h"
#include "ui/icons.h"
#include "ui/panels/input_bar.h"
#include "ui/panels/message_bar.h"
#include "ui/panels/setup_panel.h"
#include "ui/panels/step_axis.h"
#include "ui/panels/tool_bar.h"
#include "ui/run_spec.h"
#include "ui/settings.h"
#include "ui/views/data_view.h"
#include "ui/views/picture_view.h"
#include "ui/views/training_view.h"

namespace attnscope {

MainWindow::MainWindow()
    : m_draft(m_session), m_actions(new Actions(this)), m_files(new FileCommands(m_session, *this)) {
  setObjectName("mainWindow");
  setWindowIcon(programIcon());
  setAcceptDrops(true);
  setMinimumSize(900, 560);
  layOut();
  connectActions();
  connectSession();
  dress();
  restoreLayout();
  m_views.front()->setFocus();  // so that Space and the arrow keys are the window's from the start
  m_session.load(defaultSpec("reverse"));
}

MainWindow::~MainWindow() = default;

void MainWindow::addPage(QWidget* page, const QString& title, const QString& question) {
  m_pages->addWidget(page);
  m_tabs->setTabToolTip(m_tabs->addTab(title), question);
}

QWidget* MainWindow::makeViewBar() {
  m_tabs = new QTabBar;
  m_tabs->setObjectName("views");
  m_tabs->setFocusPolicy(Qt::TabFocus);
  m_tabs->setDrawBase(false);
  m_tabs->setExpanding(false);
  auto* look = new QToolButton;
  look->setObjectName("lookButton");
  look->setText(tr("Colours"));
  look->setToolTip(tr("Colour map and scale of the pictures"));
  look->setPopupMode(QToolButton::InstantPopup);
  look->setFocusPolicy(Qt::TabFocus);
  auto* menu = new QMenu(look);
  m_actions->fillPictureMenu(*menu);
  look->setMenu(menu);
  auto* bar = new QWidget;
  bar->setObjectName("viewBar");
  bar->setAttribute(Qt::WA_StyledBackground);
  auto* row = new QHBoxLayout(bar);
  row->setContentsMargins(4, 0, 12, 0);
  row->addWidget(m_tabs, 1, Qt::AlignBottom);
  row->addWidget(look);
  return bar;
}

QWidget* MainWindow::makeCenter() {
  m_messages = new MessageBar;
  m_pages = new QStackedWidget;
  QWidget* bar = makeViewBar();
  for (const PictureInfo& info : pictureTable()) {
    if (std::string_view(info.name) == "inspector") continue;
    m_views.push_back(new PictureView(info, m_session, m_options, m_style));
    addPage(m_views.back(), QCoreApplication::translate("views", info.title),
            QCoreApplication::translate("views", info.question));
  }
  addPage(new DataView(m_session, m_style), tr("Data"), tr("What is the model trained on?"));
  connect(m_tabs, &QTabBar::currentChanged, m_pages, &QStackedWidget::setCurrentIndex);

  m_input = new InputBar(m_session);
  m_steps = new StepAxis(m_session);
  auto* center = new QWidget;
  auto* column = new QVBoxLayout(center);
  column->setContentsMargins(0, 0, 0, 0);
  column->setSpacing(0);
  for (QWidget* part : std::initializer_list<QWidget*>{bar, m_messages, m_input}) column->addWidget(part);
  column->addWidget(m_pages, 1);
  column->addWidget(m_steps);
  return center;
}

QWidget* MainWindow::makeInspector() {
  auto* view = new PictureView(*findPicture("inspector"), m_session, m_options, m_style);
  view->setKeepsPreferredHeight(true);
  m_views.push_back(view);
  auto* scroll = new QScrollArea;
  scroll->setObjectName("inspectorPanel");
  scroll->setWidget(view);
  scroll->setWidgetResizable(true);
  scroll->setFocusPolicy(Qt::NoFocus);
  scroll->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
  scroll->setMinimumWidth(220);
  return scroll;
}

void MainWindow::layOut() {
  m_actions->fillMenuBar(*menuBar());
  m_actions->bind(m_options, m_style);
  auto* setup = new SetupPanel(m_session, m_draft);
  setup->setMinimumWidth(216);
  connect(setup, &SetupPanel::openDataRequested, m_files, &FileCommands::openData);
  connect(setup, &SetupPanel::applyRequested, this, &MainWindow::applyDraft);

  m_columns = new QSplitter(Qt::Horizontal);
  m_columns->setObjectName("columns");
  m_columns->addWidget(setup);
  m_columns->addWidget(makeCenter());
  m_columns->addWidget(makeInspector());
  m_columns->setStretchFactor(1, 1);
  m_training = new TrainingView(m_session, m_style);
  m_rows = new QSplitter(Qt::Vertical);
  m_rows->setObjectName("rows");
  m_rows->addWidget(m_columns);
  m_rows->addWidget(m_training);
  m_rows->setStretchFactor(0, 1);
  for (QSplitter* splitter : {m_rows, m_columns}) splitter->setHandleWidth(1);

  auto* all = new QWidget;
  auto* column = new QVBoxLayout(all);
  column->setContentsMargins(0, 0, 0, 0);
  column->setSpacing(0);
  column->addWidget(new ToolBar(m_session, *m_actions, m_style));
  column->addWidget(m_rows, 1);
  setCentralWidget(all);

  for (QLabel** label : {&m_statusRun, &m_statusSeed, &m_statusData}) {
    statusBar()->addWidget(*label = new QLabel);
    (*label)->setTextFormat(Qt::PlainText);
  }
  m_statusRun->setObjectName("statusRun");
  m_statusSeed->setObjectName("statusSeed");
  m_statusData->setObjectName("statusData");
  for (PictureView* view : m_views)
    view->addActions({m_actions->exportPicture, m_actions->copyPicture, m_actions->scores, m_actions->transpose});
}

void MainWindow::connectActions() {
  const auto on = [this](QAction* action, auto act) { connect(action, &QAction::triggered, this, act); };
  on(m_actions->openData, [this] { m_files->openData(); });
  on(m_actions->openModel, [this] { m_files->openModelOrTrace(); });
  on(m_actions->saveModel, [this] { m_files->saveModel(); });
  on(m_actions->exportPicture, [this] { openExport(); });
  on(m_actions->copyPicture, [this] { copyPicture(); });
  on(m_actions->copyCommand, [this] {
    QApplication::clipboard()->setText(commandLine(m_session.spec()));
    m_messages->showNotice(tr("Copied: %1").arg(QApplication::clipboard()->text()));
  });
  on(m_actions->quit, [this] { close(); });
  on(m_actions->train, [this] { toggleTraining(); });
  on(m_actions->step, [this] { m_session.singleStep(); });
  on(m_actions->reset,
     [this] { m_files->whenDiscardable(tr("Start again with fresh weights?"), [this] { m_session.reset(); }); });
  const auto help = [this](const QString& page) {
    if (!m_help) m_help = new HelpWindow(this);
    m_help->showPage(page);
  };
  on(m_actions->help, [help] { help(QStringLiteral("index")); });
  on(m_actions->mechanism, [help] { help(QStringLiteral("mechanism")); });
  on(m_actions->about, [this] { showAbout(); });
  connect(m_actions->recent, &QMenu::aboutToShow, this, [this] { m_files->fillRecent(*m_actions->recent); });
}

void MainWindow::connectSession() {
  connect(&m_session, &Session::runReplaced, this, [this] {
    const bool another = m_session.snapshot().generation > 1;
    if (another) m_messages->hide();  // what it says is about the run before
  });
  connect(&m_session, &Session::failed, m_messages, &MessageBar::showError);
  connect(&m_session, &Session::finished, this, [this](const QString& reason) {
    m_messages->showNotice(tr("Training is finished: %1. Press Train to continue it without a limit.").arg(reason));
  });
  connect(m_files, &FileCommands::failed, m_messages, &MessageBar::showError);
  connect(m_files, &FileCommands::notice, m_messages, &MessageBar::showNotice);
  connect(&m_session, &Session::runReplaced, this, &MainWindow::refreshStatus);
  connect(&m_style, &AppStyle::changed, this, &MainWindow::dress);
}

void MainWindow::dress() {
  const QColor color = m_style.theme().text;
  m_messages->setIconColor(color);
  m_input->setIconColor(color);
  m_steps->setIconColor(color);
}

void MainWindow::refreshStatus() {
  const RunInfo* info = m_session.info();
  if (!info) return;
  QStringList run = {text(info->data->name)};
  if (info->config.contains("attention") && info->config["attention"].is_object()) {
    const Json& attention = info->config["attention"];
    run << text(attention.value("score", "")) << text(attention.value("normalizer", "softmax"));
    run << text(attention.contains("scope") ? attention["scope"].value("kind", "global") : "global");
  } else {
    run << tr("no attention");
  }
  m_statusRun->setText(run.join(QStringLiteral(" · ")));
  m_statusSeed->setText(tr("seed %1").arg(info->options.seed));
  m_statusData->setText(tr("validation %1 examples").arg(countText(static_cast<long>(info->data->validation.size()))));
  setWindowTitle(tr("%1 – Attnscope").arg(run.mid(0, 2).join(QStringLiteral(" · "))));
}

void MainWindow::toggleTraining() {
  if (m_session.isTraining()) {
    m_session.pause();
  } else if (m_session.info()) {
    m_messages->hide();
    m_session.train();
  }
}

void MainWindow::applyDraft() {
  m_files->whenDiscardable(tr("Start a new model?"), [this] { m_draft.apply(); });
}

void MainWindow::keyPressEvent(QKeyEvent* event) {
  switch (event->key()) {
    case Qt::Key_Space:
      toggleTraining();
      return;
    case Qt::Key_Left:
      m_steps->move(-1);
      return;
    case Qt::Key_Right:
      m_steps->move(1);
      return;
    case Qt::Key_Escape:
      m_session.selection().release();
      return;
    default:
      QMainWindow::keyPressEvent(event);
  }
}

QString MainWindow::caption() const {
  const TraceExample* example = m_session.traceExample();
  if (!example) return {};
  if (!m_session.traceFile().isEmpty()) return m_session.traceFile().section(QLatin1Char('/'), -1);
  const QString mode = example->forced ? tr("target given") : tr("free-running");
  return tr("%1 · step %2 · %3 · %4")
      .arg(m_statusRun->text(), countText(m_session.snapshot().traceStep), m_statusSeed->text(), mode);
}

// The whole picture, without what only the mouse shows.
static Picture shownOn(const PictureView& view) {
  Picture picture = view.picture();
  picture.state.hoverStep = picture.state.hoverColumn = -1;
  picture.style.zoom = 1;
  return picture;
}

Exportable MainWindow::pictureExport(PictureView* view) {
  Picture picture = shownOn(*view);
  picture.style.caption = caption();
  // The dialog outlives the snapshot on show.
  const std::shared_ptr<const Trace> trace = m_session.trace();
  const PictureInfo& info = view->info();
  Exportable result;
  result.name = QLatin1String(info.name);
  result.title = QCoreApplication::translate("views", info.title);
  result.preferred = info.preferredSize(picture);
  result.draw = [picture, trace, &info](QPainter& painter, const QRectF& rect, const Theme& theme, bool vector) {
    Picture drawn = picture;
    drawn.style.theme = &theme;
    drawn.style.vector = vector;
    info.paint(painter, rect, drawn);
  };
  result.csv = [picture, trace, &info] { return info.csv(picture); };
  return result;
}

std::vector<Exportable> MainWindow::exportables() {
  std::vector<Exportable> all;
  for (PictureView* view : m_views) all.push_back(pictureExport(view));
  Exportable curves;
  curves.name = QStringLiteral("training");
  curves.title = tr("Training");
  curves.preferred = QSize(900, 360);
  curves.draw = [this](QPainter& painter, const QRectF& rect, const Theme& theme, bool) {
    m_training->paint(painter, rect, theme);
  };
  curves.csv = [this] { return m_training->csv(); };
  all.push_back(curves);
  return all;
}

void MainWindow::openExport() {
  const QWidget* shown = m_pages->currentWidget();
  QString name = QStringLiteral("training");
  for (const PictureView* view : m_views)
    if (view == shown || view->hasFocus()) name = QLatin1String(view->info().name);
  auto* dialog = new ExportDialog(exportables(), name, m_files->baseName(), m_style.theme(), this);
  dialog->setAttribute(Qt::WA_DeleteOnClose);
  connect(dialog, &ExportDialog::failed, m_messages, &MessageBar::showError);
  connect(dialog, &ExportDialog::exported, this,
          [this](const QString& file) { m_messages->showNotice(tr("Exported to %1.").arg(file)); });
  dialog->open();
}

void MainWindow::copyPicture() {
  PictureView* shown = qobject_cast<PictureView*>(m_pages->currentWidget());
  for (PictureView* view : m_views)
    if (view->hasFocus()) shown = view;
  if (!shown) {
    m_messages->showNotice(tr("There is no picture in this tab to copy."));
    return;
  }
  constexpr double kScale = 2;
  const Picture picture = shownOn(*shown);
  QApplication::clipboard()->setImage(
      pictureImage(shown->info(), picture, shown->info().preferredSize(picture), kScale));
  m_messages->showNotice(tr("The picture is on the clipboard."));
}

void MainWindow::showAbout() {
  auto* box = new QMessageBox(QMessageBox::NoIcon, tr("About Attnscope"),
                              tr("Attnscope %1\n\nTrain small recurrent networks and see what attention does.\n\nFree "
                                 "software under the GNU General Public License, version 3 or later.")
                                  .arg(QStringLiteral(ATTNSCOPE_VERSION)),
                              QMessageBox::Close, this);
  box->setObjectName("aboutBox");
  box->setTextFormat(Qt::PlainText);
  box->setIconPixmap(programIcon().pixmap(64, 64));
  box->setAttribute(Qt::WA_DeleteOnClose);
  box->open();
}

void MainWindow::closeEvent(QCloseEvent* event) {
  if (!m_mayClose && m_session.hasUnsavedTraining()) {
    event->ignore();
    m_files->whenDiscardable(tr("Close anyway?"), [this] {
      m_mayClose = true;
      QMetaObject::invokeMethod(this, &QWidget::close, Qt::QueuedConnection);  // never from inside this event
    });
    return;
  }
  saveLayout();
  event->accept();
}

void MainWindow::restoreLayout() {
  const QSettings stored = settings();
  resize(1280, 800);
  restoreGeometry(stored.value("window/geometry").toByteArray());
  if (!m_columns->restoreState(stored.value("window/columns").toByteArray())) m_columns->setSizes({258, 738, 284});
  if (!m_rows->restoreState(stored.value("window/rows").toByteArray())) m_rows->setSizes({560, 190});
}

void MainWindow::saveLayout() const {
  QSettings stored = settings();
  stored.setValue("window/geometry", saveGeometry());
  stored.setValue("window/columns", m_columns->saveState());
  stored.setValue("window/rows", m_rows->saveState());
}

void MainWindow::dragEnterEvent(QDragEnterEvent* event) {
  if (event->mimeData()->hasUrls()) event->acceptProposedAction();
}

void MainWindow::dropEvent(QDropEvent* event) {
  QStringList files;
  for (const QUrl& url : event->mimeData()->urls())
    if (url.isLocalFile()) files << url.toLocalFile();
  event->acceptProposedAction();
  m_files->open(files);
}

}  // namespace attnscope
