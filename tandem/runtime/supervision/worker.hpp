// SPDX-License-Identifier: Apache-2.0
// One thread that runs the cycles of many machines: asks all whose turn it is, then takes the answers as they come.
#pragma once

#include <atomic>
#include <exception>
#include <functional>
#include <memory>
#include <mutex>
#include <queue>
#include <set>
#include <stop_token>
#include <vector>

#include "tandem/net/poller.hpp"
#include "tandem/runtime/supervision/supervisor.hpp"

namespace tandem::runtime {

// Nothing here waits for one machine. Each keeps its own thread, which sleeps in host() as long as the machine is here
// and goes on with it when it starts, brakes, is late or is lost: what is slow disturbs no other.
class Worker {
 public:
  explicit Worker(Clock& clock) : clock_(clock) {}

  // Until a stop is requested; then every machine goes back to its thread.
  void run(const std::stop_token& stop);

  // From the machine's own thread: gives it to the worker, and returns when it has to go on by itself or a stop is
  // requested. Throws what the machine threw.
  void host(Supervisor& supervisor, const std::stop_token& stop);
  // Any thread.
  std::size_t machines() const { return machines_.load(std::memory_order_relaxed); }

 private:
  struct Guest : std::enable_shared_from_this<Guest> {
    Supervisor* supervisor = nullptr;
    std::stop_token stop;
    int fd = -1;
    bool waits = false;  // for its answer
    Instant deadline{};  // in real time, of the answer
    std::exception_ptr thrown;
    std::atomic<bool> gone{false};
  };

  struct Turn {
    Instant at;  // by the clock
    std::shared_ptr<Guest> guest;
    bool operator>(const Turn& other) const { return at > other.at; }
  };

  void close();
  void welcome();
  void ask(Guest& guest);
  void take(Guest& guest);
  void leave(Guest& guest);
  void ask_due();
  void wait(Instant turn);
  template <typename Work>
  void guarded(Guest& guest, Work work);

  Clock& clock_;
  std::mutex mutex_;
  bool open_ = false;                             // guarded
  std::vector<std::shared_ptr<Guest>> arriving_;  // guarded
  // Of the worker's thread.
  net::Poller poller_;
  std::set<std::shared_ptr<Guest>> guests_;
  std::priority_queue<Turn, std::vector<Turn>, std::greater<>> turns_;  // of those that do not wait
  Instant next_welcome_{}, next_overdue_{};
  std::size_t waiting_ = 0;
  std::atomic<std::size_t> machines_{0};
};

}  // namespace tandem::runtime
