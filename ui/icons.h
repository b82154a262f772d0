// The window's few icons, drawn as shapes in the text's colour so that they are crisp at every density.
#pragma once

#include <QColor>
#include <QIcon>

namespace attnscope {

enum class Shape { Play, Pause, Next, Previous, Reset, Close };
QIcon makeIcon(Shape shape, const QColor& color);
QIcon programIcon();  // an alignment in small

}  // namespace attnscope
