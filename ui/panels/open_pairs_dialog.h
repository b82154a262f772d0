// How a file of pairs is read, with its first rows as they will be used.
#pragma once

#include <QCheckBox>
#include <QDialog>
#include <QTableWidget>

#include "core/data/text_data.h"
#include "ui/panels/fields.h"

namespace attnscope {

class OpenPairsDialog : public QDialog {
  Q_OBJECT
 public:
  OpenPairsDialog(const QStringList& files, QWidget* parent);

 Q_SIGNALS:
  void chosen(const TextDataOptions& options);

 private:
  TextDataOptions options() const;
  void preview();

  QStringList m_files;
  QLineEdit *m_source, *m_target;
  ChoiceField* m_tokenizer;
  QCheckBox *m_lowercase, *m_skipBad;
  WholeField* m_maxLength;
  QTableWidget* m_rows;
  QLabel* m_note;
  QPushButton* m_open;
};

}  // namespace attnscope
