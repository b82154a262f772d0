// The loaded rows, their lengths, the vocabulary, and what was skipped and why.
#pragma once

#include <QAbstractTableModel>
#include <QWidget>
#include <memory>

#include "core/data/tokenizer.h"
#include "core/data/training_data.h"
#include "ui/session.h"

class QLabel;
class QTableView;

namespace attnscope {

// Rows of examples: training first (none where a task draws them fresh), then validation.
class ExampleModel : public QAbstractTableModel {
  Q_OBJECT
 public:
  using QAbstractTableModel::QAbstractTableModel;
  void setRows(std::shared_ptr<const TrainingData> data);
  int rowCount(const QModelIndex& parent = {}) const override;
  int columnCount(const QModelIndex& parent = {}) const override;
  QVariant data(const QModelIndex& index, int role) const override;
  QVariant headerData(int section, Qt::Orientation orientation, int role) const override;
  int validationIndex(int row) const;  // −1: a training row

 private:
  const Example& example(int row) const;

  std::shared_ptr<const TrainingData> m_data;
  TokenizerKind m_tokenizer = TokenizerKind::Whitespace;
};

class VocabularyModel : public QAbstractTableModel {
  Q_OBJECT
 public:
  using QAbstractTableModel::QAbstractTableModel;
  void setRows(std::shared_ptr<const TrainingData> data);
  int rowCount(const QModelIndex& parent = {}) const override;
  int columnCount(const QModelIndex& parent = {}) const override;
  QVariant data(const QModelIndex& index, int role) const override;
  QVariant headerData(int section, Qt::Orientation orientation, int role) const override;

 private:
  std::shared_ptr<const TrainingData> m_data;
};

class LengthHistogram;

class DataView : public QWidget {
  Q_OBJECT
 public:
  DataView(Session& session, const class AppStyle& style);

 private:
  void refresh();

  Session& m_session;
  std::shared_ptr<const TrainingData> m_shown;
  ExampleModel* m_examples;
  VocabularyModel* m_words;
  LengthHistogram* m_lengths;
  QLabel *m_summary, *m_skipped;
  QTableView* m_wordTable;
};

}  // namespace attnscope
