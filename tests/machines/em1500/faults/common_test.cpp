// SPDX-License-Identifier: Apache-2.0
// The common faults G1 to G24 of a link, played to the EM1500 bridge on an idle link and on one that streams.
#include <cmath>
#include <limits>
#include <random>

#include "tandem/protocols/ads/codec/ams.hpp"
#include "tests/machines/em1500/rig.hpp"

using namespace tandem;
using namespace tandem::em1500;
using namespace tandem::em1500::faults;
using Effect = Row::Effect;
using Script = ads::FaultScript;

namespace {

net::Faults to_client(const net::PathFaults& faults) { return {{}, faults}; }

std::vector<std::uint8_t> noise(std::size_t size, std::uint64_t seed) {
  std::mt19937_64 random(seed);
  std::vector<std::uint8_t> bytes(size);
  for (auto& byte : bytes) byte = static_cast<std::uint8_t>(random());
  return bytes;
}

// The front of a packet for us that promises 100 bytes more than it has.
std::vector<std::uint8_t> torn_frame() {
  std::vector<std::uint8_t> bytes;
  ads::AmsHeader header;
  header.command = ads::Command::notification;
  const std::size_t begun_at = ads::begin_frame(bytes, header);
  bytes.resize(bytes.size() + 200, 0x3F);
  ads::finish_frame(bytes, begun_at);
  return {bytes.begin(), bytes.end() - 100};
}

void wait_for_refusals(Rig& rig, std::uint64_t more) {
  const std::uint64_t before = rig.link.account.refused;
  CHECK_MESSAGE(eventually([&] { return rig.link.account.refused >= before + more; }), rig.link.account.all());
}

}  // namespace

TEST_CASE("G01 the peer is not there at the start") {
  play({.before = [](Rig& rig) { rig.proxy.stop_listening(); },
        .strike =
            [](Rig& rig) {
              pass(1s);
              CHECK(rig.link.status().state == runtime::LinkState::connecting);
              CHECK(rig.link.status().attempts >= 3);
              CHECK(rig.link.status().attempts <= 40);  // 20, 40, 80, then 150 ms, each up to a quarter shorter
              CHECK(rig.link.events("away") == 1);
            },
        .shows = {"nothing listens"},
        .lift = [](Rig& rig) { REQUIRE(rig.proxy.listen_again().ok()); }});
}

TEST_CASE("G02 the peer ends the connection in the middle of the stream") {
  play({.strike =
            [](Rig& rig) {
              rig.proxy.stop_listening();
              rig.proxy.cut(net::Cut::fin);
            },
        .shows = {"closed the connection", "nothing listens"},
        .lift = [](Rig& rig) { REQUIRE(rig.proxy.listen_again().ok()); }});
}

TEST_CASE("G03 the connection is reset in the middle of a frame") {
  play({.strike =
            [](Rig& rig) {
              rig.proxy.inject_to_client(torn_frame());
              rig.proxy.cut(net::Cut::rst);
            },
        .shows = {"reset"}});
}

TEST_CASE("G04 everything vanishes in a black hole") {
  play({.strike = [](Rig& rig) { rig.proxy.apply(net::Faults::both({.black_hole = true})); },
        .shows = {"no answer before the deadline"},
        .lift = [](Rig& rig) { rig.proxy.clear(); },
        .beside = true});
}

TEST_CASE("G05 the link is half open after the peer lost its power") {
  play({.strike =
            [](Rig& rig) {
              // The PLC goes without a word, and the way back is free again before anybody noticed.
              rig.proxy.apply(net::Faults::both({.black_hole = true}));
              rig.kill_plc();
              pass(50ms);
              rig.proxy.clear();
              CHECK(eventually([&] { return rig.link.status().quality != Quality::live; }));
              const std::uint64_t live = rig.link.account.live;
              pass(300ms);
              CHECK(rig.link.account.live == live);  // whatever the socket still took
            },
        .lift = [](Rig& rig) { rig.restart(); }});
}

TEST_CASE("G06 the peer closes its half of the connection") {
  play({.strike = [](Rig& rig) { rig.proxy.cut(net::Cut::half_to_client); }, .shows = {"closed"}});
}

TEST_CASE("G07 the peer accepts and says nothing") {
  play({.strike =
            [](Rig& rig) {
              rig.wire.script.next(Script::silent_connection, Script::always);
              rig.proxy.cut(net::Cut::rst);
              const std::uint64_t attempts = rig.link.status().attempts;
              CHECK(eventually([&] { return rig.link.status().attempts >= attempts + 2; }));
            },
        .shows = {"it has not answered yet"},
        .lift = [](Rig& rig) { rig.wire.script.next(Script::silent_connection, 0); },
        .beside = true});
}

TEST_CASE("G08 the peer stands still for 300 ms and goes on") {
  play({.strike =
            [](Rig& rig) {
              rig.proxy.apply(net::Faults::both({.hold = true}));
              pass(300ms);
              rig.proxy.clear();  // the old samples come in one go; the oracle knows their age
              if (rig.mode == Mode::streaming) CHECK(rig.link.flows());
              CHECK(rig.link.status().stale_episodes <= 2);
            },
        .effect = Effect::none});
}

TEST_CASE("G09 one byte in 100 ms in both directions") {
  play({.strike = [](Rig& rig) { rig.proxy.apply(net::Faults::both({.slice = 1, .slice_gap = Duration(100ms)})); },
        .shows = {"no answer before the deadline"},
        .lift =
            [](Rig& rig) {
              rig.proxy.clear();
              rig.proxy.cut(net::Cut::rst);
            },
        .beside = true});
}

