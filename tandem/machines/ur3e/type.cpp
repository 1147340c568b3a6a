#include <algorithm>
#include <vector>

#include "tandem/machines/ur3e/machine.hpp"
#include "tandem/machines/ur3e/options.hpp"
#include "tandem/machines/ur3e/solve.hpp"
#include "tandem/machines/ur3e/virtual_ur.hpp"

namespace tandem::ur3e {
namespace {

// The machine's keys, then the virtual controller's; a key that both know is listed once.
std::vector<machines::Option> all_options() {
  std::vector<machines::Option> all;
  for (const auto& part : {bridge_options(), virtual_options()}) {
    for (const auto& option : part) {
      const bool known = std::any_of(all.begin(), all.end(), [&](const auto& old) { return old.name == option.name; });
      if (!known) all.push_back(option);
    }
  }
  return all;
}

}  // namespace

const machines::MachineType& machine_type() {
  static const std::vector<machines::Option> options = all_options();
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
      .demo = demo_settings(),
  };
  return type;
}

}  // namespace tandem::ur3e
