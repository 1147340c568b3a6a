#include "tandem/ros2/rtps_screen.hpp"

#include <doctest/doctest.h>

#include <random>
#include <string>

#include "tests/ros2/rtps_packets.hpp"

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
