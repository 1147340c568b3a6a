// SPDX-License-Identifier: Apache-2.0
#include "tandem/machines/orca/virtual/pilot/control.hpp"

#include <doctest/doctest.h>

#include <cmath>

#include "tandem/base/frames.hpp"
#include "tandem/machines/orca/virtual/body.hpp"
#include "tandem/machines/orca/virtual/pilot/modes.hpp"

namespace tandem::orca {
namespace {

// What the thrusters do for these pulses, by their law alone: N and N m, FRD.
Eigen::Matrix<double, 6, 1> wrench_of(const std::array<double, thruster_count>& pulses) {
  Eigen::Matrix<double, 6, 1> sum = Eigen::Matrix<double, 6, 1>::Zero();
  const auto all = thrusters();
  for (std::size_t i = 0; i < thruster_count; ++i) {
    const double u = (pulses[i] - 1500) / 400;
    const Eigen::Vector3d force = 50 * u * std::abs(u) * all[i].direction;
    sum.head<3>() += Eigen::Vector3d(force.x(), -force.y(), -force.z());
    const Eigen::Vector3d torque = all[i].position.cross(force);
    sum.tail<3>() += Eigen::Vector3d(torque.x(), -torque.y(), -torque.z());
  }
  return sum;
}

// What a perfect estimator would say.
Estimate estimate_from(const Truth& truth) {
  Estimate estimate;
  estimate.time = truth.time;
  estimate.q_ned_frd = ned_frd_from_enu_flu(Eigen::Quaterniond(truth.X_map_base.linear()));
  estimate.rate = frd_from_flu(truth.angular);
  estimate.velocity = ned_from_enu(truth.velocity);
  estimate.position = ned_from_enu(truth.X_map_base.translation());
  estimate.attitude_good = estimate.position_good = true;
  return estimate;
}

struct Flight {
  explicit Flight(const BodyOptions& options) : body(options) {}

  void run(double seconds, const PilotInput& sticks = {}) {
    const double dt = body.timestep();
    for (double t = 0; t < seconds; t += dt) {
      body.pulses(pulses_from(pilot.step(estimate_from(body.truth()), sticks, dt)));
      REQUIRE(body.step());
    }
  }
  Estimate now() const { return estimate_from(body.truth()); }

  Body body;
  Pilot pilot;
};

BodyOptions under_water() {
  BodyOptions options;
  options.model.timestep = 0.005;
  options.X_map_start = Pose(Eigen::Translation3d(0, 0, -1.5));
  return options;
}

}  // namespace

TEST_CASE("each demand pushes along its own axis and along no other") {
  const Authority most = authority();
  CHECK(most.forward == doctest::Approx(4 * 50 * std::sqrt(0.5)));
  CHECK(most.lateral == doctest::Approx(4 * 50 * std::sqrt(0.5)));
  CHECK(most.throttle == doctest::Approx(100));
  CHECK(most.roll == doctest::Approx(2 * 50 * 0.109));
  CHECK(most.pitch == 0);
  const struct {
    Demand demand;
    int axis;
    double expected;
  } cases[] = {{{.forward = 0.5}, 0, 0.5 * most.forward},
               {{.lateral = -0.3}, 1, -0.3 * most.lateral},
               {{.throttle = 0.4}, 2, -0.4 * most.throttle},
               {{.roll = 0.2}, 3, 0.2 * most.roll},
               {{.yaw = -0.6}, 5, -0.6 * most.yaw}};
  for (const auto& one : cases) {
    const auto wrench = wrench_of(pulses_from(one.demand));
    for (int axis = 0; axis < 6; ++axis)
      CHECK(wrench(axis) == doctest::Approx(axis == one.axis ? one.expected : 0).epsilon(1e-9));
  }
}

TEST_CASE("more than the thrusters can give keeps its direction") {
  const auto wrench = wrench_of(pulses_from({.throttle = 1, .forward = 1, .lateral = 1}));
  CHECK(wrench(0) > 50);
  CHECK(wrench(0) == doctest::Approx(wrench(1)));
  CHECK(wrench(2) == doctest::Approx(-100));
  for (const double pulse : pulses_from({1, 1, 1, 1, 1, 1})) {
    CHECK(pulse >= 1100);
    CHECK(pulse <= 1900);
  }
}

TEST_CASE("demands that are no numbers leave the thrusters standing") {
  const double none = std::nan("");
  for (const double pulse : pulses_from({none, none, none, none, none, none})) CHECK(pulse == 1500);
}

TEST_CASE("a set point is flown to and held against a current") {
  BodyOptions options = under_water();
  options.current = {0.15, 0, 0};
  Flight flight(options);
  REQUIRE(flight.pilot.arm(flight.now(), false).empty());
  REQUIRE(flight.pilot.change(Mode::guided, flight.now()).empty());
  const GuidedTarget target{.position = {1, -0.5, 2}, .yaw = 1.0};
  REQUIRE(flight.pilot.guide(target, flight.now()));
  flight.run(14);
  CHECK((flight.now().position - target.position).norm() < 0.1);
  CHECK(flight.now().velocity.norm() < 0.05);
  const Eigen::Matrix3d R = flight.now().q_ned_frd.toRotationMatrix();
  CHECK(std::atan2(R(1, 0), R(0, 0)) == doctest::Approx(1).epsilon(0.05));
}

TEST_CASE("sticks dive and turn in depth hold and letting go holds both") {
  Flight flight(under_water());
  REQUIRE(flight.pilot.change(Mode::alt_hold, flight.now()).empty());
  REQUIRE(flight.pilot.arm(flight.now(), false).empty());
  flight.run(3, {.yaw = 0.5, .throttle = -0.6});
  CHECK(flight.now().position.z() > 2);
  CHECK(flight.now().velocity.z() == doctest::Approx(0.3).epsilon(0.2));
  CHECK(flight.now().rate.z() == doctest::Approx(0.5).epsilon(0.2));
  flight.run(1);
  const Estimate let_go = flight.now();
  flight.run(4);
  CHECK(std::abs(flight.now().position.z() - let_go.position.z()) < 0.15);
  CHECK(std::abs(flight.now().velocity.z()) < 0.03);
  CHECK(std::abs(flight.now().rate.z()) < 0.05);
}

TEST_CASE("surfacing ends at the surface") {
  BodyOptions options = under_water();
  options.X_map_start = Pose(Eigen::Translation3d(0, 0, -1));
  Flight flight(options);
  REQUIRE(flight.pilot.arm(flight.now(), false).empty());
  REQUIRE(flight.pilot.change(Mode::surface, flight.now()).empty());
  flight.run(9);
  CHECK(flight.now().position.z() < 0.3);
}

}  // namespace tandem::orca
