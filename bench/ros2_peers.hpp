// SPDX-License-Identifier: Apache-2.0
// What the benches of ROS 2 measure beside ours: bare Fast DDS and bare Cyclone DDS, and other processes to talk to.
#pragma once

#include <dds/dds.h>
#include <fmt/format.h>
#include <unistd.h>

#include <fastdds/rtps/transport/UDPv4TransportDescriptor.h>
#include <fastrtps/utils/IPLocator.h>
#include <chrono>
#include <cstdlib>
#include <cstring>
#include <fastdds/dds/domain/DomainParticipant.hpp>
#include <fastdds/dds/domain/DomainParticipantFactory.hpp>
#include <fastdds/dds/publisher/DataWriter.hpp>
#include <fastdds/dds/publisher/Publisher.hpp>
#include <fastdds/dds/subscriber/DataReader.hpp>
#include <fastdds/dds/subscriber/DataReaderListener.hpp>
#include <fastdds/dds/subscriber/SampleInfo.hpp>
#include <fastdds/dds/subscriber/Subscriber.hpp>
#include <fastdds/dds/topic/TopicDataType.hpp>
#include <fastdds/dds/topic/TypeSupport.hpp>
#include <functional>
#include <memory>
#include <string>
#include <thread>
#include <vector>

#include "bench/other.hpp"
#include "bench/side_by_side.hpp"
#include "messages.h"
#include "tandem/base/clock.hpp"
#include "tandem/ros2/node.hpp"

namespace bench {

using namespace tandem;
namespace fast = eprosima::fastdds::dds;
namespace rtps = eprosima::fastrtps::rtps;

constexpr int domain = 96;

inline ros2::ContextOptions loopback() {
  ros2::ContextOptions options;
  options.domain = domain;
  options.range = ros2::DiscoveryRange::localhost;
  return options;
}

inline double now_us() { return 1e6 * seconds(std::chrono::steady_clock::now().time_since_epoch()); }

template <typename Condition>
bool wait_until(Condition condition, Duration limit = 10s) {
  const auto end = std::chrono::steady_clock::now() + limit;
  while (!condition()) {
    if (std::chrono::steady_clock::now() > end) return false;
    std::this_thread::sleep_for(1ms);
  }
  return true;
}

inline void print_times(const char* what, const std::vector<double>& times) {
  fmt::print("{:<44} p50 {:>8.1f}  p99 {:>8.1f}  max {:>8.1f} us\n", what, quantile(times, 0.5), quantile(times, 0.99),
             quantile(times, 1.0));
}

// The least that Fast DDS can be asked to send: bytes that are there already.
class PlainBytes final : public fast::TopicDataType {
 public:
  explicit PlainBytes(const char* name, bool bounded = false) : bounded_(bounded) {
    setName(name);
    m_typeSize = 256;
    m_isGetKeyDefined = false;
    auto_fill_type_object(false);
    auto_fill_type_information(false);
  }
  bool serialize(void* data, rtps::SerializedPayload_t* payload) override {
    const auto& bytes = *static_cast<const std::vector<std::uint8_t>*>(data);
    std::memcpy(payload->data, bytes.data(), bytes.size());
    payload->length = static_cast<std::uint32_t>(bytes.size());
    payload->encapsulation = CDR_LE;
    return true;
  }
  bool deserialize(rtps::SerializedPayload_t* payload, void* data) override {
    static_cast<std::vector<std::uint8_t>*>(data)->assign(payload->data, payload->data + payload->length);
    return true;
  }
  std::function<std::uint32_t()> getSerializedSizeProvider(void* data) override {
    return [data] { return static_cast<std::uint32_t>(static_cast<const std::vector<std::uint8_t>*>(data)->size()); };
  }
  void* createData() override { return new std::vector<std::uint8_t>; }
  void deleteData(void* data) override { delete static_cast<std::vector<std::uint8_t>*>(data); }
  bool getKey(void*, rtps::InstanceHandle_t*, bool) override { return false; }
  bool is_bounded() const override { return bounded_; }

