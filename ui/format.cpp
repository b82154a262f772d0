#include "ui/format.h"

#include <QLocale>
#include <cmath>

namespace attnscope {

static const QLocale& english() {
  static const QLocale locale(QLocale::English, QLocale::UnitedStates);
  return locale;
}

QString countText(long number) { return english().toString(static_cast<qlonglong>(number)); }

QString compactText(double number) {
  if (!std::isfinite(number)) return QStringLiteral("–");
  if (number >= 1e6) return QString::number(number / 1e6, 'f', 1) + QStringLiteral(" M");
  if (number >= 1e3) return QString::number(number / 1e3, 'f', 1) + QStringLiteral(" k");
  return QString::number(number, 'f', 0);
}

QString lossText(double loss) {
  if (!std::isfinite(loss)) return QStringLiteral("not finite");
  return loss >= 0.001 || loss == 0 ? QString::number(loss, 'f', 3) : QString::number(loss, 'e', 1);
}

QString percentText(double share) { return QString::number(100 * share, 'f', 1) + QStringLiteral(" %"); }

QString durationText(double seconds) {
  const long whole = std::isfinite(seconds) ? std::lround(std::max(0.0, seconds)) : 0;
  const QString tail = QStringLiteral("%1:%2");
  if (whole < 3600) return tail.arg(whole / 60).arg(whole % 60, 2, 10, QLatin1Char('0'));
  return QStringLiteral("%1:%2:%3")
      .arg(whole / 3600)
      .arg(whole / 60 % 60, 2, 10, QLatin1Char('0'))
      .arg(whole % 60, 2, 10, QLatin1Char('0'));
}

QString bytesText(double bytes) {
  if (bytes < 1e6) return QString::number(std::ceil(bytes / 1e3), 'f', 0) + QStringLiteral(" kB");
  if (bytes < 1e9) return QString::number(bytes / 1e6, 'f', bytes < 1e7 ? 1 : 0) + QStringLiteral(" MB");
  return QString::number(bytes / 1e9, 'f', 1) + QStringLiteral(" GB");
}

QString shortNumber(double number) {
  const double size = std::abs(number);
  const bool plain = size == 0 || (size >= 1e-6 && size < 1e9);
  return QString::number(number, plain ? 'f' : 'g', QLocale::FloatingPointShortest);
}

}  // namespace attnscope
