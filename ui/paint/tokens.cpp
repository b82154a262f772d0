#include "ui/paint/tokens.h"

#include <QList>
#include <algorithm>
#include <cmath>

namespace attnscope {
namespace {

QString visibleSign(char32_t c) {
  switch (c) {
    case U'\t':
      return QStringLiteral("⇥");
    case U'\n':
    case U'\r':
    case 0x2028:
    case 0x2029:
      return QStringLiteral("⏎");
    default:
      break;
  }
  if (c < 0x20) return QString(QChar(static_cast<char16_t>(0x2400 + c)));
  if (c == 0x7f) return QString(QChar(char16_t{0x2421}));
  const bool embedding = (c >= 0x202a && c <= 0x202e) || (c >= 0x2066 && c <= 0x2069);
  if (embedding || (c >= 0x80 && c < 0xa0) || c == 0xfeff) return QString(QChar(char16_t{0xfffd}));
  if (QChar::isSpace(c)) return QStringLiteral("␣");
  return QString::fromUcs4(&c, 1);
}

}  // namespace

bool isSpecialToken(std::string_view token) {
  return token == "<pad>" || token == "<s>" || token == "</s>" || token == "<unk>";
}

QString tokenLabel(std::string_view token) {
  if (token.empty()) return QStringLiteral("∅");
  if (token == "<pad>") return QString();
  const QList<uint> points = QString::fromUtf8(token.data(), static_cast<qsizetype>(token.size())).toUcs4();
  QString label;
  if (!points.isEmpty() && QChar::isMark(points.first())) label += QChar(char16_t{0x25cc});
  const auto plain = [](uint point) { return !QChar::isSpace(point); };
  const auto first = std::find_if(points.begin(), points.end(), plain);
  const auto last = std::find_if(points.rbegin(), points.rend(), plain).base();
  for (auto point = points.begin(); point != points.end(); ++point) {
    const bool between = *point == U' ' && point > first && point < last;  // parts words, as in the name of a class
    label += between ? QStringLiteral(" ") : visibleSign(*point);
  }
  return label;
}

QString quotedToken(std::string_view token) {
  if (token == "<pad>") return QStringLiteral("<pad>");
  return QStringLiteral("“\u2068%1\u2069”").arg(tokenLabel(token));
}

QString subscript(int number) {
  QString text;
  for (const QChar c : QString::number(number)) {
    text += c == QLatin1Char('-') ? QChar(char16_t{0x208b}) : QChar(static_cast<char16_t>(0x2080 + c.digitValue()));
  }
  return text;
}

std::vector<int> thinnedLabels(const std::vector<double>& extents, double pitch, double gap, int keep) {
  const int count = static_cast<int>(extents.size());
  if (count == 0 || pitch <= 0) return {};
  const auto extent = [&](int i) { return extents[static_cast<std::size_t>(i)]; };
  const auto apart = [&](int i, int j) { return (extent(i) + extent(j)) / 2 + gap <= std::abs(i - j) * pitch + 1e-9; };
  const auto fits = [&](int every) {
    for (int i = every; i < count; i += every) {
      if (!apart(i - every, i)) return false;
    }
    return true;
  };
  int every = 1;
  while (every < count && !fits(every)) ++every;
  std::vector<int> shown;
  for (int i = 0; i < count; i += every) {
    if (keep < 0 || i == keep || apart(i, keep)) shown.push_back(i);
  }
  const bool missing = keep >= 0 && keep < count && std::find(shown.begin(), shown.end(), keep) == shown.end();
  if (missing) shown.push_back(keep);
  return shown;
}

}  // namespace attnscope
