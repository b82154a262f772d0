#include "app/train_run.h"

#include <memory>
#include <optional>

#include "app/event_log.h"
#include "app/interrupt.h"
#include "app/output.h"
#include "app/progress.h"
#include "app/report_text.h"
#include "core/base/error.h"

namespace attnscope {
namespace {

class Run {
 public:
  Run(Trainer& trainer, const RunOutputs& outputs) : m_trainer(trainer), m_outputs(outputs), m_progress(outputs.quiet) {
    if (!outputs.log.empty()) m_log = std::make_unique<EventLog>(outputs.log);
  }

  int run() {
    noteInterrupts();
    try {
      log(startEvent(m_trainer));
      while (m_trainer.endReason().empty() && !wasInterrupted()) step();
    } catch (const Error& error) {
      rescue(error);
    }
    m_progress.endLine();
    // A bound reached in the very step that was interrupted still counts as reached.
    const bool interrupted = m_trainer.endReason().empty();
    m_trainer.finish();
    save();
    const std::string reason = interrupted ? "interrupted" : m_trainer.endReason();
    if (!interrupted) validateEnd();
    log(endEvent(m_trainer, reason, m_outputs.out));
    if (!m_outputs.quiet) sumUp(reason);
    if (interrupted) return exitCode(ErrorKind::Cancelled);
    return m_trainer.options().untilAccuracy && reason != "accuracy" ? 1 : 0;
  }

 private:
  void log(const Json& event) {
    if (m_log) m_log->write(event);
  }

  void step() {
    HistoryPoint point = m_trainer.advance();
    if (m_trainer.data().validation.empty()) point.validation.reset();  // measured on nothing
    log(stepEvent(point));
    if (point.validation) {
      m_validation = point.validation;
      log(validationEvent(*point.validation));
    }
    m_progress.show(m_trainer, point);
  }

  // Training cannot go on; what has been learnt must not be lost.
  [[noreturn]] void rescue(const Error& error) {
    m_progress.endLine();
    m_trainer.finish();
    save();
    if (error.kind() == ErrorKind::Diverged) log(endEvent(m_trainer, "diverged", m_outputs.out));
    const std::string saved = m_outputs.out.empty() ? "" : "; the last good weights are saved to " + outName();
    throw Error(error.kind(), error.place(), error.message() + saved);
  }

  void save() {
    if (!m_outputs.out.empty()) writeModelFile(m_trainer.modelFile(), m_outputs.out);
  }

  // A run that ends by the clock, or gives back earlier weights, has no report of the weights it gives.
  void validateEnd() {
    if (m_trainer.data().validation.empty()) return;
    const bool last = m_validation && m_validation->step == m_trainer.step();
    if (last && !m_trainer.options().keepBest) return;
    m_validation = m_trainer.validate();
    if (!last) log(validationEvent(*m_validation));
  }

  std::string outName() const { return m_outputs.out == "-" ? "standard output" : absolutePath(m_outputs.out); }

  void sumUp(const std::string& reason) const {
    std::string text = std::to_string(m_trainer.step()) + " steps in " + durationText(m_trainer.seconds());
    if (reason == "interrupted") text = "Interrupted after " + text;
    if (reason == "accuracy") text = "Accuracy reached: " + text;
    if (reason == "patience") text = "No better validation for a while: " + text;
    if (m_validation) text += "; " + accuracyText(*m_validation);
    const bool missed = m_trainer.options().untilAccuracy && reason != "accuracy" && reason != "interrupted";
    if (missed) text += ". The accuracy of " + percentText(*m_trainer.options().untilAccuracy) + " was not reached";
    if (!m_outputs.out.empty()) text += ". Saved to " + outName();
    const bool occupied = m_outputs.out == "-" || m_outputs.log == "-";
    if (occupied) return printRemark(text);
    printText(text + "\n");
  }

  Trainer& m_trainer;
  const RunOutputs& m_outputs;
  Progress m_progress;
  std::unique_ptr<EventLog> m_log;
  std::optional<ValidationReport> m_validation;
};

}  // namespace

int runTraining(Trainer& trainer, const RunOutputs& outputs) { return Run(trainer, outputs).run(); }

}  // namespace attnscope
