// Whole models: known numbers, batches against single examples, decoding.
#include <QTest>
#include <cmath>
#include <cstring>
#include <limits>

#include "core/data/vocabulary.h"
#include "tests/support/model_run.h"

using namespace attnscope;

namespace {

template <class S>
bool near(const View<S>& view, int row, const std::vector<double>& expected, double tolerance = 1e-6) {
  for (std::size_t k = 0; k < expected.size(); ++k)
    if (!(std::abs(view.row(row)[k] - expected[k]) <= tolerance)) return false;
  return static_cast<int>(expected.size()) <= view.columns;
}

std::vector<std::pair<std::string, Json>> seq2seqCases() {
  std::vector<std::pair<std::string, Json>> cases;
  const auto add = [&](const char* name, const char* patch) {
    cases.emplace_back(name, smallSeq2Seq(Json::parse(patch)));
  };
  add("gru additive previous", "{}");
  add("gru before", R"({"encoder":{"reset":"before"},"decoder":{"reset":"before"}})");
  add("lstm concat current feeding", R"({"query":"current","input_feeding":true,"encoder":{"cell":"lstm","layers":2},
      "decoder":{"cell":"lstm","layers":3},"attention":{"score":"concat"}})");
  add("rnn general current", R"({"query":"current","encoder":{"cell":"rnn"},"decoder":{"cell":"rnn","layers":2},
      "attention":{"score":"general","units":null}})");
  add("dot copy",
      R"({"bridge":"copy","encoder":{"bidirectional":false,"layers":2},"attention":{"score":"dot","units":null},
      "decoder":{"layers":2}})");
  add("gru into lstm", R"({"decoder":{"cell":"lstm"}})");
  add("lstm into gru", R"({"encoder":{"cell":"lstm"}})");
  add("fixed", R"({"context":"fixed","query":null,"attention":null,"encoder":{"layers":2}})");
  add("none", R"({"context":"none","query":null,"attention":null,"decoder":{"cell":"lstm"}})");
  return cases;
}

std::vector<std::pair<std::string, Json>> recurrentCases() {
  std::vector<std::pair<std::string, Json>> cases;
  for (const char* memory : {"states", "inputs", "lower"})
    for (const char* joins : {"state", "input", "output"})
      for (const char* output : {"class", "step_class", "vector", "step_vector"}) {
        Json config = smallRecurrent({{"layers", memory[0] == 'l' ? 2 : 1}, {"cell", joins[0] == 's' ? "rnn" : "gru"}});
        config["attention"] = {{"score", "general"}, {"memory", memory}, {"joins", joins}};
        config["output"]["kind"] = output;
        if (joins[0] == 'i') {
          config["input"] = Json::parse(R"({"kind":"token","vocabulary":9,"embedding":3})");
          config["cell"] = "lstm";
        }
        cases.emplace_back(std::string(memory) + " " + joins + " " + output, config);
      }
  cases.emplace_back("plain", smallRecurrent());
  cases.back().second["attention"] = nullptr;
  cases.back().second["output"]["kind"] = "step_class";
  return cases;
}

// Examples of lengths 5, 1, 3 (words and vectors) with whatever the configuration's outputs want.
std::vector<Example> examplesFor(const ModelConfig& config) {
  Random random(3, "examples");
  std::vector<Example> examples;
  for (int words : {4, 0, 2}) {
    examples.push_back(randomPair(random, words, (words * 3 + 1) % 5));
    if (config.family == "seq2seq") continue;
    Example& example = examples.back();
    example.target.clear();
    const RecurrentConfig& model = config.recurrent;
    const bool each = model.outputKind == OutputKind::StepClass || model.outputKind == OutputKind::StepVector;
    for (int t = 0; t <= words; ++t) {
      for (int k = 0; k < 2; ++k) example.vectors.push_back(static_cast<float>(random.normal()));
      if (t > 0 && !each) continue;
      example.labels.push_back(random.below(3));
      for (int k = 0; k < model.outputSize; ++k) example.values.push_back(static_cast<float>(random.normal()));
    }
  }
  return examples;
}

