// SPDX-License-Identifier: Apache-2.0
// The screened transport between a network and a Fast DDS that are both played by the test.
#include <doctest/doctest.h>
#include <fastdds/rtps/transport/UDPv4TransportDescriptor.h>
#include <fastrtps/utils/IPLocator.h>

#include <string>
#include <thread>

#include "tandem/ros2/transport/screened.hpp"
#include "tests/ros2/rtps/packets.hpp"
#include "tests/ros2/tap.hpp"

namespace tandem::ros2 {
namespace {

using namespace rtps_packets;
using namespace std::chrono_literals;

const Prefix node{1, 15, 7}, other_node{1, 15, 8};
const Ipv4 wired{192, 0, 2, 7}, wireless{198, 51, 100, 7}, elsewhere{203, 0, 113, 66};
constexpr Way spdp{spdp_reader, spdp_writer};

class Line {
 public:
  explicit Line(bool secured = false) {
    auto udp = std::make_shared<eprosima::fastdds::rtps::UDPv4TransportDescriptor>();
    udp->interfaceWhiteList = {"127.0.0.1"};
    descriptor_ = screened_transport(std::make_shared<TapDescriptor>(udp, ports_, TapNetwork::closed), notes_,
                                     {.secured = secured, .endpoints_of_one = 3});
    transport_.reset(descriptor_->create_transport());
    REQUIRE(transport_->init());
    for (const std::uint32_t port : {7410u, 7411u}) {
      Tap::Locator locator(LOCATOR_KIND_UDPv4, port);
      REQUIRE(transport_->OpenInputChannel(locator, &sink_, 65500));
    }
    REQUIRE(ports_->size() == 2);
  }

