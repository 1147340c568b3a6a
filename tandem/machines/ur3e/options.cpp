#include "tandem/machines/ur3e/options.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <stdexcept>

#include "tandem/machines/ros_names.hpp"

namespace tandem::ur3e {
namespace {

using machines::Option;
using machines::OptionKind;

constexpr std::array<std::string_view, 2> profiles{"seed", "ur_robot_driver"};
constexpr std::array<std::string_view, 2> tasks{"none", "pick_and_place"};

constexpr std::array bridge_table{
    Option{.name = "cycle_hz",
           .kind = OptionKind::number,
           .default_value = "125",
           .help = "samples and commands a second; 500 divided by a whole number",
           .minimum = 1,
           .maximum = 500},
    Option{.name = "profile",
           .kind = OptionKind::choice,
           .default_value = "seed",
           .help = "which names on ROS; both are those of ur_robot_driver",
           .choices = profiles},
    Option{.name = "gripper",
           .kind = OptionKind::flag,
           .default_value = "true",
           .help = "whether a Robotiq Hand-E answers at the controller"},
    Option{.name = "task",
           .kind = OptionKind::choice,
           .default_value = "none",
           .help = "what the arm does by itself while armed",
           .choices = tasks},
    Option{.name = "pick",
           .kind = OptionKind::numbers,
           .default_value = "[-0.10, -0.30, 0.02]",
           .help = "task: centre of the cube in the controller's base frame (m)",
           .minimum = -1,
           .maximum = 1,
           .count = 3},
    Option{.name = "place",
           .kind = OptionKind::numbers,
           .default_value = "[-0.25, -0.25, 0.02]",
           .help = "task: where the cube goes (m)",
           .minimum = -1,
           .maximum = 1,
           .count = 3},
    Option{.name = "servo_watchdog",
           .kind = OptionKind::number,
           .default_value = "0.02",
           .help = "s without a sign of life from here until the robot stops a trajectory by itself",
           .minimum = 0.01,
           .maximum = 0.5},
    Option{.name = "servo_gain",
           .kind = OptionKind::number,
           .default_value = "2000",
           .help = "how stiffly trajectories are followed (1/s^2)",
           .minimum = 100,
           .maximum = 2000},
    Option{.name = "servo_lookahead",
           .kind = OptionKind::number,
           .default_value = "0.03",
           .help = "how much trajectories are smoothed (s)",
           .minimum = 0.03,
           .maximum = 0.2},
    Option{.name = "node", .default_value = "ur3e", .help = "name of the ROS node"},
    Option{.name = "namespace", .default_value = "/", .help = "ROS namespace of node and topics"},
    Option{.name = "tf_prefix", .default_value = "", .help = "before the names of joints and frames: left_"},
};

Eigen::Vector3d point(const machines::Options& options, std::string_view key) {
  const auto& numbers = options.numbers(key);
  if (numbers.size() != 3)
    throw std::invalid_argument(fmt::format("{}: expected three numbers (x, y, z), seen {}", key, numbers.size()));
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
  if (!options.flag("gripper")) throw std::invalid_argument("task: pick_and_place needs `gripper: true`");
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
