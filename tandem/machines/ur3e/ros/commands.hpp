// SPDX-License-Identifier: Apache-2.0
// Everything through which ROS users command the arm: goals, jogs, set points and services. What cannot be carried out
// is refused; the refusal is counted, logged with one rate limit and kept for status and /diagnostics.
#pragma once

#include <string>

#include "tandem/machines/kit/ros/refusals.hpp"
#include "tandem/machines/ur3e/ros/goals.hpp"
#include "tandem/machines/ur3e/ros/jog.hpp"
#include "tandem/machines/ur3e/ros/services.hpp"

namespace tandem::ur3e {

class RosCommands {
 public:
  RosCommands(ros2::FullNode& node, bool has_hand, const std::string& prefix, const Latest<State>& state,
              Commands& commands)
      : refusals_(node),
        goals_(node, has_hand, prefix, state, commands, refusals_),
        jog_(node, has_hand, state, commands, refusals_),
        services_(node, state, commands, refusals_) {}

  const JogTopics& jog_topics() const { return jog_.topics(); }
  // From now on services have whom to ask; must outlive this.
  void side(Peripherals& side) { services_.side(side); }

  // From any thread.
  const machines::Refusals& refusals() const { return refusals_; }
  std::uint64_t ignored() const { return goals_.ignored() + jog_.ignored(); }

 private:
  machines::Refusals refusals_;
  RosGoals goals_;
  RosJog jog_;
  RosServices services_;
};

}  // namespace tandem::ur3e
