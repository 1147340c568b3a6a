// SPDX-License-Identifier: Apache-2.0
#include <doctest/doctest.h>

#include "tandem/machines/raptorlift/virtual/program.hpp"

using namespace tandem;
using namespace tandem::raptorlift;

namespace {

const PlcCommands forward{.speed_limits = {5, 5}, .positions = {}, .torques = {20, 21, 3, 4}};

VirtualProgram enabled_program(const VirtualProgram::Setup& setup = {}) {
  VirtualProgram program(setup);
  program.command(forward);
  for (std::size_t axis = 0; axis < axis_count; ++axis) program.enable(axis, true);
  return program;
}

}  // namespace

TEST_CASE("Torque acts only on axes that are enabled") {
  VirtualProgram program({});
  program.command(forward);
  CHECK(program.scan(2ms, {}) == Axes{});
  program.enable(1, true);
  CHECK(program.scan(2ms, {}) == Axes{0, 21, 0, 0});
  program.enable(3, true);
  program.enable(1, false);
  CHECK(program.scan(2ms, {}) == Axes{0, 0, 0, 4});
}

TEST_CASE("Torques stay within what the motors give") {
  auto program = enabled_program();
  program.command({.speed_limits = {5, 5}, .positions = {}, .torques = {1e6, -1e6, 1e6, -1e6}});
  CHECK(program.scan(2ms, {}) == Axes{150, -150, 100, -100});
}

TEST_CASE("A motor beyond its speed limit drives no faster and still brakes") {
  auto program = enabled_program();
  CHECK(program.scan(2ms, {5, 4.9, 0, 0}) == Axes{20, 21, 3, 4});
  const Axes fading = program.scan(2ms, {5.125, 5.25, 0, 0});
  CHECK(fading[0] == doctest::Approx(10));
  CHECK(fading[1] == doctest::Approx(0));
  CHECK(program.scan(2ms, {-9, 30, 0, 0}) == Axes{20, 0, 3, 4});
  // A limit of zero: nothing sets the truck in motion, everything may stop it.
  program.command({.speed_limits = {}, .positions = {}, .torques = {20, -20, 0, 0}});
  CHECK(program.scan(2ms, {0, 0, 0, 0})[0] == 0);
  CHECK(program.scan(2ms, {0, 1, 0, 0})[1] == -20);
}

TEST_CASE("Without commands the program brakes and stays so until reset") {
  auto program = enabled_program();
  for (int i = 0; i < 49; ++i) program.scan(10ms, {5, 5, 0, 0});
  CHECK(program.tripped() == PlcTrip::none);
  const Axes braking = program.scan(10ms, {5, -50, 1, 1});
  CHECK(program.tripped() == PlcTrip::watchdog);
  CHECK(braking == Axes{-20, 30, 0, 0});
  CHECK_FALSE(program.any_enabled());

  // Commands and enables change nothing, nor does a reset that was high all the time.
  program.command(forward);
  program.enable(0, true);
  CHECK_FALSE(program.enabled(0));
  CHECK(program.scan(10ms, {}) == Axes{});
  program.reset(true);
  CHECK(program.tripped() == PlcTrip::none);
  CHECK(program.scan(10ms, {}) == Axes{});
  program.enable(0, true);
  CHECK(program.scan(10ms, {})[0] == 20);
  program.trip(PlcTrip::physics);
  program.reset(true);
  CHECK(program.tripped() == PlcTrip::physics);
  program.reset(false);
  program.reset(true);
  CHECK(program.tripped() == PlcTrip::none);
}

TEST_CASE("Commands or a heartbeat feed the watchdog") {
  for (const bool by_command : {true, false}) {
    CAPTURE(by_command);
    auto program = enabled_program();
    for (int i = 0; i < 300; ++i) {
      if (i % 40 == 0) by_command ? program.command(forward) : program.beat();
      program.scan(10ms, {});
    }
    CHECK(program.tripped() == PlcTrip::none);
  }
}

TEST_CASE("Where a heartbeat is required commands alone do not do") {
  auto program = enabled_program({.heartbeat_required = true});
  for (int i = 0; i < 60; ++i) {
    program.command(forward);
    program.scan(10ms, {});
  }
  CHECK(program.tripped() == PlcTrip::watchdog);
}

TEST_CASE("A truck that is not enabled has no watchdog") {
  VirtualProgram program({});
  for (int i = 0; i < 1000; ++i) program.scan(10ms, {});
  CHECK(program.tripped() == PlcTrip::none);
}

TEST_CASE("Old commands move nothing when the motors are enabled") {
  VirtualProgram program({});
  program.command(forward);
  for (int i = 0; i < 60; ++i) program.scan(10ms, {});
  program.enable(0, true);
  CHECK(program.scan(10ms, {}) == Axes{});
  program.command(forward);
  CHECK(program.scan(10ms, {})[0] == 20);
}

TEST_CASE("A program that starts while the wheels turn brakes until reset") {
  VirtualProgram standing({});
  standing.scan(2ms, {0.04, -0.04, 1, 1});
  standing.scan(2ms, {5, 5, 0, 0});  // pushed by hand, later
  CHECK(standing.tripped() == PlcTrip::none);
  for (const Axes& speeds : {Axes{5, 0, 0, 0}, Axes{0, -5, 0, 0}}) {
    VirtualProgram rolling({});
    const Axes braking = rolling.scan(2ms, speeds);
    CHECK(rolling.tripped() == PlcTrip::restart);
    CHECK(braking[0] * speeds[0] + braking[1] * speeds[1] == doctest::Approx(-5 * 30));
    rolling.enable(0, true);
    CHECK_FALSE(rolling.any_enabled());
    rolling.reset(true);
    CHECK(rolling.tripped() == PlcTrip::none);
  }
}
