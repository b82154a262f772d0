#include "ui/export/file_name.h"

#include <QRegularExpression>

namespace attnscope {

QString legalFileName(const QString& title, const QString& extension) {
  static const QRegularExpression others(QStringLiteral("[^\\p{L}\\p{M}\\p{N}_-]+"),
                                         QRegularExpression::UseUnicodePropertiesOption);
  static const QRegularExpression edges(QStringLiteral("^-+|-+$"));
  static const QRegularExpression reserved(QStringLiteral("^(con|prn|aux|nul|com\\d|lpt\\d)$"),
                                           QRegularExpression::CaseInsensitiveOption);
  QString name = title.normalized(QString::NormalizationForm_C);
  name.replace(others, QStringLiteral("-"));
  name.remove(edges);
  while (name.toUtf8().size() > 60) {
    name.chop(name.back().isLowSurrogate() ? 2 : 1);
    name.remove(edges);
  }
  if (name.isEmpty() || reserved.match(name).hasMatch())
    name = QStringLiteral("attnscope") + (name.isEmpty() ? "" : "-") + name;
  return extension.isEmpty() ? name : name + QLatin1Char('.') + extension;
}

}  // namespace attnscope
