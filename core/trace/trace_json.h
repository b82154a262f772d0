// Trace files (formats.md 3). Optional keys of ours beside the required ones: "query", "reference", "unknown".
#pragma once

#include <filesystem>
#include <string>
#include <string_view>

#include "core/trace/trace.h"

namespace attnscope {

// Missing data is null, masked cells are null in scores and 0 in weights, non-finite values the strings "NaN",
// "Infinity", "-Infinity". Floats are written with the fewest digits that read back to the same float.
std::string traceToJson(const Trace& trace);
// `place` names the file in errors: Error(BadInput, "place: examples[0].sites.decoder.shape", …).
Trace traceFromJson(std::string_view text, const std::string& place);

void writeTrace(const Trace& trace, const std::filesystem::path& file);  // whole or not at all; "-" is standard output
Trace readTrace(const std::filesystem::path& file);                      // "-" is standard input

}  // namespace attnscope
