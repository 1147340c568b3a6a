// SPDX-License-Identifier: Apache-2.0
// tandem as it is, with the counter beside its machines.
#include "tandem/app/app.hpp"
#include "tests/runtime/counter/machine.hpp"

int main(int argc, char** argv) {
  const tandem::machines::MachineType* const counter[] = {&tandem::counter::machine_type()};
  return tandem::app::run(argc, argv, counter);
}
