#include "core/data/task.h"

#include <algorithm>
#include <bit>

#include "core/base/error.h"
#include "core/data/tasks/tasks.h"

namespace attnscope {
namespace {

constexpr int kLongest = 1000;
constexpr int kMostSymbols = 26;
constexpr int kHeldOutShare = 7;
constexpr int kMostDraws = 1000;

bool takes(const Task& task, std::string_view option) {
  return std::find(task.options.begin(), task.options.end(), option) != task.options.end();
}

std::string lengthsText(const TaskOptions& options) {
  return std::to_string(options.minLength) + "-" + std::to_string(options.maxLength);
}

void checkTakes(const Task& task, std::string_view option, bool given) {
  if (!given || takes(task, option)) return;
  throw Error(ErrorKind::Usage, "", "task " + task.name + " takes no option " + std::string(option));
}

void checkOptions(const Task& task, const TaskOptions& options) {
  const TaskOptions& defaults = task.defaults;
  checkTakes(task, "lengths", options.minLength != defaults.minLength || options.maxLength != defaults.maxLength);
  checkTakes(task, "symbols", options.symbols != defaults.symbols);
  if (takes(task, "lengths")) {
    const std::string place = "lengths " + lengthsText(options);
    if (std::min(options.minLength, options.maxLength) < 1 ||
        std::max(options.minLength, options.maxLength) > kLongest) {
      throw Error(ErrorKind::Usage, place, "a length is from 1 to " + std::to_string(kLongest));
    }
    if (options.minLength > options.maxLength) {
      throw Error(ErrorKind::Usage, place, "the shortest length comes first, as in 4-12");
    }
  }
  if (takes(task, "symbols") && (options.symbols < 1 || options.symbols > kMostSymbols)) {
    throw Error(ErrorKind::Usage, "symbols " + std::to_string(options.symbols),
                "an alphabet has from 1 to " + std::to_string(kMostSymbols) + " symbols");
  }
}

// Little-endian whatever the machine, so that the held-out part is the same everywhere.
void appendBytes(std::string& bytes, std::uint32_t number) {
  for (int shift = 0; shift < 32; shift += 8) bytes.push_back(static_cast<char>(number >> shift & 0xff));
}

Example drawPart(const Task& task, const TaskOptions& options, Random& random, bool heldOut) {
  Example example = task.draw(options, random);
  for (int i = 1; i < kMostDraws && isHeldOut(example) != heldOut; ++i) example = task.draw(options, random);
  return example;
}

Json originOf(const Task& task, const TaskOptions& options, std::uint64_t seed) {
  Json given = Json::object();
  if (takes(task, "lengths")) given["lengths"] = lengthsText(options);
  if (takes(task, "symbols")) given["symbols"] = options.symbols;
  return Json{
      {"task", task.name}, {"options", given}, {"tokenizer", task.tokenizer}, {"lowercase", false}, {"seed", seed}};
}

}  // namespace

const std::vector<Task>& taskTable() {
  static const std::vector<Task> table = {
      tasks::reverse(),     //
      tasks::copy(),        //
      tasks::sort(),        //
      tasks::dates(),       //
      tasks::difference(),  //
      tasks::recall(),
  };
  return table;
}

const Task& findTask(std::string_view name) {
  std::string known;
  for (const Task& task : taskTable()) {
    if (task.name == name) return task;
    known += (known.empty() ? "" : ", ") + task.name;
  }
  throw Error(ErrorKind::Usage, "", "no task is called \"" + std::string(name) + "\"; the tasks are " + known);
}

bool isHeldOut(const Example& example) {
  std::string bytes;
  for (int id : example.source) appendBytes(bytes, static_cast<std::uint32_t>(id));
  for (float value : example.vectors) appendBytes(bytes, std::bit_cast<std::uint32_t>(value));
  return stableHash(bytes) % kHeldOutShare == 0;
}

std::vector<Example> heldOutExamples(const Task& task, const TaskOptions& options, std::uint64_t seed, int count) {
  checkOptions(task, options);
  Random random(seed, "validation");
  std::vector<Example> examples;
  for (int i = 0; i < count; ++i) examples.push_back(drawPart(task, options, random, true));
  return examples;
}

TrainingData taskData(const Task& task, const TaskOptions& options, std::uint64_t seed, int validationCount) {
  checkOptions(task, options);
  TrainingData data;
  data.family = task.family;
  data.name = task.name;
  task.describe(options, data);
  data.origin = originOf(task, options, seed);
  data.draw = [task, options](Random& random) { return drawPart(task, options, random, false); };
  data.validation = heldOutExamples(task, options, seed, validationCount);
  return data;
}

}  // namespace attnscope
