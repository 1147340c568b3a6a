// SPDX-License-Identifier: Apache-2.0
// Finding ADS devices and introducing ourselves to them, over UDP port 48899.
#pragma once

#include <string>
#include <vector>

#include "tandem/base/clock.hpp"
#include "tandem/base/result.hpp"
#include "tandem/net/socket.hpp"
#include "tandem/protocols/ads/codec/udp.hpp"

namespace tandem::ads {

// Asks the device at that address who it is.
Result<ServerInfo> discover(const std::string& host, Instant deadline, std::uint16_t port = udp_port);

// Asks the device to accept connections from `request.net_id` at `request.host`. Fault::device with code 0x704 when
// user or password are wrong.
Result<void> add_route(const std::string& host, const RouteRequest& request, Instant deadline,
                       std::uint16_t port = udp_port);

}  // namespace tandem::ads
