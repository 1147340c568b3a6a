// SPDX-License-Identifier: Apache-2.0
// Frames find their way between links.
#include <doctest/doctest.h>

#include <algorithm>
#include <stdexcept>

#include "tandem/protocols/mavlink/link/router.hpp"
#include "tests/deadline.hpp"
#include "tests/protocols/mavlink/golden.hpp"

namespace tandem::mavlink {
namespace {

constexpr Address router_address{255, 191};

// A router with so many links, and somebody at the end of each.
struct Town {
  explicit Town(const std::vector<Address>& ends) {
    for (const Address& end : ends) {
      auto link =
          Link::open("udpin:127.0.0.1:0", {.channel = {.own = router_address}, .parser = {.pass_unknown = true}});
      if (!link) throw std::runtime_error(link.error().text);
      auto other =
          Link::open("udpout:" + link->local().text(), {.channel = {.own = end}, .parser = {.pass_unknown = true}});
      if (!other) throw std::runtime_error(other.error().text);
      if (!router.add(std::move(*link))) throw std::runtime_error("no room for a link");
      houses.push_back(std::move(*other));
    }
    for (Link& house : houses) {
      house.send(Heartbeat{});
      turn(1);
    }
    for (Link& house : houses)
      while (house.receive(in(10ms))) continue;
  }
  // Passes on so many frames.
  void turn(int frames) {
    const Instant deadline = soon();
    for (int i = 0; i < frames; ++i) {
      const auto received = router.receive(deadline);
      REQUIRE(received);
      last = received->frame.id;
      last_for_us = received->frame.meant_for(router_address);
    }
  }
  bool hears(std::size_t house, std::uint32_t id) {
    const auto frame = houses[house].receive(in(60ms));
    return frame && frame->id == id;
  }

  Router router{router_address};
  std::vector<Link> houses;
  std::uint32_t last = 0;
  bool last_for_us = false;
};

}  // namespace

TEST_CASE("what names nobody goes to all but the sender") {
  Town town({{1, 1}, {255, 190}, {2, 1}});
  town.houses[0].send(Attitude{.time_boot_ms = 5});
  town.turn(1);
  CHECK(town.last_for_us);
  CHECK(town.hears(1, Attitude::wire_id));
  CHECK(town.hears(2, Attitude::wire_id));
  CHECK(!town.hears(0, Attitude::wire_id));
}

TEST_CASE("what names a system goes where it was heard") {
  Town town({{1, 1}, {255, 190}, {1, 100}});
  town.houses[1].send(CommandLong{.target_system = 1, .target_component = 1, .command = 400});
  town.turn(1);
  CHECK(!town.last_for_us);
  CHECK(town.hears(0, CommandLong::wire_id));
  CHECK(!town.hears(2, CommandLong::wire_id));
  // All components of a system.
  town.houses[1].send(ParamRequestList{.target_system = 1});
  town.turn(1);
  CHECK(town.hears(0, ParamRequestList::wire_id));
  CHECK(town.hears(2, ParamRequestList::wire_id));
  // Nobody has heard of it.
  town.houses[1].send(CommandLong{.target_system = 77, .target_component = 1});
  town.turn(1);
  CHECK(town.router.counters().nowhere == 1);
  CHECK(!town.hears(0, CommandLong::wire_id));
}

TEST_CASE("what names the router stays there") {
  Town town({{1, 1}, {255, 190}});
  town.houses[0].send(
      CommandAck{.command = 400, .target_system = router_address.system, .target_component = router_address.component});
  town.turn(1);
  CHECK(town.last_for_us);
  CHECK(!town.hears(1, CommandAck::wire_id));
}

TEST_CASE("our own messages go where they are meant to go") {
  Town town({{1, 1}, {2, 1}});
  CHECK(town.router.send(CommandLong{.target_system = 2, .target_component = 1}));
  CHECK(town.hears(1, CommandLong::wire_id));
  CHECK(!town.hears(0, CommandLong::wire_id));
  CHECK(town.router.send(Heartbeat{}));
  CHECK(town.hears(0, Heartbeat::wire_id));
  CHECK(town.hears(1, Heartbeat::wire_id));
}

TEST_CASE("a frame that comes again by another way is dropped") {
  Town town({{1, 1}, {9, 9}, {255, 190}});
  FrameBuffer buffer;
  Frame frame;
  frame.bytes = encode(buffer, {Version::v2, 77, {1, 1}}, Attitude{.time_boot_ms = 99});
  town.houses[0].forward(frame);
  town.turn(1);
  CHECK(town.hears(2, Attitude::wire_id));
  town.houses[1].forward(frame);
  CHECK(!town.router.receive(in(100ms)));
  CHECK(town.router.counters().repeated == 1);
  CHECK(!town.hears(2, Attitude::wire_id));
}

TEST_CASE("unknown messages pass through unchanged") {
  Town town({{1, 1}, {255, 190}});
  std::vector<std::uint8_t> bytes = {start_v2, 3, 0, 0, 5, 1, 1, 0x39, 0x30, 0, 7, 8, 9, 0, 0};
  const std::uint16_t crc = crc_add(crc_add(crc_start, Bytes(bytes.data() + 1, bytes.size() - 3)), std::uint8_t{200});
  bytes[13] = static_cast<std::uint8_t>(crc);
  bytes[14] = static_cast<std::uint8_t>(crc >> 8);
  Frame frame;
  frame.bytes = bytes;
  town.houses[0].forward(frame);
  town.turn(1);
  CHECK(town.last == 12345);
  const auto got = town.houses[1].receive(soon());
  REQUIRE(got);
  CHECK(std::equal(got->bytes.begin(), got->bytes.end(), bytes.begin(), bytes.end()));
}

TEST_CASE("what a radio says about itself stays on its link") {
  Town town({{51, 68}, {255, 190}});
  town.houses[0].send(RadioStatus{.rssi = 50});
  town.turn(1);
  CHECK(town.last == RadioStatus::wire_id);
  CHECK(!town.hears(1, RadioStatus::wire_id));
}

}  // namespace tandem::mavlink
