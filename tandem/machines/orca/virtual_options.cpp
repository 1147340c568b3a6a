#include <array>

#include "tandem/machines/orca/virtual_vehicle.hpp"

namespace tandem::orca {
namespace {

using machines::Option;
using machines::OptionKind;

constexpr std::array virtual_table{
    Option{.name = "seed",
           .kind = OptionKind::number,
           .default_value = "1",
           .help = "virtual vehicle: of its sensors' noise",
           .minimum = 0,
           .maximum = 1e9},
    Option{.name = "ideal_sensors",
           .kind = OptionKind::flag,
           .default_value = "false",
           .help = "virtual vehicle: sensors without noise and bias"},
    Option{.name = "current",
           .kind = OptionKind::numbers,
           .default_value = "[0, 0, 0]",
           .help = "virtual vehicle: velocity of the water, east north up (m/s)",
           .minimum = -3,
           .maximum = 3,
           .count = 3},
    Option{.name = "seafloor",
           .kind = OptionKind::number,
           .default_value = "-4",
           .help = "virtual vehicle: height of the sea floor, the surface is 0 (m)",
           .minimum = -100,
           .maximum = -1},
    Option{.name = "aiding_delay",
           .kind = OptionKind::number,
           .default_value = "3",
           .help = "virtual vehicle: good vision until the estimator trusts it; 33 with a real ArduSub (s)",
           .minimum = 0,
           .maximum = 600},
    Option{.name = "step_ms",
           .kind = OptionKind::number,
           .default_value = "2.5",
           .help = "virtual vehicle: step of physics and autopilot (ms)",
           .minimum = 1,
           .maximum = 10},
    Option{.name = "sitl",
           .kind = OptionKind::flag,
           .default_value = "false",
           .help = "virtual vehicle: only the body, on UDP 9002, for a real ArduSub that flies it (ardusub -M JSON)"},
};

}  // namespace

std::span<const Option> virtual_options() { return virtual_table; }

VehicleSetup vehicle_setup_from(const machines::VirtualSetup& setup) {
  const machines::Options& options = setup.options;
  VehicleSetup vehicle;
  vehicle.listen = setup.listen;
  vehicle.standard_ports = setup.standard_ports;
  vehicle.port = static_cast<std::uint16_t>(setup.port);
  vehicle.sensors.seed = static_cast<std::uint64_t>(options.number("seed"));
  vehicle.sensors.ideal = options.flag("ideal_sensors");
  const auto& current = options.numbers("current");
  vehicle.body.current = {current[0], current[1], current[2]};
  vehicle.body.hull.seafloor = options.number("seafloor");
  vehicle.body.model.timestep = options.number("step_ms") * 1e-3;
  vehicle.aiding_delay = options.number("aiding_delay");
  vehicle.clock = setup.clock;
  return vehicle;
}

}  // namespace tandem::orca
