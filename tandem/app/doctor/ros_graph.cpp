// SPDX-License-Identifier: Apache-2.0
#include "tandem/app/doctor/ros_graph.hpp"

#include <arpa/inet.h>
#include <fmt/format.h>
#include <ifaddrs.h>
#include <net/if.h>

#include <algorithm>
#include <array>
#include <map>
#include <set>

namespace tandem::app::doctor {

namespace {

using ros2::DiscoveryRange;
using ros2::GraphEndpoint;

std::string of_node(const GraphEndpoint& endpoint) { return endpoint.node.empty() ? "an unknown node" : endpoint.node; }

void judge_pair(const GraphEndpoint& publisher, const GraphEndpoint& subscription, std::set<std::string>& told,
                Findings& findings) {
  const auto say = [&](std::string text, std::string fix) {
    if (told.insert(text).second) findings.push_back({Grade::wrong, "QoS", std::move(text), std::move(fix)});
  };
  if (publisher.dds_type != subscription.dds_type) {
    return say(fmt::format("{}: {} publishes {}, {} expects {}", publisher.topic, of_node(publisher), publisher.type,
                           of_node(subscription), subscription.type),
               "rename one of the topics, or use one type");
  }
  const std::string why = ros2::incompatibility(publisher.qos, subscription.qos);
  if (why.empty()) return;
  say(fmt::format("{}: {} does not match {}: {}", publisher.topic, of_node(publisher), of_node(subscription), why),
      "do not request more than the publisher offers: best effort and volatile match every publisher");
}

}  // namespace

std::vector<InterfaceFacts> look_at_interfaces() {
  std::vector<InterfaceFacts> interfaces;
  ifaddrs* list = nullptr;
  if (getifaddrs(&list) != 0) return interfaces;
  for (const ifaddrs* each = list; each != nullptr; each = each->ifa_next) {
    if (each->ifa_addr == nullptr || each->ifa_addr->sa_family != AF_INET || (each->ifa_flags & IFF_UP) == 0) continue;
    std::array<char, INET_ADDRSTRLEN> text{};
    inet_ntop(AF_INET, &reinterpret_cast<const sockaddr_in*>(each->ifa_addr)->sin_addr, text.data(), text.size());
    interfaces.push_back(
        {each->ifa_name, text.data(), (each->ifa_flags & IFF_LOOPBACK) != 0, (each->ifa_flags & IFF_MULTICAST) != 0});
  }
  freeifaddrs(list);
  return interfaces;
}

Findings judge_discovery(const ros2::ContextOptions& options, const std::vector<InterfaceFacts>& interfaces) {
  Findings findings;
  const auto outside = [](const InterfaceFacts& each) { return !each.loopback; };
  if (options.range == DiscoveryRange::off) {
    findings.push_back({Grade::note, "discovery", "off: no other ROS 2 nodes will be discovered",
                        "unset ROS_AUTOMATIC_DISCOVERY_RANGE, or set it to SUBNET"});
  } else if (!options.servers.empty()) {
    findings.push_back({Grade::fine, "discovery",
                        fmt::format("by {} discovery servers, as {}; nodes that do not use them are not discovered",
                                    options.servers.size(), options.super_client ? "super client" : "client")});
  } else if (options.range == DiscoveryRange::localhost) {
    findings.push_back({Grade::fine, "discovery",
                        fmt::format("domain {}, this computer only; for other computers: ros: {{discovery: subnet}} or "
                                    "ROS_AUTOMATIC_DISCOVERY_RANGE=SUBNET",
                                    options.domain)});
  } else if (std::none_of(interfaces.begin(), interfaces.end(), outside)) {
    findings.push_back({Grade::wrong, "discovery",
                        "discovery on the subnet is requested, but this computer has no network",
                        "connect a network, or stay local: ros: {discovery: localhost}"});
  } else {
    findings.push_back(
        {Grade::fine, "discovery", fmt::format("domain {}, all computers of the subnet", options.domain)});
    for (const InterfaceFacts& each : interfaces) {
      if (each.loopback || each.multicast) continue;
      findings.push_back(
          {Grade::wrong, "discovery",
           fmt::format("{} ({}) does not support multicast: no nodes are discovered there", each.name, each.address),
           fmt::format("ip link set {} multicast on; or list the peers in ROS_STATIC_PEERS", each.name)});
    }
  }
  if (options.domain > 101) {
    findings.push_back(
        {Grade::note, "discovery",
         fmt::format("domain {}: its ports are in the ephemeral range of Linux; one may be in use", options.domain),
         "use a domain up to 101"});
  }
  if (options.shared_memory) {
    findings.push_back(
        {Grade::note, "discovery",
         "shared memory is enabled: no messages reach containers that share the network but not /dev/shm",
         "ros: {shared_memory: false}"});
  }
  return findings;
}

Findings judge_graph(const ros2::Graph& graph) {
  Findings findings;
  std::map<std::string, int> names;
  for (const auto& node : graph.nodes) ++names[node.full_name()];
  for (const auto& [name, count] : names) {
    if (count < 2) continue;
    findings.push_back(
        {Grade::wrong, "nodes",
         fmt::format("{} nodes are named {}: services and parameters reach an arbitrary one of them", count, name),
         "start one of them with another name or namespace (--ros-args -r __node:=...)"});
  }
  std::set<std::string> told;
  for (const GraphEndpoint& publisher : graph.endpoints) {
    if (!publisher.writes || publisher.topic.empty()) continue;
    for (const GraphEndpoint& subscription : graph.endpoints) {
      if (!subscription.writes && subscription.topic == publisher.topic)
        judge_pair(publisher, subscription, told, findings);
    }
  }
  const auto others = static_cast<std::size_t>(
      std::count_if(graph.nodes.begin(), graph.nodes.end(), [](const auto& node) { return !node.local; }));
  if (findings.empty()) {
    findings.push_back({Grade::fine, "nodes",
                        others == 0 ? std::string("no other ROS 2 nodes discovered")
                                    : fmt::format("{} nodes discovered, all topics match", others)});
  }
  return findings;
}

}  // namespace tandem::app::doctor
