// How far a training run is, on standard error: on a terminal one line that is drawn again, else a line now and then.
#pragma once

#include <chrono>
#include <optional>
#include <string>

#include "core/train/trainer.h"

namespace attnscope {

class Progress {
 public:
  explicit Progress(bool quiet);
  void show(const Trainer& trainer, const HistoryPoint& point);
  void endLine();  // before anything else is printed

 private:
  std::string textOf(const Trainer& trainer, const HistoryPoint& point) const;
  void draw(const Trainer& trainer, const HistoryPoint& point);

  using Clock = std::chrono::steady_clock;
  bool m_quiet, m_terminal;
  bool m_drawn = false;
  double m_loss = 0, m_rate = 0;  // running means of about 20 steps
  bool m_started = false;
  std::optional<double> m_accuracy;
  std::optional<Clock::time_point> m_last;
};

}  // namespace attnscope
