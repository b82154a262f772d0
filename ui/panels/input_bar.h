// Above the pictures: the sequence on show. Typing traces it; tokens the vocabulary does not hold are marked.
#pragma once

#include <QLineEdit>
#include <QWidget>
#include <tuple>

#include "ui/panels/fields.h"
#include "ui/session.h"

class QToolButton;

namespace attnscope {

// Where each of `tokens` stands in `text`, in order; a token that cannot be found is left out.
struct TextSpan {
  int start = 0;
  int length = 0;
};
std::vector<TextSpan> findTokens(const QString& text, const std::vector<std::string>& tokens,
                                 const std::vector<std::uint8_t>& chosen);

class InputBar : public QWidget {
  Q_OBJECT
 public:
  explicit InputBar(Session& session);
  void setIconColor(const QColor& color);

 private:
  void showExample();
  void mark();
  void onEdited(const QString& typed);

  Session& m_session;
  QLineEdit* m_input;
  QToolButton *m_previous, *m_next;
  ChoiceField* m_mode;
  QLabel* m_note;
  std::tuple<QString, QString, const void*, bool, QRgb> m_marked;  // text, fault, run, typed, colour
};

}  // namespace attnscope
