#include <algorithm>

#include "app/command.h"
#include "app/drawing.h"
#include "app/model_trace.h"
#include "app/option.h"
#include "app/output.h"
#include "app/train_run.h"
#include "core/base/error.h"
#include "core/data/task.h"
#include "core/trace/trace_json.h"

namespace attnscope {
namespace {

namespace fs = std::filesystem;

constexpr const char* kTask = "reverse";
constexpr double kWanted = 0.99;
constexpr long kMostSteps = 5000;

struct DemoCommand {
  std::string out = "attnscope-demo";
  std::optional<long> steps;
  std::optional<double> seconds;
};

// A long example shows the diagonal best.
Example longest(const std::vector<Example>& examples) {
  return *std::max_element(examples.begin(), examples.end(),
                           [](const Example& a, const Example& b) { return a.source.size() < b.source.size(); });
}

std::vector<fs::path> drawAlignments(const Trace& trace, const fs::path& folder) {
  DrawingSession session;
  std::vector<fs::path> files;
  for (const bool dark : {false, true}) {
    Picture picture;
    picture.trace = &trace;
    picture.style = exportStyle(dark, ColorMap::Viridis, captionOf(trace, kTask));
    for (const char* extension : {"png", "svg"}) {
      ExportOptions options;
      options.path = folder / (std::string("alignment-") + (dark ? "dark." : "light.") + extension);
      options.scale = 2;
      options.title = picture.style.caption;
      exportPicture(*findPicture("alignment"), picture, options);
      files.push_back(options.path);
    }
  }
  return files;
}

int runDemo(const DemoCommand& command, bool quiet) {
  const fs::path folder = command.out;
  makeFolder(folder);
  const fs::path modelFile = folder / (std::string(kTask) + ".safetensors");
  const fs::path traceFile = folder / (std::string(kTask) + "-trace.json");
  checkWritable(modelFile);

  const Task& task = findTask(kTask);
  TrainOptions options = trainOptionsFrom(task.training);
  options.untilAccuracy = kWanted;
  options.steps = command.steps.value_or(kMostSteps);
  options.seconds = command.seconds;
  DataSpec spec;
  spec.task = kTask;
  const auto data = loadData(spec, options.seed);
  Trainer trainer(data, defaultConfig(spec, *data), options);
  if (!quiet) printRemark("Training a small network to write sequences of letters backwards (task reverse) …");
  const int code = runTraining(trainer, {modelFile.string(), "", quiet});
  if (code != 0 && code != 1) return code;

  const Example example = longest(data->validation);
  const Trace trace = traceExamples(trainer.modelFile(), trainer.predictor(), {&example, 1}, true);
  writeTrace(trace, traceFile);
  std::string text =
      "Pictures of which letter the network looked at for each letter it wrote. Look for: " + task.lookFor + "\n";
  for (const fs::path& file : drawAlignments(trace, folder)) text += "  " + absolutePath(file) + "\n";
  text += "The same as numbers, and the model:\n  " + absolutePath(traceFile) + "\n  " + absolutePath(modelFile) + "\n";
  if (!quiet) printText(text);
  return command.steps || command.seconds ? 0 : code;
}

}  // namespace

void addDemoCommand(CLI::App& app, Chosen& chosen) {
  CLI::App* command =
      addCommand(app, chosen, "demo", "Train the default task and write pictures of its attention; needs no display",
                 "Example:\n  attnscope demo --out demo");
  const auto options = std::make_shared<DemoCommand>();
  command->add_option("--out", options->out, "Folder for the pictures, the trace and the model (attnscope-demo)")
      ->type_name("DIR");
  addInteger(*command, "--steps", options->steps, 1, 1'000'000,
             "Stop training after so many steps at the latest (5000)");
  addNumber(*command, "--seconds", options->seconds, 0.001, 1e9, "Stop training after so many seconds at the latest");
  command->callback(
      [options, &chosen] { chosen.run = [options, &chosen] { return runDemo(*options, chosen.quiet); }; });
}

}  // namespace attnscope
