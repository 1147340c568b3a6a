#include <vector>

#include "tandem/machines/orca/machine.hpp"
#include "tandem/machines/orca/options.hpp"
#include "tandem/machines/orca/path_recorder.hpp"
#include "tandem/machines/orca/ros_names.hpp"
#include "tandem/machines/orca/virtual_sight.hpp"
#include "tandem/machines/orca/virtual_truth.hpp"

namespace tandem::orca {

const machines::MachineType& machine_type() {
  static const std::vector<machines::Option> options =
      machines::joined({bridge_options(), virtual_options(), sight_options()});
  static const machines::MachineType type{
      .name = "orca",
      .summary = "Orca submarine with ArduSub on MAVLink and a camera that looks down",
      .scheme = "mavlink",
      .options = options,
      .queries = {},
      .make = [](const machines::Setup& setup) -> std::unique_ptr<machines::Machine> {
        return std::make_unique<Bridge>(setup);
      },
      .make_virtual = make_told_orca,
      .make_twin = nullptr,
      .make_companion = make_companions,
      .virtual_on_ros = told_on_ros,
      .ros_names = ros_names,
      .demo = demo_settings(),
      .demo_beside_others = demo_beside_others(),
  };
  return type;
}

}  // namespace tandem::orca