TEST_CASE("G10 every byte in a segment of its own") {
  play({.strike =
            [](Rig& rig) {
              rig.proxy.apply(net::Faults::both({.slice = 1}));
              const std::uint64_t refused = rig.link.account.refused;
              if (rig.mode == Mode::streaming) CHECK(rig.link.flows(30));
              CHECK(rig.link.account.refused == refused);
            },
        .effect = Effect::none,
        .lift = [](Rig& rig) { rig.proxy.clear(); }});
}

TEST_CASE("G11 many frames in one segment") {
  play({.strike =
            [](Rig& rig) {
              for (int burst = 0; burst < 8; ++burst) {
                rig.proxy.apply(to_client({.hold = true}));
                pass(60ms);
                const std::uint64_t live = rig.link.account.live;
                rig.proxy.clear();
                CHECK(eventually([&] { return rig.link.account.live > live; }));
              }
            },
        .effect = Effect::none,
        .not_idle = "an idle link has no frames to put together"});
}

TEST_CASE("G12 a torn frame before a valid stream") {
  play({.strike = [](Rig& rig) { rig.proxy.inject_to_client(torn_frame()); }});
  play({.before = [](Rig& rig) { rig.wire.script.next(Script::cut_answer, 1); }});
}

TEST_CASE("G13 garbage from one byte to a megabyte") {
  play(
      {.strike =
           [](Rig& rig) {
             std::uint64_t seed = 13;
             for (const std::size_t size : {std::size_t{1}, std::size_t{37}, std::size_t{5000}, std::size_t{1} << 20}) {
               const std::uint64_t connects = rig.link.account.connects;
               rig.proxy.inject_to_client(noise(size, ++seed));
               CHECK(eventually([&] { return rig.link.account.connects > connects; }));
             }
             CHECK(rig.link.events() < 20);
           },
       .beside = true});
}

TEST_CASE("G14 bits flip on the way") {
  play({.strike =
            [](Rig& rig) {
              rig.proxy.apply(to_client({.corrupt = 1e-3}));
              let_flow(rig);
              pass(1s);
            },
        .lift =
            [](Rig& rig) {
              rig.proxy.clear();
              rig.proxy.cut(net::Cut::rst);
            },
        .exact = false});
}

TEST_CASE("G15 every frame comes twice") {
  play({.strike =
            [](Rig& rig) {
              rig.wire.doubles = true;
              let_flow(rig);
              pass(500ms);
            },
        .effect = Effect::none,
        .lift = [](Rig& rig) { rig.wire.doubles = false; }});
}

TEST_CASE("G16 frames come in the wrong order") {
  play({.strike =
            [](Rig& rig) {
              rig.wire.swaps = true;
              pass(500ms);
            },
        .effect = Effect::none,
        .lift = [](Rig& rig) { rig.wire.swaps = false; },
        .not_idle = "an idle link has no frames to swap"});
}

TEST_CASE("G17 an old capture is played again") {
  play({.strike =
            [](Rig& rig) {
              rig.wire.captures = true;
              pass(300ms);
              rig.wire.captures = false;
              pass(400ms);
              const auto capture = rig.wire.captured();
              rig.proxy.inject_to_client(capture);  // beside the true stream: passed over or refused
              pass(50ms);
              rig.proxy.apply(to_client({.drop = 1}));  // and in its place, at its pace
              const std::size_t packet = 6 + capture[2] + 256u * capture[3];
              for (std::size_t at = 0; at + packet <= capture.size(); at += packet) {
                rig.proxy.inject_to_client(Bytes(capture).subspan(at, packet));
                pass(10ms);
              }
            },
        .effect = Effect::stale,
        .shows = {"went back"},
        .lift = [](Rig& rig) { rig.proxy.clear(); },
        .not_idle = "an idle link has nothing to capture"});
}

TEST_CASE("G18 numbers that are none") {
  constexpr double infinity = std::numeric_limits<double>::infinity();
  play({.strike =
            [](Rig& rig) {
              for (const double bad : {std::nan(""), infinity, -infinity, 1e308, -1e308, 1e30}) {
                for (double PlcPose::*axis : {&PlcPose::surge, &PlcPose::yaw}) {
                  rig.plc->twist([=](PlcPose pose) { return pose.*axis = bad, pose; });
                  let_flow(rig);
                  wait_for_refusals(rig, 3);
                }
              }
              pass(150ms);
              CHECK(rig.link.status().quality == Quality::invalid);
            },
        .effect = Effect::stale,
        .shows = {"surge: expected a number within", "yaw: expected a number within"},
        .lift = [](Rig& rig) { rig.plc->twist({}); }});
  for (const double odd : {-0.0, std::numeric_limits<double>::denorm_min()}) {
    play({.strike = [=](Rig& rig) { rig.plc->twist([=](PlcPose pose) { return pose.yaw = odd, pose; }); },
          .effect = Effect::none,
          .not_idle = "these are poses like any other",
          .exact = false});
  }
}

TEST_CASE("G19 the peer repeats the same sample") {
  play({.strike =
            [](Rig& rig) {
              rig.plc->repeats = true;
              let_flow(rig);
              wait_for_refusals(rig, 30);
            },
        .effect = Effect::stale,
        .shows = {"an old or repeated sample"},
        .lift = [](Rig& rig) { rig.plc->repeats = false; }});
  play({.strike =
            [](Rig& rig) {
              rig.plc->feed_dead = true;
              let_flow(rig);
            },
        .effect = Effect::stale,
        .shows = {"MAIN."},
        .lift = [](Rig& rig) { rig.plc->feed_dead = false; },
        .not_idle = "a feed that was never seen to move has not stopped",
        .oldest = 900ms});  // the PLC's own limit for its feed is 500 ms
}
