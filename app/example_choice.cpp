#include "app/example_choice.h"

#include <algorithm>

#include "app/option.h"
#include "core/base/error.h"
#include "core/base/text.h"
#include "core/io/file.h"
#include "core/train/data_spec.h"

namespace attnscope {
namespace {

constexpr std::uint64_t kHeldOutSeed = 1'000'001;
constexpr const char* kGroup = "Data";

std::size_t positionsOf(const Example& example, const ModelConfig& config) {
  if (!example.source.empty()) return example.source.size();
  return example.vectors.size() / static_cast<std::size_t>(std::max(1, config.recurrent.vectorSize));
}

int labelOf(const std::string& name, const std::vector<std::string>& labels) {
  const auto found = std::find(labels.begin(), labels.end(), name);
  if (found != labels.end()) return static_cast<int>(found - labels.begin());
  std::string known;
  for (const std::string& label : labels) known += (known.empty() ? "" : ", ") + label;
  throw Error(ErrorKind::BadInput, "target", "the model knows no class \"" + excerpt(name) + "\", only " + known);
}

void setTarget(Example& example, const std::string& text, const Predictor& predictor, const TextRule& rule) {
  const bool sequence = predictor.config().family == "seq2seq";
  const Lexicon& lexicon = predictor.lexicon();
  if (sequence) {
    Example target = exampleFromText(text, rule.tokenizer, rule.lowercase, lexicon.target);
    example.target = std::move(target.source);
    example.targetTokens = std::move(target.sourceTokens);
    return;
  }
  const OutputKind kind = predictor.config().recurrent.outputKind;
  if (kind != OutputKind::Class && kind != OutputKind::StepClass) {
    throw Error(ErrorKind::Usage, "--target", "this model predicts numbers; leave --target out");
  }
  for (const std::string& name : tokenize(TokenizerKind::Whitespace, text)) {
    example.labels.push_back(labelOf(name, lexicon.labels));
  }
  const std::size_t wanted = kind == OutputKind::Class ? 1 : positionsOf(example, predictor.config());
  if (example.labels.size() != wanted) {
    throw Error(
        ErrorKind::BadInput, "target",
        "has " + std::to_string(example.labels.size()) + " classes, but the input needs " + std::to_string(wanted));
  }
}

std::vector<std::string_view> linesOf(std::string_view text) {
  std::vector<std::string_view> lines;
  while (!text.empty()) {
    const std::size_t end = text.find('\n');
    std::string_view line = text.substr(0, end);
    if (line.ends_with('\r')) line.remove_suffix(1);
    lines.push_back(line);
    text.remove_prefix(end == std::string_view::npos ? text.size() : end + 1);
  }
  return lines;
}

Example typedExample(std::string_view text, const std::string& place, const Predictor& predictor,
                     const TextRule& rule) {
  if (const auto fault = textFault(text)) throw Error(ErrorKind::BadInput, place, "is not text: " + *fault);
  Example example;
  try {
    example = exampleOfText(predictor, text, rule.tokenizer, rule.lowercase);
  } catch (const Error& error) {
    throw Error(error.kind(), place, error.message());
  }
  const std::size_t end = predictor.config().family == "seq2seq" ? 1 : 0;
  const std::size_t positions = positionsOf(example, predictor.config()) - end;
  if (positions == 0) throw Error(ErrorKind::BadInput, place, "holds no tokens; give at least one");
  return example;
}

ChosenExamples typedExamples(const ExampleChoice& choice, const ModelFile& model, const Predictor& predictor) {
  const TextRule rule = textRule(model.task);
  ChosenExamples chosen;
  chosen.data = Json{{"input", *choice.input}};
  if (*choice.input != "-") {
    chosen.examples.push_back(typedExample(*choice.input, "input", predictor, rule));
    if (choice.target) setTarget(chosen.examples.back(), *choice.target, predictor, rule);
  } else {
    if (choice.target) throw Error(ErrorKind::Usage, "--target", "goes with one --input TEXT, not with lines");
    const std::string text = decodeText(readFile("-"));
    long line = 0;
    for (std::string_view one : linesOf(text)) {
      chosen.examples.push_back(typedExample(one, "standard input:" + std::to_string(++line), predictor, rule));
    }
    if (chosen.examples.empty()) throw Error(ErrorKind::BadInput, "standard input", "is empty; give a text a line");
  }
  if (choice.count && chosen.examples.size() > static_cast<std::size_t>(*choice.count)) {
    chosen.examples.resize(static_cast<std::size_t>(*choice.count));
  }
  return chosen;
}

// A task's ids are the model's only where its words are.
void checkWords(const std::vector<std::string>& task, const std::vector<std::string>& model, const std::string& what,
                const Task& of, const std::string& place) {
  if (task.size() <= model.size() && std::equal(task.begin(), task.end(), model.begin())) return;
  throw Error(ErrorKind::BadInput, place,
              "the model's " + what + " are not those of the task " + of.name + "; name the task it was trained on");
}

void checkFits(const Task& task, const TrainingData& data, const ModelFile& model, const std::string& place) {
  const std::string family = model.config.value("family", "");
  if (task.family != family) {
    throw Error(ErrorKind::BadInput, place,
                "is a " + family + " model, but the task " + task.name + " is for " + task.family + " models");
  }
  checkWords(data.source.tokens(), model.source.tokens(), "source words", task, place);
  checkWords(data.target.tokens(), model.target.tokens(), "target words", task, place);
  checkWords(data.labels, model.labels, "classes", task, place);
  const int size = family == "recurrent" ? model.config["input"].value("size", 0) : 0;
  if (data.vectorSize != size) {
    throw Error(
        ErrorKind::BadInput, place,
        "reads vectors of size " + std::to_string(size) + ", the task's have " + std::to_string(data.vectorSize));
  }
}

ChosenExamples taskExamples(const ExampleChoice& choice, const ModelFile& model, const std::string& place,
                            long defaultCount) {
  std::string name = choice.taskName;
  const bool hasOwn = model.task.is_object() && model.task.contains("task");
  if (name.empty() && !hasOwn) {
    throw Error(ErrorKind::Usage, place,
                "was trained on no built-in task; name one (--task NAME) or give --data FILE or --input TEXT");
  }
  TaskOptions options;
  const DataSpec own = hasOwn ? dataSpecFrom(model.task, place) : DataSpec{};
  if (name.empty()) name = own.task;
  const Task& task = findTask(name);
  options = taskOptions(name == own.task ? own.taskOptions.value_or(task.defaults) : task.defaults, choice.taskFlags);
  const std::uint64_t seed = choice.seed.value_or(kHeldOutSeed);
  const long count = choice.count.value_or(defaultCount);
  TrainingData data = taskData(task, options, seed, static_cast<int>(count));
  checkFits(task, data, model, place);
  Json about = {{"task", name}, {"options", data.origin["options"]}, {"seed", seed}};
  return {std::move(data.validation), {count, count, {}, {}}, std::move(about)};
}

ChosenExamples fileExamples(const ExampleChoice& choice, const ModelFile& model, const std::string& place,
                            long defaultRows) {
  if (model.config.value("family", "") != "seq2seq") {
    throw Error(ErrorKind::Usage, place,
                "files hold pairs of texts, which this model does not read; use --task or --input");
  }
  const TextRule rule = textRule(model.task);
  TextDataOptions options;
  for (const std::string& file : choice.data) options.files.emplace_back(file);
  options.tokenizer = rule.tokenizer;
  options.lowercase = rule.lowercase;
  if (model.task.is_object() && model.task.contains("max_length") && model.task["max_length"].is_number_integer()) {
    options.maxLength = std::max(1, model.task["max_length"].get<int>());
  }
  applyTextFlags(choice.textFlags, options);
  TextRows rows = loadTextRows(options, model.source, model.target);
  const auto count = static_cast<std::size_t>(choice.count.value_or(defaultRows));
  if (count > 0 && rows.examples.size() > count) rows.examples.resize(count);
  return {std::move(rows.examples), std::move(rows.report), Json{{"files", choice.data}}};
}

}  // namespace

void addTypedOptions(CLI::App& command, ExampleChoice& choice) {
  const auto text = [&command](const std::string& name, std::optional<std::string>& target, const std::string& help) {
    // An empty text is a text too: bound to the optional itself it would count as none.
    const auto read = [&target](const std::string& value) { target = value; };
    return command.add_option_function<std::string>(name, read, help)->type_name("TEXT")->group(kGroup);
  };
  CLI::Option* input = text("--input", choice.input,
                            "A text, or numbers such as \"0.5 1,2\" (a comma joins one step's values); - reads lines");
  text("--target", choice.target, "Its known right output, which is then given (teacher forcing)")->needs(input);
}

void addExampleOptions(CLI::App& command, ExampleChoice& choice, const std::string& countHelp) {
  CLI::Option* task = command.add_option_function<std::string>(
      "--task",
      [&choice](const std::string& name) {
        choice.task = true;
        choice.taskName = name;
      },
      "Held-out examples of a task; without NAME the one it was trained on");
  task->type_name("NAME")->expected(0, 1)->group(kGroup);
  addTaskFlags(command, choice.taskFlags);
  CLI::Option* data = addDataOption(command, choice.data);
  addTextFlags(command, choice.textFlags, data);
  addInteger(command, "--count", choice.count, 1, 1'000'000, countHelp)->group(kGroup);
  addSeed(command, choice.seed, "Seed that draws a task's examples (1000001)")->group(kGroup);
}

ChosenExamples chooseExamples(const ExampleChoice& choice, const ModelFile& model, const Predictor& predictor,
                              const std::string& place, long defaultCount, long defaultRows) {
  const int ways = (choice.input ? 1 : 0) + (choice.task ? 1 : 0) + (choice.data.empty() ? 0 : 1);
  if (ways > 1) throw Error(ErrorKind::Usage, "", "choose one of --input, --task and --data");
  const bool ofTask = !choice.input && choice.data.empty();
  if (!ofTask && (!choice.taskFlags.lengths.empty() || choice.taskFlags.symbols)) {
    throw Error(ErrorKind::Usage, "", "--lengths and --symbols go with --task");
  }
  if (choice.input) return typedExamples(choice, model, predictor);
  if (!choice.data.empty()) return fileExamples(choice, model, place, defaultRows);
  return taskExamples(choice, model, place, defaultCount);
}

}  // namespace attnscope
