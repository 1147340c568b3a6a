#include "tandem/app/signals.hpp"

#include <csignal>
#include <ctime>

namespace tandem::app {

namespace {
sigset_t stop_signals() {
  sigset_t signals;
  sigemptyset(&signals);
  sigaddset(&signals, SIGINT);
  sigaddset(&signals, SIGTERM);
  return signals;
}
}  // namespace

Signals::Signals() {
  const sigset_t signals = stop_signals();
  pthread_sigmask(SIG_BLOCK, &signals, nullptr);
  std::signal(SIGPIPE, SIG_IGN);
}

bool Signals::wait(Duration time) {
  const sigset_t signals = stop_signals();
  const auto whole = std::chrono::duration_cast<std::chrono::seconds>(time);
  const timespec timeout{whole.count(), (time - whole).count()};
  if (sigtimedwait(&signals, nullptr, &timeout) < 0) return false;
  pthread_sigmask(SIG_UNBLOCK, &signals, nullptr);
  return true;
}

}  // namespace tandem::app
