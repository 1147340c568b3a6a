// SPDX-License-Identifier: Apache-2.0
#include "tandem/runtime/supervision/worker.hpp"

#include <algorithm>
#include <utility>

namespace tandem::runtime {
namespace {

// Turns are at whole milliseconds: cycles that are due together cost one wait.
constexpr Duration grid = 1ms;
constexpr Duration welcome_every = 10ms;

}  // namespace

void Worker::host(Supervisor& supervisor, const std::stop_token& stop) {
  const auto guest = std::make_shared<Guest>();
  guest->supervisor = &supervisor;
  guest->stop = stop;
  {
    const std::lock_guard lock(mutex_);
    if (!open_) return;
    arriving_.push_back(guest);
  }
  guest->gone.wait(false, std::memory_order_acquire);
  supervisor.moved();
  if (guest->thrown) std::rethrow_exception(guest->thrown);
}

// After the end no answer is left behind: a machine goes with what it has asked taken.
void Worker::run(const std::stop_token& stop) {
  {
    const std::lock_guard lock(mutex_);
    open_ = true;
  }
  while (!stop.stop_requested() || waiting_ > 0) {
    welcome();
    const Instant now = clock_.now();
    if (!stop.stop_requested()) ask_all(now);
    Instant turn = now + welcome_every;
    for (const auto& guest : guests_)
      if (!guest->waits && !stop.stop_requested()) turn = std::min(turn, guest->turn);
    wait(turn);
    std::erase(guests_, nullptr);
    machines_.store(guests_.size(), std::memory_order_relaxed);
  }
  {
    const std::lock_guard lock(mutex_);
    open_ = false;
  }
  welcome();
  for (std::size_t i = 0; i < guests_.size(); ++i) leave(*guests_[i]);
  guests_.clear();
  machines_.store(0, std::memory_order_relaxed);
}

void Worker::ask_all(Instant now) {
  for (std::size_t i = 0; i < guests_.size(); ++i) {
    Guest& guest = *guests_[i];
    if (guest.waits) continue;
    if (guest.stop.stop_requested())
      leave(guest);
    else if (guest.turn <= now)
      ask(guest);
  }
  std::erase(guests_, nullptr);
}

void Worker::welcome() {
  const std::lock_guard lock(mutex_);
  for (const auto& guest : arriving_) {
    guest->supervisor->moved();
    machines::Shared& machine = guest->supervisor->shared();
    const Duration past = machine.turn().time_since_epoch() % grid;
    if (past > Duration{0}) machine.delay_turn(grid - past);
    guest->turn = machine.turn();
    guest->fd = machine.answer_fd();
    guests_.push_back(guest);
    if (!poller_.add(guest->fd, guest.get())) leave(*guest);
  }
  arriving_.clear();
  std::erase(guests_, nullptr);
}

template <typename Work>
void Worker::guarded(Guest& guest, Work work) {
  try {
    work();
  } catch (...) {
    guest.thrown = std::current_exception();
    leave(guest);
  }
}

void Worker::ask(Guest& guest) {
  guarded(guest, [&] {
    if (!guest.supervisor->ask()) return leave(guest);
    guest.waits = true;
    ++waiting_;
    guest.deadline = guest.supervisor->shared().answer_deadline();
  });
}

void Worker::take(Guest& guest) {
  guarded(guest, [&] {
    if (!guest.supervisor->take()) {
      guest.deadline = guest.supervisor->shared().answer_deadline();
      return;
    }
    guest.waits = false;
    --waiting_;
    guest.turn = guest.supervisor->shared().turn();
    if (!guest.supervisor->shares()) leave(guest);
  });
}

// Its thread goes on at once; nothing of the guest is touched any more.
void Worker::leave(Guest& guest) {
  if (guest.waits) --waiting_;
  if (guest.fd >= 0) poller_.remove(guest.fd);
  const auto place = std::ranges::find(guests_, &guest, &std::shared_ptr<Guest>::get);
  const auto kept = std::exchange(*place, nullptr);
  kept->gone.store(true, std::memory_order_release);
  kept->gone.notify_one();
}

// For answers, and until the next turn.
void Worker::wait(Instant turn) {
  if (waiting_ == 0) return clock_.sleep_until(turn);
  Instant until = tandem::now() + (turn - clock_.now());
  for (const auto& guest : guests_)
    if (guest->waits) until = std::min(until, guest->deadline);
  for (void* key : poller_.wait(until)) {
    Guest& guest = *static_cast<Guest*>(key);
    guest.waits ? take(guest) : leave(guest);  // it was closed, or says what it was not asked
  }
  const Instant over = tandem::now();
  for (std::size_t i = 0; i < guests_.size(); ++i)
    if (guests_[i] && guests_[i]->waits && guests_[i]->deadline <= over) take(*guests_[i]);
}

}  // namespace tandem::runtime
