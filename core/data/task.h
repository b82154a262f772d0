// The table of built-in tasks (formats.md 7). A task is one function that draws an example, and one row here.
#pragma once

#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/json.h"
#include "core/data/training_data.h"

namespace attnscope {

struct TaskOptions {
  int minLength = 0;  // symbols of the source, without </s>
  int maxLength = 0;
  int symbols = 0;    // size of the alphabet
  bool operator==(const TaskOptions&) const = default;
};

struct Task {
  std::string name;      // "reverse"
  std::string title;     // "Reverse"
  std::string family;    // "seq2seq" or "recurrent"
  std::string gold;      // what its gold alignment is
  std::string purpose;   // which mechanism it is for
  std::string lookFor;   // what to look for in the picture
  std::vector<std::string> options;  // which of "lengths", "symbols" it takes; another is Error(Usage)
  TaskOptions defaults;
  std::string tokenizer = "whitespace";  // how typed text becomes its tokens (tokenizer.h)
  Json training;         // {"batch":32,"rate":0.002,…}: what trains it well (keys as in the train command)
  std::function<Json(const TaskOptions&)> config;                  // default model configuration, sizes filled in
  std::function<void(const TaskOptions&, TrainingData&)> describe;  // vocabularies, labels, vectorSize
  std::function<Example(const TaskOptions&, Random&)> draw;
};

const std::vector<Task>& taskTable();
const Task& findTask(std::string_view name);  // throws Error(Usage) that lists the known names

// One seventh of all possible sources, chosen by a hash of the source, is held out: training never draws from it,
// validation and evaluation draw only from it, so that "unseen" holds for every pair of seeds. Where the whole
// source space is so small that the wanted part is not met in 1,000 draws, any example is taken.
bool isHeldOut(const Example& example);

// `count` held-out examples of stream "validation" of `seed`.
std::vector<Example> heldOutExamples(const Task& task, const TaskOptions& options, std::uint64_t seed, int count);

// Everything needed to train on a task. Validation: `validationCount` held-out examples.
// Throws Error(Usage) on an option the task does not take or that is out of range (lengths 1–1000, symbols 1–26 …).
TrainingData taskData(const Task& task, const TaskOptions& options, std::uint64_t seed, int validationCount = 512);

}  // namespace attnscope
