// SPDX-License-Identifier: Apache-2.0
#include "tandem/machines/raptorlift/fleet/thread.hpp"

#include <algorithm>
#include <exception>
#include <utility>

namespace tandem::raptorlift::fleet {

std::shared_ptr<FleetThread> FleetThread::shared() {
  static std::mutex mutex;
  static std::weak_ptr<FleetThread> one;
  const std::lock_guard lock(mutex);
  auto thread = one.lock();
  if (!thread) one = thread = std::make_shared<FleetThread>();
  return thread;
}

FleetThread::FleetThread() : thread_([this] { run(); }) {}

FleetThread::~FleetThread() {
  {
    const std::lock_guard lock(calling_);
    ends_ = true;
  }
  called_.notify_one();
  thread_.join();
}

void FleetThread::add(Served& served) {
  const std::lock_guard lock(serving_);
  served_.push_back(&served);
}

void FleetThread::remove(Served& served) {
  const std::lock_guard lock(serving_);
  std::erase(served_, &served);
}

void FleetThread::call(Served& served) {
  served.called_.store(true, std::memory_order_release);
  {
    const std::lock_guard lock(calling_);
    pending_ = true;
  }
  called_.notify_one();
}

void FleetThread::run() {
  Instant next = now() + turn;
  while (true) {
    {
      std::unique_lock lock(calling_);
      called_.wait_until(lock, next, [this] { return pending_ || ends_; });
      if (ends_) return;
      pending_ = false;
    }
    const bool all = now() >= next;
    if (all) next = std::max(next + turn, now());
    // One at a time, so that who is removed waits for one at most. One that is removed meanwhile makes the next one
    // wait for the next turn.
    for (std::size_t i = 0;; ++i) {
      const std::lock_guard lock(serving_);
      if (i >= served_.size()) break;
      Served& served = *served_[i];
      if (!served.called_.exchange(false, std::memory_order_acq_rel) && !all) continue;
      try {
        served.serve();
      } catch (const std::exception& e) {
        served.failed(e.what());
      }
    }
  }
}

}  // namespace tandem::raptorlift::fleet
