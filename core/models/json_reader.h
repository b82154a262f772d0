// Reads one JSON object strictly: every key must be asked for, every problem names its path.
#pragma once

#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "core/base/json.h"

namespace attnscope {

class JsonReader {
 public:
  JsonReader(const Json& json, std::string path);  // Error(BadInput) when `json` is no object

  const std::string& path() const { return m_path; }
  std::string pathOf(const std::string& key) const { return m_path + "." + key; }
  bool has(const std::string& key) const { return m_json->contains(key); }

  int positive(const std::string& key);                            // required, 1 … 2^24
  int positive(const std::string& key, int fallback);
  double positiveNumber(const std::string& key, double fallback);  // finite, > 0
  bool boolean(const std::string& key, bool fallback);
  std::string string(const std::string& key, std::optional<std::string> fallback = {});  // no fallback: required
  // One of the names, as its index; the error lists them all.
  int choice(const std::string& key, const std::vector<std::string>& names, std::optional<int> fallback = {});
  const Json& object(const std::string& key);  // required; may be null
  // `key` means nothing here because of `reason`; it is accepted only when it holds `defaultValue`.
  void meaningless(const std::string& key, const std::string& reason, const Json& defaultValue = {});
  void finish() const;  // Error on keys nobody asked for

  [[noreturn]] void fail(const std::string& key, const std::string& message) const;

 private:
  const Json* take(const std::string& key);  // nullptr where absent
  const Json* m_json;
  std::string m_path;
  std::set<std::string> m_asked;
};

}  // namespace attnscope
