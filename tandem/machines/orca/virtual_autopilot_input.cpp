// What others tell the virtual autopilot, other than by commands.
#include <algorithm>
#include <cmath>

#include "tandem/base/transforms.hpp"
#include "tandem/machines/orca/virtual_autopilot.hpp"
#include "tandem/machines/orca/virtual_faults.hpp"
#include "tandem/machines/orca/virtual_parameters.hpp"
#include "tandem/protocols/mavlink/messages/setpoints.hpp"
#include "tandem/protocols/mavlink/messages/state.hpp"
#include "tandem/protocols/mavlink/messages/system.hpp"
#include "tandem/protocols/mavlink/messages/vision.hpp"
#include "tandem/protocols/mavlink/time_sync.hpp"

namespace tandem::orca {
namespace {

// RC channels by what they move, counted from 0.
enum RcChannel : std::size_t { rc_pitch, rc_roll, rc_throttle, rc_yaw, rc_forward, rc_lateral };
constexpr std::uint16_t rc_neutral = 1500;

std::uint16_t rc_from_stick(double stick) {
  return static_cast<std::uint16_t>(std::lround(1500 + 400 * std::clamp(stick, -1.0, 1.0)));
}
double stick_from_rc(std::uint16_t pulse) { return pulse == 0 ? 0 : std::clamp((pulse - 1500) / 400.0, -1.0, 1.0); }

// Bits of type_mask: what is not meant.
constexpr unsigned int ignore_position = 0x007, ignore_velocity = 0x038, ignore_yaw = 0x400, ignore_yaw_rate = 0x800;
constexpr std::uint8_t frame_local = 1, frame_local_offset = 7, frame_body = 8, frame_body_offset = 9;

Eigen::Vector3d vector_of(const std::array<float, 3>& numbers) {
  return Eigen::Vector3f(numbers[0], numbers[1], numbers[2]).cast<double>();
}

Eigen::Matrix3d heading_of(const Estimate& estimate) {
  const Eigen::Matrix3d R = estimate.q_ned_frd.toRotationMatrix();
  return rotation_from_rpy(0, 0, std::atan2(R(1, 0), R(0, 0)));
}

// None for a frame that is not known or a mask that means nothing.
std::optional<GuidedTarget> target_from(const mavlink::SetPositionTargetLocalNed& message, const Estimate& estimate) {
  const bool position = (message.type_mask & ignore_position) != ignore_position;
  const bool velocity = (message.type_mask & ignore_velocity) != ignore_velocity;
  if (!position && !velocity) return std::nullopt;
  const std::uint8_t frame = message.coordinate_frame;
  const bool turned = frame == frame_body || frame == frame_body_offset;
  if (frame != frame_local && frame != frame_local_offset && !turned) return std::nullopt;
  const Eigen::Matrix3d axes = turned ? heading_of(estimate) : Eigen::Matrix3d(Eigen::Matrix3d::Identity());
  GuidedTarget target;
  target.kind = position ? GuidedTarget::Kind::position : GuidedTarget::Kind::velocity;
  if (position) {
    target.position = axes * vector_of({message.x, message.y, message.z});
    if (frame != frame_local) target.position += estimate.position;
  }
  if (velocity) target.velocity = axes * vector_of({message.vx, message.vy, message.vz});
  if ((message.type_mask & ignore_yaw) == 0) target.yaw = static_cast<double>(message.yaw);
  if ((message.type_mask & ignore_yaw_rate) == 0) target.yaw_rate = static_cast<double>(message.yaw_rate);
  return target;
}

}  // namespace

void Autopilot::handle(const mavlink::Frame& frame, std::size_t link, Instant now) {
  if (link >= link_count_ || !frame.verified) return;
  now_ = now;
  LinkState& from = links_[link];
  ++from.received;
  if (frame.is<mavlink::Heartbeat>()) {
    from.streams.begin(value_of(parameters_, "SR0_EXTRA1"), now);
    if (frame.source.system == static_cast<int>(value_of(parameters_, "SYSID_MYGCS"))) failsafe_.heard_ground(now);
    return;
  }
  if (!frame.meant_for({vehicle_system, vehicle_component})) return;
  if (const auto request = commands_.handle(frame, now, *from.outlet)) return act(*request, link, now);
  if (handle_small(frame, link, now)) return;
  if (frame.is<mavlink::ParamRequestList>()) list_link_ = link;
  if (parameters_.handle(frame, *from.outlet)) return;
  if (frame.is<mavlink::MissionCount>() || frame.is<mavlink::MissionItemInt>()) mission_link_ = link;
  if (missions_.handle(frame, now, *from.outlet)) return;
  handle_pilot(frame, now);
  handle_vision(frame);
  handle_target(frame);
  handle_origin(frame);
}

bool Autopilot::handle_small(const mavlink::Frame& frame, std::size_t link, Instant now) {
  mavlink::Outlet& outlet = *links_[link].outlet;
  if (const auto sync = frame.as<mavlink::TimeSync>()) {
    if (sync->tc1 != 0) return true;
    Instant told = Instant(now - boot_);
    if (options_.faults != nullptr && options_.faults->clock_wild) told += sync->ts1 % 2 == 0 ? 5s : -5s;
    mavlink::answer_time_sync(frame, told, outlet);
    return true;
  }
  if (const auto ping = frame.as<mavlink::Ping>()) {
    if (ping->target_system == 0)
      outlet.send(mavlink::Ping{ping->time_usec, ping->seq, frame.source.system, frame.source.component});
    return true;
  }
  if (const auto mode = frame.as<mavlink::SetMode>()) {
    const mavlink::CommandResult result = change_mode(mode->custom_mode);
    outlet.send(mavlink::CommandAck{.command = mavlink::SetMode::wire_id,
                                    .result = static_cast<std::uint8_t>(result),
                                    .target_system = frame.source.system,
                                    .target_component = frame.source.component});
    return true;
  }
  if (const auto request = frame.as<mavlink::RequestDataStream>()) {
    links_[link].streams.group(request->req_stream_id, request->start_stop != 0 ? request->req_message_rate : 0, now);
    return true;
  }
  return false;
}

// Only the one ground station that SYSID_MYGCS names may steer.
void Autopilot::handle_pilot(const mavlink::Frame& frame, Instant now) {
  if (frame.source.system != static_cast<int>(value_of(parameters_, "SYSID_MYGCS"))) return;
  if (const auto manual = frame.as<mavlink::ManualControl>()) {
    if (manual->target != vehicle_system) return;
    constexpr std::int16_t unknown = 0x7fff;
    const auto stick = [](std::int16_t value) { return value == unknown ? 0 : value / 1000.0; };
    channels_[rc_forward] = rc_from_stick(stick(manual->x));
    channels_[rc_lateral] = rc_from_stick(stick(manual->y));
    channels_[rc_yaw] = rc_from_stick(stick(manual->r));
    channels_[rc_throttle] = rc_from_stick(manual->z == unknown ? 0 : (manual->z - 500) / 500.0);
    channels_[rc_pitch] = (manual->enabled_extensions & 1) != 0 ? rc_from_stick(stick(manual->s)) : rc_neutral;
    channels_[rc_roll] = (manual->enabled_extensions & 2) != 0 ? rc_from_stick(stick(manual->t)) : rc_neutral;
    failsafe_.heard_pilot(now);
  } else if (const auto given = frame.as<mavlink::RcChannelsOverride>()) {
    override_channels(*given, now);
  }
}

void Autopilot::override_channels(const mavlink::RcChannelsOverride& given, Instant now) {
  const std::array<std::uint16_t, 8> first{given.chan1_raw, given.chan2_raw, given.chan3_raw, given.chan4_raw,
                                           given.chan5_raw, given.chan6_raw, given.chan7_raw, given.chan8_raw};
  constexpr std::uint16_t as_it_is = 0xffff;
  for (std::size_t i = 0; i < first.size(); ++i)
    if (first[i] != as_it_is) channels_[i] = first[i];
  failsafe_.heard_pilot(now);
}

PilotInput Autopilot::sticks(Instant now) const {
  if (failsafe_.pilot_gone(now)) return {};
  return {stick_from_rc(channels_[rc_roll]),    stick_from_rc(channels_[rc_pitch]),
          stick_from_rc(channels_[rc_yaw]),     stick_from_rc(channels_[rc_throttle]),
          stick_from_rc(channels_[rc_forward]), stick_from_rc(channels_[rc_lateral])};
}

void Autopilot::handle_vision(const mavlink::Frame& frame) {
  if (const auto delta = frame.as<mavlink::VisionPositionDelta>()) {
    estimator_.delta({vector_of(delta->position_delta), vector_of(delta->angle_delta),
                      static_cast<double>(delta->time_delta_usec) * 1e-6, static_cast<double>(delta->confidence)});
  } else if (const auto estimate = frame.as<mavlink::VisionPositionEstimate>()) {
    VisionPose pose;
    pose.position = vector_of({estimate->x, estimate->y, estimate->z});
    pose.yaw = static_cast<double>(estimate->yaw);
    pose.reset_counter = estimate->reset_counter;
    estimator_.pose(pose);
  } else if (const auto odometry = frame.as<mavlink::Odometry>()) {
    constexpr std::uint8_t local_frd = 20, body_frd = 12;
    if ((odometry->frame_id != local_frd && odometry->frame_id != frame_local) ||
        odometry->child_frame_id != body_frd || odometry->quality < 0)
      return;
    if (odometry->quality < value_of(parameters_, "VISO_QUAL_MIN")) return;
    const Eigen::Quaterniond q =
        Eigen::Quaternionf(odometry->q[0], odometry->q[1], odometry->q[2], odometry->q[3]).cast<double>();
    if (!q.coeffs().allFinite() || std::abs(q.norm() - 1) > 0.1) return;
    VisionPose pose;
    pose.position = vector_of({odometry->x, odometry->y, odometry->z});
    pose.yaw = rpy_from_rotation(q.normalized().toRotationMatrix()).z();
    pose.has_velocity = std::isfinite(odometry->vx) && std::isfinite(odometry->vy) && std::isfinite(odometry->vz);
    if (pose.has_velocity) pose.velocity = vector_of({odometry->vx, odometry->vy, odometry->vz});
    pose.reset_counter = odometry->reset_counter;
    estimator_.pose(pose);
  }
}

void Autopilot::handle_target(const mavlink::Frame& frame) {
  const Estimate& estimate = estimator_.estimate();
  if (const auto local = frame.as<mavlink::SetPositionTargetLocalNed>()) {
    if (const auto target = target_from(*local, estimate)) pilot_.guide(*target, estimate);
  } else if (const auto global = frame.as<mavlink::SetPositionTargetGlobalInt>()) {
    if (!origin_ || !is_place(global->lat_int, global->lon_int) || (global->type_mask & ignore_position) != 0) return;
    const bool relative = global->coordinate_frame == 3 || global->coordinate_frame == 6;
    const double below = relative ? home_.value_or(*origin_).altitude : 0;
    GuidedTarget target;
    target.position =
        ned_from_global(*origin_, {global->lat_int, global->lon_int, below + static_cast<double>(global->alt)});
    if ((global->type_mask & ignore_yaw) == 0) target.yaw = static_cast<double>(global->yaw);
    pilot_.guide(target, estimate);
  }
}

void Autopilot::handle_origin(const mavlink::Frame& frame) {
  const auto given = frame.as<mavlink::SetGpsGlobalOrigin>();
  if (!given || !is_place(given->latitude, given->longitude)) return;
  origin_ = GlobalPlace{given->latitude, given->longitude, given->altitude * 1e-3};
  if (!home_) home_ = origin_;
  estimator_.origin();
  load_mission();
  for (std::size_t i = 0; i < link_count_; ++i) {
    links_[i].outlet->send(mavlink::GpsGlobalOrigin{given->latitude, given->longitude, given->altitude, 0});
    send_home(*links_[i].outlet);
  }
}

}  // namespace tandem::orca
