// The set-up as it is being edited: a run specification beside the one that runs. Knows whether it can be built,
// and whether it needs a new model.
#pragma once

#include <QObject>
#include <QString>
#include <string>
#include <vector>

#include "core/models/config.h"
#include "ui/session.h"

namespace attnscope {

class RunDraft : public QObject {
  Q_OBJECT
 public:
  explicit RunDraft(Session& session, QObject* parent = nullptr);

  const RunSpec& spec() const { return m_spec; }
  const ModelConfig& model() const { return m_model; }  // of the newest draft that could be read
  bool isTask() const { return !m_spec.data.task.empty(); }
  QString error() const { return m_error; }  // one line; empty: can be built
  bool needsNewModel() const;                // differs from what runs in more than the live options

  void setTask(const std::string& name);
  void setTaskOptions(const TaskOptions& options);
  void setConfig(const std::vector<Setting>& settings);
  void setAttends(bool attends);               // recurrent: attention, or the plain network
  void setTrain(const TrainOptions& options);  // live options go to the running model at once
  void apply();                                // starts a new model
  void revert();                               // back to what runs

 Q_SIGNALS:
  void changed();

 private:
  void check();
  void addCompanions();

  Session& m_session;
  RunSpec m_spec;
  ModelConfig m_model;
  Json m_lastAttention;  // comes back when attention is chosen again
  QString m_error;
};

}  // namespace attnscope