void addRows(const std::vector<std::pair<std::string, Json>>& cases) {
  QTest::addColumn<QByteArray>("config");
  for (const auto& [name, config] : cases) QTest::newRow(name.c_str()) << QByteArray::fromStdString(config.dump());
}

// The largest difference between example b of a batch and the same example alone, over logits and weights.
template <class S>
double worstOfAlone(const Record<S>& batched, int b, const Record<S>& alone) {
  double worst = alone.lengths[0] == batched.lengths[b] ? 0 : 1e9;
  const auto compare = [&](const View<S>& many, const View<S>& one, int rows, int columns) {
    for (int t = 0; t < rows; ++t)
      for (int k = 0; k < columns; ++k) {
        const double difference = std::abs(many.row(t * batched.batch + b)[k] - one.row(t)[k]);
        worst = difference <= worst ? worst : std::isfinite(difference) ? difference : 1e9;
      }
  };
  compare(batched.logits, alone.logits, alone.lengths[0], alone.logits.columns);
  for (std::size_t s = 0; s < alone.sites.size(); ++s) {
    const int rows = std::min(alone.sites[s].steps, batched.sites[s].steps);
    const int real = alone.steps == 1 ? rows : alone.lengths[0];
    compare(batched.sites[s].weights, alone.sites[s].weights, std::min(real, rows), alone.sites[s].positions);
    compare(batched.sites[s].contexts, alone.sites[s].contexts, std::min(real, rows), alone.sites[s].contexts.columns);
  }
  return worst;
}

// More padding on every side; padded vectors hold what nothing may read.
Batch widened(Batch batch, int extra) {
  const auto widen = [&](auto& rows, int& length, int width, auto filler) {
    if (rows.empty()) return;
    std::remove_reference_t<decltype(rows)> wide;
    for (int b = 0; b < batch.size; ++b) {
      wide.insert(wide.end(), rows.begin() + b * length * width, rows.begin() + (b + 1) * length * width);
      wide.insert(wide.end(), static_cast<std::size_t>(extra) * width, filler);
    }
    rows = std::move(wide);
  };
  const bool labelsPerStep = static_cast<int>(batch.labels.size()) > batch.size;
  widen(batch.source, batch.sourceLength, 1, 0);
  widen(batch.vectors, batch.sourceLength, batch.vectorSize, std::numeric_limits<float>::quiet_NaN());
  if (labelsPerStep) widen(batch.labels, batch.sourceLength, 1, -1);
  const int k = static_cast<int>(batch.values.size()) / (batch.size * batch.sourceLength);
  if (labelsPerStep && k > 0) widen(batch.values, batch.sourceLength, k, std::numeric_limits<float>::quiet_NaN());
  widen(batch.target, batch.targetLength, 1, 0);
  batch.sourceLength += extra;
  if (!batch.target.empty()) batch.targetLength += extra;
  return batch;
}

double largestDifference(const AlignedVector<double>& a, const AlignedVector<double>& b) {
  double worst = 0;
  for (std::size_t i = 0; i < a.size(); ++i) {
    const double difference = std::abs(a[i] - b[i]);
    worst = std::isfinite(difference) ? std::max(worst, difference) : 1e9;
  }
  return worst;
}

Json candidateModel(const char* reset) {
  Json config = Json::parse(R"({"family":"recurrent","input":{"kind":"vector","size":1},"cell":"gru","hidden":2,
    "attention":null,"output":{"kind":"step_vector","size":1}})");
  config["reset"] = reset;
  return config;
}

double logit(double p) { return std::log(p / (1 - p)); }

}  // namespace

