// SPDX-License-Identifier: Apache-2.0
// What a described machine is to ROS users: its node, named as the machine, and everything below it.
#pragma once

#include <memory>
#include <optional>
#include <string>

#include "tandem/base/latest.hpp"
#include "tandem/machines/generic/ros/commands.hpp"
#include "tandem/machines/generic/ros/joints.hpp"
#include "tandem/machines/generic/ros/signal_topics.hpp"
#include "tandem/machines/generic/state.hpp"
#include "tandem/machines/machine.hpp"
#include "tandem/ros2/diagnostics.hpp"

namespace tandem::generic {

class Topics {
 public:
  struct Setup {
    std::string node, name_space, tf_prefix;
    std::string machine, hardware;  // for /diagnostics
    Duration stale_after{};
  };

  // `state` and `readings` are what /diagnostics looks at, from its own thread. The description, and all that is given
  // by reference, outlives it. `urdf` is null without a robot.
  Topics(ros2::Context& context, const Setup& setup, const Description& description, const Urdf* urdf, Clock& clock,
         const Latest<State>& state, const SharedReadings& readings, Commands& commands, const machines::Lines& lines);

  ros2::FullNode& node() { return node_; }
  const std::string& full_name() const { return full_name_; }  // of the node: "/press"
  // Commands that were refused here. From any thread.
  std::uint64_t refused() const { return commands_.refusals().count(); }
  std::string last_refusal() const { return commands_.refusals().last(); }
  // These signals from here on; not in a cycle that has to be quick.
  void offer(const SignalList& signals);
  // One scan, whose newest answer was received at that time of the machine's clock.
  void publish(const Readings& readings, Instant received);
  // Only what has changed of signals.
  void publish_signals(const Readings& readings) { signals_.publish(readings, clock_.now()); }

 private:
  using DiagnosticArray = ros2::diagnostic_msgs::DiagnosticArray;
  std::vector<ros2::diagnostic_msgs::DiagnosticStatus> diagnose(const Latest<State>& shared,
                                                                const SharedReadings& readings);

  const Setup setup_;
  const Description& description_;
  ros2::FullNode node_;
  const std::string full_name_;
  Clock& clock_;
  SignalTopics signals_;
  std::optional<Posture> posture_;  // none without a robot
  std::optional<JointTopics> joints_;
  ros2::Publisher<DiagnosticArray> everything_;
  RosCommands commands_;
  ros2::Diagnostics diagnostics_;  // last: it asks the others
};

}  // namespace tandem::generic
