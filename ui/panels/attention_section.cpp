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
  m_maxLength = new WholeField("maxPositions", 1, 4096);
  addRow(tr("Positions"), m_maxLength, tr("The longest source this score can address; a longer one is refused."));
  m_filters = new WholeField("filters", 1, 256);
  m_width = new WholeField("filterWidth", 1, 255);
  m_width->setSingleStep(2);
  m_filterPair = pairOf(m_filters, QStringLiteral("×"), m_width);
  addRow(tr("Filters"), m_filterPair,
         tr("How many filters slide over the weights of the step before × how many positions each covers (odd)."));
  m_coverage = new ChoiceField("coverage", {{"false", tr("off")}, {"true", tr("on")}});
  addRow(tr("Coverage"), m_coverage,
         tr("The score also sees how much attention a position has had already, and the loss punishes looking again."));
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
  m_window = new WholeField("window", 0, 1000);
  addRow(tr("Window"), m_window, tr("Positions on either side of the centre that may be looked at."));
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
  connect(m_coverage, &ChoiceField::chosen, this, set("attention.coverage"));
  for (const auto& [field, path] : wholeFields())
    connect(field, &QSpinBox::valueChanged, this,
            [this, path = path](int value) { m_draft.setConfig({{path, std::to_string(value)}}); });
  connect(m_temperature, &QDoubleSpinBox::valueChanged, this, [this](double temperature) {
    m_session.setTemperature(temperature);
    m_draft.setConfig({{"attention.temperature", shortNumber(temperature).toStdString()}});
  });
  connect(&draft, &RunDraft::changed, this, &AttentionSection::refresh);
}

std::vector<std::pair<WholeField*, const char*>> AttentionSection::wholeFields() const {
  return {{m_units, "attention.units"},
          {m_maxLength, "attention.max_length"},
          {m_filters, "attention.filters"},
          {m_width, "attention.width"},
          {m_window, "attention.scope.window"}};
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
  m_coverage->show(lookUp(config, "attention.coverage") == true ? "true" : "false");
  for (const auto& [field, path] : wholeFields()) {
    const Json value = lookUp(config, path);
    field->show(value.is_number_integer() ? value.get<int>() : 1);
  }
  const Json temperature = lookUp(config, "attention.temperature");
  m_temperature->show(temperature.is_number() ? temperature.get<double>() : 1);

  const MechanismInfo* score = findMechanism(scoreTable(), m_score->value());
  m_formula->setText(score ? shown(score->formula) : QString());
  m_formula->setToolTip(score ? shown(score->source).toHtmlEscaped() : QString());
  m_formula->setVisible(score);
  const MechanismInfo* scope = findMechanism(scopeTable(), m_scope->value());
  setRowVisible(m_units, (score && score->takesUnits) || (scope && scope->takesUnits));
  setRowVisible(m_maxLength, score && score->takesMaxLength);
  setRowVisible(m_filterPair, score && score->takesFilters);
  setRowVisible(m_coverage, score && score->takesCoverage && sequences);
  setRowVisible(m_window, scope && scope->smallestWindow >= 0);
  setRowVisible(m_query, sequences);
  setRowVisible(m_feeding, sequences);
}

}  // namespace attnscope