class TestModels : public QObject {
  Q_OBJECT
 private slots:
  void selfAttentiveRnn();
  void gruCandidate_data();
  void gruCandidate();
  void seq2seqAloneAndTogether_data() { addRows(seq2seqCases()); }
  void seq2seqAloneAndTogether();
  void recurrentAloneAndTogether_data() { addRows(recurrentCases()); }
  void recurrentAloneAndTogether();
  void widerPadding_data();
  void widerPadding();
  void mixedWithAllReferenceIsForced_data() { addRows(seq2seqCases()); }
  void mixedWithAllReferenceIsForced();
  void freeOnItsOwnOutputIsForced_data() { addRows(seq2seqCases()); }
  void freeOnItsOwnOutputIsForced();
  void freeStopsAtTheEnd();
  void neverWritesPaddingOrStart();
  void mixedDrawsBoth();
  void temperatureOfOneRun();
  void paddingRowReadsAsZero();
  void argMaxTakesTheFirst();
  void initialisation();
};

// Attention of a network over its own past, worked out by hand step by step.
void TestModels::selfAttentiveRnn() {
  ModelRun<double> run(Json::parse(R"({"family":"recurrent","input":{"kind":"vector","size":1},"cell":"rnn","hidden":2,
    "attention":{"score":"mean_dot","memory":"states","joins":"state"},"output":{"kind":"step_vector","size":2}})"));
  run.set("rnn.weight_ih_l0", {1, -0.5});
  run.set("rnn.weight_hh_l0", {.5, .1, .3, -.2, -.3, .8, .2, .4});
  run.set("rnn.bias_ih_l0", {.1, -.1});
  run.set("rnn.bias_hh_l0", {0, 0});
  run.set("output.weight", {1, 0, 0, 1});
  run.set("output.bias", {0, 0});
  Example example;
  example.vectors = {.5f, -1, 2, .25f};
  const auto record = run.forward(run.batchOf({example}));
  const auto& site = record.sites[0];
  QCOMPARE(site.name, std::string("memory"));
  QVERIFY(near(record.layers[0].h, 0, {.537050, -.336376}));
  QVERIFY(near(record.layers[0].h, 1, {-.581756, -.030206}));
  QVERIFY(near(record.layers[0].h, 2, {.957227, -.745250}));
  QVERIFY(near(record.layers[0].h, 3, {.673856, -.818120}));
  QVERIFY(near(record.logits, 3, {.673856, -.818120}));
  QVERIFY(site.ranges[0].empty());
  QVERIFY(near(site.contexts, 0, {0, 0}, 0));
  QVERIFY(near(site.weights, 1, {1, 0, 0, 0}, 0));
  QVERIFY(near(site.contexts, 1, {0, 0}, 0));
  QVERIFY(near(site.scores, 2, {0, -.151136}));
  QVERIFY(near(site.weights, 2, {.537712, .462288, 0, 0}));
  QVERIFY(near(site.contexts, 2, {.248271, -.155502}));
  QVERIFY(near(site.scores, 3, {0, .382381, -.267181}));
  QVERIFY(near(site.weights, 3, {.309472, .453616, .236912, 0}));
  QVERIFY(near(site.contexts, 3, {.105789, -.159741}));
}

void TestModels::gruCandidate_data() {
  QTest::addColumn<QByteArray>("reset");
  QTest::addColumn<double>("first");
  QTest::addColumn<double>("second");
  QTest::newRow("before") << QByteArray("before") << .300437 << -.200257;
  QTest::newRow("after") << QByteArray("after") << .178081 << .069886;
}

