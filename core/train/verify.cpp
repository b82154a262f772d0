#include "core/train/verify.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <optional>
#include <sstream>

#include "core/base/error.h"
#include "core/models/model.h"
#include "core/train/model_file.h"

namespace attnscope {
namespace {

// Our result under the name of the expected tensor, example-major, zero where padded.
struct Result {
  std::vector<std::int64_t> shape;
  std::vector<double> numbers;
};
using Results = std::map<std::string, Result>;

class CaseReader {
 public:
  CaseReader(const TensorFile& content, std::string place) : m_content(content), m_place(std::move(place)) {}

  const StoredTensor* find(const char* name) const { return m_content.find(std::string("input.") + name); }

  const StoredTensor& need(const char* name, std::vector<std::int64_t> shape, bool integers) const {
    const StoredTensor* tensor = find(name);
    if (!tensor) fail(name, "is missing");
    bool fits = tensor->shape.size() == shape.size();
    for (std::size_t i = 0; fits && i < shape.size(); ++i) fits = shape[i] < 0 || shape[i] == tensor->shape[i];
    if (!fits) fail(name, "has a wrong shape");
    const auto held = static_cast<std::int64_t>(integers ? tensor->integers.size() : tensor->numbers.size());
    if (held != tensor->count()) fail(name, integers ? "must hold integers" : "must hold floating numbers");
    return *tensor;
  }

  std::vector<int> ids(const StoredTensor& tensor, const char* name, std::int64_t below) const {
    std::vector<int> result;
    for (std::int64_t id : tensor.integers) {
      if (id < 0 || id >= below)
        fail(name, "holds " + std::to_string(id) + ", but ids end at " + std::to_string(below - 1));
      result.push_back(static_cast<int>(id));
    }
    return result;
  }

  [[noreturn]] void fail(const char* name, const std::string& message) const {
    throw Error(ErrorKind::BadInput, m_place + ": tensor input." + name, message);
  }

