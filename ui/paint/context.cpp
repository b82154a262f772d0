#include <QCoreApplication>
#include <algorithm>
#include <cmath>

#include "core/trace/pca.h"
#include "ui/paint/context_plane.h"
#include "ui/paint/panels.h"
#include "ui/paint/pictures.h"
#include "ui/paint/tokens.h"

namespace attnscope {
namespace {

struct ContextData {
  const Site* site = nullptr;
  const Matrix* context = nullptr;
  std::vector<std::string> steps;
  std::vector<double> moved;  // ‖c_t − c_{t−1}‖; NaN at the first step
};

std::optional<ContextData> dataOf(const Picture& picture) {
  const TraceExample* example = picture.current();
  const Site* site = shownSite(picture);
  if (!example || !site) return std::nullopt;
  const Matrix* context = findMatrix(example->context, site->name);
  if (!context || context->rows == 0 || context->columns == 0) return std::nullopt;
  ContextData data{site, context, axisTokens(*example, site->rowAxis, context->rows), {}};
  for (int t = 0; t < context->rows; ++t) {
    double square = t == 0 ? NAN : 0;
    for (int d = 0; t > 0 && d < context->columns; ++d) {
      square += std::pow(static_cast<double>(context->at(t, d)) - context->at(t - 1, d), 2);
    }
    data.moved.push_back(std::sqrt(square));
  }
  return data;
}

QString lackSentence(const Picture& picture) {
  if (!picture.current()) return noTraceSentence();
  if (!shownSite(picture)) {
    return QCoreApplication::translate(
        "paint", "This trace has no attention, so there is no context vector: choose a model with attention.");
  }
  return QCoreApplication::translate(
      "paint", "This trace has no context vectors: trace the model itself, or put “context” into the trace file.");
}

struct ContextLayout {
  QRectF mapTitle, labels, map, dimensions, bar, moveTitle, move, plane;
};

ContextLayout layOut(const QRectF& content, double em) {
  const bool beside = content.width() > em * 44;
  ContextLayout out;
  const double leftWidth = beside ? content.width() * 0.56 : content.width();
  const double leftHeight = beside ? content.height() : content.height() * 0.56;
  const double mapLeft = content.left() + em * 2.6, mapWidth = std::max(em, leftWidth - em * 2.6 - em * 6.5);
  const double moveHeight = std::clamp(leftHeight * 0.22, em * 2, em * 9), title = em * 1.7, labels = em * 1.6;
  const double mapHeight = std::max(em, leftHeight - title * 2 - labels - moveHeight - em);
  double y = content.top();
  out.mapTitle = QRectF(mapLeft, y, mapWidth + em * 6, title);
  out.labels = QRectF(mapLeft, y += title, mapWidth, labels);
  out.map = QRectF(mapLeft, y += labels, mapWidth, mapHeight);
  out.dimensions = QRectF(content.left(), y, em * 2.3, mapHeight);
  out.bar = QRectF(out.map.right() + em * 1.4, y + em * 0.4, em * 1.0, std::min(mapHeight - em * 0.4, em * 16));
  out.moveTitle = QRectF(mapLeft, y += mapHeight + em, mapWidth + em * 6, title);
  out.move = QRectF(mapLeft, y += title, mapWidth, moveHeight);
  out.plane =
      beside
          ? QRectF(content.left() + leftWidth + em, content.top(), content.width() - leftWidth - em, content.height())
          : QRectF(content.left(), y + moveHeight + em, content.width(), content.bottom() - y - moveHeight - em);
  return out;
}

void drawMap(Canvas& canvas, const ContextLayout& layout, const ContextData& data) {
  const Scale scale = signedScale(*data.context);
  canvas.text(layout.mapTitle, Qt::AlignLeft, QCoreApplication::translate("paint", "Context cₜ: dimensions × steps"),
              canvas.theme.mutedText, Weight::Small);
  drawStepLabels(canvas, layout.labels, axisLabels(*canvas.picture.current(), data.site->rowAxis, data.steps),
                 canvas.picture.state.step);
  const LooksSeen looks = drawSteps(canvas, layout.map, *data.context, scale);
  const double line = canvas.lineHeight(Weight::Small);
  canvas.text(QRectF(layout.dimensions.left(), layout.map.top(), layout.dimensions.width(), line), Qt::AlignRight,
              QStringLiteral("1"), canvas.theme.mutedText, Weight::Small);
  canvas.text(QRectF(layout.dimensions.left(), layout.map.bottom() - line, layout.dimensions.width(), line),
              Qt::AlignRight, QString::number(data.context->columns), canvas.theme.mutedText, Weight::Small);
  drawColorBar(canvas, layout.bar, scale, QString());
  const QRectF legend(layout.bar.left(), layout.bar.bottom() + canvas.em * 0.6, canvas.em * 6, canvas.em * 3);
  if (layout.map.bottom() > legend.top() + canvas.em * 1.5) drawLegend(canvas, legend, lookEntries(looks), false);
}

double largestMove(const ContextData& data) {
  double largest = 0;
  for (const double value : data.moved) {
    if (std::isfinite(value)) largest = std::max(largest, value);
  }
  return largest > 0 ? largest : 1;
}

void drawMovement(Canvas& canvas, const ContextLayout& layout, const ContextData& data) {
  canvas.text(layout.moveTitle, Qt::AlignLeft,
              QCoreApplication::translate("paint", "How far the context moved: ‖cₜ − cₜ₋₁‖"), canvas.theme.mutedText,
              Weight::Small);
  const double largest = largestMove(data);
  const int count = static_cast<int>(data.moved.size());
  const QColor plain = canvas.theme.mutedText;
  for (int t = 0; t < count; ++t) {
    const double value = data.moved[static_cast<std::size_t>(t)];
    const QRectF cell = cellRect(layout.move, 1, count, 0, t);
    if (!std::isfinite(value)) {
      const bool first = t == 0;
      canvas.text(cell, Qt::AlignHCenter, first ? QStringLiteral("–") : QStringLiteral("×"),
                  first ? plain : canvas.theme.warning, Weight::Small, false);
      continue;
    }
    const double height = std::max(1.0, cell.height() * value / largest), gap = std::min(cell.width() * 0.15, 3.0);
    QColor color = t == canvas.picture.state.step ? canvas.theme.accent : plain;
    if (t != canvas.picture.state.step) color.setAlphaF(0.4f);
    canvas.fill(QRectF(cell.left() + gap, cell.bottom() - height, cell.width() - 2 * gap, height), color);
  }
  canvas.line(layout.move.bottomLeft(), layout.move.bottomRight(), canvas.theme.border);
  const double line = canvas.lineHeight(Weight::Small);
  const QRectF axis(layout.move.right() + canvas.em * 0.5, 0, canvas.em * 5, line);
  canvas.text(axis.translated(0, layout.move.top() - line / 3), Qt::AlignLeft, scaleNumber(largest), plain,
              Weight::Small);
  canvas.text(axis.translated(0, layout.move.bottom() - line * 0.7), Qt::AlignLeft, QStringLiteral("0"), plain,
              Weight::Small);
}

void paint(QPainter& painter, const QRectF& rect, const Picture& picture) {
  Canvas canvas(painter, picture);
  const QRectF content = beginPicture(canvas, rect);
  const auto data = dataOf(picture);
  if (!data) return drawSentence(canvas, content, lackSentence(picture));
  const ContextLayout layout = layOut(content, canvas.em);
  drawMap(canvas, layout, *data);
  drawMovement(canvas, layout, *data);
  const PictureState& state = picture.state;
  for (const QRectF& box : {layout.map, layout.move}) {
    if (state.hoverStep != state.step) drawStepFrame(canvas, box, data->context->rows, state.hoverStep, false);
    drawStepFrame(canvas, box, data->context->rows, state.step, true);
  }
  drawContextPlane(canvas, layout.plane, contextPlane(picture, *data->site, *data->context, layout.plane));
}

std::optional<PictureHit> hit(const QRectF& rect, const Picture& picture, const QPointF& point) {
  const auto data = dataOf(picture);
  if (!data) return std::nullopt;
  const double em = fontEm(picture);
  const ContextLayout layout = layOut(contentRect(rect, picture), em);
  PictureHit found;
  if (layout.map.contains(point)) {
    found.step = partAt(layout.map, data->context->rows, point.x());
    const double down = (point.y() - layout.map.top()) / layout.map.height();
    const int dimension = std::clamp(static_cast<int>(down * data->context->columns), 0, data->context->columns - 1);
    found.readout = QStringLiteral("%1\nc%2[%3] = %4")
                        .arg(stepText(found.step, data->steps), subscript(found.step + 1))
                        .arg(dimension + 1)
                        .arg(fixedNumber(data->context->at(found.step, dimension), 3));
    return found;
  }
  if (layout.move.contains(point) || layout.labels.contains(point)) {
    found.step = partAt(layout.move, data->context->rows, point.x());
    found.readout = stepText(found.step, data->steps);
    if (found.step > 0) {
      found.readout += QStringLiteral("\n‖c%1 − c%2‖ = %3")
                           .arg(subscript(found.step + 1), subscript(found.step),
                                fixedNumber(data->moved[static_cast<std::size_t>(found.step)], 3));
    }
    return found;
  }
  return hitContextPlane(contextPlane(picture, *data->site, *data->context, layout.plane), point, em);
}

QSize preferredSize(const Picture& picture) {
  const double em = fontEm(picture);
  return QSize(qRound(em * 76), qRound(em * 40));
}

std::string csvRow(const char* kind, int position, const std::string& token, const std::string& moved, const Pca& pca,
                   const Matrix& matrix) {
  const std::span<const float> row(matrix.values.data() + static_cast<std::size_t>(position) * matrix.columns,
                                   static_cast<std::size_t>(matrix.columns));
  const auto at = pca.project(row);
  std::string out = std::string(kind) + ',' + std::to_string(position + 1) + ',' + csvField(token) + ',' + moved;
  for (const double value : at) out += ',' + csvNumber(value);
  for (const float value : row) out += ',' + csvNumber(value);
  return out + '\n';
}

std::string csv(const Picture& picture) {
  std::string out = "vector,position,token,moved,pc1,pc2";
  const auto data = dataOf(picture);
  for (int d = 0; data && d < data->context->columns; ++d) out += ",d" + std::to_string(d + 1);
  out += '\n';
  if (!data) return out;
  const Matrix* memory = memoryBeside(*picture.current(), *data->site, *data->context);
  const Pca pca = fitContextPca(memory, *data->context);
  for (int t = 0; t < data->context->rows; ++t) {
    const double moved = data->moved[static_cast<std::size_t>(t)];
    out += csvRow("context", t, data->steps[static_cast<std::size_t>(t)], t == 0 ? "" : csvNumber(moved), pca,
                  *data->context);
  }
  if (!memory) return out;
  const auto tokens = axisTokens(*picture.current(), data->site->columnAxis, memory->rows);
  for (int i = 0; i < memory->rows; ++i)
    out += csvRow("memory", i, tokens[static_cast<std::size_t>(i)], "", pca, *memory);
  return out;
}

}  // namespace

const PictureInfo kContextPicture{
    "context",
    QT_TRANSLATE_NOOP("views", "Context"),
    QT_TRANSLATE_NOOP("views", "What does attention hand to the decoder at each step, and how does it move?"),
    preferredSize,
    paint,
    hit,
    csv};

}  // namespace attnscope
