// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include "tandem/machines/kit/ros/refusals.hpp"
#include "tandem/machines/raptorlift/control/machine.hpp"
#include "tandem/machines/raptorlift/fleet/vehicle.hpp"

namespace tandem::raptorlift {

const char* name(Activity activity) {
  switch (activity) {
    case Activity::idle:
      return "idle";
    case Activity::driving:
      return "driving";
    case Activity::stopping:
      return "stopping";
  }
  return "?";
}

// With the motors on, a truck drives only while a wheel turns.
std::string activity_text(const State& state) {
  const auto with = [](std::string_view what, std::string_view why) { return fmt::format("{} ({})", what, why); };
  const std::string_view input = state.input.empty() ? "no command" : state.input.view();
  switch (state.activity) {
    case Activity::idle:
      return name(Activity::idle);
    case Activity::driving:
      return with(state.at_standstill ? "enabled, at standstill" : name(Activity::driving), input);
    case Activity::stopping:
      return with(name(Activity::stopping), state.stopped.empty() ? "no reason given" : state.stopped.view());
  }
  return "?";
}

machines::Scene Machine::scene() const { return make_scene(description_, jog_); }

machines::Picture Machine::picture() const {
  const auto state = shared_.get();
  return state ? picture_of(*state, description_) : machines::Picture{};
}

machines::Picture Machine::beside_picture() const {
  const auto state = shared_.get();
  return state ? truth_picture_of(*state, description_) : machines::Picture{};
}

std::vector<machines::Value> Machine::values() const {
  const auto state = shared_.get();
  std::vector<machines::Value> of_fleet = fleet_ ? fleet_->values() : std::vector<machines::Value>{};
  if (!state || state->samples == 0) return of_fleet;
  const auto count = [](std::uint64_t number) { return std::vector{static_cast<double>(number)}; };
  const State& s = *state;
  const std::vector<std::string> wheels(wheel_names.begin(), wheel_names.end());
  std::vector<machines::Value> values = {
      {"wheel speeds",
       "rad/s",
       {s.measured.front_right, s.measured.front_left},
       "",
       {wheels.begin(), wheels.begin() + 2}},
      {"steering", "rad", {s.measured.rear_right, s.measured.rear_left}, "", {wheels.begin() + 2, wheels.end()}},
      {"torques", "N m", {s.torques.begin(), s.torques.end()}, "", wheels},
      {"pose", "m, rad", {s.X_odom_base.x, s.X_odom_base.y, s.X_odom_base.yaw}, "", {"x", "y", "yaw"}},
      {"speed", "m/s, rad/s", {s.twist.vx, s.twist.w}, "", {"forward", "turning"}},
      {"distance", "m", {s.distance}, ""},
      {"slip", "m/s", {s.slip}, ""},
      {"activity", "", {}, activity_text(s)},
  };
  if (s.compared) values.push_back({"truth residual", "m, rad", {s.residual, s.residual_yaw}, "", {"distance", "yaw"}});
  if (!s.input.empty()) values.push_back({"driven by", "", {}, std::string(s.input.view())});
  if (s.route.id > 0 && !s.route.ended)
    values.push_back({"route", "m", {s.route.distance, s.route.deviation}, "", {"along", "beside"}});
  if (s.task_off) values.push_back({"task", "", {}, "off: another client drove; stop, reset and arm restart it"});
  if (s.gear > 0) values.push_back({"gear", "", {static_cast<double>(s.gear)}, ""});
  if (!s.stopped.empty()) values.push_back({"stopped", "", {}, std::string(s.stopped.view())});
  if (s.rejected > 0) values.push_back({"rejected", "", count(s.rejected), ""});
  if (s.timeouts > 0) values.push_back({"timeouts", "", count(s.timeouts), ""});
  values.insert(values.end(), of_fleet.begin(), of_fleet.end());
  return values;
}

std::vector<machines::Metric> Machine::metrics() const {
  return fleet_ ? fleet_->metrics() : std::vector<machines::Metric>{};
}

// What the truck does, while its motors are on: every `log_interval`, as its original program logs it.
void Machine::log() {
  const Instant now = clock_.now();
  if (state_.activity == Activity::idle || now < next_log_) return;
  next_log_ = now + duration_of(times_.log);
  const Wheels &is = state_.measured, &wanted = state_.targets;
  const auto& torques = state_.torques;
  machines::log_line(
      ros_node(), lines_, ros2::LogLevel::info,
      fmt::format("{}: wheels {:.3f} {:.3f} rad/s, wanted {:.3f} {:.3f}; steering {:.3f} {:.3f} rad, wanted "
                  "{:.3f} {:.3f}; torques {:.1f} {:.1f} {:.1f} {:.1f} N m",
                  activity_text(state_), is.front_right, is.front_left, wanted.front_right, wanted.front_left,
                  is.rear_right, is.rear_left, wanted.rear_right, wanted.rear_left, torques[0], torques[1], torques[2],
                  torques[3]));
}

}  // namespace tandem::raptorlift
