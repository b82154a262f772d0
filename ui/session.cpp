#include "ui/session.h"

#include <algorithm>

#include "core/base/error.h"
#include "core/trace/trace_json.h"
#include "ui/format.h"
#include "ui/run_spec.h"

namespace attnscope {

Session::Session(QObject* parent) : QObject(parent), m_snapshot(std::make_shared<Snapshot>()) {
  m_worker =
      std::make_unique<Worker>([this] { QMetaObject::invokeMethod(this, &Session::pull, Qt::QueuedConnection); });
}

Session::~Session() { m_worker.reset(); }

const TraceExample* Session::traceExample() const {
  if (!m_trace || m_trace->examples.empty()) return nullptr;
  const int index = m_traceFile.isEmpty() ? 0 : m_exampleIndex;
  return &m_trace->examples[std::clamp<std::size_t>(index, 0, m_trace->examples.size() - 1)];
}

int Session::stepCount() const {
  const TraceExample* example = traceExample();
  if (!example) return 0;
  if (!example->sites.empty()) return example->sites.front().rows;
  return static_cast<int>(std::max(example->outputs.size(), example->target.size()));
}

bool Session::decodes() const {
  const TraceExample* example = traceExample();
  if (example && !example->sites.empty()) return example->sites.front().rowAxis.name == "target";
  return m_trace && m_trace->config.is_object() && m_trace->config.value("family", "") == "seq2seq";
}

QString Session::traceError() const { return m_traceFile.isEmpty() ? text(m_snapshot->traceError) : QString(); }

long Session::unsavedSteps() const { return m_snapshot->info ? m_snapshot->step - m_savedStep : 0; }

static QString finishText(const Snapshot& snapshot) {
  if (snapshot.message == "steps") return Session::tr("its %1 steps are done").arg(countText(snapshot.step));
  if (snapshot.message == "accuracy") return Session::tr("the accuracy asked for is reached");
  if (snapshot.message == "patience") return Session::tr("validation has stopped improving");
  if (snapshot.message == "epochs") return Session::tr("its epochs are done");
  if (snapshot.message == "seconds") return Session::tr("its time is over");
  return text(snapshot.message);
}

void Session::pull() {
  const std::shared_ptr<const Snapshot> before = std::exchange(m_snapshot, m_worker->takeSnapshot());
  const bool replaced = m_snapshot->generation != before->generation || m_snapshot->info != before->info;
  if (replaced) takeRun(*before);

  const std::size_t first = m_history.size();
  std::vector<HistoryPoint> more = m_worker->historySince(first);
  m_history.insert(m_history.end(), std::make_move_iterator(more.begin()), std::make_move_iterator(more.end()));
  if (replaced || m_history.size() > first) Q_EMIT historyChanged(first);

  takeTrace();
  if (m_snapshot->saves != before->saves) {
    if (m_snapshot->saveError.empty()) {
      m_savedStep = m_snapshot->step;
      Q_EMIT saved(m_savingTo);
    } else {
      Q_EMIT failed(text(m_snapshot->saveError));
    }
  }
  if (m_snapshot->messages != before->messages && !m_snapshot->message.empty()) {
    if (m_snapshot->state == RunState::Finished)
      Q_EMIT finished(finishText(*m_snapshot));
    else
      Q_EMIT failed(text(m_snapshot->message));
  }
  Q_EMIT snapshotChanged();
}

void Session::takeRun(const Snapshot& before) {
  m_history.clear();
  if (m_snapshot->info && m_snapshot->info != before.info) m_spec = specOf(*m_snapshot->info);
  m_savedStep = m_snapshot->info && m_snapshot->info->fromModelFile ? m_snapshot->step : 0;
  if (m_snapshot->info && before.info && m_snapshot->info->data != before.info->data) {
    m_request.validationExample = 0;
    m_request.text.reset();
    requestTrace();
  }
  Q_EMIT runReplaced();
}

void Session::takeTrace() {
  if (!m_traceFile.isEmpty() || m_snapshot->trace == m_trace) return;
  m_trace = m_snapshot->trace;
  m_exampleIndex = m_request.validationExample;
  Q_EMIT traceChanged();
}

void Session::requestTrace() { m_requestNumber = m_worker->setTraceRequest(m_request); }

void Session::load(RunSpec spec) {
  closeTrace();
  m_worker->load(std::move(spec));
}

void Session::openModel(const std::filesystem::path& file) {
  closeTrace();
  m_worker->openModel(file);
}

void Session::openTrace(const std::filesystem::path& file) {
  auto trace = std::make_shared<const Trace>(readTrace(file));
  if (trace->examples.empty())
    throw Error(ErrorKind::BadInput, file.string(), "the trace holds no example; nothing can be shown");
  m_trace = std::move(trace);
  m_traceFile = text(file.string());
  m_exampleIndex = 0;
  Q_EMIT traceChanged();
}

void Session::closeTrace() {
  if (m_traceFile.isEmpty()) return;
  m_traceFile.clear();
  m_trace = m_snapshot->trace;
  m_exampleIndex = m_request.validationExample;
  Q_EMIT traceChanged();
}

void Session::reset() {
  closeTrace();
  m_worker->reset();
}

void Session::train() {
  closeTrace();
  m_worker->train();
}

void Session::pause() { m_worker->pause(); }

void Session::singleStep() {
  closeTrace();
  m_worker->singleStep();
}

void Session::saveModel(const std::filesystem::path& file) {
  m_savingTo = text(file.string());
  m_worker->saveModel(file);
}

void Session::setRate(double rate) {
  m_spec.train.rate = rate;
  m_worker->setRate(rate);
}

void Session::setTemperature(double temperature) {
  if (m_spec.config.contains("attention") && m_spec.config["attention"].is_object())
    m_spec.config["attention"]["temperature"] = temperature;
  m_worker->setTemperature(temperature);
}

void Session::setTeacherForcing(double probability) {
  m_spec.train.teacherForcing = probability;
  m_worker->setTeacherForcing(probability);
}

void Session::setClip(double clip) {
  m_spec.train.clip = clip;
  m_worker->setClip(clip);
}

void Session::showExample(int index) {
  if (!m_traceFile.isEmpty()) {
    const int count = static_cast<int>(m_trace->examples.size());
    m_exampleIndex = ((index % count) + count) % count;
    Q_EMIT traceChanged();
    return;
  }
  const int count = info() && info()->data ? static_cast<int>(info()->data->validation.size()) : 0;
  if (count == 0) return;
  m_request.validationExample = ((index % count) + count) % count;
  m_exampleIndex = m_request.validationExample;
  m_request.text.reset();
  requestTrace();
}

void Session::showText(const QString& source) {
  closeTrace();
  m_request.text = source.toStdString();
  requestTrace();
}

void Session::setFree(bool free) {
  m_request.free = free;
  requestTrace();
}

}  // namespace attnscope
