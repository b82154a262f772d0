// The equations shown follow the configuration.
#include <QTest>

#include "core/attention/tables.h"
#include "tests/support/sample_trace.h"
#include "ui/paint/equations.h"

using namespace attnscope;

class TestEquations : public QObject {
  Q_OBJECT
 private Q_SLOTS:
  void previousStateAsksBeforeTheStep() {
    const Equations e = equationsAt(sample::seq2seqConfig("previous", false, "additive"), 3);
    QCOMPARE(e.query, QString("u = s₃"));
    QCOMPARE(e.context, QString("c₄ = Σ pᵢ vᵢ"));
    QCOMPARE(e.weights, QString("p = softmax(e)"));
    QCOMPARE(e.output, QStringList({"s₄ = GRU(s₃, [y₃; c₄])", "softmax(W [s₄; c₄] + b)"}));
    QVERIFY(!e.classifies);
  }

  void currentStateAsksAfterTheStep() {
    const Equations e = equationsAt(sample::seq2seqConfig("current", false, "general"), 3);
    QCOMPARE(e.query, QString("u = s₄ = GRU(s₃, y₃)"));
    QCOMPARE(e.output, QStringList({"h̃₄ = tanh(W₁ [c₄; s₄])", "softmax(W₂ h̃₄ + b)"}));
    const Equations fed = equationsAt(sample::seq2seqConfig("current", true, "general"), 3);
    QCOMPARE(fed.query, QString("u = s₄ = GRU(s₃, [y₃; h̃₃])"));
  }

  void recurrentJoins() {
    Json config = sample::recurrent().config;
    const Equations output = equationsAt(config, 3);
    QCOMPARE(output.query, QString("u = h₄ = LSTM(h₃, x₄)"));
    QCOMPARE(output.output, QStringList({"softmax(W [h₄; c₄] + b)"}));
    QCOMPARE(output.scoreName, QString("e/τ"));
    QCOMPARE(output.weights, QString("p = softmax(e/τ), τ = 0.5"));
    QVERIFY(output.classifies);
    config["attention"]["joins"] = "input";
    QCOMPARE(equationsAt(config, 3).query, QString("u = h₃"));
    QCOMPARE(equationsAt(config, 3).output[0], QString("h₄ = LSTM(h₃, [x₄; c₄])"));
    config["attention"]["joins"] = "state";
    QCOMPARE(equationsAt(config, 3).output[0], QString("h₄ = tanh(W x₄ + U [h₃; c₄] + b)"));
    config["output"]["kind"] = "vector";
    QCOMPARE(equationsAt(config, 3).output[1], QString("ŷ₄ = W h₄ + b (read at the last step)"));
  }

  void everyScoreHasItsFormula() {
    QVERIFY(!scoreTable().empty());
    for (const MechanismInfo& info : scoreTable()) {
      const Equations e = equationsAt(sample::seq2seqConfig("previous", false, std::string(info.name)), 0);
      QCOMPARE(e.score.toStdString(), std::string(info.formula));
    }
  }

  void normalisersAndScopesAreNamed() {
    Json config = sample::seq2seqConfig("previous", false, "additive");
    config["attention"]["normalizer"] = "sparsemax";
    config["attention"]["scope"] = {{"kind", "local_m"}, {"window", 2}};
    QCOMPARE(equationsAt(config, 0).weights, QString("p = sparsemax(e), |i − t| ≤ 2"));
    config["attention"]["normalizer"] = "hard";
    QVERIFY(equationsAt(config, 0).weights.startsWith("p = 1 at the largest e"));
  }

  void oddConfigurationsAreBorne() {
    for (const char* text : {"null", "[]", "3", "{}", R"({"family":7,"attention":[1]})",
                             R"({"family":"seq2seq","decoder":"x","attention":{"scope":3,"temperature":"hot"}})"}) {
      const Equations e = equationsAt(Json::parse(text), 0);
      QVERIFY(!e.context.isEmpty());
      QVERIFY(!e.weights.isEmpty());
    }
  }
};

QTEST_GUILESS_MAIN(TestEquations)
#include "test_equations.moc"
