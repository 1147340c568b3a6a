// SPDX-License-Identifier: Apache-2.0
// Where a broker is. Only for the sources of this folder.
#pragma once

#include <cstdint>
#include <string>

#include "tandem/base/result.hpp"
#include "tandem/net/url.hpp"

namespace tandem::mqtt {

struct BrokerUrl {
  std::string host;
  std::uint16_t port = 1883;
  bool tls = false;
};

Result<BrokerUrl> parse_broker(const std::string& text);

}  // namespace tandem::mqtt
