// SPDX-License-Identifier: Apache-2.0
// The faults M1 to M18 of a Modbus device, played to the truck's bridge while it is only read and while it drives.
#include <fmt/format.h>

#include "tests/machines/raptorlift/lift_rig.hpp"
#include "tests/machines/rigs/modbus_answer_rows.hpp"

using namespace tandem;
using namespace tandem::raptorlift;
using namespace tandem::raptorlift::rig;
using Effect = Row::Effect;
using Answers = kit::AnswerFaults<Rig>;
using kit::intruder;

TEST_CASE("M01 one answer later than its time costs one transaction") { play(Answers::late_answer()); }

TEST_CASE("M02 wrong transaction and unit ids are dropped and a wrong protocol id ends the connection") {
  play(Answers::one_answer(PlcFaults::wrong_transaction, 3));
  play(Answers::one_answer(PlcFaults::wrong_unit, 3));
  play(Answers::fatal_answer(PlcFaults::wrong_protocol, "protocol"));
}

TEST_CASE("M03 lengths that cannot be end the connection") {
  play(Answers::fatal_answer(PlcFaults::lying_length, "length"));
}

TEST_CASE("M04 byte counts that do not fit are refused") {
  play(Answers::one_answer(PlcFaults::wrong_byte_count, 3));
  play(Answers::one_answer(PlcFaults::short_answer, 3));
}

TEST_CASE("M05 exceptions are named and a busy PLC is asked again") {
  play(Answers::busy());
  play(Answers::refusing(modbus::ExceptionCode::device_failure));
  play(Answers::refusing(modbus::ExceptionCode::illegal_address));
}

TEST_CASE("M06 the echo of a function is another one") { play(Answers::one_answer(PlcFaults::wrong_function, 3)); }

TEST_CASE("M07 a write whose echo is wrong disarms") { play(Answers::wrong_echo()); }

TEST_CASE("M08 words in another order are a fault that says so") {
  Rig rig(Mode::idle, {"word_order=abcd"});
  auto other = intruder(rig);
  // Steer to 0.3 rad with torques as the PLC reads them, so that there is something to misread.
  const std::array<std::uint16_t, 16> push{0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 200, 0, 0, 0, 200, 0};
  REQUIRE(other.write_coil(3, true, now() + 1s));
  REQUIRE(other.write_coil(4, true, now() + 1s));
  REQUIRE(other.write_registers(0, push, now() + 1s));
  REQUIRE(eventually([&] { return std::abs(rig.device->truth().angles[2]) > 0.05; }));
  rig.link.start();
  CHECK_MESSAGE(eventually([&] { return rig.link.said("word_order"); }), rig.link.all());
  CHECK_FALSE(rig.link.latch().arm("test"));
}

TEST_CASE("M09 torn 32-bit values never reach the drive") {
  play({.strike =
            [](Rig& rig) {
              rig.link.want(0.01, 0);  // about zero, where the high words change
              for (int i = 0; i < 20; ++i) {
                rig.link.want(i % 2 == 0 ? 0.05 : -0.05, 0);
                rig.faults.next(PlcFaults::torn_values, 2);
                pass(60ms);
                CHECK(std::abs(rig.link.state().measured.front_right) < 3.3);
              }
              rig.link.want(0.4, 0.1);
            },
        .effect = Effect::none,
        .lift = Answers::heal,
        .idle = false});
}

TEST_CASE("M10 a PLC that is full turns the bridge away until there is room") {
  std::optional<modbus::Client> other;
  play({.before =
            [&](Rig& rig) {
              rig.kill_device();
              rig.device_setup.most_connections = 1;
              rig.restart_device();
              other.emplace(intruder(rig));
              bool level = false;
              REQUIRE(other->read_coils(0, {&level, 1}, now() + 1s));
            },
        .strike =
            [](Rig& rig) {
              CHECK(eventually([&] { return rig.link.status().attempts >= 3; }));
              CHECK_FALSE(rig.link.live());
            },
        .shows = {"unreachable"},
        .lift = [&](Rig&) { other.reset(); }});
}

TEST_CASE("M11 a PLC that closes connections is connected again") { play(Answers::closed_connection()); }

