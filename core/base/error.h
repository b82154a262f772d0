// The one exception type for what a user or the world can cause. Our own bugs are caught by
// ATTNSCOPE_CHECK, which throws std::logic_error and is never expected to be handled.
#pragma once

#include <stdexcept>
#include <string>

namespace attnscope {

enum class ErrorKind {
  Usage,        // the request makes no sense (command line, impossible configuration)
  BadInput,     // a file or text that cannot be used
  CannotWrite,  // a file or folder that cannot be written
  Diverged,     // training became non-finite
  Cancelled,    // the user asked to stop
};

class Error : public std::runtime_error {
 public:
  // `place` says where ("pairs.tsv:12", "tensor attention.W", "config.encoder.cell"); may be empty.
  // `message` is one line: what is wrong and what to do.
  Error(ErrorKind kind, std::string place, std::string message)
      : std::runtime_error(place.empty() ? message : place + ": " + message),
        m_kind(kind), m_place(std::move(place)), m_message(std::move(message)) {}

  ErrorKind kind() const { return m_kind; }
  const std::string& place() const { return m_place; }
  const std::string& message() const { return m_message; }

 private:
  ErrorKind m_kind;
  std::string m_place;
  std::string m_message;
};

// Exit codes of the command line: 2 usage, 3 bad input, 4 cannot write, 5 diverged, 130 cancelled.
inline int exitCode(ErrorKind kind) {
  switch (kind) {
    case ErrorKind::Usage: return 2;
    case ErrorKind::BadInput: return 3;
    case ErrorKind::CannotWrite: return 4;
    case ErrorKind::Diverged: return 5;
    case ErrorKind::Cancelled: return 130;
  }
  return 3;
}

[[noreturn]] void failCheck(const char* expression, const char* file, int line, const std::string& detail);

}  // namespace attnscope

// Always on: shapes and invariants of our own code. `detail` is any std::string expression.
#define ATTNSCOPE_CHECK(expression, detail) \
  do {                                      \
    if (!(expression)) ::attnscope::failCheck(#expression, __FILE__, __LINE__, (detail)); \
  } while (false)
