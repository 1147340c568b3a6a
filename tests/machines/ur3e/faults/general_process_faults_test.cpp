// SPDX-License-Identifier: Apache-2.0
// The common faults G20 to G24: clocks, our own process, a peer that takes nothing, and peers that come and go.
#include <fcntl.h>
#include <sys/resource.h>
#include <unistd.h>

#include <cmath>

#include "tandem/protocols/ur/primary/packet_client.hpp"
#include "tests/machines/ur3e/faults/fault_rig.hpp"

using namespace tandem;
using namespace tandem::ur3e;
using namespace tandem::ur3e::faults;
using Effect = Row::Effect;
using runtime::LinkState;

namespace {

// Our own UTC, which may jump; the monotonic time does not.
class JumpyClock final : public Clock {
 public:
  Instant now() const override { return system_clock().now(); }
  UtcTime utc() const override { return system_clock().utc() + Duration(ahead.load()); }
  void sleep_until(Instant instant) override { system_clock().sleep_until(instant); }
  std::atomic<Duration::rep> ahead{0};
};

}  // namespace

TEST_CASE("G20 our clock jumps by an hour") {
  JumpyClock clock;
  for (const Mode mode : {Mode::idle, Mode::moving}) {
    Rig rig(mode, 12.5, clock);
    rig.start();
    REQUIRE(rig.flows());
    if (mode == Mode::moving) REQUIRE(rig.swing());
    const std::uint64_t connects = rig.status().connects;
    for (const Duration jump : {Duration(1h), Duration(-2h), Duration(1h)}) {
      clock.ahead += jump.count();
      CHECK(rig.flows(2));
      // A host that is held up may disarm it; a clock does not.
      if (mode == Mode::moving && !rig.moves())
        CHECK_MESSAGE(rig.cause().find("no sample") != std::string::npos, rig.cause());
    }
    CHECK(rig.status().connects == connects);
    CHECK_MESSAGE(rig.account.wrong == 0, rig.account.all());
  }
}

TEST_CASE("G21 the machine's thread stands still") {
  play({.strike =
            [](Rig& rig) {
              const Seen before = rig.eye.seen();
              rig.account.pause_for = Duration(1200ms).count();
              CHECK(eventually([&] { return rig.account.pause_for == 0; }));
              // The controller misses the signs of life and stops by itself, long before anybody wakes up here.
              if (rig.mode == Mode::moving) CHECK(rig.stands());
              CHECK(rig.flows());
              CHECK(std::abs(rig.eye.seen().q[0] - before.q[0]) < 0.5);
            },
        .effect = Effect::stop,
        .only_moving = "nothing is commanded by a machine that only reads"});
}

TEST_CASE("G23 the controller takes nothing more") {
  // It hears no sign of life and stops the arm; what waited on the way comes to a program that has ended.
  play({.strike =
            [](Rig& rig) {
              rig.rtde.apply(to_device({.hold = true}));
              if (rig.mode == Mode::idle) return pass(300ms);
              CHECK(eventually([&] { return !rig.armed(); }));
              CHECK(rig.stands());
              rig.rtde.clear();
            },
        .effect = Effect::stop,
        .lift = [](Rig& rig) { rig.rtde.clear(); }});

  auto listener = net::TcpListener::listen("127.0.0.1", 0);
  REQUIRE(listener.ok());
  auto client = ur::PacketClient::connect("127.0.0.1", listener->local().port, soon());
  REQUIRE(client.ok());
  const Instant begun = now();
  const auto written = client->send_program(std::string(24u << 20, '#'), begun + 300ms);
  REQUIRE_FALSE(written.ok());
  CHECK(written.error().fault == Fault::timeout);
  CHECK(now() - begun < 10s);
  CHECK_FALSE(client->send_program("stopj(2)\n", soon()).ok());  // half a program cannot be taken back
}

TEST_CASE("G24 the controller comes and goes twenty times a second") {
  play({.strike = [](Rig& rig) {
    const std::uint64_t attempts = rig.status().attempts;
    for (int i = 0; i < 20; ++i) {
      rig.both([&](net::FaultProxy& proxy) {
        proxy.cut(i % 2 == 0 ? net::Cut::rst : net::Cut::fin);
        if (i % 4 == 0) proxy.stop_listening();
      });
      pass(50ms);
      if (i % 4 == 0) rig.both([](net::FaultProxy& proxy) { REQUIRE(proxy.listen_again().ok()); });
    }
    CHECK(rig.status().attempts - attempts < 60);
    CHECK(rig.events() < 30);
  }});
}

TEST_CASE("G24 no descriptors are left") {
  play({.strike = [](Rig& rig) {
    NoDescriptors none;
    rig.rtde.cut(net::Cut::rst);
    const auto named = [&] { return none.take(), rig.account.said("no file descriptors left"); };
    CHECK_MESSAGE(eventually(named), rig.account.all());
  }});
}

TEST_CASE("G24 another server has the port") {
  const Stranger stranger;
  play({.strike =
            [&](Rig& rig) {
              rig.rtde.redirect(stranger.endpoint());
              rig.rtde.cut(net::Cut::rst);
            },
        .shows = {"RTDE"},
        .lift = [](Rig& rig) { rig.rtde.redirect(loopback_port(rig.controller->ports().rtde)); }});
  play({.strike =
            [&](Rig& rig) {
              rig.primary.redirect(stranger.endpoint());
              rig.primary.cut(net::Cut::rst);
            },
        .shows = {"primary port"},
        .lift = [](Rig& rig) { rig.primary.redirect(loopback_port(rig.controller->ports().primary)); }});
}

TEST_CASE("G24 there is no route to the controller") {
  for (const char* device : {"rtde://240.0.0.1", "rtde://255.255.255.255"}) {
    CAPTURE(device);
    Rig rig(Mode::idle, 12.5, system_clock(), device);
    rig.start();
    CHECK(eventually([&] { return rig.status().attempts >= 3; }));
    CHECK(rig.status().state == LinkState::connecting);
    CHECK_FALSE(rig.status().cause.empty());
    CHECK(rig.events("away") == 1);
    CHECK(Duration(rig.account.slowest.load()) < 4s);
  }
}
