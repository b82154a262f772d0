#include "core/data/text_data.h"

#include <algorithm>
#include <cmath>
#include <unordered_map>
#include <utility>

#include "core/base/error.h"
#include "core/base/text.h"
#include "core/data/pair_reader.h"

namespace attnscope {

namespace {

constexpr std::size_t kMaxDetails = 20;
constexpr std::size_t kSampleRows = 1000;

// A row that can be used, as tokens. The words are what ids are looked up for: the tokens, lower-cased when asked.
struct TokenRow {
  std::vector<std::string> sourceTokens;
  std::vector<std::string> sourceWords;
  std::vector<std::string> targetWords;
};

void checkOptions(const TextDataOptions& options) {
  if (options.maxLength < 1) throw Error(ErrorKind::Usage, "max-length", "must be at least 1");
  if (options.minCount < 1) throw Error(ErrorKind::Usage, "min-count", "must be at least 1");
  if (options.maxVocabulary < 5) {
    throw Error(ErrorKind::Usage, "max-vocabulary", "must be at least 5: four special tokens and one word");
  }
  if (!options.validationFile && !(options.validationFraction > 0 && options.validationFraction < 1)) {
    throw Error(ErrorKind::Usage, "validation", "the fraction must lie between 0 and 1");
  }
}

TokenizerKind chooseTokenizer(const TextDataOptions& options, const PairTable& table) {
  if (options.tokenizer) return *options.tokenizer;
  std::vector<std::string> sample;
  const std::size_t stride = std::max<std::size_t>(1, table.rows.size() / kSampleRows);
  for (std::size_t i = 0; i < table.rows.size(); i += stride) {
    sample.push_back(table.rows[i].source);
    sample.push_back(table.rows[i].target);
  }
  return defaultTokenizer(sample);
}

std::vector<std::string> lowered(const std::vector<std::string>& tokens, bool lowercase) {
  std::vector<std::string> words = tokens;
  if (lowercase) {
    for (std::string& word : words) word = lowerCase(word);
  }
  return words;
}

std::vector<int> closedIds(const std::vector<std::string>& words, const Vocabulary& vocabulary) {
  std::vector<int> ids;
  ids.reserve(words.size() + 1);
  for (const std::string& word : words) ids.push_back(vocabulary.wordId(word));
  ids.push_back(kEnd);
  return ids;
}

std::vector<std::string> closedTokens(std::vector<std::string> tokens, const Vocabulary& vocabulary) {
  tokens.push_back(vocabulary.token(kEnd));
  return tokens;
}

// Turns the rows of a table into tokens and keeps count of what cannot be used.
class RowFilter {
 public:
  RowFilter(const TextDataOptions& options, TokenizerKind kind, LoadReport& report)
      : m_options(options), m_kind(kind), m_report(report) {}

  // Throws Error(BadInput) at the first malformed row unless such rows are skipped, or where no row is left.
  std::vector<TokenRow> use(const PairTable& table) {
    const LoadReport before = m_report;
    std::vector<TokenRow> rows;
    for (const PairRow& row : table.rows) {
      ++m_report.rows;
      if (!row.fault.empty()) {
        if (!m_options.skipBadRows) throw Error(ErrorKind::BadInput, row.place, row.problem);
        skip(row, "malformed: " + row.fault, row.problem);
      } else {
        useRow(row, rows);
      }
    }
    m_report.used += static_cast<long>(rows.size());
    if (rows.empty()) throw Error(ErrorKind::BadInput, table.place, noRowMessage(before));
    return rows;
  }

 private:
  void useRow(const PairRow& row, std::vector<TokenRow>& rows) {
    TokenRow tokens;
    tokens.sourceTokens = tokenize(m_kind, row.source);
    tokens.targetWords = lowered(tokenize(m_kind, row.target), m_options.lowercase);
    const auto limit = static_cast<std::size_t>(m_options.maxLength);
    const std::string tooLong = " longer than " + std::to_string(m_options.maxLength) + " tokens";
    std::string reason;
    if (row.isBlank) {
      reason = "empty line";
    } else if (tokens.sourceTokens.empty()) {
      reason = "empty source";
    } else if (tokens.targetWords.empty()) {
      reason = "empty target";
    } else if (tokens.sourceTokens.size() > limit) {
      reason = "source" + tooLong;
    } else if (tokens.targetWords.size() > limit) {
      reason = "target" + tooLong;
    }
    if (!reason.empty()) return skip(row, reason, reason);
    tokens.sourceWords = lowered(tokens.sourceTokens, m_options.lowercase);
    rows.push_back(std::move(tokens));
  }

  void skip(const PairRow& row, const std::string& reason, const std::string& detail) {
    ++m_report.skipped[reason];
    if (m_report.details.size() < kMaxDetails) m_report.details.push_back(row.place + ": " + detail);
  }

  std::string noRowMessage(const LoadReport& before) const {
    std::string reasons;
    for (const auto& [reason, count] : m_report.skipped) {
      const auto earlier = before.skipped.find(reason);
      const long here = count - (earlier == before.skipped.end() ? 0 : earlier->second);
      if (here > 0) reasons += (reasons.empty() ? "" : ", ") + std::to_string(here) + " × " + reason;
    }
    if (reasons.empty()) return "there are no rows to use";
    return "none of the " + std::to_string(m_report.rows - before.rows) + " rows can be used (" + reasons + ")";
  }

