#include "ui/panels/setup_panel.h"

#include <QPushButton>
#include <QScrollArea>
#include <QVBoxLayout>

#include "ui/format.h"
#include "ui/panels/setup_sections.h"
#include "ui/settings.h"

namespace attnscope {

SetupPanel::SetupPanel(Session& session, RunDraft& draft) : m_session(session), m_draft(draft) {
  setObjectName("setupPanel");
  setAttribute(Qt::WA_StyledBackground);
  auto* content = new QWidget;
  content->setObjectName("setupContent");
  auto* column = new QVBoxLayout(content);
  column->setContentsMargins(12, 4, 10, 8);
  column->setSpacing(2);
  auto* dataSection = new DataSection(draft);
  column->addWidget(dataSection);
  column->addWidget(new ModelSection(draft));
  column->addWidget(new AttentionSection(draft, session));
  column->addWidget(new TrainingSection(draft));
  column->addWidget(m_cost = roleLabel({}, "note", "cost"));
  column->addStretch();

  auto* scroll = new QScrollArea;
  scroll->setObjectName("setupScroll");
  scroll->setWidget(content);
  scroll->setWidgetResizable(true);
  scroll->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
  scroll->setFocusPolicy(Qt::NoFocus);

  m_error = roleLabel({}, "error", "setupError");
  m_note = roleLabel(tr("Apply starts a new model; the present one stays until then."), "note", "setupNote");
  m_apply = new QPushButton(tr("Apply"));
  m_apply->setObjectName("apply");
  m_apply->setProperty("role", "primary");
  m_revert = new QPushButton(tr("Revert"));
  m_revert->setObjectName("revert");
  auto* buttons = new QHBoxLayout;
  buttons->addWidget(m_apply, 1);
  buttons->addWidget(m_revert);
  auto* foot = new QVBoxLayout;
  foot->setContentsMargins(12, 6, 12, 10);
  foot->setSpacing(8);
  foot->addWidget(m_error);
  foot->addWidget(m_note);
  foot->addLayout(buttons);

  auto* all = new QVBoxLayout(this);
  all->setContentsMargins(0, 0, 0, 0);
  all->setSpacing(0);
  all->addWidget(scroll, 1);
  all->addLayout(foot);

  connect(dataSection, &DataSection::openRequested, this, &SetupPanel::openDataRequested);
  connect(m_apply, &QPushButton::clicked, this, &SetupPanel::applyRequested);
  connect(m_revert, &QPushButton::clicked, &draft, &RunDraft::revert);
  connect(&draft, &RunDraft::changed, this, &SetupPanel::refresh);
  connect(&session, &Session::snapshotChanged, this, &SetupPanel::refreshCost);
  refresh();
}

void SetupPanel::refresh() {
  const bool differs = m_session.info() && m_draft.needsNewModel();
  const QString error = m_draft.error();
  const Snapshot& now = m_session.snapshot();
  // Nothing is lost before the first step: the choice takes effect at once, and its size and cost can be read.
  if (differs && error.isEmpty() && !m_session.isTraining() && now.step == 0 && !now.info->fromModelFile) {
    m_draft.apply();
    return;
  }
  m_error->setText(error);
  m_error->setVisible(differs && !error.isEmpty());
  m_note->setVisible(differs && error.isEmpty());
  m_apply->setVisible(differs);
  m_apply->setEnabled(error.isEmpty());
  m_revert->setVisible(differs);
}

// Multiplications and additions of one step, roughly: every parameter meets every position three times.
static double stepOperations(const RunInfo& info) {
  double positions = 0;
  const std::size_t count = std::min<std::size_t>(info.data->validation.size(), 64);
  for (std::size_t i = 0; i < count; ++i) {
    const Example& example = info.data->validation[i];
    positions += static_cast<double>(std::max(example.source.size(), example.target.size()));
    positions += info.data->vectorSize ? static_cast<double>(example.vectors.size()) / info.data->vectorSize : 0.0;
  }
  return count == 0 ? 0 : 6.0 * static_cast<double>(info.parameters) * info.options.batch * positions / count;
}

void SetupPanel::rememberSpeed() {
  const Snapshot& now = m_session.snapshot();
  if (now.step < 50 || now.seconds <= 0) return;
  const double speed = stepOperations(*now.info) * static_cast<double>(now.step) / now.seconds;
  if (speed > 0) settings().setValue("engine/operationsPerSecond", speed);
}

void SetupPanel::refreshCost() {
  const Snapshot& now = m_session.snapshot();
  if (!now.info) return;
  QString cost = tr("%1 parameters · %2").arg(countText(now.info->parameters), bytesText(now.info->memoryBytes));
  if (now.step == 0) {
    const double speed = std::max(1e8, settings().value("engine/operationsPerSecond", 1.5e10).toDouble());
    const double seconds = stepOperations(*now.info) / speed;
    const long steps = now.info->options.steps.value_or(1000);
    cost += tr("\nabout %1 for %2 steps").arg(durationText(std::max(1.0, steps * seconds)), countText(steps));
  }
  if (m_cost->text() != cost) m_cost->setText(cost);
  if (now.state == RunState::Paused) rememberSpeed();
}

}  // namespace attnscope
