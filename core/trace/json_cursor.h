// A place in a JSON document that is read strictly: every wrong type or missing key is an Error(BadInput) whose place
// is "FILE: path" ("trace.json: examples[0].sites.decoder.shape").
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/json.h"

namespace attnscope {

// Parses a whole document. Throws Error(BadInput, "place:LINE", …) where it is no JSON, is cut short, holds a number
// that no double can, or is nested deeper than `kDeepestJson` levels (what walks a document recursively stays safe).
inline constexpr int kDeepestJson = 64;
Json parseJson(std::string_view text, const std::string& place);

class JsonCursor {
 public:
  // Keeps references to `json` and `place`: both must live longer.
  JsonCursor(const Json& json, const std::string& place) : m_json(&json), m_place(&place) {}

  bool has(std::string_view key) const;                             // an object with that key whose value is not null
  JsonCursor at(std::string_view key) const;                        // the key must be there
  std::vector<JsonCursor> items() const;                            // of a list
  std::vector<std::pair<std::string, JsonCursor>> members() const;  // of an object, in file order

  bool isString() const { return m_json->is_string(); }
  bool isObject() const { return m_json->is_object(); }
  const Json& json() const { return *m_json; }

  std::string string() const;
  std::vector<std::string> strings() const;
  std::int64_t integer(std::int64_t low, std::int64_t high) const;
  std::uint64_t unsignedInteger() const;
  std::vector<int> integers(int low, int high) const;
  double number() const;  // also "NaN", "Infinity", "-Infinity"; null is NaN
  // As number(), each in the range of a float; `isNull`, where wanted, tells the nulls (missing) from the NaNs.
  std::vector<float> floats(std::vector<bool>* isNull = nullptr) const;

  [[noreturn]] void fail(const std::string& message) const;

 private:
  JsonCursor child(const Json& json, std::string path) const;
  std::string itemPath(std::size_t index) const;
  void need(bool right, const char* what) const;

  const Json* m_json;
  const std::string* m_place;
  std::string m_path;
};

}  // namespace attnscope
