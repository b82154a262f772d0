#include "ui/panels/step_axis.h"

#include <QHBoxLayout>
#include <QSignalBlocker>
#include <QSlider>
#include <QToolButton>

#include "ui/icons.h"

namespace attnscope {

static QToolButton* stepButton(const char* name, const QString& toolTip) {
  auto* button = new QToolButton;
  button->setObjectName(name);
  button->setToolTip(toolTip);
  button->setAccessibleName(toolTip);
  button->setFocusPolicy(Qt::TabFocus);
  return button;
}

StepAxis::StepAxis(Session& session)
    : m_session(session),
      m_previous(stepButton("previousStep", tr("Previous step (←)"))),
      m_play(stepButton("playSteps", tr("Walk through the steps"))),
      m_next(stepButton("nextStep", tr("Next step (→)"))),
      m_slider(new QSlider(Qt::Horizontal)),
      m_speed(new ChoiceField("playSpeed", {{"1000", tr("1 a second")},
                                            {"500", tr("2 a second")},
                                            {"250", tr("4 a second")},
                                            {"100", tr("10 a second")}})),
      m_text(roleLabel({}, "name", "stepText")) {
  setObjectName("stepAxis");
  setAttribute(Qt::WA_StyledBackground);
  m_slider->setObjectName("stepSlider");
  m_slider->setAccessibleName(tr("Step"));
  m_slider->setPageStep(1);
  m_play->setToolButtonStyle(Qt::ToolButtonTextBesideIcon);
  m_speed->setToolTip(tr("Steps a second"));
  m_speed->show("500");
  m_text->setWordWrap(false);
  auto* row = new QHBoxLayout(this);
  row->setContentsMargins(12, 7, 12, 7);
  row->setSpacing(8);
  for (QWidget* widget : std::initializer_list<QWidget*>{m_previous, m_play, m_next}) row->addWidget(widget);
  row->addWidget(m_slider, 1);
  row->addWidget(m_text);
  row->addWidget(m_speed);

  connect(m_previous, &QToolButton::clicked, this, [this] { move(-1); });
  connect(m_next, &QToolButton::clicked, this, [this] { move(1); });
  connect(m_play, &QToolButton::clicked, this, [this] { setPlaying(!m_timer.isActive()); });
  connect(m_slider, &QSlider::valueChanged, this, [this](int step) { m_session.selection().pinStep(step); });
  connect(m_speed, &ChoiceField::chosen, this, [this] { m_timer.setInterval(m_speed->value().toInt()); });
  connect(&m_timer, &QTimer::timeout, this, &StepAxis::advance);
  connect(&session, &Session::traceChanged, this, &StepAxis::refresh);
  connect(&session.selection(), &Selection::changed, this, &StepAxis::refresh);
  m_timer.setInterval(500);
  refresh();
}

void StepAxis::setIconColor(const QColor& color) {
  m_iconColor = color;
  m_previous->setIcon(makeIcon(Shape::Previous, color));
  m_next->setIcon(makeIcon(Shape::Next, color));
  refresh();
}

void StepAxis::move(int by) {
  const int count = m_session.stepCount();
  if (count == 0) return;
  Selection& selection = m_session.selection();
  const int from = selection.step() < 0 ? (by > 0 ? -1 : count) : std::min(selection.step(), count - 1);
  selection.pinStep(std::clamp(from + by, 0, count - 1));
}

void StepAxis::setPlaying(bool playing) {
  if (playing) {
    if (m_session.selection().step() >= m_session.stepCount() - 1) m_session.selection().pinStep(0);
    m_timer.start();
  } else {
    m_timer.stop();
  }
  refresh();
}

void StepAxis::advance() {
  if (m_session.selection().step() >= m_session.stepCount() - 1)
    setPlaying(false);
  else
    move(1);
}

void StepAxis::refresh() {
  const int count = m_session.stepCount();
  const int step = std::min(m_session.selection().step(), count - 1);
  const QSignalBlocker quiet(m_slider);
  m_slider->setRange(0, std::max(0, count - 1));
  m_slider->setValue(std::max(0, step));
  for (QWidget* widget : std::initializer_list<QWidget*>{m_previous, m_play, m_next, m_slider})
    widget->setEnabled(count > 0);
  m_play->setText(m_timer.isActive() ? tr("Pause") : tr("Play"));
  m_play->setIcon(makeIcon(m_timer.isActive() ? Shape::Pause : Shape::Play, m_iconColor));
  const bool decodes = m_session.decodes();
  const QString all = decodes ? tr("%1 decoding steps") : tr("%1 steps");
  const QString one = decodes ? tr("decoding step %1 of %2") : tr("step %1 of %2");
  m_text->setText(count == 0 ? tr("no steps") : step < 0 ? all.arg(count) : one.arg(step + 1).arg(count));
}

}  // namespace attnscope
