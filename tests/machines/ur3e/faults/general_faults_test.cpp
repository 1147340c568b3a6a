// SPDX-License-Identifier: Apache-2.0
// The common faults G1 to G13 of a link, played to the UR3e machine while the arm is only read and while it moves.
#include <random>

#include "tests/machines/ur3e/faults/fault_rig.hpp"

using namespace tandem;
using namespace tandem::ur3e;
using namespace tandem::ur3e::faults;
using Effect = Row::Effect;

namespace {

std::vector<std::uint8_t> noise(std::size_t size, std::uint64_t seed) {
  std::mt19937_64 random(seed);
  std::vector<std::uint8_t> bytes(size);
  for (auto& byte : bytes) byte = static_cast<std::uint8_t>(random());
  return bytes;
}

// A data packet that promises 200 bytes and has half of them.
std::vector<std::uint8_t> torn_packet() {
  std::vector<std::uint8_t> bytes(100, 0x3f);
  bytes[0] = 0;
  bytes[1] = 200;
  bytes[2] = 'U';
  return bytes;
}

}  // namespace

TEST_CASE("G1 the controller is not there at the start") {
  play({.before = [](Rig& rig) { rig.both([](net::FaultProxy& proxy) { proxy.stop_listening(); }); },
        .strike =
            [](Rig& rig) {
              CHECK(eventually([&] { return rig.status().attempts >= 3; }));
              pass(500ms);
              CHECK(rig.status().state == runtime::LinkState::connecting);
              CHECK(rig.status().attempts <= 40);
              CHECK(rig.events("away") == 1);
            },
        .shows = {"nothing listens"},
        .lift = [](Rig& rig) { rig.both([](net::FaultProxy& proxy) { REQUIRE(proxy.listen_again().ok()); }); }});
  play({.before = [](Rig& rig) { rig.primary.stop_listening(); },
        .shows = {"primary port"},
        .lift = [](Rig& rig) { REQUIRE(rig.primary.listen_again().ok()); }});
}

TEST_CASE("G2 the controller ends its connections in the middle of the stream") {
  play({.strike =
            [](Rig& rig) {
              rig.both([](net::FaultProxy& proxy) {
                proxy.stop_listening();
                proxy.cut(net::Cut::fin);
              });
            },
        .shows = {"closed the connection", "nothing listens"},
        .disarms = "lost",
        .lift = [](Rig& rig) { rig.both([](net::FaultProxy& proxy) { REQUIRE(proxy.listen_again().ok()); }); }});
  play({.strike = [](Rig& rig) { rig.primary.cut(net::Cut::fin); }, .shows = {"primary port"}, .disarms = "lost"});
}

TEST_CASE("G3 the connection is reset in the middle of a packet") {
  play({.strike =
            [](Rig& rig) {
              rig.rtde.inject_to_client(torn_packet());
              rig.rtde.cut(net::Cut::rst);
            },
        .shows = {"reset"},
        .disarms = "lost"});
}

TEST_CASE("G4 everything vanishes in a black hole") {
  play({.strike =
            [](Rig& rig) {
              rig.both([](net::FaultProxy& proxy) { proxy.apply(net::Faults::both({.black_hole = true})); });
              CHECK(eventually([&] { return rig.status().state == runtime::LinkState::connecting; }));
            },
        .shows = {"no sample for 240 ms"},
        .lift = clear});
}

TEST_CASE("G5 the link is half open after the controller lost its power") {
  play({.strike =
            [](Rig& rig) {
              // The controller goes without a word, and the way back is free again before anybody noticed.
              rig.both([](net::FaultProxy& proxy) { proxy.apply(net::Faults::both({.black_hole = true})); });
              rig.kill_controller();
              pass(50ms);
              clear(rig);
              CHECK(eventually([&] { return rig.status().quality != Quality::live; }));
              const std::uint64_t live = rig.account.live;
              pass(300ms);
              CHECK(rig.account.live == live);  // whatever the socket still took
            },
        .lift = [](Rig& rig) { rig.restart_controller(); }});
}

TEST_CASE("G6 the controller closes its half of the connection") {
  play({.strike = [](Rig& rig) { rig.rtde.cut(net::Cut::half_to_client); }, .shows = {"closed"}, .disarms = "lost"});
  play({.strike = [](Rig& rig) { rig.primary.cut(net::Cut::half_to_client); },
        .shows = {"primary port"},
        .disarms = "lost"});
}

