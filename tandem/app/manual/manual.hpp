// SPDX-License-Identifier: Apache-2.0
// `tandem manual` and `tandem completion`: what --help says, for man, for a site and for the shells.
#pragma once

#include <functional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "tandem/app/app.hpp"
#include "tandem/app/manual/command_tree.hpp"

namespace tandem::app {

// A page of section 1, as groff's man macros; the page of "tandem ros topic" is tandem-ros-topic.1.
std::string man_page(const Command& command, std::string_view version);
std::string man_page_name(const Command& command);

// The command and all below it as one document.
std::string command_reference(const Command& command);

// Scripts for each shell; they ask nothing of the program when they run.
std::string bash_completion(const Command& program);
std::string zsh_completion(const Command& program);
std::string fish_completion(const Command& program);

// Adds both commands to the program, hidden from its --help. The answer is each command, and what runs it.
std::vector<std::pair<CLI::App*, std::function<int()>>> add_manual(CLI::App& program,
                                                                   const runtime::Registry& registry);

}  // namespace tandem::app
