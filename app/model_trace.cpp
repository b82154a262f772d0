#include "app/model_trace.h"

#include <algorithm>

#include "app/output.h"

namespace attnscope {
namespace {

void remarkUnknown(const Trace& trace) {
  std::string tokens;
  int count = 0;
  for (const TraceExample& example : trace.examples) {
    for (std::size_t i = 0; i < example.sourceUnknown.size() && i < example.source.size(); ++i) {
      if (!example.sourceUnknown[i]) continue;
      if (++count <= 5) tokens += (tokens.empty() ? "" : ", ") + example.source[i];
    }
  }
  if (count == 0) return;
  printRemark("not in the model's vocabulary, read as <unk>: " + tokens + (count > 5 ? ", …" : ""));
}

}  // namespace

Trace traceExamples(const ModelFile& model, const Predictor& predictor, std::span<const Example> examples, bool free) {
  Trace trace;
  trace.generator = "attnscope " ATTNSCOPE_VERSION;
  trace.config = model.config;
  if (model.task.is_object()) {
    const auto step = model.task.find("step"), seed = model.task.find("seed");
    if (step != model.task.end() && step->is_number_integer()) trace.step = step->get<std::int64_t>();
    if (seed != model.task.end() && seed->is_number_unsigned()) trace.seed = seed->get<std::uint64_t>();
  }
  for (const Example& example : examples) trace.examples.push_back(predictor.trace(example, free));
  return trace;
}

Trace traceModel(const std::filesystem::path& file, const ExampleChoice& choice, bool free, bool quiet) {
  const ModelFile model = readModelFile(file);
  const Predictor predictor(model);
  const ChosenExamples chosen = chooseExamples(choice, model, predictor, file.string(), 1, 1);
  const Trace trace = traceExamples(model, predictor, chosen.examples, free);
  if (!quiet) {
    if (const std::string skipped = skippedText(chosen.report); !skipped.empty()) printRemark(skipped);
    remarkUnknown(trace);
  }
  return trace;
}

}  // namespace attnscope
