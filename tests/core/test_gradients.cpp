// Every operation and both families against central differences, in double, to 1e-7 relative.
#include <QTest>

#include "core/attention/normalizer.h"
#include "core/attention/tables.h"
#include "core/autograd/ops_attention.h"
#include "core/autograd/ops_basic.h"
#include "core/autograd/ops_recurrent.h"
#include "core/models/model.h"
#include "tests/support/gradient_check.h"

using namespace attnscope;

namespace {

constexpr double kTolerance = 1e-7;
constexpr int kBatch = 2, kSteps = 3, kPositions = 4;

using Tape64 = Tape<double>;
using Var64 = Var<double>;
using Inputs = const std::vector<Var64>&;

const int kIds[] = {2, 0, 1, 2, 3};
const int kRows[] = {1, -1, 3, 1};
const int kLengths[] = {1, 3};
const Range kRanges[] = {{0, 3}, {1, 4}};

// An input that an in-place operation may overwrite.
Var64 copied(Tape64& tape, Var64 x) {
  const Var64 y = tape.zeros(x.rowCount(), x.columnCount());
  copyOp(tape, x, y);
  return y;
}

// Several variables side by side as one output.
Var64 joined(Tape64& tape, std::initializer_list<Var64> parts) {
  int columns = 0;
  for (const Var64& part : parts) columns += part.columnCount();
  const Var64 all = tape.zeros(parts.begin()->rowCount(), columns);
  int at = 0;
  for (const Var64& part : parts) {
    copyOp(tape, part, all.columns(at, part.columnCount()));
    at += part.columnCount();
  }
  return all;
}

Var64 projected(Tape64& tape, Inputs in, WeightLayout layout) {
  const int out = layout == WeightLayout::OutIn ? in[1].rowCount() : in[1].columnCount();
  const Var64 y = tape.zeros(in[0].rowCount(), out);
  const Projection<double> projection(tape, in[1], in[0], y, layout);
  for (int r = 0; r < in[0].rowCount(); r += 2) projection.apply(tape, r, 2);
  return y;
}

std::vector<OpCase> basicCases() {
  return {
      {"projection", {{6, 3}, {4, 3}}, [](Tape64& t, Inputs in) { return projected(t, in, WeightLayout::OutIn); }},
      {"projection transposed",
       {{6, 3}, {3, 4}},
       [](Tape64& t, Inputs in) { return projected(t, in, WeightLayout::InOut); }},
      {"bias",
       {{1, 4}},
       [](Tape64& t, Inputs in) {
         const Var64 y = t.zeros(5, 4);
         addBias(t, in[0], y);
         return y;
       }},
      {"every block",
       {{2, 3}},
       [](Tape64& t, Inputs in) {
         const Var64 y = t.zeros(6, 3);
         addToEveryBlock(t, in[0], y);
         return y;
       }},
      {"tanh",
       {{3, 4}},
       [](Tape64& t, Inputs in) {
         const Var64 y = copied(t, in[0]);
         tanhInPlace(t, y);
         return y;
       }},
      {"embedding",
       {{4, 3}},
       [](Tape64& t, Inputs in) {
         const Var64 y = t.zeros(5, 3);
         embed(t, in[0], kIds, y);
         return y;
       }},
      {"gather rows",
       {{4, 3}},
       [](Tape64& t, Inputs in) {
         const Var64 y = t.zeros(4, 3);
         gatherRows(t, in[0], kRows, y);
         return y;
       }},
  };
}

// Two steps, so that a padded row (t = 1 of the first example) is met as well.
std::vector<OpCase> cellCases() {
  const auto step = [](int t) { return StepMask{kLengths, t}; };
  return {
      {"rnn step",
       {{2, 3}, {2, 3}, {2, 3}},
       [=](Tape64& t, Inputs in) {
         const Var64 h1 = t.zeros(2, 3), h2 = t.zeros(2, 3);
         rnnStep(t, copied(t, in[0]), in[2], h1, step(0));
         rnnStep(t, copied(t, in[1]), h1, h2, step(1));
         return joined(t, {h1, h2});
       }},
      {"gru step",
       {{2, 9}, {2, 9}, {2, 9}, {2, 9}, {2, 3}},
       [=](Tape64& t, Inputs in) {
         const Var64 h1 = t.zeros(2, 3), h2 = t.zeros(2, 3);
         gruStep(t, copied(t, in[0]), in[1], in[4], h1, step(0));
         gruStep(t, copied(t, in[2]), copied(t, in[3]), h1, h2, step(1));
         return joined(t, {h1, h2});
       }},
      {"gru step, reset before",
       {{2, 9}, {2, 3}},
       [=](Tape64& t, Inputs in) {
         const Var64 gates = copied(t, in[0]), reset = t.zeros(2, 3), h = t.zeros(2, 3);
         gruResetBefore(t, gates, in[1], reset, step(1));
         addToEveryBlock(t, reset, gates.columns(6, 3));
         gruUpdateBefore(t, gates, in[1], h, step(1));
         return h;
       }},
      {"lstm step",
       {{2, 12}, {2, 12}, {2, 3}, {2, 3}},
       [=](Tape64& t, Inputs in) {
         const Var64 h1 = t.zeros(2, 3), c1 = t.zeros(2, 3), h2 = t.zeros(2, 3), c2 = t.zeros(2, 3);
         lstmStep(t, copied(t, in[0]), in[2], in[3], c1, h1, step(0));
         lstmStep(t, copied(t, in[1]), c1, h1, c2, h2, step(1));
         return joined(t, {h1, h2, c2});
       }},
  };
}

Var64 scoresOf(Tape64& t) { return t.zeros(kBatch, kPositions); }

std::vector<OpCase> attentionCases() {
  std::vector<OpCase> cases = {
      {"dot scores",
       {{kPositions * kBatch, 3}, {kBatch, 3}},
       [](Tape64& t, Inputs in) {
         const Var64 scores = scoresOf(t);
         dotScores(t, in[0], in[1], kRanges, 0.7, scores, true);
         return scores;
       }},
      {"dot scores, keys at once",
       {{kPositions * kBatch, 3}, {kSteps * kBatch, 3}},
       [](Tape64& t, Inputs in) {
         const Var64 scores = t.zeros(kSteps * kBatch, kPositions);
         addStepsToMemory(t, scores.grad, in[1].value, 0.7, kBatch, in[0]);
         // Every cell is real here: a masked cell's score never has a gradient in a model, in this loss it would.
         static const Range ranges[] = {{0, kPositions}, {0, kPositions}};
         for (int s = 0; s < kSteps; ++s)
           dotScores(t, in[0], in[1].rows(s * kBatch, kBatch), ranges, 0.7, scores.rows(s * kBatch, kBatch), false);
         return scores;
       }},
      {"additive scores",
       {{kPositions * kBatch, 5}, {kBatch, 5}, {1, 5}},
       [](Tape64& t, Inputs in) {
         const Var64 scores = scoresOf(t);
         additiveScores(t, in[0], in[1], in[2], kRanges, 0.7, scores);
         return scores;
       }},
      {"read memory",
       {{kPositions * kBatch, 3}, {kBatch, kPositions}},
       [](Tape64& t, Inputs in) {
         const Var64 context = t.zeros(kBatch, 3);
         readMemory(t, in[0], in[1], kRanges, context, true);
         return context;
       }},
      {"read memory, at once",
       {{kPositions * kBatch, 3}, {kBatch, kPositions}},
       [](Tape64& t, Inputs in) {
         const Var64 context = t.zeros(kBatch, 3), weights = t.zeros(kBatch, kPositions);
         addStepsToMemory(t, weights.value, context.grad, 1.0, kBatch, in[0]);
         copyOp(t, in[1], weights);
         // Weights outside the range are 0, as a normaliser leaves them.
         weights.value.row(0)[3] = weights.value.row(1)[0] = 0;
         readMemory(t, in[0], weights, kRanges, context, false);
         return context;
       }},
  };
  for (const auto& normalizer : normalizerTable())
    cases.push_back({"normaliser " + std::string(normalizer.name),
                     {{kBatch, kPositions}},
                     [name = std::string(normalizer.name)](Tape64& t, Inputs in) {
                       const Var64 weights = scoresOf(t);
                       normalise(t, in[0], kRanges, normalizerOps<double>(name), weights);
                       return weights;
                     }});
  return cases;
}

Json seq2seq(const Json& changes) {
  Json config = Json::parse(R"({"family":"seq2seq","source_vocabulary":7,"target_vocabulary":6,"embedding":3,
    "encoder":{"cell":"gru","hidden":4,"bidirectional":true},"decoder":{"cell":"gru","hidden":4},
    "bridge":"tanh","context":"attention","query":"previous","attention":{"score":"additive","units":3}})");
  config.merge_patch(changes);
  return config;
}

