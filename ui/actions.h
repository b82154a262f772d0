// Every command of the window once: menus, tool bar and context menus share them.
#pragma once

#include <QAction>
#include <QObject>
#include <QToolButton>
#include <array>

#include "ui/app_style.h"
#include "ui/view_options.h"

class QMenu;
class QMenuBar;

namespace attnscope {

class Actions : public QObject {
  Q_OBJECT
 public:
  explicit Actions(QObject* parent);

  QAction *openData, *openModel, *saveModel, *exportPicture, *copyPicture, *copyCommand, *quit;
  QAction *fittedScale, *squareRoot, *transpose, *scores, *fontBigger, *fontSmaller;
  QAction *train, *step, *reset;
  QAction *help, *mechanism, *about;
  std::array<QAction*, 3> themes;     // by ThemeChoice
  std::array<QAction*, 4> colorMaps;  // by ColorMap
  QMenu* recent = nullptr;            // filled by the window when it opens

  void fillMenuBar(QMenuBar& bar);
  void fillPictureMenu(QMenu& menu) const;  // colour map, scale, …
  void bind(ViewOptions& options, AppStyle& style);

 private:
  QAction* add(const char* name, const QString& title, const QKeySequence& keys = {});
  QAction* addToggle(const char* name, const QString& title);
};

}  // namespace attnscope