// The two places of the reset gate: one candidate even changes its sign. The first step makes h = (.6, −.4), the second
// has z = 0, so that its state is the candidate.
void TestModels::gruCandidate() {
  QFETCH(QByteArray, reset);
  QFETCH(double, first);
  QFETCH(double, second);
  ModelRun<double> run(candidateModel(reset.constData()), 1, 0);
  // x = 0 makes step one, x = 1 step two. Rows r, r, z, z, n, n.
  const double a = std::atanh(.6), b = std::atanh(-.4), off = -40;
  run.set("rnn.bias_ih_l0", {0, 0, off, off, a, b});
  run.set("rnn.weight_ih_l0", {logit(.25), logit(.9), 0, 0, .1 - a, -.2 - b});
  run.set("rnn.weight_hh_l0", {0, 0, 0, 0, 0, 0, 0, 0, .2, -.5, .7, .3});
  Example example;
  example.vectors = {0, 1};
  const auto record = run.forward(run.batchOf({example}));
  QVERIFY(near(record.layers[0].h, 0, {.6, -.4}, 1e-12));
  QVERIFY(near(record.layers[0].h, 1, {first, second}));
  QVERIFY(near(record.layers[0].gates[0].values, 1, {.25, .9}));
}

void TestModels::seq2seqAloneAndTogether() {
  QFETCH(QByteArray, config);
  ModelRun<double> run(Json::parse(config.toStdString())), single(Json::parse(config.toStdString()));
  const auto examples = examplesFor(run.config);
  for (auto decoding : {Decoding::Forced, Decoding::Free}) {
    RunOptions options;
    options.decoding = decoding;
    options.maxSteps = 9;
    const auto together = run.forward(run.batchOf(examples), options);
    double loss = 0;
    for (std::size_t b = 0; b < examples.size(); ++b) {
      const auto alone = single.forward(single.batchOf({examples[b]}), options);
      loss += alone.lossSum;
      QVERIFY(worstOfAlone(together, static_cast<int>(b), alone) < 1e-12);
      for (int t = 0; t < alone.lengths[0]; ++t) QCOMPARE(together.chosen[t * together.batch + b], alone.chosen[t]);
    }
    QVERIFY(std::abs(loss - together.lossSum) < 1e-11);
  }
}

void TestModels::recurrentAloneAndTogether() {
  QFETCH(QByteArray, config);
  ModelRun<double> run(Json::parse(config.toStdString())), single(Json::parse(config.toStdString()));
  const auto examples = examplesFor(run.config);
  const auto together = run.backward(run.batchOf(examples));
  double loss = 0;
  long count = 0;
  AlignedVector<double> gradients(run.gradients.size(), 0);
  for (std::size_t b = 0; b < examples.size(); ++b) {
    const auto alone = single.backward(single.batchOf({examples[b]}));
    loss += alone.lossSum;
    count += alone.lossCount;
    for (std::size_t i = 0; i < gradients.size(); ++i) gradients[i] += single.gradients[i];
    QVERIFY(worstOfAlone(together, static_cast<int>(b), alone) < 1e-12);
  }
  QVERIFY(together.lossSum > 0);
  QCOMPARE(count, together.lossCount);
  QVERIFY(std::abs(loss - together.lossSum) < 1e-11);
  QVERIFY(largestDifference(gradients, run.gradients) < 1e-11);
}

void TestModels::widerPadding_data() {
  auto cases = seq2seqCases();
  for (auto& one : recurrentCases()) cases.push_back(std::move(one));
  addRows(cases);
}

void TestModels::widerPadding() {
  QFETCH(QByteArray, config);
  ModelRun<double> run(Json::parse(config.toStdString())), other(Json::parse(config.toStdString()));
  const Batch batch = run.batchOf(examplesFor(run.config));
  const auto tight = run.backward(batch), wide = other.backward(widened(batch, 3));
  QVERIFY(std::abs(tight.lossSum - wide.lossSum) < 1e-12);
  QCOMPARE(wide.lossCount, tight.lossCount);
  QVERIFY(largestDifference(run.gradients, other.gradients) < 1e-12);
  for (int b = 0; b < batch.size; ++b)
    for (int t = 0; t < tight.lengths[b]; ++t)
      for (int k = 0; k < tight.logits.columns; ++k)
        QVERIFY(std::abs(tight.logits.row(t * batch.size + b)[k] - wide.logits.row(t * batch.size + b)[k]) < 1e-12);
  for (std::size_t s = 0; s < wide.sites.size(); ++s)
    for (int r = 0; r < wide.sites[s].steps * batch.size; ++r)
      for (int i = wide.sites[s].ranges[r].end; i < wide.sites[s].positions; ++i)
        QVERIFY(wide.sites[s].weights.row(r)[i] == 0.0);
}