Json recurrent(const Json& changes) {
  Json config = Json::parse(R"({"family":"recurrent","input":{"kind":"vector","size":2},"cell":"rnn","hidden":4,
    "attention":{"score":"mean_dot","memory":"states","joins":"state"},"output":{"kind":"class","size":3}})");
  config.merge_patch(changes);
  return config;
}

Batch smallBatch(const ModelConfig& config) {
  static std::vector<Example> examples;
  examples.assign(3, {});
  const int lengths[] = {4, 1, 3};
  Random random(3, "batch");
  for (int b = 0; b < 3; ++b) {
    Example& example = examples[b];
    for (int t = 0; t < lengths[b]; ++t) {
      example.source.push_back(random.between(1, 6));
      for (int k = 0; k < 2; ++k) example.vectors.push_back(static_cast<float>(random.normal()));
    }
    for (int t = 0; t < 1 + (b + 1) % 3; ++t) example.target.push_back(random.between(1, 5));
    if (config.family == "seq2seq") continue;
    example.target.clear();
    const bool each = config.recurrent.outputKind == OutputKind::StepClass ||
                      config.recurrent.outputKind == OutputKind::StepVector;
    for (int t = 0; t < (each ? lengths[b] : 1); ++t) {
      example.labels.push_back(random.below(3));
      for (int k = 0; k < config.recurrent.outputSize; ++k) example.values.push_back(static_cast<float>(random.normal()));
    }
  }
  std::vector<const Example*> pointers;
  for (const auto& example : examples) pointers.push_back(&example);
  const bool vectors = config.family == "recurrent" && !config.recurrent.tokens;
  return makeBatch(pointers, vectors ? 2 : 0, config.family == "recurrent" ? config.recurrent.outputSize : 0);
}

