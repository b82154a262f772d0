// Which examples a model is run on: typed text, a task's held-out examples, or the rows of a file (trace, plot,
// evaluate).
#pragma once

#include <CLI/CLI.hpp>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "app/data_options.h"
#include "core/train/predictor.h"

namespace attnscope {

struct ExampleChoice {
  std::optional<std::string> input;  // one text, or "-": a text a line
  std::optional<std::string> target;
  bool task = false;
  std::string taskName;  // empty: the model's own
  TaskFlags taskFlags;
  std::vector<std::string> data;
  TextFlags textFlags;
  std::optional<long> count;
  std::optional<std::uint64_t> seed;  // a task's examples; absent: 1000001
};
void addTypedOptions(CLI::App& command, ExampleChoice& choice);  // --input, --target
void addExampleOptions(CLI::App& command, ExampleChoice& choice, const std::string& countHelp);

struct ChosenExamples {
  std::vector<Example> examples;
  LoadReport report;
  Json data;  // what they are, for reports
};
// With nothing chosen the model's own task. `defaultCount`: how many of a task; of a file `defaultRows` (0: all).
// `place` names the model file in errors. Throws Error(Usage), Error(BadInput).
ChosenExamples chooseExamples(const ExampleChoice& choice, const ModelFile& model, const Predictor& predictor,
                              const std::string& place, long defaultCount, long defaultRows);

}  // namespace attnscope