 private:
  const TensorFile& m_content;
  std::string m_place;
};

// Sets padded entries to zero, so that nothing in them can matter.
template <class T>
void zeroPadding(std::vector<T>& values, const std::vector<int>& lengths, int padded, int width) {
  for (std::size_t b = 0; b < lengths.size(); ++b)
    std::fill(values.begin() + (b * padded + lengths[b]) * width, values.begin() + (b + 1) * padded * width, T(0));
}

// Sizes of [B, n, …] as a batch has them.
void readSizes(const CaseReader& reader, const char* name, const StoredTensor& input, Batch& batch) {
  if (input.count() == 0) reader.fail(name, "is empty");
  batch.size = static_cast<int>(input.shape[0]);
  batch.sourceLength = static_cast<int>(input.shape[1]);
}

void readLengths(const CaseReader& reader, const char* name, std::int64_t size, Batch& batch) {
  const StoredTensor& lengths = reader.need(name, {size}, true);
  for (std::int64_t n : lengths.integers) {
    if (n < 1 || n > batch.sourceLength) reader.fail(name, "holds the length " + std::to_string(n));
    batch.sourceLengths.push_back(static_cast<int>(n));
  }
}

// Ids that padding may replace by anything are cleared before they are checked.
std::vector<int> paddedIds(const CaseReader& reader, const StoredTensor& tensor, const char* name,
                           const std::vector<int>& lengths, int padded, int below) {
  StoredTensor cleared = tensor;
  zeroPadding(cleared.integers, lengths, padded, 1);
  return reader.ids(cleared, name, below);
}

Batch seq2seqBatch(const CaseReader& reader, const Seq2SeqConfig& config) {
  Batch batch;
  const StoredTensor& source = reader.need("source", {-1, -1}, true);
  readSizes(reader, "source", source, batch);
  readLengths(reader, "source_lengths", source.shape[0], batch);
  batch.source = paddedIds(reader, source, "source", batch.sourceLengths, batch.sourceLength, config.sourceVocabulary);
  const StoredTensor& target = reader.need("target", {source.shape[0], -1}, true);
  batch.targetLength = static_cast<int>(target.shape[1]);
  batch.target = reader.ids(target, "target", config.targetVocabulary);
  for (int b = 0; b < batch.size; ++b) {
    const auto row = batch.target.begin() + static_cast<std::ptrdiff_t>(b) * batch.targetLength;
    batch.targetLengths.push_back(static_cast<int>(std::find(row, row + batch.targetLength, 0) - row));
  }
  if (batch.targetCount() == 0) reader.fail("target", "holds no token");
  return batch;
}

std::vector<float> floats(const StoredTensor& tensor) { return {tensor.numbers.begin(), tensor.numbers.end()}; }

void readRecurrentOutputs(const CaseReader& reader, const RecurrentConfig& config, Batch& batch) {
  const std::int64_t B = batch.size, T = batch.sourceLength, k = config.outputSize;
  switch (config.outputKind) {
    case OutputKind::Class:
      batch.labels = reader.ids(reader.need("label", {B}, true), "label", k);
      break;
    case OutputKind::StepClass:
      batch.labels = paddedIds(reader, reader.need("labels", {B, T}, true), "labels", batch.sourceLengths,
                               batch.sourceLength, config.outputSize);
      break;
    case OutputKind::Vector:
      batch.values = floats(reader.need("value", {B, k}, false));
      break;
    case OutputKind::StepVector:
      batch.values = floats(reader.need("values", {B, T, k}, false));
      zeroPadding(batch.values, batch.sourceLengths, batch.sourceLength, config.outputSize);
      break;
  }
}

Batch recurrentBatch(const CaseReader& reader, const RecurrentConfig& config) {
  Batch batch;
  const StoredTensor& input = config.tokens ? reader.need("tokens", {-1, -1}, true)
                                            : reader.need("vectors", {-1, -1, config.vectorSize}, false);
  readSizes(reader, config.tokens ? "tokens" : "vectors", input, batch);
  readLengths(reader, "lengths", input.shape[0], batch);
  batch.targetLengths.assign(batch.size, 0);
  if (config.tokens) {
    batch.source = paddedIds(reader, input, "tokens", batch.sourceLengths, batch.sourceLength, config.vocabulary);
  } else {
    batch.vectorSize = config.vectorSize;
    batch.vectors = floats(input);
    zeroPadding(batch.vectors, batch.sourceLengths, batch.sourceLength, config.vectorSize);
  }
  readRecurrentOutputs(reader, config, batch);
  return batch;
}

// A step-major view [steps·B, width] as an example-major result, zero from each example's length on.
Result exampleMajor(View<float> view, int batch, int steps, const std::vector<int>& lengths, bool keepSteps) {
  Result result;
  const int width = view.columns;
  result.shape = keepSteps ? std::vector<std::int64_t>{batch, steps, width} : std::vector<std::int64_t>{batch, width};
  result.numbers.assign(static_cast<std::size_t>(batch) * steps * width, 0);
  for (int b = 0; b < batch; ++b)
    for (int t = 0; t < std::min(steps, lengths[b]); ++t)
      std::copy_n(view.row(t * batch + b), width,
                  result.numbers.begin() + (static_cast<std::ptrdiff_t>(b) * steps + t) * width);
  return result;
}

Results collect(const ModelConfig& config, const Record<float>& record, const std::vector<int>& steps,
                const ParameterLayout& layout, const AlignedVector<float>& gradients) {
  Results results;
  results["loss"] = {{}, {record.lossSum / static_cast<double>(record.lossCount)}};
  const bool perStep = config.family == "seq2seq" || config.recurrent.outputKind == OutputKind::StepClass ||
                       config.recurrent.outputKind == OutputKind::StepVector;
  results["logits"] = exampleMajor(record.logits, record.batch, record.steps, record.lengths, perStep);
  for (const auto& site : record.sites) {
    results["attention." + site.name] = exampleMajor(site.weights, record.batch, site.steps, steps, true);
    results["context"] = exampleMajor(site.contexts, record.batch, site.steps, steps, true);
  }
  for (const auto& info : layout.list()) {
    Result& result = results["grad." + info.name];
    result.shape.assign(info.shape.begin(), info.shape.end());
    result.numbers.assign(gradients.begin() + info.offset, gradients.begin() + info.offset + info.count());
  }
  return results;
}

std::string elementText(std::size_t index, const std::vector<std::int64_t>& shape) {
  std::vector<std::size_t> place(shape.size());
  for (std::size_t i = shape.size(); i-- > 0;) {
    place[i] = index % shape[i];
    index /= shape[i];
  }
  std::string text = "[";
  for (std::size_t i = 0; i < place.size(); ++i) text += (i ? "," : "") + std::to_string(place[i]);
  return text + "]";
}

TensorCheck compare(const std::string& name, const StoredTensor& expected, const Results& results, double tolerance) {
  TensorCheck check{name, std::nan(""), name.starts_with("grad.") ? 10 * tolerance : tolerance, false, {}};
  const auto found = results.find(name);
  if (found == results.end()) {
    check.detail = "this model has no such result";
    return check;
  }
  const Result& ours = found->second;
  if (ours.shape != expected.shape || ours.numbers.size() != expected.numbers.size()) {
    check.detail = "the expected tensor has another shape or type";
    return check;
  }
  double largest = 0, worst = 0;
  std::size_t where = 0;
  for (std::size_t i = 0; i < ours.numbers.size(); ++i) {
    const double difference = std::abs(ours.numbers[i] - expected.numbers[i]);
    if (!std::isfinite(difference)) {
      check.detail = "a number that is not finite at " + elementText(i, ours.shape);
      return check;
    }
    largest = std::max(largest, std::abs(expected.numbers[i]));
    if (difference > worst) worst = difference, where = i;
  }
  check.error = worst / std::max(1e-3, largest);
  check.ok = check.error <= check.tolerance;
  if (!check.ok) {
    std::ostringstream detail;
    detail.precision(9);
    detail << "worst at " << elementText(where, ours.shape) << ": ours " << ours.numbers[where] << ", expected "
           << expected.numbers[where];
    check.detail = detail.str();
  }
  return check;
}

// The case run forward and backward with the loss as a mean.
Results runCase(const ModelConfig& config, const Batch& batch, const ParameterLayout& layout,
                AlignedVector<float>& weights) {
  AlignedVector<float> gradients(layout.size(), 0.0f);
  const Parameters<float> parameters(layout, weights.data(), gradients.data());
  const auto model = makeModel<float>(config);
  RunOptions options;
  Tape<float> probe(false);
  options.lossScale = 1.0 / static_cast<double>(model->run(probe, parameters, batch, options).lossCount);
  Tape<float> tape;
  const Record<float> record = model->run(tape, parameters, batch, options);
  tape.backward();
  const std::vector<int>& steps = config.family == "seq2seq" ? record.lengths : batch.sourceLengths;
  return collect(config, record, steps, layout, gradients);
}

}  // namespace

CaseResult verifyCase(const std::filesystem::path& file, double tolerance) {
  const std::string place = file.string();
  const TensorFile content = readSafetensors(file);
  const bool expects = std::any_of(content.tensors.begin(), content.tensors.end(),
                                   [](const StoredTensor& tensor) { return tensor.name.starts_with("expect."); });
  if (!expects) throw Error(ErrorKind::BadInput, place, "has no tensor expect.…: there is nothing to compare with");
  ModelConfig config;
  ParameterLayout layout;
  try {
    config = parseConfig(storedConfig(content, place));
    layout = parameterLayout(config);
  } catch (const Error& error) {
    throw Error(error.kind(), error.place().starts_with(place) ? error.place() : place + ": " + error.place(),
                error.message());
  }
  const CaseReader reader(content, place);
  const Batch batch =
      config.family == "seq2seq" ? seq2seqBatch(reader, config.seq2seq) : recurrentBatch(reader, config.recurrent);
  AlignedVector<float> weights(layout.size());
  loadWeights(content, layout, place, weights.data());
  const Results results = runCase(config, batch, layout, weights);
  CaseResult result{place, true, {}};
  for (const auto& tensor : content.tensors) {
    if (!tensor.name.starts_with("expect.")) continue;
    result.tensors.push_back(compare(tensor.name.substr(7), tensor, results, tolerance));
    result.ok = result.ok && result.tensors.back().ok;
  }
  return result;
}

}  // namespace attnscope
