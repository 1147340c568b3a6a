// SPDX-License-Identifier: Apache-2.0
// One participant of Fast DDS, and our options and QoS in its words. Only sources of this folder include this header:
// it and those that include it are the ones that see Fast DDS.
#pragma once

#include <fastdds/dds/domain/DomainParticipant.hpp>
#include <fastdds/dds/domain/DomainParticipantListener.hpp>
#include <fastdds/dds/publisher/DataWriter.hpp>
#include <fastdds/dds/publisher/Publisher.hpp>
#include <fastdds/dds/subscriber/DataReader.hpp>
#include <fastdds/dds/subscriber/Subscriber.hpp>
#include <fastdds/dds/topic/Topic.hpp>
#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <vector>

#include "tandem/ros2/node.hpp"
#include "tandem/ros2/topic_tap.hpp"
#include "tandem/ros2/transport/screened.hpp"

namespace tandem::ros2 {

namespace dds = eprosima::fastdds::dds;
namespace rtps = eprosima::fastrtps::rtps;

Gid gid_from(const rtps::GUID_t& guid);
rtps::GUID_t guid_from(const Gid& gid);
Qos qos_from(const dds::ReliabilityQosPolicy&, const dds::DurabilityQosPolicy&, const dds::DeadlineQosPolicy&,
             const dds::LivelinessQosPolicy&, const dds::LifespanQosPolicy&);
dds::DomainParticipantQos participant_qos(const ContextOptions& options, int participant_id,
                                          const TransportNotes& notes, std::vector<Event>& warnings);
// Whether the name of a host has an address now; takes 2 s at most.
bool can_be_resolved(const std::string& host);
// Whether other computers may be peers.
bool reaches_out(const ContextOptions& options);
dds::DataWriterQos writer_qos(const Qos& qos, const std::string& user_data, bool reaches_out);
dds::DataReaderQos reader_qos(const Qos& qos, const std::string& user_data);
inline std::vector<rtps::octet> octets(const std::string& text) { return {text.begin(), text.end()}; }

// What a topic carries, whatever its type: bytes, written by an Outgoing and read by an Incoming in place. One
// kind for all, so that typed and raw use of a topic never clash.
struct Pending {
  Outgoing outgoing;
  std::uint32_t size = 0;
  const TopicTap* tap = nullptr;
};
struct Arriving {
  Incoming* incoming = nullptr;
  const char* failure = nullptr;
  std::vector<std::uint8_t>* copy = nullptr;  // for a tap
};
dds::TypeSupport bytes_type(const std::string& dds_name);

// The lowest number that no other participant of this process has. Left to itself, Fast DDS counts up indefinitely, and
// from 32 on peers on loopback would no longer look at the port that follows from it.
class ParticipantId {
 public:
  ParticipantId();
  ~ParticipantId();
  ParticipantId(const ParticipantId&) = delete;
  ParticipantId& operator=(const ParticipantId&) = delete;
  int value() const { return value_; }
  // Not to be used again: Fast DDS takes the number of a participant that failed for taken.
  void keep() { kept_ = true; }

 private:
  int value_ = 0;
  bool kept_ = false;
};

// One DDS participant with its ports. A process that gets another address takes a new one, as peers do not forget the
// addresses of the old.
class Presence {
 public:
  // Throws std::runtime_error when DDS does not start.
  Presence(const ContextOptions& options, dds::DomainParticipantListener* listener, const TransportNotes& notes,
           std::vector<Event>& warnings);
  ~Presence();
  Presence(const Presence&) = delete;
  Presence& operator=(const Presence&) = delete;

  // One Topic object per name; counted, as Fast DDS allows no second one. Throws on another type.
  dds::Topic* open_topic(const std::string& dds_topic, const std::string& dds_type);
  void close_topic(const std::string& dds_topic);

  dds::Publisher& publisher() { return *publisher_; }
  dds::Subscriber& subscriber() { return *subscriber_; }
  const Gid& gid() const { return gid_; }
  void turn_deaf();  // the listener receives no more of it

 private:
  struct OpenTopic {
    dds::Topic* topic = nullptr;
    int uses = 0;
  };

  ParticipantId id_;
  dds::DomainParticipant* participant_ = nullptr;
  dds::Publisher* publisher_ = nullptr;
  dds::Subscriber* subscriber_ = nullptr;
  Gid gid_{};
  std::mutex topics_mutex_;
  std::map<std::string, OpenTopic> topics_;
};

}  // namespace tandem::ros2
