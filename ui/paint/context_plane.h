// The contexts in the plane of their largest variance, joined in order, beside the memory vectors they mix.
#pragma once

#include "core/trace/pca.h"
#include "ui/paint/canvas.h"

namespace attnscope {

struct PlanePoint {
  QPointF at;  // NaN where the vector is not finite
  QString label;
  bool drawn = true;
};

struct ContextPlane {
  QRectF box, title, note;
  std::vector<PlanePoint> contexts, memory;
  std::vector<float> mixture;  // the weights of the selected step, one per memory vector; empty without one
  std::array<double, 2> share{};
  std::vector<std::string> steps, positions;
};

// The memory of the site if it has the contexts' size, else nullptr.
const Matrix* memoryBeside(const TraceExample& example, const Site& site, const Matrix& context);
Pca fitContextPca(const Matrix* memory, const Matrix& context);

ContextPlane contextPlane(const Picture& picture, const Site& site, const Matrix& context, const QRectF& place);
void drawContextPlane(Canvas& canvas, const QRectF& place, const ContextPlane& plane);
std::optional<PictureHit> hitContextPlane(const ContextPlane& plane, const QPointF& point, double em);

}  // namespace attnscope
