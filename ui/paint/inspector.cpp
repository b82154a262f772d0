#include <QCoreApplication>
#include <algorithm>
#include <cmath>
#include <numeric>

#include "ui/paint/equations.h"
#include "ui/paint/panels.h"
#include "ui/paint/pictures.h"
#include "ui/paint/tokens.h"

namespace attnscope {
namespace {

constexpr int kMostTokens = 12, kMostTerms = 3, kMostOutputs = 5;

// Everything the inspector shows of one step.
struct StepData {
  const TraceExample* example = nullptr;
  const Site* site = nullptr;
  int head = 0, step = 0;
  std::vector<std::string> steps, positions;
  std::vector<int> shown;     // positions in order
  std::vector<int> byWeight;  // real finite positions, falling
  int hidden = 0;             // positions left out
  double hiddenWeight = 0;
  const Matrix *query = nullptr, *context = nullptr;
  const OutputStep* output = nullptr;
  Equations equations;

  std::size_t index(int column) const { return site->index(head, step, column); }
  bool isReal(int column) const { return site->cells[index(column)] == Cell::Real; }
  double weight(int column) const { return site->weights[index(column)]; }
};

const Matrix* stepMatrix(const std::vector<NamedMatrix>& list, const Site& site) {
  const Matrix* found = findMatrix(list, site.name);
  return found && found->rows == site.rows && found->columns > 0 ? found : nullptr;
}

void chooseShown(StepData& data, int most) {
  data.shown.assign(static_cast<std::size_t>(data.site->columns), 0);
  std::iota(data.shown.begin(), data.shown.end(), 0);
  if (data.site->columns <= most) return;
  // Positions without a number come last.
  const auto rank = [&](int c) { return data.isReal(c) && std::isfinite(data.weight(c)) ? data.weight(c) : -1e30; };
  std::stable_sort(data.shown.begin(), data.shown.end(), [&](int a, int b) { return rank(a) > rank(b); });
  for (std::size_t i = static_cast<std::size_t>(most); i < data.shown.size(); ++i) {
    ++data.hidden;
    const double weight = rank(data.shown[i]);
    if (weight > -1e29) data.hiddenWeight += weight;
  }
  data.shown.resize(static_cast<std::size_t>(most));
  std::sort(data.shown.begin(), data.shown.end());
}

std::optional<StepData> dataOf(const Picture& picture, int most = kMostTokens) {
  const Site* site = shownSite(picture);
  if (!site || site->rows == 0 || site->columns == 0) return std::nullopt;
  StepData data;
  data.example = picture.current();
  data.site = site;
  data.head = shownHead(picture, *site);
  data.step = std::clamp(picture.state.step, 0, site->rows - 1);
  data.steps = axisTokens(*data.example, site->rowAxis, site->rows);
  data.positions = axisTokens(*data.example, site->columnAxis, site->columns);
  data.query = stepMatrix(data.example->query, *site);
  data.context = stepMatrix(data.example->context, *site);
  if (static_cast<int>(data.example->outputs.size()) == site->rows) {
    data.output = &data.example->outputs[static_cast<std::size_t>(data.step)];
  }
  data.equations = equationsAt(picture.trace->config, data.step);
  for (int c = 0; c < site->columns; ++c) {
    if (data.isReal(c) && std::isfinite(data.weight(c))) data.byWeight.push_back(c);
  }
  std::stable_sort(data.byWeight.begin(), data.byWeight.end(),
                   [&](int a, int b) { return data.weight(a) > data.weight(b); });
  chooseShown(data, most);
  return data;
}

// Scores have no bounds: a model that runs away has them by the million.
QString scoreNumber(double score) {
  return std::isfinite(score) && std::abs(score) >= 1e5 ? scaleNumber(score) : fixedNumber(score, 2);
}

QString heading(const StepData& data) {
  const QString step = QCoreApplication::translate("paint", "Step %1").arg(data.step + 1);
  const auto& target = data.example->target;
  std::string token;
  if (data.output) token = data.output->token;
  if (token.empty() && static_cast<int>(target.size()) == data.site->rows)
    token = target[static_cast<std::size_t>(data.step)];
  if (token.empty()) return step;
  if (data.equations.classifies)
    return QCoreApplication::translate("paint", "%1 · answers %2").arg(step, quotedToken(token));
  return (data.example->forced ? QCoreApplication::translate("paint", "%1 · given %2")
                               : QCoreApplication::translate("paint", "%1 · writes %2"))
      .arg(step, quotedToken(token));
}

// "= 0.799 v₆ + 0.100 v₇ + … (8 more: 0.101)"
QString mixtureText(const StepData& data) {
  // Vectors with names of their own, such as earlier states, go by them.
  const bool named = data.site->columnAxis.name == "memory";
  const QStringList names = named ? axisLabels(*data.example, data.site->columnAxis, data.positions) : QStringList();
  QString text;
  double rest = 0;
  int more = 0;
  for (std::size_t i = 0; i < data.byWeight.size(); ++i) {
    const double weight = data.weight(data.byWeight[i]);
    if (weight == 0) continue;
    if (i >= kMostTerms) {
      ++more;
      rest += weight;
      continue;
    }
    text += text.isEmpty() ? QStringLiteral("= ") : QStringLiteral(" + ");
    text += fixedNumber(weight, 3) + QLatin1Char(' ');
    text += named ? names[data.byWeight[i]] : QStringLiteral("v") + subscript(data.byWeight[i] + 1);
  }
  if (text.isEmpty()) return QStringLiteral("= 0");
  if (more > 0) {
    text += QStringLiteral(" + … ") +
            QCoreApplication::translate("paint", "(%1 more: %2)").arg(more).arg(fixedNumber(rest, 3));
  }
  return text;
}

// Walks down the column; every part is drawn, or only measured where there is no canvas.
class Column {
 public:
  Column(const QRectF& place, const Picture& picture, const StepData& data, Canvas* canvas)
      : m_place(place),
        m_picture(picture),
        m_data(data),
        m_canvas(canvas),
        m_fonts(picture.style.font),
        m_em(m_fonts.em),
        m_y(place.top()) {}

