// SPDX-License-Identifier: Apache-2.0
#include "tandem/app/terminal/signals.hpp"

#include <array>
#include <atomic>
#include <csignal>
#include <ctime>

#include "tandem/app/terminal/last_resort.hpp"

namespace tandem::app {

namespace {

constexpr std::array ending = {SIGINT, SIGTERM, SIGHUP};
constexpr std::int64_t bounce_ns = 1'000'000'000;

// For the handler: lock-free, so it may use them.
std::atomic<std::int64_t> first_ns{0};
std::atomic<int> finishing{0};
static_assert(std::atomic<std::int64_t>::is_always_lock_free && std::atomic<int>::is_always_lock_free);

std::int64_t monotonic_ns() {
  timespec time{};
  ::clock_gettime(CLOCK_MONOTONIC, &time);
  return std::int64_t{time.tv_sec} * 1'000'000'000 + time.tv_nsec;
}

bool is_ignored(int signal) {
  struct sigaction now {};
  return ::sigaction(signal, nullptr, &now) == 0 && now.sa_handler == SIG_IGN;
}

sigset_t stop_signals() {
  sigset_t signals;
  sigemptyset(&signals);
  for (const int each : ending) {
    if (each != SIGHUP || !is_ignored(each)) sigaddset(&signals, each);
  }
  return signals;
}

void on_another(int signal) {
  if (monotonic_ns() - first_ns < bounce_ns || finishing > 0) return;
  restore_terminal();
  std::signal(signal, SIG_DFL);
  ::raise(signal);
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
  first_ns = monotonic_ns();
  struct sigaction action {};
  action.sa_handler = on_another;
  action.sa_flags = SA_RESTART;
  for (const int each : ending) {
    if (sigismember(&signals, each) == 1) ::sigaction(each, &action, nullptr);
  }
  pthread_sigmask(SIG_UNBLOCK, &signals, nullptr);
  return true;
}

FinishFirst::FinishFirst() { ++finishing; }
FinishFirst::~FinishFirst() { --finishing; }

}  // namespace tandem::app
