// SPDX-License-Identifier: Apache-2.0
// Bare Fast DDS as rmw_fastrtps uses it: plain payloads, and what belongs together told beside them.
#pragma once

#include <doctest/doctest.h>
#include <fastrtps/attributes/LibrarySettingsAttributes.h>
#include <fastrtps/utils/IPLocator.h>
#include <fastrtps/xmlparser/XMLProfileManager.h>

#include <deque>
#include <fastdds/dds/domain/DomainParticipant.hpp>
#include <fastdds/dds/domain/DomainParticipantFactory.hpp>
#include <fastdds/dds/publisher/DataWriter.hpp>
#include <fastdds/dds/publisher/DataWriterListener.hpp>
#include <fastdds/dds/publisher/Publisher.hpp>
#include <fastdds/dds/subscriber/DataReader.hpp>
#include <fastdds/dds/subscriber/DataReaderListener.hpp>
#include <fastdds/dds/subscriber/SampleInfo.hpp>
#include <fastdds/dds/subscriber/Subscriber.hpp>
#include <fastdds/dds/topic/TopicDataType.hpp>
#include <optional>

#include "tests/peers/ros2/fast_tap.hpp"
#include "tests/ros2/loopback.hpp"

namespace tandem::ros2 {

namespace fast = eprosima::fastdds::dds;
namespace fast_rtps = eprosima::fastrtps::rtps;

using Payload = std::vector<std::uint8_t>;  // CDR with its header

inline Gid gid_of(const fast_rtps::GUID_t& guid) {
  Gid gid;
  std::memcpy(gid.data(), guid.guidPrefix.value, 12);
  std::memcpy(gid.data() + 12, guid.entityId.value, 4);
  return gid;
}

class PayloadType final : public fast::TopicDataType {
 public:
  explicit PayloadType(const std::string& name) {
    setName(name.c_str());
    m_typeSize = 4096;
    m_isGetKeyDefined = false;
    auto_fill_type_object(false);
    auto_fill_type_information(false);
  }
  bool serialize(void* data, fast_rtps::SerializedPayload_t* out) override {
    const Payload& payload = *static_cast<const Payload*>(data);
    if (payload.size() > out->max_size) return false;
    std::ranges::copy(payload, out->data);
    out->length = static_cast<std::uint32_t>(payload.size());
    return true;
  }
  bool deserialize(fast_rtps::SerializedPayload_t* in, void* data) override {
    static_cast<Payload*>(data)->assign(in->data, in->data + in->length);
    return true;
  }
  std::function<std::uint32_t()> getSerializedSizeProvider(void* data) override {
    return [data] { return static_cast<std::uint32_t>(static_cast<const Payload*>(data)->size()); };
  }
  void* createData() override { return new Payload; }
  void deleteData(void* data) override { delete static_cast<Payload*>(data); }
  bool getKey(void*, fast_rtps::InstanceHandle_t*, bool) override { return false; }
};

// A participant on loopback, found by unicast, as with ROS_AUTOMATIC_DISCOVERY_RANGE=LOCALHOST.
class Fast {
 public:
  explicit Fast(int domain) {
    eprosima::fastrtps::LibrarySettingsAttributes settings;
    settings.intraprocess_delivery = eprosima::fastrtps::INTRAPROCESS_OFF;  // else nothing would be on the wire
    eprosima::fastrtps::xmlparser::XMLProfileManager::library_settings(settings);
    auto udp = std::make_shared<eprosima::fastdds::rtps::UDPv4TransportDescriptor>();
    udp->interfaceWhiteList.emplace_back("127.0.0.1");
    udp->maxInitialPeersRange = 32;
    fast::DomainParticipantQos qos;
    const std::string enclave("enclave=/;\0", 11);
    qos.user_data().setValue({enclave.begin(), enclave.end()});
    static std::atomic<int> count = 0;
    qos.wire_protocol().participant_id = 20 + count++ % 12;  // ours take the lowest
    qos.wire_protocol().builtin.metatrafficUnicastLocatorList.push_back(fast_rtps::Locator_t());
    fast_rtps::Locator_t peer;
    fast_rtps::IPLocator::setIPv4(peer, "127.0.0.1");
    qos.wire_protocol().builtin.initialPeersList.push_back(peer);
    qos.transport().use_builtin_transports = false;
    qos.transport().user_transports.push_back(std::make_shared<TappedTransport::Descriptor>(udp, tap_));
    participant_ =
        fast::DomainParticipantFactory::get_instance()->create_participant(static_cast<fast::DomainId_t>(domain), qos);
    REQUIRE(participant_ != nullptr);
    publisher_ = participant_->create_publisher(fast::PUBLISHER_QOS_DEFAULT);
    subscriber_ = participant_->create_subscriber(fast::SUBSCRIBER_QOS_DEFAULT);
  }
  ~Fast() {
    participant_->delete_contained_entities();
    fast::DomainParticipantFactory::get_instance()->delete_participant(participant_);
  }
  Fast(const Fast&) = delete;
  Fast& operator=(const Fast&) = delete;