// The whole model's loss against every parameter.
GradientError modelError(const Json& json) {
  const ModelConfig config = parseConfig(json);
  const ParameterLayout layout = parameterLayout(config);
  std::vector<double> values(layout.size()), gradients(layout.size(), 0.0);
  initialise(layout, 5, values.data());
  for (double& x : values) x *= 2;  // far from linear
  const auto model = makeModel<double>(config);
  const Batch batch = smallBatch(config);
  RunOptions options;
  options.lossScale = 0.25;
  {
    Tape64 tape;
    model->run(tape, Parameters<double>(layout, values.data(), gradients.data()), batch, options);
    tape.backward();
  }
  GradientError worst;
  for (const auto& info : layout.list()) {
    const auto one = compareWithDifferences(info.name, values.data() + info.offset, gradients.data() + info.offset,
                                            info.count(), [&] {
                                              Tape64 tape(false);
                                              const Parameters<double> p(layout, values.data(), nullptr);
                                              return 0.25 * model->run(tape, p, batch, options).lossSum;
                                            });
    if (one.error > worst.error) worst = one;
  }
  return worst;
}

std::vector<std::pair<std::string, Json>> modelCases() {
  std::vector<std::pair<std::string, Json>> cases;
  for (const auto& score : scoreTable()) {
    const Json attention{{"score", score.name}, {"units", score.takesUnits ? Json(3) : Json()}};
    const Json oneWay{{"encoder", {{"bidirectional", false}}}};
    Json previous = seq2seq({{"attention", attention}}), current = previous;
    if (score.equalSizes) previous.merge_patch(oneWay);
    current.merge_patch({{"query", "current"}, {"input_feeding", true}, {"encoder", {{"bidirectional", false}}}});
    cases.emplace_back("seq2seq previous " + std::string(score.name), previous);
    cases.emplace_back("seq2seq current, feeding " + std::string(score.name), current);
    cases.emplace_back("recurrent states state " + std::string(score.name), recurrent({{"attention", attention}}));
    Json output = recurrent({{"cell", "gru"}, {"attention", attention}});
    output["attention"]["joins"] = "output";
    cases.emplace_back("recurrent states output " + std::string(score.name), output);
  }
  for (const char* cell : {"rnn", "gru", "lstm"}) {
    const Json both{{"encoder", {{"cell", cell}, {"layers", 2}, {"bidirectional", false}}},
                    {"decoder", {{"cell", cell}, {"layers", 2}}}};
    for (const char* context : {"none", "fixed"}) {
      Json config = seq2seq(both);
      config.merge_patch({{"context", context}, {"bridge", "copy"}, {"query", nullptr}, {"attention", nullptr}});
      cases.emplace_back(std::string("seq2seq ") + cell + " " + context, config);
    }
    cases.emplace_back(std::string("seq2seq into lstm ") + cell,
                       seq2seq({{"encoder", {{"cell", cell}}}, {"decoder", {{"cell", "lstm"}, {"layers", 2}}}}));
    for (const char* memory : {"inputs", "lower"})
      for (const char* joins : {"input", "output"})
        cases.emplace_back(
            std::string("recurrent ") + cell + " " + memory + " " + joins,
            recurrent({{"cell", cell},
                       {"layers", 2},
                       {"input", {{"kind", "token"}, {"vocabulary", 7}, {"embedding", 3}, {"size", nullptr}}},
                       {"attention", {{"score", "general"}, {"memory", memory}, {"joins", joins}}},
                       {"output", {{"kind", joins[0] == 'i' ? "step_class" : "step_vector"}}}}));
  }
  cases.emplace_back("gru reset before", seq2seq({{"encoder", {{"reset", "before"}}}, {"decoder", {{"reset", "before"}}}}));
  cases.emplace_back("temperature", seq2seq({{"attention", {{"temperature", 0.3}}}}));
  cases.emplace_back("recurrent plain, vector", recurrent({{"output", {{"kind", "vector"}}}}));
  cases.back().second["attention"] = nullptr;
  return cases;
}

}  // namespace

