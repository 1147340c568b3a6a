#include <vector>

#include "tandem/machines/raptorlift/machine.hpp"
#include "tandem/machines/raptorlift/machine_options.hpp"
#include "tandem/machines/raptorlift/options.hpp"
#include "tandem/machines/raptorlift/ros_names.hpp"
#include "tandem/machines/raptorlift/solve.hpp"
#include "tandem/machines/raptorlift/virtual_lift.hpp"

namespace tandem::raptorlift {

const machines::MachineType& machine_type() {
  static const std::vector<machines::Option> options =
      machines::joined({bridge_options(), machine_options(), virtual_options()});
  static const machines::MachineType type{
      .name = "raptorlift",
      .summary = "RaptorLift rear-steer forklift behind a PLC on Modbus TCP",
      .scheme = "modbus",
      .options = options,
      .queries = queries(),
      .make = [](const machines::Setup& setup) -> std::unique_ptr<machines::Machine> {
        return std::make_unique<Bridge>(setup);
      },
      .make_virtual = make_virtual_raptorlift,
      .make_twin = nullptr,
      .ros_names = ros_names,
      .demo = demo_settings(),
      .demo_beside_others = demo_beside_others(),
  };
  return type;
}

}  // namespace tandem::raptorlift
