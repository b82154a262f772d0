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
  // What a look at the file found; without a usable row `note` says why.
  struct Preview {
    std::vector<std::pair<QString, QString>> rows;  // the file's first rows, as tokens
    QString note;
    bool usable = false;
  };
  static Preview read(const TextDataOptions& options);

  TextDataOptions options() const;
  void preview();  // reads off the GUI thread; an outdated answer is dropped
  void showPreview(const Preview& preview);

  QStringList m_files;
  QLineEdit *m_source, *m_target;
  ChoiceField* m_tokenizer;
  QCheckBox *m_lowercase, *m_skipBad;
  WholeField* m_maxLength;
  QTableWidget* m_rows;
  QLabel* m_note;
  QPushButton* m_open;
  int m_asked = 0;  // number of the newest preview() call
};

}  // namespace attnscope
