// SPDX-License-Identifier: Apache-2.0
// Does what the schedule says when it says so: each machine has a thread for its commands, one for its motions and one
// for its faults, so that none waits for another. Another thread records the truth.
#pragma once

#include <atomic>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <vector>

#include "tandem/base/thread.hpp"
#include "tandem/prove/stage/operator.hpp"
#include "tandem/prove/stage/rig.hpp"
#include "tandem/ros2/calls/service.hpp"
#include "tandem/ros2/messages/std_srvs.hpp"
#include "tandem/runtime/system.hpp"

namespace tandem::prove {

class Player {
 public:
  // Without a domain motions and goals are posted to the machines in this process: stepped time.
  Player(runtime::System& system, std::string control, std::optional<int> domain,
         const std::vector<std::unique_ptr<Rig>>& rigs, Marks& marks);
  ~Player();

  // Until services and actions can be called, as well as that comes to be; from here on the truth is recorded.
  void get_ready();
  // Returns at the end. Throws what a device's restart throws.
  void play(const std::vector<Action>& schedule, double length);
  void await_goals(Duration limit);

 private:
  using Trigger = ros2::Client<ros2::std_srvs::Trigger>;
  struct Part {  // one machine
    Rig* rig = nullptr;
    std::unique_ptr<Operator> moves;  // null: only read
    std::unique_ptr<Trigger> arm, stop, reset;
  };

  void strand(Part& part, Kind kind, const std::vector<Action>& schedule, Instant begun, Instant end);
  void perform(Part& part, Kind kind, const Action& action, Instant end);
  bool command(Part& part, const Action& action);
  void move(Part& part, const Action& action, Instant end);
  void send_goal(Part& part, const Action& action, Instant end);
  void watch_truth(const std::stop_token& stop);

  runtime::System& system_;
  const std::string control_;
  Marks& marks_;
  std::optional<ros2::Context> context_;  // none: no ROS
  std::optional<ros2::Node> node_;
  std::vector<std::unique_ptr<Part>> parts_;
  std::shared_ptr<std::atomic<int>> goals_ = std::make_shared<std::atomic<int>>(0);  // without an end yet
  std::mutex mutex_;
  std::string failure_;  // guarded
  Thread truth_;         // last
};

}  // namespace tandem::prove
