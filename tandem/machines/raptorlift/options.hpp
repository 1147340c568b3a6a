// SPDX-License-Identifier: Apache-2.0
// The RaptorLift's configuration keys, and what they mean to its parts.
#pragma once

#include <span>
#include <string>

#include "tandem/machines/options.hpp"
#include "tandem/machines/raptorlift/description.hpp"
#include "tandem/protocols/modbus/client.hpp"

namespace tandem::raptorlift {

// Of the bridge; raptorlift.yaml beside this file lists them all with their defaults.
std::span<const machines::Option> bridge_options();

// Each throws std::invalid_argument for what cannot be.
Description description_from(const machines::Options& options);
Times times_from(const machines::Options& options);

// "modbus://HOST[:502][?unit=1]"
modbus::Peer plc_address_from(const std::string& device);

}  // namespace tandem::raptorlift
