// The window's one hand on the engine: owns the Worker, keeps its newest snapshot and the whole history, and shows
// either the model's trace or that of a trace file. Everything here happens on the GUI thread.
#pragma once

#include <QObject>
#include <QString>
#include <filesystem>
#include <memory>
#include <vector>

#include "core/train/worker.h"
#include "ui/selection.h"

namespace attnscope {

class Session : public QObject {
  Q_OBJECT
 public:
  explicit Session(QObject* parent = nullptr);
  ~Session() override;

  const Snapshot& snapshot() const { return *m_snapshot; }
  const RunInfo* info() const { return m_snapshot->info.get(); }
  const std::vector<HistoryPoint>& history() const { return m_history; }
  const RunSpec& spec() const { return m_spec; }  // what runs, live changes included
  Selection& selection() { return m_selection; }

  // The trace on show (null before the first) and which of its examples.
  const std::shared_ptr<const Trace>& trace() const { return m_trace; }
  const TraceExample* traceExample() const;
  int exampleIndex() const { return m_exampleIndex; }
  int stepCount() const;                             // steps of the example on show
  bool decodes() const;                              // they are a decoder's
  QString traceFile() const { return m_traceFile; }  // empty: the model's own trace
  QString traceError() const;                        // why what was asked for cannot be traced
  bool isTraining() const { return m_snapshot->state == RunState::Training; }
  long unsavedSteps() const;  // steps trained since the start or the last save
  bool hasUnsavedTraining() const { return unsavedSteps() > 5; }

  void load(RunSpec spec);
  void openModel(const std::filesystem::path& file);
  void openTrace(const std::filesystem::path& file);  // throws Error
  void closeTrace();
  void reset();
  void train();
  void pause();
  void singleStep();
  void saveModel(const std::filesystem::path& file);  // answered by saved() or failed()
  void setRate(double rate);
  void setTemperature(double temperature);
  void setTeacherForcing(double probability);
  void setClip(double clip);

  // Which example is traced. Going to another example leaves typed text.
  void showExample(int index);
  void showText(const QString& source);
  void setFree(bool free);
  bool isFree() const { return m_request.free; }
  bool isTyped() const { return m_request.text.has_value(); }

 Q_SIGNALS:
  void snapshotChanged();
  void runReplaced();                      // other data or another model, or fresh weights
  void historyChanged(std::size_t first);  // new points from this index; 0: all of them
  void traceChanged();
  void saved(const QString& file);
  void finished(const QString& reason);  // training has reached a bound it was given
  void failed(const QString& message);   // a load, a save or training went wrong

 private:
  void pull();
  void takeRun(const Snapshot& before);
  void takeTrace();
  void requestTrace();

  std::shared_ptr<const Snapshot> m_snapshot;
  std::vector<HistoryPoint> m_history;
  RunSpec m_spec;
  Selection m_selection;
  std::shared_ptr<const Trace> m_trace;
  QString m_traceFile;
  TraceRequest m_request;
  std::uint64_t m_requestNumber = 0;
  int m_exampleIndex = 0;
  long m_savedStep = 0;
  QString m_savingTo;
  std::unique_ptr<Worker> m_worker;  // last: its thread calls back into the members above
};

}  // namespace attnscope
