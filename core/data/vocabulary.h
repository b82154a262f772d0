// Token strings and their ids. Ids 0–3 are <pad>, <s>, </s>, <unk> (models.md 1), then the words.
#pragma once

#include <map>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

namespace attnscope {

inline constexpr int kPad = 0;
inline constexpr int kStart = 1;
inline constexpr int kEnd = 2;
inline constexpr int kUnknown = 3;

class Vocabulary {
 public:
  Vocabulary();  // the four special tokens only
  // `tokens[i]` gets id i; the first four must be the special ones. Throws Error(BadInput) on a duplicate.
  explicit Vocabulary(std::vector<std::string> tokens);
  // The words of `counts` by falling frequency (ties: byte order), at most `maxSize` ids in all (0: no limit),
  // each seen at least `minCount` times. Special tokens among `counts` are left out.
  static Vocabulary byFrequency(const std::map<std::string, long>& counts, int maxSize, int minCount);
  // The special tokens, then `words` in the given order.
  static Vocabulary ofWords(const std::vector<std::string>& words);

  int size() const { return static_cast<int>(m_tokens.size()); }
  int id(std::string_view token) const;  // kUnknown where absent
  // The id of a word met in text: as id(), but a text that spells a special token ("</s>") is unknown, not that token.
  int wordId(std::string_view word) const;
  bool contains(std::string_view token) const;
  const std::string& token(int id) const;  // check: 0 ≤ id < size()
  const std::vector<std::string>& tokens() const { return m_tokens; }

 private:
  struct Hash {
    using is_transparent = void;
    std::size_t operator()(std::string_view s) const { return std::hash<std::string_view>{}(s); }
  };
  std::vector<std::string> m_tokens;
  std::unordered_map<std::string, int, Hash, std::equal_to<>> m_ids;
};

}  // namespace attnscope
