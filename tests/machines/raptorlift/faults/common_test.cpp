// SPDX-License-Identifier: Apache-2.0
// The common faults G1 to G24 of a link, played to the truck's bridge while it is only read and while it drives.
#include <cmath>
#include <optional>

#include "tests/machines/raptorlift/lift_rig.hpp"
#include "tests/machines/rigs/modbus_fault_rows.hpp"

using namespace tandem;
using namespace tandem::raptorlift;
using namespace tandem::raptorlift::rig;
using Effect = Row::Effect;
using Common = kit::LinkFaults<Rig>;

TEST_CASE("G01 the PLC is not there at the start") { play(Common::absent_at_start()); }

TEST_CASE("G02 the PLC ends the connection in the middle of a turn") { play(Common::ended()); }

TEST_CASE("G03 the connection is reset in the middle of a frame") { play(Common::reset_within_a_frame()); }

TEST_CASE("G04 everything vanishes in a black hole and the truck is stopped until reset") {
  play(Common::black_hole());
}

TEST_CASE("G05 the link is half open after the PLC lost its power") { play(Common::half_open()); }

TEST_CASE("G06 the PLC closes its half of the connection") { play(Common::half_closed()); }

TEST_CASE("G07 the PLC accepts and says nothing") { play(Common::silent()); }

TEST_CASE("G08 a PLC that pauses for 200 ms leaves the truck armed, for longer it is disarmed") {
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
  play(Common::flipped_bits(1e-3, [](Rig& rig) {
    const State state = rig.link.state();
    CHECK(std::abs(state.measured.front_right) <= 60);
    CHECK(std::abs(state.measured.rear_right) <= 0.8);
  }));
}

TEST_CASE("G15 every answer comes twice") { play(Common::twice()); }

TEST_CASE("G16 answers in the wrong order find their requests") { play(Common::out_of_order()); }

TEST_CASE("G17 old answers played again are answers to nobody") {
  play(Common::played_again({0, 1, 0, 0, 0, 19, 1, 3, 16, 0xFF, 0x7F, 0, 0, 0xFF, 0x7F, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0}));
}

TEST_CASE("G18 numbers that no truck measures") {
  play({.strike = [](Rig& rig) { rig.faults.feedback_wild = true; },
        .effect = Effect::disarm,
        .shows = {"word_order"},
        .lift = [](Rig& rig) { rig.faults.feedback_wild = false; },
        .after = [](Rig& rig) { CHECK(std::abs(rig.link.state().measured.front_right) < 10); }});
}

TEST_CASE("G19 a PLC that repeats itself is known by its heartbeat") {
  play(Common::frozen(&PlcFaults::heartbeat_frozen, "has not changed", {"heartbeat=true"}));
}

TEST_CASE("G20 the time of day jumps") { kit::expect_unmoved_by_utc<Rig>(); }

TEST_CASE("G21 a bridge that was paused is disarmed") {
  Rig rig(Mode::moving);
  kit::expect_disarmed_by_pause(rig);
  CHECK(rig.speed() < 0.1);
}

TEST_CASE("G22 when the bridge dies the PLC stops the truck") {
  Rig rig;
  LinkOptions options;
  options.peer = {"127.0.0.1", port_of(rig.device->url()), 1};
  options.times.feedback = 2;  // the host may be busy
  std::optional<raptorlift::Link> link(options);
  REQUIRE(link->connect(now() + 5s));
  REQUIRE(link->enable());
  AxisCommands commands;
  commands.speed_limits = {4, 4};
  commands.torques = {20, 20, 0, 0};
  REQUIRE(eventually([&] {
    REQUIRE(link->exchange(&commands));
    return rig.speed() > 2;
  }));
  link->close();  // without a word, as a killed process does
  CHECK(rig.rests());
  // What comes up again finds everything off and leaves it so.
  rig.link.start();
  CHECK(rig.link.flows());
  CHECK_FALSE(rig.link.armed());
  CHECK(rig.link.recorder.motions == 0);
}

TEST_CASE("G23 a PLC that takes no more bytes is a lost link") { play(Common::takes_no_bytes()); }

TEST_CASE("G24 a PLC that comes and goes is connected to again and nothing is left behind") {
  play(Common::comes_and_goes());
}
