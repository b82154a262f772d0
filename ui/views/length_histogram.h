// How many sources and targets have which length: paired bars.
#pragma once

#include <QWidget>
#include <map>

#include "core/data/training_data.h"
#include "ui/app_style.h"

namespace attnscope {

class LengthHistogram : public QWidget {
  Q_OBJECT
 public:
  explicit LengthHistogram(const AppStyle& style);
  void setData(const TrainingData& rows);

 protected:
  void paintEvent(QPaintEvent*) override;
  bool event(QEvent* event) override;  // tool tip: the numbers of a length

 private:
  struct Bar {
    int first = 0;  // lengths first … first + width − 1
    long sources = 0, targets = 0;
  };
  void gather(const std::map<int, std::pair<long, long>>& counts);
  QRectF plot() const;

  const AppStyle& m_style;
  std::vector<Bar> m_bars;
  int m_width = 1;
  bool m_hasTargets = false;
};

}  // namespace attnscope