  double walk() {
    line(heading(m_data), Weight::Bold, false);
    space(0.35);
    if (m_data.query || m_data.equations.query != QStringLiteral("u")) {
      line(QCoreApplication::translate("paint", "query  %1").arg(m_data.equations.query), Weight::Small, true);
    }
    if (m_data.query) strip(*m_data.query);
    if (!m_data.equations.score.isEmpty()) {
      line(QCoreApplication::translate("paint", "scores"), Weight::Small, true);
      box(m_data.equations.score);
      space(0.5);
    }
    table();
    space(0.5);
    line(QCoreApplication::translate("paint", "context"), Weight::Small, true);
    box(m_data.equations.context + QStringLiteral("\n") + mixtureText(m_data));
    space(0.4);
    if (m_data.context) strip(*m_data.context);
    outputs();
    return m_y - m_place.top();
  }

  struct Row {
    int column;
    QRectF box;
  };
  const std::vector<Row>& rows() const { return m_rows; }

 private:
  const QColor& muted() const { return m_canvas->theme.mutedText; }
  void space(double ems) { m_y += ems * m_em; }
  QRectF lane(double height) const { return QRectF(m_place.left(), m_y, m_place.width(), height); }

  void line(const QString& text, Weight weight, bool quiet) {
    const double height = m_em * 1.55;
    if (m_canvas) m_canvas->text(lane(height), Qt::AlignLeft, text, quiet ? muted() : m_canvas->theme.text, weight);
    m_y += height;
  }

  // Lines of the text are formulas of their own.
  void box(const QString& text) {
    QString joined = text;
    joined.replace(QLatin1Char('\n'), QChar(QChar::LineSeparator));
    m_y += m_canvas ? drawFormulaBox(*m_canvas, lane(0), joined) : formulaBoxHeight(m_fonts, joined, m_place.width());
  }

  void strip(const Matrix& matrix) {
    const double height = std::round(m_em * 1.15);
    if (m_canvas) drawStrip(*m_canvas, lane(height), matrix, m_data.step, signedScale(matrix));
    m_y += height + m_em * 0.7;
  }

  double labelWidth(const QStringList& labels) const {
    const QFontMetricsF metrics(m_fonts.bold);
    double width = 0;
    for (const QString& label : labels) width = std::max(width, metrics.horizontalAdvance(label));
    return std::min(width + 1, m_place.width() * 0.27);
  }

  double scoreWidth() const {
    if (m_data.site->scores.empty()) return 0;
    const QFontMetricsF metrics(m_fonts.small);
    double width = m_em * 2.4;
    for (const int c : m_data.shown) {
      if (!m_data.isReal(c)) continue;
      width = std::max(width, metrics.horizontalAdvance(scoreNumber(m_data.site->scores[m_data.index(c)])));
    }
    return width + m_em * 0.7;
  }

  void tableHead(double labels, double scores) {
    const double height = m_em * 1.55;
    if (m_canvas) {
      const double left = m_place.left() + labels;
      if (scores > 0) {
        m_canvas->text(QRectF(left, m_y, scores, height), Qt::AlignRight, m_data.equations.scoreName, muted(),
                       Weight::Small);
      }
      const double barLeft = left + scores + m_em * 0.6;
      m_canvas->text(QRectF(barLeft, m_y, m_place.right() - barLeft, height), Qt::AlignLeft,
                     QCoreApplication::translate("paint", "weights  %1").arg(m_data.equations.weights), muted(),
                     Weight::Small);
    }
    m_y += height;
  }

