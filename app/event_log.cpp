#include "app/event_log.h"

#include <fcntl.h>
#include <unistd.h>

#include <cerrno>
#include <system_error>
#include <thread>

#include "app/report_text.h"
#include "core/base/error.h"

namespace attnscope {

EventLog::EventLog(const std::filesystem::path& file) : m_place(file == "-" ? "standard output" : file.string()) {
  m_descriptor =
      file == "-" ? ::dup(STDOUT_FILENO) : ::open(file.c_str(), O_WRONLY | O_APPEND | O_CREAT | O_CLOEXEC, 0666);
  if (m_descriptor < 0) {
    throw Error(ErrorKind::CannotWrite, m_place, "the log cannot be opened: " + std::generic_category().message(errno));
  }
}

EventLog::~EventLog() { ::close(m_descriptor); }

void EventLog::write(const Json& event) {
  const std::string line = event.dump(-1, ' ', false, Json::error_handler_t::replace) + "\n";
  std::string_view rest = line;
  while (!rest.empty()) {
    const ssize_t count = ::write(m_descriptor, rest.data(), rest.size());
    if (count >= 0) {
      rest.remove_prefix(static_cast<std::size_t>(count));
    } else if (errno != EINTR) {
      throw Error(ErrorKind::CannotWrite, m_place,
                  "the log cannot be written: " + std::generic_category().message(errno));
    }
  }
}

Json startEvent(const Trainer& trainer) {
  const int threads = trainer.options().threads;
  const int all = static_cast<int>(std::max(1u, std::thread::hardware_concurrency()));
  return Json{{"event", "start"},
              {"config", trainer.config()},
              {"data", trainer.data().origin},
              {"seed", trainer.options().seed},
              {"threads", threads > 0 ? threads : all},
              {"parameters", trainer.predictor().layout().size()}};
}

Json stepEvent(const HistoryPoint& point) {
  return Json{{"event", "step"},
              {"step", point.step},
              {"epoch", point.epoch},
              {"loss", point.loss},
              {"rate", point.rate},
              {"gradient_norm", point.gradientNorm},
              {"tokens_per_s", point.tokensPerSecond},
              {"seconds", point.seconds}};
}

Json validationEvent(const ValidationReport& report) {
  Json event = {{"event", "validation"}, {"step", report.step}, {"seconds", report.seconds}};
  addAccuracies(event, report);
  if (report.site) {
    event["entropy"] = report.site->entropy();
    if (Json agreement = agreementJson(*report.site); !agreement.is_null()) event["agreement"] = std::move(agreement);
  }
  return event;
}

Json endEvent(const Trainer& trainer, const std::string& reason, const std::string& out) {
  Json event = {{"event", "end"}, {"reason", reason}, {"step", trainer.step()}, {"seconds", trainer.seconds()}};
  if (!out.empty()) event["out"] = out;
  return event;
}

}  // namespace attnscope
