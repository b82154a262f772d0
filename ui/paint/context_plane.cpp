#include "ui/paint/context_plane.h"

#include <QCoreApplication>
#include <algorithm>
#include <cmath>

#include "ui/paint/pictures.h"
#include "ui/paint/tokens.h"

namespace attnscope {
namespace {

using Coordinates = std::vector<std::array<double, 2>>;

Coordinates projected(const Pca& pca, const Matrix& matrix) {
  Coordinates out;
  for (int r = 0; r < matrix.rows; ++r) {
    out.push_back(pca.project({matrix.values.data() + static_cast<std::size_t>(r) * matrix.columns,
                               static_cast<std::size_t>(matrix.columns)}));
  }
  return out;
}

// Both axes alike, so that distances can be compared.
QTransform intoBox(const Coordinates& a, const Coordinates& b, const QRectF& box, double margin) {
  double left = INFINITY, right = -INFINITY, low = INFINITY, high = -INFINITY;
  for (const Coordinates* list : {&a, &b}) {
    for (const auto& [x, y] : *list) {
      if (!std::isfinite(x) || !std::isfinite(y)) continue;
      left = std::min(left, x), right = std::max(right, x), low = std::min(low, y), high = std::max(high, y);
    }
  }
  if (!(left <= right)) left = right = low = high = 0;
  const double wide = std::max(right - left, 1e-9), tall = std::max(high - low, 1e-9);
  const double unit = std::min((box.width() - 2 * margin) / wide, (box.height() - 2 * margin) / tall);
  QTransform transform;
  transform.translate(box.center().x(), box.center().y());
  transform.scale(unit, -unit);
  transform.translate(-(left + right) / 2, -(low + high) / 2);
  return transform;
}

std::vector<PlanePoint> points(const Coordinates& list, const QTransform& transform, const QStringList& labels) {
  std::vector<PlanePoint> out;
  for (std::size_t i = 0; i < list.size(); ++i) {
    const bool finite = std::isfinite(list[i][0]) && std::isfinite(list[i][1]);
    const QPointF at = finite ? transform.map(QPointF(list[i][0], list[i][1])) : QPointF();
    out.push_back({at, labels.value(static_cast<int>(i)), finite});
  }
  return out;
}

QPolygonF square(const QPointF& at, double radius) {
  return QPolygonF(QRectF(at.x() - radius, at.y() - radius, 2 * radius, 2 * radius));
}

// Puts a label at the first free place around its point; leaves it out where all are taken.
class Labels {
 public:
  Labels(Canvas& canvas, const QRectF& box) : m_canvas(canvas), m_box(box) {}
  void block(const QPointF& at, double radius) {
    m_taken.push_back(QRectF(at.x() - radius, at.y() - radius, 2 * radius, 2 * radius));
  }
  void add(const QPointF& at, const QString& label, const QColor& color, Weight weight, bool always) {
    const double em = m_canvas.em, height = m_canvas.lineHeight(weight) * 0.9;
    const double width = std::min(m_canvas.width(label, weight), em * 8) + 1;
    const double dx = em * 0.5 + width / 2, dy = em * 0.4 + height / 2;
    const QPointF places[] = {{dx, 0}, {0, -dy}, {-dx, 0}, {0, dy}, {dx, -dy}, {-dx, -dy}, {dx, dy}, {-dx, dy}};
    for (const QPointF& place : places) {
      const QPointF centre = at + place;
      const QRectF box(centre.x() - width / 2, centre.y() - height / 2, width, height);
      const bool last = always && &place == &places[7];
      if (!last && !isFree(box)) continue;
      m_canvas.text(box, Qt::AlignHCenter, label, color, weight);
      m_taken.push_back(box);
      return;
    }
  }

