#include "ui/panels/fields.h"

#include <QHBoxLayout>
#include <QSignalBlocker>
#include <QTimer>
#include <QWheelEvent>
#include <algorithm>

#include "ui/format.h"

namespace attnscope {

static constexpr int kNameWidth = 78;

Json lookUp(const Json& json, const std::string& path) {
  const Json* at = &json;
  std::size_t start = 0;
  while (start <= path.size()) {
    const std::size_t dot = std::min(path.find('.', start), path.size());
    if (!at->is_object()) return nullptr;
    const auto found = at->find(path.substr(start, dot - start));
    if (found == at->end()) return nullptr;
    at = &*found;
    start = dot + 1;
  }
  return *at;
}

// A form gives a wrapping label the height of another width than its own: this one sees to it when it is drawn.
class WrappingLabel : public QLabel {
 public:
  using QLabel::QLabel;

 protected:
  void paintEvent(QPaintEvent* event) override {
    QLabel::paintEvent(event);
    const int needed = wordWrap() ? heightForWidth(width()) : 0;
    // Not at once: a widget must not change its size while it is drawn.
    if (needed != minimumHeight()) QTimer::singleShot(0, this, [this, needed] { setMinimumHeight(needed); });
  }
};

QLabel* roleLabel(const QString& text, const char* role, const char* objectName) {
  auto* label = new WrappingLabel(text);
  label->setTextFormat(Qt::PlainText);
  label->setWordWrap(true);
  label->setIndent(0);
  label->setProperty("role", role);
  if (objectName) label->setObjectName(objectName);
  return label;
}

ChoiceField::ChoiceField(const char* objectName, const QList<std::pair<QString, QString>>& entries) {
  setObjectName(objectName);
  setFocusPolicy(Qt::StrongFocus);
  setSizeAdjustPolicy(QComboBox::AdjustToMinimumContentsLengthWithIcon);
  setMinimumContentsLength(6);
  for (const auto& [value, title] : entries) addItem(title, value);
  connect(this, &QComboBox::currentIndexChanged, this, [this] { Q_EMIT chosen(value()); });
}

void ChoiceField::show(const QString& value) {
  const QSignalBlocker quiet(this);
  setCurrentIndex(findData(value));
}

void ChoiceField::wheelEvent(QWheelEvent* event) {
  if (hasFocus())
    QComboBox::wheelEvent(event);
  else
    event->ignore();
}

WholeField::WholeField(const char* objectName, int least, int most) {
  setObjectName(objectName);
  setRange(least, most);
  setButtonSymbols(NoButtons);
  setKeyboardTracking(false);
  setFocusPolicy(Qt::StrongFocus);
  setMinimumWidth(20);
}

void WholeField::show(int value) {
  const QSignalBlocker quiet(this);
  setValue(value);
}

void WholeField::wheelEvent(QWheelEvent* event) {
  if (hasFocus())
    QSpinBox::wheelEvent(event);
  else
    event->ignore();
}

NumberField::NumberField(const char* objectName, double least, double most) {
  setObjectName(objectName);
  setDecimals(8);
  setRange(least, most);
  setButtonSymbols(NoButtons);
  setKeyboardTracking(false);
  setStepType(AdaptiveDecimalStepType);
  setFocusPolicy(Qt::StrongFocus);
  setMinimumWidth(20);
}

void NumberField::show(double value) {
  const QSignalBlocker quiet(this);
  setValue(value);
}

QString NumberField::textFromValue(double value) const { return shortNumber(value); }
double NumberField::valueFromText(const QString& text) const { return text.toDouble(); }

QValidator::State NumberField::validate(QString& text, int&) const {
  bool isNumber = false;
  const double number = text.toDouble(&isNumber);
  return isNumber && number >= minimum() && number <= maximum() ? QValidator::Acceptable : QValidator::Intermediate;
}

void NumberField::wheelEvent(QWheelEvent* event) {
  if (hasFocus())
    QDoubleSpinBox::wheelEvent(event);
  else
    event->ignore();
}

FormSection::FormSection(const QString& title) : m_form(new QFormLayout(this)) {
  m_form->setContentsMargins(0, 0, 0, 4);
  m_form->setHorizontalSpacing(8);
  m_form->setVerticalSpacing(4);
  m_form->setFieldGrowthPolicy(QFormLayout::AllNonFixedFieldsGrow);
  m_form->addRow(roleLabel(title, "heading"));
}

void FormSection::addRow(const QString& name, QWidget* field, const QString& toolTip) {
  QLabel* label = roleLabel(name, "name");
  label->setMinimumWidth(kNameWidth);
  label->setBuddy(field);
  label->setToolTip(toolTip);
  field->setToolTip(toolTip);
  field->setAccessibleName(name);
  m_form->addRow(label, field);
}

void FormSection::addWide(QWidget* widget) { m_form->addRow(widget); }

QWidget* pairOf(QWidget* left, const QString& between, QWidget* right) {
  auto* both = new QWidget;
  auto* row = new QHBoxLayout(both);
  row->setContentsMargins(0, 0, 0, 0);
  row->setSpacing(6);
  row->addWidget(left, 1);
  row->addWidget(roleLabel(between, "name"));
  row->addWidget(right, 1);
  return both;
}

}  // namespace attnscope
