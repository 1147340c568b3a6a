// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <array>
#include <string>
#include <vector>

#include "tandem/machines/raptorlift/control/machine.hpp"
#include "tandem/machines/raptorlift/control/machine_options.hpp"
#include "tandem/machines/raptorlift/fleet/options.hpp"
#include "tandem/machines/raptorlift/options.hpp"
#include "tandem/machines/raptorlift/ros/names.hpp"
#include "tandem/machines/raptorlift/solve.hpp"
#include "tandem/machines/raptorlift/velocity_inputs.hpp"
#include "tandem/machines/raptorlift/virtual/device.hpp"
#include "tandem/protocols/modbus/frame_rules.hpp"

namespace tandem::raptorlift {
namespace {

constexpr std::array option_notes{
    machines::OptionNote{"exchange", "The original sends fc16 and fc3; one_request needs a PLC with fc23"},
    machines::OptionNote{"wheel_radius",
                         "The original controller has 1.0, since its joints use m/s: see joint_velocity"},
    machines::OptionNote{"position_feedback", "Original: false, since it never flips the steering back"},
    machines::OptionNote{"flip_steering",
                         "The original flips the command only, not the feedback; docs/raptorlift.md has an example"},
    machines::OptionNote{"speed_limit_scale",
                         "Register document: 10000; original program: 100000. Test a changed scale with the wheels off "
                         "the ground first"},
    machines::OptionNote{"brake_torque",
                         "Register document: 300, which is 30 N m; original program: 3000, which is 300 N m"},
    machines::OptionNote{"brake_fade", "Use 1.5 if the PLC applies torque past standstill at speed limit 0"},
    machines::OptionNote{"word_order", "Not specified in the register document"},
    machines::OptionNote{"coil_base", "8192 is M0 on a Mitsubishi; not specified in the register document"},
    machines::OptionNote{"trip_input", "Not part of the register document"},
    machines::OptionNote{"heartbeat", "D24 and D25 are an extension; the register document ends at D23"},
    machines::OptionNote{"links", "Disable it if robot_state_publisher publishes them"}};

}  // namespace

const machines::MachineType& machine_type() {
  static const std::vector<machines::Option> options =
      machines::joined({bridge_options(), machine_options(), fleet::fleet_keys(), virtual_options()});
  static const std::array ports{
      machines::FieldPort{"", modbus::tcp_port, &modbus::frame_rules(),
                          "is the PLC's Modbus TCP server running on this port? Virtual ones use 1502 and 1503"}};
  static constexpr machines::KeyDrive keys{.velocity_topic = source(VelocityInput::teleop).topic,
                                           .frame = "base_footprint",
                                           .odometry_topic = "odom",
                                           .stop_service = "ackermann_steering_controller/stop",
                                           .gears = most_gear,
                                           .first_gear = default_gear,
                                           .gear_speed = gear_speed,
                                           .turn = gear_turn};
  static const machines::MachineType type{
      .name = "raptorlift",
      .summary = "RaptorLift rear-steer forklift with a PLC on Modbus TCP",
      .scheme = "modbus",
      .options = options,
      .queries = queries(),
      .make = [](const machines::Setup& setup) -> std::unique_ptr<machines::Machine> {
        return std::make_unique<Machine>(setup);
      },
      .make_virtual = make_virtual_device,
      .make_twin = nullptr,
      .ros_names = ros_names,
      .broker_identity = [](const machines::Options& given) -> std::string {
        const auto fleet = fleet::fleet_options_from(given);
        if (!fleet) return "";
        const vda5050::Identity& own = fleet->identity;
        return fmt::format("{}/v2/{}/{}", own.interface, own.manufacturer, own.serial_number);
      },
      .demo = demo_settings(),
      .demo_beside_others = demo_beside_others(),
      .ports = ports,
      .keys = &keys,
      .notes = option_notes,
      .example_name = "lift",
      .example_device = "modbus://192.168.2.1:502?unit=1",
      .demo_examples = "  tandem demo raptorlift --record run.mcap --port 9000\n",
  };
  return type;
}

}  // namespace tandem::raptorlift
