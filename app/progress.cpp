#include "app/progress.h"

#include <sys/ioctl.h>
#include <unistd.h>

#include <algorithm>
#include <cstdio>

#include "app/output.h"
#include "app/report_text.h"

namespace attnscope {
namespace {

constexpr std::chrono::milliseconds kRedraw{100};
constexpr std::chrono::seconds kSparse{2};
constexpr double kMeanSteps = 20;
constexpr int kBarWidth = 20;

int terminalWidth() {
  winsize size{};
  return ::ioctl(STDERR_FILENO, TIOCGWINSZ, &size) == 0 && size.ws_col > 0 ? size.ws_col : 80;
}

// The part of the run that is done, by the first bound that can be foreseen.
std::optional<double> shareDone(const Trainer& trainer) {
  const double left = trainer.secondsLeft();
  if (left < 0 || trainer.seconds() + left <= 0) return std::nullopt;
  return trainer.seconds() / (trainer.seconds() + left);
}

std::string bar(double share) {
  const int full = std::clamp(static_cast<int>(share * kBarWidth), 0, kBarWidth);
  return "[" + std::string(static_cast<std::size_t>(full), '#') +
         std::string(static_cast<std::size_t>(kBarWidth - full), '-') + "] ";
}

}  // namespace

Progress::Progress(bool quiet) : m_quiet(quiet), m_terminal(::isatty(STDERR_FILENO) == 1) {}

void Progress::show(const Trainer& trainer, const HistoryPoint& point) {
  const double share = m_started ? 1 / kMeanSteps : 1;
  m_loss += share * (point.loss - m_loss);
  m_rate += share * (point.tokensPerSecond - m_rate);
  m_started = true;
  if (point.validation) m_accuracy = mainAccuracy(*point.validation);
  if (m_quiet) return;
  const Clock::time_point now = Clock::now();
  const bool due =
      m_terminal ? !m_last || now - *m_last >= kRedraw : point.validation && (!m_last || now - *m_last >= kSparse);
  if (!due && trainer.endReason().empty()) return;
  m_last = now;
  draw(trainer, point);
}

std::string Progress::textOf(const Trainer& trainer, const HistoryPoint& point) const {
  std::string text = "step " + std::to_string(point.step);
  if (trainer.options().steps) text += "/" + std::to_string(*trainer.options().steps);
  text += "  loss " + fixedText(m_loss, 4);
  if (m_accuracy) text += "  accuracy " + percentText(*m_accuracy);
  text += "  " + countText(m_rate) + " tokens/s";
  const double left = trainer.secondsLeft();
  return text + "  " + (left >= 0 ? durationText(left) + " left" : durationText(trainer.seconds()));
}

void Progress::draw(const Trainer& trainer, const HistoryPoint& point) {
  std::string text = textOf(trainer, point);
  if (!m_terminal) return printRemark(text);
  const auto width = static_cast<std::size_t>(std::max(20, terminalWidth()) - 1);
  const std::optional<double> share = shareDone(trainer);
  if (share && text.size() + kBarWidth + 3 <= width) text = bar(*share) + text;
  text.resize(std::min(text.size(), width));
  const std::string line = "\r" + text + "\x1b[K";
  std::fwrite(line.data(), 1, line.size(), stderr);
  m_drawn = true;
}

void Progress::endLine() {
  if (m_drawn) std::fputc('\n', stderr);
  m_drawn = false;
}

}  // namespace attnscope
