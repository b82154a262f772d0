// A model with its weights and words: traces examples and measures itself on them. No gradients.
#pragma once

#include <memory>
#include <span>
#include <string>
#include <vector>

#include "core/base/parallel.h"
#include "core/data/tokenizer.h"
#include "core/models/model.h"
#include "core/tensor/aligned.h"
#include "core/train/model_file.h"
#include "core/train/report.h"
#include "core/train/tracing.h"

namespace attnscope {

struct Evaluation {
  ValidationReport report;
  std::vector<SiteMetrics> rows;              // the family's site by output row, the first 64
  std::vector<std::vector<int>> predictions;  // seq2seq: free-running ids without </s>; classes: the chosen ones
};

class Predictor {
 public:
  // Fresh weights of `seed`. `config` is complete.
  Predictor(ModelConfig config, Lexicon lexicon, std::uint64_t seed);
  explicit Predictor(const ModelFile& file);

  const ModelConfig& config() const { return m_config; }
  const Lexicon& lexicon() const { return m_lexicon; }
  const ParameterLayout& layout() const { return m_layout; }
  const Model<float>& model() const { return *m_model; }
  AlignedVector<float>& weights() { return m_weights; }
  const AlignedVector<float>& weights() const { return m_weights; }
  void setTemperature(double temperature);  // > 0, cut to 1e-9 … 1e9; without attention nothing changes

  Batch batchOf(std::span<const Example* const> examples) const;
  // Teacher-forced where the example has a target and `free` is false, else free-running for at most `maxSteps`
  // (0: 2n + 10).
  TraceExample trace(const Example& example, bool free, int maxSteps = 0) const;
  Evaluation evaluate(std::span<const Example* const> examples, ThreadPool& pool) const;

 private:
  Parameters<float> parameters() const;
  ModelConfig m_config;
  Lexicon m_lexicon;
  ParameterLayout m_layout;
  std::unique_ptr<Model<float>> m_model;
  AlignedVector<float> m_weights;
};

// A typed line as an example of this model (Error(BadInput) says what is wrong with it). Token inputs are tokenised;
// vector inputs are numbers, steps parted by spaces, the values of one step by commas. Attention takes memory by the
// square of the length: more than kLongestText tokens (a few hundred megabytes) are refused.
inline constexpr std::size_t kLongestText = 2000;
Example exampleOfText(const Predictor& predictor, std::string_view text, TokenizerKind tokenizer, bool lowercase);

}  // namespace attnscope