  // What reaches Fast DDS when this datagram arrives; the second port is that of topics.
  std::vector<Buffer> arrive(const RtpsMessage& message, const Ipv4& from, std::size_t port = 0) {
    return arrive(message.bytes(), from, port);
  }
  std::vector<Buffer> arrive(const Buffer& message, const Ipv4& from, std::size_t port = 0) {
    Tap::Locator sender(LOCATOR_KIND_UDPv4, 40'000);
    eprosima::fastrtps::rtps::IPLocator::setIPv4(sender, from[0], from[1], from[2], from[3]);
    const TapPort& to = ports_->at(port);
    sink_.heard.clear();
    to.receiver->OnDataReceived(message.data(), static_cast<std::uint32_t>(message.size()), to.locator, sender);
    return sink_.heard;
  }
  EndpointCounts& endpoints() { return *notes_.endpoints; }
  bool refused() { return notes_.refusals->news().has_value(); }

 private:
  struct Sink final : Tap::Receiver {
    void OnDataReceived(const unsigned char* data, const std::uint32_t size, const Tap::Locator&,
                        const Tap::Locator&) override {
      heard.emplace_back(data, data + size);
    }
    std::vector<Buffer> heard;
  };

  TransportNotes notes_;
  std::shared_ptr<TapPorts> ports_ = std::make_shared<TapPorts>();
  std::shared_ptr<eprosima::fastdds::rtps::TransportDescriptorInterface> descriptor_;
  Sink sink_;
  std::unique_ptr<eprosima::fastdds::rtps::TransportInterface> transport_;
};

Buffer locator_of(const Ipv4& address) {
  Buffer bytes;
  ByteWriter out(bytes);
  out.little(std::int32_t{1});
  out.little(std::uint32_t{7412});
  out.zeros(12);
  out.bytes(address);
  return bytes;
}

struct Words {
  std::vector<Ipv4> addresses{wired};
  std::int64_t sequence = 1;
  std::int32_t lease = 1;  // s
};

RtpsMessage announced(const Prefix& who, const Words& words) {
  Buffer seconds;
  ByteWriter(seconds).little(words.lease);
  ByteWriter(seconds).zeros(4);
  Parameters parameters;
  parameters.add(0x50, guid_of(who)).add(0x02, seconds).add(0x58, Buffer{1, 0, 0, 0});
  for (const Ipv4& address : words.addresses) parameters.add(0x32, locator_of(address));
  return RtpsMessage(who).data(spdp, words.sequence, parameters.end().bytes());
}

bool is_farewell(const Buffer& message, const Prefix& who) {
  const Buffer guid = guid_of(who);
  return message.size() == 20 + 4 + 4 + 16 + 20 + 8 + 4 && message[21] == 3 &&
         std::ranges::equal(Bytes(message).subspan(48, 16), guid);
}

bool contains(const Buffer& message, const Buffer& part) { return !std::ranges::search(message, part).empty(); }

}  // namespace

TEST_CASE("with security no form of a farewell reaches Fast DDS") {
  Line line(true);
  REQUIRE(line.arrive(announced(node, {}), wired).size() == 1);
  const Buffer own = announced(node, {}).bytes();
  for (const std::uint8_t status : Buffer{1, 2, 3, 4}) {
    for (const Ipv4& from : {wired, elsewhere}) {
      CHECK(line.arrive(farewell(node, {.who = node, .status = status}), from).empty());
      for (const Buffer& payload : {Buffer(4), Buffer{0, 1, 0, 0}, announcement(node).end().bytes()}) {
        CHECK(
            line.arrive(farewell(node, {.who = node, .status = status, .flags = 4, .payload = payload}), from).empty());
      }
      CHECK(line.arrive(farewell(node, {.status = status, .with_hash = false, .flags = 8, .payload = guid_of(node)}),
                        from)
                .empty());
    }
  }
}

TEST_CASE("several announcements in one datagram take no place and are refused") {
  Line line;
  for (int i = 0; i < 100; ++i) {
    RtpsMessage message(node);
    for (std::uint8_t number = 0; number < 10; ++number) {
      Prefix alien{1, 15, 0xee, static_cast<std::uint8_t>(i), number};
      message.data(spdp, 1, announcement(alien).end().bytes());
    }
    message.data(spdp, 1, announcement(node).end().bytes());
    CHECK(line.arrive(message, {127, 0, 0, 1}).empty());
  }
  CHECK(line.refused());
}

TEST_CASE("announcements of several participants that Cyclone DDS bundles count one by one") {
  Line line;
  RtpsMessage bundle = announced(node, {.lease = 100});
  Buffer source{0, 0, 0, 0, 2, 3, 1, 16};
  ByteWriter(source).bytes(other_node);
  bundle.submessage(0x0c, 1, source);
  const Buffer second = announced(other_node, {.lease = 100}).bytes();
  Buffer bytes = bundle.bytes();
  bytes.insert(bytes.end(), second.begin() + 20, second.end());
  const std::vector<Buffer> heard = line.arrive(bytes, wired);
  REQUIRE(heard.size() == 2);
  CHECK(heard[0] == announced(node, {.lease = 100}).bytes());
  CHECK(std::ranges::equal(Bytes(heard[1]).subspan(8), Bytes(second).subspan(8)));
  CHECK(line.arrive(farewell(other_node, {.who = other_node}), wired).size() == 2);  // it had a place
}

TEST_CASE("who has left gives back its place and Fast DDS forgets it as well") {
  Line line;
  REQUIRE(line.arrive(announced(node, {.lease = 100}), wired).size() == 1);  // heard once: others may push it out
  // As when 70 nodes are started again and again within one lease.
  bool in_time = true;
  for (std::uint32_t i = 0; i < 300; ++i) {
    const Prefix brief{1, 15, 0xbb, static_cast<std::uint8_t>(i), static_cast<std::uint8_t>(i >> 8)};
    const std::vector<Buffer> begin = line.arrive(announced(brief, {.lease = 100}), wired);
    in_time = in_time && begin.size() == 1;
    const std::vector<Buffer> end = line.arrive(farewell(brief, {.who = brief, .sequence = 2}), wired);
    REQUIRE(end.size() == 2);
    CHECK(is_farewell(end[0], brief));
    CHECK(is_farewell(end[1], brief));
  }
  CHECK(in_time);
  CHECK_FALSE(line.refused());

  // One that Fast DDS does not read, or of whom it does not know, changes nothing; one for another participant is
  // followed by one for us, so that both lists are the same.
  CHECK(line.arrive(farewell(node, {.who = node}), wired, 1).size() == 1);
  CHECK(line.arrive(farewell(other_node, {.who = other_node}), wired).size() == 1);
  const std::vector<Buffer> both = line.arrive(farewell(node, {.who = node, .sequence = 1}), wired);
  REQUIRE(both.size() == 2);
  CHECK(is_farewell(both[1], node));
  CHECK(both[1][40] == 2);  // above every number that Fast DDS has seen
  CHECK(line.arrive(farewell(node, {.who = node, .sequence = 1}), wired).size() == 1);
  CHECK(line.arrive(farewell(other_node, {.who = node}), wired).empty());
}

TEST_CASE("a farewell of Cyclone DDS ends it at once") {
  Line line;
  REQUIRE(line.arrive(announced(node, {.lease = 100}), wired).size() == 1);
  const Buffer key = Parameters().add(0x50, guid_of(node)).end().bytes();
  const std::vector<Buffer> end =
      line.arrive(farewell(node, {.sequence = 2, .with_hash = false, .flags = 8, .payload = key}), wired);
  REQUIRE(end.size() == 2);
  CHECK(is_farewell(end[1], node));
}

TEST_CASE("when the address that Fast DDS knows falls silent another of the same participant takes over") {
  Line line;
  const RtpsMessage message = announced(node, {{wired, wireless}});
  const std::vector<Buffer> first = line.arrive(message, wired);
  REQUIRE(first.size() == 1);
  CHECK(contains(first[0], locator_of(wired)));
  CHECK_FALSE(contains(first[0], [&] {
    Buffer with_id{0x32, 0, 24, 0};
    ByteWriter(with_id).bytes(locator_of(wireless));
    return with_id;
  }()));
  // Heard on both networks: there is nothing to do, and Fast DDS is left alone.
  const auto start = std::chrono::steady_clock::now();
  while (std::chrono::steady_clock::now() - start < 2500ms) {
    CHECK(line.arrive(message, wireless).size() == 1);
    CHECK(line.arrive(message, wired).size() == 1);
    std::this_thread::sleep_for(100ms);
  }
  // Two leases without a word from the first.
  std::size_t again = 0;
  for (int i = 0; i < 30; ++i) {
    const std::vector<Buffer> heard = line.arrive(message, wireless);
    if (heard.size() == 2) {
      ++again;
      CHECK(is_farewell(heard[0], node));
      CHECK(contains(heard[1], locator_of(wireless)));
    }
    std::this_thread::sleep_for(100ms);
  }
  CHECK(again == 1);
}

TEST_CASE("readers and writers of one address have a limit and leave room for those of others") {
  Line line;
  REQUIRE(line.arrive(announced(node, {}), wired).size() == 1);
  REQUIRE(line.arrive(announced(other_node, {{wireless}}), wireless).size() == 1);
  const auto gid_of = [](const Prefix& who, std::uint8_t number) {
    Gid gid{};
    std::ranges::copy(who, gid.begin());
    gid[14] = number;
    gid[15] = 3;
    return gid;
  };
  // As Fast DDS does with what it gets.
  const auto taken = [&](const Prefix& who, const Ipv4& from, std::uint8_t number) {
    const Gid gid = gid_of(who, number);
    const Way way{{0, 0, 3, 0xc7}, {0, 0, 3, 0xc2}};
    const Buffer words = Parameters().add(0x5a, gid).end().bytes();
    if (line.arrive(RtpsMessage(who).data(way, number, words), from).empty()) return false;
    line.endpoints().add(gid);
    return true;
  };
  for (const std::uint8_t number : Buffer{1, 2, 3}) CHECK(taken(node, wired, number));
  for (const std::uint8_t number : Buffer{4, 5, 1}) CHECK_FALSE(taken(node, wired, number));
  CHECK(line.refused());
  for (const std::uint8_t number : Buffer{1, 2, 3}) CHECK(taken(other_node, wireless, number));
  CHECK_FALSE(taken(other_node, wireless, 4));
  line.endpoints().remove(gid_of(node, 2));
  CHECK(taken(node, wired, 4));
  CHECK_FALSE(taken(node, wired, 5));
  line.endpoints().forget(gid_of(other_node, 0));
  CHECK(line.endpoints().all() == 3);
  CHECK(taken(other_node, wireless, 4));
}

TEST_CASE("groups in which others than DDS listen are hidden") {
  Line line;
  Parameters parameters;
  const Ipv4 group{239, 255, 0, 1}, ssdp{239, 255, 255, 250};
  parameters.add(0x50, guid_of(node)).add(0x58, Buffer{1, 0, 0, 0}).add(0x32, locator_of(wired));
  parameters.add(0x33, locator_of(group)).add(0x33, locator_of(ssdp));
  const std::vector<Buffer> heard = line.arrive(RtpsMessage(node).data(spdp, 1, parameters.end().bytes()), wired);
  REQUIRE(heard.size() == 1);
  const auto shown = [&](const Ipv4& address) {
    Buffer with_id{0x33, 0, 24, 0};
    ByteWriter(with_id).bytes(locator_of(address));
    return contains(heard[0], with_id);
  };
  CHECK(shown(group));
  CHECK_FALSE(shown(ssdp));
}

TEST_CASE("with security an announcement from an address that is new to a live participant is not believed") {
  Line line(true);
  REQUIRE(line.arrive(announced(node, {}), wired).size() == 1);
  CHECK(line.arrive(announced(node, {{elsewhere}, 2}), elsewhere).empty());
  CHECK(line.arrive(announced(node, {{wired, elsewhere}, 3}), elsewhere).empty());
  CHECK(line.refused());
  // The same as before on its second network is no attack, and Fast DDS has read it already.
  CHECK(line.arrive(announced(node, {{wired, wireless}, 1}), wireless).empty());
  CHECK(line.arrive(announced(node, {{wired, elsewhere}, 4}), wired).size() == 1);
  CHECK_FALSE(contains(line.arrive(announced(node, {{wired, elsewhere}, 5}), wired).at(0), [] {
    Buffer with_id{0x32, 0, 24, 0};
    ByteWriter(with_id).bytes(locator_of(elsewhere));
    return with_id;
  }()));
  std::this_thread::sleep_for(2100ms);  // its lease has ended
  CHECK(line.arrive(announced(node, {{wireless}, 6}), wireless).size() == 1);
}

}  // namespace tandem::ros2
