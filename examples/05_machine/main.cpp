// SPDX-License-Identifier: Apache-2.0
#include "machine.hpp"
#include "tandem/app/app.hpp"

int main(int argc, char** argv) {
  const tandem::machines::MachineType* const mine[] = {&gantry::machine_type()};
  return tandem::app::run(argc, argv, mine);
}
