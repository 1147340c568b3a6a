// SPDX-License-Identifier: Apache-2.0
// The common faults G of a link, played to the Orca's bridge over UDP and TCP while it steers, in real time.
#include <fmt/format.h>

#include <random>

#include "tests/machines/orca/sub_rig.hpp"

using namespace tandem;
using namespace tandem::orca;
using namespace tandem::orca::rig;
using Effect = LineRow::Effect;

namespace {

std::vector<std::uint8_t> line_noise(std::size_t size) {
  std::mt19937_64 random(size);
  std::vector<std::uint8_t> bytes(size);
  for (auto& byte : bytes) byte = static_cast<std::uint8_t>(random());
  return bytes;
}

net::Faults toward_bridge(const net::PathFaults& faults) { return {{}, faults}; }

void clear_line(SubRig& rig) { rig.proxy.clear(); }
void line_comes_back(SubRig& rig) {
  rig.proxy.clear();
  if (rig.line == Line::tcp) rig.proxy.cut(net::Cut::rst);
}

// The front of an ATTITUDE that promises more than it has.
std::vector<std::uint8_t> torn_attitude() { return {0xFD, 28, 0, 0, 7, 1, 1, 30, 0, 0, 1, 2, 3}; }

}  // namespace

TEST_CASE("G01 the vehicle is not there at the start") {
  for (const Line line : {Line::udp, Line::tcp}) {
    SubRig rig(line);
    rig.proxy.stop_listening();
    rig.start();
    CHECK_MESSAGE(eventually([&] { return rig.status().attempts >= 3; }), rig.all());
    CHECK(rig.status().state == runtime::LinkState::connecting);
    CHECK_MESSAGE(rig.said("waiting for a heartbeat from 1/1"), rig.all());
    CHECK_FALSE(rig.latch().arm("test"));
    rig.bridge->commands().mode.post({Mode::guided, 1});  // wanted of nobody, and so never done
    pass(700ms);
    REQUIRE(rig.proxy.listen_again().ok());
    CHECK_MESSAGE(rig.flows(), rig.all());
    CHECK(rig.arm());
    const std::lock_guard lock(rig.mutex);
    CHECK(rig.vehicle.mode == 19);
  }
}

TEST_CASE("G02 the vehicle goes in the middle of a stream") {
  play({.strike = [](SubRig& rig) { rig.proxy.cut(net::Cut::fin); },
        .shows = {"the connection was lost"},
        .lines = {Line::tcp}});
  play({.strike = [](SubRig& rig) { rig.vehicle_runs = false; },
        .shows = {"no attitude for"},
        .lift = [](SubRig& rig) { rig.vehicle_runs = true; }});
}

TEST_CASE("G03 the connection is reset in the middle of a frame") {
  play({.strike =
            [](SubRig& rig) {
              rig.proxy.inject_to_client(torn_attitude());
              rig.proxy.cut(net::Cut::rst);
            },
        .shows = {"the connection was lost"},
        .lines = {Line::tcp}});
}

TEST_CASE("G04 everything vanishes in a black hole") {
  play({.strike = [](SubRig& rig) { rig.proxy.apply(net::Faults::both({.black_hole = true})); },
        .shows = {"no attitude for"},
        .lift = line_comes_back});
}

TEST_CASE("G06 the vehicle closes its half of the connection") {
  play({.strike = [](SubRig& rig) { rig.proxy.cut(net::Cut::half_to_client); }, .lines = {Line::tcp}});
}

TEST_CASE("G08 the line stands still for 300 ms and the newest that waited counts") {
  play({.strike =
            [](SubRig& rig) {
              {
                const std::lock_guard lock(rig.mutex);
                rig.vehicle.roll = 0.1F;
              }
              rig.proxy.apply(toward_bridge({.hold = true}));
              pass(250ms);
              {
                const std::lock_guard lock(rig.mutex);
                rig.vehicle.roll = 0.5F;
              }
              pass(50ms);
              rig.proxy.clear();
              CHECK(rig.flows(3));
              const Eigen::Vector3d rpy = rpy_from_rotation(pose_from(rig.state().vehicle.X_map_base).linear());
              CHECK(rpy.x() == doctest::Approx(0.5));
            },
        .effect = Effect::none});
}

