// SPDX-License-Identifier: Apache-2.0
// What mavros' users send to steer, as commands. World ENU and body FLU, as mavros has them. Any message gives an order
// or an error.
#pragma once

#include <variant>

#include "tandem/base/result.hpp"
#include "tandem/machines/orca/commands.hpp"
#include "tandem/ros2/messages/mavros_msgs.hpp"

namespace tandem::orca {

// What a full stick means, as for cmd_vel.
struct StickScale {
  double full_speed = 1;  // m/s
  double full_turn = 1;   // rad/s
};

// Sticks in thousandths, z with 500 for neutral. Buttons are refused: on ArduSub they arm and change modes.
Result<TwistCommand> twist_from_sticks(const ros2::mavros_msgs::ManualControl& message, const StickScale& scale,
                                       Instant received);
// ArduSub's channels: 3 throttle, 4 yaw, 5 forward, 6 lateral; 1100 to 1900 us. 0 and 65535 are neutral here.
Result<TwistCommand> twist_from_channels(const ros2::mavros_msgs::OverrideRCIn& message, const StickScale& scale,
                                         Instant received);
// A place, or a velocity; whatever else the type mask asks for is refused.
using RawTarget = std::variant<TwistCommand, GoalCommand>;
Result<RawTarget> target_from_raw(const ros2::mavros_msgs::PositionTarget& message, Instant received);

}  // namespace tandem::orca
