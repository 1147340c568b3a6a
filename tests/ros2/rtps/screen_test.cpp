// SPDX-License-Identifier: Apache-2.0
#include "tandem/ros2/rtps/screen.hpp"

#include <doctest/doctest.h>

#include <random>
#include <string>

#include "tests/ros2/rtps/packets.hpp"

namespace tandem::ros2 {
namespace {

using namespace rtps_packets;

const Prefix source{1, 15, 7}, destination{1, 15, 8};
const Way user{{0, 0, 9, 4}, {0, 0, 8, 3}};
const Way discovery{{0, 0, 3, 0xc7}, {0, 0, 3, 0xc2}};

RtpsMessage message() { return RtpsMessage(source).to(destination); }

Buffer payload(std::size_t size) {
  Buffer bytes(size, 7);
  bytes[0] = 0;
  bytes[1] = 1;
  return bytes;
}

Screened screen(const Buffer& bytes) {
  static Buffer copy;
  return screened(bytes, copy);
}

const char* fault(const RtpsMessage& message) { return screen(message.bytes()).fault; }

// What peers send every day.
std::vector<RtpsMessage> good_messages() {
  // With inline QoS, all of it big-endian: sample 1 of a writer.
  Buffer body{0, 0, 0, 16, 0, 0, 0, 0, 0, 0, 8, 3, 0, 0, 0, 0, 0, 0, 0, 1};
  ByteWriter(body).bytes(Buffer{0, 0x70, 0, 4, 1, 2, 3, 4, 0, 1, 0, 0});
  ByteWriter(body).bytes(payload(8));
  return {
      message().data(user, 1, payload(100)),
      message().submessage(0x09, 1, Buffer(8)).data(user, 7'000'000'000, payload(5)),
      message().submessage(0x15, 2 | 4, body),
      message().heartbeat(user, 1, 0, 1).heartbeat(user, 5, 10, 2),
      message().heartbeat(discovery, 3, 12, 1),
      message().gap(user, 4, {9, 40, {1, 2}}).gap(user, 1, {2, 0, {}}),
      message().acknack(user, {0, 0, {}}, 1).acknack(user, {17, 256, std::vector<std::uint32_t>(8, 1)}, 2),
      message().data_frag(user, 3, {1, 1, 1000, 2500}, payload(1000)),
      message().data_frag(user, 3, {3, 1, 1000, 2500}, payload(500)),
      message().data_frag(user, 3, {1, 3, 1000, 2500}, payload(2500)),
      message().data({spdp_reader, spdp_writer}, 1, announcement(source).end().bytes()),
      message().submessage(0x01, 1, {}).submessage(0x31, 1, Buffer(44)),
  };
}

}  // namespace

TEST_CASE("what peers send every day passes the screen whole") {
  for (const RtpsMessage& good : good_messages()) {
    const Screened result = screen(good.bytes());
    INFO((result.fault == nullptr ? "" : result.fault));
    CHECK(result.fault == nullptr);
    CHECK(result.message.size() == good.bytes().size());
  }
}

TEST_CASE("statistics at the end of a message are left out and elsewhere refused") {
  const RtpsMessage plain = message().data(user, 1, payload(100));
  RtpsMessage with = plain;
  with.submessage(0x80, 0, Buffer(56));
  Buffer bytes = with.bytes();
  const Screened result = screen(bytes);
  CHECK(result.fault == nullptr);
  CHECK(Buffer(result.message.begin(), result.message.end()) == plain.bytes());
  CHECK(fault(with.heartbeat(user, 1, 1, 1)) != nullptr);
  bytes[7] = 16;  // of another vendor these are something else, and Fast DDS does not look at them
  CHECK(screen(bytes).message.size() == bytes.size());
}

TEST_CASE("D11 to D14 numbers and sizes that cannot be do not pass the screen") {
  constexpr std::int64_t huge = std::int64_t{1} << 62;
  const std::vector<std::uint32_t> ones(9, ~0u);
  const std::vector<RtpsMessage> bad = {
      message().heartbeat(user, 1, huge, 9),
      message().heartbeat(user, huge, huge, 9),
      message().heartbeat(user, 0, 5, 9),
      message().heartbeat(user, -5, 5, 9),
      message().heartbeat(user, 9, 5, 9),
      message().heartbeat(discovery, 1 << 25, 1 << 25, 9),
      message().gap(user, 1, {huge, 0, {}}),
      message().gap(user, 1, {1'000'000, 0, {}}),
      message().gap(user, 0, {9, 0, {}}),
      message().gap(user, 1, {9, 257, ones}),
      message().gap(user, 1, {9, 64, {1}}),
      message().acknack(user, {1, 257, ones}, 1),
      message().acknack(user, {1, ~0u, ones}, 1),
      message().acknack(user, {-1, 8, {1}}, 1),
      message().acknack(user, {1, 256, {1}}, 1),
      message().data(user, 0, payload(20)),
      message().data(user, huge, payload(20)),
      message().data(user, 1, payload(2)),
      message().data(user, 1, payload(100), 16 + 40, 24),
      message().data(user, 1, payload(100), 0xfff0),
      message().data(user, 1, payload(100), 8),
      message().data_frag(user, 1, {1, 1, 0, 100}, payload(100)),
      message().data_frag(user, 1, {1, 1, 1, 100}, payload(100)),
      message().data_frag(user, 1, {0, 1, 100, 100}, payload(100)),
      message().data_frag(user, 1, {1, 0, 100, 100}, payload(100)),
      message().data_frag(user, 1, {2, 1, 100, 100}, payload(100)),
      message().data_frag(user, 1, {1, 2, 100, 100}, payload(200)),
      message().data_frag(user, 1, {0xffffffff, 2, 100, 100}, payload(100)),
      message().data_frag(user, 1, {1, 1, 1000, 3000}, payload(999)),
      message().data_frag(user, 1, {1, 1000, 60000, 60'000'000}, payload(100)),
      message().data_frag(user, 1, {1, 1, 100, 0xfffffff0}, payload(100)),
      message().submessage(0x0e, 1, Buffer(11)),
      message().submessage(0x0c, 1, Buffer(8)),
      message().submessage(0x12, 1, Buffer(12)),
      message().submessage(0x13, 1, Buffer(12)),
      message().submessage(0x09, 1, Buffer(4)),
      message().submessage(0x15, 1 | 2 | 4, Buffer(24)),
      message().submessage(0x31, 1, Buffer(8), std::uint16_t{12}),
      message().submessage(0x31, 1, Buffer(9)).heartbeat(user, 1, 1, 1),
  };
  for (std::size_t i = 0; i < bad.size(); ++i) {
    INFO("message " << i);
    CHECK(fault(bad[i]) != nullptr);
  }
}

TEST_CASE("D15 parameters that count more than they hold do not pass the screen") {
  const auto announcing = [](int id, const Buffer& value) {
    return message().data({spdp_reader, spdp_writer}, 1,
                          announcement(source).add(static_cast<std::uint16_t>(id), value).end().bytes());
  };
  const Buffer text{3, 0, 0, 0, 'a', 'b', 0, 0}, lie{255, 255, 255, 255, 'a', 'b', 0, 0};
  Buffer one{1, 0, 0, 0}, holder = text;
  ByteWriter(one).bytes(text);
  ByteWriter(one).bytes(text);
  ByteWriter(holder).bytes(one);
  ByteWriter(holder).zeros(4);
  const std::vector<std::pair<int, Buffer>> good = {{0x05, text},
                                                    {0x07, text},
                                                    {0x62, text},
                                                    {0x2c, text},
                                                    {0x59, one},
                                                    {0x1001, holder},
                                                    {0x73, {1, 0, 0, 0, 0, 0}},
                                                    {0x8006, Buffer(4)}};
  for (const auto& [id, value] : good) {
    INFO("parameter " << id);
    CHECK(fault(announcing(id, value)) == nullptr);
    CHECK(fault(announcing(id, lie)) != nullptr);
  }
  CHECK(fault(announcing(0x29, lie)) != nullptr);
  CHECK(fault(announcing(0x35, lie)) != nullptr);
  CHECK(fault(announcing(0x32, Buffer(20))) != nullptr);
  CHECK(fault(message().data({spdp_reader, spdp_writer}, 1, announcement(source).bytes())) != nullptr);  // no end
}

TEST_CASE("D16 an announcement names its sender and nobody else") {
  const RtpsMessage own = message().data({spdp_reader, spdp_writer}, 1, announcement(source, 7).end().bytes());
  const Screened result = screen(own.bytes());
  CHECK(result.fault == nullptr);
  REQUIRE(result.announces.has_value());
  CHECK(*result.announces == source);
  CHECK(result.lease == 7);
  CHECK(fault(message().data({spdp_reader, spdp_writer}, 1, announcement(destination).end().bytes())) != nullptr);
  CHECK_FALSE(screen(message().data(user, 1, payload(9)).bytes()).announces.has_value());
}

TEST_CASE("an announcement is a list of parameters that names its sender in every place") {
  const Way spdp{spdp_reader, spdp_writer};
  const auto with = [&](const Parameters& parameters) { return fault(message().data(spdp, 1, parameters.bytes())); };
  Buffer other_entity = guid_of(source);
  other_entity.back() = 0xc2;  // for Fast DDS one more participant
  const auto named = [&](std::uint16_t id, const Buffer& guid) { return announcement(source).add(id, guid).end(); };
  CHECK(with(named(0x50, guid_of(source))) == nullptr);
  CHECK(with(named(0x70, guid_of(source))) == nullptr);
  CHECK(with(named(0x70, guid_of(destination))) != nullptr);
  CHECK(with(named(0x50, other_entity)) != nullptr);
  CHECK(with(named(0x50, Buffer(4))) != nullptr);
  CHECK(with(Parameters().add(0x50, guid_of(destination)).add(0x50, guid_of(source)).add(0x58, Buffer(4)).end()) !=
        nullptr);
  CHECK(with(Parameters().add(0x50, other_entity).add(0x58, Buffer(4)).end()) != nullptr);
  CHECK(with(Parameters().add(0x58, Buffer(4)).end()) != nullptr);
  for (const Buffer& other_form : {Buffer(4), payload(40)})
    CHECK(fault(message().data(spdp, 1, other_form)) != nullptr);
  // An inline key hash counts for Fast DDS before the payload does.
  const Buffer good = announcement(source).end().bytes();
  CHECK(fault(farewell(source, {.who = source, .status = 0, .flags = 4, .payload = good})) == nullptr);
  CHECK(fault(farewell(source, {.who = destination, .status = 0, .flags = 4, .payload = good})) != nullptr);
}

TEST_CASE("a message has one announcement at most and it is of its sender") {
  const Way spdp{spdp_reader, spdp_writer};
  const Buffer own = announcement(source).end().bytes(), other = announcement(destination).end().bytes();
  CHECK(fault(message().data(spdp, 1, own)) == nullptr);
  CHECK(fault(message().data(spdp, 1, other).data(spdp, 2, own)) != nullptr);
  CHECK(fault(message().data(spdp, 1, own).data(spdp, 2, other)) != nullptr);
  CHECK(fault(message().data(spdp, 1, own).data(spdp, 2, own)) != nullptr);
  // Endpoints are described by the dozen, each with the GUID of its participant.
  const Buffer endpoint = Parameters().add(0x50, guid_of(source)).end().bytes();
  const Buffer alien = Parameters().add(0x50, guid_of(destination)).end().bytes();
  CHECK(fault(message().data(discovery, 1, endpoint).data(discovery, 2, endpoint)) == nullptr);
  CHECK(fault(message().data(discovery, 1, alien).data(discovery, 2, endpoint)) != nullptr);
  CHECK(fault(message().data(discovery, 1, alien).data(spdp, 1, own)) != nullptr);
  // In the name of another from here on.
  Buffer relay(8);
  ByteWriter(relay).bytes(destination);
  CHECK(fault(message().submessage(0x0c, 1, relay).data(spdp, 1, other)) != nullptr);
  CHECK(fault(message().submessage(0x0c, 1, relay).data(spdp, 1, own)) != nullptr);
}

TEST_CASE("a farewell is one with and without data and only in the sender's own name") {
  const Buffer own = announcement(source).end().bytes(), other = announcement(destination).end().bytes();
  const Buffer key = Parameters().add(0x50, guid_of(source)).end().bytes();  // as Cyclone DDS sends it
  for (const Farewell& good :
       {Farewell{.who = source}, Farewell{.who = source, .status = 1}, Farewell{.who = source, .status = 2},
        Farewell{.who = source, .flags = 4, .payload = own},
        Farewell{.who = source, .with_hash = false, .flags = 4, .payload = own},
        Farewell{.who = source, .with_hash = false, .flags = 8, .payload = key},
        Farewell{.who = source, .with_hash = false, .flags = 8, .payload = guid_of(source)}}) {
    const Screened result = screen(farewell(source, good).bytes());
    CAPTURE(int{good.flags});
    CHECK(result.fault == nullptr);
    CHECK(result.takes_leave);
    CHECK_FALSE(result.announces.has_value());
  }
  for (const Farewell& bad :
       {Farewell{.who = destination}, Farewell{.who = source, .flags = 4, .payload = Buffer(4)},
        Farewell{.who = source, .flags = 4, .payload = other}, Farewell{.who = destination, .flags = 4, .payload = own},
        Farewell{.with_hash = false, .flags = 8, .payload = guid_of(destination)},
        Farewell{.with_hash = false, .flags = 8, .payload = other},
        Farewell{.with_hash = false, .flags = 8, .payload = Buffer(4)}}) {
    CAPTURE(int{bad.flags});
    CHECK(fault(farewell(source, bad)) != nullptr);
  }
}

TEST_CASE("descriptions of types are hidden and nothing else is changed") {
  Parameters with = announcement(source), without = announcement(source);
  for (int i = 0; i < 12; ++i) {  // as many as nine and more endpoints in one datagram have
    with.add(0x75, Buffer(40, 9));
    without.add(0x00, Buffer(40, 9));
  }
  with.add(0x2c, Buffer{0, 0, 0, 0}).end();
  without.add(0x2c, Buffer{0, 0, 0, 0}).end();
  const auto bytes_of = [](const Parameters& parameters) {
    return message().data({spdp_reader, spdp_writer}, 1, parameters.bytes()).bytes();
  };
  const Screened result = screen(bytes_of(with));
  CHECK(result.fault == nullptr);
  CHECK(Buffer(result.message.begin(), result.message.end()) == bytes_of(without));
}

namespace {

constexpr EntityId keys_writer{0xff, 2, 2, 0xc3};
const Way handshakes{handshake_reader, handshake_writer};

Buffer with_count(Buffer bytes, std::uint32_t count, bool little) {
  little ? ByteWriter(bytes).little(count) : ByteWriter(bytes).big(count);
  return bytes;
}

// One sample in fragments of 100 bytes, a message for each.
std::vector<RtpsMessage> in_fragments(const Way& way, Bytes sample) {
  std::vector<RtpsMessage> messages;
  for (std::uint32_t first = 1; !sample.empty() && (first - 1) * 100 < sample.size(); ++first) {
    const Bytes part = sample.subspan((first - 1) * 100);
    messages.push_back(message().data_frag(way, 5, {first, 1, 100, static_cast<std::uint32_t>(sample.size())},
                                           part.first(std::min<std::size_t>(100, part.size()))));
  }
  return messages;
}

// What the screen and the reassembly make of the messages together; nothing while the sample is incomplete.
std::optional<Buffer> reassembled(Reassembly& reassembly, const std::vector<RtpsMessage>& messages) {
  std::optional<Buffer> whole;
  for (const RtpsMessage& each : messages) {
    const Screened result = screen(each.bytes());
    REQUIRE(result.fault == nullptr);
    REQUIRE(result.fragments.size() == 1);
    whole = reassembly.add(result.fragments[0], {10, 0, 0, 2});
  }
  return whole;
}

}  // namespace

TEST_CASE("handshakes that count more tokens or properties than they hold do not pass the screen") {
  for (const bool little : {true, false}) {
    CAPTURE(little);
    const Buffer begin = handshake(source, destination, little);
    const auto fault_of = [&](const Buffer& payload) {
      // To the topics of handshakes and of keys, addressed by the reader or by the writer alone, or in fragments.
      const char* found = fault(message().data(handshakes, 1, payload));
      for (const Way& way : {Way{{}, handshake_writer}, Way{handshake_reader, {}}, Way{{}, keys_writer}}) {
        CHECK((fault(message().data(way, 1, payload)) == nullptr) == (found == nullptr));
      }
      Reassembly reassembly;
      const std::optional<Buffer> whole = reassembled(reassembly, in_fragments(handshakes, payload));
      REQUIRE(whole.has_value());
      CHECK((screen(*whole).fault == nullptr) == (found == nullptr));
      return found;
    };
    CHECK(fault_of(with_count(begin, 0, little)) == nullptr);
    Buffer good = with_count(begin, 1, little);
    put_token(good, "DDS:Auth:PKI-DH:1.0+Req", "dh1", Buffer(65, 4), little);
    CHECK(fault_of(good) == nullptr);

    for (const std::uint32_t lie : {2u, 0x7fffffffu, 0xfffffffcu, 0xffffffffu}) {
      CAPTURE(lie);
      CHECK(fault_of(with_count(begin, lie, little)) != nullptr);  // tokens
      Buffer kind = with_count(begin, 1, little);
      put_text(kind, "DDS:Auth:PKI-DH:1.0+Req", little);
      CHECK(fault_of(with_count(kind, lie, little)) != nullptr);  // properties
      const Buffer none = with_count(kind, 0, little);
      CHECK(fault_of(with_count(none, lie, little)) != nullptr);                         // binary properties
      CHECK(fault_of(with_count(with_count(none, 1, little), lie, little)) != nullptr);  // the name of one
      Buffer name = with_count(none, 1, little);
      put_text(name, "dh1", little);
      CHECK(fault_of(with_count(name, lie, little)) != nullptr);  // its octets
    }
    for (std::size_t size = 104; size + 4 < good.size(); size += 4) {
      CHECK(fault_of(Buffer(good.begin(), good.begin() + static_cast<std::ptrdiff_t>(size))) != nullptr);
    }
    good[1] = 6;  // no encapsulation that Fast DDS reads here
    CHECK(fault(message().data(handshakes, 1, good)) != nullptr);
  }
}

TEST_CASE("a handshake for no reader by name is one whatever its writer") {
  Buffer copy;
  const Buffer lie = with_count(handshake(source, destination), ~0u, true);
  for (const EntityId& writer : {EntityId{}, EntityId{0, 0, 8, 3}, EntityId{0, 0, 3, 0xc2}, EntityId{0, 2, 0, 0xc2}}) {
    const Buffer bytes = message().data({{}, writer}, 1, lie).bytes();
    CHECK(screened(bytes, copy, {.secured = true}).fault != nullptr);
    CHECK(screened(bytes, copy).fault == nullptr);  // without security there is no such reader
    const Screened part = screened(message().data_frag({{}, writer}, 1, {1, 1, 100, 150}, Buffer(100, 1)).bytes(), copy,
                                   {.secured = true});
    CHECK(part.fragments.size() == 1);
  }
}

TEST_CASE("a handshake whose certificate has no subject does not pass the screen") {
  const auto with = [&](std::string_view certificate, std::uint8_t behind_name = 0) {
    Buffer payload = with_count(handshake(source, destination), 1, true);
    put_token(payload, "DDS:Auth:PKI-DH:1.0+Req", "c.id",
              Bytes(reinterpret_cast<const std::uint8_t*>(certificate.data()), certificate.size()), true, behind_name);
    return fault(message().data(handshakes, 1, payload));
  };
  CHECK(with(certificate_without_subject) != nullptr);
  CHECK(with(certificate_without_subject, 'X') != nullptr);  // Fast DDS reads the same name
  CHECK(with("no certificate") != nullptr);
}

TEST_CASE("headers and codes of protection are as long as they say") {
  Buffer codes(20 + 20);
  codes[19] = 1;  // one code of a receiver, big-endian
  CHECK(fault(message().submessage(0x32, 1, codes)) == nullptr);
  codes[19] = codes[16] = 2;
  CHECK(fault(message().submessage(0x32, 1, codes)) != nullptr);
  CHECK(fault(message().submessage(0x34, 1, Buffer(16))) != nullptr);
  CHECK(fault(message().submessage(0x33, 1, Buffer(16))) != nullptr);
  CHECK(fault(message().submessage(0x30, 1, Buffer{0, 0, 0, 4, 1, 2, 3, 4})) == nullptr);
  CHECK(fault(message().submessage(0x30, 1, Buffer{9, 0, 0, 9, 1, 2, 3, 4})) != nullptr);
  CHECK(fault(message().data({{0, 2, 0, 0xc7}, {0, 2, 0, 0xc2}}, 1, payload(12))) != nullptr);  // a sign of life
}

TEST_CASE("discovery in fragments reaches Fast DDS whole or not at all") {
  const Buffer sample = announcement(source).add(0x2c, Buffer{0, 0, 0, 0}).end().bytes();
  const Way way{spdp_reader, spdp_writer};
  std::vector<RtpsMessage> parts = in_fragments(way, sample);
  REQUIRE(parts.size() >= 2);
  Reassembly reassembly;
  std::ranges::reverse(parts);
  parts.insert(parts.begin() + 1, parts.front());  // one twice, and in the wrong order
  const std::optional<Buffer> whole = reassembled(reassembly, parts);
  REQUIRE(whole.has_value());
  CHECK(*whole == message().data(way, 5, sample).bytes());

  // What goes on of a fragment is a submessage that no receiver knows.
  Buffer hidden = parts.front().bytes();
  const Screened result = screen(hidden);
  hidden[20 + 16] = 2;
  CHECK(Buffer(result.message.begin(), result.message.end()) == hidden);

  // Fragments of the wrong sender, size or number complete nothing.
  CHECK_FALSE(reassembled(reassembly, {parts[0]}).has_value());
  CHECK(fault(message().data_frag(way, 5, {1, 1, 1000, 100'000}, payload(1000))) != nullptr);
  CHECK(fault(message().data_frag(user, 5, {1, 1, 1000, 100'000}, payload(1000))) == nullptr);
}

TEST_CASE("unfinished samples of one address leave room for those of another") {
  Reassembly reassembly;
  const auto begin = [](std::int64_t sequence) {
    return message().data_frag(discovery, sequence, {1, 1, 100, 150}, Buffer(100, 1));
  };
  const auto end = message().data_frag(discovery, 1, {2, 1, 100, 150}, Buffer(50, 1));
  const auto add = [&](const RtpsMessage& each, const Ipv4& from) {
    return reassembly.add(screen(each.bytes()).fragments.at(0), from).has_value();
  };
  CHECK_FALSE(add(begin(1), {10, 0, 0, 2}));
  for (std::int64_t i = 0; i < 10'000; ++i) CHECK_FALSE(add(begin(i + 2), {10, 0, 0, 66}));
  CHECK_FALSE(add(end, {10, 0, 0, 66}));  // another's half
  CHECK(add(end, {10, 0, 0, 2}));
}

TEST_CASE("addresses of other computers are hidden and an announcement without its sender's is refused") {
  const auto locator = [](Ipv4 address) {
    Buffer bytes;
    ByteWriter out(bytes);
    out.little(std::int32_t{1});
    out.little(std::uint32_t{7412});
    out.zeros(12);
    out.bytes(address);
    return bytes;
  };
  const Ipv4 sender{10, 0, 0, 2}, victim{192, 0, 2, 7}, group{239, 255, 0, 1}, of_others{239, 255, 255, 250};
  const ScreenRules rules{false, [&](const ParticipantPrefix& who, const Ipv4& address) {
                            CHECK(who == source);
                            return address == sender || address == group;
                          }};
  Buffer copy;
  const auto screened_of = [&](const Way& way, const Parameters& parameters) {
    const Screened result = screened(message().data(way, 1, parameters.bytes()).bytes(), copy, rules);
    return std::pair(result.fault, Buffer(result.message.begin(), result.message.end()));
  };
  const auto participant = [&] {
    Buffer guid(source.begin(), source.end());
    ByteWriter(guid).bytes(participant_entity);
    return Parameters().add(0x50, guid).add(0x58, Buffer{1, 0, 0, 0});
  };
  const Way spdp{spdp_reader, spdp_writer};
  // A computer with two networks: the one that the message did not come from is left out. 0 is a pad.
  const auto [fault, passed] = screened_of(spdp, participant()
                                                     .add(0x32, locator(sender))
                                                     .add(0x32, locator(victim))
                                                     .add(0x31, locator(victim))
                                                     .add(0x31, locator(sender))
                                                     .add(0x33, locator(group))
                                                     .add(0x33, locator(victim))
                                                     .add(0x48, locator(group))
                                                     .add(0x48, locator(of_others))
                                                     .add(0x31, locator(group))
                                                     .end());
  CHECK(fault == nullptr);
  CHECK(passed == message()
                      .data(spdp, 1,
                            participant()
                                .add(0x32, locator(sender))
                                .add(0, locator(victim))
                                .add(0, locator(victim))
                                .add(0x31, locator(sender))
                                .add(0x33, locator(group))
                                .add(0, locator(victim))
                                .add(0x48, locator(group))
                                .add(0, locator(of_others))
                                .add(0, locator(group))
                                .end()
                                .bytes())
                      .bytes());
  CHECK(screened_of(spdp, participant().add(0x32, locator(victim)).add(0x33, locator(group)).end()).first != nullptr);
  // Endpoints fall back to the addresses of their participant.
  const auto [endpoint_fault, endpoint] = screened_of(discovery, Parameters().add(0x2f, locator(victim)).end());
  CHECK(endpoint_fault == nullptr);
  CHECK(endpoint == message().data(discovery, 1, Parameters().add(0, locator(victim)).end().bytes()).bytes());
}

TEST_CASE("readers and writers are described by their own participant alone") {
  const auto of = [](Prefix prefix, std::uint8_t number) {
    Buffer guid(prefix.begin(), prefix.end());
    ByteWriter(guid).bytes(EntityId{0, 0, number, 3});
    return guid;
  };
  Prefix other = source;
  other.back() ^= 1;
  Buffer copy;
  for (const std::uint8_t kind : {std::uint8_t{3}, std::uint8_t{4}}) {
    const Way way{{0, 0, kind, 0xc7}, {0, 0, kind, 0xc2}};
    const auto described = [&](Parameters parameters) {
      return screened(message().data(way, 1, parameters.end().bytes()).bytes(), copy);
    };
    const Screened own = described(Parameters().add(0x5a, of(source, 1)).add(0x70, of(source, 1)));
    CHECK(own.fault == nullptr);
    CHECK(own.describes_endpoints);
    CHECK(described(Parameters().add(0x70, of(source, 1))).describes_endpoints);
    CHECK_FALSE(described(Parameters()).describes_endpoints);
    CHECK(described(Parameters().add(0x5a, of(other, 1))).fault != nullptr);
    CHECK(described(Parameters().add(0x70, of(other, 1))).fault != nullptr);
    CHECK(described(Parameters().add(0x5a, of(source, 1)).add(0x5a, of(source, 2))).fault != nullptr);
    CHECK(described(Parameters().add(0x5a, Buffer(12))).fault != nullptr);
  }
}

TEST_CASE("an announcement has an announcer, or Fast DDS would never believe that it ends") {
  Buffer guid(source.begin(), source.end());
  ByteWriter(guid).bytes(participant_entity);
  const Way spdp{spdp_reader, spdp_writer};
  const auto with = [&](const Buffer& endpoints) {
    return message().data(spdp, 1, Parameters().add(0x50, guid).add(0x58, endpoints).end().bytes()).bytes();
  };
  const Screened result = screen(with({0x3c, 0x0c, 0, 0}));
  CHECK(Buffer(result.message.begin(), result.message.end()) == with({0x3d, 0x0c, 0, 0}));
  CHECK(fault(message().data(spdp, 1, Parameters().add(0x50, guid).end().bytes())) != nullptr);
}

TEST_CASE("leases are bounded and what is signed is not changed") {
  const Way spdp{spdp_reader, spdp_writer};
  for (const std::int32_t lease : {101, 0x7fffffff, -1}) {
    const Screened result = screen(message().data(spdp, 1, announcement(source, lease).end().bytes()).bytes());
    CHECK(result.fault == nullptr);
    CHECK(result.lease == 100);
    CHECK(Buffer(result.message.begin(), result.message.end()) ==
          message().data(spdp, 1, announcement(source, 100).end().bytes()).bytes());
  }
  Buffer copy;
  const Buffer sealed =
      RtpsMessage(source).submessage(0x33, 1, Buffer(20)).data(spdp, 1, announcement(source, -1).end().bytes()).bytes();
  const Screened kept = screened(sealed, copy, {.secured = true});
  CHECK(Buffer(kept.message.begin(), kept.message.end()) == sealed);
  const Screened changed = screened(sealed, copy, {.secured = false});
  CHECK(Buffer(changed.message.begin(), changed.message.end()) != sealed);
}

TEST_CASE("any bytes have an answer from the screen and it never lengthens a message") {
  std::mt19937_64 random(20);
  const std::vector<RtpsMessage> good = good_messages();
  const auto below = [&](std::size_t limit) { return static_cast<std::size_t>(random() % limit); };
  std::size_t passed = 0;
  for (int i = 0; i < 200'000; ++i) {
    Buffer bytes = good[below(good.size())].bytes();
    for (std::size_t flips = below(6); flips-- > 0;) bytes[below(bytes.size())] = static_cast<std::uint8_t>(random());
    bytes.resize(random() % 4 == 0 ? below(bytes.size() + 1) : bytes.size());
    bytes.shrink_to_fit();  // so that the address sanitizer sees every step too far
    const Screened result = screen(bytes);
    if (result.fault != nullptr) continue;
    ++passed;
    REQUIRE(result.message.size() <= bytes.size());
  }
  CHECK(passed > 1000);
  CHECK(screen({}).fault != nullptr);
}

}  // namespace tandem::ros2
