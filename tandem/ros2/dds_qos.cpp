// Our options and QoS in the words of Fast DDS, and back.
#include <fmt/format.h>

#include <fastdds/rtps/transport/UDPv4TransportDescriptor.h>
#include <fastrtps/utils/IPLocator.h>
#include <algorithm>

#include <cstring>
#include <fstream>

#include "tandem/ros2/participant.hpp"

namespace tandem::ros2 {
namespace {

using eprosima::fastrtps::Duration_t;

constexpr std::uint32_t socket_buffer = 1 << 20;  // bytes; with the default, 1 MB messages take 20 times as long

Duration_t dds_duration(Duration duration) {
  if (duration == Duration::max()) return eprosima::fastrtps::c_TimeInfinite;
  const auto whole = std::chrono::duration_cast<std::chrono::seconds>(duration);
  return {static_cast<std::int32_t>(whole.count()), static_cast<std::uint32_t>((duration - whole).count())};
}

Duration duration_from(const Duration_t& duration) {
  if (duration == eprosima::fastrtps::c_TimeInfinite) return Duration::max();
  return std::chrono::seconds(duration.seconds) + std::chrono::nanoseconds(duration.nanosec);
}

std::vector<rtps::octet> octets(const std::string& text) { return {text.begin(), text.end()}; }

rtps::Locator_t locator(const std::string& address, std::uint32_t port) {
  rtps::Locator_t locator;
  rtps::IPLocator::setIPv4(locator, address);
  locator.port = port;  // 0: every participant's port
  return locator;
}

void add_static_peers(const ContextOptions& options, rtps::LocatorList_t& peers, std::vector<Event>& warnings) {
  for (const std::string& peer : options.static_peers) {
    if (rtps::IPLocator::isIPv4(peer)) {
      peers.push_back(locator(peer, 0));
      continue;
    }
    const auto [ipv4, ipv6] = rtps::IPLocator::resolveNameDNS(peer);
    for (const std::string& address : ipv4) peers.push_back(locator(address, 0));
    if (ipv4.empty()) {
      warnings.push_back({Event::Kind::configuration, "",
                          fmt::format("static peer \"{}\": no IPv4 address is known by that name", peer)});
    }
  }
}

void configure_range(const ContextOptions& options, rtps::BuiltinAttributes& builtin,
                     eprosima::fastdds::rtps::UDPv4TransportDescriptor& udp, std::vector<Event>& warnings) {
  const std::uint32_t multicast_port = 7400 + 250 * static_cast<std::uint32_t>(options.domain);
  switch (options.range) {
    case DiscoveryRange::off:
      builtin.discovery_config.ignoreParticipantFlags =
          static_cast<rtps::ParticipantFilteringFlags_t>(rtps::FILTER_DIFFERENT_HOST | rtps::FILTER_DIFFERENT_PROCESS);
      builtin.metatrafficUnicastLocatorList.push_back(rtps::Locator_t());
      udp.interfaceWhiteList.emplace_back("127.0.0.1");
      break;
    case DiscoveryRange::localhost:
      // A unicast locator of our own keeps Fast DDS from joining the multicast group.
      builtin.metatrafficUnicastLocatorList.push_back(rtps::Locator_t());
      builtin.initialPeersList.push_back(locator("127.0.0.1", 0));
      // Peers that rely on multicast listen on its port, for unicast as well.
      builtin.initialPeersList.push_back(locator("127.0.0.1", multicast_port));
      if (options.static_peers.empty()) udp.interfaceWhiteList.emplace_back("127.0.0.1");
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

void warn_of_small_buffers(std::vector<Event>& warnings) {
  std::ifstream file("/proc/sys/net/core/rmem_max");  // not there in a network namespace of its own
  std::uint32_t most = 0;
  if (!(file >> most) || most >= socket_buffer) return;
  warnings.push_back(
      {Event::Kind::configuration, "",
       fmt::format("net.core.rmem_max is {}: large messages will be slow; set it to {} or more", most, socket_buffer)});
}

template <typename EndpointQos>
void configure_endpoint(EndpointQos& out, const Qos& qos, const std::string& user_data) {
  const bool keep_all = qos.history == History::keep_all;
  out.history().kind = keep_all ? dds::KEEP_ALL_HISTORY_QOS : dds::KEEP_LAST_HISTORY_QOS;
  out.history().depth = keep_all ? 1 : qos.depth;
  // No keys: one instance. Fast DDS wants the limits to hold the depth.
  const int most = keep_all ? 5000 : qos.depth;
  out.resource_limits().max_instances = 1;
  out.resource_limits().max_samples = most;
  out.resource_limits().max_samples_per_instance = most;
  out.resource_limits().allocated_samples = std::min(most, 100);
  out.reliability().kind =
      qos.reliability == Reliability::reliable ? dds::RELIABLE_RELIABILITY_QOS : dds::BEST_EFFORT_RELIABILITY_QOS;
  out.durability().kind = qos.durability == Durability::transient_local ? dds::TRANSIENT_LOCAL_DURABILITY_QOS
                                                                        : dds::VOLATILE_DURABILITY_QOS;
  out.deadline().period = dds_duration(qos.deadline);
  out.lifespan().duration = dds_duration(qos.lifespan);
  out.endpoint().history_memory_policy = rtps::PREALLOCATED_WITH_REALLOC_MEMORY_MODE;
  out.data_sharing().off();
  out.user_data().setValue(octets(user_data));
}

}  // namespace

Gid gid_from(const rtps::GUID_t& guid) {
  Gid gid;
  std::memcpy(gid.data(), guid.guidPrefix.value, 12);
  std::memcpy(gid.data() + 12, guid.entityId.value, 4);
  return gid;
}

Qos qos_from(const dds::ReliabilityQosPolicy& reliability, const dds::DurabilityQosPolicy& durability,
             const dds::DeadlineQosPolicy& deadline, const dds::LifespanQosPolicy& lifespan) {
  Qos qos;
  qos.reliability =
      reliability.kind == dds::RELIABLE_RELIABILITY_QOS ? Reliability::reliable : Reliability::best_effort;
  qos.durability =
      durability.kind >= dds::TRANSIENT_LOCAL_DURABILITY_QOS ? Durability::transient_local : Durability::is_volatile;
  qos.deadline = duration_from(deadline.period);
  qos.lifespan = duration_from(lifespan.duration);
  return qos;
}

dds::DomainParticipantQos participant_qos(const ContextOptions& options, int participant_id,
                                          std::vector<Event>& warnings) {
  dds::DomainParticipantQos qos;
  qos.name(options.enclave);
  qos.user_data().setValue(octets("enclave=" + options.enclave + ";"));

  // UDP only: shared memory is silently dead between containers that do not share /dev/shm.
  auto udp = std::make_shared<eprosima::fastdds::rtps::UDPv4TransportDescriptor>();
  udp->sendBufferSize = socket_buffer;
  udp->receiveBufferSize = socket_buffer;
  udp->non_blocking_send = true;  // a network that takes nothing must not hold up a cycle; readers ask again
  udp->maxInitialPeersRange = 32;
  warn_of_small_buffers(warnings);

  qos.wire_protocol().participant_id = participant_id;
  rtps::BuiltinAttributes& builtin = qos.wire_protocol().builtin;
  builtin.readerHistoryMemoryPolicy = rtps::PREALLOCATED_WITH_REALLOC_MEMORY_MODE;
  builtin.writerHistoryMemoryPolicy = rtps::PREALLOCATED_WITH_REALLOC_MEMORY_MODE;
  // With the defaults, one start in twelve is found only after 3 s.
  builtin.discovery_config.initial_announcements.count = 20;
  builtin.discovery_config.initial_announcements.period = {0, 50'000'000};
  builtin.discovery_config.leaseDuration_announcementperiod = {1, 0};
  builtin.discovery_config.leaseDuration = {10, 0};
  configure_range(options, builtin, *udp, warnings);

  qos.transport().use_builtin_transports = false;
  qos.transport().user_transports.push_back(udp);
  return qos;
}

dds::DataWriterQos writer_qos(const Qos& qos, const std::string& user_data) {
  dds::DataWriterQos out;
  configure_endpoint(out, qos, user_data);
  out.publish_mode().kind = dds::SYNCHRONOUS_PUBLISH_MODE;
  out.reliability().max_blocking_time = {0, 1'000'000};
  // How long a late reader of another vendor, or a lost last sample, waits at most. Only while something is not
  // acknowledged.
  out.reliable_writer_qos().times.heartbeatPeriod = {0, 200'000'000};
  return out;
}

dds::DataReaderQos reader_qos(const Qos& qos, const std::string& user_data) {
  dds::DataReaderQos out;
  configure_endpoint(out, qos, user_data);
  return out;
}

}  // namespace tandem::ros2
