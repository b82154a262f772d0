#include "core/trace/json_cursor.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "core/base/error.h"

namespace attnscope {
namespace {

// The deepest nesting, counted without parsing: brackets outside strings.
int nesting(std::string_view text) {
  int depth = 0, deepest = 0;
  bool inString = false;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const char c = text[i];
    if (inString) {
      if (c == '\\') ++i;
      inString = c != '"';
    } else if (c == '"') {
      inString = true;
    } else if (c == '{' || c == '[') {
      deepest = std::max(deepest, ++depth);
    } else if (c == '}' || c == ']') {
      --depth;
    }
  }
  return deepest;
}

// The library's reason without its own prefix and without the token it quotes, which may be as long as the file.
std::string reasonOf(const std::string& what) {
  std::string reason = what.substr(0, what.find("; last read"));
  const std::size_t column = reason.find("column ");
  const std::size_t colon = column == std::string::npos ? column : reason.find(": ", column);
  return colon == std::string::npos ? "it breaks off or is damaged" : reason.substr(colon + 2);
}

std::string lineOf(std::string_view text, std::size_t byte) {
  const auto end = text.begin() + static_cast<std::ptrdiff_t>(std::min(byte, text.size()));
  return std::to_string(1 + std::count(text.begin(), end, '\n'));
}

// Keys as they are where they read as a path, else quoted; never longer than a line.
std::string keyPath(std::string_view key) {
  const auto plain = [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' || c == '.' ||
           c == '-';
  };
  if (!key.empty() && key.size() <= 60 && std::all_of(key.begin(), key.end(), plain)) return std::string(key);
  return Json(key.substr(0, 60)).dump(-1, ' ', true, Json::error_handler_t::replace);
}

std::string kindOf(const Json& json) {
  if (json.is_null()) return "null";
  if (json.is_object()) return "an object";
  if (json.is_array()) return "a list";
  if (json.is_string()) return "a string";
  if (json.is_boolean()) return "true or false";
  return "a number";
}

bool specialNumber(const Json& json, double& value) {
  if (json.is_null()) {
    value = std::numeric_limits<double>::quiet_NaN();
    return true;
  }
  if (!json.is_string()) return false;
  const std::string& text = json.get_ref<const std::string&>();
  if (text == "NaN") {
    value = std::numeric_limits<double>::quiet_NaN();
  } else if (text == "Infinity") {
    value = std::numeric_limits<double>::infinity();
  } else if (text == "-Infinity") {
    value = -std::numeric_limits<double>::infinity();
  } else {
    return false;
  }
  return true;
}

}  // namespace

Json parseJson(std::string_view text, const std::string& place) {
  if (nesting(text) > kDeepestJson) {
    throw Error(ErrorKind::BadInput, place,
                "the JSON is nested deeper than " + std::to_string(kDeepestJson) + " levels");
  }
  try {
    return Json::parse(text);
  } catch (const Json::parse_error& error) {
    throw Error(ErrorKind::BadInput, place + ":" + lineOf(text, error.byte), "not JSON: " + reasonOf(error.what()));
  } catch (const Json::exception&) {
    throw Error(ErrorKind::BadInput, place, "the JSON holds a number that is too large");
  }
}

JsonCursor JsonCursor::child(const Json& json, std::string path) const {
  JsonCursor cursor(json, *m_place);
  cursor.m_path = std::move(path);
  return cursor;
}

std::string JsonCursor::itemPath(std::size_t index) const { return m_path + "[" + std::to_string(index) + "]"; }

void JsonCursor::fail(const std::string& message) const {
  throw Error(ErrorKind::BadInput, m_path.empty() ? *m_place : *m_place + ": " + m_path, message);
}

void JsonCursor::need(bool right, const char* what) const {
  if (!right) fail(std::string(what) + " is needed here, not " + kindOf(*m_json));
}

bool JsonCursor::has(std::string_view key) const {
  if (!m_json->is_object()) return false;
  const auto found = m_json->find(key);
  return found != m_json->end() && !found->is_null();
}

JsonCursor JsonCursor::at(std::string_view key) const {
  need(m_json->is_object(), "an object");
  const auto found = m_json->find(key);
  if (found == m_json->end()) fail("the key \"" + std::string(key) + "\" is missing");
  return child(*found, m_path.empty() ? keyPath(key) : m_path + "." + keyPath(key));
}

std::vector<JsonCursor> JsonCursor::items() const {
  need(m_json->is_array(), "a list");
  std::vector<JsonCursor> cursors;
  cursors.reserve(m_json->size());
  for (const Json& item : *m_json) cursors.push_back(child(item, itemPath(cursors.size())));
  return cursors;
}

std::vector<std::pair<std::string, JsonCursor>> JsonCursor::members() const {
  need(m_json->is_object(), "an object");
  std::vector<std::pair<std::string, JsonCursor>> cursors;
  const std::string prefix = m_path.empty() ? "" : m_path + ".";
  for (const auto& [key, value] : m_json->items()) cursors.emplace_back(key, child(value, prefix + keyPath(key)));
  return cursors;
}

std::string JsonCursor::string() const {
  need(m_json->is_string(), "a string");
  return m_json->get<std::string>();
}

std::vector<std::string> JsonCursor::strings() const {
  need(m_json->is_array(), "a list of strings");
  std::vector<std::string> values;
  values.reserve(m_json->size());
  for (const Json& item : *m_json) {
    if (!item.is_string()) child(item, itemPath(values.size())).need(false, "a string");
    values.push_back(item.get<std::string>());
  }
  return values;
}

std::int64_t JsonCursor::integer(std::int64_t low, std::int64_t high) const {
  need(m_json->is_number(), "a whole number");
  const bool fits = m_json->is_number_integer() &&
                    !(m_json->is_number_unsigned() && m_json->get<std::uint64_t>() > std::uint64_t{INT64_MAX});
  const std::int64_t value = fits ? m_json->get<std::int64_t>() : 0;
  if (!fits || value < low || value > high) {
    fail("a whole number from " + std::to_string(low) + " to " + std::to_string(high) + " is needed, not " +
         m_json->dump());
  }
  return value;
}

std::uint64_t JsonCursor::unsignedInteger() const {
  need(m_json->is_number(), "a whole number");
  if (!m_json->is_number_unsigned()) fail("a whole number from 0 is needed, not " + m_json->dump());
  return m_json->get<std::uint64_t>();
}

std::vector<int> JsonCursor::integers(int low, int high) const {
  std::vector<int> values;
  for (const JsonCursor& item : items()) values.push_back(static_cast<int>(item.integer(low, high)));
  return values;
}

double JsonCursor::number() const {
  double value = 0;
  if (specialNumber(*m_json, value)) return value;
  if (m_json->is_string()) fail("only \"NaN\", \"Infinity\" and \"-Infinity\" are numbers as strings");
  need(m_json->is_number(), "a number");
  return m_json->get<double>();
}

std::vector<float> JsonCursor::floats(std::vector<bool>* isNull) const {
  need(m_json->is_array(), "a list of numbers");
  std::vector<float> values;
  values.reserve(m_json->size());
  for (const Json& item : *m_json) {
    // Without a cursor for each of what may be millions of numbers.
    const double value = item.is_number() ? item.get<double>() : child(item, itemPath(values.size())).number();
    if (std::isfinite(value) && std::abs(value) > std::numeric_limits<float>::max()) {
      child(item, itemPath(values.size())).fail("the number " + item.dump() + " is too large for a 32-bit float");
    }
    if (isNull) isNull->push_back(item.is_null());
    values.push_back(static_cast<float>(value));
  }
  return values;
}

}  // namespace attnscope
