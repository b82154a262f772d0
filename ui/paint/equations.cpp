#include "ui/paint/equations.h"

#include <QCoreApplication>

#include "core/attention/tables.h"
#include "ui/paint/canvas.h"
#include "ui/paint/tokens.h"

namespace attnscope {
namespace {

// Configurations come from files too: anything that is absent or of another type reads as the default.
const Json& child(const Json& json, const char* key) {
  static const Json kNone;
  const auto found = json.is_object() ? json.find(key) : json.end();
  return json.is_object() && found != json.end() ? *found : kNone;
}

std::string textAt(const Json& json, const char* key, const char* fallback = "") {
  const Json& value = child(json, key);
  return value.is_string() ? value.get<std::string>() : fallback;
}

double numberAt(const Json& json, const char* key, double fallback) {
  const Json& value = child(json, key);
  return value.is_number() ? value.get<double>() : fallback;
}

bool flagAt(const Json& json, const char* key) {
  const Json& value = child(json, key);
  return value.is_boolean() && value.get<bool>();
}

QString indexed(const char* symbol, int index) { return QString::fromUtf8(symbol) + subscript(index); }

QString cellName(const Json& json) {
  const std::string cell = textAt(json, "cell", "rnn");
  return QString::fromStdString(cell).toUpper();
}

QString scoreFormula(const Json& attention) {
  const std::string name = textAt(attention, "score");
  for (const MechanismInfo& info : scoreTable()) {
    if (info.name != name) continue;
    const QString formula = QString::fromUtf8(info.formula.data(), static_cast<qsizetype>(info.formula.size()));
    return flagAt(attention, "coverage") ? formula + QStringLiteral("\n") +
                                               QCoreApplication::translate("paint", "(with + w covᵢ inside the tanh)")
                                         : formula;
  }
  return QString();
}

QString weightFormula(const Json& attention, const QString& scores) {
  const std::string normalizer = textAt(attention, "normalizer", "softmax");
  QString text = normalizer == "hard" ? QCoreApplication::translate("paint", "p = 1 at the largest e, else 0")
                                      : QStringLiteral("p = %1(%2)").arg(QString::fromStdString(normalizer), scores);
  const double temperature = numberAt(attention, "temperature", 1);
  if (temperature != 1) text += QStringLiteral(", τ = ") + scaleNumber(temperature);
  const Json& scope = child(attention, "scope");
  const std::string kind = textAt(scope, "kind", "global");
  const QString window = scaleNumber(numberAt(scope, "window", 0));
  if (kind == "local_m") text += QStringLiteral(", |i − t| ≤ ") + window;
  if (kind == "local_p") text += QStringLiteral(", |i − pₜ| ≤ %1, × exp(−(i − pₜ)²/(2(%1/2)²))").arg(window);
  if (kind == "causal") text += QStringLiteral(", i ≤ t");
  return text;
}

void addSeq2seq(const Json& config, int t, Equations& out) {
  const QString cell = cellName(child(config, "decoder"));
  const QString before = indexed("s", t - 1), now = indexed("s", t), token = indexed("y", t - 1);
  const QString context = indexed("c", t), mixed = QStringLiteral("h̃");
  if (textAt(config, "query") == "previous") {
    out.query = QStringLiteral("u = ") + before;
    out.output << QStringLiteral("%1 = %2(%3, [%4; %5])").arg(now, cell, before, token, context)
               << QStringLiteral("softmax(W [%1; %2] + b)").arg(now, context);
    return;
  }
  const QString input =
      flagAt(config, "input_feeding") ? QStringLiteral("[%1; %2]").arg(token, mixed + subscript(t - 1)) : token;
  out.query = QStringLiteral("u = %1 = %2(%3, %4)").arg(now, cell, before, input);
  out.output << QStringLiteral("%1 = tanh(W₁ [%2; %3])").arg(mixed + subscript(t), context, now)
             << QStringLiteral("softmax(W₂ %1 + b)").arg(mixed + subscript(t));
}

void addRecurrent(const Json& config, int t, Equations& out) {
  const QString cell = cellName(config), input = indexed("x", t), before = indexed("h", t - 1), now = indexed("h", t);
  const QString context = indexed("c", t);
  const std::string joins = textAt(child(config, "attention"), "joins"), kind = textAt(child(config, "output"), "kind");
  const bool vector = kind == "vector" || kind == "step_vector", last = kind == "class" || kind == "vector";
  QString read = now;
  out.query = QStringLiteral("u = ") + before;
  if (joins == "output") {
    out.query = QStringLiteral("u = %1 = %2(%3, %4)").arg(now, cell, before, input);
    read = QStringLiteral("[%1; %2]").arg(now, context);
  } else if (joins == "input") {
    out.output << QStringLiteral("%1 = %2(%3, [%4; %5])").arg(now, cell, before, input, context);
  } else if (joins == "state") {
    out.output << QStringLiteral("%1 = tanh(W %2 + U [%3; %4] + b)").arg(now, input, before, context);
  }
  QString output =
      vector ? QStringLiteral("ŷ%1 = W %2 + b").arg(subscript(t), read) : QStringLiteral("softmax(W %1 + b)").arg(read);
  if (last) output += QCoreApplication::translate("paint", " (read at the last step)");
  out.output << output;
}

}  // namespace

Equations equationsAt(const Json& config, int step) {
  const int t = step + 1;
  const Json& attention = child(config, "attention");
  Equations out;
  out.scoreName = numberAt(attention, "temperature", 1) == 1 ? QStringLiteral("e") : QStringLiteral("e/τ");
  out.score = scoreFormula(attention);
  out.weights = weightFormula(attention, out.scoreName);
  out.context = QStringLiteral("%1 = Σ pᵢ vᵢ").arg(indexed("c", t));
  out.query = QStringLiteral("u");
  const std::string family = textAt(config, "family");
  if (family == "seq2seq") addSeq2seq(config, t, out);
  out.classifies = family == "recurrent";
  if (out.classifies) addRecurrent(config, t, out);
  if (family.empty()) out.weights = QStringLiteral("p");
  return out;
}

}  // namespace attnscope
