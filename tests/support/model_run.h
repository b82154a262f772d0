// A small model with its weights, run on examples: for tests that look at losses, logits and gradients.
#pragma once

#include <string>
#include <vector>

#include "core/models/model.h"
#include "core/tensor/aligned.h"

namespace attnscope {

template <class S>
class ModelRun {
 public:
  // Fresh weights of `seed`, times `scale`.
  explicit ModelRun(const Json& json, std::uint64_t seed = 5, double scale = 2)
      : config(parseConfig(json)),
        layout(parameterLayout(config)),
        values(layout.size()),
        gradients(layout.size(), S(0)),
        model(makeModel<S>(config)) {
    initialise(layout, seed, values.data());
    for (S& x : values) x *= static_cast<S>(scale);
  }

  void set(const std::string& name, const std::vector<double>& numbers) {
    const ParameterInfo& info = layout.find(name);
    if (numbers.size() != info.count()) throw std::logic_error(name);
    std::copy(numbers.begin(), numbers.end(), values.begin() + static_cast<std::ptrdiff_t>(info.offset));
  }

  Batch batchOf(const std::vector<Example>& examples) const {
    std::vector<const Example*> pointers;
    for (const auto& example : examples) pointers.push_back(&example);
    const bool recurrent = config.family == "recurrent";
    return makeBatch(pointers, recurrent && !config.recurrent.tokens ? config.recurrent.vectorSize : 0,
                     recurrent ? config.recurrent.outputSize : 0);
  }

  // The record is valid until the next run.
  Record<S> forward(const Batch& batch, const RunOptions& options = {}) {
    return (m_silent.reset(), model->run(m_silent, Parameters<S>(layout, values.data(), nullptr), batch, options));
  }
  Record<S> backward(const Batch& batch, const RunOptions& options = {}) {
    std::fill(gradients.begin(), gradients.end(), S(0));
    m_tape.reset();
    const Record<S> record = model->run(m_tape, Parameters<S>(layout, values.data(), gradients.data()), batch, options);
    m_tape.backward();
    return record;
  }

  ModelConfig config;
  ParameterLayout layout;
  AlignedVector<S> values, gradients;
  std::unique_ptr<Model<S>> model;

 private:
  Tape<S> m_tape, m_silent{false};
};

// Small configurations to change by a merge patch (a key that becomes null is taken out).
inline Json smallSeq2Seq(const Json& changes = Json::object()) {
  Json config = Json::parse(R"({"family":"seq2seq","source_vocabulary":9,"target_vocabulary":8,"embedding":3,
    "encoder":{"cell":"gru","hidden":4,"bidirectional":true},"decoder":{"cell":"gru","hidden":4},
    "bridge":"tanh","context":"attention","query":"previous","attention":{"score":"additive","units":5}})");
  config.merge_patch(changes);
  return config;
}

inline Json smallRecurrent(const Json& changes = Json::object()) {
  Json config = Json::parse(R"({"family":"recurrent","input":{"kind":"vector","size":2},"cell":"rnn","hidden":4,
    "attention":{"score":"mean_dot","memory":"states","joins":"state"},"output":{"kind":"class","size":3}})");
  config.merge_patch(changes);
  return config;
}

// A source and a target of random words below the given vocabulary sizes, both closed by </s>.
inline Example randomPair(Random& random, int sourceWords, int targetWords, int sourceSize = 9, int targetSize = 8) {
  Example example;
  for (int i = 0; i < sourceWords; ++i) example.source.push_back(random.between(3, sourceSize - 1));
  for (int i = 0; i < targetWords; ++i) example.target.push_back(random.between(3, targetSize - 1));
  example.source.push_back(2);
  example.target.push_back(2);
  return example;
}

}  // namespace attnscope
