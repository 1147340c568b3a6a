// The command line of tandem.
#pragma once

#include <iosfwd>
#include <string>
#include <vector>

#include "tandem/runtime/registry.hpp"

namespace tandem::app {

// 0: done; 1: it did not work; 2: the command line makes no sense.
enum ExitCode : int { success = 0, failure = 1, usage = 2 };

int run(int argc, const char* const* argv, const runtime::Registry& registry);

}  // namespace tandem::app
