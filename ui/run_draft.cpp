#include "ui/run_draft.h"

#include "core/attention/tables.h"
#include "core/base/error.h"
#include "ui/format.h"
#include "ui/run_spec.h"

namespace attnscope {

RunDraft::RunDraft(Session& session, QObject* parent) : QObject(parent), m_session(session) {
  connect(&session, &Session::runReplaced, this, &RunDraft::revert);
}

void RunDraft::revert() {
  if (!m_session.info()) return;
  m_spec = m_session.spec();
  check();
}

void RunDraft::check() {
  m_error.clear();
  try {
    m_model = parseConfig(m_spec.config);
    if (const auto attention = m_spec.config.find("attention");
        attention != m_spec.config.end() && attention->is_object())
      m_lastAttention = *attention;
  } catch (const Error& error) {
    m_error = text(error.what());
  }
  if (m_error.isEmpty() && !isTask() && m_spec.data.text.files.empty())
    m_error = tr("The data of this model are not loaded: open its pairs to train another model on them.");
  Q_EMIT changed();
}

static Json comparable(const Json& config) {
  try {
    Json json = toJson(parseConfig(config));
    if (json.contains("attention") && json["attention"].is_object()) json["attention"].erase("temperature");
    return json;
  } catch (const Error&) {
    return config;
  }
}

bool RunDraft::needsNewModel() const {
  const RunSpec& runs = m_session.spec();
  return m_spec.data.task != runs.data.task || m_spec.data.taskOptions != runs.data.taskOptions ||
         m_spec.train.optimizer != runs.train.optimizer || m_spec.train.batch != runs.train.batch ||
         m_spec.train.seed != runs.train.seed || comparable(m_spec.config) != comparable(runs.config);
}

void RunDraft::setTask(const std::string& name) {
  const TrainOptions before = m_spec.train;
  m_spec = defaultSpec(name);
  m_spec.train.seed = before.seed;
  check();
}

void RunDraft::setTaskOptions(const TaskOptions& options) {
  m_spec.data.taskOptions = options;
  // The alphabet decides some sizes of the model, everything else stays as chosen.
  const Json fresh = findTask(m_spec.data.task).config(options);
  for (const char* size : {"source_vocabulary", "target_vocabulary"})
    if (fresh.contains(size)) m_spec.config[size] = fresh[size];
  for (const char* side : {"input", "output"})
    for (const char* size : {"vocabulary", "size"})
      if (fresh.contains(side) && fresh[side].contains(size)) m_spec.config[side][size] = fresh[side][size];
  check();
}

void RunDraft::setConfig(const std::vector<Setting>& settings) {
  try {
    Json config = applySettings(m_spec.config, settings);
    m_spec.config = std::move(config);
    addCompanions();
    check();
  } catch (const Error& error) {
    m_error = text(error.what());
    Q_EMIT changed();
  }
}

void RunDraft::setAttends(bool attends) {
  if (attends)
    m_spec.config["attention"] = m_lastAttention.is_object() ? m_lastAttention : Json{{"score", "dot"}};
  else
    m_spec.config["attention"] = nullptr;
  addCompanions();
  check();
}

// What a choice cannot do without: attention for the attention context, units, a window.
void RunDraft::addCompanions() {
  Json& config = m_spec.config;
  const bool sequences = config.value("family", "") == "seq2seq";
  if (sequences && config.value("context", "attention") == "attention") {
    if (!config.contains("query")) config["query"] = "current";
    if (!config.contains("attention") || !config["attention"].is_object())
      config["attention"] = m_lastAttention.is_object() ? m_lastAttention : Json{{"score", "general"}};
  }
  if (!config.contains("attention") || !config["attention"].is_object()) return;
  Json& attention = config["attention"];
  bool takesUnits = false;
  for (const MechanismInfo& score : scoreTable())
    if (score.name == attention.value("score", "")) takesUnits = score.takesUnits;
  if (takesUnits && !attention.contains("units"))
    attention["units"] = sequences ? config["decoder"].value("hidden", 32) : config.value("hidden", 32);
}

void RunDraft::setTrain(const TrainOptions& options) {
  const TrainOptions before = std::exchange(m_spec.train, options);
  if (options.rate != before.rate) m_session.setRate(options.rate);
  if (options.clip != before.clip) m_session.setClip(options.clip);
  if (options.teacherForcing != before.teacherForcing) m_session.setTeacherForcing(options.teacherForcing);
  check();
}

void RunDraft::apply() { m_session.load(m_spec); }

}  // namespace attnscope
