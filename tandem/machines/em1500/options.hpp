// SPDX-License-Identifier: Apache-2.0
// The EM1500's configuration keys, and what they mean to its parts.
#pragma once

#include <span>
#include <string>

#include "tandem/machines/em1500/control/reference.hpp"
#include "tandem/machines/em1500/pose_map.hpp"
#include "tandem/machines/options.hpp"
#include "tandem/protocols/ads/client/client.hpp"

namespace tandem::em1500 {

// Of the bridge; the virtual PLC and the twin add theirs in machine_type().
std::span<const machines::Option> bridge_options();

// Each throws std::invalid_argument for what cannot be.
PoseMap pose_map_from(const machines::Options& options);
ReferenceMode reference_mode_from(const machines::Options& options);
ads::Peer peer_from(const std::string& device);

}  // namespace tandem::em1500
