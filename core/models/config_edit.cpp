// Changing a configuration before it is parsed: sizes that the data decide, and settings of a command line.
#include <algorithm>
#include <set>

#include "core/attention/tables.h"
#include "core/base/error.h"
#include "core/base/json_text.h"
#include "core/base/text.h"
#include "core/models/config.h"

namespace attnscope {
namespace {

// Sets json[key] where absent; where present it must agree with the data.
void fillSize(Json& json, const std::string& path, const char* key, int size) {
  if (size <= 0) return;
  if (!json.contains(key)) {
    json[key] = size;
  } else if (json[key] != size) {
    throw Error(
        ErrorKind::BadInput, path + "." + key,
        "is " + excerpt(jsonText(json[key])) + ", but the data have " + std::to_string(size) + "; leave it out");
  }
}

Json parsedValue(const std::string& text) {
  const Json value = Json::parse(text, nullptr, false);
  return value.is_discarded() ? Json(text) : value;
}

std::vector<std::string> splitPath(const std::string& path) {
  std::vector<std::string> parts(1);
  for (char c : path) {
    if (c == '.')
      parts.emplace_back();
    else
      parts.back() += c;
  }
  return parts;
}

void assign(Json& config, const Setting& setting) {
  const auto parts = splitPath(setting.path);
  Json* place = &config;
  for (std::size_t i = 0; i < parts.size(); ++i) {
    if (parts[i].empty()) throw Error(ErrorKind::Usage, setting.path, "a path like encoder.hidden is needed");
    if (!place->is_object() && !place->is_null())
      throw Error(ErrorKind::Usage, setting.path,
                  "'" + (i == 0 ? "config" : parts[i - 1]) + "' is a value, not a group of settings");
    place = &(*place)[parts[i]];
  }
  *place = parsedValue(setting.value);
}

const MechanismInfo* findScore(const Json& name) {
  for (const auto& row : scoreTable())
    if (name.is_string() && name == std::string(row.name)) return &row;
  return nullptr;
}

class Settler {
 public:
  Settler(Json& config, const std::vector<Setting>& settings) : m_config(config) {
    for (const auto& setting : settings) m_given.insert(setting.path);
  }

  void settle() {
    dropForeignKeys();
    if (is("family", "seq2seq")) {
      dropUnless(m_config, "", "query", is("context", "attention"));
      dropUnless(m_config, "", "attention", is("context", "attention"));
      dropUnless(m_config, "", "input_feeding", is("context", "attention") && is("query", "current"));
      settleCell("encoder");
      settleCell("decoder");
    } else {
      settleReset(m_config, "");
    }
    settleScore();
  }

 private:
  bool given(const std::string& path) const {
    return std::any_of(m_given.begin(), m_given.end(),
                       [&](const std::string& one) { return one == path || one.starts_with(path + "."); });
  }
  bool is(const char* key, const char* value) const { return m_config.value(key, Json()) == value; }

  void dropUnless(Json& group, const std::string& prefix, const char* key, bool keep) {
    if (!keep && !given(prefix + key)) group.erase(key);
  }

  void settleReset(Json& group, const std::string& prefix) {
    dropUnless(group, prefix, "reset", group.value("cell", Json()) == "gru");
  }
  void settleCell(const char* key) {
    if (m_config.contains(key) && m_config[key].is_object()) settleReset(m_config[key], std::string(key) + ".");
  }

  // Units go with the scores that have them; where they are missing the decoder's size is a sound choice.
  void settleScore() {
    if (!m_config.contains("attention") || !m_config["attention"].is_object()) return;
    Json& attention = m_config["attention"];
    for (const char* key : {"memory", "joins"}) dropUnless(attention, "attention.", key, !is("family", "seq2seq"));
    const MechanismInfo* score = findScore(attention.value("score", Json()));
    if (!score) return;
    dropUnless(attention, "attention.", "units", score->takesUnits);
    if (!score->takesUnits || attention.contains("units")) return;
    const Json& cell = m_config.contains("decoder") ? m_config["decoder"] : m_config;
    if (cell.is_object() && cell.contains("hidden")) attention["units"] = cell["hidden"];
  }

  void dropForeignKeys() {
    if (!given("family")) return;
    static const std::set<std::string> seq2seq{
        "family", "source_vocabulary", "target_vocabulary", "embedding", "encoder", "decoder", "bridge", "context",
        "query",  "input_feeding",     "attention"};
    static const std::set<std::string> recurrent{"family", "input", "cell",      "hidden",
                                                 "layers", "reset", "attention", "output"};
    const auto& known = m_config["family"] == "seq2seq" ? seq2seq : recurrent;
    std::vector<std::string> foreign;
    for (const auto& item : m_config.items())
      if (!known.contains(item.key()) && !given(item.key())) foreign.push_back(item.key());
    for (const std::string& key : foreign) m_config.erase(key);
  }

  Json& m_config;
  std::set<std::string> m_given;
};

}  // namespace

Json completeConfig(Json config, const DataSizes& sizes) {
  if (!config.is_object()) throw Error(ErrorKind::BadInput, "config", "an object { … } is needed here");
  if (config.value("family", Json()) == "seq2seq") {
    fillSize(config, "config", "source_vocabulary", sizes.sourceVocabulary);
    fillSize(config, "config", "target_vocabulary", sizes.targetVocabulary);
    return config;
  }
  if (config.contains("input") && config["input"].is_object()) {
    Json& input = config["input"];
    const bool tokens = input.value("kind", Json()) == "token";
    if (tokens)
      fillSize(input, "config.input", "vocabulary", sizes.sourceVocabulary);
    else
      fillSize(input, "config.input", "size", sizes.vectorSize);
  }
  if (config.contains("output") && config["output"].is_object())
    fillSize(config["output"], "config.output", "size", sizes.classes);
  return config;
}

Json applySettings(Json config, const std::vector<Setting>& settings) {
  for (const auto& setting : settings) assign(config, setting);
  if (!settings.empty()) Settler(config, settings).settle();
  return config;
}

}  // namespace attnscope
