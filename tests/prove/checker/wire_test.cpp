// SPDX-License-Identifier: Apache-2.0
// The checker's decoders on bytes that were written down by hand from the protocols' documents.
#include <doctest/doctest.h>

#include <cstring>
#include <initializer_list>
#include <string>

#include "tandem/prove/checker/wire/wire.hpp"
#include "tests/prove/checker/constructed.hpp"

using namespace tandem::prove::checker;
using constructed::Octets;

namespace {

template <typename T>
void put_big(Octets& into, T value) {
  std::uint8_t bytes[sizeof(T)];
  std::memcpy(bytes, &value, sizeof(T));
  for (std::size_t i = sizeof(T); i-- > 0;) into.push_back(bytes[i]);
}
template <typename T>
void put_little(Octets& into, T value) {
  std::uint8_t bytes[sizeof(T)];
  std::memcpy(bytes, &value, sizeof(T));
  into.insert(into.end(), bytes, bytes + sizeof(T));
}
void put_text(Octets& into, std::string_view text) { into.insert(into.end(), text.begin(), text.end()); }

Octets rtde(char kind, const Octets& content) {
  Octets packet;
  put_big(packet, static_cast<std::uint16_t>(content.size() + 3));
  packet.push_back(static_cast<std::uint8_t>(kind));
  packet.insert(packet.end(), content.begin(), content.end());
  return packet;
}
Octets texts(std::initializer_list<std::uint8_t> before, std::string_view text) {
  Octets content(before);
  put_text(content, text);
  return content;
}

Octets ams(std::uint16_t command, std::uint32_t invoke, const Octets& data) {
  Octets packet{0, 0};
  put_little(packet, static_cast<std::uint32_t>(32 + data.size()));
  packet.insert(packet.end(), 16, 0);  // net ids and ports
  put_little(packet, command);
  put_little(packet, std::uint16_t{4});
  put_little(packet, static_cast<std::uint32_t>(data.size()));
  put_little(packet, std::uint32_t{0});
  put_little(packet, invoke);
  packet.insert(packet.end(), data.begin(), data.end());
  return packet;
}

Octets mavlink2(std::uint32_t id, const Octets& payload) {
  Octets frame{0xFD, static_cast<std::uint8_t>(payload.size()), 0, 0, 7, 255, 197};
  for (int shift = 0; shift < 24; shift += 8) frame.push_back(static_cast<std::uint8_t>(id >> shift));
  frame.insert(frame.end(), payload.begin(), payload.end());
  frame.insert(frame.end(), 2, 0);
  return frame;
}

}  // namespace

TEST_CASE("Modbus: a request that comes in pieces, two in one piece, and an answer to nobody") {
  std::vector<Frame> frames{{0, 1, Frame::opened, {}}};
  Octets both = constructed::write_speed(1, 2.5);
  const Octets asked = constructed::ask_feedback(2);
  both.insert(both.end(), asked.begin(), asked.end());
  frames.push_back({1, 1, Frame::out, Octets(both.begin(), both.begin() + 9)});
  frames.push_back({2, 1, Frame::out, Octets(both.begin() + 9, both.end())});
  frames.push_back({3, 1, Frame::in, constructed::feedback(2, 1.5, -1.25, 0.5, 0.25)});
  frames.push_back({4, 1, Frame::in, constructed::feedback(2, 9, 9, 9, 9)});
  const Wire wire = truck_wire(frames);
  REQUIRE(wire.demands.size() == 1);
  CHECK(wire.demands[0].t == 2);
  CHECK_FALSE(wire.demands[0].enables);
  REQUIRE(wire.readings.size() == 1);
  CHECK(wire.readings[0].values == std::vector{1.5, -1.25, 0.5, 0.25});
  CHECK(wire.malformed == 0);
}

TEST_CASE("Modbus: what is no Modbus ends the reading of that direction") {
  const std::vector<Frame> frames{{0, 1, Frame::opened, {}},
                                  {1, 1, Frame::out, {1, 2, 3, 4, 5, 6, 7, 8, 9}},
                                  {2, 1, Frame::out, constructed::write_speed(1, 1)}};
  const Wire wire = truck_wire(frames);
  CHECK(wire.demands.empty());
  CHECK(wire.malformed == 1);
}

