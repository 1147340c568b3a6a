// SPDX-License-Identifier: Apache-2.0
// Simulated time: publishing /clock, and following it.
#pragma once

#include <atomic>
#include <functional>
#include <limits>
#include <mutex>
#include <optional>
#include <string>
#include <vector>

#include "tandem/base/clock.hpp"
#include "tandem/ros2/messages/rosgraph_msgs.hpp"
#include "tandem/ros2/node.hpp"

namespace tandem::ros2 {

// Offers reliable, which every subscription accepts: ROS nodes ask for best effort, tools often for reliable.
class ClockPublisher {
 public:
  explicit ClockPublisher(Node& node);
  bool publish(UtcTime time) const;
  std::size_t matched() const { return publisher_.matched(); }

 private:
  Publisher<rosgraph_msgs::Clock> publisher_;
};

struct SimClockOptions {
  bool follow = false;  // use_sim_time
  // ROS time moved otherwise than by running on, by this much: back (a simulation began again), or either way because
  // following was switched. Whatever holds outputs must let go of them. Called after utc() has changed, on the thread
  // that changed it (a receive thread, or that of follow()); must not block.
  std::function<void(Duration)> on_jump = {};
  Duration publisher_gone = 1s;  // silence (monotonic) after which another publisher of /clock is believed
};

// What was received on /clock.
struct SimClockStatus {
  std::uint64_t taken = 0;
  std::uint64_t ignored = 0;  // of a second publisher
  std::uint64_t jumps_back = 0;
  Duration last_jump_back{};  // negative
  Gid publisher{};            // the one that is believed
  std::vector<Gid> others;    // that were ignored, at most eight
};

// now() and sleep_until() are those of the clock below, always: no decision is made on simulated time. utc() is ROS
// time: the newest of /clock while following, the clock's own UTC otherwise. From any thread; utc() never waits.
class SimClock final : public Clock {
 public:
  SimClock(Clock& below, SimClockOptions options);
  // Hears /clock from now on, while it is followed. Once; the node must outlive the clock's use.
  void listen(Node& node);

  Instant now() const override { return below_.now(); }
  // While following, zero until the first message of /clock, as in every ROS node.
  UtcTime utc() const override;
  void sleep_until(Instant instant) override { below_.sleep_until(instant); }

  bool follows() const { return follows_.load(std::memory_order_relaxed); }
  void follow(bool on);
  // False while following and nothing was received.
  bool known() const;

  SimClockStatus status() const;
  // "" when all is well; else a sentence about publishers of /clock that compete. `graph` gives them names.
  std::string finding(const Graph& graph = {}) const;

  // What listen() does with each message; for replays and tests.
  void take(UtcTime time, const MessageInfo& info);

 private:
  void hear(bool on);

  static constexpr std::int64_t unknown = std::numeric_limits<std::int64_t>::min();

  // Whether the message is of the publisher that is believed, which it becomes when that one is gone.
  bool believes(const MessageInfo& info);

  Clock& below_;
  const SimClockOptions options_;
  std::atomic<bool> follows_;
  std::atomic<std::int64_t> simulated_{unknown};  // ns
  mutable std::mutex mutex_;                      // of what follows, and of changes to the two above
  SimClockStatus status_;
  std::uint64_t sequence_ = 0;
  Instant heard_{};
  std::optional<Instant> other_heard_;
  std::mutex listen_mutex_;  // of what follows
  Node* node_ = nullptr;
  std::optional<Subscription> subscription_;  // last: ends before what its callback uses
};

}  // namespace tandem::ros2