TEST_CASE("M12 a reset pulse that was cut off is ended on the next connection") {
  Rig rig;
  auto other = intruder(rig);
  REQUIRE(other.write_coil(0, true, now() + 1s));
  rig.link.start();
  REQUIRE_MESSAGE(rig.link.flows(), rig.link.all());
  bool level = true;
  REQUIRE(other.read_coils(0, {&level, 1}, now() + 1s));
  CHECK_FALSE(level);
  const auto log = rig.link.recorder.log();
  REQUIRE(log.size() >= 3);
  CHECK(log[0].find("write coil") != std::string::npos);  // low first, then everything else
}

TEST_CASE("M13 when one motor cannot be enabled all are disabled") {
  Rig rig;
  rig.link.start();
  REQUIRE(rig.link.flows());
  rig.link.want(0.4, 0);
  rig.faults.refused_coil = 2;
  REQUIRE(rig.link.latch().arm("test"));
  CHECK_MESSAGE(eventually([&] { return rig.link.said("motors not enabled: M2 (front left enable)"); }),
                rig.link.all());
  CHECK(eventually([&] { return !rig.link.armed(); }));
  rig.faults.refused_coil = -1;
  CHECK_MESSAGE(eventually([&] { return rig.link.state().activity == Activity::idle; }), rig.link.all());
  auto other = intruder(rig);
  std::array<bool, 4> enabled{true, true, true, true};
  REQUIRE(other.read_coils(1, enabled, now() + 1s));
  for (const bool on : enabled) CHECK_FALSE(on);
  CHECK(rig.speed() < 0.1);
  CHECK_MESSAGE(rig.link.arm(), rig.link.all());
  CHECK(rig.moves());
}

TEST_CASE("M14 a PLC that restarts and clears its coils disarms") {
  play({.strike = [](Rig& rig) { rig.faults.next(PlcFaults::restart, 1); },
        .effect = Effect::disarm,
        .lift = Answers::heal});
  play({.strike =
            [](Rig& rig) {
              auto other = intruder(rig);
              REQUIRE(other.write_coil(2, false, now() + 1s));
            },
        .effect = Effect::disarm,
        .shows = {"M2 (front left enable): expected on, got off"},
        .idle = false});
}

TEST_CASE("M15 a heartbeat that stands still is stale") {
  play({.strike = [](Rig& rig) { rig.faults.heartbeat_frozen = true; },
        .effect = Effect::disarm,
        .shows = {"heartbeat"},
        .lift = [](Rig& rig) { rig.faults.heartbeat_frozen = false; },
        .settings = {"heartbeat=true"}});
}

TEST_CASE("M16 values that do not fit a register are brought to its limit and counted") {
  PlcRegisters registers{Description{}};
  PlcRegisters::CommandWords words{};
  AxisCommands commands;
  commands.speed_limits = {-5, 1e30};
  commands.torques = {1e300, -1e300, 0, 0};
  const auto saturated = registers.encode(commands, words);
  REQUIRE(saturated);
  CHECK(*saturated);
  CHECK((words[0] == 0 && words[1] == 0));     // a limit below zero is zero, not four billion
  CHECK((words[2] == 1500 && words[3] == 0));  // 150 N m
  commands.torques[0] = std::numeric_limits<double>::quiet_NaN();
  CHECK_FALSE(registers.encode(commands, words));
}

TEST_CASE("M17 positions that jump beyond all measure are not believed") {
  play({.strike = [](Rig& rig) { rig.faults.feedback_wild = true; },
        .effect = Effect::disarm,
        .shows = {"rotation_speed"},
        .lift = [](Rig& rig) { rig.faults.feedback_wild = false; }});
}

TEST_CASE("M18 a second client that writes commands is noticed and named") {
  play({.strike =
            [](Rig& rig) {
              auto other = intruder(rig);
              const std::array<std::uint16_t, 16> foreign{1, 2, 3};
              CHECK(eventually([&] {
                REQUIRE(other.write_registers(0, foreign, now() + 1s));
                return !rig.link.armed();
              }));
            },
        .effect = Effect::disarm,
        .shows = {"does another client write?"},
        .idle = false});
}