 private:
  bool bounded_;
};

// Bare Fast DDS on UDP over loopback, with our history and heartbeats; the rest as it comes. With data sharing samples
// stay in memory that both processes have, and only its discovery goes over UDP.
class BareFast {
 public:
  BareFast(int of_domain, int id, const char* topic_name, const char* type_name, bool data_sharing = false)
      : data_sharing_(data_sharing) {
    fast::DomainParticipantQos qos;
    auto udp = std::make_shared<eprosima::fastdds::rtps::UDPv4TransportDescriptor>();
    udp->sendBufferSize = udp->receiveBufferSize = 1 << 20;
    udp->non_blocking_send = true;
    udp->maxInitialPeersRange = 32;
    udp->interfaceWhiteList.emplace_back("127.0.0.1");
    qos.transport().use_builtin_transports = false;
    qos.transport().user_transports.push_back(udp);
    auto& builtin = qos.wire_protocol().builtin;
    builtin.metatrafficUnicastLocatorList.push_back(rtps::Locator_t());
    rtps::Locator_t peer;
    rtps::IPLocator::setIPv4(peer, "127.0.0.1");
    builtin.initialPeersList.push_back(peer);
    qos.wire_protocol().participant_id = id;
    participant_ = fast::DomainParticipantFactory::get_instance()->create_participant(
        static_cast<fast::DomainId_t>(of_domain), qos);
    fast::TypeSupport(new PlainBytes(type_name, data_sharing)).register_type(participant_);
    topic_ = participant_->create_topic(topic_name, type_name, fast::TOPIC_QOS_DEFAULT);
  }
  ~BareFast() {
    participant_->delete_contained_entities();
    fast::DomainParticipantFactory::get_instance()->delete_participant(participant_);
  }
  BareFast(const BareFast&) = delete;
  BareFast& operator=(const BareFast&) = delete;

  void advertise(bool reliable) {
    auto qos = endpoint_qos<fast::DataWriterQos>(reliable);
    qos.reliability().max_blocking_time = {0, 1'000'000};
    qos.publish_mode().kind = fast::SYNCHRONOUS_PUBLISH_MODE;
    qos.reliable_writer_qos().times.heartbeatPeriod = {0, 200'000'000};
    writer_ = participant_->create_publisher(fast::PUBLISHER_QOS_DEFAULT)->create_datawriter(topic_, qos);
  }
  void subscribe(fast::DataReaderListener& listener) {
    participant_->create_subscriber(fast::SUBSCRIBER_QOS_DEFAULT)
        ->create_datareader(topic_, endpoint_qos<fast::DataReaderQos>(true), &listener);
  }
  void write(std::vector<std::uint8_t>& bytes) const { writer_->write(&bytes); }
  bool matched() const {
    fast::PublicationMatchedStatus status;
    writer_->get_publication_matched_status(status);
    return status.current_count > 0;
  }

 private:
  template <typename Qos>
  Qos endpoint_qos(bool reliable) const {
    Qos qos;
    qos.history().kind = fast::KEEP_LAST_HISTORY_QOS;
    qos.history().depth = 10;
    qos.reliability().kind = reliable ? fast::RELIABLE_RELIABILITY_QOS : fast::BEST_EFFORT_RELIABILITY_QOS;
    qos.durability().kind = fast::VOLATILE_DURABILITY_QOS;
    qos.endpoint().history_memory_policy = rtps::PREALLOCATED_WITH_REALLOC_MEMORY_MODE;
    qos.data_sharing().off();
    if (data_sharing_) {
      qos.endpoint().history_memory_policy = rtps::PREALLOCATED_MEMORY_MODE;
      qos.data_sharing().automatic();
    }
    return qos;
  }

  bool data_sharing_;
  fast::DomainParticipant* participant_ = nullptr;
  fast::Topic* topic_ = nullptr;
  fast::DataWriter* writer_ = nullptr;
};

// Cyclone as it is, with types from its own compiler.
struct Cyclone {
  explicit Cyclone(bool reliable = true) {
    setenv("CYCLONEDDS_URI",
           "<General><Interfaces><NetworkInterface address='127.0.0.1' multicast='false'/></Interfaces>"
           "<AllowMulticast>false</AllowMulticast></General><Discovery><ParticipantIndex>auto</ParticipantIndex>"
           "<MaxAutoParticipantIndex>32</MaxAutoParticipantIndex><Peers><Peer address='127.0.0.1'/></Peers>"
           "</Discovery>",
           1);
    participant = dds_create_participant(domain + 1, nullptr, nullptr);
    qos = dds_create_qos();
    dds_qset_reliability(qos, reliable ? DDS_RELIABILITY_RELIABLE : DDS_RELIABILITY_BEST_EFFORT, DDS_MSECS(1));
    dds_qset_history(qos, DDS_HISTORY_KEEP_LAST, 10);
  }
  dds_entity_t topic(const char* name,
                     const dds_topic_descriptor_t& type = std_msgs_msg_dds__Float64MultiArray__desc) const {
    return dds_create_topic(participant, &type, name, nullptr, nullptr);
  }
  static bool matched(dds_entity_t writer) {
    dds_publication_matched_status_t status{};
    return dds_get_publication_matched_status(writer, &status) == 0 && status.current_count > 0;
  }
  dds_entity_t participant = 0;
  dds_qos_t* qos = nullptr;
};

// How long samples take from publish() here to the callback in another process, ours beside bare peers in turns.
// Whether ours is as quick as Cyclone DDS.
bool one_way();
void hear_one_way(const std::string& who, const std::string& file);

}  // namespace bench
