#include "ui/view_options.h"

#include "ui/settings.h"

namespace attnscope {

ViewOptions::ViewOptions(QObject* parent) : QObject(parent) {
  const QSettings stored = settings();
  m_values.colorMap = static_cast<ColorMap>(std::clamp(stored.value("view/colorMap", 0).toInt(), 0, 3));
  m_values.fitScale = stored.value("view/fitScale", false).toBool();
  m_values.squareRoot = stored.value("view/squareRoot", false).toBool();
}

void ViewOptions::setValues(const Values& values) {
  if (values == m_values) return;
  m_values = values;
  QSettings stored = settings();
  stored.setValue("view/colorMap", static_cast<int>(values.colorMap));
  stored.setValue("view/fitScale", values.fitScale);
  stored.setValue("view/squareRoot", values.squareRoot);
  Q_EMIT changed();
}

void ViewOptions::applyTo(Picture& picture) const {
  picture.style.colorMap = m_values.colorMap;
  picture.style.fitScale = m_values.fitScale;
  picture.style.squareRoot = m_values.squareRoot;
  picture.state.transpose = m_values.transpose;
  picture.state.scores = m_values.scores;
}

}  // namespace attnscope
