// SPDX-License-Identifier: Apache-2.0
// Messages: layout against the table of another generator, frames against golden bytes, and back.
#include <doctest/doctest.h>
#include <fmt/format.h>

#include <cmath>
#include <limits>
#include <random>

#include "tandem/protocols/mavlink/codec/dialect.hpp"
#include "tandem/protocols/mavlink/codec/parser.hpp"
#include "tests/protocols/mavlink/golden.hpp"
#include "tests/protocols/mavlink/table.hpp"

namespace tandem::mavlink {
namespace {

template <Message M>
std::string fields_as_text() {
  std::string text;
  for (const std::size_t i : layout<M>.order) {
    const Place& place = layout<M>.places[i];
    text += fmt::format("{}{}:{} {}", text.empty() ? "" : ", ", place.offset, place.type, place.name);
    if (place.count != 0) text += fmt::format("[{}]", place.count);
    if (place.extension) text += "*";
  }
  return text;
}

template <Message M>
void check_golden(std::string_view hex, const M& message, Version version = Version::v2) {
  FrameBuffer buffer;
  const auto wanted = golden::bytes(hex);
  const Bytes made = encode(buffer, {version, 7, golden::source}, message);
  CHECK(std::equal(made.begin(), made.end(), wanted.begin(), wanted.end()));

  Parser parser;
  REQUIRE(parser.feed(wanted) == wanted.size());
  const auto frame = parser.next();
  REQUIRE(frame);
  CHECK(frame->version == version);
  CHECK(frame->sequence == 7);
  CHECK(frame->source == golden::source);
  CHECK(frame->verified);
  CHECK(frame->as<M>() == message);
  CHECK(!parser.next());
}

// The checksum as the specification writes it, bit by bit.
std::uint16_t crc_by_bits(Bytes bytes) {
  std::uint16_t crc = 0xFFFF;
  for (const std::uint8_t byte : bytes) {
    crc = static_cast<std::uint16_t>(crc ^ byte);
    for (int bit = 0; bit < 8; ++bit) crc = static_cast<std::uint16_t>(crc & 1 ? (crc >> 1) ^ 0x8408 : crc >> 1);
  }
  return crc;
}

}  // namespace

TEST_CASE("every message of the table has its number and crc_extra and layout") {
  std::size_t found = 0;
  for (const table::Row& row : table::rows) {
    bool here = false;
    AllMessages::each([&]<Message M>() {
      if (M::wire_name != row.name) return;
      here = true;
      CHECK_MESSAGE(M::wire_id == row.id, row.name);
      CHECK_MESSAGE(layout<M>.crc_extra == row.crc_extra, row.name);
      CHECK_MESSAGE(layout<M>.base_size == row.base_size, row.name);
      CHECK_MESSAGE(layout<M>.full_size == row.full_size, row.name);
      CHECK(fields_as_text<M>() == row.fields);
    });
    CHECK_MESSAGE(here, row.name);
    found += here ? 1 : 0;
  }
  CHECK(found == 57);
}

TEST_CASE("golden frames are made and read") {
  check_golden(golden::heartbeat, golden::heartbeat_message());
  check_golden(golden::heartbeat_v1, golden::heartbeat_message(), Version::v1);
  check_golden(golden::vision_position_delta, VisionPositionDelta{.time_usec = 1000000,
                                                                  .time_delta_usec = 50000,
                                                                  .angle_delta = {0.01F, -0.02F, 0.03F},
                                                                  .position_delta = {0.1F, 0.2F, -0.3F},
                                                                  .confidence = 80});
  check_golden(golden::rangefinder, RangeFinder{.distance = 1.5F});
  check_golden(golden::set_gps_global_origin,
               SetGpsGlobalOrigin{.target_system = 1, .latitude = 476302000, .longitude = -1223982391});
  check_golden(golden::command_long,
               CommandLong{.target_system = 1, .target_component = 1, .command = 511, .param1 = 32, .param2 = 20000});
  check_golden(
      golden::param_set,
      ParamSet{.target_system = 1, .target_component = 1, .param_id = "VISO_TYPE", .param_value = 1, .param_type = 9});
  check_golden(golden::timesync, TimeSync{.ts1 = 123456789});
  check_golden(golden::system_time, SystemTime{});
}

TEST_CASE("the fast checksum is the one of the specification") {
  std::mt19937_64 random(1);
  std::vector<std::uint8_t> bytes(300);
  for (auto& byte : bytes) byte = static_cast<std::uint8_t>(random());
  for (std::size_t size = 0; size <= bytes.size(); ++size) {
    const Bytes part(bytes.data() + size % 3, size - std::min<std::size_t>(size, size % 3));
    CHECK(crc_add(crc_start, part) == crc_by_bits(part));
  }
  const std::string_view check = "123456789";
  CHECK(crc_add(crc_start, as_bytes(check)) == 0x6F91);  // the catalogue's check value of CRC-16/MCRF4XX
}

TEST_CASE("the byte between two checksums is found and no other") {
  for (unsigned int before = 0; before < 0x10000; before += 257) {
    for (unsigned int byte = 0; byte < 256; byte += 5) {
      const auto after = crc_add(static_cast<std::uint16_t>(before), static_cast<std::uint8_t>(byte));
      CHECK(crc_byte_between(static_cast<std::uint16_t>(before), after) == static_cast<std::uint8_t>(byte));
    }
  }
  unsigned int possible = 0;
  for (unsigned int after = 0; after < 0x10000; ++after)
    possible += crc_byte_between(0x1234, static_cast<std::uint16_t>(after)).has_value() ? 1 : 0;
  CHECK(possible == 256);
}

TEST_CASE("any payload of any message comes back as it was") {
  std::mt19937_64 random(2);
  AllMessages::each([&]<Message M>() {
    for (int round = 0; round < 5; ++round) {
      std::array<std::uint8_t, layout<M>.full_size> payload;
      for (auto& byte : payload) byte = static_cast<std::uint8_t>(random());
      const std::size_t zeros = random() % (payload.size() + 1);
      for (std::size_t i = payload.size() - zeros; i < payload.size(); ++i) payload[i] = 0;
      const M message = read_payload<M>(payload);
      std::array<std::uint8_t, layout<M>.full_size> again{};
      write_payload(message, std::span<std::uint8_t, layout<M>.full_size>(again));
      CHECK_MESSAGE(again == payload, M::wire_name);

      FrameBuffer buffer;
      const Bytes made = encode(buffer, {Version::v2, 3, {4, 5}}, message);
      CHECK(made.size() <= header_v2 + crc_size + std::max<std::size_t>(1, payload.size() - zeros));
      CHECK((made.size() == header_v2 + crc_size + 1 || made[made.size() - 3] != 0));
      Parser parser;
      parser.feed(made);
      const auto frame = parser.next();
      REQUIRE(frame);
      CHECK(frame->info->name == M::wire_name);
      const M received = *frame->as<M>();
      write_payload(received, std::span<std::uint8_t, layout<M>.full_size>(again));
      CHECK_MESSAGE(again == payload, M::wire_name);
    }
  });
}

TEST_CASE("version 1 carries base fields only and no high numbers") {
  FrameBuffer buffer;
  const Bytes made = encode(buffer, {Version::v1, 0, {1, 1}}, StatusText{.severity = 6, .text = "hi", .id = 9});
  REQUIRE(made.size() == header_v1 + 51 + crc_size);
  Parser parser;
  parser.feed(made);
  const auto frame = parser.next();
  REQUIRE(frame);
  CHECK(frame->as<StatusText>()->text.view() == "hi");
  CHECK(frame->as<StatusText>()->id == 0);
  CHECK(encode(buffer, {Version::v1, 0, {1, 1}}, VisionPositionDelta{}).empty());
  CHECK(buffer.size == 0);
}

TEST_CASE("V7 short payloads are padded and long ones cut") {
  const auto short_one = read_payload<Attitude>(golden::bytes("01000000"));
  CHECK(short_one.time_boot_ms == 1);
  CHECK(short_one.yawspeed == 0);
  CHECK(read_payload<Attitude>({}) == Attitude{});
  std::vector<std::uint8_t> longer(255, 0);
  longer[0] = 7;
  CHECK(read_payload<Heartbeat>(longer).custom_mode == 7);
}

TEST_CASE("a text fills its field without a NUL behind it") {
  CHECK(Text<4>("abcd").view() == "abcd");
  CHECK(Text<4>("abcdef").view() == "abcd");
  CHECK(Text<4>("ab").view() == "ab");
  CHECK(Text<4>().view().empty());
}

TEST_CASE("G18 numbers that are none are seen in every field") {
  VisionPositionDelta delta;
  CHECK(all_finite(delta));
  delta.position_delta[2] = std::numeric_limits<float>::quiet_NaN();
  CHECK(!all_finite(delta));
  Attitude attitude;
  attitude.pitchspeed = std::numeric_limits<float>::infinity();
  CHECK(!all_finite(attitude));
  CHECK(all_finite(Heartbeat{}));
}

TEST_CASE("targets stand where the definition puts them") {
  const auto target = [](const auto& message) {
    FrameBuffer buffer;
    Parser parser;
    parser.feed(encode(buffer, {}, message));
    return parser.next()->target();
  };
  CHECK(target(CommandLong{.target_system = 3, .target_component = 4}) == Address{3, 4});
  CHECK(target(CommandAck{.command = 1, .target_system = 8, .target_component = 9}) == Address{8, 9});
  CHECK(target(ManualControl{.target = 5}) == Address{5, 0});
  CHECK(target(SetMode{.target_system = 6}) == Address{6, 0});
  CHECK(target(Heartbeat{}) == Address{0, 0});
  CHECK(target(ParamRequestList{}) == Address{0, 0});
}

TEST_CASE("messages are found by number and by name") {
  CHECK(all_messages().find(11011)->name == "VISION_POSITION_DELTA");
  CHECK(all_messages().find(0)->name == "HEARTBEAT");
  CHECK(all_messages().find(12345) == nullptr);
  CHECK(all_messages().find("ODOMETRY")->id == 331);
  CHECK(all_messages().find("NOTHING") == nullptr);
  const MessageInfo own{.id = 0, .name = "OWN", .crc_extra = 1, .base_size = 4, .full_size = 4};
  const Dialect changed(all_infos(), {&own, 1});
  CHECK(changed.find(0)->name == "OWN");
  CHECK(changed.find(1)->name == "SYS_STATUS");
}

}  // namespace tandem::mavlink
