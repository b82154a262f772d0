#include "app/interrupt.h"

#include <csignal>

namespace attnscope {
namespace {

volatile std::sig_atomic_t g_interrupted = 0;

void note(int) { g_interrupted = 1; }

}  // namespace

void noteInterrupts() {
  struct sigaction action {};
  action.sa_handler = note;
  action.sa_flags = static_cast<int>(SA_RESETHAND) | SA_RESTART;
  sigaction(SIGINT, &action, nullptr);
  sigaction(SIGTERM, &action, nullptr);
  // A reader of the log that goes away ends the run by an error of the write, and the model is saved.
  std::signal(SIGPIPE, SIG_IGN);
}

bool wasInterrupted() { return g_interrupted != 0; }

}  // namespace attnscope
