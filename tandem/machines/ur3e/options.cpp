// SPDX-License-Identifier: Apache-2.0
#include "tandem/machines/ur3e/options.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <stdexcept>

#include "tandem/machines/kit/option_keys.hpp"
#include "tandem/machines/ros_names.hpp"
#include "tandem/machines/ur3e/gripper_option.hpp"

namespace tandem::ur3e {
namespace {

using machines::choice_key;
using machines::number_key;
using machines::numbers_key;
using machines::Option;
using machines::text_key;

constexpr std::array<std::string_view, 2> profiles{"original", "ur_robot_driver"};
constexpr std::array<std::string_view, 4> grippers{"hande", "none", "true", "false"};
constexpr std::array<std::string_view, 3> tasks{"none", "paused", "pick_and_place"};

constexpr std::array bridge_table{
    number_key("cycle_hz", "125", "rate of samples and commands (Hz); 500 divided by a whole number", 1, 500),
    choice_key("profile", "original", "ROS names; both are those of ur_robot_driver", profiles),
    choice_key("gripper", "hande", "gripper on the flange: Robotiq Hand-E or none (true and false mean the same)",
               grippers),
    choice_key("task", "none", "what the arm does while armed; paused: nothing, also in `tandem demo`, for a script",
               tasks),
    numbers_key("pick", "[-0.10, -0.30, 0.02]", "task: centre of the cube in the controller's base frame (m)", -1, 1,
                3),
    numbers_key("place", "[-0.25, -0.25, 0.02]", "task: target position of the cube (m)", -1, 1, 3),
    number_key("servo_watchdog", "0.02",
               "timeout after which the robot stops a trajectory if no keep-alive arrives (s)", 0.01, 0.5),
    number_key("servo_gain", "2000", "servoj gain for trajectories (1/s^2)", 100, 2000),
    number_key("servo_lookahead", "0.03", "servoj lookahead time for trajectories (s)", 0.03, 0.2),
    text_key("node", "ur3e", "name of the ROS node"),
    text_key("namespace", "/", "namespace of the node and its topics"),
    text_key("tf_prefix", "", "prefix of joint and frame names, such as left_"),
};

Eigen::Vector3d point(const machines::Options& options, std::string_view key) {
  const auto& numbers = options.numbers(key);
  if (numbers.size() != 3)
    throw std::invalid_argument(fmt::format("{}: expected three numbers (x, y, z), got {}", key, numbers.size()));
  return {numbers[0], numbers[1], numbers[2]};
}

}  // namespace

std::span<const Option> bridge_options() { return bridge_table; }

std::span<const std::string> demo_settings() {
  static const std::array<std::string, 1> settings{"task=pick_and_place"};
  return settings;
}

PilotOptions pilot_options_from(const machines::Options& options) {
  PilotOptions pilot;
  pilot.watchdog.streamed = duration_of(options.number("servo_watchdog"));
  pilot.watchdog.other = std::max(pilot.watchdog.other, pilot.watchdog.streamed);
  pilot.servo_gain = options.number("servo_gain");
  pilot.servo_lookahead = options.number("servo_lookahead");
  if (options.text("task") == "none") return pilot;
  pilot.task_paused = options.text("task") == "paused";
  if (!has_gripper(options))
    throw std::invalid_argument(fmt::format("task: {} needs `gripper: hande`", options.text("task")));
  PickAndPlaceOptions task;
  task.pick = point(options, "pick");
  task.place = point(options, "place");
  auto made = PickAndPlace::make(task);
  if (!made) throw std::invalid_argument("task: " + made.error().text);
  pilot.task = std::move(*made);
  return pilot;
}

std::string frame_prefix_from(const machines::Options& options) { return machines::tf_prefix_from(options); }

ControllerAddress address_from(const std::string& device) {
  auto address = controller_address(device);
  if (!address) throw std::invalid_argument(address.error().text);
  return *address;
}

}  // namespace tandem::ur3e