TEST_CASE("the winches' command: enabled and at rest enables, a speed moves") {
  const auto command = [](std::uint16_t enable, std::int32_t speed) {
    Octets bytes{0, 1, 0, 0, 0, 111, 1, 16, 0, 0, 0, 52, 104};
    put_big(bytes, std::uint16_t{5});
    put_big(bytes, std::uint16_t{1});
    put_big(bytes, enable);
    put_big(bytes, std::uint16_t{0});
    for (int winch = 0; winch < 8; ++winch) {
      put_big(bytes, std::int32_t{4'985'000});
      put_big(bytes, winch == 3 ? speed : 0);
      put_big(bytes, std::int32_t{20'000});
    }
    return bytes;
  };
  const std::vector<Frame> frames{{1, 1, Frame::out, command(0, 0)},
                                  {2, 1, Frame::out, command(255, 0)},
                                  {3, 1, Frame::out, command(255, -50'000)}};
  const Wire wire = cables_wire(frames);
  REQUIRE(wire.demands.size() == 3);
  CHECK(wire.demands[0].enables);
  CHECK(wire.demands[1].enables);
  CHECK_FALSE(wire.demands[2].enables);
  CHECK(wire.demands[2].t == 3);
}

TEST_CASE("RTDE: joints by the recipe, new commands by their sequence, the program by its first word") {
  std::vector<Frame> frames{{0, 1, Frame::opened, {}}, {0, 2, Frame::opened, {}}};
  const auto out = [&](double t, Octets bytes) { frames.push_back({t, 1, Frame::out, std::move(bytes)}); };
  const auto in = [&](double t, Octets bytes) { frames.push_back({t, 1, Frame::in, std::move(bytes)}); };
  out(0.1, rtde('V', {0, 2}));
  in(0.1, rtde('V', {1}));
  Octets outputs;
  put_big(outputs, 125.0);
  put_text(outputs, "timestamp,actual_q");
  out(0.2, rtde('O', outputs));
  in(0.2, rtde('O', texts({1}, "DOUBLE,VECTOR6D")));
  out(0.3, rtde('I', texts({}, "input_int_register_25,input_int_register_26,input_double_register_24")));
  in(0.3, rtde('I', texts({4}, "INT32,INT32,DOUBLE")));
  Octets sample{1};
  for (const double value : {12.5, 0.1, -0.2, 0.3, -0.4, 0.5, -0.6}) put_big(sample, value);
  in(1, rtde('U', sample));
  const auto command = [](std::int32_t sequence, std::int32_t code) {
    Octets content{4};
    put_big(content, sequence);
    put_big(content, code);
    for (int i = 0; i < 6; ++i) put_big(content, 0.1);
    return rtde('U', content);
  };
  out(2, command(7, 8));   // speedj
  out(3, command(7, 8));   // the same command
  out(4, command(8, 10));  // stopj
  Octets program;
  put_text(program, "def tandem():\n");
  frames.push_back({5, 2, Frame::out, program});
  const Wire wire = arm_wire(frames);
  REQUIRE(wire.readings.size() == 1);
  CHECK(wire.readings[0].values == std::vector{0.1, -0.2, 0.3, -0.4, 0.5, -0.6});
  REQUIRE(wire.demands.size() == 2);
  CHECK(wire.demands[0].t == 2);
  CHECK_FALSE(wire.demands[0].enables);
  CHECK(wire.demands[1].t == 5);
  CHECK(wire.demands[1].enables);
}

TEST_CASE("MAVLink: neutral sticks ask for nothing, others do, and arming enables") {
  const auto sticks = [](std::int16_t x, std::int16_t z) {
    Octets payload;
    for (const std::int16_t value : {x, std::int16_t{0}, z, std::int16_t{0}}) put_little(payload, value);
    return mavlink2(69, payload);
  };
  Octets arming;
  put_little(arming, 1.0F);
  arming.insert(arming.end(), 24, 0);
  put_little(arming, std::uint16_t{400});
  Octets report;
  for (int i = 0; i < 5; ++i) put_little(report, 0.25F * static_cast<float>(i));
  put_little(report, std::uint16_t{831});
  Octets two = sticks(0, 500);
  const Octets second = sticks(300, 500);
  two.insert(two.end(), second.begin(), second.end());
  const Wire wire = submarine_wire(
      {{1, 1, Frame::out, two}, {2, 1, Frame::out, mavlink2(76, arming)}, {3, 1, Frame::in, mavlink2(193, report)}});
  REQUIRE(wire.demands.size() == 2);
  CHECK_FALSE(wire.demands[0].enables);
  CHECK(wire.demands[1].enables);
  REQUIRE(wire.readings.size() == 1);
  CHECK(wire.readings[0].values == std::vector{831.0, 0.0, 0.25, 0.5, 0.75, 1.0});
}

TEST_CASE("ADS: a notification is a sample, a write is a demand, the release of a handle is not") {
  Octets notification;
  put_little(notification, std::uint32_t{76});
  put_little(notification, std::uint32_t{1});
  put_little(notification, std::uint64_t{0});
  put_little(notification, std::uint32_t{1});
  put_little(notification, std::uint32_t{77});
  put_little(notification, std::uint32_t{48});
  for (const double value : {0.1, 0.2, -0.05, 0.0, 0.0, 0.0}) put_little(notification, value);
  const auto write = [](std::uint32_t group) {
    Octets data;
    put_little(data, group);
    put_little(data, std::uint32_t{0});
    put_little(data, std::uint32_t{4});
    put_little(data, std::uint32_t{1});
    return ams(3, 1, data);
  };
  const Wire wire = platform_wire({{0, 1, Frame::opened, {}},
                                   {1, 1, Frame::in, ams(8, 0, notification)},
                                   {2, 1, Frame::out, write(0xF006)},
                                   {3, 1, Frame::out, write(0xF005)}});
  REQUIRE(wire.readings.size() == 1);
  CHECK(wire.readings[0].values[0] == doctest::Approx(-0.1));
  CHECK(wire.readings[0].values[1] == doctest::Approx(0.2));
  CHECK(wire.readings[0].values[2] == doctest::Approx(1.155));
  REQUIRE(wire.demands.size() == 1);
  CHECK(wire.demands[0].t == 3);
}
