// SPDX-License-Identifier: Apache-2.0
#include "tandem/machines/orca/ros/mavros_inputs.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <initializer_list>

namespace tandem::orca {
namespace {

using ros2::mavros_msgs::ManualControl;
using ros2::mavros_msgs::OverrideRCIn;
using ros2::mavros_msgs::PositionTarget;

constexpr std::uint16_t no_place = 7, no_velocity = 56, no_acceleration = 448;
constexpr double fastest_target = 10;                          // m/s and rad/s
constexpr double farthest_target = 1e5;                        // m
constexpr double channel_neutral = 1500, channel_swing = 400;  // us

Error input_refused(std::string text) { return {Fault::invalid, std::move(text)}; }

bool all_at_most(std::initializer_list<double> values, double most) {
  return std::all_of(values.begin(), values.end(), [most](double value) { return std::abs(value) <= most; });
}

}  // namespace

Result<TwistCommand> twist_from_sticks(const ManualControl& message, const StickScale& scale, Instant received) {
  if (message.buttons != 0 || message.buttons2 != 0)
    return input_refused("buttons: expected none; on ArduSub they arm, which only the arm latch may do");
  const double x = static_cast<double>(message.x), y = static_cast<double>(message.y);
  const double z = static_cast<double>(message.z), r = static_cast<double>(message.r);
  if (!all_at_most({x, y, r}, 1000) || !(z >= 0 && z <= 1000))
    return input_refused(fmt::format("expected x, y, r within 1000 and z from 0 to 1000, got {} {} {} {}", x, y, r, z));
  return TwistCommand{{1e-3 * x * scale.full_speed, -1e-3 * y * scale.full_speed, (z - 500) / 500 * scale.full_speed},
                      -1e-3 * r * scale.full_turn,
                      received};
}

Result<TwistCommand> twist_from_channels(const OverrideRCIn& message, const StickScale& scale, Instant received) {
  std::array<double, 6> share{};
  bool any = false;
  for (std::size_t i = 0; i < share.size(); ++i) {
    const std::uint16_t channel = message.channels[i];
    if (channel == OverrideRCIn::CHAN_RELEASE || channel == OverrideRCIn::CHAN_NOCHANGE) continue;
    if (channel < 800 || channel > 2200)
      return input_refused(fmt::format("channels[{}]: expected 1100 to 1900, 0 or 65535, got {}", i, channel));
    share[i] = std::clamp((channel - channel_neutral) / channel_swing, -1.0, 1.0);
    any = true;
  }
  if (!any) return input_refused("channels: all released; the sticks are neutral after the timeout");
  if (share[0] != 0 || share[1] != 0) return input_refused("channels: pitch and roll are not supported");
  return TwistCommand{{share[4] * scale.full_speed, -share[5] * scale.full_speed, share[2] * scale.full_speed},
                      -share[3] * scale.full_turn,
                      received};
}

Result<RawTarget> target_from_raw(const PositionTarget& message, Instant received) {
  const std::uint16_t mask = message.type_mask;
  const bool place = (mask & no_place) == 0, velocity = (mask & no_velocity) == 0;
  const bool world = message.coordinate_frame == PositionTarget::FRAME_LOCAL_NED;
  const bool body = message.coordinate_frame == PositionTarget::FRAME_BODY_NED ||
                    message.coordinate_frame == PositionTarget::FRAME_BODY_OFFSET_NED;
  if ((mask & no_acceleration) != no_acceleration)
    return input_refused(fmt::format("type_mask: expected accelerations to be ignored, got {}", mask));
  if (place == velocity || (!place && (mask & no_place) != no_place) ||
      (!velocity && (mask & no_velocity) != no_velocity))
    return input_refused(fmt::format("type_mask: expected all of a position or all of a velocity, got {}", mask));
  if (!world && !(body && velocity)) {
    return input_refused(fmt::format("coordinate_frame: expected {}, or {} for a velocity, got {}",
                                     PositionTarget::FRAME_LOCAL_NED, PositionTarget::FRAME_BODY_NED,
                                     message.coordinate_frame));
  }
  const double yaw = static_cast<double>(message.yaw), rate = static_cast<double>(message.yaw_rate);
  if (place) {
    const auto& p = message.position;
    const bool keep = (mask & PositionTarget::IGNORE_YAW) != 0;
    if (!all_at_most({p.x, p.y, p.z}, farthest_target) || (!keep && !all_at_most({yaw}, 100)))
      return input_refused("expected a position and a heading of finite numbers");
    return RawTarget(GoalCommand{{p.x, p.y, p.z}, keep ? 0 : yaw, received, keep});
  }
  const auto& v = message.velocity;
  const bool turn = (mask & PositionTarget::IGNORE_YAW_RATE) == 0;
  if (!all_at_most({v.x, v.y, v.z}, fastest_target) || (turn && !all_at_most({rate}, fastest_target)))
    return input_refused(fmt::format("expected a velocity within {} m/s and rad/s", fastest_target));
  return RawTarget(TwistCommand{{v.x, v.y, v.z}, turn ? rate : 0, received, world});
}

}  // namespace tandem::orca
