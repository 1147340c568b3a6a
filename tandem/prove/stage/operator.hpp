// SPDX-License-Identifier: Apache-2.0
// Who asks a machine for motion, over ROS as its users do or inside this process: velocities, jogs, poses and goals.
// One table of machine types; a type that is not in it is only broken, not moved.
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <string_view>

#include "tandem/machines/machine.hpp"
#include "tandem/prove/schedule/plan.hpp"
#include "tandem/ros2/node.hpp"

namespace tandem::prove {

class Operator {
 public:
  virtual ~Operator() = default;
  // Asked 20 times a second while a motion lasts.
  virtual void move(double a, double b) = 0;
  virtual void move_as_of_old(double /*a*/, double /*b*/) {}

  // `said` is told, from any thread, what becomes of the goal: its id and a state. `ended` once, when nothing more
  // will come. `pose` is where the machine really is.
  using Said = std::function<void(std::string_view goal, std::string_view state)>;
  virtual void send_goal(const machines::TrueMotion& /*pose*/, const Action& /*action*/, Said /*said*/,
                         std::function<void()> ended) {
    ended();
  }
  virtual void cancel_goal() {}
  virtual bool wait_until_callable(Duration /*timeout*/) const { return true; }
};

// Null for a type that is only read. The machine's topics are in the namespace /NAME.
std::unique_ptr<Operator> make_operator(std::string_view type, const std::string& name, ros2::Node& node);
// Without ROS: what it wants is posted where the machine's ROS topics would post it. Null for a type that is only read.
std::unique_ptr<Operator> make_inside_operator(machines::Machine& machine);
// What may be planned for it; `inside` as above.
Subject subject_of(std::string_view type, std::string name, bool inside = false);
// The lines of its configuration beside type and device.
std::string settings_of(std::string_view type, const std::string& name);

}  // namespace tandem::prove
