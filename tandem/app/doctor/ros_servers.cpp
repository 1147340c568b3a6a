// SPDX-License-Identifier: Apache-2.0
#include "tandem/app/doctor/ros_servers.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <set>
#include <stdexcept>

#include "tandem/app/doctor/network.hpp"
#include "tandem/net/own_address.hpp"
#include "tandem/ros2/node.hpp"

namespace tandem::app::doctor {

namespace {

using ros2::DiscoveryServer;
using ros2::ServerState;

constexpr int highest_tried_id = 31;
constexpr Duration patience = 1500ms;

bool is_connected(const ServerState& state) { return state.kind == ServerState::Kind::connected; }

Finding unanswered(const ServerState& state, const OtherIds& others) {
  const DiscoveryServer& server = state.server;
  if (!state.is_resolved) {
    return {Grade::wrong, "discovery", fmt::format("{}: unknown host", server.text()),
            "use its address, or add the name to /etc/hosts"};
  }
  if (const auto other = others.find(server.id); other != others.end()) {
    return {Grade::wrong, "discovery",
            fmt::format("{}: expected id {}, got id {}: a client with another id hears nothing", server.text(),
                        server.id, other->second),
            fmt::format("ros: {{servers: [{{id: {0}, address: {1}:{2}}}]}}, or place {0} (from 0) of "
                        "ROS_DISCOVERY_SERVER; or start it with -i {3}",
                        other->second, server.host, server.port, server.id)};
  }
  if (const auto way = net::own_address_towards(server.host, now() + 3s); !way) {
    return {Grade::wrong, "discovery", fmt::format("{}: {}", server.text(), way.error().text),
            "give this computer an address in the network of the server"};
  }
  return {Grade::wrong, "discovery", fmt::format("{}: no answer", server.text()),
          fmt::format("start it there: fast-discovery-server -i {} -l {} -p {}; a firewall must let UDP {} and the "
                      "answers through",
                      server.id, server.host, server.port, server.port)};
}

}  // namespace

OtherIds other_ids(const ros2::ContextOptions& options, const std::vector<ServerState>& servers) {
  OtherIds others;
  std::set<int> taken;
  for (const ServerState& each : servers) taken.insert(each.server.id);
  for (const ServerState& each : servers) {
    if (is_connected(each) || !each.is_resolved) continue;
    ros2::ContextOptions asking = options;
    asking.super_client = false;
    asking.servers.clear();
    for (int id = 0; id <= highest_tried_id; ++id) {
      if (!taken.contains(id)) asking.servers.push_back({id, each.server.host, each.server.port});
    }
    try {
      const ros2::Context context(asking);
      const Instant end = now() + patience;
      while (now() < end && !others.contains(each.server.id)) {
        system_clock().sleep_until(now() + 50ms);
        const auto found = context.discovery_servers();
        const auto answer = std::ranges::find_if(found, is_connected);
        if (answer != found.end()) others[each.server.id] = answer->server.id;
      }
    } catch (const std::runtime_error&) {
      continue;  // what it would say is said of the servers themselves
    }
  }
  return others;
}

Findings judge_servers(const std::vector<ServerState>& servers, const OtherIds& others) {
  Findings findings;
  for (const ServerState& each : servers) {
    findings.push_back(is_connected(each) ? Finding{Grade::fine, "discovery", each.server.text() + ": connected"}
                                          : unanswered(each, others));
  }
  if (servers.size() == 1) {
    findings.push_back({Grade::note, "discovery", "one discovery server: while it is down, nothing new is discovered",
                        "start a second one with another id on another computer, and list both everywhere"});
  }
  return findings;
}

Findings judge_domains(int own, const ros2::Graph& graph) {
  std::set<int> domains;
  for (const auto& node : graph.nodes) {
    if (!node.local && node.domain >= 0 && node.domain != own) domains.insert(node.domain);
  }
  Findings findings;
  for (const int domain : domains) {
    findings.push_back({Grade::note, "discovery",
                        fmt::format("nodes of domain {} at the servers of domain {}: servers do not separate domains, "
                                    "topics of one name are connected",
                                    domain, own),
                        "use one domain everywhere, or servers of their own for each"});
  }
  return findings;
}

Findings judge_unused_servers(const ros2::ContextOptions& options,
                              const std::function<const char*(const char*)>& variable) {
  const char* const value = variable("ROS_DISCOVERY_SERVER");
  if (value == nullptr || *value == '\0') return {};
  if (ros2::servers_from(value).servers == options.servers) return {};
  return {{Grade::note, "environment",
           fmt::format("ROS_DISCOVERY_SERVER={} is set but not used{}", value,
                       options.servers.empty() ? "" : ": other servers are configured"),
           "unset it, or remove the keys of ros: that win over it (servers, discovery)"}};
}

}  // namespace tandem::app::doctor
