// SPDX-License-Identifier: Apache-2.0
// Topics and services through which ROS users tell the bridge what the SLAM sees and what they want. What cannot be
// carried out is refused, and why is logged and kept for /diagnostics.
#pragma once

#include <array>
#include <functional>
#include <mutex>
#include <optional>
#include <string>
#include <vector>

#include "tandem/machines/kit/ros/inbox.hpp"
#include "tandem/machines/orca/commands.hpp"
#include "tandem/machines/orca/ros/messages.hpp"
#include "tandem/ros2/calls/service.hpp"
#include "tandem/ros2/full_node.hpp"
#include "tandem/ros2/messages/mavros_msgs_services.hpp"

namespace tandem::orca {

// Questions on their way to the machine's thread, and back. Of each kind one is asked at a time, since commands are
// newest-wins: an older one is answered with a refusal.
enum class QuestionKind : std::uint8_t { mode, mission, arming, command, parameter };

class Questions {
 public:
  using Answered = std::function<void(const CommandAnswer&)>;
  std::uint64_t ask(QuestionKind kind, Answered answered);
  // From the machine's thread.
  void answer(const CommandAnswer& answer);

 private:
  struct Waiting {
    std::uint64_t number = 0;  // 0: no one waits
    Answered answered;
  };
  std::mutex mutex_;
  std::array<Waiting, 5> waiting_;  // by kind; guarded, as is next_
  std::uint64_t next_ = 1;
};

using machines::Refusals;

// Of several publishers one steers.
inline ros2::CommandRules stick_rules(Duration silence) { return {.longest_silence = silence, .judges_stamp = false}; }

// Names of one profile.
struct CommandNames {
  std::string twist, goal;                // topics: Twist, PoseStamped
  std::string mode;                       // services of mavros' types
  std::string push, pull, clear, choose;  // of missions
  bool twist_in_map = false;              // as mavros has it; else of the body
};
CommandNames own_order_names();
CommandNames mavros_order_names();

class RosCommands {
 public:
  // `pulled` gets what a download brought; may be null.
  using Pulled = std::function<void(const std::vector<mavlink::MissionItemInt>&)>;
  RosCommands(ros2::FullNode& node, const CommandNames& names, Duration twist_timeout, Commands& commands,
              Questions& questions, Refusals& refusals, Pulled pulled = nullptr);

 private:
  void hear_sticks(const CommandNames& names, Duration twist_timeout);
  void offer_missions(ros2::FullNode& node, const CommandNames& names);
  void order(MissionCommand order, Questions::Answered answered);

  Commands& commands_;
  Questions& questions_;
  Refusals& refusals_;
  Pulled pulled_;
  std::optional<ros2::Service<ros2::mavros_msgs::SetMode>> mode_;
  std::optional<ros2::Service<ros2::mavros_msgs::WaypointPush>> push_;
  std::optional<ros2::Service<ros2::mavros_msgs::WaypointPull>> pull_;
  std::optional<ros2::Service<ros2::mavros_msgs::WaypointClear>> clear_;
  std::optional<ros2::Service<ros2::mavros_msgs::WaypointSetCurrent>> choose_;
  machines::Inbox inbox_;  // last
};

}  // namespace tandem::orca