  void bar(const QRectF& row, double left, double value, const QString& number, const QColor& color) {
    const double room = std::max(m_em, row.right() - left - m_em * 3.2);
    const double share = std::isfinite(value) ? std::clamp(value, 0.0, 1.0) : 0;
    const double width = std::max(1.0, room * share);
    m_canvas->fill(QRectF(left, row.center().y() - m_em * 0.42, width, m_em * 0.84), color);
    m_canvas->text(QRectF(left + width + m_em * 0.5, row.top(), m_em * 7, row.height()), Qt::AlignLeft, number, muted(),
                   Weight::Small);
  }

  void tableRow(int c, const QString& label, double labels, double scores, const QRectF& row) {
    const bool chosen = c == m_picture.state.column, hovered = c == m_picture.state.hoverColumn;
    if (chosen || hovered) m_canvas->fill(row.adjusted(-m_em * 0.3, 0, m_em * 0.3, 0), m_canvas->theme.field);
    const bool special = isSpecialToken(m_data.positions[static_cast<std::size_t>(c)]);
    m_canvas->text(QRectF(row.left(), row.top(), labels, row.height()), Qt::AlignRight, label,
                   special ? muted() : m_canvas->theme.text, chosen ? Weight::Bold : Weight::Normal);
    const double left = row.left() + labels + scores + m_em * 0.6;
    const Cell cell = m_data.site->cells[m_data.index(c)];
    if (cell != Cell::Real) {
      const QString text = cell == Cell::Masked ? QCoreApplication::translate("paint", "masked")
                                                : QCoreApplication::translate("paint", "no data");
      m_canvas->text(QRectF(left, row.top(), row.right() - left, row.height()), Qt::AlignLeft, text, muted(),
                     Weight::Small);
      return;
    }
    if (scores > 0) {
      m_canvas->text(QRectF(row.left() + labels, row.top(), scores, row.height()), Qt::AlignRight,
                     scoreNumber(m_data.site->scores[m_data.index(c)]), muted(), Weight::Small, false);
    }
    bar(row, left, m_data.weight(c), fixedNumber(m_data.weight(c), 3), m_canvas->theme.accent);
  }

  void table() {
    QStringList names;
    const QStringList all = axisLabels(*m_data.example, m_data.site->columnAxis, m_data.positions);
    for (const int c : m_data.shown) names << all[c];
    const double labels = labelWidth(names), scores = scoreWidth();
    tableHead(labels, scores);
    const double height = m_em * 1.42;
    for (std::size_t i = 0; i < m_data.shown.size(); ++i) {
      const QRectF row = lane(height);
      m_rows.push_back({m_data.shown[i], row});
      if (m_canvas) tableRow(m_data.shown[i], names[static_cast<int>(i)], labels, scores, row);
      m_y += height;
    }
    if (m_data.hidden > 0) {
      line(QCoreApplication::translate("paint", "… %1 more, together %2")
               .arg(m_data.hidden)
               .arg(fixedNumber(m_data.hiddenWeight, 3)),
           Weight::Small, true);
    }
  }

  void outputs() {
    if (!m_data.equations.output.isEmpty()) {
      line(QCoreApplication::translate("paint", "output"), Weight::Small, true);
      box(m_data.equations.output.join(QLatin1Char('\n')));
      space(0.4);
    }
    if (!m_data.output) return;
    if (m_data.equations.output.isEmpty()) line(QCoreApplication::translate("paint", "output"), Weight::Small, true);
    if (!m_data.output->values.empty()) {
      QStringList numbers;
      for (const float value : m_data.output->values) numbers << fixedNumber(value, 3);
      box(numbers.join(QStringLiteral("  ")));
    }
    outputBars();
  }

  // A classifier's answer is its own, whatever the trace says of the decoding.
  bool isGiven() const { return m_data.example->forced && !m_data.equations.classifies; }

  void outputBars() {
    auto top = m_data.output->top;
    if (top.empty() && !m_data.output->token.empty()) top = {{m_data.output->token, m_data.output->probability}};
    const bool listed =
        std::any_of(top.begin(), top.end(), [&](const auto& entry) { return entry.first == m_data.output->token; });
    if (top.size() > kMostOutputs) top.resize(kMostOutputs);
    if (!listed && !m_data.output->token.empty()) top.emplace_back(m_data.output->token, m_data.output->probability);
    QStringList names;
    for (const auto& entry : top) names << tokenLabel(entry.first);
    const double labels = labelWidth(names), height = m_em * 1.42;
    for (std::size_t i = 0; i < top.size(); ++i, m_y += height) {
      if (!m_canvas) continue;
      const QRectF row = lane(height);
      const bool own = top[i].first == m_data.output->token;
      QString number = fixedNumber(top[i].second, 3);
      if (own && isGiven()) number += QStringLiteral(" ") + QCoreApplication::translate("paint", "given");
      m_canvas->text(QRectF(row.left(), row.top(), labels, height), Qt::AlignRight, names[static_cast<int>(i)],
                     isSpecialToken(top[i].first) ? muted() : m_canvas->theme.text,
                     own ? Weight::Bold : Weight::Normal);
      QRectF place = row;
      if (isGiven()) place.setRight(place.right() - m_em * 3);
      bar(place, row.left() + labels + m_em * 0.6, top[i].second, number, m_canvas->theme.good);
    }
  }

