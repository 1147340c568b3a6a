// SPDX-License-Identifier: Apache-2.0
// One string per device: "modbus://192.168.2.1:502?unit=1".
#pragma once

#include <cstdint>
#include <initializer_list>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "tandem/base/result.hpp"

namespace tandem::net {

struct Url {
  std::string scheme;                                      // lower case
  std::string host;                                        // IPv4 address or name
  std::optional<std::uint16_t> port;                       // 1 to 65535
  std::vector<std::pair<std::string, std::string>> query;  // in the order written; every key once

  std::optional<std::string_view> value(std::string_view key) const;

  // A whole number between the bounds, or `otherwise` when the key is not there.
  Result<std::int64_t> number(std::string_view key, std::int64_t otherwise, std::int64_t lowest,
                              std::int64_t highest) const;

  // Good when the query holds no other keys than these; the error names the stranger and the known ones.
  Result<void> only_keys(std::initializer_list<std::string_view> known) const;

  std::string text() const;
};

// Strict: scheme://host[:port][?key=value[&key=value]...], nothing before, between or behind. Values may hold %XX.
// The error names the text, the place in it (the first character is 1) and what was expected there.
Result<Url> parse_url(std::string_view text);

}  // namespace tandem::net
