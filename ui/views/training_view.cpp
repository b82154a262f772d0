// QCustomPlot writes its signals with the short keywords that this project turns off.
#undef QT_NO_KEYWORDS
#include "ui/views/training_view.h"

#include <qcustomplot.h>

#include <QCheckBox>
#include <QHBoxLayout>
#include <QPicture>
#include <QPushButton>
#include <QTimer>
#include <cmath>

#include "ui/format.h"
#include "ui/panels/fields.h"

namespace attnscope {

namespace {

constexpr int kReplotEvery = 80;  // ms; the curves need not follow every snapshot

using Value = std::optional<double>;
using Read = Value (*)(const HistoryPoint&);

template <auto Member>
Value ofValidation(const HistoryPoint& point) {
  return point.validation ? Value(point.validation.value().*Member) : Value();
}

Value entropyOf(const HistoryPoint& point) {
  return point.validation && point.validation->site ? Value(point.validation->site->entropy()) : Value();
}

Value agreementOf(const HistoryPoint& point) {
  return point.validation && point.validation->site ? point.validation->site->agreement(0) : Value();
}

struct CurveInfo {
  const char* name;  // object names, CSV columns
  const char* title;
  const char* explanation;
  QColor Theme::*color;
  Qt::PenStyle line;
  double width;
  bool share;  // on the right axis, 0–1
  Read read;
};

const CurveInfo kCurves[] = {
    {"loss", QT_TRANSLATE_NOOP("attnscope::TrainingView", "loss, training"),
     QT_TRANSLATE_NOOP("attnscope::TrainingView", "Loss of every training step (left axis)."), &Theme::loss,
     Qt::SolidLine, 1, false, [](const HistoryPoint& point) { return Value(point.loss); }},
    {"validation_loss", QT_TRANSLATE_NOOP("attnscope::TrainingView", "loss, validation"),
     QT_TRANSLATE_NOOP("attnscope::TrainingView", "Loss on held-out data, target given (left axis)."), &Theme::loss,
     Qt::DashLine, 1.6, false, ofValidation<&ValidationReport::forcedLoss>},
    {"rmse", QT_TRANSLATE_NOOP("attnscope::TrainingView", "RMSE"),
     QT_TRANSLATE_NOOP("attnscope::TrainingView", "Root of the mean squared error on held-out data (left axis)."),
     &Theme::agreement, Qt::SolidLine, 1.6, false, ofValidation<&ValidationReport::rmse>},
    {"tokens_forced", QT_TRANSLATE_NOOP("attnscope::TrainingView", "tokens, target given"),
     QT_TRANSLATE_NOOP("attnscope::TrainingView", "Share of right tokens, every step fed the known target."),
     &Theme::accuracy, Qt::SolidLine, 1.2, true, ofValidation<&ValidationReport::forcedTokenAccuracy>},
    {"tokens_free", QT_TRANSLATE_NOOP("attnscope::TrainingView", "tokens, free-running"),
     QT_TRANSLATE_NOOP("attnscope::TrainingView", "Share of right tokens, every step fed the model's own."),
     &Theme::accuracy, Qt::DashLine, 1.2, true, ofValidation<&ValidationReport::freeTokenAccuracy>},
    {"sequences_forced", QT_TRANSLATE_NOOP("attnscope::TrainingView", "sequences, target given"),
     QT_TRANSLATE_NOOP("attnscope::TrainingView", "Share of sequences right from end to end, target given."),
     &Theme::good, Qt::SolidLine, 2.2, true, ofValidation<&ValidationReport::forcedSequenceAccuracy>},
    {"sequences_free", QT_TRANSLATE_NOOP("attnscope::TrainingView", "sequences, free-running"),
     QT_TRANSLATE_NOOP("attnscope::TrainingView", "Share of sequences right from end to end, free-running."),
     &Theme::good, Qt::DashLine, 2.2, true, ofValidation<&ValidationReport::freeSequenceAccuracy>},
    {"accuracy", QT_TRANSLATE_NOOP("attnscope::TrainingView", "accuracy"),
     QT_TRANSLATE_NOOP("attnscope::TrainingView", "Share of right decisions on held-out data."), &Theme::accuracy,
     Qt::SolidLine, 1.6, true, ofValidation<&ValidationReport::accuracy>},
    {"entropy", QT_TRANSLATE_NOOP("attnscope::TrainingView", "attention entropy"),
     QT_TRANSLATE_NOOP("attnscope::TrainingView", "How spread the weights are: 0 one position, 1 all alike."),
     &Theme::entropy, Qt::SolidLine, 1.6, true, entropyOf},
    {"agreement", QT_TRANSLATE_NOOP("attnscope::TrainingView", "agreement, offset 0"),
     QT_TRANSLATE_NOOP("attnscope::TrainingView", "Share of rows whose largest weight lies on the gold alignment."),
     &Theme::agreement, Qt::SolidLine, 1.6, true, agreementOf},
};

QIcon lineIcon(const QPen& pen) {
  QPixmap pixmap(48, 24);
  pixmap.setDevicePixelRatio(2);
  pixmap.fill(Qt::transparent);
  QPainter painter(&pixmap);
  painter.setPen(QPen(pen.color(), std::max(1.6, pen.widthF()), pen.style()));
  painter.drawLine(QPointF(0, 6), QPointF(24, 6));
  return QIcon(pixmap);
}

void colorAxis(QCPAxis* axis, const Theme& theme, const QFont& font) {
  axis->setBasePen(QPen(theme.border));
  axis->setTickPen(QPen(theme.border));
  axis->setSubTickPen(Qt::NoPen);
  axis->setTickLabelColor(theme.mutedText);
  axis->setLabelColor(theme.mutedText);
  axis->setTickLabelFont(font);
  axis->setLabelFont(font);
  axis->grid()->setPen(QPen(theme.grid, 1));
  axis->grid()->setZeroLinePen(QPen(theme.grid, 1));
}

}  // namespace

struct TrainingView::Plot {
  QCustomPlot* plot = nullptr;
  QList<QCPGraph*> graphs;
  QList<QCheckBox*> legend;
  QCheckBox* log = nullptr;
  QTimer timer;
  bool follows = true;  // until the user zooms or drags: all of the run is shown

