// SPDX-License-Identifier: Apache-2.0
// Option tables as text: for a terminal, as a configuration file, and as docs/configuration.md.
#pragma once

#include <string>

#include "tandem/runtime/registry.hpp"

namespace tandem::app {

// "KEY=DEFAULT (type, range)" and the help below it, for each option of a machine.
std::string option_list(const machines::MachineType& type);

// A configuration of one machine with every option at its default, and its help as comments. Lines are wrapped.
std::string option_yaml(const machines::MachineType& type);

// docs/configuration.md: the sections of a configuration file, then every machine's options.
std::string option_document(const runtime::Registry& registry);

}  // namespace tandem::app
