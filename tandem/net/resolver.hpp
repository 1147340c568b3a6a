// SPDX-License-Identifier: Apache-2.0
// Host names with a deadline.
#pragma once

#include <cstdint>
#include <functional>
#include <string>

#include "tandem/base/clock.hpp"
#include "tandem/base/result.hpp"
#include "tandem/net/endpoint.hpp"

namespace tandem::net {

// Dotted IPv4, at once, or a host name. An answer of the name server serves the calls of the next two seconds as well,
// also one that came after the deadline.
Result<Endpoint> resolve(const std::string& host, std::uint16_t port, Instant deadline);

// What looks names up: the IPv4 address in host byte order, or an error. Called in a thread of its own, may block.
using Lookup = std::function<Result<std::uint32_t>(const std::string& host)>;
// For tests: takes the place of the system's resolver; empty brings that back. Gives the one before.
Lookup replace_lookup(Lookup lookup);

}  // namespace tandem::net
