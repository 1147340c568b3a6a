// SPDX-License-Identifier: Apache-2.0
// Faults of the winches themselves and of Modbus, played to the bridge while it is only read and while it moves.
#include <fmt/format.h>

#include "tests/machines/cable_robot/cable_rig.hpp"
#include "tests/machines/rigs/modbus_answer_rows.hpp"

using namespace tandem;
using namespace tandem::cable_robot;
using namespace tandem::cable_robot::rig;
using Effect = Row::Effect;
using Answers = kit::AnswerFaults<Rig>;
using kit::intruder;

TEST_CASE("W01 a cut cable lowers or holds the platform and stops the robot until reset") {
  for (const int cable : {1, 5}) {
    CAPTURE(cable);
    Rig rig;
    rig.link.start();
    REQUIRE(rig.link.flows());
    REQUIRE_MESSAGE(rig.link.arm(), rig.link.all());
    const Eigen::Vector3d before = rig.place();
    rig.link.forget();
    rig.faults.cut = static_cast<std::uint16_t>(1 << cable);
    CHECK_MESSAGE(eventually([&] { return rig.link.stopped(); }, 40s), rig.link.all());
    CHECK_MESSAGE(rig.link.said(fmt::format("cable{} is cut", cable)), rig.link.all());
    CHECK_FALSE(rig.link.said("the platform's pose is lost"));
    CHECK_MESSAGE(eventually([&] { return !rig.link.state().enabled; }), rig.link.all());
    const std::uint64_t motions = rig.link.recorder.motions;
    pass(300ms);
    CHECK(rig.link.recorder.motions == motions);  // the winches hold
    CHECK(rig.place().z() <= before.z() + 0.03);  // it may swing, and does not rise
    CHECK((rig.place() - before).norm() < 0.4);   // nor leave the frame
    CHECK_FALSE(rig.link.latch().arm("test"));
    CHECK(rig.link.recorder.violations == 0);
    CHECK(rig.link.recorder.widest_step < 0.02);
  }
}

TEST_CASE("W02 a stop while a cut cable is dealt with holds the platform at once") {
  Rig rig;
  rig.link.start();
  REQUIRE(rig.link.flows());
  REQUIRE_MESSAGE(rig.link.arm(), rig.link.all());
  rig.faults.cut = 1 << 5;
  REQUIRE(eventually([&] { return rig.link.state().slack != 0 || rig.link.stopped(); }));
  rig.link.latch().stop("a test", "test");
  CHECK_MESSAGE(eventually([&] { return !rig.link.state().enabled; }), rig.link.all());
  const std::uint64_t motions = rig.link.recorder.motions;
  pass(300ms);
  CHECK(rig.link.recorder.motions == motions);
  CHECK(rig.link.recorder.violations == 0);
}

TEST_CASE("W03 a cut cable is told on a robot that is only read and nothing moves") {
  Rig rig;
  rig.link.start();
  REQUIRE(rig.link.flows());
  rig.faults.cut = 1 << 2;
  CHECK(eventually([&] { return (rig.link.state().slack & (1 << 2)) != 0; }));
  CHECK(rig.link.recorder.enables == 0);
  CHECK(rig.link.flows());
}

TEST_CASE("W04 a stuck winch stops the robot until reset and it moves again once it is free") {
  play({.strike = [](Rig& rig) { rig.faults.stuck = 1 << 3; },
        .effect = Effect::stop,
        .shows = {"stuck"},
        .lift = [](Rig& rig) { rig.faults.stuck = 0; },
        .idle = false});
}

TEST_CASE("W05 a broken load cell stops the robot until reset") {
  play({.strike = [](Rig& rig) { rig.faults.broken = 1 << 1; },
        .effect = Effect::stop,
        .shows = {"winch 1: its encoder or load cell failed"},
        .lift = [](Rig& rig) { rig.faults.broken = 0; },
        .idle = false});
}

TEST_CASE("W06 a cable that slips on its drum does not make the platform jump") {
  play({.strike = [](Rig& rig) { rig.faults.slip(4, 0.002); }, .effect = Effect::none, .idle = false});
}

TEST_CASE("W07 winches that restart are set up again and hold until armed") {
  play({.strike =
            [](Rig& rig) {
              const std::uint64_t connects = rig.link.status().connects;
              rig.faults.next(WinchFaults::restart, 1);
              CHECK(eventually([&] { return rig.link.status().connects > connects; }));
            },
        .after = [](Rig& rig) { CHECK(rig.link.recorder.limits >= 2); }});
}

TEST_CASE("W08 a stop coil that somebody raises disarms and arming says which winch is not enabled") {
  play({.strike = [](Rig& rig) { REQUIRE(intruder(rig).write_coil(coils::stop, true, soon())); },
        .effect = Effect::disarm,
        .shows = {"winch 0: expected enabled, got disabled"},
        .lift = [](Rig& rig) { REQUIRE(intruder(rig).write_coil(coils::stop, false, soon())); },
        .idle = false});
}

TEST_CASE("W09 a second client that writes commands is noticed and named") {
  play({.strike =
            [](Rig& rig) {
              auto other = intruder(rig);
              std::array<std::uint16_t, command::count(8)> foreign{};
              CHECK(eventually([&] {
                ++foreign[command::counter];
                (void)other.write_registers(command::start, foreign, soon());
                return !rig.link.armed();
              }));
            },
        .effect = Effect::disarm,
        .idle = false});
}

TEST_CASE("W10 too few winches for the geometry is an error that says so") {
  Rig rig;
  rig.kill_device();
  cables::Design fewer = cables::default_design();
  fewer.cables.pop_back();
  auto robot = cables::Robot::from(fewer);
  REQUIRE(robot);
  rig.device_setup.robot = *robot;
  rig.restart_device();
  rig.link.start();
  CHECK_MESSAGE(eventually([&] { return rig.link.said("expected 8 as in the geometry, got 7"); }), rig.link.all());
  CHECK_FALSE(rig.link.latch().arm("test"));
  CHECK(rig.link.recorder.limits == 0);
}

TEST_CASE("M01 one answer later than its time costs one transaction") { play(Answers::late_answer()); }

TEST_CASE("M02 wrong transaction and unit ids are dropped and a wrong protocol id ends the connection") {
  play(Answers::one_answer(WinchFaults::wrong_transaction, 3));
  play(Answers::one_answer(WinchFaults::wrong_unit, 3));
  play(Answers::fatal_answer(WinchFaults::wrong_protocol, "protocol"));
}

TEST_CASE("M03 lengths that cannot be end the connection") {
  play(Answers::fatal_answer(WinchFaults::lying_length, "length"));
}

TEST_CASE("M04 byte counts that do not fit are refused") {
  play(Answers::one_answer(WinchFaults::wrong_byte_count, 3));
  play(Answers::one_answer(WinchFaults::short_answer, 3));
}

TEST_CASE("M05 exceptions are named and busy winches are asked again") {
  play(Answers::busy());
  play(Answers::refusing(modbus::ExceptionCode::device_failure));
}

TEST_CASE("M06 the echo of a function is another one") { play(Answers::one_answer(WinchFaults::wrong_function, 3)); }

TEST_CASE("M07 a write whose echo is wrong disarms") { play(Answers::wrong_echo()); }

TEST_CASE("M11 winches that close connections are connected again") { play(Answers::closed_connection()); }