  void theme(const Theme& theme, const QFont& font) {
    plot->setBackground(QBrush(theme.window));
    for (QCPAxis* axis : {plot->xAxis, plot->yAxis, plot->yAxis2}) colorAxis(axis, theme, font);
    plot->legend->setBrush(theme.window);
    plot->legend->setBorderPen(Qt::NoPen);
    plot->legend->setTextColor(theme.text);
    plot->legend->setFont(font);
    for (qsizetype i = 0; i < graphs.size(); ++i)
      graphs[i]->setPen(QPen(theme.*kCurves[i].color, kCurves[i].width, kCurves[i].line));
  }

  void fit() {
    if (!follows) return;
    double last = 10, top = 0, low = std::numeric_limits<double>::max();
    for (qsizetype i = 0; i < graphs.size(); ++i) {
      if (graphs[i]->data()->isEmpty()) continue;
      bool found = false;
      last = std::max(last, graphs[i]->getKeyRange(found).upper);
      if (kCurves[i].share || !graphs[i]->visible()) continue;
      top = std::max(top, graphs[i]->getValueRange(found).upper);
      low = std::min(low, graphs[i]->getValueRange(found, QCP::sdPositive).lower);
    }
    plot->xAxis->setRange(0, last);
    const bool isLog = log->isChecked();
    plot->yAxis->setRange(isLog ? std::min(low, top) / 1.2 : 0, top > 0 ? top * 1.05 : 1);
    plot->yAxis2->setRange(0, 1.05);
  }
};

TrainingView::TrainingView(Session& session, const AppStyle& style)
    : m_session(session), m_style(style), m_plot(std::make_unique<Plot>()) {
  setObjectName("trainingPanel");
  setAttribute(Qt::WA_StyledBackground);
  QCustomPlot* plot = m_plot->plot = new QCustomPlot;
  plot->setObjectName("trainingPlot");
  plot->setMinimumSize(200, 90);
  plot->setInteractions(QCP::iRangeDrag | QCP::iRangeZoom);
  plot->axisRect()->setRangeDrag(Qt::Horizontal);
  plot->axisRect()->setRangeZoom(Qt::Horizontal);
  plot->axisRect()->setMinimumMargins(QMargins(8, 8, 8, 8));
  plot->yAxis2->setVisible(true);
  plot->xAxis->setLabel(tr("training step"));
  plot->yAxis->setLabel(tr("loss"));
  plot->yAxis2->setLabel(tr("share"));
  plot->yAxis->grid()->setVisible(false);
  plot->yAxis2->grid()->setVisible(true);
  plot->xAxis->grid()->setVisible(false);
  plot->setNoAntialiasingOnDrag(true);

  auto* side = new QVBoxLayout;
  side->setSpacing(1);
  side->setContentsMargins(4, 6, 12, 6);
  for (const CurveInfo& info : kCurves) {
    QCPGraph* graph = plot->addGraph(plot->xAxis, info.share ? plot->yAxis2 : plot->yAxis);
    graph->setName(tr(info.title));
    auto* box = new QCheckBox(tr(info.title));
    box->setObjectName(QStringLiteral("curve_") + info.name);
    box->setToolTip(tr(info.explanation));
    box->setChecked(true);
    box->setIconSize(QSize(24, 12));
    connect(box, &QCheckBox::toggled, this, [this, graph](bool on) {
      graph->setVisible(on);
      m_plot->fit();
      m_plot->plot->replot(QCustomPlot::rpQueuedReplot);
    });
    m_plot->graphs << graph;
    m_plot->legend << box;
    side->addWidget(box);
  }
  side->addStretch();
  auto* foot = new QHBoxLayout;
  m_plot->log = new QCheckBox(tr("log axis"));
  m_plot->log->setObjectName("logLoss");
  auto* whole = new QPushButton(tr("Reset zoom"));
  whole->setObjectName("resetZoom");
  foot->addWidget(m_plot->log);
  foot->addWidget(whole);
  side->addLayout(foot);
  auto* row = new QHBoxLayout(this);
  row->setContentsMargins(4, 0, 0, 0);
  row->addWidget(plot, 1);
  row->addLayout(side);

  m_plot->timer.setSingleShot(true);
  m_plot->timer.setInterval(kReplotEvery);
  connect(&m_plot->timer, &QTimer::timeout, plot, [this] {
    m_plot->fit();
    m_plot->plot->replot(QCustomPlot::rpQueuedReplot);
  });
  connect(m_plot->log, &QCheckBox::toggled, this, &TrainingView::setLogLoss);
  connect(whole, &QPushButton::clicked, this, &TrainingView::resetZoom);
  connect(plot, &QCustomPlot::mouseDoubleClick, this, &TrainingView::resetZoom);
  connect(plot, &QCustomPlot::mouseWheel, this, [this] { m_plot->follows = false; });
  connect(plot, &QCustomPlot::mouseMove, this, [this](QMouseEvent* event) {
    if (event->buttons() & Qt::LeftButton)
      m_plot->follows = false;
    else
      readOut(event->position(), event->globalPosition());
  });
  connect(&session, &Session::historyChanged, this, &TrainingView::append);
  connect(&style, &AppStyle::changed, this, &TrainingView::dress);
  dress();
  append(0);
}

TrainingView::~TrainingView() = default;

void TrainingView::append(std::size_t first) {
  const std::vector<HistoryPoint>& history = m_session.history();
  for (std::size_t c = 0; c < std::size(kCurves); ++c) {
    QCPGraph* graph = m_plot->graphs[c];
    if (first == 0) graph->data()->clear();
    for (std::size_t i = first; i < history.size(); ++i)
      if (const Value value = kCurves[c].read(history[i]); value && std::isfinite(*value))
        graph->addData(static_cast<double>(history[i].step), *value);
    m_plot->legend[c]->setVisible(!graph->data()->isEmpty() || c == 0);
  }
  if (first == 0) m_plot->follows = true;
  if (!m_plot->timer.isActive()) m_plot->timer.start();
}

void TrainingView::readOut(const QPointF& at, const QPointF& global) {
  const double step = m_plot->plot->xAxis->pixelToCoord(at.x());
  QStringList lines;
  for (qsizetype i = 0; i < m_plot->graphs.size(); ++i) {
    const QCPGraph* graph = m_plot->graphs[i];
    if (!graph->visible() || graph->data()->isEmpty()) continue;
    auto found = graph->data()->findBegin(step, true);
    const auto next = found + 1;
    if (next != graph->data()->constEnd() && std::abs(next->key - step) < std::abs(found->key - step)) found = next;
    if (lines.isEmpty()) lines << tr("step %1").arg(countText(std::lround(found->key)));
    lines << tr("%1: %2").arg(graph->name(), lossText(found->value));
  }
  if (m_plot->plot->axisRect()->rect().contains(at.toPoint()) && !lines.isEmpty())
    QToolTip::showText(global.toPoint(), lines.join(QLatin1Char('\n')), m_plot->plot);
  else
    QToolTip::hideText();
}

void TrainingView::dress() {
  m_plot->theme(m_style.theme(), font());
  for (qsizetype i = 0; i < m_plot->graphs.size(); ++i) m_plot->legend[i]->setIcon(lineIcon(m_plot->graphs[i]->pen()));
  m_plot->plot->replot(QCustomPlot::rpQueuedReplot);
}

void TrainingView::changeEvent(QEvent* event) {
  if (event->type() == QEvent::FontChange) dress();
  QWidget::changeEvent(event);
}

void TrainingView::setLogLoss(bool log) {
  QCPAxis* axis = m_plot->plot->yAxis;
  m_plot->log->setChecked(log);
  axis->setScaleType(log ? QCPAxis::stLogarithmic : QCPAxis::stLinear);
  axis->setTicker(log ? QSharedPointer<QCPAxisTicker>(new QCPAxisTickerLog)
                      : QSharedPointer<QCPAxisTicker>(new QCPAxisTicker));
  axis->setNumberFormat(log ? "gbd" : "gb");
  axis->setNumberPrecision(log ? 0 : 6);
  axis->setLabel(log ? tr("loss (log)") : tr("loss"));
  m_plot->fit();
  m_plot->plot->replot(QCustomPlot::rpQueuedReplot);
}

void TrainingView::resetZoom() {
  m_plot->follows = true;
  m_plot->fit();
  m_plot->plot->replot(QCustomPlot::rpQueuedReplot);
}

int TrainingView::curvePoints(const QString& name) const {
  for (std::size_t c = 0; c < std::size(kCurves); ++c)
    if (name == QLatin1String(kCurves[c].name)) return m_plot->graphs[static_cast<qsizetype>(c)]->dataCount();
  return 0;
}

// QCustomPlot paints with a painter class of its own; a recording carries its lines and texts to any other.
void TrainingView::paint(QPainter& painter, const QRectF& rect, const Theme& theme) {
  QCustomPlot& plot = *m_plot->plot;
  m_plot->theme(theme, font());
  plot.plotLayout()->addElement(0, 1, plot.legend);
  plot.plotLayout()->setColumnStretchFactor(1, 0.001);
  plot.legend->setVisible(true);
  for (qsizetype i = 0; i < m_plot->graphs.size(); ++i) {
    QCPGraph* graph = m_plot->graphs[i];
    if (!graph->visible() || graph->data()->isEmpty()) graph->removeFromLegend();
  }
  QPicture recording;
  {
    QCPPainter recorder(&recording);
    recorder.setMode(QCPPainter::pmVectorized);
    recorder.setMode(QCPPainter::pmNoCaching);
    plot.toPainter(&recorder, static_cast<int>(rect.width()), static_cast<int>(rect.height()));
  }
  painter.fillRect(rect, theme.window);
  painter.drawPicture(rect.topLeft(), recording);
  for (QCPGraph* graph : m_plot->graphs) graph->addToLegend();
  plot.legend->setVisible(false);
  plot.axisRect()->insetLayout()->addElement(plot.legend, Qt::AlignTop);
  plot.plotLayout()->simplify();
  dress();
}

std::string TrainingView::csv() const {
  std::string out = "step,epoch,seconds,rate,gradient_norm,tokens_per_s";
  for (const CurveInfo& info : kCurves) out += std::string(",") + info.name;
  out += '\n';
  for (const HistoryPoint& point : m_session.history()) {
    out += std::to_string(point.step);
    for (const double number : {point.epoch, point.seconds, point.rate, point.gradientNorm, point.tokensPerSecond})
      out += ',' + shortNumber(number).toStdString();
    for (const CurveInfo& info : kCurves) {
      const Value value = info.read(point);
      out += ',' + (value ? shortNumber(*value).toStdString() : std::string());
    }
    out += '\n';
  }
  return out;
}

}  // namespace attnscope
