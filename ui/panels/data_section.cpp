#include <QPushButton>

#include "ui/format.h"
#include "ui/panels/setup_sections.h"

namespace attnscope {

static QList<std::pair<QString, QString>> taskEntries() {
  QList<std::pair<QString, QString>> entries;
  for (const Task& task : taskTable()) entries.append({text(task.name), text(task.title)});
  return entries;
}

DataSection::DataSection(RunDraft& draft)
    : FormSection(tr("Data")),
      m_draft(draft),
      m_task(new ChoiceField("task", taskEntries())),
      m_least(new WholeField("minLength", 1, 1000)),
      m_most(new WholeField("maxLength", 1, 1000)),
      m_symbols(new WholeField("symbols", 1, 26)),
      m_lengths(pairOf(m_least, QStringLiteral("–"), m_most)),
      m_hint(roleLabel({}, "note", "taskHint")) {
  addRow(tr("Task"), m_task, tr("A built-in task draws fresh examples for every step."));
  addRow(tr("Lengths"), m_lengths, tr("Shortest and longest source, in symbols, without </s>."));
  addRow(tr("Symbols"), m_symbols, tr("Size of the alphabet the sources are drawn from."));
  auto* open = new QPushButton(tr("Open pairs…"));
  open->setObjectName("openPairs");
  addRow(tr("or file"), open, tr("Train on pairs of texts from a .tsv, .csv or .jsonl file, or two plain files."));
  addWide(m_hint);

  connect(open, &QPushButton::clicked, this, &DataSection::openRequested);
  connect(m_task, &ChoiceField::chosen, this, [this](const QString& name) {
    if (!name.isEmpty()) m_draft.setTask(name.toStdString());
  });
  for (WholeField* field : {m_least, m_most, m_symbols})
    connect(field, &QSpinBox::valueChanged, this, &DataSection::writeOptions);
  connect(&draft, &RunDraft::changed, this, &DataSection::refresh);
}

void DataSection::writeOptions() {
  TaskOptions options = m_draft.spec().data.taskOptions.value_or(TaskOptions());
  options.minLength = m_least->value();
  options.maxLength = m_most->value();
  if (options.minLength > options.maxLength) {  // the end that was moved takes the other along
    if (sender() == m_least)
      options.maxLength = options.minLength;
    else
      options.minLength = options.maxLength;
  }
  options.symbols = m_symbols->value();
  m_draft.setTaskOptions(options);
}

void DataSection::refresh() {
  const DataSpec& chosen = m_draft.spec().data;
  m_task->show(text(chosen.task));
  m_task->setPlaceholderText(tr("pairs from a file"));
  const Task* task = m_draft.isTask() ? &findTask(chosen.task) : nullptr;
  const auto takes = [task](const char* option) {
    return task && std::find(task->options.begin(), task->options.end(), option) != task->options.end();
  };
  setRowVisible(m_lengths, takes("lengths"));
  setRowVisible(m_symbols, takes("symbols"));
  if (task) {
    const TaskOptions options = chosen.taskOptions.value_or(task->defaults);
    m_least->show(options.minLength);
    m_most->show(options.maxLength);
    m_symbols->show(options.symbols);
    m_hint->setText(text(task->lookFor));
    m_hint->setToolTip(text(task->purpose).toHtmlEscaped());
    return;
  }
  QStringList names;
  for (const auto& file : chosen.text.files) names << text(file.filename().string());
  m_hint->setText(names.join(QStringLiteral(", ")));
  m_hint->setToolTip({});
}

}  // namespace attnscope
