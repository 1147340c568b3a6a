// SPDX-License-Identifier: Apache-2.0
#include "tandem/ros2/calls/executor.hpp"

#include <vector>

namespace tandem::ros2 {

// The thread holds its executor: the last handle of a process may go in one of its own callbacks.
std::shared_ptr<Executor> Executor::start() {
  std::shared_ptr<Executor> executor(new Executor);
  executor->thread_ = std::jthread([executor](const std::stop_token& stop) { executor->run(stop); });
  executor->id_ = executor->thread_.get_id();
  return executor;
}

void Executor::stop() {
  thread_.request_stop();
  if (runs_here()) {
    thread_.detach();
  } else if (thread_.joinable()) {
    thread_.join();
  }
}

Executor::Owner Executor::enroll() {
  const std::lock_guard lock(mutex_);
  waiting_[++last_owner_] = 0;
  return last_owner_;
}

void Executor::dismiss(Owner owner) {
  std::vector<Task> dropped;  // what they hold ends after the lock, as it may post again
  std::unique_lock lock(mutex_);
  waiting_.erase(owner);
  for (Entry& entry : tasks_) {
    if (entry.owner == owner) dropped.push_back(std::move(entry.task));
  }
  for (auto& [when, entry] : timers_) {
    if (entry.owner == owner) dropped.push_back(std::move(entry.task));
  }
  std::erase_if(tasks_, [&](const Entry& entry) { return entry.owner == owner; });
  std::erase_if(timers_, [&](const auto& timer) { return timer.second.owner == owner; });
  if (!runs_here()) finished_.wait(lock, [&] { return running_ != owner; });
}

bool Executor::take_slot(Owner owner) {
  const auto waiting = waiting_.find(owner);
  if (waiting == waiting_.end() || waiting->second >= most_waiting) return false;
  ++waiting->second;
  return true;
}

bool Executor::post(Owner owner, Task task) {
  {
    const std::lock_guard lock(mutex_);
    if (!take_slot(owner)) return false;
    tasks_.push_back({owner, std::move(task)});
  }
  signal_.notify_one();
  return true;
}

bool Executor::post_at(Owner owner, Instant when, Task task) {
  {
    const std::lock_guard lock(mutex_);
    if (!take_slot(owner)) return false;
    timers_.emplace(when, Entry{owner, std::move(task)});
  }
  signal_.notify_one();
  return true;
}

void Executor::run(const std::stop_token& stop) {
  std::unique_lock lock(mutex_);
  while (!stop.stop_requested()) {
    const Instant now = std::chrono::steady_clock::now();
    while (!timers_.empty() && timers_.begin()->first <= now) {
      tasks_.push_back(std::move(timers_.begin()->second));
      timers_.erase(timers_.begin());
    }
    if (tasks_.empty()) {
      const auto woken = [this] { return !tasks_.empty(); };
      if (timers_.empty()) {
        signal_.wait(lock, stop, [&] { return woken() || !timers_.empty(); });
      } else {
        const Instant next = timers_.begin()->first;
        signal_.wait_until(lock, stop, next,
                           [&] { return woken() || timers_.empty() || timers_.begin()->first < next; });
      }
      continue;
    }
    Entry entry = std::move(tasks_.front());
    tasks_.pop_front();
    --waiting_[entry.owner];
    running_ = entry.owner;
    lock.unlock();
    entry.task();
    entry.task = nullptr;  // what it holds ends here, without the lock
    lock.lock();
    running_ = 0;
    finished_.notify_all();
  }
}

}  // namespace tandem::ros2
