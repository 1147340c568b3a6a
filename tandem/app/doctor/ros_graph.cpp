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
  say(fmt::format("{}: {} is not heard by {}: {}", publisher.topic, of_node(publisher), of_node(subscription), why),
      "let the subscription ask for no more than the publisher offers: best effort and volatile hear everybody");
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
    findings.push_back({Grade::note, "discovery", "off: nobody else on ROS will be seen",
                        "unset ROS_AUTOMATIC_DISCOVERY_RANGE, or set it to SUBNET"});
  } else if (options.range == DiscoveryRange::localhost) {
    findings.push_back({Grade::fine, "discovery",
                        fmt::format("domain {}, this computer only; for other computers: ros: {{discovery: subnet}} or "
                                    "ROS_AUTOMATIC_DISCOVERY_RANGE=SUBNET",
                                    options.domain)});
  } else if (std::none_of(interfaces.begin(), interfaces.end(), outside)) {
    findings.push_back({Grade::wrong, "discovery", "the subnet is asked for, and this computer is on no network",
                        "plug the cable in, or stay local: ros: {discovery: localhost}"});
  } else {
    findings.push_back(
        {Grade::fine, "discovery", fmt::format("domain {}, all computers of the subnet", options.domain)});
    for (const InterfaceFacts& each : interfaces) {
      if (each.loopback || each.multicast) continue;
      findings.push_back({Grade::wrong, "discovery",
                          fmt::format("{} ({}) carries no multicast: nobody is found there", each.name, each.address),
                          fmt::format("ip link set {} multicast on; or name the others: ROS_STATIC_PEERS", each.name)});
    }
  }
  if (options.domain > 101) {
    findings.push_back(
        {Grade::note, "discovery",
         fmt::format("domain {}: its ports lie where Linux takes its own; a port may be taken", options.domain),
         "use a domain up to 101"});
  }
  if (options.shared_memory) {
    findings.push_back(
        {Grade::note, "discovery",
         "shared memory is on: processes in containers that share the network and not /dev/shm never hear us",
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
         fmt::format("{} nodes are called {}: services and parameters reach one of them by chance", count, name),
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
                        others == 0 ? std::string("nobody else on ROS is seen now")
                                    : fmt::format("{} nodes are seen, all topics fit", others)});
  }
  return findings;
}

}  // namespace tandem::app::doctor
