// SPDX-License-Identifier: Apache-2.0
// The common faults G1 to G24 of a link, played to the cable robot's bridge while it is only read and while it moves.
#include <cmath>
#include <optional>

#include "tests/machines/cable_robot/cable_rig.hpp"
#include "tests/machines/rigs/modbus_fault_rows.hpp"

using namespace tandem;
using namespace tandem::cable_robot;
using namespace tandem::cable_robot::rig;
using Common = kit::LinkFaults<Rig>;

TEST_CASE("G01 the winches are not there at the start") { play(Common::absent_at_start()); }

TEST_CASE("G02 the winches end the connection in the middle of a turn") { play(Common::ended()); }

TEST_CASE("G03 the connection is reset in the middle of a frame") { play(Common::reset_within_a_frame()); }

TEST_CASE("G04 everything vanishes in a black hole and the robot is stopped until reset") {
  play(Common::black_hole());
}

TEST_CASE("G05 the link is half open after the winches lost their power") { play(Common::half_open()); }

TEST_CASE("G06 the winches close their half of the connection") { play(Common::half_closed()); }

TEST_CASE("G07 the winches accept and say nothing") { play(Common::silent()); }

TEST_CASE("G08 winches that pause for 200 ms stay armed, for longer they are disarmed") {
  play(Common::held_for_200_ms());
  play(Common::held_past_the_limits());
}

TEST_CASE("G09 one byte in 100 ms in both directions") { play(Common::slow_bytes()); }

TEST_CASE("G10 every byte in a segment of its own") { play(Common::single_bytes()); }

TEST_CASE("G11 many answers in one segment") { play(Common::bursts()); }

TEST_CASE("G12 a torn frame before a valid stream") {
  play(Common::torn_frame());
  play(Common::cut_answer());
}

TEST_CASE("G13 garbage from one byte to a megabyte") { play(Common::garbage()); }

TEST_CASE("G14 bits flip on the way") {
  play(Common::flipped_bits(1e-4, [](Rig& rig) {
    for (int i = 0; i < 8; ++i) CHECK(std::abs(rig.link.state().lengths[static_cast<std::size_t>(i)]) < 3);
  }));
}

TEST_CASE("G15 every answer comes twice") { play(Common::twice()); }

TEST_CASE("G16 answers in the wrong order find their requests") { play(Common::out_of_order()); }

TEST_CASE("G17 old answers played again are answers to nobody") {
  play(Common::played_again({0, 1, 0, 0, 0, 7, 1, 3, 4, 0xFF, 0x7F, 0, 0}));
}

TEST_CASE("G19 winches that repeat themselves are known by their beat") {
  play(Common::frozen(&WinchFaults::beat_frozen, "heartbeat has not changed"));
}

TEST_CASE("G20 the time of day jumps") { kit::expect_unmoved_by_utc<Rig>(); }

TEST_CASE("G21 a bridge that was paused is disarmed") {
  Rig rig(Mode::moving);
  kit::expect_disarmed_by_pause(rig);
  CHECK(rig.rests());
}

TEST_CASE("G22 when the bridge dies the winches hold") {
  Rig rig;
  LinkOptions options;
  options.peer = {"127.0.0.1", port_of(rig.device->url()), 1};
  options.limits = limits_for(rig.device_setup.robot);
  options.limits.watchdog = 0.5;
  options.times.feedback = options.times.response = 2;  // the host may be busy
  std::optional<cable_robot::Link> link(options);
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

TEST_CASE("G23 winches that take no more bytes are a lost link") { play(Common::takes_no_bytes()); }

TEST_CASE("G24 winches that come and go are connected to again and nothing is left behind") {
  play(Common::comes_and_goes());
}
