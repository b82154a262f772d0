// How text becomes tokens (formats.md 4).
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace attnscope {

enum class TokenizerKind { Whitespace, Characters, Words };

TokenizerKind tokenizerKind(std::string_view name);  // "whitespace", "characters", "words"; else Error(Usage)
const char* tokenizerName(TokenizerKind kind);

// `text` is valid UTF-8.
// Whitespace: runs of non-space (Unicode White_Space). Characters: grapheme clusters (UAX #29), a space is a token.
// Words: runs of letters, digits and marks, with the apostrophes and hyphens between two letters; every CJK character
// (Han, Kana, Bopomofo) and every other sign, by grapheme cluster, is its own token; spaces part words.
std::vector<std::string> tokenize(TokenizerKind kind, std::string_view text);

// The inverse for display: tokens joined by spaces (Whitespace), by nothing (Characters); Words: as it is usually
// written, without spaces beside CJK characters, before closing or after opening punctuation, or inside a number.
std::string joinTokens(TokenizerKind kind, const std::vector<std::string>& tokens);

// Words where the texts hold CJK characters, else Whitespace.
TokenizerKind defaultTokenizer(const std::vector<std::string>& sample);

std::string lowerCase(std::string_view text);  // Unicode simple lower-casing

}  // namespace attnscope
