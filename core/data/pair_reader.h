// The rows of pair files before they become tokens: .tsv, .csv, .jsonl or two plain files (formats.md 4).
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "core/base/json.h"

namespace attnscope {

struct PairRow {
  std::string source;  // without white space at both ends, valid UTF-8
  std::string target;
  std::string place;     // "FILE:LINE"
  bool isBlank = false;  // a line without any character
  std::string fault;     // what is malformed ("columns", "quotes", "encoding", "JSON"); empty where the row is fine
  std::string problem;   // the message of a malformed row
};

struct PairTable {
  std::vector<PairRow> rows;  // without blank lines at the end
  Json files;                 // [{"name","digest"}]: the file's own name and the SHA-256 of its bytes
  Json columns;               // {"source","target"}: name, or number from 1 as text; {} for two plain files
  std::string place;          // the (first) file, for messages
  std::string name;           // for titles: the (first) file's name without its extension
};

// `sourceColumn`, `targetColumn`: as in TextDataOptions. Any other extension than .csv, .jsonl and .ndjson is .tsv.
// Throws Error(BadInput): a file that is unreadable or empty, no such column, a malformed header, two plain files of
// different line counts; Error(Usage): no or too many files, one column for both sides.
PairTable readPairs(const std::vector<std::filesystem::path>& files, const std::string& sourceColumn,
                    const std::string& targetColumn);

}  // namespace attnscope
