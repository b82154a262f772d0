#include "ui/panels/input_bar.h"

#include <QApplication>
#include <QInputMethodEvent>
#include <QSignalBlocker>
#include <QTextCharFormat>
#include <QToolButton>
#include <QVBoxLayout>

#include "core/data/text_data.h"
#include "core/train/data_spec.h"
#include "ui/format.h"
#include "ui/icons.h"

namespace attnscope {

std::vector<TextSpan> findTokens(const QString& text, const std::vector<std::string>& tokens,
                                 const std::vector<std::uint8_t>& chosen) {
  std::vector<TextSpan> spans;
  qsizetype from = 0;
  for (std::size_t i = 0; i < tokens.size(); ++i) {
    const QString token = QString::fromStdString(tokens[i]);
    const qsizetype at = text.indexOf(token, from, Qt::CaseInsensitive);
    if (at < 0) continue;
    from = at + token.size();
    if (i < chosen.size() && chosen[i]) spans.push_back({static_cast<int>(at), static_cast<int>(token.size())});
  }
  return spans;
}

static QToolButton* exampleButton(const char* name, const QString& title) {
  auto* button = new QToolButton;
  button->setObjectName(name);
  button->setToolTip(title);
  button->setAccessibleName(title);
  button->setFocusPolicy(Qt::TabFocus);
  return button;
}

InputBar::InputBar(Session& session)
    : m_session(session),
      m_input(new QLineEdit),
      m_previous(exampleButton("previousExample", tr("Previous example"))),
      m_next(exampleButton("nextExample", tr("Next example of the validation data"))),
      m_mode(new ChoiceField("mode", {{"forced", tr("target given")}, {"free", tr("free-running")}})),
      m_note(roleLabel({}, "error", "inputNote")) {
  setObjectName("inputBar");
  setAttribute(Qt::WA_StyledBackground);
  m_input->setObjectName("input");
  m_input->setMaxLength(1'000'000);  // so that a long text is refused as too long and not cut short unsaid
  m_input->setAccessibleName(tr("Your input"));
  m_input->setToolTip(tr("The source on show. Type another: its trace appears as you type."));
  m_next->setText(tr("Next example"));
  m_mode->setToolTip(
      tr("Target given: every step is fed the known right token (teacher forcing). Free-running: every "
         "step is fed the model's own."));
  m_mode->setMinimumContentsLength(11);
  auto* row = new QHBoxLayout;
  row->setSpacing(8);
  row->addWidget(roleLabel(tr("Your input"), "name"));
  row->addWidget(m_input, 1);
  row->addWidget(m_previous);
  row->addWidget(m_next);
  row->addWidget(m_mode);
  row->itemAt(0)->widget()->setSizePolicy(QSizePolicy::Fixed, QSizePolicy::Preferred);
  static_cast<QLabel*>(row->itemAt(0)->widget())->setWordWrap(false);
  auto* column = new QVBoxLayout(this);
  column->setContentsMargins(12, 8, 12, 8);
  column->setSpacing(4);
  column->addLayout(row);
  column->addWidget(m_note);
  m_note->hide();

  connect(m_input, &QLineEdit::textEdited, this, &InputBar::onEdited);
  connect(m_previous, &QToolButton::clicked, this, [this] { m_session.showExample(m_session.exampleIndex() - 1); });
  connect(m_next, &QToolButton::clicked, this, [this] { m_session.showExample(m_session.exampleIndex() + 1); });
  connect(m_mode, &ChoiceField::chosen, this, [this](const QString& mode) { m_session.setFree(mode == "free"); });
  connect(&session, &Session::traceChanged, this, &InputBar::showExample);
  connect(&session, &Session::snapshotChanged, this, &InputBar::mark);
}

void InputBar::setIconColor(const QColor& color) { m_previous->setIcon(makeIcon(Shape::Previous, color)); }

void InputBar::onEdited(const QString& typed) {
  if (typed.trimmed().isEmpty())
    m_session.showExample(m_session.exampleIndex());
  else
    m_session.showText(typed);
  mark();
}

// Vector inputs are written as the trace request reads them: steps parted by spaces, values by commas.
static QString writtenSeries(const Series& series) {
  QStringList steps;
  for (int t = 0; t < series.values.rows; ++t) {
    QStringList values;
    for (int k = 0; k < series.values.columns; ++k) values << QString::number(series.values.at(t, k), 'g', 3);
    steps << values.join(QLatin1Char(','));
  }
  return steps.join(QLatin1Char(' '));
}

void InputBar::showExample() {
  const TraceExample* example = m_session.traceExample();
  const RunInfo* info = m_session.info();
  const bool sequences = !m_session.traceFile().isEmpty() || (info && info->data->family == "seq2seq");
  m_mode->setVisible(sequences && m_session.traceFile().isEmpty());
  m_mode->setEnabled(!m_session.isTyped());
  m_mode->show(m_session.isFree() || m_session.isTyped() ? "free" : "forced");
  m_input->setReadOnly(!m_session.traceFile().isEmpty());
  if (example && !m_session.isTyped()) {
    QString shown = writtenSeries(example->series);
    if (shown.isEmpty()) {
      std::vector<std::string> tokens = example->source;
      if (!tokens.empty() && tokens.back() == "</s>") tokens.pop_back();
      const bool ours = info && m_session.traceFile().isEmpty();
      shown = text(joinTokens(ours ? textRule(info->data->origin).tokenizer : TokenizerKind::Whitespace, tokens));
    }
    if (shown != m_input->text()) m_input->setText(shown);
    m_input->setCursorPosition(0);
  }
  mark();
}

// QLineEdit has no formats of its own; an input-method event without text carries them.
static void underline(QLineEdit& input, const std::vector<TextSpan>& spans, const QColor& color) {
  QTextCharFormat format;
  format.setForeground(color);
  format.setFontUnderline(true);
  QList<QInputMethodEvent::Attribute> attributes;
  for (const TextSpan& span : spans)
    attributes.append({QInputMethodEvent::TextFormat, span.start - input.cursorPosition(), span.length, format});
  QInputMethodEvent event(QString(), attributes);
  QCoreApplication::sendEvent(&input, &event);
}

void InputBar::mark() {
  const RunInfo* info = m_session.info();
  const auto seen = std::make_tuple(m_input->text(), m_session.traceError(), static_cast<const void*>(info),
                                    m_session.isTyped(), palette().color(QPalette::BrightText).rgba());
  if (m_marked == seen) return;  // snapshots come many times a second
  m_marked = seen;
  QString note = m_session.traceError();
  if (m_session.isTyped() && !note.isEmpty()) note = tr("Your input %1").arg(note);
  std::vector<TextSpan> spans;
  if (m_session.isTyped() && note.isEmpty() && info && info->data->vectorSize == 0) {
    const TextRule rule = textRule(info->data->origin);
    const Example typed =
        exampleFromText(m_input->text().toStdString(), rule.tokenizer, rule.lowercase, info->data->source);
    std::vector<std::uint8_t> unknown(typed.sourceTokens.size());
    QStringList names;
    for (std::size_t i = 0; i < unknown.size(); ++i) {
      unknown[i] = typed.source[i] == kUnknown;
      if (unknown[i]) names << text(typed.sourceTokens[i]);
    }
    names.removeDuplicates();
    spans = findTokens(m_input->text(), typed.sourceTokens, unknown);
    if (!names.isEmpty())
      note = tr("Not in the vocabulary, read as <unk>: %1").arg(names.mid(0, 8).join(QStringLiteral(", ")));
  }
  underline(*m_input, spans, palette().color(QPalette::BrightText));
  m_note->setText(note);
  m_note->setVisible(!note.isEmpty());
}

}  // namespace attnscope
