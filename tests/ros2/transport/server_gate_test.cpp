// SPDX-License-Identifier: Apache-2.0
// Messages of discovery servers, and of those who pretend to be one. What servers send has the form of what Debian's
// fast-discovery-server 2.9.1 sent (captured).
#include "tandem/ros2/transport/server_gate.hpp"

#include <doctest/doctest.h>

#include <random>

#include "tandem/ros2/discovery_servers.hpp"
#include "tandem/ros2/rtps/samples.hpp"
#include "tests/ros2/loopback.hpp"
#include "tests/ros2/rtps/packets.hpp"

namespace tandem::ros2 {
namespace {

using namespace rtps_packets;
using namespace std::chrono_literals;

const Prefix server = server_prefix(0), second = server_prefix(1), us{1, 15, 1}, them{1, 15, 2}, others{1, 15, 3};
const Ipv4 at_server{203, 0, 113, 1}, at_them{203, 0, 113, 2}, elsewhere{203, 0, 113, 66};
constexpr Way spdp{spdp_reader, spdp_writer};
constexpr Way of_writers{{0, 0, 3, 0xc7}, {0, 0, 3, 0xc2}};

Buffer locator_of(const Ipv4& address) {
  Buffer bytes;
  ByteWriter out(bytes);
  out.little(std::int32_t{1});
  out.little(std::uint32_t{7412});
  out.zeros(12);
  out.bytes(address);
  return bytes;
}

Buffer described(const Prefix& who, const std::vector<Ipv4>& addresses) {
  Parameters parameters;
  parameters.add(0x50, guid_of(who)).add(0x58, Buffer{0x3f, 0x0c, 0x30, 0x0c});
  for (const Ipv4& address : addresses) parameters.add(0x32, locator_of(address));
  return parameters.end().bytes();
}

Buffer endpoint_guid(const Prefix& who, std::uint8_t number = 1) {
  Buffer guid(who.begin(), who.end());
  ByteWriter(guid).bytes(EntityId{0, 0, number, 3});
  return guid;
}

Buffer writer_of(const Prefix& who, const Ipv4& address, std::uint8_t number = 1) {
  return Parameters()
      .add(0x2f, locator_of(address))
      .add(0x50, guid_of(who))
      .add(0x70, endpoint_guid(who, number))
      .add(0x5a, endpoint_guid(who, number))
      .end()
      .bytes();
}

RtpsMessage says(const Prefix& source = server) { return RtpsMessage(source).to(us).submessage(0x09, 1, Buffer(8)); }
RtpsMessage relays(const Prefix& who, const std::vector<Ipv4>& addresses, std::int64_t sequence = 4) {
  return says().data(spdp, sequence, described(who, addresses)).heartbeat(spdp, 2, sequence, 5);
}

bool has(const Buffer& message, const Buffer& part) { return !std::ranges::search(message, part).empty(); }
bool is_gap(const Buffer& message) { return message.size() == 20 + 16 + 32 && message[36] == 8; }

struct Gate {
  std::shared_ptr<Relayed> relayed = std::make_shared<Relayed>();
  std::shared_ptr<EndpointCounts> endpoints = std::make_shared<EndpointCounts>();
  OwnAddresses own;
  ServerGate gate{{{{server, {at_server}}, {second, {at_them}}}, false, 3}, relayed, endpoints, own};
  std::vector<std::string> reports;

