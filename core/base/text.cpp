#include "core/base/text.h"

#include <utf8proc.h>

#include <charconv>
#include <cmath>
#include <system_error>

namespace attnscope {

namespace {

unsigned char byteAt(std::string_view text, std::size_t position) { return static_cast<unsigned char>(text[position]); }

// The length of the well-formed sequence at `position`, 0 where there is none (Unicode, table 3-7).
std::size_t sequenceLength(std::string_view text, std::size_t position) {
  const unsigned char lead = byteAt(text, position);
  if (lead < 0x80) return 1;
  std::size_t length = 0;
  unsigned char low = 0x80, high = 0xBF;
  if (lead >= 0xC2 && lead <= 0xDF) {
    length = 2;
  } else if (lead >= 0xE0 && lead <= 0xEF) {
    length = 3;
    if (lead == 0xE0) low = 0xA0;
    if (lead == 0xED) high = 0x9F;
  } else if (lead >= 0xF0 && lead <= 0xF4) {
    length = 4;
    if (lead == 0xF0) low = 0x90;
    if (lead == 0xF4) high = 0x8F;
  } else {
    return 0;
  }
  if (text.size() - position < length) return 0;
  if (byteAt(text, position + 1) < low || byteAt(text, position + 1) > high) return 0;
  for (std::size_t i = 2; i < length; ++i) {
    if ((byteAt(text, position + i) & 0xC0) != 0x80) return 0;
  }
  return length;
}

std::string decodeUtf16(std::string_view bytes, bool bigEndian) {
  std::string text;
  text.reserve(bytes.size());
  const auto unit = [&](std::size_t i) {
    const unsigned first = byteAt(bytes, i), second = byteAt(bytes, i + 1);
    return static_cast<char32_t>(bigEndian ? first << 8 | second : second << 8 | first);
  };
  std::size_t i = 0;
  for (; i + 1 < bytes.size(); i += 2) {
    char32_t codePoint = unit(i);
    if (codePoint >= 0xD800 && codePoint <= 0xDBFF && i + 3 < bytes.size()) {
      const char32_t second = unit(i + 2);
      if (second >= 0xDC00 && second <= 0xDFFF) {
        codePoint = 0x10000 + ((codePoint - 0xD800) << 10) + (second - 0xDC00);
        i += 2;
      }
    }
    appendUtf8(text, codePoint);
  }
  if (i < bytes.size()) text += '\xFF';
  return text;
}

template <class T>
std::string format(T value) {
  if (std::isnan(value)) return "NaN";
  if (std::isinf(value)) return value > 0 ? "Infinity" : "-Infinity";
  char buffer[64];
  const auto result = std::to_chars(buffer, buffer + sizeof buffer, value);
  return std::string(buffer, result.ptr);
}

// A "+" is fine before a number but not before another sign.
std::string_view withoutPlus(std::string_view text) {
  if (text.size() > 1 && text[0] == '+' && text[1] != '-') text.remove_prefix(1);
  return text;
}

}  // namespace

std::optional<std::size_t> firstInvalidUtf8(std::string_view text) {
  for (std::size_t i = 0; i < text.size();) {
    const std::size_t length = sequenceLength(text, i);
    if (length == 0) return i;
    i += length;
  }
  return std::nullopt;
}

std::optional<std::string> textFault(std::string_view text) {
  const std::size_t nul = text.find('\0');
  const std::optional<std::size_t> invalid = firstInvalidUtf8(text);
  if (nul != std::string_view::npos && (!invalid || nul < *invalid)) {
    return "a NUL byte at byte " + std::to_string(nul + 1) +
           ": not a text file, or UTF-16 without a byte order mark; save it as UTF-8";
  }
  if (invalid) {
    return "byte " + std::to_string(*invalid + 1) +
           " is neither UTF-8 nor UTF-16 with a byte order mark; save the file as UTF-8";
  }
  return std::nullopt;
}

std::string decodeText(std::string bytes) {
  if (bytes.starts_with("\xEF\xBB\xBF")) {
    bytes.erase(0, 3);
    return bytes;
  }
  if (bytes.starts_with("\xFF\xFE")) return decodeUtf16(std::string_view(bytes).substr(2), false);
  if (bytes.starts_with("\xFE\xFF")) return decodeUtf16(std::string_view(bytes).substr(2), true);
  return bytes;
}

char32_t nextCodePoint(std::string_view text, std::size_t& position) {
  const unsigned char lead = byteAt(text, position);
  const std::size_t length = lead < 0x80 ? 1 : lead < 0xE0 ? 2 : lead < 0xF0 ? 3 : 4;
  char32_t codePoint = length == 1 ? lead : lead & (0x7F >> length);
  for (std::size_t i = 1; i < length; ++i) codePoint = codePoint << 6 | (byteAt(text, position + i) & 0x3F);
  position += length;
  return codePoint;
}

void appendUtf8(std::string& text, char32_t codePoint) {
  const auto add = [&](char32_t byte) { text += static_cast<char>(byte); };
  if (codePoint < 0x80) {
    add(codePoint);
  } else if (codePoint < 0x800) {
    add(0xC0 | codePoint >> 6);
    add(0x80 | (codePoint & 0x3F));
  } else if (codePoint < 0x10000) {
    add(0xE0 | codePoint >> 12);
    add(0x80 | (codePoint >> 6 & 0x3F));
    add(0x80 | (codePoint & 0x3F));
  } else {
    add(0xF0 | codePoint >> 18);
    add(0x80 | (codePoint >> 12 & 0x3F));
    add(0x80 | (codePoint >> 6 & 0x3F));
    add(0x80 | (codePoint & 0x3F));
  }
}

bool isWhiteSpace(char32_t c) {
  return (c >= 0x09 && c <= 0x0D) || c == 0x20 || c == 0x85 || c == 0xA0 || c == 0x1680 ||
         (c >= 0x2000 && c <= 0x200A) || c == 0x2028 || c == 0x2029 || c == 0x202F || c == 0x205F || c == 0x3000;
}

std::string_view trimmed(std::string_view text) {
  std::size_t begin = 0;
  while (begin < text.size()) {
    std::size_t next = begin;
    if (!isWhiteSpace(nextCodePoint(text, next))) break;
    begin = next;
  }
  std::size_t end = text.size();
  while (end > begin) {
    std::size_t start = end - 1;
    while (start > begin && (byteAt(text, start) & 0xC0) == 0x80) --start;
    std::size_t next = start;
    if (!isWhiteSpace(nextCodePoint(text, next))) break;
    end = start;
  }
  return text.substr(begin, end - begin);
}

std::vector<std::string_view> graphemes(std::string_view text) {
  std::vector<std::string_view> clusters;
  if (text.empty()) return clusters;
  std::size_t begin = 0, position = 0;
  utf8proc_int32_t state = 0;
  char32_t previous = nextCodePoint(text, position);
  while (position < text.size()) {
    const std::size_t start = position;
    const char32_t current = nextCodePoint(text, position);
    if (utf8proc_grapheme_break_stateful(static_cast<utf8proc_int32_t>(previous),
                                         static_cast<utf8proc_int32_t>(current), &state)) {
      clusters.push_back(text.substr(begin, start - begin));
      begin = start;
    }
    previous = current;
  }
  clusters.push_back(text.substr(begin));
  return clusters;
}

std::string excerpt(std::string_view text, std::size_t limit) {
  std::string shown;
  std::size_t i = 0;
  while (i < text.size()) {
    const std::size_t length = sequenceLength(text, i);
    if (i + std::max<std::size_t>(length, 1) > limit) break;
    const bool plain = length > 1 || (length == 1 && byteAt(text, i) >= 0x20 && byteAt(text, i) != 0x7F);
    if (plain) {
      shown += text.substr(i, length);
    } else {
      shown += '?';
    }
    i += std::max<std::size_t>(length, 1);
  }
  if (i < text.size()) shown += "…";
  return shown;
}

std::string formatNumber(double value) { return format(value); }
std::string formatNumber(float value) { return format(value); }

std::optional<double> parseNumber(std::string_view text) {
  text = withoutPlus(text);
  for (const char c : text) {
    if (!((c >= '0' && c <= '9') || c == '.' || c == '-' || c == '+' || c == 'e' || c == 'E')) return std::nullopt;
  }
  double value = 0;
  const auto result = std::from_chars(text.data(), text.data() + text.size(), value);
  if (result.ec != std::errc{} || result.ptr != text.data() + text.size()) return std::nullopt;
  return value;
}

std::optional<long long> parseInteger(std::string_view text) {
  text = withoutPlus(text);
  long long value = 0;
  const auto result = std::from_chars(text.data(), text.data() + text.size(), value);
  if (result.ec != std::errc{} || result.ptr != text.data() + text.size()) return std::nullopt;
  return value;
}

}  // namespace attnscope
