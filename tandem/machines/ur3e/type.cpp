#include <vector>

#include "tandem/machines/ur3e/machine.hpp"
#include "tandem/machines/ur3e/options.hpp"
#include "tandem/machines/ur3e/ros_names.hpp"
#include "tandem/machines/ur3e/solve.hpp"
#include "tandem/machines/ur3e/virtual_ur.hpp"

namespace tandem::ur3e {

const machines::MachineType& machine_type() {
  static const std::vector<machines::Option> options = machines::joined({bridge_options(), virtual_options()});
  static const machines::MachineType type{
      .name = "ur3e",
      .summary = "Universal Robots UR3e arm with a Robotiq Hand-E gripper",
      .scheme = "rtde",
      .options = options,
      .queries = queries(),
      .make = [](const machines::Setup& setup) -> std::unique_ptr<machines::Machine> {
        return std::make_unique<Bridge>(setup);
      },
      .make_virtual = make_virtual_ur,
      .make_twin = nullptr,
      .ros_names = ros_names,
      .demo = demo_settings(),
  };
  return type;
}

}  // namespace tandem::ur3e
