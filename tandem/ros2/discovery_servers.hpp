// SPDX-License-Identifier: Apache-2.0
// Discovery servers of Fast DDS: which ones, by what name each goes on the wire, and what ROS_DISCOVERY_SERVER says.
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "tandem/base/clock.hpp"
#include "tandem/base/result.hpp"

namespace tandem::ros2 {

struct DiscoveryServer {
  static constexpr std::uint16_t standard_port = 11811;
  static constexpr int highest_id = 255;

  int id = 0;        // as it was started: fast-discovery-server -i 0
  std::string host;  // IPv4 address or name
  std::uint16_t port = standard_port;

  std::string text() const;  // "server 0 at 10.9.0.1:11811"
  bool operator==(const DiscoveryServer&) const = default;
};

// How a client of a server is doing with it.
struct ServerState {
  enum class Kind {
    searching,  // never heard
    connected,
    lost,  // it ended or is silent for longer than its lease: what it said before may be old
  };
  DiscoveryServer server;
  Kind kind = Kind::searching;
  Instant since{};
  bool is_resolved = true;  // its name has an address
};
const char* word(ServerState::Kind kind);  // "searching"

// "10.9.0.1", "lab-pc:14520", as ROS_DISCOVERY_SERVER has it also "UDPv4:[lab-pc]:14520".
Result<DiscoveryServer> server_from(std::string_view address, int id);

// The value of ROS_DISCOVERY_SERVER: a list with ";" in which the place is the id, and empty places are left out.
// Entries that are no server are left out with a warning each; Fast DDS would drop the whole list without a word.
struct ServerList {
  std::vector<DiscoveryServer> servers;
  std::vector<std::string> warnings;
};
ServerList servers_from(std::string_view variable);

// What ROS_DISCOVERY_SERVER is in a file that FASTDDS_ENVIRONMENT_FILE names (JSON); empty if the file does not say.
// The file is read once; Fast DDS itself would watch it.
Result<std::string> servers_in_environment_file(const std::string& file);

// The first twelve bytes of every name on the wire of the server with this id. Fast DDS fixes them.
std::array<std::uint8_t, 12> server_prefix(int id);

bool is_loopback_host(std::string_view host);       // localhost, 127.x.x.x
bool is_on_this_computer(const std::string& host);  // loopback, or an address of an interface that is up

}  // namespace tandem::ros2
