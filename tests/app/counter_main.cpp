// tandem as it is, with the counter beside its machines: one more line in the registry.
#include "tandem/app/app.hpp"
#include "tests/runtime/counter/machine.hpp"

int main(int argc, char** argv) {
  std::vector<const tandem::machines::MachineType*> types = {&tandem::counter::machine_type()};
  for (const auto* type : tandem::runtime::all_machines().types()) types.push_back(type);
  return tandem::app::run(argc, argv, tandem::runtime::Registry(types));
}
