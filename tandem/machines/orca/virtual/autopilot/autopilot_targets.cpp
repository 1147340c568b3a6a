// SPDX-License-Identifier: Apache-2.0
// Where others send the virtual autopilot: set points in local and global frames, attitudes, single items.
#include <cmath>

#include "tandem/base/transforms.hpp"
#include "tandem/machines/orca/virtual/autopilot/autopilot.hpp"
#include "tandem/protocols/mavlink/messages/setpoints.hpp"

namespace tandem::orca {
namespace {

// Bits of type_mask: what is not meant. One of three is enough, as with ArduSub.
constexpr unsigned int no_position = 0x007, no_depth = 0x004, no_velocity = 0x038, no_acceleration = 0x1c0,
                       no_yaw = 0x400, no_yaw_rate = 0x800;
// The same of SET_ATTITUDE_TARGET.
constexpr unsigned int no_thrust = 0x40, no_attitude = 0x80;
constexpr std::uint8_t local_frame = 1, local_offset_frame = 7, body_frame = 8, body_offset_frame = 9,
                       body_frd_frame = 12;

double heading_in(const Estimate& estimate) {
  const Eigen::Matrix3d R = estimate.q_ned_frd.toRotationMatrix();
  return std::atan2(R(1, 0), R(0, 0));
}

Eigen::Vector3d triple(float x, float y, float z) { return Eigen::Vector3f(x, y, z).cast<double>(); }

// None for a frame that is not known or a mask that means nothing that can be flown.
std::optional<GuidedTarget> local_target(const mavlink::SetPositionTargetLocalNed& message, const Estimate& estimate) {
  const unsigned int mask = message.type_mask;
  const bool position = (mask & no_position) == 0, velocity = (mask & no_velocity) == 0;
  if ((!position && !velocity) || (mask & no_acceleration) == 0) return std::nullopt;
  const std::uint8_t frame = message.coordinate_frame;
  const bool turned = frame == body_frame || frame == body_offset_frame || frame == body_frd_frame;
  if (frame != local_frame && frame != local_offset_frame && !turned) return std::nullopt;
  const double heading = heading_in(estimate);
  const Eigen::Matrix3d axes = rotation_from_rpy(0, 0, turned ? heading : 0);
  GuidedTarget target;
  target.kind = position ? GuidedTarget::Kind::position : GuidedTarget::Kind::velocity;
  if (position) {
    target.position = axes * triple(message.x, message.y, message.z);
    if (frame != local_frame) target.position += estimate.position;
  }
  if (velocity) target.velocity = axes * triple(message.vx, message.vy, message.vz);
  if ((mask & no_yaw) == 0) target.yaw = static_cast<double>(message.yaw) + (frame == body_offset_frame ? heading : 0);
  if ((mask & no_yaw_rate) == 0) target.yaw_rate = static_cast<double>(message.yaw_rate);
  return target;
}

}  // namespace

void Autopilot::handle_target(const mavlink::Frame& frame) {
  const auto message = frame.as<mavlink::SetPositionTargetLocalNed>();
  if (!message) return;
  const Estimate& estimate = estimator_.estimate();
  if (const auto target = local_target(*message, estimate)) pilot_.guide(*target, estimate);
}

// In ALT_HOLD only the depth counts. Altitudes are above home, and headings are not looked at, as with ArduSub 4.7.
void Autopilot::handle_global_target(const mavlink::Frame& frame) {
  const auto message = frame.as<mavlink::SetPositionTargetGlobalInt>();
  if (!message) return;
  const unsigned int mask = message->type_mask;
  if (pilot_.mode() == Mode::alt_hold) {
    if ((mask & no_depth) == 0) pilot_.hold(-static_cast<double>(message->alt));
    return;
  }
  if ((mask & no_acceleration) == 0) return;
  GuidedTarget target;
  if ((mask & no_position) != 0) {
    if ((mask & no_velocity) != 0) return;
    target.kind = GuidedTarget::Kind::velocity;
    target.velocity = triple(message->vx, message->vy, message->vz);
  } else {
    if (!origin_ || !is_place(message->lat_int, message->lon_int)) return;
    const double home = home_.value_or(*origin_).altitude;
    const auto altitude = altitude_of(message->coordinate_frame, static_cast<double>(message->alt), home);
    if (!altitude || is_absolute_frame(message->coordinate_frame)) return;
    target.position = ned_from_global(*origin_, {message->lat_int, message->lon_int, *altitude});
  }
  pilot_.guide(target, estimator_.estimate());
}

// With thrust as a climb rate in GUIDED, without it as a way to lean in ALT_HOLD.
void Autopilot::handle_attitude(const mavlink::Frame& frame) {
  const auto message = frame.as<mavlink::SetAttitudeTarget>();
  if (!message) return;
  const Eigen::Quaterniond q =
      Eigen::Quaternionf(message->q[0], message->q[1], message->q[2], message->q[3]).cast<double>();
  if (!q.coeffs().allFinite() || std::abs(q.norm() - 1) > 0.1) return;
  const unsigned int mask = message->type_mask;
  if ((mask & no_thrust) != 0) {
    pilot_.lean(q.normalized());
  } else if ((mask & no_attitude) == 0 && std::isfinite(message->thrust)) {
    const double share = 2 * std::fmax(0, std::fmin(1, static_cast<double>(message->thrust))) - 1;
    const ModeSettings& settings = pilot_.settings();
    GuidedTarget target;
    target.kind = GuidedTarget::Kind::attitude;
    target.q_ned_frd = q.normalized();
    target.climb = share * (share > 0 ? settings.up_speed : settings.down_speed);
    pilot_.guide(target, estimator_.estimate());
  }
}

mavlink::MissionResult Autopilot::fly_now(const mavlink::MissionItemInt& item) {
  using mavlink::MissionResult;
  if (item.current == 3) return MissionResult::accepted;  // only for those who fly over ground
  if (item.command != mission_command::waypoint) return MissionResult::unsupported;
  if (!is_place(item.x, item.y)) return MissionResult::invalid;
  if (!origin_) return MissionResult::error;
  const auto altitude = altitude_of(item.frame, static_cast<double>(item.z), home_.value_or(*origin_).altitude);
  if (!altitude) return MissionResult::unsupported_frame;
  GuidedTarget target;
  target.position = ned_from_global(*origin_, {item.x, item.y, *altitude});
  return pilot_.guide(target, estimator_.estimate()) ? MissionResult::accepted : MissionResult::error;
}

// By COMMAND_INT only, whose frame says what the altitude means.
mavlink::CommandResult Autopilot::reposition(const mavlink::CommandRequest& request) {
  using mavlink::CommandResult;
  const auto& p = request.params;
  if (!request.frame) return CommandResult::unsupported;
  const bool may_change = std::isfinite(p[1]) && std::fmod(std::fabs(std::trunc(p[1])), 2) == 1;
  if (pilot_.mode() != Mode::guided && !may_change) return CommandResult::denied;
  const auto latitude = static_cast<std::int32_t>(p[4]), longitude = static_cast<std::int32_t>(p[5]);
  if (!is_place(latitude, longitude)) return CommandResult::denied;
  const auto altitude = altitude_of(*request.frame, p[6], home_.value_or(origin_.value_or(GlobalPlace{})).altitude);
  if (!altitude) return CommandResult::denied;
  if (!origin_ || change_mode(static_cast<double>(Mode::guided)) != CommandResult::accepted)
    return CommandResult::failed;
  GuidedTarget target;
  target.position = ned_from_global(*origin_, {latitude, longitude, *altitude});
  return pilot_.guide(target, estimator_.estimate()) ? CommandResult::accepted : CommandResult::failed;
}

}  // namespace tandem::orca
