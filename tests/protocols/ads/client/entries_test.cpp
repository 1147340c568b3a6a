// SPDX-License-Identifier: Apache-2.0
#include <doctest/doctest.h>

#include <algorithm>
#include <random>

#include "tandem/base/sha256.hpp"
#include "tandem/protocols/ads/client/subscriptions.hpp"
#include "tandem/protocols/ads/codec/notifications.hpp"
#include "tandem/protocols/ads/codec/symbols.hpp"
#include "tandem/protocols/ads/codec/udp.hpp"
#include "tests/protocols/ads/golden.hpp"

namespace tandem::ads {
namespace {

using Buffer = std::vector<std::uint8_t>;

std::string random_text(std::mt19937_64& random) {
  std::string text(random() % 20, ' ');
  for (char& c : text) c = static_cast<char>('!' + random() % 90);
  return text;
}

std::vector<ArrayBounds> random_bounds(std::mt19937_64& random) {
  std::vector<ArrayBounds> bounds(random() % 3);
  for (auto& bound : bounds) bound = {static_cast<std::int32_t>(random()), static_cast<std::uint32_t>(random())};
  return bounds;
}

SymbolInfo random_symbol(std::mt19937_64& random) {
  const auto number = [&random] { return static_cast<std::uint32_t>(random()); };
  return {number(),
          number(),
          number(),
          static_cast<DataType>(number() % 70),
          static_cast<std::uint16_t>(number() & 0x27),
          random_text(random),
          random_text(random),
          random_text(random),
          random_bounds(random)};
}

TypeInfo random_type(std::mt19937_64& random, int depth) {
  TypeInfo type;
  type.hash = static_cast<std::uint32_t>(random());
  type.size = static_cast<std::uint32_t>(random());
  type.offset = static_cast<std::uint32_t>(random());
  type.data_type = DataType::big;
  type.name = random_text(random);
  type.type = random_text(random);
  type.comment = random_text(random);
  type.bounds = random_bounds(random);
  for (std::uint64_t i = depth > 0 ? random() % 4 : 0; i > 0; --i)
    type.members.push_back(random_type(random, depth - 1));
  return type;
}

TEST_CASE("a symbol entry is laid out as ads-client and AdsLib read it") {
  Buffer bytes;
  ByteWriter writer(bytes);
  encode(writer, SymbolInfo{0x4040, 0x10, 48, DataType::big, 0, "MAIN.p", "ST_Pose", "", {}});
  // entryLength, group, offset, size, data type, flags, three lengths, three texts.
  CHECK(hex(bytes) ==
        "2e000000"
        "40400000"
        "10000000"
        "30000000"
        "41000000"
        "00000000"
        "0600"
        "0700"
        "0000"
        "4d41494e2e7000"
        "53545f506f736500"
        "00");
}

TEST_CASE("symbol and type entries come back as they were written") {
  std::mt19937_64 random(5);
  for (int round = 0; round < 200; ++round) {
    Buffer bytes;
    ByteWriter writer(bytes);
    std::vector<SymbolInfo> symbols;
    std::vector<TypeInfo> types;
    for (int i = 0; i < 5; ++i) encode(writer, symbols.emplace_back(random_symbol(random)));
    CHECK(decode_symbols(bytes) == symbols);
    CHECK(!decode_symbols(Bytes(bytes).first(bytes.size() - 1)));
    bytes.clear();
    for (int i = 0; i < 3; ++i) encode(writer, types.emplace_back(random_type(random, 3)));
    CHECK(decode_types(bytes) == types);
    CHECK(!decode_types(Bytes(bytes).first(bytes.size() - 1)));
  }
}

TEST_CASE("every prefix and every flipped byte of an entry is safe") {
  std::mt19937_64 random(6);
  Buffer bytes;
  ByteWriter writer(bytes);
  encode(writer, random_type(random, 3));
  for (std::size_t length = 1; length < bytes.size(); ++length) CHECK(!decode_types(Bytes(bytes).first(length)));
  for (int round = 0; round < 2000; ++round) {
    Buffer broken = bytes;
    broken[random() % broken.size()] = static_cast<std::uint8_t>(random());
    decode_types(broken);
    decode_symbols(broken);
  }
}

TEST_CASE("enumerations and attributes behind a type entry come back, after a GUID and methods") {
  TypeInfo type;
  type.size = 2;
  type.flags = type_flag::data_type | type_flag::attributes | type_flag::enumeration;
  type.name = "E_State";
  type.attributes = {{"qualified_only", ""}, {"PouType", "Enum"}};
  type.enumeration = {{"stopped", 0}, {"fault", -1}};
  Buffer bytes;
  ByteWriter writer(bytes);
  encode(writer, type);
  CHECK(decode_types(bytes) == std::vector{type});
  // As TwinCAT sends it: a GUID, and one method whose entry has a length of its own. The tail is 2 + 28 + 2 + 20 bytes.
  const Buffer guid(16, 0xEE), method = {1, 0, 6, 0, 0, 0, 0xAA, 0xBB};
  const std::size_t tail = 2 + (2 + 15 + 1) + (2 + 8 + 5) + 2 + (1 + 8 + 2) + (1 + 6 + 2);
  Buffer longer(bytes.begin(), bytes.end() - static_cast<std::ptrdiff_t>(tail));
  longer.insert(longer.end(), guid.begin(), guid.end());
  longer.insert(longer.end(), method.begin(), method.end());
  longer.insert(longer.end(), bytes.end() - static_cast<std::ptrdiff_t>(tail), bytes.end());
  longer[0] = static_cast<std::uint8_t>(longer.size());
  longer[29] = static_cast<std::uint8_t>(longer[29] | (type_flag::methods >> 8));
  longer[28] = static_cast<std::uint8_t>(longer[28] | type_flag::guid);
  const auto read = decode_types(longer);
  REQUIRE(read.has_value());
  CHECK(read->front().enumeration == type.enumeration);
  CHECK(read->front().attributes == type.attributes);
  // A tail that does not add up costs the tail alone.
  bytes.resize(bytes.size() - 3);
  bytes[0] = static_cast<std::uint8_t>(bytes.size());
  const auto cut = decode_types(bytes);
  REQUIRE(cut.has_value());
  CHECK(cut->front().name == "E_State");
  CHECK(cut->front().enumeration.empty());
}

TEST_CASE("structures nested without end are refused") {
  TypeInfo type;
  type.name = "x";
  for (int i = 0; i < 100; ++i) {
    TypeInfo outer;
    outer.members.push_back(std::move(type));
    type = std::move(outer);
  }
  Buffer bytes;
  ByteWriter writer(bytes);
  encode(writer, type);
  CHECK(!decode_types(bytes));
}

TEST_CASE("names are compared without regard to case") {
  CHECK(same_name("MAIN.stEM1500Pose", "main.STEM1500POSE"));
  CHECK(!same_name("MAIN.a", "MAIN.ab"));
  CHECK(!same_name("MAIN.a", "MAIN.b"));
}

TEST_CASE("notification samples come back under their stamps") {
  Buffer bytes{0xAA};
  NotificationWriter writer(bytes);
  const std::array<std::uint8_t, 3> data{1, 2, 3};
  writer.stamp(1000);
  writer.sample(7, data);
  writer.sample(8, {});
  writer.stamp(2000);
  writer.stamp(3000);
  writer.sample(9, data);
  writer.finish();
  CHECK(writer.samples() == 3);
  const Bytes payload = Bytes(bytes).subspan(1);
  CHECK(hex(payload) ==
        "46000000"
        "03000000"
        "e803000000000000"
        "02000000"
        "07000000"
        "03000000"
        "010203"
        "08000000"
        "00000000"
        "d007000000000000"
        "00000000"
        "b80b000000000000"
        "01000000"
        "09000000"
        "03000000"
        "010203");
  CHECK(well_formed_notification(payload));
  SampleReader reader(payload);
  const auto first = reader.next();
  REQUIRE(first);
  CHECK(first->stamp == 1000);
  CHECK(first->handle == 7);
  CHECK(std::ranges::equal(first->data, data));
  CHECK(reader.next()->data.empty());
  CHECK(reader.next()->stamp == 3000);
  CHECK(!reader.next());
  CHECK(reader.complete());
}

TEST_CASE("a notification whose counts or sizes lie is seen through") {
  Buffer bytes;
  NotificationWriter writer(bytes);
  const std::array<std::uint8_t, 3> data{1, 2, 3};
  writer.stamp(1000);
  writer.sample(7, data);
  writer.finish();
  for (std::size_t length = 0; length < bytes.size(); ++length)
    CHECK(!well_formed_notification(Bytes(bytes).first(length)));
  // The length, the number of stamps, the number of samples, the size of the sample.
  for (const std::size_t field : {0, 4, 16, 24}) {
    for (const std::uint32_t lie : {0u, 2u, 4u, 0x7fffffffu, 0xffffffffu}) {
      Buffer broken = bytes;
      ByteWriter(broken).little_at(field, lie);
      CHECK(!well_formed_notification(broken));
    }
  }
}

TEST_CASE("the length of a notification may count itself, and nothing else") {
  Buffer bytes;
  NotificationWriter writer(bytes);
  const std::array<std::uint8_t, 3> data{1, 2, 3};
  writer.stamp(1000);
  writer.sample(7, data);
  writer.finish();
  const auto size = static_cast<std::uint32_t>(bytes.size());
  for (std::uint32_t length = 0; length < 2 * size; ++length) {
    ByteWriter(bytes).little_at(0, length);
    CHECK(well_formed_notification(bytes) == (length == size - 4 || length == size));
  }
}

TEST_CASE("a full inbox keeps the newest and counts what it lost") {
  Inbox inbox(4);
  const auto put = [&inbox](std::uint32_t handle, std::uint8_t value) {
    inbox.put(Sample{value, handle, {&value, 1}}, Instant{});
  };
  for (std::uint8_t i = 0; i < 10; ++i) put(1, i);
  CHECK(inbox.dropped() == 6);
  CHECK(inbox.take()->data[0] == 6);
  put(2, 50);
  CHECK(inbox.take_newest(1)->data[0] == 9);
  CHECK(!inbox.take_newest(1));
  CHECK(inbox.take()->handle == 2);
  CHECK(inbox.empty());
  CHECK(!inbox.take());
}

TEST_CASE("samples of another length or of no subscription are ignored") {
  Buffer bytes;
  NotificationWriter writer(bytes);
  const std::array<std::uint8_t, 3> data{1, 2, 3};
  writer.stamp(1);
  writer.sample(7, data);
  writer.sample(8, data);
  writer.sample(9, data);
  writer.finish();
  Subscriptions subscriptions(16);
  subscriptions.add(7, 3);
  subscriptions.add(8, 4);
  subscriptions.arrived(bytes, {});
  CHECK(subscriptions.take()->handle == 7);
  CHECK(!subscriptions.take());
  CHECK(subscriptions.ignored() == 2);
  // While a subscription is being made, its handle is not known yet.
  subscriptions.begin_add();
  subscriptions.arrived(bytes, {});
  subscriptions.end_add();
  subscriptions.add(9, 3);
  CHECK(subscriptions.take()->handle == 7);
  CHECK(subscriptions.take()->handle == 9);
  subscriptions.remove(7);
  subscriptions.arrived(Bytes(bytes).first(20), {});
  CHECK(subscriptions.malformed() == 1);
  CHECK(!subscriptions.take());
}

TEST_CASE("a route request carries the tags that TwinCAT wants in its order") {
  const RouteRequest request{"tandem", NetId{{10, 0, 0, 2, 1, 1}}, "Administrator", "1", "10.0.0.2"};
  Buffer bytes;
  encode_route_request(bytes, {request.net_id, 10000}, request);
  CHECK(hex(Bytes(bytes).first(28)) ==
        "036614710000000006000000"
        "0a0000020101"
        "1027"
        "05000000"
        "0c000700");
  const auto packet = decode_udp(bytes);
  REQUIRE(packet);
  CHECK(route_request(*packet) == request);
  CHECK(!route_result(*packet));
  CHECK(!server_info(*packet));
  for (std::size_t length = 0; length < bytes.size(); ++length) CHECK(!decode_udp(Bytes(bytes).first(length)));
}

TEST_CASE("a route answer has the 32 bytes that pyads reads") {
  const AmsAddress plc{NetId{{10, 0, 0, 1, 1, 1}}, 10000};
  Buffer good;
  encode_route_response(good, plc, 0);
  CHECK(good.size() == 32);
  CHECK(hex(Bytes(good).subspan(26, 3)) == "040000");
  Buffer bad;
  encode_route_response(bad, plc, 0x704);
  CHECK(hex(Bytes(bad).subspan(27, 3)) == "000407");
  CHECK(route_result(*decode_udp(bad)) == 0x704);
}

TEST_CASE("server info comes back and may lack everything but the address") {
  const ServerInfo info{{NetId{{10, 0, 0, 1, 1, 1}}, 10000}, "CX-123456", 3, 1, 4024};
  Buffer bytes;
  encode_info_response(bytes, info);
  CHECK(server_info(*decode_udp(bytes)) == info);
  UdpPacket bare;
  bare.response = true;
  bare.from = info.address;
  bytes.clear();
  ByteWriter writer(bytes);
  encode(writer, bare);
  CHECK(server_info(*decode_udp(bytes))->address == info.address);
}

}  // namespace
}  // namespace tandem::ads
