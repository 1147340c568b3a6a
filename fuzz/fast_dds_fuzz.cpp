// SPDX-License-Identifier: Apache-2.0
// RTPS datagrams as they come from the network, through the screen and into Fast DDS: a participant without and one
// with DDS Security, each with a topic. Fast DDS is Debian's, without sanitizers: what counts is that it neither ends,
// nor hangs, nor takes memory.
//
// A third participant is a super client of a discovery server on this computer, whose messages these can be.
//
// An input is a list of datagrams, each behind two bytes: its size, and in the highest bits which participant gets it.
#include <fastrtps/utils/IPLocator.h>
#include <fastdds/dds/domain/DomainParticipantFactory.hpp>

#include <algorithm>
#include <array>
#include <cstdlib>

#include "tandem/base/bytes.hpp"
#include "tandem/ros2/dds/presence.hpp"
#include "tests/ros2/keystore.hpp"
#include "tests/ros2/loopback.hpp"
#include "tests/ros2/tap.hpp"

// Debian's Fast DDS never frees the certificate of a participant that it refuses.
extern "C" int __lsan_is_turned_off();
extern "C" int __lsan_is_turned_off() { return 1; }

namespace tandem::ros2 {
namespace {

// Never ends: Fast DDS' threads go on until the process does.
class Victim {
 public:
  explicit Victim(const ContextOptions& options) {
    std::vector<Event> warnings;
    dds::DomainParticipantQos qos = participant_qos(options, id_.value(), notes_, warnings);
    // So that a corpus meets the participant that it was recorded for.
    constexpr std::array<std::uint8_t, 8> prefix{1, 15, 't', 'a', 'n', 'd', 'e', 'm'};
    std::ranges::copy(prefix, qos.wire_protocol().prefix.value);
    qos.wire_protocol().prefix.value[11] = options.security ? 2 : options.servers.empty() ? 1 : 3;
    auto& screen =
        dynamic_cast<eprosima::fastdds::rtps::ChainingTransportDescriptor&>(*qos.transport().user_transports.front());
    screen.low_level_descriptor = std::make_shared<TapDescriptor>(screen.low_level_descriptor, ports_);
    auto* participant = dds::DomainParticipantFactory::get_instance()->create_participant(
        static_cast<dds::DomainId_t>(options.domain), qos, nullptr, dds::StatusMask::none());
    if (participant == nullptr) std::abort();
    bytes_type("std_msgs::msg::dds_::String_").register_type(participant);
    dds::Topic* topic = participant->create_topic("rt/chatter", "std_msgs::msg::dds_::String_", dds::TOPIC_QOS_DEFAULT);
    auto* subscriber = participant->create_subscriber(dds::SUBSCRIBER_QOS_DEFAULT);
    auto* publisher = participant->create_publisher(dds::PUBLISHER_QOS_DEFAULT);
    subscriber->create_datareader(topic, reader_qos(Qos::standard(), ""));
    publisher->create_datawriter(topic, writer_qos(Qos::standard(), "", false));
  }
  void receive(Bytes datagram) {
    rtps::Locator_t from;
    rtps::IPLocator::setIPv4(from, "127.0.0.1");
    from.port = 40'000;
    for (const TapPort& port : *ports_) {
      port.receiver->OnDataReceived(datagram.data(), static_cast<std::uint32_t>(datagram.size()), port.locator, from);
    }
  }

 private:
  ParticipantId id_;
  TransportNotes notes_;
  std::shared_ptr<TapPorts> ports_ = std::make_shared<TapPorts>();
};

struct Victims {
  Victims() {
    keystore.add("/talker");
    ContextOptions options = loopback_options();
    open = new Victim(options);
    options.servers = {{0, "127.0.0.1", 9}};
    client = new Victim(options);
    options.servers.clear();
    options.security = Security{keystore.folder().string(), Security::Strategy::enforce};
    options.enclave = "/talker";
    secured = new Victim(options);
  }
  Keystore keystore;
  Victim *open = nullptr, *secured = nullptr, *client = nullptr;
};

Victims& victims() {
  static Victims all;
  return all;
}

}  // namespace
}  // namespace tandem::ros2

// Certificates and participants take seconds, which are not to count as those of an input.
extern "C" int LLVMFuzzerInitialize(int*, char***) {
  tandem::ros2::victims();
  return 0;
}

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace tandem;
  ros2::Victims& victims = ros2::victims();
  ByteReader in(Bytes(data, size));
  while (in.remaining() > 2) {
    const auto head = in.little<std::uint16_t>();
    const Bytes datagram = in.bytes(std::min<std::size_t>(head & 0x3fff, in.remaining()));
    const bool is_secured = (head & 0x8000) != 0, is_client = (head & 0x4000) != 0;
    (is_client ? victims.client : is_secured ? victims.secured : victims.open)->receive(datagram);
  }
  return 0;
}
