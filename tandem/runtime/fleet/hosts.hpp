// SPDX-License-Identifier: Apache-2.0
// hosts.yaml: the tandems of a fleet, each by the address of its page and the file with its token.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "tandem/web/client/connection.hpp"
#include "tandem/yaml/tree.hpp"

namespace tandem::runtime {

struct FleetHost {
  std::string name;
  web::ServerPlace place;  // of its page
  std::string token_file;  // empty: no token, which may view on loopback
  std::string token{};     // read from it
  bool plain = false;      // the token may travel without TLS
};

inline constexpr std::size_t most_hosts = 256;

// Any text in, hosts or yaml::FileError out: an unknown key is one, with its place and the nearest known key. No file
// is read; the names of files are as they are written.
std::vector<FleetHost> parse_hosts(std::string_view text, const std::string& file);

// The same with the tokens, whose files are looked for beside hosts.yaml. Throws yaml::FileError, also for a token that
// every user of this computer can read.
std::vector<FleetHost> load_hosts(const std::string& file);

// The token in a file: alone, or in the address that `tandem page` prints. Error: it is none.
Result<std::string> token_from(std::string_view text);

}  // namespace tandem::runtime