  fast::DataWriter* writer(const std::string& topic, const std::string& type,
                           fast::DataWriterListener* listener = nullptr) {
    fast::DataWriterQos qos;
    qos.publish_mode().kind = fast::SYNCHRONOUS_PUBLISH_MODE;
    configure(qos);
    fast::DataWriter* writer =
        publisher_->create_datawriter(open(topic, type), qos, listener, fast::StatusMask::publication_matched());
    REQUIRE(writer != nullptr);
    return writer;
  }
  fast::DataReader* reader(const std::string& topic, const std::string& type,
                           fast::DataReaderListener* listener = nullptr) {
    fast::DataReaderQos qos;
    configure(qos);
    fast::DataReader* reader =
        subscriber_->create_datareader(open(topic, type), qos, listener, fast::StatusMask::data_available());
    REQUIRE(reader != nullptr);
    return reader;
  }
  void remove(fast::DataWriter* writer) { publisher_->delete_datawriter(writer); }
  void remove(fast::DataReader* reader) { subscriber_->delete_datareader(reader); }
  const Tap& tap() const { return *tap_; }

 private:
  template <typename EndpointQos>
  static void configure(EndpointQos& qos) {
    qos.reliability().kind = fast::RELIABLE_RELIABILITY_QOS;
    qos.durability().kind = fast::VOLATILE_DURABILITY_QOS;
    qos.history().kind = fast::KEEP_LAST_HISTORY_QOS;
    qos.history().depth = 10;
    qos.endpoint().history_memory_policy = fast_rtps::PREALLOCATED_WITH_REALLOC_MEMORY_MODE;
    qos.data_sharing().off();
  }
  fast::Topic* open(const std::string& name, const std::string& type) {
    if (fast::TopicDescription* known = participant_->lookup_topicdescription(name)) {
      return static_cast<fast::Topic*>(known);
    }
    fast::TypeSupport(new PayloadType(type)).register_type(participant_);
    return participant_->create_topic(name, type, fast::TOPIC_QOS_DEFAULT);
  }

  std::shared_ptr<Tap> tap_ = std::make_shared<Tap>();
  fast::DomainParticipant* participant_ = nullptr;
  fast::Publisher* publisher_ = nullptr;
  fast::Subscriber* subscriber_ = nullptr;
};

inline std::optional<std::pair<Payload, fast::SampleInfo>> take_payload(fast::DataReader* reader) {
  std::pair<Payload, fast::SampleInfo> taken;
  while (reader->take_next_sample(&taken.first, &taken.second) == eprosima::fastrtps::types::ReturnCode_t::RETCODE_OK) {
    if (taken.second.valid_data) return taken;
  }
  return std::nullopt;
}

// `type` is "std_srvs::srv::dds_::SetBool". Replies are taken as soon as they come: the reader keeps ten, and it gets
// those of all other clients of the service too.
class FastClient {
 public:
  FastClient(Fast& peer, const std::string& name, const std::string& type)
      : peer_(peer),
        reader_(peer.reader("rr" + name + "Reply", type + "_Response_", &replies_)),
        writer_(peer.writer("rq" + name + "Request", type + "_Request_")) {}
  ~FastClient() {
    peer_.remove(writer_);
    peer_.remove(reader_);
  }
  FastClient(const FastClient&) = delete;
  FastClient& operator=(const FastClient&) = delete;

