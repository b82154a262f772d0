#include "core/models/json_reader.h"

#include <cmath>

#include "core/base/error.h"
#include "core/base/json_text.h"
#include "core/base/text.h"

namespace attnscope {
namespace {

std::string joined(const std::vector<std::string>& names) {
  std::string text;
  for (const auto& name : names) text += (text.empty() ? "" : ", ") + name;
  return text;
}

std::string shown(const Json& value) { return excerpt(jsonText(value)); }

constexpr int kLargest = 1 << 24;

}  // namespace

JsonReader::JsonReader(const Json& json, std::string path) : m_json(&json), m_path(std::move(path)) {
  if (!json.is_object()) throw Error(ErrorKind::BadInput, m_path, "an object { … } is needed here");
}

void JsonReader::fail(const std::string& key, const std::string& message) const {
  throw Error(ErrorKind::BadInput, pathOf(key), message);
}

const Json* JsonReader::take(const std::string& key) {
  m_asked.insert(key);
  const auto found = m_json->find(key);
  return found == m_json->end() ? nullptr : &*found;
}

int JsonReader::positive(const std::string& key) {
  const Json* value = take(key);
  if (!value) fail(key, "is missing; a whole number of at least 1 is needed");
  if (!value->is_number_integer() || *value < 1 || *value > kLargest)
    fail(key, "must be a whole number from 1 to " + std::to_string(kLargest) + ", not " + shown(*value));
  return value->get<int>();
}

int JsonReader::positive(const std::string& key, int fallback) {
  return has(key) ? positive(key) : (take(key), fallback);
}

double JsonReader::positiveNumber(const std::string& key, double fallback) {
  const Json* value = take(key);
  if (!value) return fallback;
  if (!value->is_number() || !std::isfinite(value->get<double>()) || value->get<double>() <= 0)
    fail(key, "must be a number above 0, not " + shown(*value));
  return value->get<double>();
}

bool JsonReader::boolean(const std::string& key, bool fallback) {
  const Json* value = take(key);
  if (!value) return fallback;
  if (!value->is_boolean()) fail(key, "must be true or false, not " + shown(*value));
  return value->get<bool>();
}

std::string JsonReader::string(const std::string& key, std::optional<std::string> fallback) {
  const Json* value = take(key);
  if (!value && fallback) return *fallback;
  if (!value) fail(key, "is missing");
  if (!value->is_string()) fail(key, "must be a string, not " + shown(*value));
  return value->get<std::string>();
}

int JsonReader::choice(const std::string& key, const std::vector<std::string>& names, std::optional<int> fallback) {
  const Json* value = take(key);
  if (!value && fallback) return *fallback;
  if (!value) fail(key, "is missing; one of " + joined(names) + " is needed");
  if (value->is_string())
    for (std::size_t i = 0; i < names.size(); ++i)
      if (*value == names[i]) return static_cast<int>(i);
  fail(key, "must be one of " + joined(names) + ", not " + shown(*value));
}

const Json& JsonReader::object(const std::string& key) {
  const Json* value = take(key);
  if (!value) fail(key, "is missing");
  return *value;
}

void JsonReader::meaningless(const std::string& key, const std::string& reason, const Json& defaultValue) {
  const Json* value = take(key);
  if (value && (defaultValue.is_null() ? !value->is_null() : *value != defaultValue))
    fail(key, "has no meaning " + reason + "; take it out");
}

void JsonReader::finish() const {
  for (const auto& [key, value] : m_json->items())
    if (!m_asked.contains(key)) fail(key, "is not a known key here");
}

}  // namespace attnscope
