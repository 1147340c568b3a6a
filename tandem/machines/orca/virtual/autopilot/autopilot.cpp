// SPDX-License-Identifier: Apache-2.0
#include "tandem/machines/orca/virtual/autopilot/autopilot.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <iterator>

#include "tandem/base/frames.hpp"
#include "tandem/base/short_text.hpp"
#include "tandem/machines/orca/virtual/autopilot/parameters.hpp"
#include "tandem/machines/orca/virtual/faults.hpp"
#include "tandem/protocols/mavlink/messages/system.hpp"
#include "tandem/protocols/mavlink/services/status_text.hpp"

namespace tandem::orca {
namespace {

constexpr mavlink::Address any_component{vehicle_system, 0};  // whom it answers for is decided by meant_for_others()
constexpr Duration heartbeat_period = 1s;
constexpr double full_voltage = 16, low_voltage = 13;  // V
constexpr double idle_current = 0.8;                   // A

}  // namespace

Autopilot::Autopilot(const AutopilotOptions& options, std::span<mavlink::Outlet* const> links, Instant boot)
    : options_(options),
      boot_(boot),
      now_(boot),
      parameters_({.own = any_component, .listed_per_poll = 2, .ranges_bind = false}, parameter_table()),
      commands_(any_component),
      missions_({.own = any_component, .asks_as_ardupilot = true}),
      next_heartbeat_(boot) {
  for (mavlink::Outlet* outlet : links)
    if (link_count_ < most_links) links_[link_count_++].outlet = outlet;
  parameters_.assign("COMPASS_DEC", options.estimator.declination);
  for (const auto& [name, value] : options_.memory.parameters) parameters_.assign(name, value);
  vision_begun_ = value_of(parameters_, "VISO_TYPE") != 0;
  missions_.restore(std::move(options_.memory.items));
  parameters_.changed = [this](const mavlink::Parameter& parameter) {
    refresh_settings();
    for (std::size_t i = 0; i < link_count_; ++i)
      if (i != asking_) parameters_.tell(parameter.name, *links_[i].outlet);
  };
  parameters_.refused = [this](const mavlink::Parameter& parameter) {
    say(mavlink::severity::warning, fmt::format("Param write denied ({})", parameter.name));
  };
  missions_.check = judge_item;
  missions_.kept = [this](const mavlink::MissionItemInt& item) { return kept_item(item, home_); };
  missions_.fly_now = [this](const mavlink::MissionItemInt& item) { return fly_now(item); };
  missions_.changed = [this] { load_mission(); };
  refresh_settings();
  load_mission();
  for (std::size_t i = 0; i < link_count_; ++i) send_banner(*links_[i].outlet);
}

AutopilotMemory Autopilot::memory() const {
  AutopilotMemory memory;
  for (const auto& served : parameters_.table())
    memory.parameters.emplace_back(served.parameter.name, served.parameter.value);
  memory.items = missions_.items();
  return memory;
}

void Autopilot::refresh_settings() {
  estimator_.options(estimator_options_from(parameters_, options_.estimator));
  pilot_.settings(mode_settings_from(parameters_));
  failsafe_.settings(failsafe_settings_from(parameters_));
  joystick_.settings(joystick_settings_from(parameters_));
}

void Autopilot::load_mission() {
  const GlobalPlace origin = origin_.value_or(GlobalPlace{});
  pilot_.mission().load(missions_.items(), origin, home_.value_or(origin));
  if (missions_.current() > 0) pilot_.mission().start(missions_.current());
}

const Pulses& Autopilot::step(const Readings& readings, double dt, Instant now) {
  now_ = now;
  sense(readings, dt);
  if (options_.faults != nullptr) misbehave();
  tend_failsafe(now);
  demand_ = pilot_.step(estimator_.estimate(), sticks(now), dt);
  pulses_ = pilot_.armed() ? pulses_from(demand_) : still;
  tend_motor_test(now);
  double effort = 0;
  for (const double pulse : pulses_) effort += std::abs(pulse - pwm_stop) / pwm_swing;
  current_ = idle_current + 8 * effort;
  consumed_ += current_ * dt;
  return pulses_;
}

// Sensors measure in our axes, the autopilot thinks in ArduPilot's: this is the one place between them.
void Autopilot::sense(const Readings& readings, double dt) {
  const bool frozen = options_.faults != nullptr && options_.faults->sonar_frozen;
  const SonarReading last_sonar = readings_.sonar;
  const ImuReading& imu = readings.imus[0];
  estimator_.imu(frd_from_flu(imu.gyro), frd_from_flu(imu.acceleration), dt);
  if (readings.field_count != readings_.field_count)
    estimator_.field(frd_from_flu(0.5 * (readings.fields[0] + readings.fields[1])));
  if (readings.pressure_count != readings_.pressure_count)
    estimator_.depth(depth_from_pressure(readings.pressure, options_.hull.water));
  readings_ = readings;
  if (frozen) readings_.sonar = last_sonar;
  if (options_.faults != nullptr && options_.faults->sonar_zero) readings_.sonar = {};
  estimator_.floor_seen(readings_.sonar.echo == Echo::good);
}

double Autopilot::voltage() const {
  if (options_.faults != nullptr && options_.faults->battery_low) return low_voltage;
  return full_voltage - 0.01 * current_;
}

void Autopilot::tend_failsafe(Instant now) {
  const bool leak = options_.faults != nullptr && options_.faults->leak;
  while (const auto verdict = failsafe_.update(now, pilot_.armed(), leak, voltage())) {
    if (!verdict->text.empty()) say(verdict->severity, verdict->text);
    switch (verdict->action) {
      case FailsafeAction::none:
        break;
      case FailsafeAction::disarm:
        disarm();
        break;
      case FailsafeAction::alt_hold:
        change_mode(static_cast<double>(Mode::alt_hold));
        break;
      case FailsafeAction::surface:
        change_mode(static_cast<double>(Mode::surface));
        break;
    }
  }
}

void Autopilot::misbehave() {
  VehicleFaults& faults = *options_.faults;
  if (faults.due(VehicleFaults::disarm_itself)) disarm();
  if (faults.due(VehicleFaults::change_mode)) change_mode(static_cast<double>(Mode::manual));
  if (faults.due(VehicleFaults::estimator_reset)) estimator_.shift({1, 0});
}

void Autopilot::disarm() {
  if (!pilot_.armed()) return;
  pilot_.disarm();
  pulses_ = still;
  say(mavlink::severity::info, "Disarming motors");
}

void Autopilot::poll(Instant now, UtcTime utc) {
  now_ = now;
  utc_ = utc;
  while (const auto event = estimator_.next_event()) say(mavlink::severity::info, *event);
  fly_mission_news();
  for (std::size_t i = 0; i < link_count_; ++i) {
    parameters_.poll(*links_[i].outlet);
    missions_.poll(now, *links_[i].outlet);
  }
  const VehicleFaults* faults = options_.faults;
  if (now >= next_heartbeat_) {
    next_heartbeat_ = std::max(next_heartbeat_ + heartbeat_period, now);
    if (faults == nullptr || !faults->no_heartbeat)
      for (std::size_t i = 0; i < link_count_; ++i)
        if (links_[i].streams.interval(mavlink::Heartbeat::wire_id).value_or(0) == 0) send_heartbeat(*links_[i].outlet);
  }
  if (faults != nullptr && faults->heartbeat_only) return;
  for (std::size_t i = 0; i < link_count_; ++i)
    while (const auto id = links_[i].streams.due(now)) send_message(*id, *links_[i].outlet);
}

void Autopilot::fly_mission_news() {
  const bool good = estimator_.estimate().position_good;
  if (position_was_good_ && !good && pilot_.armed()) say(mavlink::severity::warning, "EKF position lost");
  position_was_good_ = good;
  if (link_count_ == 0) return;
  MissionFlight& mission = pilot_.mission();
  if (const auto reached = mission.take_reached()) {
    reached_ = *reached;
    say(mavlink::severity::info, short_text<32>("Reached command #{}", reached_));
    for (std::size_t i = 0; i < link_count_; ++i) {
      missions_.reached(*reached, *links_[i].outlet);
      if (!mission.done()) missions_.choose(mission.current(), *links_[i].outlet);
    }
    if (mission.done()) say(mavlink::severity::info, "Mission complete");
  }
}

void Autopilot::send_heartbeat(mavlink::Outlet& outlet) const {
  namespace bits = mavlink::base_mode;
  const bool armed = pilot_.armed();
  const Mode mode = pilot_.mode();
  const bool goes_itself = mode == Mode::automatic || mode == Mode::guided || mode == Mode::poshold;
  std::uint8_t status = armed ? mavlink::system_status::active : mavlink::system_status::standby;
  if (failsafe_.active()) status = mavlink::system_status::critical;
  outlet.send(mavlink::Heartbeat{
      .type = mavlink::vehicle_type::submarine,
      .autopilot = mavlink::autopilot::ardupilot,
      .base_mode = static_cast<std::uint8_t>(bits::custom | bits::manual_input | bits::stabilize |
                                             (goes_itself ? bits::guided : 0) | (armed ? bits::armed : 0)),
      .custom_mode = static_cast<std::uint32_t>(mode),
      .system_status = status});
}

void Autopilot::say(std::uint8_t severity, std::string_view text) {
  if (++text_id_ == 0) text_id_ = 1;
  for (std::size_t i = 0; i < link_count_; ++i) mavlink::send_status_text(text, severity, text_id_, *links_[i].outlet);
}

void Autopilot::send_banner(mavlink::Outlet& outlet) {
  for (const std::string_view text : {"ArduSub V4.5.0 (Tandem virtual)", "Frame: VECTORED"}) {
    if (++text_id_ == 0) text_id_ = 1;
    mavlink::send_status_text(text, mavlink::severity::info, text_id_, outlet);
  }
}

std::uint32_t Autopilot::boot_ms() const {
  return static_cast<std::uint32_t>(static_cast<std::uint64_t>(milliseconds(now_ - boot_)));
}

}  // namespace tandem::orca