TEST_CASE("G7 a port accepts and says nothing") {
  auto mute = net::TcpListener::listen("127.0.0.1", 0);
  REQUIRE(mute.ok());
  const auto attempts_go_on = [](Rig& rig) {
    const std::uint64_t attempts = rig.status().attempts;
    CHECK(eventually([&] { return rig.status().attempts >= attempts + 2; }));
  };
  play({.strike =
            [&](Rig& rig) {
              rig.rtde.redirect(mute->local());
              rig.rtde.cut(net::Cut::rst);
              attempts_go_on(rig);
            },
        .shows = {"RTDE: protocol version 2"},
        .lift = [](Rig& rig) { rig.rtde.redirect(loopback_port(rig.controller->ports().rtde)); }});
  // The ports answer, and no sample ever comes.
  play({.strike =
            [&](Rig& rig) {
              rig.pendant.halted = true;
              attempts_go_on(rig);
            },
        .shows = {"no sample for 240 ms"},
        .lift = [](Rig& rig) { rig.pendant.halted = false; }});
}

TEST_CASE("G8 the controller stands still for a while and goes on") {
  // What waited on the way is too old to be shown, in one go or one packet after the other.
  for (const std::size_t slice : {std::size_t{0}, std::size_t{700}}) {
    CAPTURE(slice);
    play({.strike =
              [=](Rig& rig) {
                rig.rtde.apply(to_client({.slice = slice, .slice_gap = Duration(3ms), .hold = true}));
                CHECK(eventually([&] { return rig.account.said("no sample for"); }));
                pass(100ms);
                rig.rtde.apply(to_client({.slice = slice, .slice_gap = Duration(3ms)}));
                CHECK(rig.flows());
                CHECK(rig.status().stale_episodes >= 1);
                if (rig.mode == Mode::moving) CHECK_FALSE(rig.armed());
              },
          .effect = Effect::stop,
          .lift = clear,
          .oldest = 0.3});
  }
}

TEST_CASE("G9 one byte in 100 ms in both directions") {
  play({.strike =
            [](Rig& rig) {
              rig.rtde.apply(net::Faults::both({.slice = 1, .slice_gap = Duration(100ms)}));
              CHECK(eventually([&] { return rig.status().state == runtime::LinkState::connecting; }));
            },
        .shows = {"no sample for 240 ms"},
        .lift =
            [](Rig& rig) {
              clear(rig);
              rig.rtde.cut(net::Cut::rst);
            }});
}

TEST_CASE("G10 every byte in a segment of its own") {
  play({.strike = [](Rig& rig) { rig.rtde.apply(net::Faults::both({.slice = 1})); },
        .effect = Effect::none,
        .lift = clear});
}

TEST_CASE("G11 many packets in one segment") {
  play({.strike =
            [](Rig& rig) {
              const std::uint64_t skipped = rig.bridge->state().skipped;
              for (int burst = 0; burst < 5; ++burst) {
                rig.rtde.apply(to_client({.hold = true}));
                pass(30ms);
                rig.rtde.clear();
                if (!rig.flows(1)) return;
              }
              CHECK(eventually([&] { return rig.bridge->state().skipped > skipped; }));
            },
        .effect = Effect::none,
        .cycle_hz = 125});
}

TEST_CASE("G12 a torn packet before a valid stream") {
  play({.strike = [](Rig& rig) { rig.rtde.inject_to_client(torn_packet()); }, .shows = {"RTDE"}, .disarms = "lost"});
  // Half of a packet of ours: the next one's front fills it up, and nothing of that may be shown.
  play({.strike = [](Rig& rig) {
    const auto captured = rig.capture.packets();
    REQUIRE_FALSE(captured.empty());
    rig.rtde.inject_to_client(Bytes(captured.back()).first(captured.back().size() / 2));
  }});
}

TEST_CASE("G13 garbage from one byte to a megabyte") {
  for (net::FaultProxy Rig::*port : {&Rig::rtde, &Rig::primary}) {
    CAPTURE(port == &Rig::rtde);
    play({.strike = [=](Rig& rig) {
      std::uint64_t seed = 13;
      for (const std::size_t size : {std::size_t{1}, std::size_t{37}, std::size_t{5000}, std::size_t{1} << 20}) {
        const std::uint64_t connects = rig.status().connects;
        (rig.*port).inject_to_client(noise(size, ++seed));
        CHECK(eventually([&] { return rig.status().connects > connects && rig.live(); }));
      }
      CHECK(rig.events() < 40);
    }});
  }
}
