// Tracing a model from the command line (trace, plot).
#pragma once

#include <filesystem>
#include <span>

#include "app/example_choice.h"
#include "core/trace/trace.h"

namespace attnscope {

// Teacher-forced exactly where a target is known and `free` is false.
Trace traceExamples(const ModelFile& model, const Predictor& predictor, std::span<const Example> examples, bool free);

// Loads the model and traces what is chosen; remarks on skipped rows and unknown tokens go to standard error.
Trace traceModel(const std::filesystem::path& file, const ExampleChoice& choice, bool free, bool quiet);

}  // namespace attnscope
