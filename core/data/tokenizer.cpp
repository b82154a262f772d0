#include "core/data/tokenizer.h"

#include <utf8proc.h>

#include <algorithm>
#include <utility>

#include "core/base/error.h"
#include "core/base/text.h"

namespace attnscope {

namespace {

constexpr std::pair<TokenizerKind, const char*> kKinds[] = {{TokenizerKind::Whitespace, "whitespace"},
                                                            {TokenizerKind::Characters, "characters"},
                                                            {TokenizerKind::Words, "words"}};

using Range = std::pair<char32_t, char32_t>;

// Scripts written without spaces: Han, Hiragana, Katakana, Bopomofo, with their signs of repetition and length.
constexpr Range kCjkLetters[] = {
    {0x2E80, 0x2FDF}, {0x3005, 0x3007}, {0x3021, 0x3029}, {0x3031, 0x3035}, {0x3038, 0x303C},   {0x3041, 0x3096},
    {0x3099, 0x309F}, {0x30A1, 0x30FA}, {0x30FC, 0x30FF}, {0x3105, 0x312F}, {0x31A0, 0x31BF},   {0x31F0, 0x31FF},
    {0x3400, 0x4DBF}, {0x4E00, 0x9FFF}, {0xF900, 0xFAFF}, {0xFF66, 0xFF9F}, {0x1AFF0, 0x1B16F}, {0x20000, 0x3FFFD}};

// CJK and full-width punctuation, beside which no space is written either.
constexpr Range kCjkSigns[] = {{0x3000, 0x303F}, {0x30A0, 0x30A0}, {0x30FB, 0x30FB}, {0xFE30, 0xFE4F},
                               {0xFF01, 0xFF0F}, {0xFF1A, 0xFF20}, {0xFF3B, 0xFF40}, {0xFF5B, 0xFF65}};

template <std::size_t N>
bool isIn(const Range (&ranges)[N], char32_t c) {
  return std::any_of(std::begin(ranges), std::end(ranges),
                     [c](const Range& r) { return c >= r.first && c <= r.second; });
}

bool isCjkLetter(char32_t c) { return c >= 0x2E80 && isIn(kCjkLetters, c); }

utf8proc_category_t category(char32_t c) { return utf8proc_category(static_cast<utf8proc_int32_t>(c)); }

bool isLetter(char32_t c) {
  const utf8proc_category_t k = category(c);
  return k >= UTF8PROC_CATEGORY_LU && k <= UTF8PROC_CATEGORY_LO && !isCjkLetter(c);
}

// Invisible format characters (soft hyphen, direction marks) stay with the word they are written in.
bool isWordPart(char32_t c) {
  const utf8proc_category_t k = category(c);
  return k >= UTF8PROC_CATEGORY_LU && k <= UTF8PROC_CATEGORY_NO ? !isCjkLetter(c) : k == UTF8PROC_CATEGORY_CF;
}

bool isInnerSign(char32_t c) { return c == '\'' || c == '-' || c == 0x2019 || c == 0x2010 || c == 0x2011; }

bool isHebrew(char32_t c) { return c >= 0x5D0 && c <= 0x5EA; }

// A keycap begins with a digit, but is a picture like other emoji.
bool isPicture(std::string_view cluster) {
  return cluster.find("\uFE0F") != std::string_view::npos || cluster.find("\u20E3") != std::string_view::npos;
}

char32_t firstOf(std::string_view text) {
  std::size_t position = 0;
  return nextCodePoint(text, position);
}

std::vector<std::string_view> splitAtSpaces(std::string_view text) {
  std::vector<std::string_view> runs;
  std::size_t begin = 0, position = 0;
  while (position < text.size()) {
    const std::size_t start = position;
    if (!isWhiteSpace(nextCodePoint(text, position))) continue;
    if (start > begin) runs.push_back(text.substr(begin, start - begin));
    begin = position;
  }
  if (begin < text.size()) runs.push_back(text.substr(begin));
  return runs;
}

// An apostrophe or hyphen between two letters, or the double quote of Hebrew abbreviations.
bool isInsideWord(const std::vector<std::string_view>& clusters, std::size_t sign) {
  if (sign == 0 || sign + 1 == clusters.size()) return false;
  const char32_t c = firstOf(clusters[sign]), before = firstOf(clusters[sign - 1]), after = firstOf(clusters[sign + 1]);
  if (c == '"') return isHebrew(before) && isHebrew(after);
  return isInnerSign(c) && isLetter(before) && isLetter(after);
}

void splitWords(std::string_view run, std::vector<std::string>& tokens) {
  const std::vector<std::string_view> clusters = graphemes(run);
  std::string word;
  const auto closeWord = [&] {
    if (!word.empty()) tokens.push_back(std::exchange(word, {}));
  };
  for (std::size_t i = 0; i < clusters.size(); ++i) {
    const char32_t first = firstOf(clusters[i]);
    if ((isWordPart(first) && !isPicture(clusters[i])) || isInsideWord(clusters, i)) {
      word += clusters[i];
    } else {
      closeWord();
      tokens.emplace_back(clusters[i]);
    }
  }
  closeWord();
}

// How a token of the Words tokeniser stands beside its neighbours.
struct Spacing {
  bool before = true;  // a space may stand before it
  bool after = true;
};

// The quotes that are open before a token: the straight one has one form for both ends, and “ closes what „ opens.
struct OpenQuotes {
  bool straight = false;
  bool low = false;
};

Spacing spacingOf(const std::string& token, OpenQuotes& open) {
  constexpr Spacing kOpening = {true, false}, kClosing = {false, true};
  const char32_t c = firstOf(token);
  if (isCjkLetter(c) || isIn(kCjkSigns, c)) return {false, false};
  if (c == '"') {
    open.straight = !open.straight;
    return open.straight ? kOpening : kClosing;
  }
  if (c == 0x201E) open.low = true;
  if (c == 0x201C && std::exchange(open.low, false)) return kClosing;
  if (c == '/') return {false, false};
  if (c < 0x80 && std::string_view(".,;:!?'%").find(static_cast<char>(c)) != std::string_view::npos) return kClosing;
  if (c == '#' || c == '@' || c == '$' || c == 0xA3 || c == 0xA1 || c == 0xBF) return kOpening;
  switch (category(c)) {
    case UTF8PROC_CATEGORY_PS:
    case UTF8PROC_CATEGORY_PI:
      return kOpening;
    case UTF8PROC_CATEGORY_PE:
    case UTF8PROC_CATEGORY_PF:
      return kClosing;
    default:
      break;
  }
  // Sentence ends of other scripts: Arabic ، ؛ ؟ ۔, Devanagari । ॥, the ellipsis.
  const bool isEnd = c == 0x60C || c == 0x61B || c == 0x61F || c == 0x6D4 || c == 0x964 || c == 0x965 || c == 0x2026;
  return {!isEnd, true};
}

bool isDigits(const std::string& token) {
  return std::all_of(token.begin(), token.end(), [](char c) { return c >= '0' && c <= '9'; });
}

// "3 . 14", "10 : 30", "2024 - 05 - 01" and "1 , 000" are numbers that the tokeniser took apart.
bool isInsideNumber(const std::vector<std::string>& tokens, std::size_t sign) {
  if (sign == 0 || sign + 1 >= tokens.size() || tokens[sign].size() != 1) return false;
  if (!isDigits(tokens[sign - 1]) || !isDigits(tokens[sign + 1])) return false;
  const char c = tokens[sign][0];
  return c == '.' || c == ':' || c == '-' || (c == ',' && tokens[sign + 1].size() == 3);
}

std::string joinWords(const std::vector<std::string>& tokens) {
  std::string text;
  OpenQuotes open;
  bool spaceAllowed = false;
  for (std::size_t i = 0; i < tokens.size(); ++i) {
    if (tokens[i].empty()) continue;
    Spacing spacing = spacingOf(tokens[i], open);
    if (isInsideNumber(tokens, i)) spacing = {false, false};
    if (spaceAllowed && spacing.before) text += ' ';
    text += tokens[i];
    spaceAllowed = spacing.after;
  }
  return text;
}

}  // namespace

TokenizerKind tokenizerKind(std::string_view name) {
  for (const auto& [kind, known] : kKinds) {
    if (name == known) return kind;
  }
  throw Error(ErrorKind::Usage, "tokenizer",
              "\"" + excerpt(name) + "\" is not known; use whitespace, characters or words");
}

const char* tokenizerName(TokenizerKind kind) {
  for (const auto& [known, name] : kKinds) {
    if (kind == known) return name;
  }
  throw std::logic_error("a tokeniser without a name");
}

std::vector<std::string> tokenize(TokenizerKind kind, std::string_view text) {
  std::vector<std::string> tokens;
  if (kind == TokenizerKind::Characters) {
    for (const std::string_view cluster : graphemes(text)) tokens.emplace_back(cluster);
    return tokens;
  }
  for (const std::string_view run : splitAtSpaces(text)) {
    if (kind == TokenizerKind::Whitespace) {
      tokens.emplace_back(run);
    } else {
      splitWords(run, tokens);
    }
  }
  return tokens;
}

std::string joinTokens(TokenizerKind kind, const std::vector<std::string>& tokens) {
  if (kind == TokenizerKind::Words) return joinWords(tokens);
  std::string text;
  for (std::size_t i = 0; i < tokens.size(); ++i) {
    if (i > 0 && kind == TokenizerKind::Whitespace) text += ' ';
    text += tokens[i];
  }
  return text;
}

TokenizerKind defaultTokenizer(const std::vector<std::string>& sample) {
  for (const std::string& text : sample) {
    for (std::size_t position = 0; position < text.size();) {
      if (isCjkLetter(nextCodePoint(text, position))) return TokenizerKind::Words;
    }
  }
  return TokenizerKind::Whitespace;
}

std::string lowerCase(std::string_view text) {
  std::string lower;
  lower.reserve(text.size());
  for (std::size_t position = 0; position < text.size();) {
    const char32_t c = nextCodePoint(text, position);
    appendUtf8(lower, static_cast<char32_t>(utf8proc_tolower(static_cast<utf8proc_int32_t>(c))));
  }
  return lower;
}

}  // namespace attnscope
