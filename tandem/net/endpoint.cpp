// SPDX-License-Identifier: Apache-2.0
#include "tandem/net/endpoint.hpp"

#include <fmt/format.h>

namespace tandem::net {

std::string Endpoint::host() const {
  return fmt::format("{}.{}.{}.{}", address >> 24, address >> 16 & 255, address >> 8 & 255, address & 255);
}

std::string Endpoint::text() const { return fmt::format("{}:{}", host(), port); }

}  // namespace tandem::net
