// SPDX-License-Identifier: Apache-2.0
// How a process takes part in ROS: domain, reach, distribution; and what the ROS environment variables say of it.
#pragma once

#include <array>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "tandem/base/result.hpp"
#include "tandem/ros2/dds/security.hpp"
#include "tandem/ros2/discovery_servers.hpp"

namespace tandem::ros2 {

class SampleTap;

enum class DiscoveryRange {
  off,             // no one but this process
  localhost,       // this machine and the static peers; without peers nothing leaves the loopback interface
  subnet,          // multicast on every interface, and the static peers
  system_default,  // whatever Fast DDS does by itself
};

// Whose form of the graph message we send. Both are always read.
enum class Distro {
  automatic,  // that of the peers we see, Jazzy's until then
  humble,
  jazzy,  // Iron and later
};

// Something a person should know: peers that do not fit together, samples that could not be read.
struct Event {
  enum class Kind {
    incompatible_qos,
    incompatible_type,
    malformed_sample,
    configuration,
    duplicate_node,    // two nodes with one full name
    second_publisher,  // two publishers of a topic that belongs to one
    security,          // a client was refused
  };
  Kind kind{};
  std::string topic;  // ROS name, or empty
  std::string text;   // a whole sentence
};

struct ContextOptions {
  int domain = 0;
  DiscoveryRange range = DiscoveryRange::localhost;
  bool range_is_asked_for = false;        // not a default: then localhost and off rule out servers elsewhere
  std::vector<std::string> static_peers;  // addresses or host names, with localhost and subnet
  // Discovery servers: if there are any, others are found through them alone, and the range says only whether anything
  // leaves this computer.
  std::vector<DiscoveryServer> servers;
  bool super_client = true;  // servers say all that they know; otherwise only what matches our own topics
  Distro distro = Distro::automatic;
  std::string enclave = "/";         // of the certificates; peers receive it
  std::optional<Security> security;  // none: everybody on the network may speak and listen
  // A faster way between processes of one computer. Off, because peers that do not share /dev/shm (containers) would
  // agree on it and then never hear each other, and killed processes leave files there.
  bool shared_memory = false;
  bool use_sim_time = false;  // nodes begin with this value of their parameter use_sim_time
  SampleTap* tap = nullptr;   // sees every sample of topics; outlives all that is made in the context
  // Called from a thread of DDS; must not block. Events are kept for Context::take_events() as well.
  std::function<void(const Event&)> on_event;
};

// Variables by which Fast DDS would make a participant a client of a discovery server by itself. It must never: we read
// them, and it does not.
inline constexpr std::array<const char*, 2> discovery_server_variables = {"ROS_DISCOVERY_SERVER",
                                                                          "FASTDDS_ENVIRONMENT_FILE"};

// Takes both out of the environment for good; ros_variable() knows them still. For a program, at its start, while it
// has one thread. In a library, whose process may use them otherwise, they are hidden while a participant is made.
void take_discovery_server_variables();
const char* ros_variable(const char* name);

// What servers and range make of each other: a default range follows the servers (loopback alone for one on loopback),
// one that was asked for wins over servers that it cannot reach. Says what is ignored. A second call changes nothing.
void settle_servers(ContextOptions& options, std::vector<std::string>& warnings);

struct EnvironmentOptions {
  ContextOptions options;
  std::vector<std::string> warnings;
};

// ROS_DOMAIN_ID, ROS_LOCALHOST_ONLY, ROS_AUTOMATIC_DISCOVERY_RANGE, ROS_STATIC_PEERS, ROS_SECURITY_*,
// ROS_DISCOVERY_SERVER, FASTDDS_ENVIRONMENT_FILE and ROS_SUPER_CLIENT over `defaults`, with the meaning that rcl and
// Fast DDS give them. An error only where rcl refuses to start; a warning for what is ignored.
Result<EnvironmentOptions> context_options_from_environment(ContextOptions defaults = {});

// The same from any table of variables; the function answers null for one that is not set.
Result<EnvironmentOptions> context_options_from(const std::function<const char*(const char*)>& variable,
                                                ContextOptions defaults);

}  // namespace tandem::ros2
