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
// Words: runs of letters/digits/marks; every CJK character (Han, Kana, …) and every punctuation sign is its own
// token; spaces part words.
std::vector<std::string> tokenize(TokenizerKind kind, std::string_view text);

// The inverse for display: tokens joined by spaces (Whitespace), by nothing (Characters); Words: by spaces,
// none beside CJK characters.
std::string joinTokens(TokenizerKind kind, const std::vector<std::string>& tokens);

// Words where the texts hold CJK characters, else Whitespace.
TokenizerKind defaultTokenizer(const std::vector<std::string>& sample);

std::string lowerCase(std::string_view text);  // Unicode simple lower-casing

}  // namespace attnscope
