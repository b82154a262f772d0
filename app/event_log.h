// The log of a training run: one JSON object a line, on disk as soon as it is written (`train --log`).
#pragma once

#include <filesystem>
#include <string>

#include "core/base/json.h"
#include "core/train/trainer.h"

namespace attnscope {

class EventLog {
 public:
  // Lines are appended to what `file` holds; "-" is standard output. Throws Error(CannotWrite), as write() does.
  explicit EventLog(const std::filesystem::path& file);
  ~EventLog();
  EventLog(const EventLog&) = delete;
  EventLog& operator=(const EventLog&) = delete;

  void write(const Json& event);

 private:
  std::string m_place;
  int m_descriptor;
};

// The events (formats.md 6).
Json startEvent(const Trainer& trainer);
Json stepEvent(const HistoryPoint& point);
Json validationEvent(const ValidationReport& report);
Json endEvent(const Trainer& trainer, const std::string& reason, const std::string& out);  // `out` empty: not saved

}  // namespace attnscope
