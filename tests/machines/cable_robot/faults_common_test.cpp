// The common faults G1 to G24 of a link, played to the cable robot's bridge while it is only read and while it moves.
#include <random>

#include "tests/machines/cable_robot/cable_rig.hpp"

using namespace tandem;
using namespace tandem::cable_robot;
using namespace tandem::cable_robot::rig;
using Effect = Row::Effect;

namespace {

std::vector<std::uint8_t> noise(std::size_t size, std::uint64_t seed) {
  std::mt19937_64 random(seed);
  std::vector<std::uint8_t> bytes(size);
  for (auto& byte : bytes) byte = static_cast<std::uint8_t>(random());
  return bytes;
}

net::Faults to_client(const net::PathFaults& faults) { return {{}, faults}; }

// The front of an answer that promises more than it has.
std::vector<std::uint8_t> torn_frame() { return {0x12, 0x34, 0, 0, 0, 131, 1, 3, 128, 0, 1}; }

void clear(Rig& rig) { rig.proxy.clear(); }
void clear_and_cut(Rig& rig) {
  rig.proxy.clear();
  rig.proxy.cut(net::Cut::rst);
}

// UTC jumps, and nothing else does.
class JumpingClock final : public Clock {
 public:
  Instant now() const override { return system_clock().now(); }
  UtcTime utc() const override { return system_clock().utc() + Duration(jump.load()); }
  void sleep_until(Instant instant) override { system_clock().sleep_until(instant); }
  std::atomic<Duration::rep> jump{0};
};

}  // namespace

TEST_CASE("G01 the winches are not there at the start") {
  play({.before = [](Rig& rig) { rig.proxy.stop_listening(); },
        .strike =
            [](Rig& rig) {
              pass(500ms);
              CHECK(rig.link.status().state == runtime::LinkState::connecting);
              CHECK(rig.link.status().attempts >= 2);
            },
        .shows = {"nothing listens"},
        .lift = [](Rig& rig) { REQUIRE(rig.proxy.listen_again().ok()); }});
}

TEST_CASE("G02 the winches end the connection in the middle of a turn") {
  play({.strike =
            [](Rig& rig) {
              rig.proxy.stop_listening();
              rig.proxy.cut(net::Cut::fin);
            },
        .shows = {"closed", "nothing listens"},
        .lift = [](Rig& rig) { REQUIRE(rig.proxy.listen_again().ok()); }});
}

TEST_CASE("G03 the connection is reset in the middle of a frame") {
  play({.strike = [](Rig& rig) {
    rig.proxy.inject_to_client(torn_frame());
    rig.proxy.cut(net::Cut::rst);
  }});
}

TEST_CASE("G04 everything vanishes in a black hole and the robot is stopped until reset") {
  play({.strike =
            [](Rig& rig) {
              rig.proxy.apply(net::Faults::both({.black_hole = true}));
              CHECK(eventually([&] { return rig.link.status().quality != Quality::live; }));
              pass(1200ms);
            },
        .lift = clear_and_cut,
        .after =
            [](Rig& rig) {
              if (rig.mode == Mode::idle) return;
              CHECK_MESSAGE(eventually([&] { return rig.link.stopped(); }), rig.link.all());
              CHECK_FALSE(rig.link.latch().arm("test"));  // a reset comes first
            }});
}

TEST_CASE("G05 the link is half open after the winches lost their power") {
  play({.strike =
            [](Rig& rig) {
              rig.proxy.apply(net::Faults::both({.black_hole = true}));
              rig.kill_winches();
              pass(50ms);
              rig.proxy.clear();
              CHECK(eventually([&] { return rig.link.status().quality != Quality::live; }));
            },
        .lift = [](Rig& rig) { rig.restart_winches(); }});
}

TEST_CASE("G06 the winches close their half of the connection") {
  play({.strike = [](Rig& rig) { rig.proxy.cut(net::Cut::half_to_client); }, .shows = {"closed"}});
}

