#include "core/train/data_spec.h"
#include "ui/format.h"
#include "ui/views/data_view.h"

namespace attnscope {

static QString joined(TokenizerKind tokenizer, const std::vector<std::string>& spelled, const std::vector<int>& ids,
                      const Vocabulary& words) {
  std::vector<std::string> tokens = spelled;
  if (tokens.empty())
    for (const int id : ids) tokens.push_back(words.token(id));
  if (!tokens.empty() && tokens.back() == "</s>") tokens.pop_back();
  return text(joinTokens(tokenizer, tokens));
}

static QString sourceText(const TrainingData& data, TokenizerKind tokenizer, const Example& example) {
  if (data.vectorSize == 0) return joined(tokenizer, example.sourceTokens, example.source, data.source);
  QStringList steps;
  for (std::size_t t = 0; t + data.vectorSize <= example.vectors.size(); t += data.vectorSize) {
    QStringList values;
    for (int k = 0; k < data.vectorSize; ++k) values << QString::number(example.vectors[t + k], 'f', 2);
    steps << values.join(QLatin1Char(','));
  }
  return steps.join(QLatin1Char(' '));
}

static QString targetText(const TrainingData& data, TokenizerKind tokenizer, const Example& example) {
  if (data.family == "seq2seq") return joined(tokenizer, example.targetTokens, example.target, data.target);
  QStringList parts;
  for (const int label : example.labels) {
    const bool named = label >= 0 && label < static_cast<int>(data.labels.size());
    parts << (named ? text(data.labels[label]) : QStringLiteral("–"));
  }
  for (const float value : example.values) parts << QString::number(value, 'g', 4);
  return parts.join(QLatin1Char(' '));
}

void ExampleModel::setRows(std::shared_ptr<const TrainingData> data) {
  beginResetModel();
  m_data = std::move(data);
  m_tokenizer = m_data ? textRule(m_data->origin).tokenizer : TokenizerKind::Whitespace;
  endResetModel();
}

int ExampleModel::rowCount(const QModelIndex& parent) const {
  return !m_data || parent.isValid() ? 0 : static_cast<int>(m_data->train.size() + m_data->validation.size());
}

int ExampleModel::columnCount(const QModelIndex& parent) const { return parent.isValid() ? 0 : 3; }

const Example& ExampleModel::example(int row) const {
  const std::size_t index = static_cast<std::size_t>(row);
  return index < m_data->train.size() ? m_data->train[index] : m_data->validation[index - m_data->train.size()];
}

int ExampleModel::validationIndex(int row) const {
  const int index = m_data ? row - static_cast<int>(m_data->train.size()) : -1;
  return index >= 0 && row < rowCount() ? index : -1;
}

QVariant ExampleModel::data(const QModelIndex& index, int role) const {
  // The tool tip has the whole of what the cell may cut short.
  const bool tip = role == Qt::ToolTipRole && index.column() < 2;
  if ((role != Qt::DisplayRole && !tip) || !index.isValid() || index.row() >= rowCount()) return {};
  const auto shown = [tip](const QString& words) {
    return tip ? QStringLiteral("<p>%1</p>").arg(words.toHtmlEscaped()) : words;
  };
  switch (index.column()) {
    case 0:
      return shown(sourceText(*m_data, m_tokenizer, example(index.row())));
    case 1:
      return shown(targetText(*m_data, m_tokenizer, example(index.row())));
    default:
      return validationIndex(index.row()) < 0 ? tr("training") : tr("validation");
  }
}

QVariant ExampleModel::headerData(int section, Qt::Orientation orientation, int role) const {
  if (role != Qt::DisplayRole) return {};
  if (orientation == Qt::Vertical) return section + 1;
  return section == 0 ? tr("Source") : section == 1 ? tr("Target") : tr("Part");
}

void VocabularyModel::setRows(std::shared_ptr<const TrainingData> data) {
  beginResetModel();
  m_data = std::move(data);
  endResetModel();
}

int VocabularyModel::rowCount(const QModelIndex& parent) const {
  return !m_data || parent.isValid() ? 0 : std::max(m_data->source.size(), m_data->target.size());
}

int VocabularyModel::columnCount(const QModelIndex& parent) const {
  return parent.isValid() ? 0 : m_data && m_data->family == "seq2seq" ? 3 : 2;
}

QVariant VocabularyModel::data(const QModelIndex& index, int role) const {
  if (role != Qt::DisplayRole || !index.isValid()) return {};
  if (index.column() == 0) return index.row();
  const Vocabulary& words = index.column() == 1 ? m_data->source : m_data->target;
  return index.row() < words.size() ? text(words.token(index.row())) : QString();
}

QVariant VocabularyModel::headerData(int section, Qt::Orientation orientation, int role) const {
  if (role != Qt::DisplayRole || orientation == Qt::Vertical) return {};
  return section == 0 ? tr("Id") : section == 1 ? tr("Source token") : tr("Target token");
}

}  // namespace attnscope
