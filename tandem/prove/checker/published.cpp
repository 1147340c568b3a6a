// SPDX-License-Identifier: Apache-2.0
#include "tandem/prove/checker/published.hpp"

#include <algorithm>
#include <array>

#include "tandem/prove/checker/cdr.hpp"

namespace tandem::prove::checker {
namespace {

using Values = std::optional<std::vector<double>>;

// sensor_msgs/JointState
struct Joints {
  std::vector<std::string> names;
  std::vector<double> position, velocity, effort;
};
std::optional<Joints> joints_from(std::span<const std::uint8_t> bytes) {
  Cdr cdr(bytes);
  cdr.header();
  Joints joints{cdr.texts(), cdr.doubles(), cdr.doubles(), cdr.doubles()};
  if (!cdr.ok()) return std::nullopt;
  return joints;
}

// Speeds of the driven wheels (rad/s), angles of the steered ones (rad): docs/raptorlift.md, D16 to D22.
Values truck(std::span<const std::uint8_t> bytes) {
  const auto joints = joints_from(bytes);
  if (!joints) return std::nullopt;
  constexpr std::array<std::string_view, 4> wanted{"front_right_wheel_joint", "front_left_wheel_joint",
                                                   "rear_right_steering_joint", "rear_left_steering_joint"};
  std::vector<double> values;
  for (std::size_t i = 0; i < wanted.size(); ++i) {
    const auto at = static_cast<std::size_t>(std::ranges::find(joints->names, wanted[i]) - joints->names.begin());
    const auto& from = i < 2 ? joints->velocity : joints->position;
    if (at >= from.size()) return std::nullopt;
    values.push_back(from[at]);
  }
  return values;
}

// Unwound lengths (m), then speeds (m/s), of all cables.
Values cables(std::span<const std::uint8_t> bytes) {
  auto joints = joints_from(bytes);
  if (!joints || joints->position.size() != joints->velocity.size()) return std::nullopt;
  std::vector<double> values = std::move(joints->position);
  values.insert(values.end(), joints->velocity.begin(), joints->velocity.end());
  return values;
}

// Six joints (rad); behind them may be fingers.
Values arm(std::span<const std::uint8_t> bytes) {
  auto joints = joints_from(bytes);
  if (!joints || joints->position.size() < 6) return std::nullopt;
  joints->position.resize(6);
  return joints->position;
}

// geometry_msgs/PoseStamped: where the top is (m).
Values platform(std::span<const std::uint8_t> bytes) {
  Cdr cdr(bytes);
  cdr.header();
  std::vector<double> values{cdr.number<double>(), cdr.number<double>(), cdr.number<double>()};
  if (!cdr.ok()) return std::nullopt;
  return values;
}

// orca_msgs/FilterStatus: the estimator's flags and variances.
Values submarine(std::span<const std::uint8_t> bytes) {
  Cdr cdr(bytes);
  cdr.header();
  std::vector<double> values{static_cast<double>(cdr.number<std::uint16_t>())};
  for (int i = 0; i < 5; ++i) values.push_back(cdr.number<float>());
  if (!cdr.ok()) return std::nullopt;
  return values;
}

struct Topic {
  std::string_view type, topic;
  Values (*values)(std::span<const std::uint8_t>);
};
constexpr std::array topics{Topic{"raptorlift", "joint_states", truck}, Topic{"cable_robot", "cable_states", cables},
                            Topic{"ur3e", "joint_states", arm}, Topic{"em1500", "stewart/pose", platform},
                            Topic{"orca", "ekf_status", submarine}};

}  // namespace

std::string published_topic(std::string_view type, const std::string& name) {
  for (const Topic& topic : topics)
    if (topic.type == type) return "/" + name + "/" + std::string(topic.topic);
  return "";
}

std::optional<std::vector<double>> published_values(std::string_view type, std::span<const std::uint8_t> cdr) {
  for (const Topic& topic : topics)
    if (topic.type == type) return topic.values(cdr);
  return std::nullopt;
}

}  // namespace tandem::prove::checker
