#include "ui/panels/open_pairs_dialog.h"

#include <QApplication>
#include <QDialogButtonBox>
#include <QFileInfo>
#include <QHeaderView>
#include <QLineEdit>
#include <QPointer>
#include <QPushButton>
#include <QStyle>
#include <QThreadPool>
#include <QVBoxLayout>

#include "core/base/error.h"
#include "ui/format.h"

namespace attnscope {

static constexpr int kPreviewRows = 6;

OpenPairsDialog::OpenPairsDialog(const QStringList& files, QWidget* parent) : QDialog(parent), m_files(files) {
  setObjectName("openPairsDialog");
  setWindowTitle(tr("Open pairs"));
  setAttribute(Qt::WA_DeleteOnClose);
  m_source = new QLineEdit;
  m_source->setObjectName("sourceColumn");
  m_source->setPlaceholderText(tr("“source”, else the first"));
  m_target = new QLineEdit;
  m_target->setObjectName("targetColumn");
  m_target->setPlaceholderText(tr("“target”, else the second"));
  m_tokenizer = new ChoiceField("tokenizer", {{"", tr("found by looking")},
                                              {"whitespace", tr("whitespace")},
                                              {"characters", tr("characters")},
                                              {"words", tr("words, CJK characters")}});
  m_lowercase = new QCheckBox(tr("lower case"));
  m_lowercase->setObjectName("lowercase");
  m_skipBad = new QCheckBox(tr("skip malformed rows"));
  m_skipBad->setObjectName("skipBadRows");
  m_maxLength = new WholeField("maxTokens", 1, 10000);
  m_maxLength->show(TextDataOptions().maxLength);
  m_rows = new QTableWidget(0, 2);
  m_rows->setObjectName("previewRows");
  m_rows->setHorizontalHeaderLabels({tr("Source tokens"), tr("Target tokens")});
  m_rows->horizontalHeader()->setSectionResizeMode(QHeaderView::Stretch);
  m_rows->verticalHeader()->hide();
  m_rows->setEditTriggers(QAbstractItemView::NoEditTriggers);
  m_rows->setWordWrap(false);
  m_rows->setTabKeyNavigation(false);
  const int lines = m_rows->verticalHeader()->defaultSectionSize() * kPreviewRows;
  m_rows->setMinimumSize(620, m_rows->horizontalHeader()->sizeHint().height() + lines + 4);
  m_note = roleLabel({}, "note", "previewNote");

  QStringList names;
  for (const QString& file : files) names << QFileInfo(file).fileName();
  auto* form = new QFormLayout;
  form->addRow(tr("File"), roleLabel(names.join(QStringLiteral(", ")), "value"));
  if (files.size() == 1) form->addRow(tr("Columns"), pairOf(m_source, QStringLiteral("→"), m_target));
  form->addRow(tr("Tokens"), m_tokenizer);
  form->addRow(tr("At most"), m_maxLength);
  m_maxLength->setSuffix(tr(" tokens a side"));
  auto* boxes = pairOf(m_lowercase, {}, m_skipBad);
  form->addRow({}, boxes);
  auto* buttons = new QDialogButtonBox(QDialogButtonBox::Cancel);
  m_open = buttons->addButton(tr("Open"), QDialogButtonBox::AcceptRole);
  m_open->setObjectName("openPairsAccept");
  m_open->setProperty("role", "primary");
  m_open->setDefault(true);
  auto* column = new QVBoxLayout(this);
  column->addLayout(form);
  column->addWidget(m_rows);
  column->addWidget(m_note);
  column->addWidget(buttons);

  // Return in a column's field reads anew only where the name is another one, and else opens.
  for (QLineEdit* field : {m_source, m_target})
    connect(field, &QLineEdit::editingFinished, this, [this, field] {
      if (field->isModified()) preview();
      field->setModified(false);
    });
  for (QCheckBox* box : {m_lowercase, m_skipBad}) connect(box, &QCheckBox::toggled, this, &OpenPairsDialog::preview);
  connect(m_tokenizer, &ChoiceField::chosen, this, &OpenPairsDialog::preview);
  connect(m_maxLength, &QSpinBox::valueChanged, this, &OpenPairsDialog::preview);
  connect(buttons, &QDialogButtonBox::rejected, this, &QDialog::reject);
  connect(buttons, &QDialogButtonBox::accepted, this, [this] {
    Q_EMIT chosen(options());
    accept();
  });
  preview();
}

TextDataOptions OpenPairsDialog::options() const {
  TextDataOptions options;
  for (const QString& file : m_files) options.files.emplace_back(file.toStdString());
  options.sourceColumn = m_source->text().trimmed().toStdString();
  options.targetColumn = m_target->text().trimmed().toStdString();
  if (!m_tokenizer->value().isEmpty()) options.tokenizer = tokenizerKind(m_tokenizer->value().toStdString());
  options.lowercase = m_lowercase->isChecked();
  options.skipBadRows = m_skipBad->isChecked();
  options.maxLength = m_maxLength->value();
  return options;
}

// Tokens parted by a middle dot, so that spaces inside a token can be told from those between.
static QString joinedTokens(const std::vector<std::string>& tokens) {
  QStringList shown;
  for (const std::string& token : tokens)
    if (token != "</s>") shown << text(token);
  return shown.join(QStringLiteral(" · "));
}

OpenPairsDialog::Preview OpenPairsDialog::read(const TextDataOptions& options) {
  Preview preview;
  try {
    const TextRows loaded = loadTextRows(options, Vocabulary(), Vocabulary());
    const std::size_t count = std::min<std::size_t>(kPreviewRows, loaded.examples.size());
    for (std::size_t row = 0; row < count; ++row)
      preview.rows.emplace_back(joinedTokens(loaded.examples[row].sourceTokens),
                                joinedTokens(loaded.examples[row].targetTokens));
    preview.note = tr("%1 of %2 rows can be used.").arg(countText(loaded.report.used), countText(loaded.report.rows));
    for (const auto& [reason, rows] : loaded.report.skipped)
      preview.note += tr("\nskipped %1: %2").arg(countText(rows), text(reason));
    preview.usable = true;
  } catch (const std::exception& error) {
    preview.note = text(error.what());
  }
  return preview;
}

void OpenPairsDialog::preview() {
  const int asked = ++m_asked;
  m_open->setEnabled(false);
  m_note->setText(tr("Reading…"));
  QThreadPool::globalInstance()->start([dialog = QPointer<OpenPairsDialog>(this), asked, wanted = options()] {
    const Preview found = read(wanted);
    QMetaObject::invokeMethod(qApp, [dialog, asked, found] {
      if (dialog && dialog->m_asked == asked) dialog->showPreview(found);
    });
  });
}

void OpenPairsDialog::showPreview(const Preview& preview) {
  m_rows->setRowCount(static_cast<int>(preview.rows.size()));
  for (int row = 0; row < m_rows->rowCount(); ++row) {
    m_rows->setItem(row, 0, new QTableWidgetItem(preview.rows[row].first));
    m_rows->setItem(row, 1, new QTableWidgetItem(preview.rows[row].second));
  }
  m_note->setText(preview.note);
  m_open->setEnabled(preview.usable);
  m_note->setProperty("role", preview.usable ? "note" : "error");
  m_note->style()->unpolish(m_note);
  m_note->style()->polish(m_note);
}

}  // namespace attnscope
