// SPDX-License-Identifier: Apache-2.0
// What others tell the virtual autopilot, other than by commands.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <iterator>

#include "tandem/base/short_text.hpp"
#include "tandem/base/transforms.hpp"
#include "tandem/machines/orca/virtual/autopilot/autopilot.hpp"
#include "tandem/machines/orca/virtual/autopilot/parameters.hpp"
#include "tandem/machines/orca/virtual/faults.hpp"
#include "tandem/protocols/mavlink/link/time_sync.hpp"
#include "tandem/protocols/mavlink/messages/state.hpp"
#include "tandem/protocols/mavlink/messages/system.hpp"
#include "tandem/protocols/mavlink/messages/vision.hpp"
#include "tandem/protocols/mavlink/services/file_refusal.hpp"

namespace tandem::orca {
namespace {

double stick_from_rc(std::uint16_t pulse) { return pulse == 0 ? 0 : std::clamp((pulse - 1500) / 400.0, -1.0, 1.0); }

Eigen::Vector3d vector_of(const std::array<float, 3>& numbers) {
  return Eigen::Vector3f(numbers[0], numbers[1], numbers[2]).cast<double>();
}

}  // namespace

void Autopilot::handle(const mavlink::Frame& frame, std::size_t link, Instant now) {
  if (link >= link_count_ || !frame.verified) return;
  now_ = now;
  LinkState& from = links_[link];
  ++from.received;
  if (frame.source.system == vehicle_system) heard_others_.set(frame.source.component);
  if (frame.is<mavlink::Heartbeat>()) {
    // Who comes is met at once, and not a second later.
    const bool hidden = options_.faults != nullptr && options_.faults->no_heartbeat;
    if (!from.streams.begun() && !hidden) send_heartbeat(*from.outlet);
    from.streams.begin(value_of(parameters_, "SR0_EXTRA1"), now);
    if (frame.source.system == static_cast<int>(value_of(parameters_, "SYSID_MYGCS"))) failsafe_.heard_ground(now);
    return;
  }
  if (meant_for_others(frame)) return;
  asking_ = link;
  if (const auto request = commands_.handle(frame, now, *from.outlet)) return act(*request, link, now);
  if (handle_small(frame, link, now)) return;
  if (frame.is<mavlink::ParamRequestList>()) send_banner(*from.outlet);
  if (parameters_.handle(frame, *from.outlet)) return;
  if (missions_.handle(frame, now, *from.outlet)) return;
  handle_pilot(frame, now);
  handle_vision(frame);
  handle_target(frame);
  handle_global_target(frame);
  handle_attitude(frame);
  handle_origin(frame);
}

// As with ArduPilot, what is for a component of this system that no one has heard of is answered by the autopilot.
bool Autopilot::meant_for_others(const mavlink::Frame& frame) const {
  const mavlink::Address named = frame.target();
  if (named.system != 0 && named.system != vehicle_system) return true;
  return named.component != 0 && named.component != vehicle_component && heard_others_.test(named.component);
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
  if (mavlink::refuse_files(frame, {vehicle_system, 0}, outlet)) return true;
  if (frame.is<mavlink::AutopilotVersionRequest>()) {
    send_version(outlet);
    return true;
  }
  if (const auto mode = frame.as<mavlink::SetMode>()) {
    const mavlink::CommandResult result = change_mode(mode->base_mode, mode->custom_mode);
    outlet.send(mavlink::CommandAck{.command = mavlink::SetMode::wire_id,
                                    .result = static_cast<std::uint8_t>(result),
                                    .target_system = frame.source.system,
                                    .target_component = frame.source.component});
    return true;
  }
  if (const auto request = frame.as<mavlink::RequestDataStream>()) {
    if (request->start_stop <= 1)
      links_[link].streams.group(request->req_stream_id, request->start_stop == 1 ? request->req_message_rate : 0, now);
    return true;
  }
  return false;
}

// Only the one ground station that SYSID_MYGCS names may steer.
void Autopilot::handle_pilot(const mavlink::Frame& frame, Instant now) {
  if (frame.source.system != static_cast<int>(value_of(parameters_, "SYSID_MYGCS"))) return;
  if (const auto manual = frame.as<mavlink::ManualControl>()) {
    if (manual->target != vehicle_system) return;
    obey(joystick_.take(*manual, now, channels_));
    failsafe_.heard_ground(now);
    failsafe_.heard_pilot(now);
  } else if (const auto given = frame.as<mavlink::RcChannelsOverride>()) {
    override_channels(*given, now);
  }
}

void Autopilot::obey(const ButtonCommands& commands) {
  if (commands.armed) arm(*commands.armed, false);
  if (commands.arm_toggled) arm(!pilot_.armed(), false);
  if (commands.mode) change_mode(static_cast<double>(*commands.mode));
  if (commands.gain) say(mavlink::severity::info, short_text<32>("#Gain is {:2.0f}%", *commands.gain * 100));
  if (commands.holding) say(mavlink::severity::info, *commands.holding ? "#Input Hold Set" : "#Input Hold Disabled");
}

void Autopilot::override_channels(const mavlink::RcChannelsOverride& given, Instant now) {
  const std::array<std::uint16_t, 8> first{given.chan1_raw, given.chan2_raw, given.chan3_raw, given.chan4_raw,
                                           given.chan5_raw, given.chan6_raw, given.chan7_raw, given.chan8_raw};
  constexpr std::uint16_t as_it_is = 0xffff;
  for (std::size_t i = 0; i < first.size(); ++i)
    if (first[i] != as_it_is) channels_[i] = first[i];
  // Those that came later say 0 for "as it is", and one less than that for "released".
  const std::array<std::uint16_t, 10> later{given.chan9_raw,  given.chan10_raw, given.chan11_raw, given.chan12_raw,
                                            given.chan13_raw, given.chan14_raw, given.chan15_raw, given.chan16_raw,
                                            given.chan17_raw, given.chan18_raw};
  for (std::size_t i = 0; i < later.size(); ++i) {
    if (later[i] == 0 || later[i] == as_it_is) continue;
    channels_[first.size() + i] = later[i] == as_it_is - 1 ? std::uint16_t{0} : later[i];
  }
  failsafe_.heard_pilot(now);
  failsafe_.heard_ground(now);
}

PilotInput Autopilot::sticks(Instant now) const {
  if (!failsafe_.sticks_count(now)) return {};
  return {stick_from_rc(channels_[rc_roll]),    stick_from_rc(channels_[rc_pitch]),
          stick_from_rc(channels_[rc_yaw]),     stick_from_rc(channels_[rc_throttle]),
          stick_from_rc(channels_[rc_forward]), stick_from_rc(channels_[rc_lateral])};
}

void Autopilot::handle_vision(const mavlink::Frame& frame) {
  if (!vision_begun_) return;
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
    if (odometry->frame_id != local_frd || odometry->child_frame_id != body_frd) return;
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

void Autopilot::handle_origin(const mavlink::Frame& frame) {
  const auto given = frame.as<mavlink::SetGpsGlobalOrigin>();
  if (!given || origin_ || !is_place(given->latitude, given->longitude)) return;  // the first one counts
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
