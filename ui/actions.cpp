#include "ui/actions.h"

#include <QActionGroup>
#include <QMenu>
#include <QMenuBar>

namespace attnscope {

Actions::Actions(QObject* parent) : QObject(parent) {
  openData = add("openData", tr("Open &data…"), QKeySequence::Open);
  openModel = add("openModel", tr("Open &model or trace…"), QKeySequence(tr("Ctrl+Shift+O")));
  saveModel = add("saveModel", tr("&Save model…"), QKeySequence::Save);
  exportPicture = add("export", tr("&Export…"), QKeySequence(tr("Ctrl+E")));
  copyPicture = add("copyPicture", tr("&Copy picture"), QKeySequence::Copy);
  copyCommand = add("copyCommand", tr("Copy as co&mmand"));
  quit = add("quit", tr("&Quit"), QKeySequence::Quit);
  fittedScale = addToggle("fittedScale", tr("&Fit the scale to the values"));
  squareRoot = addToggle("squareRoot", tr("S&quare root of weights"));
  transpose = addToggle("transpose", tr("&Transpose"));
  scores = addToggle("scores", tr("&Scores instead of weights"));
  fontBigger = add("fontBigger", tr("&Bigger text"), QKeySequence::ZoomIn);
  fontSmaller = add("fontSmaller", tr("S&maller text"), QKeySequence::ZoomOut);
  // Space reaches the window only when no control takes it, so it is no shortcut but shown as one.
  train = add("train", tr("&Train"));
  step = add("step", tr("&Step"), QKeySequence(tr("Ctrl+Space")));
  reset = add("reset", tr("&Reset…"), QKeySequence(tr("Ctrl+R")));
  help = add("help", tr("&Contents"), QKeySequence::HelpContents);
  mechanism = add("mechanism", tr("About the &mechanism"));
  about = add("about", tr("&About Attnscope"));

  const QStringList themeTitles = {tr("As the &system"), tr("&Light"), tr("&Dark")};
  const QStringList mapTitles = {tr("&Viridis"), tr("&Cividis"), tr("&Magma"), tr("&Greys")};
  auto* themeGroup = new QActionGroup(this);
  auto* mapGroup = new QActionGroup(this);
  static const char* const themeNames[] = {"themeSystem", "themeLight", "themeDark"};
  static const char* const mapNames[] = {"mapViridis", "mapCividis", "mapMagma", "mapGreys"};
  for (int i = 0; i < 3; ++i) themeGroup->addAction(themes[i] = addToggle(themeNames[i], themeTitles[i]));
  for (int i = 0; i < 4; ++i) mapGroup->addAction(colorMaps[i] = addToggle(mapNames[i], mapTitles[i]));
}

QAction* Actions::add(const char* name, const QString& title, const QKeySequence& keys) {
  auto* action = new QAction(title, this);
  action->setObjectName(QLatin1String("action_") + QLatin1String(name));
  action->setShortcut(keys);
  return action;
}

QAction* Actions::addToggle(const char* name, const QString& title) {
  QAction* action = add(name, title);
  action->setCheckable(true);
  return action;
}

void Actions::fillPictureMenu(QMenu& menu) const {
  for (QAction* map : colorMaps) menu.addAction(map);
  menu.addSeparator();
  for (QAction* toggle : {fittedScale, squareRoot, transpose, scores}) menu.addAction(toggle);
}

void Actions::fillMenuBar(QMenuBar& bar) {
  QMenu* file = bar.addMenu(tr("&File"));
  file->addActions({openData, openModel});
  recent = file->addMenu(tr("Open &recent"));
  file->addActions({saveModel});
  file->addSeparator();
  file->addActions({exportPicture, copyPicture, copyCommand});
  file->addSeparator();
  file->addAction(quit);

  QMenu* view = bar.addMenu(tr("&View"));
  QMenu* theme = view->addMenu(tr("&Theme"));
  for (QAction* choice : themes) theme->addAction(choice);
  QMenu* map = view->addMenu(tr("&Colour map"));
  for (QAction* choice : colorMaps) map->addAction(choice);
  view->addSeparator();
  view->addActions({fittedScale, squareRoot, transpose, scores});
  view->addSeparator();
  view->addActions({fontBigger, fontSmaller});

  bar.addMenu(tr("&Training"))->addActions({train, step, reset});
  QMenu* helpMenu = bar.addMenu(tr("&Help"));
  helpMenu->addActions({help, mechanism});
  helpMenu->addSeparator();
  helpMenu->addAction(about);
}

void Actions::bind(ViewOptions& options, AppStyle& style) {
  const ViewOptions::Values now = options.values();
  colorMaps[static_cast<int>(now.colorMap)]->setChecked(true);
  fittedScale->setChecked(now.fitScale);
  squareRoot->setChecked(now.squareRoot);
  themes[static_cast<int>(style.choice())]->setChecked(true);
  const auto write = [this, &options] {
    ViewOptions::Values values;
    for (int i = 0; i < 4; ++i)
      if (colorMaps[i]->isChecked()) values.colorMap = static_cast<ColorMap>(i);
    values.fitScale = fittedScale->isChecked();
    values.squareRoot = squareRoot->isChecked();
    values.transpose = transpose->isChecked();
    values.scores = scores->isChecked();
    options.setValues(values);
  };
  for (QAction* action : {fittedScale, squareRoot, transpose, scores}) connect(action, &QAction::toggled, this, write);
  for (QAction* action : colorMaps) connect(action, &QAction::toggled, this, write);
  for (int i = 0; i < 3; ++i)
    connect(themes[i], &QAction::triggered, &style, [&style, i] { style.setChoice(static_cast<ThemeChoice>(i)); });
  connect(fontBigger, &QAction::triggered, &style, [&style] { style.changeFontSize(1); });
  connect(fontSmaller, &QAction::triggered, &style, [&style] { style.changeFontSize(-1); });
}

}  // namespace attnscope
