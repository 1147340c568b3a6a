// SPDX-License-Identifier: Apache-2.0
// How far the vehicle moves after it is lost while it is steered, by the truth of its physics. The bounds are those of
// docs/orca.md; the way itself is printed.
#include <doctest/doctest.h>

#include <functional>

#include "tests/machines/orca/faults/truth_rig.hpp"

using namespace tandem;
using namespace tandem::orca;
using rig::TruthOptions;
using rig::TruthRig;
using Motion = TruthRig::Motion;

namespace {

constexpr double full_stick_speed = 0.5;  // m/s at least, with full sticks ahead and the gain of a vehicle as it comes

struct LossRow {
  const char* name;
  std::function<void(TruthRig&)> strike;
  double thrust, way;  // s and m, at most
};

void lose_both_ways(TruthRig& rig) {
  rig.to_vehicle.lost = rig.to_machine.lost = true;
  rig.cycle_time = 100ms;
}
void repair(TruthRig& rig) {
  rig.to_vehicle.lost = rig.to_machine.lost = false;
  rig.to_vehicle.late = rig.to_machine.late = {};
  rig.cycle_time = 20ms;
}
void kill_machine(TruthRig& rig) { rig.machine_runs = false; }
void pause_machine(TruthRig& rig) {
  rig.machine_runs = false;
  rig.run(2s);
  rig.machine_runs = true;
}

// The table of docs/orca.md.
const std::vector<LossRow>& loss_rows() {
  static const std::vector<LossRow> rows{
      {"link blocked for 1 s",
       [](TruthRig& rig) {
         lose_both_ways(rig);
         rig.run(1s);
         repair(rig);
       },
       1.6, 2.5},
      {"black hole", lose_both_ways, 3.1, 4},
      {"answers 1 s late", [](TruthRig& rig) { rig.to_vehicle.late = rig.to_machine.late = 1s; }, 2, 3},
      {"answers later and later",
       [](TruthRig& rig) {
         for (int i = 0; i < 20; ++i) {
           rig.to_vehicle.late += 50ms;
           rig.to_machine.late += 50ms;
           rig.run(100ms);
         }
       },
       5, 6},
      {"machine killed", kill_machine, 3.1, 4},
      {"machine paused for 2 s", pause_machine, 2.2, 3.3},
      {"autopilot restarted", [](TruthRig& rig) { rig.restart_autopilot(); }, 0.1, 1.3},
      {"half-open, to the vehicle", [](TruthRig& rig) { rig.to_vehicle.lost = true; }, 3.1, 4},
      {"half-open, from the vehicle",
       [](TruthRig& rig) {
         rig.to_machine.lost = true;
         rig.cycle_time = 100ms;
       },
       0.9, 2},
      {"answers replayed", [](TruthRig& rig) { rig.replay(5s); }, 0.5, 1.5},
  };
  return rows;
}

void show(const char* name, const Motion& motion, double speed) {
  MESSAGE(std::string(name), ": ", motion.way, " m from ", speed, " m/s; thrust for ", motion.thrust,
          " s, at rest after ", motion.rest, " s");
}

// With position and origin: vision comes from another computer, and goes on whatever becomes of the machine.
void begin_vision(TruthRig& rig) {
  rig.vision = true;
  for (int i = 0; i < 200 && !rig.autopilot->estimate().position_good; ++i) rig.run(100ms);
  REQUIRE(rig.autopilot->estimate().position_good);
}

}  // namespace

TEST_CASE("After a loss the vehicle that goes ahead with full sticks rests within its bounds") {
  for (const LossRow& row : loss_rows()) {
    CAPTURE(std::string(row.name));
    TruthRig rig;
    REQUIRE(rig.connect());
    rig.twist = TwistCommand{{1, 0, 0}, 0, rig.clock.now()};  // wanted all the time, before and after
    REQUIRE(rig.fly(Mode::alt_hold, full_stick_speed));
    const double speed = rig.speed();
    rig.begin_loss();
    row.strike(rig);
    const Motion motion = rig.coast();
    show(row.name, motion, speed);
    CHECK(motion.rested);
    CHECK(motion.thrust <= row.thrust);
    CHECK(motion.way <= row.way);
    repair(rig);
    if (!rig.machine_runs) continue;  // dead for good
    if (!rig.linked()) REQUIRE(rig.connect());
    // The line is good again, sticks are still wanted, and nothing moves before the next arm.
    rig.run(4s);
    CHECK_FALSE(rig.latch_armed());
    CHECK_FALSE(rig.autopilot->pilot().armed());
    CHECK(rig.speed() < 0.1);
    REQUIRE(rig.fly(Mode::alt_hold, full_stick_speed));
  }
}

