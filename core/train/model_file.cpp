#include "core/train/model_file.h"

#include <cmath>

#include "core/base/error.h"
#include "core/base/json_text.h"
#include "core/models/model.h"

namespace attnscope {
namespace {

std::string shapeText(const std::vector<std::int64_t>& shape) {
  std::string text = "[";
  for (std::size_t i = 0; i < shape.size(); ++i) text += (i ? "," : "") + std::to_string(shape[i]);
  return text + "]";
}

bool isCaseTensor(const std::string& name) { return name.starts_with("input.") || name.starts_with("expect."); }

Json parsedMetadata(const TensorFile& content, const std::string& key, const std::string& place) {
  const auto found = content.metadata.find(key);
  if (found == content.metadata.end()) return nullptr;
  Json json = Json::parse(found->second, nullptr, false);
  if (json.is_discarded()) throw Error(ErrorKind::BadInput, place + ": metadata " + key, "is not valid JSON");
  return json;
}

std::vector<std::string> storedStrings(const TensorFile& content, const std::string& key, const std::string& place) {
  const Json json = parsedMetadata(content, key, place);
  std::vector<std::string> strings;
  if (json.is_null()) return strings;
  const Error bad(ErrorKind::BadInput, place + ": metadata " + key, "must be a list of strings");
  if (!json.is_array()) throw bad;
  for (const auto& item : json) {
    if (!item.is_string()) throw bad;
    strings.push_back(item.get<std::string>());
  }
  return strings;
}

Vocabulary storedVocabulary(const TensorFile& content, const std::string& side, int size, const std::string& place) {
  std::string key = "attnscope.vocabulary." + side;
  if (!content.metadata.contains(key)) key = "attnscope.vocabulary";
  const auto tokens = storedStrings(content, key, place);
  if (static_cast<int>(tokens.size()) != size)
    throw Error(ErrorKind::BadInput, place + ": metadata " + key,
                std::to_string(size) + " tokens are needed, " + std::to_string(tokens.size()) +
                    " found; a model without its vocabulary cannot read text");
  return Vocabulary(tokens);
}

void readVocabularies(const TensorFile& content, const ModelConfig& config, const std::string& place,
                      ModelFile& model) {
  if (config.family == "seq2seq") {
    model.source = storedVocabulary(content, "source", config.seq2seq.sourceVocabulary, place);
    model.target = storedVocabulary(content, "target", config.seq2seq.targetVocabulary, place);
    return;
  }
  if (config.recurrent.tokens) model.source = storedVocabulary(content, "source", config.recurrent.vocabulary, place);
  model.labels = storedStrings(content, "attnscope.labels", place);
  const bool classes =
      config.recurrent.outputKind == OutputKind::Class || config.recurrent.outputKind == OutputKind::StepClass;
  if (classes && static_cast<int>(model.labels.size()) != config.recurrent.outputSize)
    throw Error(ErrorKind::BadInput, place + ": metadata attnscope.labels",
                std::to_string(config.recurrent.outputSize) + " class names are needed, " +
                    std::to_string(model.labels.size()) + " found");
}

}  // namespace

Json storedConfig(const TensorFile& content, const std::string& place) {
  const Json config = parsedMetadata(content, "attnscope.config", place);
  if (config.is_null())
    throw Error(ErrorKind::BadInput, place, "has no metadata attnscope.config: this is no model of Attnscope");
  return config;
}

template <class S>
void loadWeights(const TensorFile& content, const ParameterLayout& layout, const std::string& place, S* values) {
  for (const auto& info : layout.list()) {
    const std::string where = place + ": tensor " + info.name;
    const StoredTensor* tensor = content.find(info.name);
    if (!tensor) throw Error(ErrorKind::BadInput, where, "is missing");
    const std::vector<std::int64_t> shape(info.shape.begin(), info.shape.end());
    if (tensor->shape != shape)
      throw Error(ErrorKind::BadInput, where,
                  "has shape " + shapeText(tensor->shape) + ", the configuration needs " + shapeText(shape));
    if (tensor->numbers.size() != info.count()) throw Error(ErrorKind::BadInput, where, "must hold floating numbers");
    for (std::size_t i = 0; i < info.count(); ++i) {
      const S value = static_cast<S>(tensor->numbers[i]);
      if (!std::isfinite(value)) throw Error(ErrorKind::BadInput, where, "holds a number that is not finite");
      values[info.offset + i] = value;
    }
  }
  for (const auto& tensor : content.tensors)
    if (!isCaseTensor(tensor.name) && !layout.tryFind(tensor.name))
      throw Error(ErrorKind::BadInput, place + ": tensor " + tensor.name, "is none of this configuration's");
}

template void loadWeights(const TensorFile&, const ParameterLayout&, const std::string&, float*);
template void loadWeights(const TensorFile&, const ParameterLayout&, const std::string&, double*);

ModelFile readModelFile(const std::filesystem::path& file) {
  const std::string place = file.string();
  const TensorFile content = readSafetensors(file);
  ModelFile model;
  model.config = storedConfig(content, place);
  ModelConfig config;
  ParameterLayout layout;
  try {
    config = parseConfig(model.config);
    layout = parameterLayout(config);
  } catch (const Error& error) {
    throw Error(error.kind(), place + ": " + error.place(), error.message());
  }
  model.config = toJson(config);
  readVocabularies(content, config, place, model);
  model.task = parsedMetadata(content, "attnscope.task", place);
  if (!model.task.is_null() && !model.task.is_object())
    throw Error(ErrorKind::BadInput, place + ": metadata attnscope.task", "must be an object");
  model.weights.resize(layout.size());
  loadWeights(content, layout, place, model.weights.data());
  return model;
}

void writeModelFile(const ModelFile& model, const std::filesystem::path& file) {
  const ModelConfig config = parseConfig(model.config);
  const ParameterLayout layout = parameterLayout(config);
  ATTNSCOPE_CHECK(model.weights.size() == layout.size(), std::to_string(model.weights.size()));
  TensorFile content;
  content.metadata["attnscope.config"] = jsonText(model.config);
  const bool seq2seq = config.family == "seq2seq";
  if (seq2seq || config.recurrent.tokens)
    content.metadata["attnscope.vocabulary.source"] = jsonText(model.source.tokens());
  if (seq2seq) content.metadata["attnscope.vocabulary.target"] = jsonText(model.target.tokens());
  if (!model.labels.empty()) content.metadata["attnscope.labels"] = jsonText(model.labels);
  if (!model.task.is_null()) content.metadata["attnscope.task"] = jsonText(model.task);
  for (const auto& info : layout.list()) {
    StoredTensor tensor;
    tensor.name = info.name;
    tensor.type = TensorType::F32;
    tensor.shape.assign(info.shape.begin(), info.shape.end());
    tensor.numbers.assign(model.weights.begin() + info.offset, model.weights.begin() + info.offset + info.count());
    content.tensors.push_back(std::move(tensor));
  }
  writeSafetensors(content, file);
}

}  // namespace attnscope
