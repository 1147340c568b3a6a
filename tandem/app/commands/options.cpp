// SPDX-License-Identifier: Apache-2.0
// options: what may be configured.
#include <fmt/format.h>

#include "tandem/app/commands.hpp"
#include "tandem/app/commands/option_text.hpp"

namespace tandem::app {

int options(const OptionsArguments& arguments, const runtime::Registry& registry) {
  if (arguments.machine.empty() && arguments.yaml) return fail("--yaml: expected a machine, got none", usage);
  if (arguments.machine.empty()) {
    if (arguments.markdown) {
      fmt::print("{}", option_document(registry));
    } else {
      for (const auto* type : registry.types()) fmt::print("{}\n", option_list(*type));
    }
    return success;
  }
  const auto* type = known_machine(arguments.machine, registry);
  if (type == nullptr) return usage;
  if (arguments.markdown) {
    fmt::print("{}", option_document(runtime::Registry({type})));
  } else {
    fmt::print("{}", arguments.yaml ? option_yaml(*type) : option_list(*type));
  }
  return success;
}

}  // namespace tandem::app
