// Text as bytes: UTF-8, UTF-16, grapheme clusters, and numbers that are the same in every locale.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace attnscope {

// The byte position (0-based) of the first byte that is not well-formed UTF-8 (overlong forms, surrogates and code
// points above U+10FFFF are not); absent where all of `text` is.
std::optional<std::size_t> firstInvalidUtf8(std::string_view text);

// What makes `text` unusable as text, as part of a message: a NUL byte, or a place that is not UTF-8 (byte position
// from 1). Absent where `text` is fine.
std::optional<std::string> textFault(std::string_view text);

// The contents of a file as UTF-8: the byte order mark is dropped, UTF-16 with one (either order) is decoded. Nothing
// is refused here: an unpaired surrogate or odd last byte becomes bytes that firstInvalidUtf8() finds, so that a reader
// can name the line.
std::string decodeText(std::string bytes);

// The code point at `position`, which is moved behind it. `text` is valid UTF-8, position < size.
char32_t nextCodePoint(std::string_view text, std::size_t& position);
void appendUtf8(std::string& text, char32_t codePoint);

bool isWhiteSpace(char32_t codePoint);            // the Unicode property White_Space
std::string_view trimmed(std::string_view text);  // without White_Space at both ends; valid UTF-8

// Extended grapheme clusters (UAX #29) as views into `text`, which is valid UTF-8. They cover it without gaps.
std::vector<std::string_view> graphemes(std::string_view text);

// The start of any bytes for a message: at most `limit` bytes, control and invalid bytes as "?", "…" where cut.
std::string excerpt(std::string_view text, std::size_t limit = 40);

// The shortest digits that read back as the same number; "NaN", "Infinity", "-Infinity".
std::string formatNumber(double value);
std::string formatNumber(float value);

// The whole of `text` is one decimal number ("-1.5e3", "+2", ".5"), else absent; so are spaces, hexadecimal, "nan",
// "inf" and what a double (long long) cannot hold.
std::optional<double> parseNumber(std::string_view text);
std::optional<long long> parseInteger(std::string_view text);

}  // namespace attnscope
