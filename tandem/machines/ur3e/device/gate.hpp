// What a sample means for the arm: whether it may move, and why not, in words. No sockets, no time.
#pragma once

#include <optional>
#include <string>

#include "tandem/machines/ur3e/arm.hpp"
#include "tandem/protocols/ur/variables.hpp"

namespace tandem::ur3e {

// Of the last sample that was believed, what the next is held against.
struct Believed {
  double stamp = 0;  // the controller's time, s
  Six q{};           // rad
};

// Why a sample cannot be true, as RTDE has no checksum: a value of what we show and compute with is no number or one
// that no UR3e has, or the joints are further from `before` than they can turn in the time between. Nothing when it can
// be.
std::optional<std::string> implausible(const ur::ControllerState& state, const std::optional<Believed>& before);

// Why the robot cannot move now (its safety state, its power), and what to do about it; nothing when it can.
std::optional<std::string> hindrance(const ur::ControllerState& state);

// Why our program is no longer running; nothing while it is (a paused one is).
std::optional<std::string> program_end(const ur::ControllerState& state);

// The sample in the API's form. Without the controller's word for it, the tool centre point is where the pose and the
// model's flange put it.
ArmState arm_state_from(const ur::ControllerState& state, bool has_tcp_offset, Instant received);

}  // namespace tandem::ur3e
