#include <vector>

#include "tandem/machines/cable_robot/machine.hpp"
#include "tandem/machines/cable_robot/options.hpp"
#include "tandem/machines/cable_robot/ros_names.hpp"
#include "tandem/machines/cable_robot/solve.hpp"
#include "tandem/machines/cable_robot/virtual_robot.hpp"

namespace tandem::cable_robot {

const machines::MachineType& machine_type() {
  static const std::vector<machines::Option> options = machines::joined({bridge_options(), virtual_options()});
  static const machines::MachineType type{
      .name = "cable_robot",
      .summary = "Cable robot: a platform in eight cables, on winches behind Modbus TCP",
      .scheme = "modbus",
      .options = options,
      .queries = queries(),
      .make = [](const machines::Setup& setup) -> std::unique_ptr<machines::Machine> {
        return std::make_unique<Bridge>(setup);
      },
      .make_virtual = make_virtual_cable_robot,
      .make_twin = nullptr,
      .ros_names = ros_names,
      .demo = demo_settings(),
  };
  return type;
}

}  // namespace tandem::cable_robot
