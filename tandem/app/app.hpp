// SPDX-License-Identifier: Apache-2.0
// The command line of tandem.
#pragma once

#include <span>

#include "tandem/runtime/registry.hpp"

namespace tandem::app {

// 0: done; 1: it did not work; 2: the command line makes no sense.
enum ExitCode : int { success = 0, failure = 1, usage = 2 };

// The whole command line with Tandem's own machines and these. A program outside the tree adds a machine so:
//   int main(int argc, char** argv) {
//     const tandem::machines::MachineType* mine[] = {&gantry::machine_type()};
//     return tandem::app::run(argc, argv, mine);
//   }
int run(int argc, const char* const* argv, std::span<const machines::MachineType* const> more = {});
// With these machines only.
int run(int argc, const char* const* argv, const runtime::Registry& registry);

}  // namespace tandem::app
