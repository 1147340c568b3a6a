// SPDX-License-Identifier: Apache-2.0
// One machine of the fault soak: its virtual device with the physics in this process, a line between them that fails on
// command, and the machine itself as a child process that can be paused and killed.
#pragma once

#include <array>
#include <memory>
#include <string>
#include <vector>

#include "tandem/net/faults/proxy.hpp"
#include "tandem/ros2/node.hpp"

namespace bench {

using namespace tandem;

// What the physics says, in the units of the machine: m, or rad for the joints of an arm.
struct Place {
  std::array<double, 6> position{};  // unused ones stay 0
  double speed = 0;
};

class Subject {
 public:
  virtual ~Subject() = default;

  virtual std::string name() const = 0;
  // Its entry in a configuration file, the device behind the line included.
  virtual std::string entry() const = 0;
  virtual const char* unit() const { return "m"; }
  // From any thread.
  virtual Place truth() const = 0;
  // Above it the machine moves as commanded; 0: it is only read.
  virtual double moving() const = 0;
  // As far as the device itself is concerned: power off and on again. The lines are down meanwhile.
  virtual void restart() = 0;
  // Called 20 times a second: says on ROS what it shall do. Nothing for a machine that has a task of its own.
  virtual void command() {}

  std::vector<net::FaultProxy>& lines() { return lines_; }

 protected:
  std::vector<net::FaultProxy> lines_;
};

// All five. `node` is of this process, in the domain of the machines.
std::vector<std::unique_ptr<Subject>> make_subjects(ros2::Node& node);

}  // namespace bench
