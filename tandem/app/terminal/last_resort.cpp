// SPDX-License-Identifier: Apache-2.0
#include "tandem/app/terminal/last_resort.hpp"

#include <array>
#include <atomic>
#include <csignal>

namespace tandem::app {
namespace {

constexpr std::array deaths{SIGABRT, SIGBUS, SIGFPE, SIGILL, SIGSEGV, SIGHUP, SIGINT, SIGQUIT, SIGTERM};

std::atomic<void (*)()> restoring{nullptr};
static_assert(std::atomic<void (*)()>::is_always_lock_free);

extern "C" void restore_terminal_and_die(int signal) {
  restore_terminal();
  ::raise(signal);  // its default now
}

void watch(int signal, bool on) {
  struct sigaction now {};
  if (::sigaction(signal, nullptr, &now) != 0) return;
  const bool ours = now.sa_handler == restore_terminal_and_die;
  if ((now.sa_flags & SA_SIGINFO) != 0 || (!ours && now.sa_handler != SIG_DFL)) return;
  struct sigaction then {};
  then.sa_handler = on ? restore_terminal_and_die : SIG_DFL;
  then.sa_flags = on ? static_cast<int>(SA_RESETHAND) : 0;
  ::sigaction(signal, &then, nullptr);
}

}  // namespace

void restore_terminal() {
  if (const auto restore = restoring.load()) restore();
}

void restore_before_death(void (*restore)()) {
  restoring = restore;
  for (const int each : deaths) watch(each, restore != nullptr);
}

}  // namespace tandem::app
