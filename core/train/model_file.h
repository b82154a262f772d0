// A model as a file: NAME.safetensors (formats.md 1).
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "core/autograd/parameters.h"
#include "core/data/vocabulary.h"
#include "core/io/safetensors.h"
#include "core/models/config.h"
#include "core/tensor/aligned.h"

namespace attnscope {

struct ModelFile {
  Json config;                     // complete
  Vocabulary source, target;       // token inputs; seq2seq
  std::vector<std::string> labels;
  Json task;                       // `attnscope.task`; null where unknown. "step", "seed" and "attnscope" among others
  AlignedVector<float> weights;    // in the order of parameterLayout(config)
};

// Throws Error(BadInput) naming file and tensor or key; nothing half-loaded.
ModelFile readModelFile(const std::filesystem::path& file);
void writeModelFile(const ModelFile& model, const std::filesystem::path& file);

// The configuration in a file's metadata.
Json storedConfig(const TensorFile& content, const std::string& place);

// Copies the stored tensors into a block laid out by `layout`. A missing, misshapen, surplus or non-finite tensor is
// Error(BadInput) naming it. Tensors that begin with "input." or "expect." are passed over.
template <class S>
void loadWeights(const TensorFile& content, const ParameterLayout& layout, const std::string& place, S* values);

}  // namespace attnscope
