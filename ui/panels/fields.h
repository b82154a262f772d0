// The set-up panel's controls: they write only what the user changes, and leave the wheel to the panel's scrolling
// unless they have the focus.
#pragma once

#include <QComboBox>
#include <QDoubleSpinBox>
#include <QFormLayout>
#include <QLabel>
#include <QSpinBox>

#include "core/base/json.h"

namespace attnscope {

// `path` is dotted ("encoder.cell"). Null where absent.
Json lookUp(const Json& json, const std::string& path);

QLabel* roleLabel(const QString& text, const char* role, const char* objectName = nullptr);  // plain text, wraps

class ChoiceField : public QComboBox {
  Q_OBJECT
 public:
  // entries: value (as in a configuration), title.
  ChoiceField(const char* objectName, const QList<std::pair<QString, QString>>& entries);
  QString value() const { return currentData().toString(); }
  void show(const QString& value);  // without chosen()
  void wheelEvent(QWheelEvent* event) override;
  using QWidget::show;

 Q_SIGNALS:
  void chosen(const QString& value);
};

class WholeField : public QSpinBox {
  Q_OBJECT
 public:
  WholeField(const char* objectName, int least, int most);
  void show(int value);
  void wheelEvent(QWheelEvent* event) override;
  using QWidget::show;
};

// Shows a number with the fewest digits.
class NumberField : public QDoubleSpinBox {
  Q_OBJECT
 public:
  NumberField(const char* objectName, double least, double most);
  void show(double value);
  QString textFromValue(double value) const override;
  double valueFromText(const QString& text) const override;
  QValidator::State validate(QString& text, int& position) const override;
  void wheelEvent(QWheelEvent* event) override;
  using QWidget::show;
};

// A titled form of the set-up panel.
class FormSection : public QWidget {
 public:
  explicit FormSection(const QString& title);

 protected:
  void addRow(const QString& name, QWidget* field, const QString& toolTip = {});
  void addWide(QWidget* widget);
  void setRowVisible(QWidget* field, bool visible) { m_form->setRowVisible(field, visible); }

 private:
  QFormLayout* m_form;
};

QWidget* pairOf(QWidget* left, const QString& between, QWidget* right);  // two fields in one row

}  // namespace attnscope
