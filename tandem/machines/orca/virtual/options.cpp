// SPDX-License-Identifier: Apache-2.0
#include <array>

#include "tandem/machines/kit/option_keys.hpp"
#include "tandem/machines/orca/virtual/device.hpp"

namespace tandem::orca {
namespace {

using machines::flag_key;
using machines::number_key;
using machines::numbers_key;
using machines::Option;

constexpr std::array virtual_table{
    number_key("seed", "1", "virtual vehicle: seed of the sensor noise", 0, 1e9),
    flag_key("ideal_sensors", "false", "virtual vehicle: sensors without noise or bias"),
    numbers_key("current", "[0, 0, 0]", "virtual vehicle: velocity of the current, east, north, up (m/s)", -3, 3, 3),
    number_key("seafloor", "-4", "virtual vehicle: height of the sea floor (m); the surface is 0", -100, -1),
    number_key("aiding_delay", "3", "virtual vehicle: time of good vision before the estimator uses it (s)", 0, 600),
    number_key("step_ms", "2.5", "virtual vehicle: time step of physics and autopilot (ms)", 1, 10),
    flag_key("sitl", "false", "virtual vehicle: physics only, on UDP port 9002, for a real ArduSub (ardusub -M JSON)"),
};

}  // namespace

std::span<const Option> virtual_options() { return virtual_table; }

VirtualDeviceSetup vehicle_setup_from(const machines::VirtualSetup& setup) {
  const machines::Options& options = setup.options;
  VirtualDeviceSetup vehicle;
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
  vehicle.plug = setup.plug;
  return vehicle;
}

}  // namespace tandem::orca
