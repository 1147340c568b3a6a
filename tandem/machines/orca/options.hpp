// SPDX-License-Identifier: Apache-2.0
// The Orca bridge's configuration keys, and what they mean to its parts.
#pragma once

#include <span>
#include <string>

#include "tandem/machines/machine.hpp"
#include "tandem/machines/orca/control/helm.hpp"
#include "tandem/machines/orca/device/link.hpp"
#include "tandem/machines/orca/vision/gate.hpp"
#include "tandem/protocols/mavlink/link/link.hpp"

namespace tandem::orca {

// Of the bridge; orca.yaml beside this file lists them all with their defaults.
std::span<const machines::Option> bridge_options();
// "key=value" of `tandem demo`, over the defaults.
std::span<const std::string> demo_settings();
// Those where other machines run as well.
std::span<const std::string> demo_beside_others();

// How vision is sent to the autopilot.
enum class VisionMessage : std::uint8_t { delta, estimate, odometry };

// Each throws std::invalid_argument for what cannot be.
LinkOptions autopilot_options_from(const machines::Options& options);
HelmOptions helm_options_from(const machines::Options& options);
VisionOptions vision_options_from(const machines::Options& options);
VisionMessage vision_message_from(const machines::Options& options);
mavlink::LinkOptions link_options_from(const machines::Setup& setup);

// "mavlink://HOST[:PORT][?link=udpin|udpout|tcp|tcpin]", or "mavlink://localhost?link=serial&device=/dev/X&baud=N".
// Without `link` we listen (udpin), without a port on 14551.
mavlink::LinkAddress link_address_from(const std::string& device);

}  // namespace tandem::orca
