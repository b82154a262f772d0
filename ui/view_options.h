// How pictures are drawn, for every view at once. Remembered in the settings.
#pragma once

#include <QObject>

#include "ui/paint/picture.h"

namespace attnscope {

class ViewOptions : public QObject {
  Q_OBJECT
 public:
  struct Values {
    ColorMap colorMap = ColorMap::Viridis;
    bool fitScale = false;
    bool squareRoot = false;
    bool transpose = false;
    bool scores = false;
    bool operator==(const Values&) const = default;
  };
  explicit ViewOptions(QObject* parent = nullptr);
  const Values& values() const { return m_values; }
  void setValues(const Values& values);
  void applyTo(Picture& picture) const;

 Q_SIGNALS:
  void changed();

 private:
  Values m_values;
};

}  // namespace attnscope
