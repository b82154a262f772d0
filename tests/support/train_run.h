// Small runs: data and models that train in a moment.
#pragma once

#include "core/train/trainer.h"
#include "tests/support/model_run.h"

namespace attnscope {

// `count` pairs of `words` random words that are to be copied, a tenth of them (at least one) for validation.
inline std::shared_ptr<TrainingData> copyPairs(int count, int words = 3, bool validation = true) {
  auto data = std::make_shared<TrainingData>();
  data->family = "seq2seq";
  data->name = "pairs";
  data->source = data->target = Vocabulary::ofWords({"a", "b", "c", "d"});
  Random random(4, "pairs");
  const auto pair = [&] {
    Example example = randomPair(random, words, 0, 8, 8);
    example.target = example.source;
    return example;
  };
  for (int i = 0; i < count; ++i) data->train.push_back(pair());
  for (int i = 0; validation && i < 1 + count / 10; ++i) data->validation.push_back(pair());
  return data;
}

inline Json pairsConfig() { return smallSeq2Seq({{"source_vocabulary", 8}, {"target_vocabulary", 8}}); }

inline std::shared_ptr<const TrainingData> dataOfTask(const char* name, int validation = 32) {
  const Task& task = findTask(name);
  return std::make_shared<TrainingData>(taskData(task, task.defaults, 1, validation));
}

inline Json configOfTask(const char* name) {
  const Task& task = findTask(name);
  return task.config(task.defaults);
}

inline TrainOptions quickOptions(std::uint64_t seed = 1, int threads = 1) {
  TrainOptions options;
  options.seed = seed;
  options.threads = threads;
  options.validateEvery = 0;
  return options;
}

}  // namespace attnscope
