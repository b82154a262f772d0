#include <limits>

#include "ui/panels/setup_sections.h"

namespace attnscope {

TrainingSection::TrainingSection(RunDraft& draft) : FormSection(tr("Training")), m_draft(draft) {
  m_optimizer = new ChoiceField("optimizer", {{"adam", tr("Adam")}, {"momentum", tr("momentum")}, {"sgd", tr("SGD")}});
  addRow(tr("Optimiser"), m_optimizer);
  m_rate = new NumberField("rate", 1e-8, 1000);
  addRow(tr("Rate"), m_rate, tr("Learning rate. Changes the running model at once."));
  m_batch = new WholeField("batch", 1, 4096);
  addRow(tr("Batch"), m_batch, tr("Examples in one training step."));
  m_clip = new NumberField("clip", 0, 1e6);
  addRow(tr("Clip"), m_clip, tr("Largest norm of the gradient; 0: none. Changes the running model at once."));
  m_forcing = new NumberField("teacherForcing", 0, 1);
  addRow(tr("Forcing"), m_forcing,
         tr("Teacher forcing: how often a step is fed the reference instead of the model's own token, 0–1. Changes the "
            "running model at once."));
  m_seed = new WholeField("seed", 0, std::numeric_limits<int>::max());
  addRow(tr("Seed"), m_seed, tr("Decides the first weights and the order of examples: same seed, same run."));

  connect(m_optimizer, &ChoiceField::chosen, this, &TrainingSection::write);
  for (NumberField* field : {m_rate, m_clip, m_forcing})
    connect(field, &QDoubleSpinBox::valueChanged, this, &TrainingSection::write);
  for (WholeField* field : {m_batch, m_seed}) connect(field, &QSpinBox::valueChanged, this, &TrainingSection::write);
  connect(&draft, &RunDraft::changed, this, &TrainingSection::refresh);
}

void TrainingSection::write() {
  TrainOptions options = m_draft.spec().train;
  options.optimizer = optimizerKind(m_optimizer->value().toStdString());
  options.rate = m_rate->value();
  options.batch = m_batch->value();
  options.clip = m_clip->value();
  options.teacherForcing = m_forcing->value();
  options.seed = static_cast<std::uint64_t>(m_seed->value());
  m_draft.setTrain(options);
}

void TrainingSection::refresh() {
  const TrainOptions& options = m_draft.spec().train;
  m_optimizer->show(optimizerName(options.optimizer));
  m_rate->show(options.rate);
  m_batch->show(options.batch);
  m_clip->show(options.clip);
  m_forcing->show(options.teacherForcing);
  m_seed->show(static_cast<int>(options.seed));
  setRowVisible(m_forcing, m_draft.spec().config.value("family", "") == "seq2seq");
}

}  // namespace attnscope