 private:
  bool isFree(const QRectF& box) const {
    return m_box.contains(box) &&
           std::none_of(m_taken.begin(), m_taken.end(), [&](const QRectF& taken) { return taken.intersects(box); });
  }
  Canvas& m_canvas;
  QRectF m_box;
  std::vector<QRectF> m_taken;
};

// Lines from the selected context to what it mixes, as strong as the weights.
void drawMixture(Canvas& canvas, const ContextPlane& plane, const PlanePoint& selected) {
  for (std::size_t i = 0; i < std::min(plane.mixture.size(), plane.memory.size()); ++i) {
    const double weight = plane.mixture[i];
    if (!plane.memory[i].drawn || !std::isfinite(weight) || weight < 0.01) continue;
    QColor color = canvas.theme.accent;
    color.setAlphaF(static_cast<float>(std::clamp(0.15 + weight * 0.6, 0.0, 0.8)));
    canvas.line(selected.at, plane.memory[i].at, color, 1 + weight * canvas.em * 0.25);
  }
}

void drawPath(Canvas& canvas, const ContextPlane& plane) {
  QColor color = canvas.theme.accent;
  color.setAlphaF(0.55f);
  for (std::size_t t = 1; t < plane.contexts.size(); ++t) {
    const PlanePoint &from = plane.contexts[t - 1], &to = plane.contexts[t];
    if (from.drawn && to.drawn) canvas.line(from.at, to.at, color, 1.3);
  }
}

void drawPoints(Canvas& canvas, const ContextPlane& plane) {
  const PictureState& state = canvas.picture.state;
  const double radius = canvas.em * 0.24;
  for (std::size_t i = 0; i < plane.memory.size(); ++i) {
    if (!plane.memory[i].drawn) continue;
    const bool chosen = static_cast<int>(i) == state.column;
    canvas.painter.setPen(QPen(chosen ? canvas.theme.accent : canvas.theme.mutedText, chosen ? 2 : 1.2));
    canvas.painter.setBrush(canvas.theme.window);
    canvas.painter.drawPolygon(square(plane.memory[i].at, radius));
  }
  for (std::size_t t = 0; t < plane.contexts.size(); ++t) {
    if (!plane.contexts[t].drawn) continue;
    const bool chosen = static_cast<int>(t) == state.step, hovered = static_cast<int>(t) == state.hoverStep;
    canvas.painter.setPen(QPen(canvas.theme.window, 1));
    canvas.painter.setBrush(canvas.theme.accent);
    const double size = radius * (chosen ? 1.7 : 1.0);
    canvas.painter.drawEllipse(plane.contexts[t].at, size, size);
    canvas.painter.setBrush(Qt::NoBrush);
    canvas.painter.setPen(QPen(canvas.theme.text, 1));
    if (hovered && !chosen) canvas.painter.drawEllipse(plane.contexts[t].at, radius * 1.7, radius * 1.7);
  }
}

void drawLabels(Canvas& canvas, const ContextPlane& plane) {
  Labels labels(canvas, plane.box);
  for (const auto* list : {&plane.memory, &plane.contexts}) {
    for (const PlanePoint& point : *list) {
      if (point.drawn) labels.block(point.at, canvas.em * 0.24);
    }
  }
  const int step = canvas.picture.state.step;
  const auto addStep = [&](int t) {
    const PlanePoint& point = plane.contexts[static_cast<std::size_t>(t)];
    if (point.drawn) {
      labels.add(point.at, point.label, canvas.theme.accent, t == step ? Weight::SmallBold : Weight::Small, t == step);
    }
  };
  const int count = static_cast<int>(plane.contexts.size());
  if (step >= 0 && step < count) addStep(step);
  for (const PlanePoint& point : plane.memory) {
    if (point.drawn) labels.add(point.at, point.label, canvas.theme.text, Weight::Small, false);
  }
  for (int t = 0; t < count; ++t) {
    if (t != step) addStep(t);
  }
}

}  // namespace

const Matrix* memoryBeside(const TraceExample& example, const Site& site, const Matrix& context) {
  const Matrix* memory = findMatrix(example.memory, site.name);
  return memory && memory->rows > 0 && memory->columns == context.columns ? memory : nullptr;
}

Pca fitContextPca(const Matrix* memory, const Matrix& context) {
  std::vector<const Matrix*> parts;
  if (memory) parts.push_back(memory);
  parts.push_back(&context);
  return fitPca(parts);
}

ContextPlane contextPlane(const Picture& picture, const Site& site, const Matrix& context, const QRectF& place) {
  const TraceExample& example = *picture.current();
  const double em = fontEm(picture);
  ContextPlane out;
  out.title = QRectF(place.left(), place.top(), place.width(), em * 1.7);
  out.note = QRectF(place.left(), place.bottom() - em * 1.6, place.width(), em * 1.6);
  out.box = QRectF(place.left(), out.title.bottom(), place.width(), out.note.top() - out.title.bottom() - em * 0.3);
  const Matrix* memory = memoryBeside(example, site, context);
  const Pca pca = fitContextPca(memory, context);
  out.share = pca.share;
  const Coordinates steps = projected(pca, context);
  const Coordinates positions = memory ? projected(pca, *memory) : Coordinates{};
  out.steps = axisTokens(example, site.rowAxis, context.rows);
  if (memory) out.positions = axisTokens(example, site.columnAxis, memory->rows);
  QStringList numbers, tokens;
  for (int t = 0; t < context.rows; ++t) numbers << QString::number(t + 1);
  tokens = axisLabels(example, site.columnAxis, out.positions);
  const QTransform transform = intoBox(steps, positions, out.box, em * 1.8);
  out.contexts = points(steps, transform, numbers);
  out.memory = points(positions, transform, tokens);
  const int step = picture.state.step, head = shownHead(picture, site);
  for (int c = 0; step >= 0 && step < site.rows && c < site.columns; ++c) {
    out.mixture.push_back(site.weights[site.index(head, step, c)]);
  }
  return out;
}

void drawContextPlane(Canvas& canvas, const QRectF& place, const ContextPlane& plane) {
  if (place.height() < canvas.em * 6 || place.width() < canvas.em * 6) return;
  const QString title = plane.memory.empty()
                            ? QCoreApplication::translate("paint", "Contexts ● in their plane (PCA; no memory vectors)")
                            : QCoreApplication::translate("paint", "Contexts ● 1, 2, … among memory vectors □ (PCA)");
  canvas.text(plane.title, Qt::AlignLeft, title, canvas.theme.mutedText, Weight::Small);
  canvas.frame(plane.box.adjusted(0.5, 0.5, -0.5, -0.5), canvas.theme.border, 1);
  canvas.text(plane.note, Qt::AlignLeft,
              QCoreApplication::translate("paint", "Across: %1 of the variance, up: %2")
                  .arg(percent(plane.share[0]), percent(plane.share[1])),
              canvas.theme.mutedText, Weight::Small);
  const int step = canvas.picture.state.step;
  drawPath(canvas, plane);
  if (step >= 0 && step < static_cast<int>(plane.contexts.size()) &&
      plane.contexts[static_cast<std::size_t>(step)].drawn) {
    drawMixture(canvas, plane, plane.contexts[static_cast<std::size_t>(step)]);
  }
  drawPoints(canvas, plane);
  drawLabels(canvas, plane);
}

std::optional<PictureHit> hitContextPlane(const ContextPlane& plane, const QPointF& point, double em) {
  PictureHit found;
  double nearest = em * 0.8;
  const auto closer = [&](const PlanePoint& candidate) {
    const double distance = std::hypot(candidate.at.x() - point.x(), candidate.at.y() - point.y());
    if (!candidate.drawn || distance >= nearest) return false;
    nearest = distance;
    return true;
  };
  for (std::size_t i = 0; i < plane.memory.size(); ++i) {
    if (!closer(plane.memory[i])) continue;
    found.column = static_cast<int>(i);
    found.readout =
        QCoreApplication::translate("paint", "memory vector %1 %2").arg(i + 1).arg(quotedToken(plane.positions[i]));
  }
  for (std::size_t t = 0; t < plane.contexts.size(); ++t) {
    if (!closer(plane.contexts[t])) continue;
    found.column = -1;
    found.step = static_cast<int>(t);
    found.readout = QCoreApplication::translate("paint", "context of %1").arg(stepText(found.step, plane.steps));
  }
  if (found.readout.isEmpty()) return std::nullopt;
  return found;
}

}  // namespace attnscope