class TestGradients : public QObject {
  Q_OBJECT
 private slots:
  void operations_data() {
    QTest::addColumn<int>("index");
    const auto all = operationCases();
    for (std::size_t i = 0; i < all.size(); ++i) QTest::newRow(all[i].name.c_str()) << static_cast<int>(i);
  }
  void operations() {
    QFETCH(int, index);
    const auto all = operationCases();
    const GradientError worst = OpCheck(all[index]).worst();
    QVERIFY2(worst.error < kTolerance, (worst.where + " " + std::to_string(worst.error * 1e7) + "e-7").c_str());
  }
  void models_data() {
    QTest::addColumn<QByteArray>("config");
    for (const auto& [name, config] : modelCases())
      QTest::newRow(name.c_str()) << QByteArray::fromStdString(config.dump());
  }
  void models() {
    QFETCH(QByteArray, config);
    const GradientError worst = modelError(Json::parse(config.toStdString()));
    QVERIFY2(worst.error < kTolerance, (worst.where + " " + std::to_string(worst.error * 1e7) + "e-7").c_str());
  }

 private:
  static std::vector<OpCase> operationCases() {
    std::vector<OpCase> all;
    for (auto part : {basicCases(), cellCases(), attentionCases()}) all.insert(all.end(), part.begin(), part.end());
    return all;
  }
};

QTEST_GUILESS_MAIN(TestGradients)
#include "test_gradients.moc"