  const TextDataOptions& m_options;
  TokenizerKind m_kind;
  LoadReport& m_report;
};

Example exampleOf(TokenRow row, const Vocabulary& source, const Vocabulary& target) {
  Example example;
  example.source = closedIds(row.sourceWords, source);
  example.target = closedIds(row.targetWords, target);
  example.sourceTokens = closedTokens(std::move(row.sourceTokens), source);
  example.targetTokens = closedTokens(std::move(row.targetWords), target);
  return example;
}

// Texts hold no NUL, so that no two lists of words have one key.
std::string keyOf(const std::vector<std::string>& words) {
  std::string key;
  for (const std::string& word : words) {
    key += word;
    key += '\0';
  }
  return key;
}

// Moves the rows of the first `fraction` of the distinct sources, in the order of `rows`, to the result.
std::vector<TokenRow> takeValidation(std::vector<TokenRow>& rows, double fraction) {
  std::unordered_map<std::string, std::size_t> order;
  std::vector<std::size_t> source(rows.size());
  for (std::size_t i = 0; i < rows.size(); ++i) {
    source[i] = order.emplace(keyOf(rows[i].sourceWords), order.size()).first->second;
  }
  const std::size_t distinct = order.size();
  std::size_t wanted = static_cast<std::size_t>(std::lround(fraction * static_cast<double>(distinct)));
  wanted = distinct < 2 ? 0 : std::clamp<std::size_t>(wanted, 1, distinct - 1);

  std::vector<TokenRow> training, validation;
  for (std::size_t i = 0; i < rows.size(); ++i) {
    (source[i] < wanted ? validation : training).push_back(std::move(rows[i]));
  }
  rows = std::move(training);
  return validation;
}

Vocabulary countVocabulary(const std::vector<TokenRow>& rows, std::vector<std::string> TokenRow::*side,
                           const TextDataOptions& options, const std::string& place) {
  std::map<std::string, long> counts;
  for (const TokenRow& row : rows) {
    for (const std::string& word : row.*side) ++counts[word];
  }
  Vocabulary vocabulary = Vocabulary::byFrequency(counts, options.maxVocabulary, options.minCount);
  if (vocabulary.size() == Vocabulary().size()) {
    throw Error(ErrorKind::BadInput, place,
                "no word occurs " + std::to_string(options.minCount) + " times or more; use a smaller least count");
  }
  return vocabulary;
}

std::vector<Example> examplesOf(std::vector<TokenRow> rows, const Vocabulary& source, const Vocabulary& target) {
  std::vector<Example> examples;
  examples.reserve(rows.size());
  for (TokenRow& row : rows) examples.push_back(exampleOf(std::move(row), source, target));
  return examples;
}

Json originOf(const TextDataOptions& options, const PairTable& table, TokenizerKind kind) {
  return {{"files", table.files},           {"columns", table.columns},        {"tokenizer", tokenizerName(kind)},
          {"lowercase", options.lowercase}, {"max_length", options.maxLength}, {"seed", options.seed}};
}

}  // namespace

TrainingData loadTextData(const TextDataOptions& options) {
  checkOptions(options);
  TrainingData data;
  std::vector<TokenRow> rows, validation;
  TokenizerKind kind = TokenizerKind::Whitespace;
  {
    const PairTable table = readPairs(options.files, options.sourceColumn, options.targetColumn);
    kind = chooseTokenizer(options, table);
    data.name = table.name;
    data.origin = originOf(options, table, kind);
    rows = RowFilter(options, kind, data.report).use(table);
  }
  Random random(options.seed, "shuffle");
  random.shuffle(rows);
  if (options.validationFile) {
    const PairTable table = readPairs({*options.validationFile}, options.sourceColumn, options.targetColumn);
    data.origin["validation"] = table.files;
    validation = RowFilter(options, kind, data.report).use(table);
  } else {
    validation = takeValidation(rows, options.validationFraction);
  }
  data.family = "seq2seq";
  data.source = countVocabulary(rows, &TokenRow::sourceWords, options, options.files[0].string());
  data.target = countVocabulary(rows, &TokenRow::targetWords, options, options.files.back().string());
  data.train = examplesOf(std::move(rows), data.source, data.target);
  data.validation = examplesOf(std::move(validation), data.source, data.target);
  return data;
}

TextRows loadTextRows(const TextDataOptions& options, const Vocabulary& source, const Vocabulary& target) {
  checkOptions(options);
  const PairTable table = readPairs(options.files, options.sourceColumn, options.targetColumn);
  TextRows loaded;
  std::vector<TokenRow> rows = RowFilter(options, chooseTokenizer(options, table), loaded.report).use(table);
  loaded.examples = examplesOf(std::move(rows), source, target);
  return loaded;
}

Example exampleFromText(std::string_view text, TokenizerKind kind, bool lowercase, const Vocabulary& vocabulary) {
  if (const auto fault = textFault(text)) throw Error(ErrorKind::BadInput, "input text", *fault);
  std::vector<std::string> tokens = tokenize(kind, trimmed(text));
  if (tokens.empty()) throw Error(ErrorKind::BadInput, "input text", "there is no word in it; type at least one");
  Example example;
  example.source = closedIds(lowered(tokens, lowercase), vocabulary);
  example.sourceTokens = closedTokens(std::move(tokens), vocabulary);
  return example;
}

}  // namespace attnscope