TEST_CASE("A short gap in the line stops nothing and is no loss") {
  TruthRig rig;
  REQUIRE(rig.connect());
  rig.twist = TwistCommand{{1, 0, 0}, 0, rig.clock.now()};
  REQUIRE(rig.fly(Mode::alt_hold, full_stick_speed));
  lose_both_ways(rig);
  rig.run(300ms);
  repair(rig);
  rig.run(3s);
  CHECK(rig.latch_armed());
  CHECK(rig.speed() >= full_stick_speed);
}

TEST_CASE("With a ground station beside a machine that was killed the sticks end and the vehicle stays armed") {
  TruthRig rig({.ground_station = true});
  REQUIRE(rig.connect());
  rig.twist = TwistCommand{{1, 0, 0}, 0, rig.clock.now()};
  REQUIRE(rig.fly(Mode::alt_hold, full_stick_speed));
  rig.begin_loss();
  kill_machine(rig);
  const Motion motion = rig.coast();
  show("killed beside a ground station", motion, full_stick_speed);
  CHECK(motion.rested);
  CHECK(motion.thrust <= 3.1);
  CHECK(motion.way <= 4);
  CHECK(motion.armed);  // the ground station is its pilot now
}

TEST_CASE("Without the failsafe for sticks the vehicle thrusts on and the set-up check says so") {
  for (const bool ground_station : {false, true}) {
    TruthRig rig({.memory = {{{"FS_PILOT_INPUT", 0}}, {}}, .ground_station = ground_station});
    REQUIRE(rig.connect());
    rig.twist = TwistCommand{{1, 0, 0}, 0, rig.clock.now()};
    REQUIRE(rig.fly(Mode::alt_hold, full_stick_speed));
    CHECK(rig.bridge->state().vehicle.failsafe_advice.view() == "set FS_PILOT_INPUT=1 (is 0)");
    rig.begin_loss();
    kill_machine(rig);
    const Motion motion = rig.coast(15s);
    show(ground_station ? "FS_PILOT_INPUT=0 beside a ground station" : "FS_PILOT_INPUT=0", motion, full_stick_speed);
    CHECK(motion.rested == !ground_station);
    if (ground_station) CHECK(motion.thrust > 14);
    if (!ground_station) CHECK(motion.thrust == doctest::Approx(5).epsilon(0.1));  // the ground station's failsafe
  }
}

TEST_CASE("A machine that is killed in GUIDED leaves a velocity for three seconds and a goal until the failsafe") {
  for (const bool ground_station : {false, true}) {
    for (const bool to_a_goal : {false, true}) {
      CAPTURE(ground_station);
      CAPTURE(to_a_goal);
      TruthRig rig({.ground_station = ground_station});
      REQUIRE(rig.connect());
      begin_vision(rig);
      REQUIRE(rig.fly(Mode::guided, 0));
      const Eigen::Vector3d here = rig.body.truth().X_map_base.translation();
      constexpr double goal_distance = 5;  // m
      if (to_a_goal)
        rig.bridge->commands().goal.post({{here.x() + goal_distance, here.y(), here.z()}, 0, rig.clock.now()});
      else
        rig.twist = TwistCommand{{0.3, 0, 0}, 0, rig.clock.now()};
      for (int i = 0; i < 200 && rig.speed() < 0.2; ++i) rig.run(100ms);
      const double speed = rig.speed();
      REQUIRE(speed >= 0.2);
      rig.begin_loss();
      kill_machine(rig);
      const Motion motion = rig.coast(60s);
      show(to_a_goal ? "killed on the way to a goal" : "killed with a velocity", motion, speed);
      CHECK(motion.rested);
      rig.run(3s);
      CHECK(rig.autopilot->pilot().armed() == ground_station);
      CHECK(motion.way <= (!to_a_goal ? 2.0 : ground_station ? goal_distance + 1 : 2.5));
    }
  }
}
