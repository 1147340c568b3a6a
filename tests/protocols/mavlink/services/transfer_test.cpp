// SPDX-License-Identifier: Apache-2.0
// Parameters and missions between both ends, with frames lost on the way.
#include <doctest/doctest.h>
#include <fmt/format.h>

#include <limits>
#include <memory>
#include <random>
#include <stdexcept>

#include "tandem/protocols/mavlink/services/mission_client.hpp"
#include "tandem/protocols/mavlink/services/mission_server.hpp"
#include "tandem/protocols/mavlink/services/parameter_client.hpp"
#include "tandem/protocols/mavlink/services/parameter_server.hpp"
#include "tests/protocols/mavlink/mailbox.hpp"

namespace tandem::mavlink {
namespace {

constexpr Instant beginning{1h};
constexpr Address autopilot_address{1, 1};
constexpr Address station_address{255, 190};

std::vector<ServedParameter> many_parameters(int count) {
  std::vector<ServedParameter> table;
  for (int i = 0; i < count; ++i)
    table.push_back({.parameter = {fmt::format("PARAM_{}", i), 0.5 * i, ParameterType::real32}});
  return table;
}

// Runs both ends of the parameter protocol for so long, in steps of 50 ms.
struct ParameterPair {
  explicit ParameterPair(std::vector<ServedParameter> table) : server({}, std::move(table)) {}
  void run(Duration duration) {
    for (const Instant end = time + duration; time < end; time += 50ms) {
      client.poll(time, ours);
      ours.deliver([&](const Frame& frame) { server.handle(frame, theirs); });
      server.poll(theirs);
      theirs.deliver([&](const Frame& frame) { client.handle(frame, time); });
    }
  }
  ParameterClient client;
  ParameterServer server;
  Mailbox ours{station_address};
  Mailbox theirs{autopilot_address};
  Instant time = beginning;
};

std::vector<MissionItemInt> box_mission(std::size_t count) {
  std::vector<MissionItemInt> items;
  for (std::size_t i = 0; i < count; ++i)
    items.push_back({.frame = 6,
                     .command = 16,
                     .autocontinue = 1,
                     .x = static_cast<std::int32_t>(476302000 + 100 * i),
                     .y = static_cast<std::int32_t>(-1223982391 + 50 * static_cast<int>(i)),
                     .z = -static_cast<float>(i)});
  return items;
}

struct MissionPair {
  void run(Duration duration) {
    for (const Instant end = time + duration; time < end; time += 50ms) {
      client.poll(time, ours);
      server.poll(time, theirs);
      for (int i = 0; i < 3; ++i) {
        ours.deliver([&](const Frame& frame) { server.handle(frame, time, theirs); });
        theirs.deliver([&](const Frame& frame) { client.handle(frame, time, ours); });
      }
    }
  }
  MissionClient client;
  MissionServer server;
  Mailbox ours{station_address};
  Mailbox theirs{autopilot_address};
  Instant time = beginning;
};

bool same_places(const std::vector<MissionItemInt>& a, const std::vector<MissionItemInt>& b) {
  if (a.size() != b.size()) return false;
  for (std::size_t i = 0; i < a.size(); ++i)
    if (a[i].x != b[i].x || a[i].y != b[i].y || a[i].z != b[i].z || a[i].command != b[i].command || b[i].seq != i)
      return false;
  return true;
}

std::function<bool(std::size_t)> losing(unsigned int seed, unsigned int percent) {
  return
      [random = std::make_shared<std::mt19937_64>(seed), percent](std::size_t) { return (*random)() % 100 < percent; };
}

}  // namespace

TEST_CASE("a list of parameters is complete though a third of the frames is lost") {
  ParameterPair pair(many_parameters(300));
  pair.theirs.lose = losing(9, 30);
  pair.ours.lose = losing(10, 30);
  pair.client.list(pair.time);
  CHECK(pair.client.list_status() == ParameterClient::Status::pending);
  pair.run(2min);
  CHECK(pair.client.list_status() == ParameterClient::Status::done);
  CHECK(pair.client.listed() == 300);
  for (int i = 0; i < 300; ++i) {
    const Parameter* found = pair.client.find(fmt::format("PARAM_{}", i));
    REQUIRE(found != nullptr);
    CHECK(found->value == doctest::Approx(0.5 * i));
  }
}

TEST_CASE("G1 a list from nobody times out") {
  ParameterPair pair(many_parameters(3));
  pair.ours.lose = losing(1, 100);
  pair.client.list(pair.time);
  const auto read = pair.client.read("PARAM_1", pair.time);
  pair.run(10s);
  CHECK(pair.client.list_status() == ParameterClient::Status::timed_out);
  CHECK(pair.client.status(read) == ParameterClient::Status::timed_out);
  CHECK(pair.ours.sent == 10);
}

TEST_CASE("parameters are read and written and the echo is checked") {
  auto table = many_parameters(2);
  table.push_back({.parameter = {"SIXTEEN_LETTERS_", 3, ParameterType::int8}, .lowest = 0, .highest = 5});
  table.push_back({.parameter = {"FORMAT_VERSION", 1}, .read_only = true});
  ParameterPair pair(table);
  pair.theirs.lose = [](std::size_t i) { return i == 0; };
  int changes = 0;
  pair.server.changed = [&](const Parameter&) { ++changes; };
  const auto read = pair.client.read("SIXTEEN_LETTERS_", pair.time);
  pair.run(3s);
  CHECK(pair.client.status(read) == ParameterClient::Status::done);
  REQUIRE(pair.client.find("SIXTEEN_LETTERS_") != nullptr);
  CHECK(pair.client.find("SIXTEEN_LETTERS_")->type == ParameterType::int8);

  const auto good = pair.client.write("SIXTEEN_LETTERS_", 4, pair.time);
  const auto unknown = pair.client.write("NO_SUCH", 4, pair.time);
  const auto fixed = pair.client.write("FORMAT_VERSION", 2, pair.time);
  const auto too_long = pair.client.read("A_NAME_LONGER_THAN_16", pair.time);
  pair.run(10s);
  CHECK(pair.client.status(good) == ParameterClient::Status::done);
  CHECK(pair.client.status(unknown) == ParameterClient::Status::timed_out);
  CHECK(pair.client.status(fixed) == ParameterClient::Status::refused);
  CHECK(pair.client.status(too_long) == ParameterClient::Status::refused);
  CHECK(pair.client.status(12345) == ParameterClient::Status::unknown);
  CHECK(pair.server.find("SIXTEEN_LETTERS_")->value == 4);

  const auto too_much = pair.client.write("SIXTEEN_LETTERS_", 6, pair.time);
  pair.run(1s);
  CHECK(pair.client.status(too_much) == ParameterClient::Status::refused);
  CHECK(pair.server.find("SIXTEEN_LETTERS_")->value == 4);
  CHECK(changes == 1);
}

TEST_CASE("G18 a parameter that is no number is not taken") {
  ParameterPair pair(many_parameters(1));
  (void)pair.client.write("PARAM_0", std::numeric_limits<double>::quiet_NaN(), pair.time);
  pair.run(1s);
  CHECK(pair.server.find("PARAM_0")->value == 0);
}

TEST_CASE("a table of parameters names each once") {
  CHECK_THROWS_AS(ParameterServer({}, {{.parameter = {"A", 1}}, {.parameter = {"A", 2}}}), std::invalid_argument);
  CHECK_THROWS_AS(ParameterServer({}, {{.parameter = {"LONGER_THAN_16_CH", 1}}}), std::invalid_argument);
}

TEST_CASE("whole numbers travel in either encoding") {
  using enum ParameterType;
  for (const double value : {0.0, 1.0, -1.0, -128.0, 127.0}) {
    for (const ParameterType type : {int8, int16, int32, real32}) {
      for (const auto encoding : {ParameterEncoding::cast, ParameterEncoding::bytes}) {
        CHECK(parameter_from_wire(wire_from_parameter(value, type, encoding), type, encoding) == value);
      }
    }
  }
  // 2^24 + 1 fits in no float, but in its bytes.
  CHECK(parameter_from_wire(wire_from_parameter(16777217, uint32, ParameterEncoding::bytes), uint32,
                            ParameterEncoding::bytes) == 16777217);
  CHECK(parameter_from_wire(wire_from_parameter(1e30, uint8, ParameterEncoding::bytes), uint8,
                            ParameterEncoding::bytes) == 255);
}

TEST_CASE("a mission goes up and down and away") {
  MissionPair pair;
  int changes = 0;
  pair.server.changed = [&] { ++changes; };
  const auto mission = box_mission(40);
  pair.client.upload(mission, pair.time);
  pair.run(10s);
  CHECK(pair.client.status() == MissionClient::Status::done);
  CHECK(same_places(mission, pair.server.items()));
  CHECK(changes == 1);

  pair.client.download(pair.time);
  pair.run(10s);
  CHECK(pair.client.status() == MissionClient::Status::done);
  CHECK(same_places(mission, pair.client.items()));

  pair.client.choose(7, pair.time);
  pair.run(1s);
  CHECK(pair.client.status() == MissionClient::Status::done);
  CHECK(pair.server.current() == 7);

  pair.client.clear(pair.time);
  pair.run(1s);
  CHECK(pair.client.status() == MissionClient::Status::done);
  CHECK(pair.server.items().empty());

  pair.client.download(pair.time);
  pair.run(1s);
  CHECK(pair.client.status() == MissionClient::Status::done);
  CHECK(pair.client.items().empty());
  pair.client.upload({}, pair.time);
  pair.run(1s);
  CHECK(pair.client.status() == MissionClient::Status::done);
}

TEST_CASE("missions survive the loss of a tenth of the frames") {
  for (unsigned int seed = 1; seed <= 5; ++seed) {
    MissionPair pair;
    pair.ours.lose = losing(seed, 10);
    pair.theirs.lose = losing(seed + 100, 10);
    const auto mission = box_mission(25);
    pair.client.upload(mission, pair.time);
    pair.run(60s);
    CHECK(pair.client.status() == MissionClient::Status::done);
    CHECK(same_places(mission, pair.server.items()));
    pair.client.download(pair.time);
    pair.run(60s);
    CHECK(pair.client.status() == MissionClient::Status::done);
    CHECK(same_places(mission, pair.client.items()));
  }
}

TEST_CASE("a mission that is refused leaves the old one") {
  MissionPair pair;
  pair.client.upload(box_mission(3), pair.time);
  pair.run(2s);
  pair.server.check = [](const MissionItemInt& item) {
    return item.seq == 2 ? MissionResult::invalid : MissionResult::accepted;
  };
  pair.client.upload(box_mission(5), pair.time);
  pair.run(2s);
  CHECK(pair.client.status() == MissionClient::Status::failed);
  CHECK(pair.client.answer() == MissionResult::invalid);
  CHECK(pair.server.items().size() == 3);
  pair.client.upload(box_mission(900), pair.time);
  pair.run(2s);
  CHECK(pair.client.answer() == MissionResult::no_space);
  pair.client.upload(box_mission(2), pair.time, 1);
  pair.run(2s);
  CHECK(pair.client.answer() == MissionResult::unsupported);
  CHECK(pair.server.items().size() == 3);
}

TEST_CASE("some items of a mission are written anew and the rest stays") {
  MissionServer server;
  server.restore(box_mission(4));
  Mailbox out(autopilot_address);
  const auto send = [&](const auto& message) {
    server.handle(Letter(message, station_address).frame(), beginning, out);
  };
  send(MissionWritePartialList{1, 1, 2, 9});
  CHECK(out.take<MissionAck>().at(0).type == static_cast<std::uint8_t>(MissionResult::error));
  send(MissionWritePartialList{1, 1, 2, 2});
  CHECK(out.take<MissionRequestInt>().at(0).seq == 2);
  send(MissionItemInt{.target_system = 1, .target_component = 1, .seq = 2, .frame = 6, .command = 19});
  CHECK(out.take<MissionAck>().at(0).type == 0);
  REQUIRE(server.items().size() == 4);
  CHECK(server.items()[2].command == 19);
  CHECK(server.items()[3].command == 16);
}

TEST_CASE("two lists of parameters on two outlets are both complete") {
  ParameterServer server({}, many_parameters(20));
  Mailbox one(autopilot_address), other(autopilot_address);
  const Letter letter(ParamRequestList{1, 1}, station_address);
  server.handle(letter.frame(), one);
  server.poll(one);
  server.handle(letter.frame(), other);
  CHECK(server.listing(one));
  for (int i = 0; i < 10; ++i) {
    server.poll(one);
    server.poll(other);
  }
  CHECK_FALSE(server.listing(one));
  CHECK(one.take<ParamValue>().size() == 20);
  CHECK(other.take<ParamValue>().size() == 20);
}

TEST_CASE("G1 a mission to nobody fails with a reason") {
  MissionPair pair;
  pair.ours.lose = losing(1, 100);
  pair.client.upload(box_mission(3), pair.time);
  pair.run(10s);
  CHECK(pair.client.status() == MissionClient::Status::failed);
  CHECK(pair.client.why() == "no answer after 5 attempts, 0 items transferred");
  CHECK(pair.ours.sent == 5);
}

TEST_CASE("an autopilot that asks for the same item for ever is given up") {
  MissionClient client;
  Mailbox out(station_address);
  client.upload(box_mission(3), beginning);
  for (int i = 0; i < 100 && client.status() != MissionClient::Status::failed; ++i)
    client.handle(Letter(MissionRequestInt{255, 190, 0}, autopilot_address).frame(), beginning, out);
  CHECK(client.why() == "the autopilot requests item 0 repeatedly");
  CHECK(out.sent < 60);
}

TEST_CASE("an upload that its sender gives up is cancelled") {
  MissionPair pair;
  pair.server.handle(Letter(MissionCount{1, 1, 4}, station_address).frame(), pair.time, pair.theirs);
  pair.run(20s);
  pair.server.handle(Letter(box_mission(1)[0], station_address).frame(), pair.time, pair.theirs);
  CHECK(pair.server.items().empty());
  CHECK(pair.theirs.waiting.empty());
  CHECK(pair.theirs.sent == 9);  // eight requests and the end
}

TEST_CASE("a peer that knows floats only gets and gives them") {
  MissionServer server;
  Mailbox out(autopilot_address);
  const auto send = [&](const auto& message) {
    server.handle(Letter(message, station_address).frame(), beginning, out);
  };
  send(MissionCount{1, 1, 1});
  send(MissionItem{.target_system = 1, .target_component = 1, .frame = 6, .command = 16, .x = 47.5F, .y = -122.25F});
  REQUIRE(server.items().size() == 1);
  CHECK(server.items()[0].x == 475000000);
  CHECK(server.items()[0].y == -1222500000);
  out.deliver([](const Frame&) {});
  send(MissionRequest{1, 1, 0});
  const auto items = out.take<MissionItem>();
  REQUIRE(items.size() == 1);
  CHECK(items[0].x == 47.5F);
  CHECK(items[0].y == -122.25F);
}

}  // namespace tandem::mavlink
