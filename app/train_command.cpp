// `attnscope train`: its options, and from them data, configuration and training options.
#include <algorithm>
#include <limits>

#include "app/command.h"
#include "app/data_options.h"
#include "app/option.h"
#include "app/output.h"
#include "app/train_run.h"
#include "core/base/error.h"
#include "core/base/text.h"
#include "core/io/file.h"
#include "core/models/config.h"
#include "core/trace/json_cursor.h"

namespace attnscope {
namespace {

constexpr long kDefaultSteps = 2000;
constexpr long kMost = std::numeric_limits<long>::max();
constexpr double kHuge = std::numeric_limits<double>::max();
constexpr double kLargestRate = 1e30;  // beyond, one step leaves the range of a float

struct TrainCommand {
  std::string task, config, validation, optimizer, keep, out, log;
  TaskFlags taskFlags;
  std::vector<std::string> data, settings;
  TextFlags textFlags;
  std::optional<long> maxVocabulary, minCount, warmup, batch, steps, validateEvery, patience, threads;
  std::optional<double> rate, momentum, weightDecay, clip, teacherForcing, epochs, seconds, untilAccuracy;
  std::optional<std::uint64_t> seed;
};

TextDataOptions textOptions(const TrainCommand& command) {
  TextDataOptions options;
  for (const std::string& file : command.data) options.files.emplace_back(file);
  applyTextFlags(command.textFlags, options);
  if (command.maxVocabulary) options.maxVocabulary = static_cast<int>(*command.maxVocabulary);
  if (command.minCount) options.minCount = static_cast<int>(*command.minCount);
  if (command.validation.empty()) return options;
  if (const auto fraction = parseNumber(command.validation)) {
    options.validationFraction = *fraction;
  } else {
    options.validationFile = command.validation;
  }
  return options;
}

DataSpec dataSpec(const TrainCommand& command) {
  if (command.task.empty() == command.data.empty()) {
    throw Error(ErrorKind::Usage, "",
                "say what to train on: either --task NAME (attnscope tasks lists them) or --data FILE");
  }
  DataSpec spec;
  if (command.task.empty()) {
    if (!command.taskFlags.lengths.empty() || command.taskFlags.symbols) {
      throw Error(ErrorKind::Usage, "", "--lengths and --symbols go with --task");
    }
    spec.text = textOptions(command);
  } else {
    spec.task = command.task;
    spec.taskOptions = taskOptions(findTask(command.task).defaults, command.taskFlags);
  }
  return spec;
}

template <class T, class U>
void set(T& target, const std::optional<U>& value) {
  if (value) target = static_cast<T>(*value);
}

TrainOptions trainOptions(const TrainCommand& command) {
  TrainOptions options;
  if (!command.task.empty()) options = trainOptionsFrom(findTask(command.task).training);
  if (!command.optimizer.empty()) options.optimizer = optimizerKind(command.optimizer);
  if (!command.keep.empty() && command.keep != "best" && command.keep != "last") {
    throw Error(ErrorKind::Usage, "--keep", "is best or last, not \"" + excerpt(command.keep) + "\"");
  }
  options.keepBest = command.keep == "best";
  set(options.rate, command.rate);
  set(options.momentum, command.momentum);
  set(options.weightDecay, command.weightDecay);
  set(options.warmup, command.warmup);
  set(options.clip, command.clip);
  set(options.batch, command.batch);
  set(options.teacherForcing, command.teacherForcing);
  set(options.seed, command.seed);
  set(options.threads, command.threads);
  set(options.validateEvery, command.validateEvery);
  const bool bounded = command.steps || command.epochs || command.seconds || command.untilAccuracy || command.patience;
  if (bounded || !options.steps) options.steps = bounded ? command.steps : kDefaultSteps;
  options.epochs = command.epochs;
  options.seconds = command.seconds;
  options.untilAccuracy = command.untilAccuracy;
  options.patience = command.patience;
  return options;
}

std::vector<Setting> settingsOf(const TrainCommand& command) {
  std::vector<Setting> settings;
  for (const std::string& text : command.settings) {
    const std::size_t equals = text.find('=');
    if (equals == 0 || equals == std::string::npos) {
      throw Error(ErrorKind::Usage, "--set", "\"" + excerpt(text) + "\" is not PATH=VALUE, as in encoder.hidden=64");
    }
    settings.push_back({text.substr(0, equals), text.substr(equals + 1)});
  }
  return settings;
}

// Null where nothing is said about the model.
Json configOf(const TrainCommand& command, const DataSpec& spec, const TrainingData& data) {
  Json config = defaultConfig(spec, data);
  if (!command.config.empty()) {
    const std::string place = command.config == "-" ? "standard input" : command.config;
    config = parseJson(readFile(command.config), place);
    if (!config.is_object())
      throw Error(ErrorKind::BadInput, place, "is not a JSON object with a model's configuration");
  }
  return applySettings(std::move(config), settingsOf(command));
}

// A fault of the configuration lies in the file it is from, else in the settings given.
std::unique_ptr<Trainer> makeTrainer(const TrainCommand& command, std::shared_ptr<const TrainingData> data,
                                     const Json& config, const TrainOptions& options) {
  try {
    return std::make_unique<Trainer>(std::move(data), config, options);
  } catch (const Error& error) {
    if (!error.place().starts_with("config")) throw;
    const bool fromFile = !command.config.empty();
    throw Error(fromFile ? error.kind() : ErrorKind::Usage,
                fromFile ? command.config + ": " + error.place() : error.place(), error.message());
  }
}

void remarkRows(const LoadReport& report, bool listed) {
  if (const std::string skipped = skippedText(report); !skipped.empty()) printRemark(skipped);
  if (!listed) return;
  for (const std::string& detail : report.details) printRemark("  " + detail);
}

void remarkStart(const TrainCommand& command, const Trainer& trainer) {
  const TrainingData& data = trainer.data();
  printRemark("Training on " + data.name + ": " + trainer.config().value("family", "") + " model of " +
              std::to_string(trainer.predictor().layout().size()) + " parameters, seed " +
              std::to_string(trainer.options().seed));
  remarkRows(data.report, command.textFlags.skipBadRows);
  if (!data.train.empty()) {
    printRemark(std::to_string(data.train.size()) + (data.train.size() == 1 ? " example" : " examples") +
                " to train on, " + std::to_string(data.validation.size()) + " to validate on");
  }
  const bool bounded = command.steps || command.epochs || command.seconds || command.untilAccuracy || command.patience;
  if (!bounded) printRemark("No end was given: stopping after " + std::to_string(*trainer.options().steps) + " steps");
  if (command.out.empty()) printRemark("The model will not be saved: no --out FILE was given");
}

int runTrain(const TrainCommand& command, bool quiet) {
  if (command.out == "-" && command.log == "-") {
    throw Error(ErrorKind::Usage, "", "only one of --out and --log can be standard output");
  }
  const DataSpec spec = dataSpec(command);
  const TrainOptions options = trainOptions(command);
  if (!command.out.empty()) checkWritable(command.out);
  if (!command.log.empty()) checkWritable(command.log);
  const auto data = loadData(spec, options.seed);
  const Json config = configOf(command, spec, *data);
  const auto trainer = makeTrainer(command, data, config, options);
  if (data->validation.empty() && (options.untilAccuracy || options.patience || options.keepBest)) {
    throw Error(
        ErrorKind::BadInput, data->name,
        "holds too few distinct sources to put some aside for validation, which --until-accuracy, --patience and "
        "--keep best need; give --validation FILE");
  }
  if (!quiet) remarkStart(command, *trainer);
  return runTraining(*trainer, {command.out, command.log, quiet});
}

using Options = TrainCommand;

void addDataOptions(CLI::App& command, Options& options) {
  const char* group = "Data";
  command.add_option("--task", options.task, "A built-in task (attnscope tasks lists them)")
      ->type_name("NAME")
      ->group(group);
  addTaskFlags(command, options.taskFlags);
  CLI::Option* data = addDataOption(command, options.data);
  addTextFlags(command, options.textFlags, data);
  addInteger(command, "--max-vocabulary", options.maxVocabulary, 5, 10'000'000,
             "Words of a side, the most frequent (30000)")
      ->needs(data)
      ->group(group);
  addInteger(command, "--min-count", options.minCount, 1, 1'000'000'000, "Least occurrences of a word (1)")
      ->needs(data)
      ->group(group);
  command.add_option("--validation", options.validation, "Validation pairs: a file, or a fraction of the data (0.1)")
      ->type_name("FILE|FRACTION")
      ->needs(data)
      ->group(group);
}

void addModelOptions(CLI::App& command, Options& options) {
  const char* group = "Model";
  command.add_option("--config", options.config, "The model's configuration as JSON, instead of the default one")
      ->type_name("FILE")
      ->group(group);
  command.add_option("--set", options.settings, "Change a setting, as in attention.score=additive; may be repeated")
      ->type_name("PATH=VALUE")
      ->expected(1)
      ->take_all()
      ->group(group);
}

void addOptimizerOptions(CLI::App& command, Options& options) {
  const char* group = "Training";
  command.add_option("--optimizer", options.optimizer, "adam, sgd or momentum (adam)")->type_name("KIND")->group(group);
  addNumber(command, "--rate", options.rate, 0, kLargestRate, "Learning rate (0.002)")->group(group);
  addNumber(command, "--momentum", options.momentum, 0, 1, "Momentum, for that optimiser (0.9)")->group(group);
  addNumber(command, "--weight-decay", options.weightDecay, 0, kHuge, "Decoupled weight decay (0)")->group(group);
  addInteger(command, "--warmup", options.warmup, 0, kMost, "Steps over which the rate rises from zero (0)")
      ->group(group);
  addNumber(command, "--clip", options.clip, 0, kHuge, "Largest norm of the gradient; 0 is no limit (1)")->group(group);
  addInteger(command, "--batch", options.batch, 1, 100'000, "Examples a step (32)")->group(group);
  addNumber(command, "--teacher-forcing", options.teacherForcing, 0, 1,
            "Probability that a step is fed the reference (1)")
      ->group(group);
  addSeed(command, options.seed, "Seed of every random draw (1)")->group(group);
  addInteger(command, "--threads", options.threads, 1, 1024, "Threads; the results do not depend on it (all cores)")
      ->group(group);
}

void addEndOptions(CLI::App& command, Options& options) {
  const char* group = "End (at the first that is reached)";
  addInteger(command, "--steps", options.steps, 1, kMost, "Steps (without any end: what suits the task, else 2000)")->group(group);
  addNumber(command, "--epochs", options.epochs, 1e-6, 1e12, "Passes over the data (a task: 10,000 examples)")
      ->group(group);
  addNumber(command, "--seconds", options.seconds, 1e-3, 1e12, "Seconds of training")->group(group);
  addNumber(command, "--until-accuracy", options.untilAccuracy, 0, 1,
            "Share of validation sequences (free-running) or classes right; exit 1 if missed")
      ->group(group);
  addInteger(command, "--patience", options.patience, 1, kMost, "Validations in a row without a better one")
      ->group(group);
}

void addResultOptions(CLI::App& command, Options& options) {
  const char* group = "Result";
  addInteger(command, "--validate-every", options.validateEvery, 1, kMost, "Steps between validations (100)")
      ->group(group);
  command.add_option("--keep", options.keep, "Which weights to give back: best or last validation's (last)")
      ->type_name("best|last")
      ->group(group);
  command.add_option("--out", options.out, "Save the model; - is standard output")
      ->type_name("FILE.safetensors")
      ->group(group);
  command.add_option("--log", options.log, "Append JSON lines: start, steps, validations, end; - is standard output")
      ->type_name("FILE")
      ->group(group);
}

}  // namespace

void addTrainCommand(CLI::App& app, Chosen& chosen) {
  CLI::App* command = addCommand(
      app, chosen, "train", "Train a model on a built-in task or on pairs of texts",
      "Ctrl-C once ends the step and saves, twice stops at once.\n"
      "The model is the task's default one; --config replaces it, --set changes single settings.\n\n"
      "Examples:\n  attnscope train --task reverse --until-accuracy 0.99 --steps 5000 --out reverse.safetensors\n"
      "  attnscope train --data pairs.tsv --set attention.score=additive --epochs 20 --keep best --out "
      "pairs.safetensors");
  const auto options = std::make_shared<TrainCommand>();
  addDataOptions(*command, *options);
  addModelOptions(*command, *options);
  addOptimizerOptions(*command, *options);
  addEndOptions(*command, *options);
  addResultOptions(*command, *options);
  command->callback(
      [options, &chosen] { chosen.run = [options, &chosen] { return runTrain(*options, chosen.quiet); }; });
}

}  // namespace attnscope
