// SPDX-License-Identifier: Apache-2.0
// Configuration keys of the machine beside those of the truck's description.
#pragma once

#include <span>
#include <string>

#include "tandem/machines/options.hpp"

namespace tandem::raptorlift {

std::span<const machines::Option> machine_options();
// "key=value" settings of `tandem demo`.
std::span<const std::string> demo_settings();
// Those where other machines run as well.
std::span<const std::string> demo_beside_others();

}  // namespace tandem::raptorlift
