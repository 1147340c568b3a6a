// SPDX-License-Identifier: Apache-2.0
#include <array>
#include <vector>

#include "tandem/machines/cable_robot/control/machine.hpp"
#include "tandem/machines/cable_robot/options.hpp"
#include "tandem/machines/cable_robot/ros/names.hpp"
#include "tandem/machines/cable_robot/solve/solve.hpp"
#include "tandem/machines/cable_robot/virtual/device.hpp"
#include "tandem/protocols/modbus/frame_rules.hpp"

namespace tandem::cable_robot {

const machines::MachineType& machine_type() {
  static const std::vector<machines::Option> options = machines::joined({bridge_options(), virtual_options()});
  static const std::array ports{
      machines::FieldPort{"", modbus::tcp_port, &modbus::frame_rules(),
                          "is the winches' Modbus TCP server running on this port? Virtual ones use 1502 and 1503"}};
  static const machines::MachineType type{
      .name = "cable_robot",
      .summary = "Cable robot: a platform on eight cables, with winches on Modbus TCP",
      .scheme = "modbus",
      .options = options,
      .queries = queries(),
      .make = [](const machines::Setup& setup) -> std::unique_ptr<machines::Machine> {
        return std::make_unique<Machine>(setup);
      },
      .make_virtual = make_virtual_device,
      .make_twin = nullptr,
      .ros_names = ros_names,
      .demo = demo_settings(),
      .ports = ports,
      .example_name = "cables",
      .example_device = "modbus://192.168.2.1:1503?unit=1",
  };
  return type;
}

}  // namespace tandem::cable_robot
