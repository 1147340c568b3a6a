// SPDX-License-Identifier: Apache-2.0
// The brake on a truck with physics, by a PLC that obeys every torque: how long it takes, and that it ends at
// standstill. A measurement is read right after a command is written, and is a whole cycle old when the next one is
// made of it.
#include "tandem/machines/raptorlift/control/drive.hpp"
#include "tandem/machines/raptorlift/control/machine_setup.hpp"
#include "tests/machines/raptorlift/virtual/body_driver.hpp"

using namespace tandem;
using namespace tandem::raptorlift;

namespace {

struct Stopped {
  double time = 0;       // s, until it was slower than 0.01 m/s for good
  double backward = 0;   // m/s, the fastest against the first direction
  double way = 0;        // m
  int torque_flips = 0;  // of the right wheel's commands
  double first_torque = 0;
};

Wheels measured(const TruckState& state) {
  const auto raw = [](double value) { return std::round(1e4 * value) / 1e4; };  // as the registers carry it
  return {raw(state.speeds[0]), raw(state.speeds[1]), raw(state.angles[2]), raw(state.angles[3])};
}

enum class Late {
  command,          // it arrives late; the sample before it is as old
  limited_command,  // the same, and a PLC that gives no torque past standstill, as the speed limit of 0 says
  answer,           // lost, and waited for as long as the brake allows
};

struct Stall {
  int after = -1;   // commands
  double time = 0;  // s
  Late late = Late::command;
  double worst = 0;   // s, the longest step of late when the braking begins
  double fade = 0.3;  // rad/s: brake_fade
};

Stopped stop_from(double v, double cycle, double load, const Stall& stall = {}) {
  BodyDriver truck_at_speed({.load = load});
  truck_at_speed.drive({v, 0}, std::abs(v) + (stall.time > 0 ? 1 : 3));
  Body& body = truck_at_speed.body;
  REQUIRE(body.state().twist.vx == doctest::Approx(v).epsilon(0.1));
  Description description = truck;
  description.plc.brake_fade = stall.fade;
  Drive drive(drive_options_from(description));
  Stopped stopped;
  const double before = body.state().distance, forward = v < 0 ? -1 : 1, duration = stall.time > 0 ? 1 : 2;
  double last_torque = 0, step = cycle, worst = std::max(stall.worst, cycle);
  Wheels seen = measured(body.state());
  bool fresh = true;
  int count = 0;
  for (double t = 0; t < duration; t += step, ++count) {
    worst = std::max(step, 0.98 * worst);
    const AxisCommands commands = drive.brake(seen, {step, worst, fresh});
    if (t == 0) stopped.first_torque = commands.torques[0];
    stopped.torque_flips += commands.torques[0] * last_torque < 0 ? 1 : 0;
    last_torque = commands.torques[0];
    const bool stalls = count == stall.after;
    step = !stalls ? cycle : stall.late == Late::answer ? std::min(stall.time, drive.stands_in()) : stall.time;
    fresh = !stalls || stall.late != Late::answer;
    if (fresh) seen = measured(body.state());
    const long steps = std::lround(std::ceil(step / body.timestep() - 1e-6));
    step = static_cast<double>(steps) * body.timestep();
    for (long i = 0; i < steps; ++i) {
      Axes torques = commands.torques;
      for (std::size_t wheel = 0; stall.late == Late::limited_command && wheel < 2; ++wheel) {
        if (torques[wheel] * body.state().speeds[wheel] >= 0) torques[wheel] = 0;
      }
      body.torques(torques);
      REQUIRE(body.step());
      const double speed = forward * body.state().twist.vx;
      if (std::abs(speed) > 0.01) stopped.time = t + static_cast<double>(i + 1) * body.timestep();
      stopped.backward = std::max(stopped.backward, -speed);
    }
  }
  stopped.way = body.state().distance - before;
  return stopped;
}

// The worst of a stall after any of the commands.
Stopped worst_stop(double load, Stall stall) {
  Stopped worst;
  for (stall.after = 0; stall.after < (load > 0 ? 24 : 13); ++stall.after) {
    for (const double v : {0.3, 0.315}) {  // half a cycle's braking apart
      const Stopped stopped = stop_from(v, 0.01, load, stall);
      worst.time = std::max(worst.time, stopped.time);
      worst.backward = std::max(worst.backward, stopped.backward);
    }
  }
  MESSAGE(load << " kg, " << stall.time << " s, kind " << static_cast<int>(stall.late) << ", worst before "
               << stall.worst << " s, fade " << stall.fade << " rad/s: " << worst.time << " s, back " << worst.backward
               << " m/s");
  return worst;
}

}  // namespace

TEST_CASE("the brake is full until standstill is near and in even cycles never turns the truck back") {
  for (const double load : {0.0, 120.0}) {
    for (const double cycle : {0.004, 0.01, 0.02, 0.05}) {
      for (const double v : {-0.3, 0.15, 0.3, 0.6, 1.0}) {
        const Stopped stopped = stop_from(v, cycle, load);
        CAPTURE(load);
        CAPTURE(cycle);
        CAPTURE(v);
        MESSAGE(load << " kg, " << cycle << " s, " << v << " m/s: " << stopped.time << " s, " << stopped.way
                     << " m, back " << stopped.backward << " m/s, flips " << stopped.torque_flips);
        if (cycle <= 0.01) CHECK(stopped.first_torque == doctest::Approx(v < 0 ? 30 : -30));
        // 60 N m on wheels of 0.1715 m against the mass on them, and what the last cycles take.
        const double mass = 130 + load, deceleration = 60 / 0.1715 / mass;
        CHECK(stopped.time <= std::abs(v) / deceleration * 1.15 + 0.06 + 4 * cycle);
        CHECK(stopped.backward < 0.01);
        CHECK(stopped.torque_flips <= 1);
      }
    }
  }
}

TEST_CASE("an answer that is lost while braking does not turn the truck back") {
  for (const double time : {0.02, 0.05, 0.1})
    CHECK(worst_stop(0, {.time = time, .late = Late::answer}).backward < 0.01);
  CHECK(worst_stop(120, {.time = 0.1, .late = Late::answer}).backward < 0.01);
}

TEST_CASE("a late command does not turn the truck back on a link that was late before") {
  for (const double time : {0.02, 0.05, 0.1}) CHECK(worst_stop(0, {.time = time, .worst = time}).backward < 0.01);
}

TEST_CASE("a late command does not turn the truck back on a PLC that obeys the speed limit") {
  CHECK(worst_stop(0, {.time = 0.1, .late = Late::limited_command}).backward < 0.01);
}

// What is left: the first late command in a good while, on a PLC that gives torque past standstill whatever the limit.
TEST_CASE("what one late command can do on a PLC that ignores the speed limit is bounded") {
  CHECK(worst_stop(0, {.time = 0.02}).backward < 0.01);
  CHECK(worst_stop(0, {.time = 0.05}).backward < 0.1);
  CHECK(worst_stop(0, {.time = 0.1}).backward < 0.25);
  const Stopped gentle = worst_stop(0, {.time = 0.1, .fade = 1.5});
  CHECK(gentle.backward < 0.05);
  CHECK(gentle.time < 0.6);
}

TEST_CASE("the soft brake is never harder than the full one") {
  Description stiff;
  stiff.traction.proportional = 200;
  const DriveOptions options = drive_options_from(stiff);
  CHECK(options.brake_fade == doctest::Approx(0.3));
  CHECK(options.soft_fade >= options.brake_fade);
}
