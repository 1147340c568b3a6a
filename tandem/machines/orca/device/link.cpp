// SPDX-License-Identifier: Apache-2.0
#include "tandem/machines/orca/device/link.hpp"

#include <algorithm>
#include <array>
#include <cmath>

#include "tandem/base/frames.hpp"
#include "tandem/protocols/mavlink/messages/mission.hpp"

namespace tandem::orca {
namespace {

constexpr Duration position_memory = 1s;  // an older position is not the present one
constexpr Duration finder_memory = 3s;    // without RANGEFINDER for this long, DISTANCE_SENSOR counts
constexpr std::uint8_t downwards = 25;    // orientation of a sensor
constexpr std::string_view slam_button = "script button 1";

mavlink::Heartbeat own_heartbeat() {
  return {.type = mavlink::vehicle_type::onboard_controller,
          .autopilot = mavlink::autopilot::none,
          .system_status = mavlink::system_status::active};
}

std::vector<mavlink::StreamRequests::Wanted> wanted_streams(const LinkOptions& options) {
  const Duration fast = duration_of(1 / options.stream_rate);
  std::vector<mavlink::StreamRequests::Wanted> wanted{
      {mavlink::Attitude::wire_id, fast},
      {mavlink::LocalPositionNed::wire_id, fast},
      {mavlink::RangeFinder::wire_id, duration_of(1 / options.sonar_rate)},
      {mavlink::GlobalPositionInt::wire_id, 200ms},
      {mavlink::EkfStatusReport::wire_id, 200ms},
      {mavlink::SysStatus::wire_id, 1s},
  };
  return wanted;
}

std::vector<mavlink::StreamRequests::Wanted> spare_sonar(const LinkOptions& options) {
  return {{mavlink::DistanceSensor::wire_id, duration_of(1 / options.sonar_rate)}};
}

std::array<double, 3> numbers_of(const Eigen::Vector3d& v) { return {v.x(), v.y(), v.z()}; }

}  // namespace

Link::Link(const LinkOptions& options)
    : options_(options),
      sender_(own_heartbeat()),
      watch_(mavlink::HeartbeatWatch::Options{.of = options.vehicle}),
      commands_(mavlink::CommandClient::Options{.own = options.own}),
      streams_({.target = options.vehicle}, wanted_streams(options)),
      sonar_streams_({.target = options.vehicle}, spare_sonar(options)),
      missions_(mavlink::MissionClient::Options{.own = options.own, .target = options.vehicle}),
      parameters_(mavlink::ParameterClient::Options{.target = options.vehicle}),
      time_sync_(mavlink::TimeSyncClient::Options{.peer = options.vehicle}),
      setup_(
          {.own_system = options.own.system, .absolute = options.absolute_vision, .switched = options.switch_sources}) {
}

void Link::relinked() {
  streams_.restart();
  sonar_streams_.restart();
}

Link::Events Link::take_events() { return std::exchange(events_, {}); }

// One that reports nothing of its estimator is believed after a while.
bool Link::attitude_trusted(Instant now) const {
  if (vehicle_.ekf_at == Instant{}) return met_at_ != Instant{} && now - met_at_ > ekf_memory;
  return vehicle_.knows_attitude();
}

bool Link::aiding(Instant now) const {
  return vehicle_.ekf_at != Instant{} && now - vehicle_.ekf_at <= ekf_memory &&
         (vehicle_.ekf_flags & (ekf::position_relative | ekf::position_absolute)) != 0 &&
         (vehicle_.ekf_flags & ekf::constant_position) == 0;
}

// Whatever else asks us something (parameters, files, serial lines) asks without effect: there is nothing of the kind
// here.
void Link::handle(const mavlink::Frame& frame, Instant now, mavlink::Outlet& outlet) {
  if (frame.source != options_.vehicle) {
    const auto heartbeat = frame.as<mavlink::Heartbeat>();
    if (heartbeat && heartbeat->autopilot != mavlink::autopilot::none) stranger_ = frame.source;
    return;
  }
  if (!frame.meant_for(options_.own)) return;
  ++vehicle_.frames;
  vehicle_signs_ = frame.is_signed();
  if (watch_.handle(frame, now)) return take(watch_.last(), now);
  streams_.handle(frame, now);
  sonar_streams_.handle(frame, now);
  if (commands_.handle(frame, now) || missions_.handle(frame, now, outlet) || parameters_.handle(frame, now)) return;
  if (time_sync_.handle(frame, now)) return note_round_trip();
  if (mavlink::answer_time_sync(frame, now, outlet)) return;
  hear(frame, now);
}

void Link::note_round_trip() {
  vehicle_.round_trip = time_sync_.last_round_trip();
  late_answers_ = vehicle_.round_trip > options_.late_after ? late_answers_ + 1 : 0;
}

void Link::hear(const mavlink::Frame& frame, Instant now) {
  const auto each = [&]<mavlink::Message M>(auto consume) {
    const auto message = frame.as<M>();
    if (!message) return false;
    if (mavlink::all_finite(*message))
      consume(*message);
    else
      ++vehicle_.rejected;
    return true;
  };
  const auto plain = [&](const auto& message) { take(message, now); };
  if (each.operator()<mavlink::Attitude>(plain) || each.operator()<mavlink::LocalPositionNed>(plain) ||
      each.operator()<mavlink::GlobalPositionInt>(plain) || each.operator()<mavlink::EkfStatusReport>(plain) ||
      each.operator()<mavlink::SysStatus>(plain) || each.operator()<mavlink::RangeFinder>(plain))
    return;
  if (const auto sensor = frame.as<mavlink::DistanceSensor>()) return take(*sensor, now);
  if (const auto current = frame.as<mavlink::MissionCurrent>()) {
    vehicle_.mission_item = current->seq;
    vehicle_.mission_total = current->total;
  } else if (frame.is<mavlink::GpsGlobalOrigin>()) {
    vehicle_.has_origin = true;
  } else if (frame.is<mavlink::StatusText>()) {
    take_text(frame, now);
  }
}

Gate::Verdict Link::judge(Gate::Stream stream, std::uint32_t boot_ms, Instant now) {
  const Gate::Verdict verdict = gate_.judge(stream, boot_ms, now);
  if (verdict.rebooted) begin_anew();
  if (!verdict.believed) ++vehicle_.rejected;
  return verdict;
}

// As after the autopilot was restarted: what it was asked for and told is forgotten there.
void Link::begin_anew() {
  ++vehicle_.reboots;
  events_.rebooted = true;
  commands_.abandon();
  relinked();
  setup_.restart();
  vehicle_.has_origin = false;
  vehicle_.estimates_position = false;
  vehicle_.X_map_base.position = vehicle_.velocity = {};
  vehicle_.ekf_at = vehicle_.position_at = vehicle_.global_at = {};
  origin_asked_ = false;
  late_answers_ = 0;
  writes_.clear();
  origin_next_ = {};
}

void Link::take(const mavlink::Heartbeat& heartbeat, Instant now) {
  vehicle_.armed = watch_.armed();
  vehicle_.manual_input = (heartbeat.base_mode & mavlink::base_mode::manual_input) != 0;
  vehicle_.mode = heartbeat.custom_mode;
  vehicle_.system_status = heartbeat.system_status;
  vehicle_.heartbeat_at = now;
}

void Link::take(const mavlink::Attitude& attitude, Instant now) {
  if (!judge(Gate::Stream::attitude, attitude.time_boot_ms, now).believed) return;
  const Eigen::Quaterniond q_ned_frd(rotation_from_rpy(
      static_cast<double>(attitude.roll), static_cast<double>(attitude.pitch), static_cast<double>(attitude.yaw)));
  const Eigen::Quaterniond q = enu_flu_from_ned_frd(q_ned_frd).normalized();
  note_turn(q, now);
  vehicle_.X_map_base.rotation = {q.w(), q.x(), q.y(), q.z()};
  const Eigen::Vector3d rates(static_cast<double>(attitude.rollspeed), static_cast<double>(attitude.pitchspeed),
                              static_cast<double>(attitude.yawspeed));
  vehicle_.rates = numbers_of(flu_from_frd(rates));
  vehicle_.attitude_at = now;
  events_.attitude = true;
}

// A heading that was reset is a jump of the estimate, too: what was laid out by the old one lies askew.
void Link::note_turn(const Eigen::Quaterniond& q, Instant now) {
  if (vehicle_.attitude_at == Instant{}) return;
  const Eigen::Vector3d rates(vehicle_.rates[0], vehicle_.rates[1], vehicle_.rates[2]);
  const double turned = q.angularDistance(Eigen::Quaterniond(pose_from(vehicle_.X_map_base).linear()));
  if (attitude_jumped(turned, rates.norm(), now - vehicle_.attitude_at)) note_jump();
}

void Link::note_jump() {
  ++vehicle_.estimate_jumps;
  events_.jumped = true;
}

void Link::take(const mavlink::LocalPositionNed& position, Instant now) {
  const Gate::Verdict verdict = judge(Gate::Stream::position, position.time_boot_ms, now);
  if (!verdict.believed) return;
  const Eigen::Vector3d ned(static_cast<double>(position.x), static_cast<double>(position.y),
                            static_cast<double>(position.z));
  const Eigen::Vector3d velocity = enu_from_ned(Eigen::Vector3d(
      static_cast<double>(position.vx), static_cast<double>(position.vy), static_cast<double>(position.vz)));
  const Eigen::Vector3d place = enu_from_ned(ned);
  const auto& old = vehicle_.X_map_base.position;
  if (verdict.step && vehicle_.estimates_position) {
    const Eigen::Vector3d moved = place - Eigen::Vector3d(old[0], old[1], old[2]);
    const Eigen::Vector3d was(vehicle_.velocity[0], vehicle_.velocity[1], vehicle_.velocity[2]);
    if (position_jumped(moved, was, velocity, *verdict.step)) note_jump();
  }
  vehicle_.X_map_base.position = numbers_of(place);
  vehicle_.velocity = numbers_of(velocity);
  vehicle_.position_at = now;
  vehicle_.estimates_position = true;
}

// Only while the estimator knows no more than the depth.
void Link::take(const mavlink::GlobalPositionInt& position, Instant now) {
  if (!judge(Gate::Stream::height, position.time_boot_ms, now).believed) return;
  vehicle_.latitude = 1e-7 * position.lat;
  vehicle_.longitude = 1e-7 * position.lon;
  vehicle_.altitude = 1e-3 * position.alt;
  vehicle_.relative_altitude = 1e-3 * position.relative_alt;
  vehicle_.heading = position.hdg <= 36000 ? 1e-2 * position.hdg : -1;
  vehicle_.global_at = now;
  if (vehicle_.estimates_position) return;
  vehicle_.X_map_base.position[2] = 1e-3 * position.relative_alt;
}

void Link::take(const mavlink::EkfStatusReport& report, Instant now) {
  vehicle_.ekf_flags = report.flags;
  vehicle_.ekf_variances = {report.velocity_variance, report.pos_horiz_variance,   report.pos_vert_variance,
                            report.compass_variance,  report.terrain_alt_variance, report.airspeed_variance};
  vehicle_.ekf_at = now;
}

void Link::take(const mavlink::SysStatus& status, Instant now) {
  if (status.voltage_battery == 0xFFFF) return;
  vehicle_.voltage = 1e-3 * status.voltage_battery;
  vehicle_.current = status.current_battery < 0 ? 0 : 1e-2 * status.current_battery;
  vehicle_.charge = status.battery_remaining < 0 ? -1 : 1e-2 * status.battery_remaining;
  vehicle_.battery_at = now;
}

void Link::take(const mavlink::RangeFinder& finder, Instant now) {
  vehicle_.sonar = static_cast<double>(finder.distance);
  vehicle_.sonar_at = finder_at_ = now;
  events_.sonar = true;
}

// For autopilots that send no RANGEFINDER; where both come the finer one counts. Sensors that look elsewhere do not.
void Link::take(const mavlink::DistanceSensor& sensor, Instant now) {
  if (sensor.orientation != downwards || (finder_at_ != Instant{} && now - finder_at_ < finder_memory)) return;
  vehicle_.sonar = 1e-2 * sensor.current_distance;
  vehicle_.sonar_at = now;
  events_.sonar = true;
}

void Link::take_text(const mavlink::Frame& frame, Instant now) {
  const auto line = texts_.handle(frame, now);
  if (!line) return;
  vehicle_.text = line->text;
  vehicle_.severity = line->severity;
  ++vehicle_.texts;
  events_.said = true;
  if (line->text.find(slam_button) != std::string::npos) events_.button = true;
  if (line->text.starts_with("PreArm:") || line->text.starts_with("Arm:")) {
    vehicle_.objection = line->text;
    vehicle_.objected_at = now;
  }
}

void Link::poll(Instant now, mavlink::Outlet& outlet) {
  sender_.poll(now, outlet);
  vehicle_.presence = watch_.presence(now);
  if (vehicle_.presence == mavlink::Presence::never || vehicle_.presence == mavlink::Presence::lost) return;
  if (met_at_ == Instant{}) met_at_ = now;
  if (now - vehicle_.position_at > position_memory) vehicle_.estimates_position = false;
  streams_.poll(now, commands_, outlet);
  if (now - std::max(met_at_, finder_at_) > finder_memory) sonar_streams_.poll(now, commands_, outlet);
  commands_.poll(now, outlet);
  missions_.poll(now, outlet);
  time_sync_.poll(now, outlet);
  tend_origin(now, outlet);
  tend_setup(now);
  tend_parameters(now, outlet);
}

std::uint64_t Link::autopilot_microseconds(Instant at) const {
  const Duration theirs = at.time_since_epoch() + (time_sync_.synced() ? time_sync_.offset() : Duration{});
  return static_cast<std::uint64_t>(std::max<std::int64_t>(0, theirs.count() / 1000));
}

}  // namespace tandem::orca