void TestModels::mixedWithAllReferenceIsForced() {
  QFETCH(QByteArray, config);
  ModelRun<float> forced(Json::parse(config.toStdString())), mixed(Json::parse(config.toStdString()));
  const Batch batch = forced.batchOf(examplesFor(forced.config));
  Random random(1, "forcing");
  RunOptions options;
  options.decoding = Decoding::Mixed;
  options.teacherForcing = 1;
  options.random = &random;
  const auto a = forced.backward(batch), b = mixed.backward(batch, options);
  QVERIFY(std::abs(a.lossSum - b.lossSum) < 1e-5);
  for (int e = 0; e < batch.size; ++e)
    for (int t = 0; t < a.lengths[e]; ++t)
      for (int k = 0; k < a.logits.columns; ++k)
        QVERIFY(std::abs(a.logits.row(t * batch.size + e)[k] - b.logits.row(t * batch.size + e)[k]) < 1e-5);
  for (std::size_t i = 0; i < forced.gradients.size(); ++i)
    QVERIFY(std::abs(forced.gradients[i] - mixed.gradients[i]) < 1e-4);
}

// What a free run wrote, given as the target, gives the same numbers.
void TestModels::freeOnItsOwnOutputIsForced() {
  QFETCH(QByteArray, config);
  ModelRun<double> run(Json::parse(config.toStdString()), 5, 4), other(Json::parse(config.toStdString()), 5, 4);
  auto examples = examplesFor(run.config);
  RunOptions options;
  options.decoding = Decoding::Free;
  options.maxSteps = 7;
  const auto free = run.forward(run.batchOf(examples), options);
  for (std::size_t b = 0; b < examples.size(); ++b) {
    examples[b].target.clear();
    for (int t = 0; t < free.lengths[b]; ++t) examples[b].target.push_back(free.chosen[t * free.batch + b]);
    const auto forced = other.forward(other.batchOf({examples[b]}));
    QVERIFY(worstOfAlone(free, static_cast<int>(b), forced) < 1e-12);
  }
}

void TestModels::freeStopsAtTheEnd() {
  ModelRun<float> run(smallSeq2Seq());
  auto examples = examplesFor(run.config);
  for (auto& example : examples) example.target.clear();
  std::vector<double> bias(8, 0);
  RunOptions options;
  options.decoding = Decoding::Free;
  // </s> at once.
  bias[kEnd] = 1e4;
  run.set("output.bias", bias);
  auto record = run.forward(run.batchOf(examples), options);
  for (std::size_t b = 0; b < examples.size(); ++b) {
    QCOMPARE(record.lengths[b], 1);
    QCOMPARE(record.chosen[b], kEnd);
  }
  // Never: 2n + 10 steps, or the bound.
  bias[kEnd] = -1e4;
  run.set("output.bias", bias);
  record = run.forward(run.batchOf(examples), options);
  for (int length : record.lengths) QCOMPARE(length, 2 * 5 + 10);
  options.maxSteps = 3;
  record = run.forward(run.batchOf(examples), options);
  for (int length : record.lengths) QCOMPARE(length, 3);
}

void TestModels::neverWritesPaddingOrStart() {
  ModelRun<float> run(smallSeq2Seq());
  run.set("output.bias", {1e6, 1e6, -1e6, 0, 0, 0, 0, 0});
  RunOptions options;
  options.decoding = Decoding::Free;
  options.maxSteps = 6;
  const Batch batch = run.batchOf(examplesFor(run.config));
  const auto free = run.forward(batch, options);
  for (int id : free.chosen) QVERIFY(id >= kEnd);
  for (int length : free.lengths) QCOMPARE(length, 6);
  for (int id : run.forward(batch).chosen) QVERIFY(id >= kEnd);
}

