// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <bit>

#include "tandem/machines/cable_robot/control/machine.hpp"
#include "tandem/machines/cable_robot/ros/topics.hpp"
#include "tandem/machines/cable_robot/workspace/surface.hpp"

namespace tandem::cable_robot {

machines::Scene Machine::scene() const {
  machines::Scene scene = make_scene(border_, sliders_);
  std::call_once(surface_looked_, [this] { surface_ = workspace_surface(robot_); });
  if (!surface_.triangles.empty()) scene.parts.push_back(surface_);
  return scene;
}

machines::Picture Machine::picture() const {
  const auto state = shared_.get();
  return state ? picture_of(*state) : machines::Picture{};
}

machines::Picture Machine::beside_picture() const {
  const auto state = shared_.get();
  return state ? truth_picture_of(*state) : machines::Picture{};
}

std::vector<machines::Value> Machine::values() const {
  const auto state = shared_.get();
  if (!state || state->samples == 0) return {};
  const State& s = *state;
  const auto list = [&](const CableNumbers& values) {
    return std::vector<double>(values.begin(), values.begin() + s.cables);
  };
  const auto cables = machines::numbered_parts("cable", static_cast<std::size_t>(s.cables));
  const auto count = [](auto number) { return std::vector{static_cast<double>(number)}; };
  std::vector<machines::Value> values = {
      {"pose", "m, quaternion", {s.pose.begin(), s.pose.end()}, ""},
      {"lengths", "m", list(s.lengths), "", cables},
      {"tensions", "N", list(s.tensions), "", cables},
      {"margin", "N", {s.margin}, ""},
      {"slack cables", "", count(std::popcount(s.slack)), ""},
      {"tracking error", "mm, mrad", {1e3 * s.tracking_error, 1e3 * s.tracking_angle}, "", {"distance", "angle"}},
      {"length residual", "mm", {1e3 * s.residual}, ""},
      {"activity", "", {}, name(s.activity)},
  };
  if (s.pose_known) values.push_back({"to the border", "m", {border_.distance(pose_of(s.pose))}, ""});
  if (s.compared)
    values.push_back(
        {"truth residual", "mm, mrad", {1e3 * s.estimate_error, 1e3 * s.estimate_angle}, "", {"distance", "angle"}});
  if (!s.input.empty()) values.push_back({"moved by", "", {}, std::string(s.input.view())});
  if (!s.refusal.empty()) values.push_back({"refused", "", {}, std::string(s.refusal.view())});
  if (ros_) {
    if (std::string why = ros_->commands().refusals().last(); !why.empty())
      values.push_back({"last refusal", "", {}, std::move(why)});
    if (const std::uint64_t ignored = ros_->commands().ignored(); ignored > 0)
      values.push_back({"not heard", "", count(ignored), "another publisher owns the topic"});
  }
  if (!s.stopped.empty()) values.push_back({"stopped", "", {}, std::string(s.stopped.view())});
  if (s.rejected > 0) values.push_back({"rejected", "", count(s.rejected), ""});
  if (s.timeouts > 0) values.push_back({"timeouts", "", count(s.timeouts), ""});
  return values;
}

// Refusals and stops as they come; where the platform is, while the winches are enabled: every `log_interval`.
void Machine::log() {
  const State& s = state_;
  if (s.refused != logged_refusals_) {
    logged_refusals_ = s.refused;
    refusals_log_->warn("{}", s.refusal.view());
  }
  if (s.stopped.view() != logged_stop_) {
    logged_stop_ = s.stopped.view();
    machines::log_line(ros_node(), lines_, s.finding > Finding::slack ? ros2::LogLevel::error : ros2::LogLevel::info,
                       fmt::format("{}: {}", name(s.activity), logged_stop_));
  }
  const Instant now = clock_.now();
  if (!s.enabled || now < next_log_) return;
  next_log_ = now + duration_of(times_.log);
  machines::log_line(
      ros_node(), lines_, ros2::LogLevel::info,
      fmt::format("{} ({}): at {:.3f} {:.3f} {:.3f} m, {:.2f} mm from the set point{}", name(s.activity),
                  s.input.empty() ? "no command" : s.input.view(), s.pose[0], s.pose[1], s.pose[2],
                  1e3 * s.tracking_error,
                  s.margin_cable < 0 ? "" : fmt::format(", margin {:.1f} N of cable{}", s.margin, s.margin_cable)));
}

}  // namespace tandem::cable_robot