  bool ready() const {
    fast::PublicationMatchedStatus takers;
    fast::SubscriptionMatchedStatus givers;
    writer_->get_publication_matched_status(takers);
    reader_->get_subscription_matched_status(givers);
    return takers.current_count > 0 && givers.current_count > 0;
  }
  // The number that the reply will name. Old peers do not tell their reply reader.
  std::int64_t send(Payload request, bool tells_reader = true) {
    fast_rtps::WriteParams parameters;
    if (tells_reader) parameters.related_sample_identity().writer_guid() = reader_->guid();
    CHECK(writer_->write(&request, parameters));
    return static_cast<std::int64_t>(parameters.sample_identity().sequence_number().to64long());
  }
  // A reply for this client and its number; those for others are passed over.
  std::optional<std::pair<std::int64_t, Payload>> take() {
    const std::lock_guard lock(replies_.mutex);
    while (!replies_.taken.empty()) {
      auto [payload, info] = std::move(replies_.taken.front());
      replies_.taken.pop_front();
      const fast_rtps::SampleIdentity& related = info.related_sample_identity;
      if (related.writer_guid() != reader_->guid() && related.writer_guid() != writer_->guid()) continue;
      return std::pair(static_cast<std::int64_t>(related.sequence_number().to64long()), std::move(payload));
    }
    return std::nullopt;
  }
  // Sends once and waits.
  std::optional<Payload> call(const Payload& request, bool tells_reader = true) {
    const std::int64_t number = send(request, tells_reader);
    const auto end = std::chrono::steady_clock::now() + 20s;
    while (std::chrono::steady_clock::now() < end) {
      auto reply = take();
      if (reply && reply->first == number) return std::move(reply->second);
      if (!reply) std::this_thread::sleep_for(100us);
    }
    return std::nullopt;
  }
  Gid reader() const { return gid_of(reader_->guid()); }
  Gid writer() const { return gid_of(writer_->guid()); }

 private:
  struct Replies final : fast::DataReaderListener {
    void on_data_available(fast::DataReader* reader) override {
      const std::lock_guard lock(mutex);
      while (auto sample = take_payload(reader)) taken.push_back(std::move(*sample));
    }
    std::mutex mutex;
    std::deque<std::pair<Payload, fast::SampleInfo>> taken;
  };

  Replies replies_;
  Fast& peer_;
  fast::DataReader* reader_;
  fast::DataWriter* writer_;
};

class FastServer {
 public:
  struct Asked {
    Payload request;
    fast_rtps::SampleIdentity client;  // its reply reader, or else its writer, and the number of the request
  };

  FastServer(Fast& peer, const std::string& name, const std::string& type)
      : peer_(peer),
        writer_(peer.writer("rr" + name + "Reply", type + "_Response_", &readers_)),
        reader_(peer.reader("rq" + name + "Request", type + "_Request_")) {}
  ~FastServer() {
    peer_.remove(reader_);
    peer_.remove(writer_);
  }
  FastServer(const FastServer&) = delete;
  FastServer& operator=(const FastServer&) = delete;

  std::optional<Asked> take() {
    auto taken = take_payload(reader_);
    if (!taken) return std::nullopt;
    Asked asked{std::move(taken->first), taken->second.sample_identity};
    const fast_rtps::GUID_t& told = taken->second.related_sample_identity.writer_guid();
    if (told != fast_rtps::GUID_t::unknown()) asked.client.writer_guid() = told;
    return asked;
  }
  std::optional<Asked> wait(Duration deadline = 20s) {
    std::optional<Asked> asked;
    eventually([&] { return (asked = take()).has_value(); }, deadline);
    return asked;
  }
  // A reader that the request names must be matched within 100 ms, or nothing is sent.
  bool answer(const Asked& asked, Payload response) {
    const fast_rtps::GUID_t& client = asked.client.writer_guid();
    if ((client.entityId.value[3] & 0x04) != 0 && !eventually([&] { return hears(client); }, 100ms)) return false;
    fast_rtps::WriteParams parameters;
    parameters.related_sample_identity(asked.client);
    return writer_->write(&response, parameters);
  }
  template <typename Reply>
  std::jthread serve(Reply reply) {
    return std::jthread([this, reply](const std::stop_token& stop) {
      while (!stop.stop_requested()) {
        const auto asked = take();
        if (asked) {
          answer(*asked, reply(asked->request));
        } else {
          std::this_thread::sleep_for(100us);
        }
      }
    });
  }
  Gid writer() const { return gid_of(writer_->guid()); }

 private:
  // The reply readers that are matched.
  struct Readers final : fast::DataWriterListener {
    void on_publication_matched(fast::DataWriter*, const fast::PublicationMatchedStatus& status) override {
      const std::lock_guard lock(mutex);
      const fast_rtps::GUID_t guid = fast_rtps::iHandle2GUID(status.last_subscription_handle);
      std::erase(guids, guid);
      if (status.current_count_change > 0) guids.push_back(guid);
    }
    std::mutex mutex;
    std::vector<fast_rtps::GUID_t> guids;
  };
  bool hears(const fast_rtps::GUID_t& reader) {
    const std::lock_guard lock(readers_.mutex);
    return std::ranges::find(readers_.guids, reader) != readers_.guids.end();
  }

  Readers readers_;
  Fast& peer_;
  fast::DataWriter* writer_;
  fast::DataReader* reader_;
};

}  // namespace tandem::ros2