void TestModels::mixedDrawsBoth() {
  ModelRun<float> run(smallSeq2Seq());
  const Batch batch = run.batchOf(examplesFor(run.config));
  const auto lossAt = [&](double p, std::uint64_t seed) {
    Random random(seed, "forcing");
    RunOptions options;
    options.decoding = Decoding::Mixed;
    options.teacherForcing = p;
    options.random = &random;
    return run.backward(batch, options).lossSum;
  };
  QCOMPARE(lossAt(0.5, 1), lossAt(0.5, 1));
  QCOMPARE(lossAt(0, 1), lossAt(0, 2));
  bool differs = false;
  for (std::uint64_t seed = 2; seed < 8; ++seed) differs = differs || lossAt(0.5, 1) != lossAt(0.5, seed);
  QVERIFY(differs);
  QVERIFY(lossAt(0, 1) != lossAt(1, 1));
}

void TestModels::temperatureOfOneRun() {
  for (const Json& json : {smallSeq2Seq(), smallRecurrent({{"attention", {{"joins", "output"}}}})}) {
    Json warm = json;
    warm["attention"]["temperature"] = 0.25;
    ModelRun<double> run(json), reference(warm);
    RunOptions options;
    options.temperature = 0.25;
    const Batch batch = run.batchOf(examplesFor(run.config));
    QVERIFY(run.forward(batch, options).lossSum == reference.forward(batch).lossSum);
    QVERIFY(run.forward(batch).lossSum != reference.forward(batch).lossSum);
  }
}

void TestModels::paddingRowReadsAsZero() {
  ModelRun<double> run(smallSeq2Seq());
  Example example;
  example.source = {4, kPad, 5, kEnd};  // an id 0 that is not padding reads as zero too
  example.target = {3, kEnd};
  const Batch batch = run.batchOf({example});
  const double before = run.backward(batch).lossSum;
  const auto& table = run.layout.find("source_embedding.weight");
  for (int k = 0; k < 3; ++k) {
    QVERIFY(run.gradients[table.offset + k] == 0.0);
    run.values[table.offset + k] = 1e6;
  }
  QCOMPARE(run.forward(batch).lossSum, before);
}

void TestModels::argMaxTakesTheFirst() {
  std::vector<float> logits{9, 9, 3, 5, 5, 9, 1, 7, 7, 7};
  std::vector<int> chosen(2);
  argMaxRows(View<float>{logits.data(), 2, 5, 5}, 2, chosen.data());
  QVERIFY((chosen == std::vector<int>{3, 2}));
  argMaxRows(View<float>{logits.data(), 2, 5, 5}, 0, chosen.data());
  QVERIFY((chosen == std::vector<int>{0, 0}));
}

void TestModels::initialisation() {
  const ModelConfig config = parseConfig(smallSeq2Seq({{"encoder", {{"cell", "lstm"}, {"hidden", 16}}}}));
  const ParameterLayout layout = parameterLayout(config);
  std::vector<float> values(layout.size()), again(layout.size()), other(layout.size());
  initialise(layout, 1, values.data());
  initialise(layout, 1, again.data());
  initialise(layout, 2, other.data());
  QVERIFY(values == again && values != other);
  const auto at = [&](const char* name) { return values.data() + layout.find(name).offset; };
  for (int k = 0; k < 16; ++k) QCOMPARE(at("encoder.bias_ih_l0")[16 + k] + at("encoder.bias_hh_l0")[16 + k], 1.0f);
  for (std::size_t i = 0; i < layout.find("encoder.weight_hh_l0").count(); ++i)
    QVERIFY(std::abs(at("encoder.weight_hh_l0")[i]) <= 0.25f);
  for (int k = 0; k < 3; ++k) QCOMPARE(at("source_embedding.weight")[k], 0.0f);
}

QTEST_GUILESS_MAIN(TestModels)
#include "test_models.moc"
