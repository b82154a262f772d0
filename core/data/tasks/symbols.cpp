// reverse, copy, sort: symbols drawn evenly from an alphabet, written again in another order.
#include <algorithm>
#include <numeric>

#include "core/data/tasks/tasks.h"

namespace attnscope::tasks {
namespace {

// The source positions in the order in which the target writes them.
using Order = std::vector<int> (*)(const std::vector<int>& source);

std::vector<int> sameOrder(const std::vector<int>& source) {
  std::vector<int> order(source.size());
  std::iota(order.begin(), order.end(), 0);
  return order;
}

std::vector<int> reversedOrder(const std::vector<int>& source) {
  std::vector<int> order = sameOrder(source);
  std::reverse(order.begin(), order.end());
  return order;
}

std::vector<int> sortedOrder(const std::vector<int>& source) {
  std::vector<int> order = sameOrder(source);
  std::stable_sort(order.begin(), order.end(), [&](int a, int b) { return source[a] < source[b]; });
  return order;
}

Example drawSymbols(const TaskOptions& options, Random& random, Order order) {
  Example example;
  const int length = random.between(options.minLength, options.maxLength);
  for (int i = 0; i < length; ++i) {
    const int symbol = random.below(options.symbols);
    example.source.push_back(kFirstWord + symbol);
    example.sourceTokens.emplace_back(1, static_cast<char>('a' + symbol));
  }
  int row = 0;
  for (int position : order(example.source)) {
    example.target.push_back(example.source[position]);
    example.targetTokens.push_back(example.sourceTokens[position]);
    example.gold.push_back({row++, position});
  }
  closeWithEnd(example);
  return example;
}

Task symbolTask(Order order) {
  Task task;
  task.family = "seq2seq";
  task.options = {"lengths", "symbols"};
  task.training = {{"batch", 32}, {"rate", 0.001}, {"steps", 1500}};
  task.config = [](const TaskOptions& options) {
    return seq2seqConfig(kFirstWord + options.symbols, kFirstWord + options.symbols);
  };
  task.describe = [](const TaskOptions& options, TrainingData& data) {
    data.source = Vocabulary::ofWords(alphabet(options.symbols));
    data.target = data.source;
  };
  task.draw = [order](const TaskOptions& options, Random& random) { return drawSymbols(options, random, order); };
  return task;
}

}  // namespace

Task reverse() {
  Task task = symbolTask(reversedOrder);
  task.name = "reverse";
  task.title = "Reverse";
  task.gold = "the source position of each symbol";
  task.purpose = "Shows why a decoder needs attention: the first symbol to write is the last one read.";
  task.lookFor = "A diagonal from the top right to the bottom left, sharper with every hundred steps.";
  task.defaults = {4, 12, 26};
  return task;
}

Task copy() {
  Task task = symbolTask(sameOrder);
  task.name = "copy";
  task.title = "Copy";
  task.gold = "the source position of each symbol";
  task.purpose = "The simplest alignment there is: every output symbol is looked up at its own place.";
  task.lookFor = "A diagonal from the top left to the bottom right; without attention long copies fail.";
  task.defaults = {4, 12, 26};
  return task;
}

Task sort() {
  Task task = symbolTask(sortedOrder);
  task.name = "sort";
  task.title = "Sort";
  task.gold = "where each symbol came from; among equal symbols the earlier one first";
  task.purpose = "An alignment that depends on what the symbols are, not on where they stand.";
  task.lookFor = "One bright cell a row in no fixed pattern; equal symbols share their weight.";
  task.defaults = {4, 10, 26};
  task.training["steps"] = 5000;
  return task;
}

}  // namespace attnscope::tasks
