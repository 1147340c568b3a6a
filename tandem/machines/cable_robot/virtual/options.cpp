// SPDX-License-Identifier: Apache-2.0
#include <array>
#include <stdexcept>

#include "tandem/machines/cable_robot/geometry/file.hpp"
#include "tandem/machines/cable_robot/virtual/device.hpp"
#include "tandem/machines/kit/option_keys.hpp"

namespace tandem::cable_robot {
namespace {

using machines::number_key;
using machines::Option;
using machines::text_key;
using machines::texts_key;

constexpr std::array virtual_table{
    text_key("geometry", "", "YAML file with the robot's geometry; empty: the default robot"),
    number_key("stiffness", "0", "virtual robot: cable stiffness as force per strain (N); 0: as in the geometry", 0,
               1e9),
    number_key("cable_damping", "0.0005", "virtual robot: cable damping divided by stiffness (s)", 0, 0.002),
    number_key("encoder_noise", "0", "virtual robot: standard deviation of measured lengths (m)", 0, 0.1),
    number_key("tension_noise", "0", "virtual robot: standard deviation of measured tensions (N)", 0, 1e6),
    number_key("noise_seed", "1", "virtual robot: seed of the measurement noise", 0, 1e9),
    number_key("device_hz", "1000", "virtual robot: control rate of its winches (Hz)", 100, 4000),
    texts_key("faults", "[]",
              "virtual robot: faults and their times, such as \"5 cut 3\", \"8 stick 2\", \"10 silence 1.5\" "
              "(docs/cable_robot.md)"),
    number_key("most_connections", "8", "virtual robot: maximum number of clients; further ones are disconnected", 1,
               64),
    number_key("idle_limit", "0", "virtual robot: idle timeout before a client is disconnected (s); 0 disables it", 0,
               3600),
};

cables::Robot robot_of(const machines::Options& options) {
  const std::string& file = options.text("geometry");
  const double stiffness = options.number("stiffness");
  auto robot = file.empty() ? Result<cables::Robot>(cables::Robot::standard()) : robot_from_file(file);
  if (robot && stiffness > 0) {
    cables::Design design = robot->design();
    design.stiffness = stiffness;
    robot = cables::Robot::from(design);
  }
  if (!robot) throw std::invalid_argument(robot.error().text);
  return std::move(*robot);
}

}  // namespace

std::span<const Option> virtual_options() { return virtual_table; }

std::unique_ptr<machines::VirtualDevice> make_virtual_device(const machines::VirtualSetup& setup) {
  const machines::Options& options = setup.options;
  VirtualDeviceSetup robot{.robot = robot_of(options)};
  robot.listen = setup.listen;
  if (setup.standard_ports) robot.port = standard_port;
  if (setup.port != 0) robot.port = static_cast<std::uint16_t>(setup.port);
  robot.station.limits = limits_for(robot.robot);
  robot.station.body = {.cycle = 1 / options.number("device_hz"), .damping = options.number("cable_damping")};
  robot.station.encoder_noise = options.number("encoder_noise");
  robot.station.tension_noise = options.number("tension_noise");
  robot.station.seed = static_cast<std::uint64_t>(options.number("noise_seed"));
  robot.script = options.texts("faults");
  robot.most_connections = static_cast<std::size_t>(options.number("most_connections"));
  robot.idle_limit = duration_of(options.number("idle_limit"));
  robot.clock = setup.clock;
  robot.plug = setup.plug;
  return make_virtual_device(robot);
}

}  // namespace tandem::cable_robot
