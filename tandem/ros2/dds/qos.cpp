// SPDX-License-Identifier: Apache-2.0
// QoS in the words of Fast DDS, and back.
#include <algorithm>
#include <cstring>

#include "tandem/ros2/dds/participant.hpp"

namespace tandem::ros2 {
namespace {

using eprosima::fastrtps::Duration_t;

// Of one writer. A sample is sent to each address by itself, 6 us long, in the cycle of a machine: more readers than
// any system has, each at a port of its own, would hold it up.
constexpr std::size_t most_matched = 500;

Duration_t dds_duration(Duration duration) {
  if (duration == Duration::max()) return eprosima::fastrtps::c_TimeInfinite;
  const auto whole = std::chrono::duration_cast<std::chrono::seconds>(duration);
  return {static_cast<std::int32_t>(whole.count()), static_cast<std::uint32_t>((duration - whole).count())};
}

Duration duration_from(const Duration_t& duration) {
  if (duration == eprosima::fastrtps::c_TimeInfinite) return Duration::max();
  return std::chrono::seconds(duration.seconds) + std::chrono::nanoseconds(duration.nanosec);
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
  out.resource_limits().allocated_samples = std::min(most, 10);
  out.reliability().kind =
      qos.reliability == Reliability::reliable ? dds::RELIABLE_RELIABILITY_QOS : dds::BEST_EFFORT_RELIABILITY_QOS;
  out.durability().kind = qos.durability == Durability::transient_local ? dds::TRANSIENT_LOCAL_DURABILITY_QOS
                                                                        : dds::VOLATILE_DURABILITY_QOS;
  out.deadline().period = dds_duration(qos.deadline);
  out.lifespan().duration = dds_duration(qos.lifespan);
  out.liveliness().kind = qos.liveliness == Liveliness::manual_by_topic ? dds::MANUAL_BY_TOPIC_LIVELINESS_QOS
                                                                        : dds::AUTOMATIC_LIVELINESS_QOS;
  out.liveliness().lease_duration = dds_duration(qos.liveliness_lease);
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

rtps::GUID_t guid_from(const Gid& gid) {
  rtps::GUID_t guid;
  std::memcpy(guid.guidPrefix.value, gid.data(), 12);
  std::memcpy(guid.entityId.value, gid.data() + 12, 4);
  return guid;
}

Qos qos_from(const dds::ReliabilityQosPolicy& reliability, const dds::DurabilityQosPolicy& durability,
             const dds::DeadlineQosPolicy& deadline, const dds::LivelinessQosPolicy& liveliness,
             const dds::LifespanQosPolicy& lifespan) {
  Qos qos;
  qos.reliability =
      reliability.kind == dds::RELIABLE_RELIABILITY_QOS ? Reliability::reliable : Reliability::best_effort;
  qos.durability =
      durability.kind >= dds::TRANSIENT_LOCAL_DURABILITY_QOS ? Durability::transient_local : Durability::is_volatile;
  qos.deadline = duration_from(deadline.period);
  qos.lifespan = duration_from(lifespan.duration);
  qos.liveliness =
      liveliness.kind == dds::MANUAL_BY_TOPIC_LIVELINESS_QOS ? Liveliness::manual_by_topic : Liveliness::automatic;
  qos.liveliness_lease = duration_from(liveliness.lease_duration);
  return qos;
}

dds::DataWriterQos writer_qos(const Qos& qos, const std::string& user_data, bool reaches_out) {
  dds::DataWriterQos out;
  configure_endpoint(out, qos, user_data);
  out.publish_mode().kind = dds::SYNCHRONOUS_PUBLISH_MODE;
  out.reliability().max_blocking_time = {0, 1'000'000};
  // How long a late reader of another vendor, or a lost last sample, waits at most. Only while something is not
  // acknowledged.
  out.reliable_writer_qos().times.heartbeatPeriod = {0, 200'000'000};
  // Fast DDS takes no request for a sample this soon after it was sent. With its default of 0 s the timer of it wakes a
  // thread four times for each sample. What a network loses has to be sent again while the history has it; on loopback
  // only a full receive buffer loses anything.
  out.reliable_writer_qos().times.nackSupressionDuration = {0, reaches_out ? 10'000'000u : 50'000'000u};
  out.reliable_writer_qos().times.nackResponseDelay = {0, 1'000'000};
  out.writer_resource_limits().matched_subscriber_allocation.maximum = most_matched;
  return out;
}

dds::DataReaderQos reader_qos(const Qos& qos, const std::string& user_data) {
  dds::DataReaderQos out;
  configure_endpoint(out, qos, user_data);
  return out;
}

}  // namespace tandem::ros2
