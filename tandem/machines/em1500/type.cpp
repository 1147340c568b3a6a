#include <vector>

#include "tandem/machines/em1500/machine.hpp"
#include "tandem/machines/em1500/options.hpp"
#include "tandem/machines/em1500/ros_names.hpp"
#include "tandem/machines/em1500/solve.hpp"
#include "tandem/machines/em1500/twin.hpp"
#include "tandem/machines/em1500/virtual_plc.hpp"

namespace tandem::em1500 {

const machines::MachineType& machine_type() {
  static const std::vector<machines::Option> options =
      machines::joined({bridge_options(), virtual_options(), twin_options()});
  static const machines::MachineType type{
      .name = "em1500",
      .summary = "EM1500 Stewart platform behind a Beckhoff TwinCAT PLC",
      .scheme = "ads",
      .options = options,
      .queries = queries(),
      .make = [](const machines::Setup& setup) -> std::unique_ptr<machines::Machine> {
        return std::make_unique<Bridge>(setup);
      },
      .make_virtual = make_virtual_plc,
      .make_twin = make_twin,
      .ros_names = ros_names,
  };
  return type;
}

}  // namespace tandem::em1500
