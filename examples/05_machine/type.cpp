// SPDX-License-Identifier: Apache-2.0
// What Tandem has to know of the gantry: its options, its names on ROS, its port, and how to make it.
#include "machine.hpp"
#include "tandem/machines/kit/option_keys.hpp"
#include "tandem/machines/ros_names.hpp"
#include "tandem/protocols/modbus/frame_rules.hpp"

namespace gantry {

using namespace machines;

constexpr std::array<std::string_view, 2> tasks = {"none", "circle"};
constexpr std::array options = {
    number_key("cycle_hz", "100", "cycles per second (Hz)", 10, 500),
    number_key("command_timeout", "0.3", "maximum age of a velocity command (s)", 0.02, 5),
    choice_key("task", "none", "motion without commands, once armed", tasks),
    text_key("node", "gantry", "name of the ROS node"),
    text_key("namespace", "/", "ROS namespace of node and topics"),
};

static RosNames ros_names(const Options& chosen) {
  RosNameList names(chosen.text("node"), chosen.text("namespace"));
  names.hear("~/cmd_vel");
  names.publish("~/joint_states");
  return names.take();
}

const MachineType& machine_type() {
  static const std::array<std::string, 1> demo = {"task=circle"};
  static const std::array ports{FieldPort{"", modbus::tcp_port, &modbus::frame_rules(),
                                          "is the gantry's PLC on, and its Modbus TCP server enabled?"}};
  static const MachineType type{
      .name = "gantry",
      .summary = "Two-axis gantry with a PLC on Modbus TCP",
      .scheme = "modbus",
      .options = options,
      .queries = {},
      .make = [](const Setup& setup) -> std::unique_ptr<Machine> { return std::make_unique<Gantry>(setup); },
      .make_virtual = make_virtual,
      .ros_names = ros_names,
      .demo = demo,
      .ports = ports,
      .example_device = "modbus://192.168.2.7:502",
  };
  return type;
}

}  // namespace gantry
