#include "core/data/vocabulary.h"

#include <algorithm>
#include <utility>

#include "core/base/error.h"
#include "core/base/text.h"

namespace attnscope {

namespace {

const std::vector<std::string>& specialTokens() {
  static const std::vector<std::string> tokens = {"<pad>", "<s>", "</s>", "<unk>"};
  return tokens;
}

bool isSpecial(const std::string& token) {
  return std::find(specialTokens().begin(), specialTokens().end(), token) != specialTokens().end();
}

}  // namespace

Vocabulary::Vocabulary() : Vocabulary(specialTokens()) {}

Vocabulary::Vocabulary(std::vector<std::string> tokens) : m_tokens(std::move(tokens)) {
  const auto& special = specialTokens();
  if (m_tokens.size() < special.size() || !std::equal(special.begin(), special.end(), m_tokens.begin())) {
    throw Error(ErrorKind::BadInput, "vocabulary", "does not begin with the tokens <pad>, <s>, </s>, <unk>");
  }
  m_ids.reserve(m_tokens.size());
  for (int id = 0; id < size(); ++id) {
    const auto [known, added] = m_ids.emplace(m_tokens[id], id);
    if (!added) {
      throw Error(ErrorKind::BadInput, "vocabulary",
                  "the token \"" + excerpt(m_tokens[id]) + "\" has two ids, " + std::to_string(known->second) +
                      " and " + std::to_string(id));
    }
  }
}

Vocabulary Vocabulary::byFrequency(const std::map<std::string, long>& counts, int maxSize, int minCount) {
  std::vector<std::pair<std::string, long>> words;
  for (const auto& [word, count] : counts) {
    if (count >= minCount && !isSpecial(word)) words.emplace_back(word, count);
  }
  // The map is in byte order, which a stable sort keeps among equal counts.
  std::stable_sort(words.begin(), words.end(), [](const auto& a, const auto& b) { return a.second > b.second; });
  const std::size_t special = specialTokens().size();
  if (maxSize > 0) {
    const std::size_t room = static_cast<std::size_t>(maxSize) - std::min<std::size_t>(special, maxSize);
    words.resize(std::min(words.size(), room));
  }
  std::vector<std::string> tokens = specialTokens();
  for (auto& [word, count] : words) tokens.push_back(std::move(word));
  return Vocabulary(std::move(tokens));
}

Vocabulary Vocabulary::ofWords(const std::vector<std::string>& words) {
  std::vector<std::string> tokens = specialTokens();
  tokens.insert(tokens.end(), words.begin(), words.end());
  return Vocabulary(std::move(tokens));
}

int Vocabulary::id(std::string_view token) const {
  const auto found = m_ids.find(token);
  return found == m_ids.end() ? kUnknown : found->second;
}

bool Vocabulary::contains(std::string_view token) const { return m_ids.find(token) != m_ids.end(); }

const std::string& Vocabulary::token(int id) const {
  ATTNSCOPE_CHECK(id >= 0 && id < size(), "id " + std::to_string(id) + " of " + std::to_string(size()));
  return m_tokens[id];
}

int Vocabulary::wordId(std::string_view word) const {
  const int known = id(word);
  return known < static_cast<int>(specialTokens().size()) ? kUnknown : known;
}

}  // namespace attnscope