TEST_CASE("G10 every byte comes in a segment of its own") {
  play({.strike =
            [](SubRig& rig) {
              rig.proxy.apply(net::Faults::both({.slice = 1}));
              CHECK(rig.flows(20));
            },
        .effect = Effect::none,
        .lift = clear_line,
        .lines = {Line::tcp}});
}

TEST_CASE("G12 a torn frame before a valid stream costs little and disarms nobody") {
  play({.strike =
            [](SubRig& rig) {
              rig.proxy.inject_to_client(torn_attitude());
              CHECK(rig.flows(5));
            },
        .effect = Effect::none});
}

TEST_CASE("G13 garbage from one byte to many is not heard") {
  play({.strike =
            [](SubRig& rig) {
              for (const std::size_t size : {1UL, 37UL, 5000UL, 60'000UL}) {
                rig.proxy.inject_to_client(line_noise(size));
                CHECK(rig.flows(2));
              }
              CHECK(rig.state().vehicle.X_map_base.finite());
            },
        .effect = Effect::none});
}

TEST_CASE("G14 bits flip on the way and what is heard is true") {
  play({.strike =
            [](SubRig& rig) {
              rig.proxy.apply(net::Faults::both({.corrupt = 1e-3}));
              CHECK_MESSAGE(eventually([&] { return rig.value("damaged frames") >= 5; }), rig.all());
              const State state = rig.state();
              CHECK(state.vehicle.sonar == doctest::Approx(3));
              CHECK(state.vehicle.estimate_jumps == 0);
            },
        .effect = Effect::none,
        .lift = clear_line,
        .lines = {Line::udp}});
}

TEST_CASE("G15 and G16 frames that come twice or in another order change nothing") {
  play({.strike =
            [](SubRig& rig) {
              rig.proxy.apply(net::Faults::both({.duplicate = 1, .reorder = 0.3}));
              CHECK(rig.flows(30));
              CHECK(rig.state().vehicle.reboots == 0);
            },
        .effect = Effect::none,
        .lift = clear_line,
        .lines = {Line::udp}});
}

TEST_CASE("V10 frames that are lost are counted and their share is shown") {
  play({.strike =
            [](SubRig& rig) {
              rig.proxy.apply(toward_bridge({.drop = 0.3}));
              CHECK_MESSAGE(eventually([&] { return rig.value("frames lost") > 5; }), rig.all());
              CHECK(rig.value("frames lost") < 50);
            },
        .effect = Effect::none,
        .lift = clear_line,
        .lines = {Line::udp}});
}

TEST_CASE("G24 a vehicle that comes and goes is connected to again and nothing is left behind") {
  play({.strike =
            [](SubRig& rig) {
              for (int i = 0; i < 20; ++i) {
                rig.proxy.cut(i % 2 == 0 ? net::Cut::rst : net::Cut::fin);
                pass(50ms);
              }
            },
        .lines = {Line::tcp}});
}

TEST_CASE("G24 a port that another has is named and taken once it is free") {
  auto other = net::UdpSocket::bind("127.0.0.1", 0);
  REQUIRE(other.ok());
  const std::uint16_t port = other->local().port;
  Machine bridge(setup_for(fmt::format("mavlink://127.0.0.1:{}?link=udpin", port), system_clock()));
  const auto taken = bridge.connect(now() + 200ms);
  REQUIRE_FALSE(taken.ok());
  CHECK_MESSAGE(taken.error().text.find(fmt::format("{}", port)) != std::string::npos, taken.error().text);
  { const net::UdpSocket gone = std::move(*other); }
  const auto free = bridge.connect(now() + 200ms);
  REQUIRE_FALSE(free.ok());
  CHECK_MESSAGE(free.error().text.find("waiting for a heartbeat") != std::string::npos, free.error().text);
}

TEST_CASE("G24 without descriptors it is told why and goes on when there are some") {
  SubRig rig(Line::tcp);
  rig.start();
  REQUIRE_MESSAGE(rig.flows(), rig.all());
  rig.proxy.cut(net::Cut::rst);  // once before: what a sanitizer sees for the first time, it needs descriptors for
  REQUIRE_MESSAGE(rig.flows(), rig.all());
  bool told = false;
  {
    NoDescriptors none;
    rig.proxy.cut(net::Cut::rst);
    told = eventually([&] { return none.take(), rig.said("no file descriptors left"); });
  }
  CHECK_MESSAGE(told, rig.all());
  CHECK_MESSAGE(rig.flows(), rig.all());
}
