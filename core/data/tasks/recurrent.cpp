// difference, recall: sequences whose answer lies in the network's own past.
#include "core/data/tasks/tasks.h"

namespace attnscope::tasks {
namespace {

constexpr int kLag = 2;

Example drawDifference(const TaskOptions& options, Random& random) {
  Example example;
  const int length = random.between(options.minLength, options.maxLength);
  for (int t = 0; t < length; ++t) {
    example.vectors.push_back(static_cast<float>(random.normal()));
    const float earlier = t >= kLag ? example.vectors[t - kLag] : 0.0f;
    example.labels.push_back(example.vectors[t] > earlier ? 1 : 0);
    if (t >= kLag) example.gold.push_back({t, t - kLag});
  }
  return example;
}

// The symbols, then the queries "1", "2", ….
std::vector<std::string> recallWords(const TaskOptions& options) {
  std::vector<std::string> words = alphabet(options.symbols);
  for (int i = 1; i <= options.maxLength; ++i) words.push_back(std::to_string(i));
  return words;
}

Example drawRecall(const TaskOptions& options, Random& random) {
  Example example;
  const int length = random.between(options.minLength, options.maxLength);
  for (int i = 0; i < length; ++i) {
    const int symbol = random.below(options.symbols);
    example.source.push_back(kFirstWord + symbol);
    example.sourceTokens.emplace_back(1, static_cast<char>('a' + symbol));
  }
  const int asked = random.below(length);
  example.labels = {example.source[asked] - kFirstWord};
  example.source.push_back(kFirstWord + options.symbols + asked);
  example.sourceTokens.push_back(std::to_string(asked + 1));
  example.gold = {{length, asked}};
  return example;
}

}  // namespace

Task difference() {
  Task task;
  task.name = "difference";
  task.title = "Difference";
  task.family = "recurrent";
  task.gold = "the state of two steps ago";
  task.purpose = "Attention inside a recurrent network: each step is compared with a value from two steps ago.";
  task.lookFor = "A line beside the diagonal: every step looks at the state two steps back.";
  task.options = {"lengths"};
  task.defaults = {8, 16, 0};
  task.training = {{"batch", 32}, {"rate", 0.002}, {"steps", 1500}};
  task.config = [](const TaskOptions&) {
    return recurrentConfig({{"kind", "vector"}, {"size", 1}}, "gru", 32, {{"kind", "step_class"}, {"size", 2}});
  };
  task.describe = [](const TaskOptions&, TrainingData& data) {
    data.labels = {"≤ 0", "> 0"};
    data.vectorSize = 1;
    data.outputKind = "step_class";
  };
  task.draw = drawDifference;
  return task;
}

Task recall() {
  Task task;
  task.name = "recall";
  task.title = "Recall";
  task.family = "recurrent";
  task.gold = "the position the query names";
  task.purpose = "Random access to the network's own past: the last token asks which symbol stood where.";
  task.lookFor = "In the last row one bright cell, at the position that the query names.";
  task.options = {"lengths", "symbols"};
  task.defaults = {6, 6, 10};
  task.training = {{"batch", 32}, {"rate", 0.002}, {"steps", 1500}};
  task.config = [](const TaskOptions& options) {
    const int vocabulary = kFirstWord + options.symbols + options.maxLength;
    return recurrentConfig({{"kind", "token"}, {"vocabulary", vocabulary}, {"embedding", 32}}, "rnn", 64,
                           {{"kind", "class"}, {"size", options.symbols}});
  };
  task.describe = [](const TaskOptions& options, TrainingData& data) {
    data.source = Vocabulary::ofWords(recallWords(options));
    data.labels = alphabet(options.symbols);
    data.outputKind = "class";
  };
  task.draw = drawRecall;
  return task;
}

}  // namespace attnscope::tasks
