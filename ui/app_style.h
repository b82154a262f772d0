// The look of the whole application: Fusion with a palette and one style sheet, both made from a Theme.
#pragma once

#include <QObject>

#include "ui/paint/picture.h"

namespace attnscope {

enum class ThemeChoice { System, Light, Dark };

class AppStyle : public QObject {
  Q_OBJECT
 public:
  // Takes the choice and the font size from the settings and dresses qApp.
  explicit AppStyle(QObject* parent = nullptr);

  const Theme& theme() const { return *m_theme; }
  ThemeChoice choice() const { return m_choice; }
  void setChoice(ThemeChoice choice);
  void changeFontSize(int points);                            // relative; kept within readable bounds
  bool eventFilter(QObject* object, QEvent* event) override;  // the system switched between light and dark

 Q_SIGNALS:
  void changed();

 private:
  void dress();

  ThemeChoice m_choice = ThemeChoice::System;
  const Theme* m_theme = nullptr;
  double m_systemPoints = 0;
  int m_fontSteps = 0;
  bool m_dressing = false;
};

}  // namespace attnscope
