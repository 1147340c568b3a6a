// SPDX-License-Identifier: Apache-2.0
// What every machine offers on ROS beside its own topics: its configuration as parameters, its events on /rosout, and,
// if it moves, the services ~/arm, ~/stop and ~/reset. Simulated time that jumps disarms it.
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <string_view>

#include "tandem/runtime/config/config.hpp"
#include "tandem/runtime/supervision/arm_latch.hpp"
#include "tandem/runtime/supervision/event.hpp"

namespace tandem::ros2 {
class FullNode;
}

namespace tandem::runtime {

class MachineNode {
 public:
  // Carries out "arm", "stop" or "reset", and answers in words.
  using Command = std::function<Result<std::string>(std::string_view what)>;

  // `latch` is null for a machine that is only read.
  MachineNode(ros2::FullNode& node, const MachineConfig& config, const std::string& device, ArmLatch* latch,
              Command command, OnEvent on_event);
  ~MachineNode();

  void tell(const Event& event) const;

 private:
  struct Services;

  ros2::FullNode& node_;
  std::unique_ptr<Services> services_;
};

}  // namespace tandem::runtime
