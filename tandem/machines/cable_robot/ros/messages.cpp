// SPDX-License-Identifier: Apache-2.0
#include "tandem/machines/cable_robot/ros/messages.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <bit>
#include <charconv>
#include <cmath>

#include "tandem/machines/kit/ros/diagnosis.hpp"

namespace tandem::cable_robot {
namespace {

using ros2::diagnostic_msgs::DiagnosticStatus;

constexpr double fastest = 100;    // m/s, rad/s and their rates: larger values are mistakes
constexpr double strongest = 1e6;  // N

Error unusable(std::string text) { return {Fault::invalid, std::move(text)}; }

// cable7 is 7; anything else is -1.
int cable_named(std::string_view name) {
  constexpr std::string_view stem = "cable";
  if (!name.starts_with(stem)) return -1;
  name.remove_prefix(stem.size());
  int number = -1;
  const auto [end, error] = std::from_chars(name.data(), name.data() + name.size(), number);
  return error == std::errc{} && end == name.data() + name.size() ? number : -1;
}

std::string listed(const CableNumbers& values, int count, const char* unit) {
  std::string text;
  for (int i = 0; i < count; ++i) text += fmt::format("{:.2f} ", values[static_cast<std::size_t>(i)]);
  return text + unit;
}

}  // namespace

void fill(ros2::sensor_msgs::JointState& message, const State& state, const Stamp& stamp) {
  const auto count = static_cast<std::size_t>(state.cables);
  message.header.stamp = stamp;
  if (message.name.size() != count) {
    message.name.clear();
    for (std::size_t i = 0; i < count; ++i) message.name.push_back(fmt::format("cable{}", i));
  }
  message.position.assign(state.lengths.begin(), state.lengths.begin() + state.cables);
  message.velocity.assign(state.speeds.begin(), state.speeds.begin() + state.cables);
  message.effort.assign(state.tensions.begin(), state.tensions.begin() + state.cables);
}

void fill(ros2::std_msgs::Float64MultiArray& message, const CableNumbers& values, int count) {
  message.data.assign(values.begin(), values.begin() + count);
}

void fill(ros2::geometry_msgs::Pose& message, const PoseNumbers& pose) {
  message.position = {pose[0], pose[1], pose[2]};
  message.orientation = {pose[3], pose[4], pose[5], pose[6]};
}

void fill(ros2::geometry_msgs::PoseStamped& message, const PoseNumbers& pose, const Stamp& stamp) {
  message.header.stamp = stamp;
  fill(message.pose, pose);
}

void fill(ros2::geometry_msgs::TransformStamped& message, const PoseNumbers& pose, const Stamp& stamp) {
  message.header.stamp = stamp;
  message.transform.translation = {pose[0], pose[1], pose[2]};
  message.transform.rotation = {pose[3], pose[4], pose[5], pose[6]};
}

Result<PoseNumbers> pose_numbers_from(const ros2::geometry_msgs::Pose& message) {
  const auto& p = message.position;
  const auto& q = message.orientation;
  const double numbers[7] = {p.x, p.y, p.z, q.x, q.y, q.z, q.w};
  auto pose = cables::pose_from_numbers(numbers);
  if (!pose) return std::move(pose).error();
  return numbers_of(*pose);
}

std::string frame_trouble(const std::string& seen, const std::string& expected) {
  if (seen.empty() || seen == expected) return "";
  return fmt::format("frame_id: expected '{}', got '{}'", expected, seen.substr(0, 60));
}

Result<CableNumbers> tensions_from(const ros2::sensor_msgs::JointState& message, int cables) {
  const auto count = static_cast<std::size_t>(cables);
  if (message.effort.size() != count)
    return unusable(fmt::format("effort: expected {} tensions, got {}", count, message.effort.size()));
  if (!message.name.empty() && message.name.size() != count)
    return unusable(fmt::format("name: expected {} cables, or none, got {}", count, message.name.size()));
  CableNumbers tensions{};
  std::uint32_t named = 0;
  for (std::size_t i = 0; i < count; ++i) {
    std::size_t at = i;
    if (!message.name.empty()) {
      const int cable = cable_named(message.name[i]);
      if (cable < 0 || cable >= cables)
        return unusable(fmt::format("name: unknown cable '{}'", message.name[i].substr(0, 60)));
      at = static_cast<std::size_t>(cable);
    }
    if (((named >> at) & 1U) != 0) return unusable(fmt::format("name: 'cable{}' appears twice", at));
    named |= 1U << at;
    const double tension = message.effort[i];
    if (!(tension >= 0 && tension <= strongest))  // false for what is no number
      return unusable(fmt::format("effort of cable{}: expected 0 to {:g} N, got {:.4g}", at, strongest, tension));
    tensions[at] = tension;
  }
  return tensions;
}

Result<std::array<double, 6>> six_from(const ros2::geometry_msgs::Twist& message) {
  const std::array<double, 6> six = {message.linear.x,  message.linear.y,  message.linear.z,
                                     message.angular.x, message.angular.y, message.angular.z};
  constexpr const char* fields[] = {"linear.x", "linear.y", "linear.z", "angular.x", "angular.y", "angular.z"};
  for (std::size_t i = 0; i < six.size(); ++i) {
    if (!(std::abs(six[i]) <= fastest))
      return unusable(fmt::format("{}: expected within {} either way, got {:.4g}", fields[i], fastest, six[i]));
  }
  return six;
}

DiagnosticStatus diagnosis(const State& state, const std::string& part, const std::string& hardware) {
  const bool odd = state.slack != 0 || state.at_border;
  DiagnosticStatus status = machines::diagnosis_of(state, part, hardware, odd, name(state.activity));
  if (state.quality == Quality::live && state.finding > Finding::slack) {
    status.level = DiagnosticStatus::ERROR;
    status.message = fmt::format("{}: {}", name(state.activity), state.stopped.view());
  }
  const PoseNumbers& p = state.pose;
  status.values = {
      {"quality", name(state.quality)},
      {"activity", name(state.activity)},
      {"moved by", std::string(state.input.view())},
      {"winches enabled", state.enabled ? "yes" : "no"},
      {"winch mode", name(state.mode)},
      {"finding", name(state.finding)},
      {"last stop", std::string(state.stopped.view())},
      {"last target refused", std::string(state.refusal.view())},
      {"targets refused", fmt::format("{}", state.refused)},
      {"pose",
       fmt::format("{:.4f} {:.4f} {:.4f} m, {:.4f} {:.4f} {:.4f} {:.4f}", p[0], p[1], p[2], p[3], p[4], p[5], p[6])},
      {"tensions", listed(state.tensions, state.cables, "N")},
      {"tension margin", fmt::format("{:.2f} N", state.margin)},
      {"slack cables", fmt::format("{}", std::popcount(state.slack))},
      {"tracking error", fmt::format("{:.2f} mm", 1e3 * state.tracking_error)},
      {"length residual", fmt::format("{:.3f} mm", 1e3 * state.residual)},
      {"samples", fmt::format("{}", state.samples)},
      {"rejected", fmt::format("{}", state.rejected)},
      {"torn values", fmt::format("{}", state.jumps)},
      {"timeouts", fmt::format("{}", state.timeouts)},
      {"late answers", fmt::format("{}", state.late)},
  };
  return status;
}

}  // namespace tandem::cable_robot
