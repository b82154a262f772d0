#include "ui/app_style.h"

#include <QApplication>
#include <QEvent>
#include <QFile>
#include <QFont>
#include <QPalette>
#include <QStyleFactory>
#include <algorithm>

#include "ui/settings.h"

namespace attnscope {

AppStyle::AppStyle(QObject* parent) : QObject(parent) {
  const QSettings stored = settings();
  m_choice = static_cast<ThemeChoice>(std::clamp(stored.value("window/theme", 0).toInt(), 0, 2));
  m_fontSteps = std::clamp(stored.value("window/fontSteps", 0).toInt(), -3, 12);
  m_systemPoints = QApplication::font().pointSizeF();
  QApplication::setStyle(QStyleFactory::create(QStringLiteral("Fusion")));
  dress();
  qApp->installEventFilter(this);
}

bool AppStyle::eventFilter(QObject* object, QEvent* event) {
  const bool themed = event->type() == QEvent::ThemeChange || event->type() == QEvent::ApplicationPaletteChange;
  if (themed && object == qApp && !m_dressing && m_choice == ThemeChoice::System) dress();
  return QObject::eventFilter(object, event);
}

void AppStyle::setChoice(ThemeChoice choice) {
  if (choice == m_choice) return;
  m_choice = choice;
  settings().setValue("window/theme", static_cast<int>(choice));
  dress();
}

void AppStyle::changeFontSize(int points) {
  m_fontSteps = std::clamp(m_fontSteps + points, -3, 12);
  settings().setValue("window/fontSteps", m_fontSteps);
  dress();
}

static bool systemIsDark() {
  QApplication::setPalette(QPalette());  // forget ours: the system's shows through
  const QPalette palette = QApplication::palette();
  return palette.color(QPalette::Window).lightness() < palette.color(QPalette::WindowText).lightness();
}

static QPalette paletteOf(const Theme& theme) {
  QPalette palette(theme.text, theme.panel, theme.border, theme.border.darker(), theme.border, theme.text, theme.field);
  palette.setColor(QPalette::Window, theme.window);
  palette.setColor(QPalette::Base, theme.field);
  palette.setColor(QPalette::AlternateBase, theme.panel);
  palette.setColor(QPalette::Button, theme.panel);
  palette.setColor(QPalette::Highlight, theme.accent);
  palette.setColor(QPalette::HighlightedText, theme.accentText);
  palette.setColor(QPalette::Link, theme.accent);
  palette.setColor(QPalette::BrightText, theme.warning);
  palette.setColor(QPalette::ToolTipBase, theme.panel);
  palette.setColor(QPalette::ToolTipText, theme.text);
  palette.setColor(QPalette::PlaceholderText, theme.mutedText);
  for (const QPalette::ColorRole role : {QPalette::WindowText, QPalette::Text, QPalette::ButtonText})
    palette.setColor(QPalette::Disabled, role, theme.mutedText);
  return palette;
}

static QString styleSheetOf(const Theme& theme) {
  QFile file(QStringLiteral(":/attnscope/style.qss"));
  file.open(QIODevice::ReadOnly);
  QString sheet = QString::fromUtf8(file.readAll());
  const std::pair<const char*, QColor> colors[] = {{"@window", theme.window},
                                                   {"@panel", theme.panel},
                                                   {"@field", theme.field},
                                                   {"@border", theme.border},
                                                   {"@text", theme.text},
                                                   {"@mutedText", theme.mutedText},
                                                   {"@accentText", theme.accentText},
                                                   {"@accent", theme.accent},
                                                   {"@warning", theme.warning},
                                                   {"@good", theme.good}};
  for (const auto& [name, color] : colors) sheet.replace(QLatin1String(name) + QLatin1Char(';'), color.name() + ';');
  return sheet;
}

void AppStyle::dress() {
  m_dressing = true;
  const bool dark = m_choice == ThemeChoice::Dark || (m_choice == ThemeChoice::System && systemIsDark());
  m_theme = dark ? &Theme::darkTheme() : &Theme::light();
  QFont font = QApplication::font();
  font.setPointSizeF(m_systemPoints + m_fontSteps);
  QApplication::setFont(font);
  QApplication::setPalette(paletteOf(*m_theme));
  qApp->setStyleSheet(styleSheetOf(*m_theme));
  m_dressing = false;
  Q_EMIT changed();
}

}  // namespace attnscope
