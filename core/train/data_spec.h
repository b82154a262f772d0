// From what a run is asked to train on to the data, and back from a model file.
#pragma once

#include <memory>

#include "core/train/model_file.h"
#include "core/train/options.h"
#include "core/train/tracing.h"

namespace attnscope {

// Reads or draws the data. `seed` draws a task's validation examples and shuffles files.
std::shared_ptr<const TrainingData> loadData(const DataSpec& spec, std::uint64_t seed);

// What `attnscope.task` of a model file asks for (TrainingData::origin of the run that wrote it). Error(BadInput)
// where it says too little.
DataSpec dataSpecFrom(const Json& origin, const std::string& place);

// The data a model file was trained on. Where they cannot be had (a file is gone or has changed), data without
// examples but with the model's words, and `missing` says why.
std::shared_ptr<const TrainingData> dataOf(const ModelFile& model, const std::filesystem::path& file,
                                           std::uint64_t seed, std::string& missing);

// A configuration that suits the data when none is given: the task's own, or one for pairs of texts.
Json defaultConfig(const DataSpec& spec, const TrainingData& data);

// The sizes and words a model for these data has.
DataSizes dataSizes(const TrainingData& data);
Lexicon lexiconOf(const TrainingData& data);

// The tokeniser and lower-casing that typed text goes through.
struct TextRule {
  TokenizerKind tokenizer = TokenizerKind::Whitespace;
  bool lowercase = false;
};
TextRule textRule(const Json& origin);

// "4-12" → 4, 12 (one number: both). Error(Usage) otherwise.
void parseLengths(std::string_view text, TaskOptions& options);

}  // namespace attnscope
