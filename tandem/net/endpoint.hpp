// SPDX-License-Identifier: Apache-2.0
// An IPv4 address and a port.
#pragma once

#include <cstdint>
#include <string>

#include "tandem/base/result.hpp"

namespace tandem::net {

// An IPv4 address and port; "127.0.0.1:48898" as text.
struct Endpoint {
  std::uint32_t address = 0;  // host byte order
  std::uint16_t port = 0;

  std::string text() const;
  std::string host() const;
  friend bool operator==(const Endpoint&, const Endpoint&) = default;
};

// Dotted IPv4 or a host name, which is looked up for half a second at most; resolver.hpp takes a deadline.
Result<Endpoint> resolve(const std::string& host, std::uint16_t port);

}  // namespace tandem::net
