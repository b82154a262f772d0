#include "ui/panels/tool_bar.h"

#include <QHBoxLayout>
#include <QLabel>
#include <QMenu>
#include <QToolButton>

#include "ui/format.h"
#include "ui/icons.h"

namespace attnscope {

static QToolButton* actionButton(const char* name, QAction* action) {
  auto* button = new QToolButton;
  button->setObjectName(name);
  button->setDefaultAction(action);
  button->setToolButtonStyle(Qt::ToolButtonTextBesideIcon);
  button->setFocusPolicy(Qt::TabFocus);
  return button;
}

ToolBar::ToolBar(Session& session, Actions& actions, const AppStyle& style)
    : m_session(session), m_actions(actions), m_style(style), m_progress(new QLabel) {
  setObjectName("toolbar");
  setAttribute(Qt::WA_StyledBackground);
  m_progress->setObjectName("progress");
  m_progress->setTextFormat(Qt::RichText);
  m_progress->setMinimumWidth(10);
  m_progress->setSizePolicy(QSizePolicy::Ignored, QSizePolicy::Preferred);
  QToolButton* train = actionButton("trainButton", actions.train);
  train->setProperty("role", "primary");
  train->setMinimumWidth(fontMetrics().horizontalAdvance(tr("Pause")) + 52);
  auto* exporting = new QToolButton;
  exporting->setObjectName("exportButton");
  exporting->setText(tr("Export"));
  exporting->setPopupMode(QToolButton::InstantPopup);
  exporting->setFocusPolicy(Qt::TabFocus);
  auto* menu = new QMenu(exporting);
  menu->addActions({actions.exportPicture, actions.copyPicture, actions.copyCommand, actions.saveModel});
  exporting->setMenu(menu);
  actions.train->setToolTip(tr("Train, or pause (Space)"));
  actions.step->setToolTip(tr("One training step"));
  actions.reset->setToolTip(tr("Fresh weights, same data and settings"));

  auto* row = new QHBoxLayout(this);
  row->setContentsMargins(12, 7, 12, 7);
  row->setSpacing(8);
  row->addWidget(train);
  row->addWidget(actionButton("stepButton", actions.step));
  row->addWidget(actionButton("resetButton", actions.reset));
  row->addSpacing(8);
  row->addWidget(m_progress, 1);
  row->addWidget(exporting);

  connect(&session, &Session::snapshotChanged, this, &ToolBar::refresh);
  connect(&style, &AppStyle::changed, this, &ToolBar::refresh);
  refresh();
}

QString ToolBar::progress() const {
  const Snapshot& now = m_session.snapshot();
  if (now.state == RunState::Empty || now.state == RunState::Loading) return tr("loading…");
  const auto figure = [this](const QString& name, const QString& value) {
    return QStringLiteral("<span style='color:%1'>%2</span>&nbsp;<b>%3</b>")
        .arg(m_style.theme().mutedText.name(), name.toHtmlEscaped(), value.toHtmlEscaped().replace(' ', "&nbsp;"));
  };
  QStringList parts = {figure(tr("step"), countText(now.step))};
  if (now.step == 0) {
    parts << figure({}, tr("ready to train"));
    return parts.join(QStringLiteral(" &nbsp;&nbsp; "));
  }
  parts << figure(tr("loss"), lossText(now.loss));
  if (now.validation && now.validation->freeSequenceAccuracy)
    parts << figure(tr("sequences right"), percentText(*now.validation->freeSequenceAccuracy));
  if (now.validation && now.validation->accuracy) parts << figure(tr("right"), percentText(*now.validation->accuracy));
  if (now.validation && now.validation->rmse) parts << figure(tr("RMSE"), lossText(*now.validation->rmse));
  parts << figure(tr("tokens/s"), compactText(now.tokensPerSecond));
  parts << figure(tr("time"), durationText(now.seconds));
  if (now.secondsLeft >= 0) parts << figure(tr("left"), durationText(now.secondsLeft));
  if (now.state == RunState::Finished) parts << figure({}, tr("finished"));
  return parts.join(QStringLiteral(" &nbsp;&nbsp; "));
}

void ToolBar::refresh() {
  const Snapshot& now = m_session.snapshot();
  const bool training = now.state == RunState::Training;
  const bool loaded = now.info && now.state != RunState::Loading && now.state != RunState::Empty;
  const Theme& theme = m_style.theme();
  const QString title = training ? tr("Pause") : tr("Train");
  if (m_actions.train->iconText() != title || m_showsPause != training || sender() == &m_style) {
    m_showsPause = training;
    m_actions.train->setIconText(title);
    m_actions.train->setText(title + QStringLiteral("\tSpace"));
    m_actions.train->setIcon(makeIcon(training ? Shape::Pause : Shape::Play, theme.accentText));
    m_actions.step->setIcon(makeIcon(Shape::Next, theme.text));
    m_actions.reset->setIcon(makeIcon(Shape::Reset, theme.text));
    m_actions.reset->setIconText(tr("Reset"));
  }
  m_actions.train->setEnabled(loaded);
  m_actions.step->setEnabled(loaded && !training);
  m_actions.reset->setEnabled(loaded);
  m_actions.saveModel->setEnabled(loaded);
  m_progress->setText(progress());
}

}  // namespace attnscope