TEST_CASE("G07 the winches accept and say nothing") {
  play({.strike =
            [](Rig& rig) {
              rig.faults.next(WinchFaults::no_answer, WinchFaults::always);
              rig.proxy.cut(net::Cut::rst);
              const std::uint64_t attempts = rig.link.status().attempts;
              CHECK(eventually([&] { return rig.link.status().attempts >= attempts + 2; }));
            },
        .lift = [](Rig& rig) { rig.faults.next(WinchFaults::no_answer, 0); }});
}

TEST_CASE("G08 the winches stand still for 200 ms and go on") {
  play({.strike =
            [](Rig& rig) {
              rig.proxy.apply(net::Faults::both({.hold = true}));
              pass(200ms);
              rig.proxy.clear();
              CHECK(rig.link.flows());
            },
        .effect = Effect::either});
}

TEST_CASE("G09 one byte in 100 ms in both directions") {
  play({.strike = [](Rig& rig) { rig.proxy.apply(net::Faults::both({.slice = 1, .slice_gap = Duration(100ms)})); },
        .effect = Effect::disarm,
        .lift = clear_and_cut});
}

TEST_CASE("G10 every byte in a segment of its own") {
  play({.strike =
            [](Rig& rig) {
              rig.proxy.apply(net::Faults::both({.slice = 1}));
              CHECK(rig.link.flows(20));
            },
        .effect = Effect::none,
        .lift = clear});
}

TEST_CASE("G11 many answers in one segment") {
  play({.strike =
            [](Rig& rig) {
              for (int burst = 0; burst < 5; ++burst) {
                rig.proxy.apply(to_client({.hold = true}));
                pass(50ms);
                rig.proxy.clear();
                CHECK(rig.link.flows(2));
              }
            },
        .effect = Effect::none});
}

TEST_CASE("G12 a torn frame before a valid stream") {
  play({.strike = [](Rig& rig) { rig.proxy.inject_to_client(torn_frame()); }, .effect = Effect::either});
  play({.strike = [](Rig& rig) { rig.faults.next(WinchFaults::cut_answer, 1); }});
}

TEST_CASE("G13 garbage from one byte to a megabyte") {
  play({.strike = [](Rig& rig) {
    for (const std::size_t size : {std::size_t{37}, std::size_t{5000}, std::size_t{1} << 20}) {
      const std::uint64_t connects = rig.link.status().connects;
      rig.proxy.inject_to_client(noise(size, size));
      CHECK(eventually([&] { return rig.link.status().connects > connects; }));
    }
  }});
}

TEST_CASE("G14 bits flip on the way") {
  play({.strike =
            [](Rig& rig) {
              rig.proxy.apply(to_client({.corrupt = 1e-4}));
              pass(1s);
              for (int i = 0; i < 8; ++i) CHECK(std::abs(rig.link.state().lengths[static_cast<std::size_t>(i)]) < 3);
            },
        .effect = Effect::either,
        .lift = clear_and_cut});
}

TEST_CASE("G15 every answer comes twice") {
  play({.strike =
            [](Rig& rig) {
              rig.proxy.apply(to_client({.duplicate = 1}));
              pass(500ms);
            },
        .effect = Effect::either,  // when the proxy read half an answer, it is that half that came twice
        .lift = clear});
}

TEST_CASE("G16 answers in the wrong order find their requests") {
  play({.strike =
            [](Rig& rig) {
              rig.faults.delay(100ms);
              rig.faults.function(3);
              rig.faults.next(WinchFaults::late_answer, 3);
              CHECK(eventually([&] { return rig.faults.happened(WinchFaults::late_answer) >= 3; }));
            },
        .effect = Effect::none,
        .lift = [](Rig& rig) { rig.faults.function(0); }});
}

TEST_CASE("G17 old answers played again are answers to nobody") {
  play({.strike =
            [](Rig& rig) {
              const std::vector<std::uint8_t> old = {0, 1, 0, 0, 0, 7, 1, 3, 4, 0xFF, 0x7F, 0, 0};
              const std::uint64_t late = rig.link.state().late;
              for (int i = 0; i < 20; ++i) {
                rig.proxy.inject_to_client(old);
                pass(10ms);
              }
              CHECK(eventually([&] { return rig.link.state().late > late; }));
            },
        .effect = Effect::none});
}

