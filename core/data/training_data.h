// What a model is trained on: a built-in task that draws fresh examples, or the examples of files.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <string>
#include <vector>

#include "core/base/json.h"
#include "core/base/random.h"
#include "core/data/example.h"
#include "core/data/vocabulary.h"

namespace attnscope {

// What a loader read and what it could not use (formats.md 4).
struct LoadReport {
  long rows = 0;                                // rows read
  long used = 0;                                // rows that became examples
  std::map<std::string, long> skipped;          // reason → rows
  std::vector<std::string> details;             // the first few skipped rows: "FILE:LINE: reason"
};

struct TrainingData {
  std::string family;                           // "seq2seq" or "recurrent"
  std::string name;                             // for titles: the task's or the file's name
  Vocabulary source;                            // token inputs
  Vocabulary target;                            // seq2seq
  std::vector<std::string> labels;              // class names
  int vectorSize = 0;                           // vector inputs
  std::string outputKind;                       // recurrent: "class", "step_class", …; empty: any
  Json origin;                                  // the value of `attnscope.task` in a model file (formats.md 1)
  std::vector<Example> train;                   // files; empty where `draw` makes fresh examples
  std::function<Example(Random&)> draw;         // a task; never draws an example of the held-out part
  std::vector<Example> validation;
  LoadReport report;
};

}  // namespace attnscope
