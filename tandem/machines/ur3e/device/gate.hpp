// SPDX-License-Identifier: Apache-2.0
// What a sample means for the arm: whether it is believed, whether the arm may move, and why not, in words. No sockets,
// no time.
#pragma once

#include <optional>
#include <string>

#include "tandem/machines/kit/verdict.hpp"
#include "tandem/machines/ur3e/arm.hpp"
#include "tandem/protocols/ur/variables.hpp"

namespace tandem::ur3e {

// Decides whether a sample may be believed, as RTDE has no checksum: not when a value of what we show and compute with
// is no number or one that no UR3e has, nor when the joints are further from the last believed sample than they can
// turn in the time between. One for all connections: time that went back is another run of the controller.
class Gate {
 public:
  machines::Verdict judge(const ur::ControllerState& sample);

 private:
  struct Believed {
    double stamp = 0;  // the controller's time, s
    Six q{};           // rad
  };
  std::optional<std::string> implausible(const ur::ControllerState& sample) const;

  std::optional<Believed> last_;
};

// Why the robot cannot move now (its safety state, its power), and what to do about it; nothing when it can.
std::optional<std::string> hindrance(const ur::ControllerState& state);

// Why our program is no longer running; nothing while it is (a paused one is).
std::optional<std::string> program_end(const ur::ControllerState& state);

// The sample in the API's form. Without the controller's word for it, the tool centre point is where the pose and the
// model's flange put it.
ArmState arm_state_from(const ur::ControllerState& state, bool has_tcp_offset, Instant received);

}  // namespace tandem::ur3e
