// What commands write: results to standard output, remarks to standard error, numbers alike in every locale.
#pragma once

#include <filesystem>
#include <string>
#include <string_view>

#include "core/base/json.h"
#include "core/data/training_data.h"

namespace attnscope {

void printText(std::string_view text);    // to standard output; Error(CannotWrite)
void printJson(const Json& json);         // likewise, indented, with a final newline
void printRemark(std::string_view line);  // to standard error, with a newline
void printError(std::string_view line);   // to standard error as "attnscope: …"

// Throws Error(CannotWrite), as writing `file` would, without touching it: a long run must not fail at its end.
void checkWritable(const std::filesystem::path& file);
void makeFolder(const std::filesystem::path& folder);  // with its parents; Error(CannotWrite)
std::string absolutePath(const std::filesystem::path& file);

std::string fixedText(double value, int digits);  // "0.031"
std::string percentText(double share);            // "99.8 %", never rounded up to a full hundred
std::string durationText(double seconds);         // "0:07", "1:02:03"
std::string countText(double value);              // "950", "41k", "1.2M"
// "12 of 500 rows are skipped: 10 × empty source, 2 × …"; empty where none is.
std::string skippedText(const LoadReport& report);

}  // namespace attnscope