  // What reaches Fast DDS of a message that is the server's.
  std::vector<Buffer> pass(const Buffer& message, bool is_of_discovery = true) {
    std::vector<Buffer> passed;
    gate.pass(
        message, at_server, is_of_discovery, now(),
        [&](Bytes bytes) { passed.emplace_back(bytes.begin(), bytes.end()); },
        [&](const char* fault) { reports.emplace_back(fault); });
    return passed;
  }
  std::vector<Buffer> pass(const RtpsMessage& message) { return pass(message.bytes()); }
};

}  // namespace

TEST_CASE("a server is one by its name and its address together") {
  const Gate rig;
  const Buffer relay = relays(them, {at_them}).bytes();
  CHECK(rig.gate.is_from_server(relay, at_server, now()));
  CHECK_FALSE(rig.gate.is_from_server(relay, elsewhere, now()));
  CHECK_FALSE(rig.gate.is_from_server(relay, at_them, now()));  // where the other server is
  CHECK(rig.gate.has_name_of_server(relay));
  CHECK_FALSE(rig.gate.is_from_server(relays(them, {at_them}).bytes(), loopback_address, now()));
  CHECK_FALSE(rig.gate.has_name_of_server(RtpsMessage(them).data(spdp, 1, described(them, {at_them})).bytes()));
  CHECK_FALSE(rig.gate.has_name_of_server(Buffer{'R', 'T', 'P', 'S'}));
}

TEST_CASE("a participant that a server announces passes with its address and is forgotten when it ends") {
  Gate rig;
  const Buffer relay = relays(them, {at_them}).bytes();
  REQUIRE(rig.pass(relay) == std::vector<Buffer>{relay});
  CHECK(rig.relayed->has_address(them, at_them));
  CHECK(rig.relayed->has_address(at_them));
  // Its writers, with its addresses and no others.
  const Buffer writer = says().data(of_writers, 1, writer_of(them, at_them)).bytes();
  CHECK(rig.pass(writer) == std::vector<Buffer>{writer});
  const auto hidden = rig.pass(says().data(of_writers, 2, writer_of(them, elsewhere)));
  REQUIRE(hidden.size() == 1);
  CHECK_FALSE(is_gap(hidden.front()));
  CHECK_FALSE(has(hidden.front(), [] {
    Buffer named{0x2f, 0, 24, 0};
    ByteWriter(named).bytes(locator_of(elsewhere));
    return named;
  }()));
  // It moves, and ends.
  REQUIRE(rig.pass(relays(them, {elsewhere}, 5)).size() == 1);
  CHECK_FALSE(rig.relayed->has_address(at_them));
  CHECK(rig.relayed->has_address(them, elsewhere));
  const Buffer end = farewell(server, {.who = them, .sequence = 6}).bytes();
  CHECK(rig.pass(end) == std::vector<Buffer>{end});
  CHECK(rig.relayed->size() == 0);
  CHECK_FALSE(rig.relayed->has_address(elsewhere));
  CHECK(rig.reports.empty());
}

TEST_CASE("the server itself is announced at its own address and takes no place") {
  Gate rig;
  CHECK_FALSE(is_gap(rig.pass(relays(server, {at_server, {0, 0, 0, 0}}, 2)).at(0)));
  CHECK(rig.relayed->size() == 0);
  CHECK(is_gap(rig.pass(relays(server, {elsewhere}, 3)).at(0)));
}

TEST_CASE("what a server relays and Fast DDS must not see leaves a gap in its place") {
  Gate rig;
  rig.gate.note_own_name(RtpsMessage(us).bytes());
  REQUIRE(rig.pass(relays(them, {at_them}, 1)).size() == 1);
  Buffer other_entity = guid_of(others);
  other_entity.back() = 0xc2;
  Buffer without_end = described(others, {elsewhere});
  without_end.resize(without_end.size() - 4);
  const std::vector<RtpsMessage> refused = {
      relays(us, {elsewhere}),      // us
      relays(second, {elsewhere}),  // another server
      relays(others, {}).data(spdp, 5, described(others, {elsewhere})).submessage(0x0c, 1, Buffer(20)),
      relays(others, {{127, 0, 0, 1}}),  // of the server's computer, which is not this one
      relays(others, {{0, 0, 0, 0}}),
      relays(others, {{255, 255, 255, 255}}),
      relays(others, {{239, 255, 255, 250}}),
      says().data(spdp, 4, without_end),
      says().data(spdp, 4, Buffer(40)),
      says().data(spdp, 4, Parameters().add(0x50, guid_of(others)).add(0x50, guid_of(them)).end().bytes()),
      says().data(spdp, 4, Parameters().add(0x50, other_entity).add(0x58, Buffer(4)).end().bytes()),
      says().data(spdp, 4, Parameters().add(0x50, guid_of(others)).end().bytes()),  // without builtin endpoints
      says().data(spdp, 4, Parameters().add(0x62, Buffer{255, 255, 255, 255}).end().bytes()),
      says().data(of_writers, 4, Parameters().add(0x50, guid_of(others)).end().bytes()),
      says().data(of_writers, 4, writer_of(us, at_them)),
      says().data(of_writers, 4, Parameters().add(0x50, guid_of(them)).add(0x5a, endpoint_guid(others)).end().bytes()),
      farewell(server, {.who = us}),
      farewell(server, {.who = second}),
      farewell(server, {.who = them, .with_hash = false}),
      farewell(server, {.who = them, .status = 0}),
  };
  for (std::size_t i = 0; i < refused.size(); ++i) {
    CAPTURE(i);
    const std::size_t before = rig.reports.size();
    for (const Buffer& passed : rig.pass(refused[i])) {
      CHECK(source_of(passed) == server);
      CHECK_FALSE(has(passed, guid_of(us)));
      CHECK_FALSE(has(passed, guid_of(others)));
    }
    CHECK(rig.reports.size() > before);
  }
  CHECK(rig.relayed->size() == 1);
  // The number of the sample, and the one behind it.
  const auto gap = rig.pass(relays(us, {elsewhere}, 9));
  REQUIRE(gap.size() == 1);
  CHECK(gap.front() == RtpsMessage(server).to(us).gap(spdp, 9, {10, 0, {}}).bytes());
}

TEST_CASE("what a server says to have ended by a key is what the key hash names") {
  constexpr std::uint8_t is_key = 8;
  const auto ends = [&](const Prefix& who, const Buffer& key) {
    return farewell(server, {.who = who, .flags = is_key, .payload = key});
  };
  const auto list = [](const Buffer& participant) { return Parameters().add(0x50, participant).end().bytes(); };
  Gate rig;
  rig.gate.note_own_name(RtpsMessage(us).bytes());
  Buffer too_long = guid_of(them);
  too_long.resize(20);
  Buffer first_bytes = guid_of(us);
  first_bytes.resize(12);
  const std::vector<Buffer> refused = {
      guid_of(us),  // Fast DDS would take it for the one that ends
      guid_of(second),
      guid_of(others),
      first_bytes,
      too_long,  // neither a key nor a list
      list(guid_of(us)),
      Parameters().add(0x50, guid_of(them)).add(0x70, guid_of(us)).end().bytes(),
      Parameters().add(0x50, guid_of(us)).add(0x50, guid_of(them)).end().bytes(),
      Parameters().add(0x50, guid_of(them)).bytes(),  // without an end
      Parameters().end().bytes(),
      Parameters().add(0x58, Buffer(16)).end().bytes(),
  };
  for (std::size_t i = 0; i < refused.size(); ++i) {
    CAPTURE(i);
    REQUIRE(rig.pass(relays(them, {at_them}, 1)).size() == 1);
    const std::size_t before = rig.reports.size();
    const auto passed = rig.pass(ends(them, refused[i]));
    CHECK(rig.reports.size() == before + 1);
    CHECK(rig.relayed->size() == 1);
    for (const Buffer& part : passed) CHECK_FALSE(has(part, guid_of(them)));
  }
  for (const Buffer& key : {guid_of(them), list(guid_of(them))}) {
    CAPTURE(key.size());
    REQUIRE(rig.pass(relays(them, {at_them}, 1)).size() == 1);
    const Buffer end = ends(them, key).bytes();
    CHECK(rig.pass(end) == std::vector<Buffer>{end});
    CHECK(rig.relayed->size() == 0);
  }
}

TEST_CASE("several samples in one message of a server are judged one by one") {
  Gate rig;
  const auto passed = rig.pass(says()
                                   .data(spdp, 4, described(them, {at_them}))
                                   .data(spdp, 5, described(second, {elsewhere}))
                                   .data(spdp, 6, described(others, {elsewhere}))
                                   .heartbeat(spdp, 2, 6, 7));
  REQUIRE(passed.size() == 3);
  CHECK(passed[0] == says().data(spdp, 4, described(them, {at_them})).bytes());
  CHECK(is_gap(passed[1]));
  CHECK(passed[2] == says().data(spdp, 6, described(others, {elsewhere})).heartbeat(spdp, 2, 6, 7).bytes());
  CHECK(rig.relayed->size() == 2);
}

TEST_CASE("participants, their addresses and their readers and writers are bounded") {
  Gate rig;
  const auto numbered = [](std::size_t number) {
    return Prefix{1, 15, 9, 9, static_cast<std::uint8_t>(number >> 8), static_cast<std::uint8_t>(number)};
  };
  for (std::size_t i = 0; i < Relayed::most; ++i) {
    REQUIRE_FALSE(is_gap(rig.pass(relays(numbered(i), {at_them}, static_cast<std::int64_t>(i) + 1)).at(0)));
  }
  CHECK(is_gap(rig.pass(relays(others, {at_them}, 600)).at(0)));
  CHECK_FALSE(is_gap(rig.pass(relays(numbered(7), {at_them}, 601)).at(0)));  // known already
  REQUIRE(rig.pass(farewell(server, {.who = numbered(7)})).size() == 1);
  std::vector<Ipv4> many;
  for (std::uint8_t i = 0; i < 20; ++i) many.push_back({198, 51, 100, i});
  CHECK_FALSE(is_gap(rig.pass(relays(others, many, 602)).at(0)));
  std::size_t kept = 0;
  for (const Ipv4& each : many) kept += rig.relayed->has_address(others, each) ? 1 : 0;
  CHECK(kept == Relayed::most_addresses);
  for (std::uint8_t i = 1; i <= 3; ++i) {
    const Buffer guid = endpoint_guid(others, i);
    Gid gid{};
    std::ranges::copy(guid, gid.begin());
    rig.endpoints->add(gid);
  }
  CHECK(is_gap(rig.pass(says().data(of_writers, 1, writer_of(others, many[0]))).at(0)));
}

TEST_CASE("a server that counts from the beginning again is a new one and the old one has ended for Fast DDS") {
  Gate rig;
  Instant at{};
  const auto passes = [&](const RtpsMessage& message, Duration later) {
    std::vector<Buffer> passed;
    at += later;
    rig.gate.pass(
        message.bytes(), at_server, true, at, [&](Bytes bytes) { passed.emplace_back(bytes.begin(), bytes.end()); },
        [](const char*) {});
    return passed;
  };
  CHECK(passes(says().heartbeat(spdp, 2, 9, 40), 1s).size() == 1);
  CHECK(passes(says().heartbeat(spdp, 2, 9, 39), 10ms).size() == 1);     // on a detour
  CHECK(passes(says().heartbeat(of_writers, 1, 1, 1), 1s).size() == 1);  // of another stream
  CHECK(passes(says().heartbeat(spdp, 2, 11, 41), 1s).size() == 1);
  const auto passed = passes(says().heartbeat(spdp, 1, 0, 1), 2s);
  REQUIRE(passed.size() == 3);
  CHECK(passed[0] == RtpsMessage(server)
                         .submessage(0x07, 3,
                                     [] {
                                       Buffer body;
                                       ByteWriter out(body);
                                       out.bytes(spdp_reader);
                                       out.bytes(spdp_writer);
                                       for (int i = 0; i < 2; ++i) out.little(std::int32_t{0}, std::uint32_t{12});
                                       out.little(std::uint32_t{42});
                                       return body;
                                     }())
                         .bytes());
  CHECK(passed[1] == farewell(server, {.who = server, .sequence = 12}).bytes());
  CHECK(passes(says().heartbeat(spdp, 1, 3, 2), 1s).size() == 1);
}

TEST_CASE("a server on this computer may announce participants on loopback") {
  Gate rig;
  std::vector<Buffer> passed;
  rig.gate.pass(
      relays(them, {loopback_address}).bytes(), loopback_address, true, now(),
      [&](Bytes bytes) { passed.emplace_back(bytes.begin(), bytes.end()); }, [](const char*) {});
  REQUIRE(passed.size() == 1);
  CHECK_FALSE(is_gap(passed.front()));
}

TEST_CASE("discovery of a server on a port for user data is refused") {
  Gate rig;
  CHECK(rig.pass(relays(them, {at_them}).bytes(), false).empty());
  CHECK(rig.relayed->size() == 0);
}

TEST_CASE("while the host of a server is unknown its name is nobody's and others still do not announce themselves") {
  ContextOptions options = loopback_options();
  options.range = DiscoveryRange::localhost;
  options.servers = {{0, "nobody.invalid"}};
  Context context(options);
  const Sender sender(options.domain);
  const auto refuses = [&](const RtpsMessage& message, std::string_view why) {
    return eventually([&] {
      sender.send(message);
      return std::ranges::any_of(context.take_events(), [&](const Event& event) {
        return event.text.starts_with("refused ") && event.text.find(why) != std::string::npos;
      });
    });
  };
  CHECK(refuses(relays(them, {loopback_address}), "the name of a discovery server but not its address"));
  CHECK(refuses(RtpsMessage(others).data(spdp, 1, announcement(others).end().bytes()), "it announces itself"));
}

TEST_CASE("any bytes in the name of a server have an answer and nothing but discovery is changed") {
  Gate rig;
  std::mt19937 random(19);  // NOLINT(cert-msc51-cpp): the same bytes in every run
  const Buffer good = says()
                          .data(spdp, 4, described(them, {at_them}))
                          .data(of_writers, 5, writer_of(them, at_them))
                          .heartbeat(spdp, 2, 6, 7)
                          .bytes();
  for (int i = 0; i < 20'000; ++i) {
    Buffer bytes = good;
    for (int k = 0; k < 3; ++k) bytes[20 + random() % (bytes.size() - 20)] = static_cast<std::uint8_t>(random());
    bytes.resize(20 + random() % (bytes.size() - 19));
    for (const Buffer& passed : rig.pass(bytes)) CHECK(passed.size() <= bytes.size() + 80);
  }
  const Buffer user = says().data({{0, 0, 9, 4}, {0, 0, 8, 3}}, 1, Buffer{0, 1, 0, 0, 7, 7, 7, 7}).bytes();
  CHECK(rig.pass(user, false) == std::vector<Buffer>{user});
}

}  // namespace tandem::ros2
