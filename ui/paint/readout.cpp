#include <QCoreApplication>
#include <algorithm>
#include <cmath>

#include "ui/paint/canvas.h"
#include "ui/paint/pictures.h"
#include "ui/paint/tokens.h"

namespace attnscope {
namespace {

QString numbered(const QString& text, int index, const std::vector<std::string>& tokens) {
  const bool named = index >= 0 && index < static_cast<int>(tokens.size()) &&
                     tokens[static_cast<std::size_t>(index)] != std::to_string(index + 1);
  return named ? text + QLatin1Char(' ') + quotedToken(tokens[static_cast<std::size_t>(index)]) : text;
}

QString cellText(const Site& site, std::size_t index, const std::vector<float>& values) {
  switch (site.cells[index]) {
    case Cell::Masked:
      return QCoreApplication::translate("paint", "masked");
    case Cell::Missing:
      return QCoreApplication::translate("paint", "no data");
    case Cell::Real:
      break;
  }
  return fixedNumber(values[index], 3);
}

QString rankText(const Site& site, int head, int row, int column) {
  const float own = site.weights[site.index(head, row, column)];
  int rank = 1, count = 0;
  for (int c = 0; c < site.columns; ++c) {
    const std::size_t i = site.index(head, row, c);
    if (site.cells[i] != Cell::Real || !std::isfinite(site.weights[i])) continue;
    ++count;
    if (site.weights[i] > own) ++rank;
  }
  return QCoreApplication::translate("paint", "rank %1 of %2").arg(rank).arg(count);
}

}  // namespace

QStringList axisLabels(const TraceExample& example, const Axis& axis, const std::vector<std::string>& tokens) {
  QStringList labels;
  const bool symbols = axis.name != "source" && axis.name != "target" && example.source != axis.tokens;
  for (const std::string& token : tokens) {
    // "h0", "x12": names of vectors, written as in the equations.
    const bool name = symbols && token.size() > 1 && std::isalpha(static_cast<unsigned char>(token[0])) &&
                      std::all_of(token.begin() + 1, token.end(), [](unsigned char c) { return std::isdigit(c); });
    labels << (name ? QLatin1Char(token[0]) + subscript(std::stoi(token.substr(1, 6))) : tokenLabel(token));
  }
  return labels;
}

QString stepText(int step, const std::vector<std::string>& tokens) {
  return numbered(QCoreApplication::translate("paint", "step %1").arg(step + 1), step, tokens);
}

QString positionText(int position, const std::vector<std::string>& tokens) {
  return numbered(QCoreApplication::translate("paint", "position %1").arg(position + 1), position, tokens);
}

QString cellReadout(const TraceExample& example, const Site& site, int head, int step, int column) {
  const QString steps = stepText(step, axisTokens(example, site.rowAxis, site.rows));
  if (column < 0) return steps;
  const QString position = positionText(column, axisTokens(example, site.columnAxis, site.columns));
  if (step < 0) return position;
  const std::size_t i = site.index(head, step, column);
  QString line = QCoreApplication::translate("paint", "weight %1").arg(cellText(site, i, site.weights));
  if (site.cells[i] == Cell::Real && std::isfinite(site.weights[i])) {
    line += QStringLiteral(" · ") + rankText(site, head, step, column);
  }
  if (!site.scores.empty() && site.cells[i] == Cell::Real) {
    line +=
        QStringLiteral(" · ") + QCoreApplication::translate("paint", "score %1").arg(cellText(site, i, site.scores));
  }
  const std::vector<GoldCell>* gold = example.findGold(site.name);
  if (gold && std::find(gold->begin(), gold->end(), GoldCell{step, column}) != gold->end()) {
    line += QStringLiteral(" · ") + QCoreApplication::translate("paint", "gold");
  }
  return steps + QStringLiteral(" → ") + position + QLatin1Char('\n') + line;
}

}  // namespace attnscope
