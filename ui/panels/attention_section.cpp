#include "core/attention/tables.h"
#include "ui/format.h"
#include "ui/panels/setup_sections.h"

namespace attnscope {

static QString shown(std::string_view s) { return QString::fromUtf8(s.data(), static_cast<qsizetype>(s.size())); }

static QList<std::pair<QString, QString>> entriesOf(std::span<const MechanismInfo> table) {
  QList<std::pair<QString, QString>> entries;
  for (const MechanismInfo& info : table) entries.append({shown(info.name), shown(info.title)});
  return entries;
}

static const MechanismInfo* findMechanism(std::span<const MechanismInfo> table, const QString& name) {
  for (const MechanismInfo& info : table)
    if (shown(info.name) == name) return &info;
  return nullptr;
}

AttentionSection::AttentionSection(RunDraft& draft, Session& session)
    : FormSection(tr("Attention")), m_draft(draft), m_session(session) {
  m_score = new ChoiceField("score", entriesOf(scoreTable()));
  addRow(tr("Score"), m_score, tr("How well a memory vector v fits the query u."));
  m_formula = roleLabel({}, "formula", "formula");
  QFont serif(QStringLiteral("DejaVu Serif"));
  serif.setStyleHint(QFont::Serif);
  m_formula->setFont(serif);
  addWide(m_formula);
  m_units = new WholeField("units", 1, 4096);
  addRow(tr("Units"), m_units, tr("Hidden units of the scoring layer."));
  m_query = new ChoiceField("query", {{"current", tr("current state")}, {"previous", tr("previous state")}});
  addRow(tr("Query"), m_query,
         tr("Which decoder state asks: the one after this step (Luong), or the one before it (Bahdanau). The previous "
            "state often looks one position beside the token it writes; see Help."));
  m_feeding = new ChoiceField("feeding", {{"false", tr("off")}, {"true", tr("on")}});
  addRow(tr("Feeding"), m_feeding, tr("Input feeding: the attentional state of a step is an input of the next."));
  m_normalizer = new ChoiceField("normalizer", entriesOf(normalizerTable()));
  addRow(tr("Normaliser"), m_normalizer, tr("How scores become weights."));
  m_scope = new ChoiceField("scope", entriesOf(scopeTable()));
  addRow(tr("Scope"), m_scope, tr("Which positions may be looked at."));
  m_temperature = new NumberField("temperature", 0.0001, 1000);
  addRow(tr("Temperature"), m_temperature,
         tr("Divides the scores: below 1 sharper, above 1 flatter. Changes the running model at once."));

  const auto set = [this](const char* path) {
    return [this, path](const QString& value) { m_draft.setConfig({{path, value.toStdString()}}); };
  };
  connect(m_score, &ChoiceField::chosen, this, set("attention.score"));
  connect(m_query, &ChoiceField::chosen, this, set("query"));
  connect(m_feeding, &ChoiceField::chosen, this, set("input_feeding"));
  connect(m_normalizer, &ChoiceField::chosen, this, set("attention.normalizer"));
  connect(m_scope, &ChoiceField::chosen, this, set("attention.scope.kind"));
  connect(m_units, &QSpinBox::valueChanged, this, [this](int units) {
    m_draft.setConfig({{"attention.units", std::to_string(units)}});
  });
  connect(m_temperature, &QDoubleSpinBox::valueChanged, this, [this](double temperature) {
    m_session.setTemperature(temperature);
    m_draft.setConfig({{"attention.temperature", shortNumber(temperature).toStdString()}});
  });
  connect(&draft, &RunDraft::changed, this, &AttentionSection::refresh);
}

void AttentionSection::refresh() {
  const Json& config = m_draft.spec().config;
  const Json attention = lookUp(config, "attention");
  setVisible(attention.is_object());
  if (!attention.is_object()) return;
  const bool sequences = lookUp(config, "family") == "seq2seq";
  const auto word = [&config](const char* path, const char* otherwise) {
    const Json found = lookUp(config, path);
    return found.is_string() ? text(found.get<std::string>()) : QString::fromLatin1(otherwise);
  };
  m_score->show(word("attention.score", ""));
  m_query->show(word("query", "previous"));
  m_feeding->show(lookUp(config, "input_feeding") == true ? "true" : "false");
  m_normalizer->show(word("attention.normalizer", "softmax"));
  m_scope->show(word("attention.scope.kind", "global"));
  const Json units = lookUp(config, "attention.units");
  m_units->show(units.is_number_integer() ? units.get<int>() : 1);
  const Json temperature = lookUp(config, "attention.temperature");
  m_temperature->show(temperature.is_number() ? temperature.get<double>() : 1);

  const MechanismInfo* score = findMechanism(scoreTable(), m_score->value());
  m_formula->setText(score ? shown(score->formula) : QString());
  m_formula->setToolTip(score ? shown(score->source).toHtmlEscaped() : QString());
  m_formula->setVisible(score);
  setRowVisible(m_units, score && score->takesUnits);
  setRowVisible(m_query, sequences);
  setRowVisible(m_feeding, sequences);
}

}  // namespace attnscope
