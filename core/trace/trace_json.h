// Trace files (formats.md 3). Optional keys of ours beside the documented ones: "query" (as "context"), "reference"
// (strings), "unknown" (0-based positions of source tokens outside the vocabulary), and in a site without scores
// "masked" (flat indices of masked cells).
#pragma once

#include <filesystem>
#include <string>
#include <string_view>

#include "core/trace/trace.h"

namespace attnscope {

// Missing data is null, masked cells are null in scores and 0 in weights, non-finite values the strings "NaN",
// "Infinity", "-Infinity". Floats are written with the fewest digits that read back to the same float.
std::string traceToJson(const Trace& trace);
// `place` names the file in errors: Error(BadInput, "place: examples[0].sites.decoder.shape", …). Cells that are not
// Real read as weight 0 and score 0. A site without "shape" is target × source; an axis that is not given is the
// target (rows) or source (columns) where the sizes agree, else "1", "2", …, as is one that names another list.
// Unknown keys are ignored; a null is the same as no key, but in lists of numbers it is missing data.
Trace traceFromJson(std::string_view text, const std::string& place);

void writeTrace(const Trace& trace, const std::filesystem::path& file);  // whole or not at all; "-" is standard output
Trace readTrace(const std::filesystem::path& file);                      // "-" is standard input

}  // namespace attnscope
