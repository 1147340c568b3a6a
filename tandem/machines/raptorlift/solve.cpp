// SPDX-License-Identifier: Apache-2.0
#include "tandem/machines/raptorlift/solve.hpp"

#include <algorithm>

#include "tandem/machines/query.hpp"
#include "tandem/machines/raptorlift/description.hpp"
#include "tandem/machines/raptorlift/ros/ros2_control.hpp"

namespace tandem::raptorlift {
namespace {

namespace ackermann = kinematics::ackermann;
using namespace machines::query;

// As many as `numbers` has; left as they are when the field is absent.
Result<void> fill_list(const Json& query, const std::string& name, std::span<double> numbers) {
  if (!query.contains(name)) return {};
  return read_list(query[name], name, numbers);
}

// One number of each name; all are required.
Result<void> fill_fields(const Json& query, std::span<const std::string_view> names, std::span<double> numbers) {
  for (std::size_t i = 0; i < names.size(); ++i) {
    const std::string name(names[i]);
    if (!query.contains(name)) return wrong(fmt::format("{}: expected a number, got no such field", name));
    const auto number = number_from(query[name], name);
    if (!number) return number.error();
    numbers[i] = *number;
  }
  return {};
}

constexpr std::array<std::string_view, 2> twist_fields = {"v", "w"};

Result<std::string> wheels(std::string_view text, const machines::Progress&) {
  const auto query = object_from(text, twist_fields);
  if (!query) return query.error();
  std::array<double, 2> asked{};
  if (const auto read = fill_fields(*query, twist_fields, asked); !read) return read.error();
  const auto command = ackermann::wheels_from_twist(geometry(), {asked[0], asked[1]});
  if (!command) return command.error();
  Json answer = Json::object();
  const std::array<double, 4> numbers = ackermann::values(command->wheels);
  for (std::size_t i = 0; i < 4; ++i) answer[std::string(ackermann::wheel_names[i])] = numbers[i];
  if (command->at_limit) {
    answer["limited"] = command->in_place ? "the truck cannot turn on the spot: steering at its limit, no motion"
                                          : "the turn is too tight: steering at its limit, speed kept";
    answer["w"] = command->twist.w;
  }
  return to_text(answer);
}

Result<std::string> twist(std::string_view text, const machines::Progress&) {
  const auto query = object_from(text, ackermann::wheel_names);
  if (!query) return query.error();
  std::array<double, 4> measured{};
  if (const auto read = fill_fields(*query, ackermann::wheel_names, measured); !read) return read.error();
  const auto estimate = ackermann::twist_from_wheels(geometry(), {measured[0], measured[1], measured[2], measured[3]});
  if (!estimate) return estimate.error();
  const Json answer = {{"v", estimate->twist.v}, {"w", estimate->twist.w}, {"slip", estimate->slip}};
  return to_text(answer);
}

// Each sample holds for its own time, so the mean of a pair is not taken here.
Result<std::string> odometry(std::string_view text, const machines::Progress&) {
  constexpr std::array<std::string_view, 3> fields = {"samples", "start", "point"};
  const auto query = object_from(text, fields);
  if (!query) return query.error();
  std::array<double, 3> start{};
  if (const auto read = fill_list(*query, "start", start); !read) return read.error();
  std::array<double, 2> point{};
  if (const auto read = fill_list(*query, "point", point); !read) return read.error();
  if (!query->contains("samples") || !(*query)["samples"].is_array()) {
    return wrong(
        fmt::format("samples: expected an array of [dt, front_right, front_left, rear_right, rear_left], got {}",
                    query->contains("samples") ? seen((*query)["samples"]) : "no such field"));
  }
  const ackermann::PlanarPose X_axle_point = {point[0], point[1], 0};
  auto X_odom_axle = ackermann::PlanarPose{start[0], start[1], start[2]} * inverse(X_axle_point);
  double distance = 0, slip = 0;
  for (std::size_t i = 0; i < (*query)["samples"].size(); ++i) {
    const Json one = {{"sample", (*query)["samples"][i]}};
    std::array<double, 5> n{};
    if (const auto read = fill_list(one, "sample", n); !read)
      return within(fmt::format("samples[{}]", i), read.error());
    if (n[0] < 0) return wrong(fmt::format("samples[{}]: dt: expected 0 s or more, got {}", i, n[0]));
    const auto estimate = ackermann::twist_from_wheels(geometry(), {n[1], n[2], n[3], n[4]});
    if (!estimate) return within(fmt::format("samples[{}]", i), estimate.error());
    X_odom_axle = X_odom_axle * arc(estimate->twist, n[0]);
    distance += std::abs(estimate->twist.v) * n[0];
    slip = std::max(slip, estimate->slip);
  }
  const ackermann::PlanarPose end = X_odom_axle * X_axle_point;
  if (!std::isfinite(end.x) || !std::isfinite(end.y) || !std::isfinite(end.yaw) || !std::isfinite(distance))
    return wrong("samples: expected the motion of a truck, got numbers that are too large");
  const Json answer = {{"x", end.x}, {"y", end.y}, {"yaw", end.yaw}, {"distance", distance}, {"slip", slip}};
  return to_text(answer);
}

// The plugin of the package that the query names.
Result<std::string_view> plugin_from(const Json& query) {
  constexpr std::array plugins = {topic_based_system, joint_state_topic_system};
  if (!query.contains("package")) return plugins[0];
  const Json& package = query["package"];
  for (const std::string_view plugin : plugins)
    if (package == plugin.substr(0, plugin.find('/'))) return plugin;
  return wrong(fmt::format("package: expected topic_based_ros2_control or joint_state_topic_hardware_interface, got {}",
                           to_text(package)));
}

Result<std::string> ros2_control(std::string_view text, const machines::Progress&) {
  constexpr std::array<std::string_view, 3> fields = {"cycle_hz", "reference_timeout", "package"};
  const auto query = object_from(text, fields);
  if (!query) return query.error();
  const auto plugin = plugin_from(*query);
  if (!plugin) return plugin.error();
  Times times;
  std::array<double, 2> numbers = {1 / times.cycle, times.reference};
  for (std::size_t i = 0; i < numbers.size(); ++i) {
    const std::string name(fields[i]);
    if (!query->contains(name)) continue;
    const auto number = number_from((*query)[name], name);
    if (!number) return number.error();
    if (!(*number > 0)) return wrong(fmt::format("{}: expected a number above 0, got {}", name, *number));
    numbers[i] = *number;
  }
  times.cycle = 1 / numbers[0];
  times.reference = numbers[1];
  const Json answer = {{"urdf", ros2_control_urdf({}, *plugin)}, {"controllers", ros2_control_yaml({}, times)}};
  return to_text(answer);
}

constexpr machines::Query all_queries[] = {
    {"wheels",
     "v (m/s, forward), w (rad/s, to the left) of the middle of the traction axle -> front_right, front_left (rad/s), "
     "rear_right, rear_left (rad, positive turns the truck to the left); where the steering ends first: limited (why) "
     "and the w that is left",
     R"({"v": 0.5, "w": 0.2})", wheels},
    {"twist",
     "front_right, front_left (rad/s), rear_right, rear_left (rad) -> v (m/s), w (rad/s), slip (m/s): the largest "
     "disagreement of a wheel with that twist",
     R"({"front_right": 3.33, "front_left": 2.5, "rear_right": 0.338, "rear_left": 0.437})", twist},
    {"odometry",
     "samples: [[dt, front_right, front_left, rear_right, rear_left], ...], each held for dt seconds; start: [x, y, "
     "yaw] "
     "(0 unless given); point: [x, y] of the truck seen from the middle of the traction axle, which is meant unless "
     "given "
     "-> x, y (m), yaw (rad), distance (m, of the axle), slip (m/s, the largest)",
     R"({"samples": [[1.0, 3.33, 2.5, 0.338, 0.437], [2.0, 2.9, 2.9, 0, 0]]})", odometry},
    {"ros2_control",
     "cycle_hz (100), reference_timeout (0.5 s), package (topic_based_ros2_control or "
     "joint_state_topic_hardware_interface) -> urdf (with the topic-based system of that package) and controllers "
     "(YAML): what users of ros2_control load to drive the truck from their own controller manager",
     R"({"cycle_hz": 100, "package": "joint_state_topic_hardware_interface"})", ros2_control},
};

}  // namespace

std::span<const machines::Query> queries() { return all_queries; }

}  // namespace tandem::raptorlift
