#include "ui/run_spec.h"

#include <QStringList>
#include <algorithm>
#include <map>
#include <thread>

#include "core/base/error.h"
#include "core/models/config.h"
#include "core/train/data_spec.h"
#include "ui/format.h"

namespace attnscope {

int windowThreads() { return std::max(1, static_cast<int>(std::thread::hardware_concurrency()) - 1); }

RunSpec defaultSpec(const std::string& name) {
  const Task& task = findTask(name);
  RunSpec spec;
  spec.data.task = name;
  spec.data.taskOptions = task.defaults;
  spec.config = task.config(task.defaults);
  spec.train = trainOptionsFrom(task.training);
  spec.train.threads = windowThreads();
  return spec;
}

RunSpec specOf(const RunInfo& info) {
  RunSpec spec;
  spec.config = info.config;
  spec.train = info.options;
  try {
    spec.data = dataSpecFrom(info.data->origin, info.data->name);
  } catch (const Error&) {
    // A model from elsewhere: it can be looked at, and says itself why it cannot be trained.
  }
  return spec;
}

using Flat = std::map<std::string, std::string>;

static void flatten(const Json& json, const std::string& path, Flat& out) {
  if (json.is_object()) {
    for (const auto& [key, value] : json.items()) flatten(value, path.empty() ? key : path + '.' + key, out);
  } else {
    out[path] = json.is_string() ? json.get<std::string>() : json.dump();
  }
}

static Flat flatConfig(const Json& config) {
  Flat flat;
  flatten(toJson(parseConfig(config)), "", flat);
  for (const char* size : {"source_vocabulary", "target_vocabulary", "input.vocabulary", "input.size", "output.size"})
    flat.erase(size);
  return flat;
}

static QString quoted(const QString& word) {
  const auto plain = [](QChar c) { return c.isLetterOrNumber() || QStringLiteral("-_./=:,+@%").contains(c); };
  if (!word.isEmpty() && std::all_of(word.begin(), word.end(), plain)) return word;
  QString inner = word;
  return QLatin1Char('\'') + inner.replace(QLatin1Char('\''), QStringLiteral("'\\''")) + QLatin1Char('\'');
}

static void addData(const DataSpec& data, QStringList& words) {
  if (!data.task.empty()) {
    words << "--task" << text(data.task);
    const Task& task = findTask(data.task);
    const TaskOptions options = data.taskOptions.value_or(task.defaults);
    if (options.minLength != task.defaults.minLength || options.maxLength != task.defaults.maxLength)
      words << "--lengths" << QStringLiteral("%1-%2").arg(options.minLength).arg(options.maxLength);
    if (options.symbols != task.defaults.symbols) words << "--symbols" << QString::number(options.symbols);
    return;
  }
  words << "--data";
  for (const auto& file : data.text.files) words << text(file.string());
  if (!data.text.sourceColumn.empty()) words << "--source-column" << text(data.text.sourceColumn);
  if (!data.text.targetColumn.empty()) words << "--target-column" << text(data.text.targetColumn);
  if (data.text.tokenizer) words << "--tokenizer" << tokenizerName(*data.text.tokenizer);
  if (data.text.lowercase) words << "--lowercase";
  const TextDataOptions usual;
  const auto add = [&words](const char* name, double value, double before) {
    if (value != before) words << name << shortNumber(value);
  };
  add("--max-length", data.text.maxLength, usual.maxLength);
  add("--max-vocabulary", data.text.maxVocabulary, usual.maxVocabulary);
  add("--min-count", data.text.minCount, usual.minCount);
  if (data.text.validationFile)
    words << "--validation" << text(data.text.validationFile->string());
  else
    add("--validation", data.text.validationFraction, usual.validationFraction);
  if (data.text.skipBadRows) words << "--skip-bad-rows";
}

static void addConfig(const RunSpec& spec, QStringList& words) {
  if (spec.config.is_null()) return;
  Flat usual;
  if (!spec.data.task.empty()) {
    const Task& task = findTask(spec.data.task);
    usual = flatConfig(task.config(spec.data.taskOptions.value_or(task.defaults)));
  }
  for (const auto& [path, value] : flatConfig(spec.config)) {
    const auto found = usual.find(path);
    if (found == usual.end() || found->second != value) words << "--set" << text(path + '=' + value);
  }
}

static void addTraining(const RunSpec& spec, QStringList& words) {
  TrainOptions usual;
  if (!spec.data.task.empty()) usual = trainOptionsFrom(findTask(spec.data.task).training);
  const TrainOptions& train = spec.train;
  const auto add = [&words](const char* name, double value, double before) {
    if (value != before) words << name << shortNumber(value);
  };
  if (train.optimizer != usual.optimizer) words << "--optimizer" << optimizerName(train.optimizer);
  add("--rate", train.rate, usual.rate);
  add("--momentum", train.momentum, usual.momentum);
  add("--weight-decay", train.weightDecay, usual.weightDecay);
  add("--warmup", static_cast<double>(train.warmup), static_cast<double>(usual.warmup));
  add("--clip", train.clip, usual.clip);
  add("--batch", train.batch, usual.batch);
  add("--teacher-forcing", train.teacherForcing, usual.teacherForcing);
  if (train.seed != usual.seed) words << "--seed" << QString::number(train.seed);
  if (train.steps && train.steps != usual.steps) words << "--steps" << QString::number(*train.steps);
}

QString commandLine(const RunSpec& spec) {
  QStringList words = {"attnscope", "train"};
  addData(spec.data, words);
  addConfig(spec, words);
  addTraining(spec, words);
  for (QString& word : words) word = quoted(word);
  return words.join(QLatin1Char(' '));
}

}  // namespace attnscope
