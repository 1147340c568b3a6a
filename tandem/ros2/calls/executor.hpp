// SPDX-License-Identifier: Apache-2.0
// One thread for everything that answers: service handlers, replies, actions, deadlines.
//
// Callbacks of DDS only hand over to it. What belongs to a service or a client is touched in this thread alone, so it
// needs no lock. Handlers should return soon, as all of a process' services share the thread.
#pragma once

#include <condition_variable>
#include <cstdint>
#include <deque>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <thread>

#include "tandem/base/clock.hpp"

namespace tandem::ros2 {

class Executor {
 public:
  using Task = std::function<void()>;
  using Owner = std::uint64_t;

  static std::shared_ptr<Executor> start();
  Executor(const Executor&) = delete;
  Executor& operator=(const Executor&) = delete;

  Owner enroll();
  // Forgets the owner and its tasks, and waits for the one that runs, unless that is the caller.
  void dismiss(Owner owner);

  // In order. False: the owner is dismissed, or has too many waiting already.
  bool post(Owner owner, Task task);
  bool post_at(Owner owner, Instant when, Task task);

  bool runs_here() const { return std::this_thread::get_id() == id_; }
  // Nothing runs afterwards, but for the task that calls it.
  void stop();

 private:
  Executor() = default;
  static constexpr std::size_t most_waiting = 10'000;  // for each owner

  struct Entry {
    Owner owner = 0;
    Task task;
  };

  void run(const std::stop_token& stop);
  bool take_slot(Owner owner);

  std::mutex mutex_;
  std::condition_variable_any signal_;
  std::condition_variable finished_;
  Owner last_owner_ = 0;
  Owner running_ = 0;
  std::map<Owner, std::size_t> waiting_;  // by owner
  std::deque<Entry> tasks_;
  std::multimap<Instant, Entry> timers_;
  std::jthread thread_;
  std::thread::id id_;
};

}  // namespace tandem::ros2
