#include "ui/views/length_histogram.h"

#include <QHelpEvent>
#include <QPainter>
#include <QToolTip>
#include <algorithm>

#include "ui/format.h"

namespace attnscope {

static constexpr int kMostBars = 40;

LengthHistogram::LengthHistogram(const AppStyle& style) : m_style(style) {
  setObjectName("lengthHistogram");
  setAccessibleName(tr("Lengths of sources and targets"));
  setMinimumHeight(120);
  connect(&style, &AppStyle::changed, this, qOverload<>(&QWidget::update));
}

void LengthHistogram::setData(const TrainingData& rows) {
  std::map<int, std::pair<long, long>> counts;
  const bool sequences = rows.family == "seq2seq";
  const int closing = sequences ? 1 : 0;  // </s> is not counted
  for (const std::vector<Example>* part : {&rows.train, &rows.validation})
    for (const Example& example : *part) {
      const std::size_t steps = rows.vectorSize ? example.vectors.size() / rows.vectorSize : example.source.size();
      ++counts[static_cast<int>(steps) - closing].first;
      if (sequences) ++counts[static_cast<int>(example.target.size()) - closing].second;
    }
  m_hasTargets = sequences;
  gather(counts);
  update();
}

void LengthHistogram::gather(const std::map<int, std::pair<long, long>>& counts) {
  m_bars.clear();
  if (counts.empty()) return;
  const int first = counts.begin()->first;
  const int span = counts.rbegin()->first - first + 1;
  m_width = (span + kMostBars - 1) / kMostBars;
  m_bars.resize((span + m_width - 1) / m_width);
  for (std::size_t i = 0; i < m_bars.size(); ++i) m_bars[i].first = first + static_cast<int>(i) * m_width;
  for (const auto& [length, both] : counts) {
    Bar& bar = m_bars[(length - first) / m_width];
    bar.sources += both.first;
    bar.targets += both.second;
  }
}

QRectF LengthHistogram::plot() const {
  const double line = fontMetrics().height();
  return QRectF(rect()).adjusted(4, line + 6, -4, -line - 4);
}

void LengthHistogram::paintEvent(QPaintEvent*) {
  QPainter painter(this);
  const Theme& theme = m_style.theme();
  const QRectF area = plot();
  painter.setPen(theme.accent);
  painter.drawText(QPointF(area.left(), fontMetrics().ascent() + 2.0), tr("source"));
  if (m_hasTargets) {
    painter.setPen(theme.accuracy);
    painter.drawText(
        QPointF(area.left() + fontMetrics().horizontalAdvance(tr("source") + "  "), fontMetrics().ascent() + 2.0),
        tr("target"));
  }
  long most = 1;
  for (const Bar& bar : m_bars) most = std::max({most, bar.sources, bar.targets});
  const double slot = m_bars.empty() ? 0 : std::min(area.width() / m_bars.size(), 40.0);
  double labelled = -1e9;
  for (std::size_t i = 0; i < m_bars.size(); ++i) {
    const double x = area.left() + slot * i;
    const double half = slot * (m_hasTargets ? 0.4 : 0.8);
    const double up = area.height() * m_bars[i].sources / most;
    painter.fillRect(QRectF(x + slot * 0.1, area.bottom() - up, half, up), theme.accent);
    if (m_hasTargets) {
      const double other = area.height() * m_bars[i].targets / most;
      painter.fillRect(QRectF(x + slot * 0.1 + half, area.bottom() - other, half, other), theme.accuracy);
    }
    const QString label = QString::number(m_bars[i].first);
    const double width = fontMetrics().horizontalAdvance(label);
    const double left = x + (slot - width) / 2;
    if (left < labelled + 6) continue;
    labelled = left + width;
    painter.setPen(theme.mutedText);
    painter.drawText(QPointF(left, height() - fontMetrics().descent() - 1.0), label);
  }
  painter.setPen(theme.border);
  painter.drawLine(area.bottomLeft(), area.bottomRight());
}

bool LengthHistogram::event(QEvent* event) {
  if (event->type() != QEvent::ToolTip || m_bars.empty()) return QWidget::event(event);
  const auto* help = static_cast<QHelpEvent*>(event);
  const double slot = std::min(plot().width() / m_bars.size(), 40.0);
  const int index = static_cast<int>((help->pos().x() - plot().left()) / slot);
  if (index < 0 || index >= static_cast<int>(m_bars.size())) {
    QToolTip::hideText();
    return true;
  }
  const Bar& bar = m_bars[index];
  const QString lengths =
      m_width == 1 ? QString::number(bar.first) : QStringLiteral("%1–%2").arg(bar.first).arg(bar.first + m_width - 1);
  QString shown = tr("length %1: %2 sources").arg(lengths, countText(bar.sources));
  if (m_hasTargets) shown += tr(", %1 targets").arg(countText(bar.targets));
  QToolTip::showText(help->globalPos(), shown, this);
  return true;
}

}  // namespace attnscope
