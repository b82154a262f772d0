// Pairs of texts from files: .tsv, .csv, .jsonl or two plain files of equal line count (formats.md 4).
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "core/data/tokenizer.h"
#include "core/data/training_data.h"

namespace attnscope {

struct TextDataOptions {
  std::vector<std::filesystem::path> files;  // one table, or two plain files (source, target); "-" is standard input
  std::string sourceColumn;                  // name, or 1-based number; empty: "source", else the first
  std::string targetColumn;                  // likewise "target", else the second
  std::optional<TokenizerKind> tokenizer;    // absent: found by looking, one for each side when CJK differs is
                                             // not done: Words for both where either side holds CJK
  bool lowercase = false;
  int maxLength = 200;        // tokens of a side, without </s>
  int maxVocabulary = 30000;  // ids of a side, the special ones included
  int minCount = 1;
  bool skipBadRows = false;  // malformed rows are counted and listed, not fatal
  std::optional<std::filesystem::path> validationFile;
  double validationFraction = 0.1;  // of the distinct sources
  std::uint64_t seed = 1;
};

// Loads, tokenises, counts the vocabulary on the training part, shuffles, splits by distinct source.
// At least one distinct source is for validation and one for training; of a single one there is no validation part.
// Target tokens are lower-cased where asked, as only such can be predicted; source tokens keep their spelling.
// Throws Error(BadInput) naming file, line and reason; Error(Usage) on options out of range.
TrainingData loadTextData(const TextDataOptions& options);

// The rows of one table as examples for an existing model: its vocabularies, tokeniser and lower-casing.
struct TextRows {
  std::vector<Example> examples;
  LoadReport report;
};
TextRows loadTextRows(const TextDataOptions& options, const Vocabulary& source, const Vocabulary& target);

// One typed line as the source of an example: tokenised, ids, closed by </s>. sourceTokens keeps the spelling.
Example exampleFromText(std::string_view text, TokenizerKind kind, bool lowercase, const Vocabulary& vocabulary);

}  // namespace attnscope
