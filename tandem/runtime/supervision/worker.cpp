// SPDX-License-Identifier: Apache-2.0
#include "tandem/runtime/supervision/worker.hpp"

#include <algorithm>

namespace tandem::runtime {
namespace {

// Turns are at whole milliseconds: cycles that are due together cost one wait.
constexpr Duration grid = 1ms;
constexpr Duration welcome_every = 5ms;
constexpr Duration overdue_every = 5ms;

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

// After the end no answer is left behind: a machine goes with what it has asked taken. Whatever ends it, every machine
// goes back to its thread.
void Worker::run(const std::stop_token& stop) {
  struct Closing {
    Worker& worker;
    ~Closing() { worker.close(); }
  } const closing{*this};
  {
    const std::lock_guard lock(mutex_);
    open_ = true;
  }
  while (!stop.stop_requested() || waiting_ > 0) {
    welcome();
    if (!stop.stop_requested()) ask_due();
    wait(!stop.stop_requested() && !turns_.empty() ? turns_.top().at : Instant::max());
    machines_.store(guests_.size(), std::memory_order_relaxed);
  }
}

void Worker::close() {
  {
    const std::lock_guard lock(mutex_);
    open_ = false;
  }
  next_welcome_ = {};
  welcome();
  while (!guests_.empty()) leave(**guests_.begin());
  machines_.store(0, std::memory_order_relaxed);
}

void Worker::welcome() {
  const Instant now = tandem::now();
  if (now < next_welcome_) return;
  next_welcome_ = now + welcome_every;
  const std::lock_guard lock(mutex_);
  for (const auto& guest : arriving_) {
    guest->supervisor->moved();
    machines::Shared& machine = guest->supervisor->shared();
    const Duration past = machine.turn().time_since_epoch() % grid;
    if (past > Duration{0}) machine.delay_turn(grid - past);
    guest->fd = machine.answer_fd();
    guests_.insert(guest);
    turns_.push({machine.turn(), guest});
    if (!poller_.add(guest->fd, guest.get())) leave(*guest);
  }
  arriving_.clear();
}

// Those that are due now; who comes late to it has the next round.
void Worker::ask_due() {
  const Instant now = clock_.now();
  while (!turns_.empty() && turns_.top().at <= now) {
    const auto guest = turns_.top().guest;
    turns_.pop();
    if (guest->gone.load(std::memory_order_relaxed)) continue;
    guest->stop.stop_requested() ? leave(*guest) : ask(*guest);
  }
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
    if (!guest.supervisor->shares()) return leave(guest);
    turns_.push({guest.supervisor->shared().turn(), guest.shared_from_this()});
  });
}

// Its thread goes on at once; what is left of the guest in the queue of turns is ignored.
void Worker::leave(Guest& guest) {
  const auto kept = guest.shared_from_this();
  if (guest.waits) --waiting_;
  guest.waits = false;
  poller_.remove(guest.fd);
  guests_.erase(kept);
  guest.gone.store(true, std::memory_order_release);
  guest.gone.notify_one();
}

// For answers, and until the next turn. What is overdue is looked for now and then: all have about the same time.
void Worker::wait(Instant turn) {
  const Instant now = tandem::now(), clock_now = clock_.now();
  const Duration left = std::min<Duration>(turn - clock_now, welcome_every);
  if (waiting_ == 0) return clock_.sleep_until(clock_now + left);
  for (void* key : poller_.wait(std::min(now + left, next_overdue_))) {
    Guest& guest = *static_cast<Guest*>(key);
    guest.waits ? take(guest) : leave(guest);  // it was closed, or says what it was not asked
  }
  const Instant over = tandem::now();
  if (over < next_overdue_) return;
  next_overdue_ = over + overdue_every;
  for (auto next = guests_.begin(); next != guests_.end();) {
    const auto guest = *next++;  // which may leave
    if (guest->waits && guest->deadline <= over) take(*guest);
  }
}

}  // namespace tandem::runtime
