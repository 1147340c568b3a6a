// SPDX-License-Identifier: Apache-2.0
#include <array>
#include <vector>

#include "tandem/machines/ur3e/control/machine.hpp"
#include "tandem/machines/ur3e/options.hpp"
#include "tandem/machines/ur3e/ros/names.hpp"
#include "tandem/machines/ur3e/solve.hpp"
#include "tandem/machines/ur3e/virtual/device.hpp"
#include "tandem/protocols/ur/dashboard/dashboard.hpp"
#include "tandem/protocols/ur/frame_rules.hpp"
#include "tandem/protocols/ur/gripper/gripper.hpp"
#include "tandem/protocols/ur/rtde/rtde.hpp"

namespace tandem::ur3e {

const machines::MachineType& machine_type() {
  static const std::vector<machines::Option> options = machines::joined({bridge_options(), virtual_options()});
  static const std::array ports{
      machines::FieldPort{"", ur::rtde::tcp_port, &ur::rtde_frame_rules(),
                          "is the controller running, with RTDE enabled (Settings, Security, Services)?"},
      machines::FieldPort{"dashboard", ur::dashboard::tcp_port, &ur::line_frame_rules(),
                          "enable its dashboard server, or power on and release brakes at the pendant", true},
      machines::FieldPort{"gripper", ur::gripper::tcp_port, &ur::line_frame_rules(),
                          "install Robotiq's URCap, or configure the machine without a gripper", true},
      machines::FieldPort{"primary", 30001, &ur::packet_frame_rules(),
                          "enable its primary client interface (Settings, Security, Services)"},
      machines::FieldPort{"realtime", 30003, &ur::packet_frame_rules()},
      machines::FieldPort{"secondary", 30002, &ur::packet_frame_rules()}};
  static constexpr std::array flags{machines::DeviceFlag{
      "--programs", "FOLDER", "folder of .script and .urp files for `load` and `play`", "programs"}};
  static const machines::MachineType type{
      .name = "ur3e",
      .summary = "Universal Robots UR3e arm with a Robotiq Hand-E gripper",
      .scheme = "rtde",
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
      .flags = flags,
      .example_name = "arm",
      .example_device = "rtde://192.168.1.10",
  };
  return type;
}

}  // namespace tandem::ur3e
