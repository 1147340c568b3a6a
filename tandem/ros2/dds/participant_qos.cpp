// SPDX-License-Identifier: Apache-2.0
// How a participant is set up: transports, whom it looks for and where, who it is.
#include <fmt/format.h>

#include <fastdds/rtps/transport/UDPv4TransportDescriptor.h>
#include <fastdds/rtps/transport/shared_mem/SharedMemTransportDescriptor.h>
#include <fastrtps/utils/IPLocator.h>

#include <algorithm>
#include <fstream>
#include <future>
#include <map>
#include <set>
#include <stdexcept>
#include <thread>

#include "tandem/ros2/dds/participant.hpp"
#include "tandem/ros2/transport/loopback.hpp"
#include "tandem/ros2/transport/peers.hpp"
#include "tandem/ros2/transport/screened.hpp"

namespace tandem::ros2 {
namespace {

using eprosima::fastdds::rtps::SharedMemTransportDescriptor;
using eprosima::fastdds::rtps::TransportDescriptorInterface;
using eprosima::fastdds::rtps::UDPv4TransportDescriptor;

constexpr std::uint32_t socket_buffer = 1 << 20;   // bytes; with the default, 1 MB messages take 20 times as long
constexpr auto name_deadline = 2s;                 // for the address of a static peer
constexpr std::uint32_t most_participants = 1000;  // that are remembered; the memory that strangers can take is bounded

rtps::Locator_t locator(const std::string& address, std::uint32_t port) {
  rtps::Locator_t locator;
  rtps::IPLocator::setIPv4(locator, address);
  locator.port = port;  // 0: every participant's port
  return locator;
}

// A name server that does not answer must not hold up the start; the thread that asks it is left alone then.
std::vector<std::string> addresses_of(const std::string& name) {
  if (rtps::IPLocator::isIPv4(name)) return {name};
  auto answer = std::make_shared<std::promise<std::vector<std::string>>>();
  std::future<std::vector<std::string>> addresses = answer->get_future();
  std::thread([answer, name] {
    const auto [ipv4, ipv6] = rtps::IPLocator::resolveNameDNS(name);
    answer->set_value({ipv4.begin(), ipv4.end()});
  }).detach();
  if (addresses.wait_for(name_deadline) != std::future_status::ready) return {};
  return addresses.get();
}

void add_static_peers(const ContextOptions& options, rtps::LocatorList_t& peers, std::vector<Event>& warnings) {
  for (const std::string& peer : options.static_peers) {
    const std::vector<std::string> addresses = addresses_of(peer);
    for (const std::string& address : addresses) peers.push_back(locator(address, 0));
    if (addresses.empty()) {
      warnings.push_back({Event::Kind::configuration, "", fmt::format("static peer \"{}\": unknown host", peer)});
    }
  }
}

struct Servers {
  std::map<ParticipantPrefix, std::set<Ipv4>> addresses;
  std::set<Ipv4> elsewhere;
};

// Clients of servers look for nobody else. Where nothing leaves this computer, its own addresses stand for loopback.
Servers configure_servers(const ContextOptions& options, rtps::BuiltinAttributes& builtin, const TransportNotes& notes,
                          std::vector<Event>& warnings) {
  Servers servers;
  const bool out = reaches_out(options);
  rtps::DiscoverySettings& discovery = builtin.discovery_config;
  discovery.discoveryProtocol =
      options.super_client ? rtps::DiscoveryProtocol_t::SUPER_CLIENT : rtps::DiscoveryProtocol_t::CLIENT;
  builtin.metatrafficUnicastLocatorList.push_back(rtps::Locator_t());  // and no multicast
  for (const DiscoveryServer& server : options.servers) {
    const ParticipantPrefix prefix = server_prefix(server.id);
    servers.addresses[prefix];  // without an address the name is nobody's
    const std::vector<std::string> addresses = addresses_of(server.host);
    notes.servers->set_resolved(server.id, !addresses.empty());
    if (addresses.empty()) {
      warnings.push_back(
          {Event::Kind::configuration, "",
           fmt::format("discovery {}: unknown host; its name is looked up again every 10 s", server.text())});
      continue;
    }
    rtps::RemoteServerAttributes remote;
    std::ranges::copy(prefix, remote.guidPrefix.value);
    for (const std::string& address : addresses) {
      const std::optional<Ipv4> known = ipv4_from(address);
      if (!known || (!out && !is_on_this_computer(address))) continue;
      servers.addresses[prefix].insert(*known);
      if (!is_on_this_computer(address)) servers.elsewhere.insert(*known);
      remote.metatrafficUnicastLocatorList.push_back(locator(out ? address : "127.0.0.1", server.port));
    }
    if (!remote.metatrafficUnicastLocatorList.empty()) discovery.m_DiscoveryServers.push_back(remote);
  }
  return servers;
}

void configure_range(const ContextOptions& options, rtps::BuiltinAttributes& builtin, std::vector<Event>& warnings) {
  const std::uint32_t multicast_port = 7400 + 250 * static_cast<std::uint32_t>(options.domain);
  switch (options.range) {
    case DiscoveryRange::off:
      builtin.discovery_config.ignoreParticipantFlags =
          static_cast<rtps::ParticipantFilteringFlags_t>(rtps::FILTER_DIFFERENT_HOST | rtps::FILTER_DIFFERENT_PROCESS);
      builtin.metatrafficUnicastLocatorList.push_back(rtps::Locator_t());
      break;
    case DiscoveryRange::localhost:
      // A unicast locator of our own keeps Fast DDS from joining the multicast group.
      builtin.metatrafficUnicastLocatorList.push_back(rtps::Locator_t());
      builtin.initialPeersList.push_back(locator("127.0.0.1", 0));
      // Peers that rely on multicast listen on its port, for unicast as well.
      builtin.initialPeersList.push_back(locator("127.0.0.1", multicast_port));
      add_static_peers(options, builtin.initialPeersList, warnings);
      break;
    case DiscoveryRange::subnet:
      builtin.initialPeersList.push_back(locator("239.255.0.1", multicast_port));
      builtin.initialPeersList.push_back(locator("127.0.0.1", 0));  // where loopback has no multicast
      add_static_peers(options, builtin.initialPeersList, warnings);
      break;
    case DiscoveryRange::system_default:
      break;
  }
}

// Of other computers.
std::set<Ipv4> unicast_addresses(const rtps::LocatorList_t& locators) {
  std::set<Ipv4> addresses;
  for (const rtps::Locator_t& each : locators) {
    const std::optional<Ipv4> address = ipv4_from(rtps::IPLocator::toIPv4string(each));
    if (address && !rtps::IPLocator::isMulticast(each) && !rtps::IPLocator::isLocal(each)) addresses.insert(*address);
  }
  return addresses;
}

// That static peers name, beside those of DDS.
std::set<Ipv4> listed_groups(const rtps::LocatorList_t& locators) {
  std::set<Ipv4> addresses;
  for (const rtps::Locator_t& each : locators) {
    if (rtps::IPLocator::isMulticast(each)) addresses.insert(ipv4_of(each));
  }
  return addresses;
}

void warn_of_small_buffers(std::vector<Event>& warnings) {
  std::ifstream file("/proc/sys/net/core/rmem_max");  // not there in a network namespace of its own
  std::uint32_t most = 0;
  if (!(file >> most) || most >= socket_buffer) return;
  warnings.push_back(
      {Event::Kind::configuration, "",
       fmt::format("net.core.rmem_max is {}: large messages will be slow; set it to {} or more", most, socket_buffer)});
}

std::shared_ptr<UDPv4TransportDescriptor> udp_transport() {
  auto udp = std::make_shared<UDPv4TransportDescriptor>();
  udp->sendBufferSize = socket_buffer;
  udp->receiveBufferSize = socket_buffer;
  udp->non_blocking_send = true;  // a network that takes nothing must not hold up a cycle; readers ask again
  udp->maxInitialPeersRange = 32;
  return udp;
}

// Whether DDS Security is on.
bool configure_security(const ContextOptions& options, dds::DomainParticipantQos& qos, std::vector<Event>& warnings) {
  if (!options.security) return false;
  const Result<SecurityProperties> properties = security_properties(options.security->keystore, options.enclave);
  if (properties) {
    const Result<void> good = check_security(options.security->keystore, options.enclave);
    if (!good) throw std::runtime_error(good.error().text);
    for (const auto& [name, value] : *properties) qos.properties().properties().emplace_back(name, value);
    return true;
  }
  if (options.security->strategy == Security::Strategy::enforce) throw std::runtime_error(properties.error().text);
  warnings.push_back({Event::Kind::security, "",
                      fmt::format("{}; continuing without security, as the strategy is permissive: anyone on the "
                                  "network can publish and subscribe",
                                  properties.error().text)});
  return false;
}

}  // namespace

bool can_be_resolved(const std::string& host) { return !addresses_of(host).empty(); }

// Without peers elsewhere, nothing leaves this computer. With servers, the range says so.
bool reaches_out(const ContextOptions& options) {
  const bool looks_here = options.range == DiscoveryRange::off || options.range == DiscoveryRange::localhost;
  return !looks_here || (options.range == DiscoveryRange::localhost && !options.static_peers.empty());
}

dds::DomainParticipantQos participant_qos(const ContextOptions& options, int participant_id,
                                          const TransportNotes& notes, std::vector<Event>& warnings) {
  dds::DomainParticipantQos qos;
  qos.name(options.enclave);
  qos.user_data().setValue(octets("enclave=" + options.enclave + ";"));
  qos.allocation().participants.maximum = most_participants;

  qos.wire_protocol().participant_id = participant_id;
  rtps::BuiltinAttributes& builtin = qos.wire_protocol().builtin;
  builtin.readerHistoryMemoryPolicy = rtps::PREALLOCATED_WITH_REALLOC_MEMORY_MODE;
  builtin.writerHistoryMemoryPolicy = rtps::PREALLOCATED_WITH_REALLOC_MEMORY_MODE;
  // With the defaults, one start in twelve is found only after 3 s.
  builtin.discovery_config.initial_announcements.count = 20;
  builtin.discovery_config.initial_announcements.period = {0, 50'000'000};
  builtin.discovery_config.leaseDuration_announcementperiod = {1, 0};
  builtin.discovery_config.leaseDuration = {10, 0};

  const std::shared_ptr<UDPv4TransportDescriptor> udp = udp_transport();
  warn_of_small_buffers(warnings);
  const bool by_servers = !options.servers.empty();
  if (options.security && by_servers) {
    throw std::runtime_error(
        "discovery servers with DDS Security: not supported, as the server would have to be an authenticated "
        "participant; use one of the two");
  }
  Servers servers;
  if (by_servers) servers = configure_servers(options, builtin, notes, warnings);
  if (!by_servers) configure_range(options, builtin, warnings);
  qos.transport().use_builtin_transports = false;
  std::shared_ptr<TransportDescriptorInterface> network = reaches_out(options) ? udp : loopback_transport(udp);
  const std::set<Ipv4> peers = by_servers ? servers.elsewhere : unicast_addresses(builtin.initialPeersList);
  if (!peers.empty() || (by_servers && reaches_out(options))) {
    network = peers_transport(network, peers, notes.relayed);
  }
  const bool secured = configure_security(options, qos, warnings);
  std::set<Ipv4> listed = listed_groups(builtin.initialPeersList);
  if (!by_servers) listed.insert(peers.begin(), peers.end());
  qos.transport().user_transports.push_back(
      screened_transport(network, notes, {secured, std::move(listed), std::move(servers.addresses)}));
  if (options.shared_memory) {
    qos.transport().user_transports.push_back(std::make_shared<SharedMemTransportDescriptor>());
  }
  return qos;
}

}  // namespace tandem::ros2
