#include "core/train/data_spec.h"

#include <algorithm>

#include "core/base/error.h"
#include "core/base/json_text.h"
#include "core/base/text.h"

namespace attnscope {

std::shared_ptr<const TrainingData> loadData(const DataSpec& spec, std::uint64_t seed) {
  if (!spec.task.empty()) {
    const Task& task = findTask(spec.task);
    return std::make_shared<TrainingData>(taskData(task, spec.taskOptions.value_or(task.defaults), seed));
  }
  TextDataOptions options = spec.text;
  options.seed = seed;
  auto data = std::make_shared<TrainingData>(loadTextData(options));
  // What loading the same data again needs beside what the loader writes down.
  for (const auto& file : options.files) data->origin["paths"].push_back(file.string());
  if (options.validationFile) data->origin["validation_paths"].push_back(options.validationFile->string());
  data->origin["max_vocabulary"] = options.maxVocabulary;
  data->origin["min_count"] = options.minCount;
  data->origin["validation_fraction"] = options.validationFraction;
  data->origin["skip_bad_rows"] = options.skipBadRows;
  return data;
}

namespace {

template <class T>
T valueOr(const Json& json, const char* key, T fallback, const std::string& place) {
  const auto found = json.find(key);
  if (found == json.end() || found->is_null()) return fallback;
  try {
    return found->get<T>();
  } catch (const Json::exception&) {
    throw Error(ErrorKind::BadInput, place + ": attnscope.task." + key,
                "has a wrong type: " + excerpt(jsonText(*found)));
  }
}

DataSpec taskSpec(const Json& origin, const std::string& place) {
  DataSpec spec;
  spec.task = valueOr<std::string>(origin, "task", "", place);
  const Task& task = findTask(spec.task);
  TaskOptions options = task.defaults;
  const Json given = origin.value("options", Json::object());
  if (given.contains("lengths")) parseLengths(valueOr<std::string>(given, "lengths", "", place), options);
  options.symbols = valueOr<int>(given, "symbols", options.symbols, place);
  spec.taskOptions = options;
  return spec;
}

std::vector<std::filesystem::path> pathsOf(const Json& origin, const char* key, const std::string& place) {
  const auto strings = valueOr<std::vector<std::string>>(origin, key, {}, place);
  return {strings.begin(), strings.end()};
}

}  // namespace

DataSpec dataSpecFrom(const Json& origin, const std::string& place) {
  if (!origin.is_object())
    throw Error(ErrorKind::BadInput, place, "does not say what it was trained on; name a task or a data file");
  if (origin.contains("task")) return taskSpec(origin, place);
  DataSpec spec;
  TextDataOptions& text = spec.text;
  text.files = pathsOf(origin, "paths", place);
  if (text.files.empty())
    throw Error(ErrorKind::BadInput, place, "does not say what it was trained on; name a task or a data file");
  if (const auto validation = pathsOf(origin, "validation_paths", place); !validation.empty())
    text.validationFile = validation[0];
  const Json columns = origin.value("columns", Json::object());
  text.sourceColumn = valueOr<std::string>(columns, "source", "", place);
  text.targetColumn = valueOr<std::string>(columns, "target", "", place);
  const TextRule rule = textRule(origin);
  text.tokenizer = rule.tokenizer;
  text.lowercase = rule.lowercase;
  text.maxLength = valueOr<int>(origin, "max_length", text.maxLength, place);
  text.maxVocabulary = valueOr<int>(origin, "max_vocabulary", text.maxVocabulary, place);
  text.minCount = valueOr<int>(origin, "min_count", text.minCount, place);
  text.validationFraction = valueOr<double>(origin, "validation_fraction", text.validationFraction, place);
  text.skipBadRows = valueOr<bool>(origin, "skip_bad_rows", false, place);
  return spec;
}

std::shared_ptr<const TrainingData> dataOf(const ModelFile& model, const std::filesystem::path& file,
                                           std::uint64_t seed, std::string& missing) {
  auto bare = std::make_shared<TrainingData>();
  bare->family = model.config.value("family", "");
  bare->name = file.stem().string();
  bare->source = model.source;
  bare->target = model.target;
  bare->labels = model.labels;
  bare->origin = model.task;
  if (bare->family == "recurrent") {
    bare->vectorSize = model.config["input"].value("size", 0);
    bare->outputKind = model.config["output"].value("kind", "");
  }
  try {
    auto data = loadData(dataSpecFrom(model.task, file.string()), seed);
    const bool fits = data->family == bare->family && data->vectorSize == bare->vectorSize &&
                      (data->outputKind.empty() || data->outputKind == bare->outputKind) &&
                      data->source.tokens() == model.source.tokens() &&
                      data->target.tokens() == model.target.tokens() && data->labels == model.labels;
    if (fits) return data;
    missing = "the data of this model have changed; typed input can be traced, training needs the data as they were";
  } catch (const Error& error) {
    missing = "the data of this model cannot be read (" + std::string(error.what()) + "); typed input can be traced";
  }
  return bare;
}

Json defaultConfig(const DataSpec& spec, const TrainingData& data) {
  if (!spec.task.empty()) {
    const Task& task = findTask(spec.task);
    return task.config(spec.taskOptions.value_or(task.defaults));
  }
  return Json{{"family", "seq2seq"},
              {"source_vocabulary", data.source.size()},
              {"target_vocabulary", data.target.size()},
              {"embedding", 64},
              {"encoder", {{"cell", "gru"}, {"hidden", 128}, {"layers", 1}, {"bidirectional", true}}},
              {"decoder", {{"cell", "gru"}, {"hidden", 128}, {"layers", 1}}},
              {"bridge", "tanh"},
              {"context", "attention"},
              {"query", "previous"},
              {"input_feeding", false},
              // Bounded scores: with general the weights fall onto one token within a few dozen steps of real sentences.
              {"attention",
               {{"score", "additive"}, {"units", 128}, {"normalizer", "softmax"}, {"scope", {{"kind", "global"}}}}}};
}

DataSizes dataSizes(const TrainingData& data) {
  const bool tokens = data.vectorSize == 0;
  return {tokens ? data.source.size() : 0, data.family == "seq2seq" ? data.target.size() : 0, data.vectorSize,
          static_cast<int>(data.labels.size())};
}

Lexicon lexiconOf(const TrainingData& data) { return {data.source, data.target, data.labels}; }

TextRule textRule(const Json& origin) {
  TextRule rule;
  if (!origin.is_object()) return rule;
  const auto tokenizer = origin.find("tokenizer");
  if (tokenizer != origin.end() && tokenizer->is_string())
    rule.tokenizer = tokenizerKind(tokenizer->get<std::string>());
  const auto lowercase = origin.find("lowercase");
  rule.lowercase = lowercase != origin.end() && lowercase->is_boolean() && lowercase->get<bool>();
  return rule;
}

void parseLengths(std::string_view text, TaskOptions& options) {
  const std::size_t dash = text.find('-');
  const auto low = parseInteger(text.substr(0, dash));
  const auto high = dash == std::string_view::npos ? low : parseInteger(text.substr(dash + 1));
  const auto fits = [](const auto& n) { return n && *n >= 1 && *n <= 1'000'000; };
  if (!fits(low) || !fits(high))
    throw Error(ErrorKind::Usage, "lengths", "'" + std::string(text) + "' is no range such as 4-12");
  options.minLength = static_cast<int>(*low);
  options.maxLength = static_cast<int>(*high);
}

}  // namespace attnscope