TEST_CASE("G19 winches that repeat themselves are known by their beat") {
  play({.strike =
            [](Rig& rig) {
              rig.faults.feedback_frozen = true;
              rig.faults.beat_frozen = true;
            },
        .effect = Effect::disarm,
        .shows = {"beat has stood still"},
        .lift =
            [](Rig& rig) {
              rig.faults.feedback_frozen = false;
              rig.faults.beat_frozen = false;
            }});
}

TEST_CASE("G20 the time of day jumps") {
  JumpingClock clock;
  Rig rig(Mode::moving, {}, clock);
  rig.link.start();
  REQUIRE(rig.link.flows());
  REQUIRE(rig.link.arm());
  REQUIRE(rig.moves());
  for (const auto jump : {Duration(1h), Duration(-1h), Duration(1s)}) {
    clock.jump = jump.count();
    CHECK(rig.link.flows(20));
    CHECK(rig.link.armed());
  }
  CHECK(rig.moves());
}

TEST_CASE("G21 a bridge that was paused is disarmed") {
  Rig rig(Mode::moving);
  const std::stop_token never;
  auto& supervisor = *rig.link.supervisor;
  REQUIRE(eventually([&] {
    supervisor.step(never);
    return rig.link.live();
  }));
  REQUIRE(supervisor.latch().arm("test"));
  REQUIRE(eventually([&] {
    supervisor.step(never);
    return rig.speed() > 0.01;
  }));
  pass(2s);  // as if the process had been stopped; the winches' own watchdog makes them hold
  CHECK(rig.rests());
  for (int i = 0; i < 20; ++i) supervisor.step(never);
  CHECK_FALSE(rig.link.armed());
  CHECK(rig.rests());
  CHECK(rig.link.recorder.violations == 0);
}

TEST_CASE("G22 when the bridge dies the winches hold") {
  Rig rig;
  WinchLinkOptions options;
  options.peer = {"127.0.0.1", port_of(rig.winches->url()), 1};
  options.limits = limits_for(rig.winch_setup.robot);
  options.limits.watchdog = 0.5;
  options.times.feedback = options.times.response = 2;  // the host may be busy
  std::optional<WinchLink> link(options);
  REQUIRE(link->connect(soon()));
  REQUIRE(link->enable());
  const auto first = link->exchange(nullptr);
  REQUIRE(first);
  REQUIRE(first->report);
  WinchCommand command;
  command.mode = WinchMode::length;
  command.lengths = first->report->winches.lengths;
  command.speeds = cables::PerCable::Zero(8);
  command.tensions = cables::PerCable::Constant(8, 5);
  REQUIRE(eventually([&] {
    command.lengths.array() += 1e-4;  // down
    REQUIRE(link->exchange(&command));
    return rig.speed() > 0.003;
  }));
  link->close();  // without a word, as a killed process does
  CHECK(rig.rests());
  // What comes up again finds nothing enabled and leaves it so.
  rig.link.start();
  CHECK(rig.link.flows());
  CHECK_FALSE(rig.link.armed());
  CHECK(rig.link.recorder.enables == 0);
}

TEST_CASE("G23 winches that take no more bytes are a lost link") {
  play({.strike =
            [](Rig& rig) {
              rig.proxy.apply({{.hold = true}, {}});
            },
        .lift =
            [](Rig& rig) {
              CHECK(eventually([&] { return rig.link.status().state != runtime::LinkState::live; }));
              clear_and_cut(rig);
            }});
}

TEST_CASE("G24 winches that come and go are connected to again and nothing is left behind") {
  play({.strike = [](Rig& rig) {
    for (int i = 0; i < 20; ++i) {
      rig.proxy.cut(i % 2 == 0 ? net::Cut::rst : net::Cut::fin);
      pass(50ms);
    }
  }});
}
