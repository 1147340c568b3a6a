// SPDX-License-Identifier: Apache-2.0
#include "tandem/protocols/sparkplug/payload.hpp"

#include <doctest/doctest.h>

#include <array>
#include <limits>
#include <random>

#include "tests/protocols/sparkplug/golden.hpp"

namespace tandem::sparkplug {
namespace {

using golden::bytes;
using golden::hex;
using golden::time;

Metric metric(std::string name, DataType type, Value value, std::uint64_t timestamp = time) {
  Metric made;
  made.name = std::move(name);
  made.type = type;
  made.value = std::move(value);
  made.timestamp = timestamp;
  return made;
}

Metric alias(std::uint64_t number, DataType type, Value value, std::uint64_t timestamp) {
  Metric made = metric("", type, std::move(value), timestamp);
  made.alias = number;
  return made;
}

Payload read(std::string_view text) {
  auto payload = decode(bytes(text));
  REQUIRE(payload);
  return *std::move(payload);
}

std::string one(DataType type, Value value, std::uint64_t timestamp = 1) {
  Payload payload;
  payload.metrics.push_back(metric("m", type, std::move(value), timestamp));
  return hex(encode(payload));
}

}  // namespace

TEST_CASE("births, data, deaths and commands are byte for byte what sparkplug-payload writes") {
  Payload payload;
  payload.timestamp = time;
  payload.metrics = {metric("bdSeq", DataType::int64, std::int64_t{0})};
  CHECK(encode(payload) == bytes(golden::ndeath));
  payload.metrics.push_back(metric("Node Control/Rebirth", DataType::boolean, false));
  payload.seq = 0;
  CHECK(encode(payload) == bytes(golden::nbirth));

  Metric armed = metric("armed", DataType::boolean, false), speed = metric("speed", DataType::float64, 0.5),
         fault = metric("fault", DataType::string, {});
  armed.alias = 1, speed.alias = 2, fault.alias = 3;
  speed.properties.push_back({"engUnit", DataType::string, std::string("m/s")});
  CHECK(encode({time, {armed, speed, fault}, 1}) == bytes(golden::dbirth));

  CHECK(encode({time + 1000,
                {alias(1, DataType::boolean, true, time + 1000), alias(2, DataType::float64, -0.25, time + 1000)},
                2}) == bytes(golden::ddata));
  Metric stale = alias(2, DataType::float64, {}, time + 1000);
  stale.properties.push_back({"Quality", DataType::int32, std::int64_t{500}});
  CHECK(encode({time + 1000, {stale}, 3}) == bytes(golden::stale));
  Metric old = alias(2, DataType::float64, 0.5, time);
  old.historical = true;
  CHECK(encode({time + 1000, {old}, 4}) == bytes(golden::historical));
  CHECK(encode({time, {metric("Device Control/stop", DataType::boolean, true)}, {}}) == bytes(golden::dcmd_stop));
}

TEST_CASE("single values are byte for byte what sparkplug-payload writes") {
  CHECK(one(DataType::int16, std::int64_t{-2}) == "120d0a016d1801200250feffffff0f");
  CHECK(one(DataType::int64, std::int64_t{-1}) == "12120a016d1801200458ffffffffffffffffff01");
  CHECK(one(DataType::uint64, std::int64_t{5}) == "12090a016d180120085805");
  CHECK(one(DataType::float32, 1.5) == "120c0a016d18012009650000c03f");
  CHECK(one(DataType::date_time, static_cast<std::int64_t>(time)) == "120e0a016d1801200d5880d095ffbc31");
  CHECK(one(DataType::uint8, std::int64_t{200}) == "120a0a016d1801200550c801");
}

TEST_CASE("what sparkplug-payload writes is read with names, aliases, types and values") {
  const Payload birth = read(golden::dbirth);
  CHECK(birth.timestamp == time);
  CHECK(birth.seq == 1);
  REQUIRE(birth.metrics.size() == 3);
  CHECK(birth.metrics[0].name == "armed");
  CHECK(birth.metrics[0].alias == 1);
  CHECK(birth.metrics[0].value == Value(false));
  CHECK(birth.metrics[1].value == Value(0.5));
  REQUIRE(birth.metrics[1].properties.size() == 1);
  CHECK(birth.metrics[1].properties[0].key == "engUnit");
  CHECK(birth.metrics[1].properties[0].value == Value(std::string("m/s")));
  CHECK(birth.metrics[2].value == Value());
  CHECK(birth.metrics[2].type == DataType::string);
  CHECK(read(golden::historical).metrics[0].historical);
  CHECK(read(golden::stale).metrics[0].properties[0].value == Value(std::int64_t{500}));
  CHECK_FALSE(read(golden::ndeath).seq);
  CHECK(read(golden::dcmd_stop).metrics[0].value == Value(true));
}

TEST_CASE("signed numbers are extended whichever way they were written") {
  CHECK(read("120d0a016d1801200250feffffff0f").metrics[0].value == Value(std::int64_t{-2}));
  CHECK(read("120a0a016d1801200150ff01").metrics[0].value == Value(std::int64_t{-1}));        // Int8 as ff
  CHECK(read("120d0a016d1801200150ffffffff0f").metrics[0].value == Value(std::int64_t{-1}));  // Int8 in 32 bits
  CHECK(read("120a0a016d1801200550ff01").metrics[0].value == Value(std::int64_t{255}));       // UInt8
  CHECK(read("12090a016d180120075805").metrics[0].value == Value(std::int64_t{5}));           // UInt32 in long_value
  CHECK(read("12090a016d180120075005").metrics[0].value == Value(std::int64_t{5}));           // and in int_value
}

TEST_CASE("every cut of a good payload is refused or a shorter payload, never more") {
  for (const std::string_view text : {golden::nbirth, golden::dbirth, golden::ddata, golden::stale}) {
    const std::string whole = bytes(text);
    const std::size_t metrics = read(text).metrics.size();
    for (std::size_t size = 0; size < whole.size(); ++size) {
      const auto payload = decode(std::string_view(whole).substr(0, size));
      if (payload) CHECK(payload->metrics.size() <= metrics);
    }
  }
}

TEST_CASE("fields that are not known are read over; wrong wire types and text that is not UTF-8 are refused") {
  CHECK(decode(bytes("0880d095ffbc31 a20603 616263 1800")));  // field 100
  CHECK(decode(bytes("")));
  CHECK_FALSE(decode(bytes("0b")));                  // a group
  CHECK_FALSE(decode(bytes("00")));                  // field 0
  CHECK_FALSE(decode(bytes("1205 0a03 ff616200")));  // a name that is not UTF-8, and a length too long
  CHECK_FALSE(decode(bytes("1203 0a01 ff")));
  CHECK_FALSE(decode(bytes("1202 0800")));  // a name as a number
  CHECK_FALSE(decode(bytes("ffffffffffffffffffffff01")));
  CHECK_FALSE(decode(bytes("12ffffffffffffffff7f")));  // a length beyond everything
  const auto data_set = decode(bytes("1206 0a016d 8a0100 1810"));
  CHECK(data_set);  // a metric with an empty data set
  CHECK_FALSE(decode(std::string(largest_payload + 1, '\0')));
}

TEST_CASE("random payloads come back as they were, and random bytes never do harm") {
  std::mt19937_64 random(19);
  const auto text = [&] {
    std::string made;
    for (std::size_t i = random() % 20; i > 0; --i) made += static_cast<char>('a' + random() % 26);
    return made;
  };
  for (int round = 0; round < 2000; ++round) {
    Payload payload;
    payload.timestamp = random() >> 20U;
    if (random() % 2 == 0) payload.seq = random() % 256;
    for (std::size_t i = random() % 6; i > 0; --i) {
      const std::array<Metric, 7> kinds = {
          metric(text(), DataType::int8, static_cast<std::int64_t>(static_cast<std::int8_t>(random()))),
          metric(text(), DataType::int32, static_cast<std::int64_t>(static_cast<std::int32_t>(random()))),
          metric(text(), DataType::int64, static_cast<std::int64_t>(random())),
          metric(text(), DataType::float64, static_cast<double>(random()) / 7.0),
          metric(text(), DataType::boolean, random() % 2 == 0),
          metric(text(), DataType::string, text()),
          metric(text(), DataType::float64, {})};
      payload.metrics.push_back(kinds[random() % kinds.size()]);
      if (random() % 2 == 0) payload.metrics.back().alias = random();
      if (random() % 3 == 0) payload.metrics.back().properties.push_back({text(), DataType::int32, std::int64_t{-5}});
    }
    const std::string written = encode(payload);
    const auto back = decode(written);
    REQUIRE(back);
    REQUIRE(encode(*back) == written);
    REQUIRE(back->metrics.size() == payload.metrics.size());
    for (std::size_t i = 0; i < payload.metrics.size(); ++i) CHECK(back->metrics[i].value == payload.metrics[i].value);
    std::string noise = written;
    for (char& c : noise)
      if (random() % 8 == 0) c = static_cast<char>(random());
    (void)decode(noise);
  }
}

}  // namespace tandem::sparkplug
