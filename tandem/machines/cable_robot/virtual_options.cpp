#include <array>
#include <stdexcept>

#include "tandem/machines/cable_robot/geometry_file.hpp"
#include "tandem/machines/cable_robot/virtual_robot.hpp"

namespace tandem::cable_robot {
namespace {

using machines::Option;
using machines::OptionKind;

constexpr std::array virtual_table{
    Option{.name = "geometry",
           .default_value = "",
           .help = "file with the robot's points (YAML); empty: the default robot"},
    Option{.name = "stiffness",
           .kind = OptionKind::number,
           .default_value = "0",
           .help = "virtual robot: of its cables, force over strain (N); 0: the geometry's",
           .minimum = 0,
           .maximum = 1e9},
    Option{.name = "cable_damping",
           .kind = OptionKind::number,
           .default_value = "0.0005",
           .help = "virtual robot: of its cables, damping over stiffness (s)",
           .minimum = 0,
           .maximum = 0.002},
    Option{.name = "encoder_noise",
           .kind = OptionKind::number,
           .default_value = "0",
           .help = "virtual robot: standard deviation of measured lengths (m)",
           .minimum = 0,
           .maximum = 0.1},
    Option{.name = "tension_noise",
           .kind = OptionKind::number,
           .default_value = "0",
           .help = "virtual robot: standard deviation of measured tensions (N)",
           .minimum = 0,
           .maximum = 1e6},
    Option{.name = "noise_seed",
           .kind = OptionKind::number,
           .default_value = "1",
           .help = "virtual robot: the same seed makes the same noise",
           .minimum = 0,
           .maximum = 1e9},
    Option{.name = "device_hz",
           .kind = OptionKind::number,
           .default_value = "1000",
           .help = "virtual robot: cycles of its winches a second",
           .minimum = 100,
           .maximum = 4000},
    Option{.name = "faults",
           .kind = OptionKind::texts,
           .default_value = "[]",
           .help = "virtual robot: what goes wrong and when, as \"5 cut 3\", \"8 stick 2\", \"10 silence 1.5\" "
                   "(docs/cable_robot.md)"},
    Option{.name = "most_connections",
           .kind = OptionKind::number,
           .default_value = "8",
           .help = "virtual robot: clients at a time; one more is closed at once",
           .minimum = 1,
           .maximum = 64},
    Option{.name = "idle_limit",
           .kind = OptionKind::number,
           .default_value = "0",
           .help = "virtual robot: closes a client that asks nothing for so long; 0: never (s)",
           .minimum = 0,
           .maximum = 3600},
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

std::unique_ptr<machines::VirtualDevice> make_virtual_cable_robot(const machines::VirtualSetup& setup) {
  const machines::Options& options = setup.options;
  VirtualRobotSetup robot{.robot = robot_of(options)};
  robot.listen = setup.listen;
  robot.port = setup.port != 0 ? static_cast<std::uint16_t>(setup.port)
                               : (setup.standard_ports ? standard_port : std::uint16_t{0});
  robot.station.limits = limits_for(robot.robot);
  robot.station.body = {.cycle = 1 / options.number("device_hz"), .damping = options.number("cable_damping")};
  robot.station.encoder_noise = options.number("encoder_noise");
  robot.station.tension_noise = options.number("tension_noise");
  robot.station.seed = static_cast<std::uint64_t>(options.number("noise_seed"));
  robot.script = options.texts("faults");
  robot.most_connections = static_cast<std::size_t>(options.number("most_connections"));
  robot.idle_limit = duration_of(options.number("idle_limit"));
  robot.clock = setup.clock;
  return make_virtual_robot(robot);
}

}  // namespace tandem::cable_robot
