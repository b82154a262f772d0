#include "ui/views/data_view.h"

#include <QHBoxLayout>
#include <QHeaderView>
#include <QLabel>
#include <QTableView>

#include "ui/format.h"
#include "ui/panels/fields.h"
#include "ui/views/length_histogram.h"

namespace attnscope {

static QTableView* makeTable(QAbstractItemModel* model, const char* name, const QString& title) {
  auto* table = new QTableView;
  table->setObjectName(name);
  table->setAccessibleName(title);
  table->setModel(model);
  table->setSelectionBehavior(QAbstractItemView::SelectRows);
  table->setSelectionMode(QAbstractItemView::SingleSelection);
  table->setAlternatingRowColors(true);
  table->setShowGrid(false);
  table->setWordWrap(false);
  table->setTabKeyNavigation(false);
  table->horizontalHeader()->setDefaultAlignment(Qt::AlignLeft | Qt::AlignVCenter);
  table->verticalHeader()->setSectionResizeMode(QHeaderView::Fixed);
  table->verticalHeader()->setDefaultSectionSize(table->fontMetrics().height() + 8);
  return table;
}

DataView::DataView(Session& session, const AppStyle& style)
    : m_session(session),
      m_examples(new ExampleModel(this)),
      m_words(new VocabularyModel(this)),
      m_lengths(new LengthHistogram(style)),
      m_summary(roleLabel({}, "note", "dataSummary")),
      m_skipped(roleLabel({}, "note", "skippedRows")) {
  setObjectName("dataView");
  QTableView* rows = makeTable(m_examples, "exampleTable", tr("Examples"));
  rows->setToolTip(tr("A double click on a validation row traces it."));
  rows->horizontalHeader()->setSectionResizeMode(QHeaderView::Stretch);
  rows->horizontalHeader()->setSectionResizeMode(2, QHeaderView::ResizeToContents);
  m_wordTable = makeTable(m_words, "vocabularyTable", tr("Vocabulary"));
  m_wordTable->verticalHeader()->hide();
  m_wordTable->setMinimumHeight(m_wordTable->verticalHeader()->defaultSectionSize() * 5);
  m_wordTable->horizontalHeader()->setSectionResizeMode(QHeaderView::Stretch);
  m_wordTable->horizontalHeader()->setMinimumSectionSize(36);

  auto* side = new QVBoxLayout;
  side->addWidget(roleLabel(tr("Lengths"), "heading"));
  side->addWidget(m_lengths, 2);
  side->addWidget(roleLabel(tr("Vocabulary"), "heading"));
  side->addWidget(m_wordTable, 3);
  side->addWidget(m_skipped);
  auto* main = new QVBoxLayout;
  main->addWidget(m_summary);
  main->addWidget(rows, 1);
  auto* all = new QHBoxLayout(this);
  all->setContentsMargins(12, 8, 12, 8);
  all->setSpacing(14);
  all->addLayout(main, 5);
  all->addLayout(side, 3);

  connect(rows, &QTableView::activated, this, [this](const QModelIndex& index) {
    const int example = m_examples->validationIndex(index.row());
    if (example >= 0) m_session.showExample(example);
  });
  connect(&session, &Session::runReplaced, this, &DataView::refresh);
}

// "/a/b/c.tsv:7: …" without the folders, which would take most of the room.
static QString fileLine(const std::string& detail) {
  const QString line = text(detail);
  return line.mid(line.lastIndexOf(QLatin1Char('/'), line.indexOf(QLatin1String(": "))) + 1);
}

static QString skippedText(const LoadReport& report) {
  if (report.skipped.empty()) return {};
  QStringList lines = {DataView::tr("Rows skipped:")};
  for (const auto& [reason, rows] : report.skipped)
    lines << QStringLiteral("%1 × %2").arg(countText(rows), text(reason));
  constexpr std::size_t kMostDetails = 3;
  for (std::size_t i = 0; i < std::min(kMostDetails, report.details.size()); ++i) lines << fileLine(report.details[i]);
  return lines.join(QLatin1Char('\n'));
}

void DataView::refresh() {
  if (!m_session.info() || m_session.info()->data == m_shown) return;
  m_shown = m_session.info()->data;
  m_examples->setRows(m_shown);
  m_words->setRows(m_shown);
  m_wordTable->horizontalHeader()->setSectionResizeMode(0, QHeaderView::ResizeToContents);
  m_lengths->setData(*m_shown);
  const QString validation = countText(static_cast<long>(m_shown->validation.size()));
  m_summary->setText(
      m_shown->draw ? tr("%1: fresh examples are drawn for every training step; these %2 are held out to validate.")
                          .arg(text(m_shown->name), validation)
                    : tr("%1: %2 examples to train on, %3 to validate; %4 of %5 rows used.")
                          .arg(text(m_shown->name), countText(static_cast<long>(m_shown->train.size())), validation,
                               countText(m_shown->report.used), countText(m_shown->report.rows)));
  m_skipped->setText(skippedText(m_shown->report));
  m_skipped->setVisible(!m_shown->report.skipped.empty());
  m_wordTable->setVisible(m_shown->vectorSize == 0);
}

}  // namespace attnscope
