// The forms of the set-up panel. Each shows one part of a RunDraft and writes what the user changes into it.
#pragma once

#include "ui/panels/fields.h"
#include "ui/run_draft.h"

class QPushButton;

namespace attnscope {

class DataSection : public FormSection {
  Q_OBJECT
 public:
  explicit DataSection(RunDraft& draft);

 Q_SIGNALS:
  void openRequested();

 private:
  void refresh();
  void writeOptions();

  RunDraft& m_draft;
  ChoiceField* m_task;
  WholeField *m_least, *m_most, *m_symbols;
  QWidget* m_lengths;
  QLabel* m_hint;
};

class ModelSection : public FormSection {
  Q_OBJECT
 public:
  explicit ModelSection(RunDraft& draft);

 private:
  void refresh();
  void addSequenceRows();
  void addRecurrentRows();
  void bind(ChoiceField* field, std::vector<std::string> sequencePaths, std::string recurrentPath = {});
  void bind(WholeField* field, std::string path);

  RunDraft& m_draft;
  QLabel* m_family;
  ChoiceField *m_context, *m_attends, *m_cell, *m_reset, *m_directions, *m_bridge, *m_memory, *m_joins;
  WholeField *m_encoderHidden, *m_encoderLayers, *m_decoderHidden, *m_decoderLayers, *m_embedding;
  WholeField *m_hidden, *m_layers, *m_inputEmbedding;
  QWidget *m_encoderSize, *m_decoderSize, *m_size;
};

class AttentionSection : public FormSection {
  Q_OBJECT
 public:
  AttentionSection(RunDraft& draft, Session& session);

 private:
  void refresh();

  RunDraft& m_draft;
  Session& m_session;
  ChoiceField *m_score, *m_query, *m_feeding, *m_normalizer, *m_scope;
  WholeField* m_units;
  NumberField* m_temperature;
  QLabel* m_formula;
};

class TrainingSection : public FormSection {
  Q_OBJECT
 public:
  explicit TrainingSection(RunDraft& draft);

 private:
  void refresh();
  void write();

  RunDraft& m_draft;
  ChoiceField* m_optimizer;
  NumberField *m_rate, *m_clip, *m_forcing;
  WholeField *m_batch, *m_seed;
};

}  // namespace attnscope