  QRectF m_place;
  const Picture& m_picture;
  const StepData& m_data;
  Canvas* m_canvas;
  Fonts m_fonts;
  double m_em, m_y;
  std::vector<Row> m_rows;
};

// As many tokens as there is height for, at least three.
StepData fitted(const QRectF& content, const Picture& picture, StepData data) {
  for (int most = kMostTokens; most > 3; --most) {
    if (Column(content, picture, data, nullptr).walk() <= content.height()) break;
    if (auto fewer = dataOf(picture, most - 1)) data = *fewer;
  }
  return data;
}

QString lackSentence(const Picture& picture) {
  if (!picture.current()) return noTraceSentence();
  return QCoreApplication::translate(
      "paint", "This trace has no attention to take apart: choose a model with attention, or open a trace with sites.");
}

void paint(QPainter& painter, const QRectF& rect, const Picture& picture) {
  Canvas canvas(painter, picture);
  const QRectF content = beginPicture(canvas, rect);
  const auto data = dataOf(picture);
  if (!data) return drawSentence(canvas, content, lackSentence(picture));
  const StepData shown = fitted(content, picture, *data);
  Column(content, picture, shown, &canvas).walk();
}

std::optional<PictureHit> hit(const QRectF& rect, const Picture& picture, const QPointF& point) {
  const auto data = dataOf(picture);
  if (!data) return std::nullopt;
  const QRectF content = contentRect(rect, picture);
  const StepData shown = fitted(content, picture, *data);
  Column column(content, picture, shown, nullptr);
  column.walk();
  for (const Column::Row& row : column.rows()) {
    if (!row.box.contains(point)) continue;
    return PictureHit{shown.step, row.column,
                      cellReadout(*shown.example, *shown.site, shown.head, shown.step, row.column)};
  }
  return std::nullopt;
}

QSize preferredSize(const Picture& picture) {
  const double em = fontEm(picture), width = em * 26;
  const auto data = dataOf(picture);
  if (!data) return QSize(qRound(width), qRound(em * 20));
  const double height = Column(QRectF(0, 0, width - 2 * em, 1e6), picture, *data, nullptr).walk();
  const double caption =
      picture.style.caption.isEmpty()
          ? 0
          : paragraphHeight(Fonts(picture.style.font).small, picture.style.caption, width - 2 * em) + em / 2;
  return QSize(qRound(width), static_cast<int>(std::ceil(height + 2 * em + caption)));
}

std::string csvVector(const char* part, const Matrix* matrix, int step) {
  std::string out;
  for (int d = 0; matrix && d < matrix->columns; ++d) {
    out += std::string(part) + ',' + std::to_string(d + 1) + ",,," + csvNumber(matrix->at(step, d)) + '\n';
  }
  return out;
}

std::string csv(const Picture& picture) {
  std::string out = "part,position,token,score,value\n";
  const auto data = dataOf(picture, 1 << 30);
  if (!data) return out;
  out += csvVector("query", data->query, data->step);
  for (int c = 0; c < data->site->columns; ++c) {
    const Cell cell = data->site->cells[data->index(c)];
    const bool real = cell == Cell::Real, scored = real && !data->site->scores.empty();
    out += "weight," + std::to_string(c + 1) + ',' + csvField(data->positions[static_cast<std::size_t>(c)]) + ',' +
           (scored ? csvNumber(data->site->scores[data->index(c)]) : "") + ',' +
           (real                   ? csvNumber(data->site->weights[data->index(c)])
            : cell == Cell::Masked ? "0"
                                   : "") +
           '\n';
  }
  out += csvVector("context", data->context, data->step);
  for (std::size_t i = 0; data->output && i < data->output->top.size(); ++i) {
    const auto& [token, probability] = data->output->top[i];
    out += "output," + std::to_string(i + 1) + ',' + csvField(token) + ",," + csvNumber(probability) + '\n';
  }
  return out;
}

}  // namespace

const PictureInfo kInspectorPicture{
    "inspector",
    QT_TRANSLATE_NOOP("views", "Inspector"),
    QT_TRANSLATE_NOOP("views", "How is this step computed: query, scores, weights, context, output?"),
    preferredSize,
    paint,
    hit,
    csv};

}  // namespace attnscope
