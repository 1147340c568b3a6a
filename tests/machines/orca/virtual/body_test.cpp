// SPDX-License-Identifier: Apache-2.0
#include <doctest/doctest.h>

#include <cmath>
#include <limits>
#include <stdexcept>

#include "tandem/machines/orca/virtual/body.hpp"
#include "tests/machines/orca/virtual/fossen_oracle.hpp"

using namespace tandem;
using namespace tandem::orca;

namespace {

constexpr double not_a_number = std::numeric_limits<double>::quiet_NaN();

BodyOptions deep_water(double timestep = 0.0025, double depth = 20) {
  BodyOptions options;
  options.hull.seafloor = -100;
  options.model.timestep = timestep;
  options.X_map_start = Pose(Eigen::Translation3d(0, 0, -depth));
  return options;
}

// Pulses for demands of -1 to 1 in the mixer's order: roll, pitch, yaw, throttle, forward, lateral.
Pulses pulses_for(const std::array<double, 6>& demand) {
  Pulses pulses;
  const auto factors = mixer();
  for (std::size_t i = 0; i < thruster_count; ++i) {
    double u = 0;
    for (std::size_t j = 0; j < 6; ++j) u += factors[i][j] * demand[j];
    pulses[i] = pwm_stop + pwm_swing * u;
  }
  return pulses;
}

void run(Body& body, double seconds) {
  const int steps = static_cast<int>(std::lround(seconds / body.timestep()));
  for (int i = 0; i < steps; ++i) REQUIRE(body.step());
}

// The speed at which drag and damping take up a force.
double terminal_speed(double force, double drag, double damping) {
  return (std::sqrt(damping * damping + 4 * drag * force) - damping) / (2 * drag);
}

Eigen::Vector3d in_body(const Truth& truth) { return truth.X_map_base.linear().transpose() * truth.velocity; }

}  // namespace

TEST_CASE("Each demand of the mixer pushes and turns the Orca the way its name says") {
  const auto all = thrusters();
  const auto factors = mixer();
  std::array<Eigen::Vector3d, 6> forces, torques;
  for (std::size_t j = 0; j < 6; ++j) {
    forces[j].setZero();
    torques[j].setZero();
    for (std::size_t i = 0; i < thruster_count; ++i) {
      const Eigen::Vector3d push = factors[i][j] * all[i].direction;
      forces[j] += push;
      torques[j] += all[i].position.cross(push);
      CHECK(all[i].direction.norm() == doctest::Approx(1));
    }
  }
  CHECK(torques[0].isApprox(Eigen::Vector3d(2 * 0.109, 0, 0)));  // right side down is the same in FRD and FLU
  CHECK(torques[1].norm() < 1e-12);                              // this frame cannot pitch
  CHECK(torques[2].isApprox(Eigen::Vector3d(0, 0, -4 * (0.14 + 0.092) * std::sqrt(0.5))));  // clockwise from above
  CHECK(forces[3].isApprox(Eigen::Vector3d(0, 0, 2)));
  CHECK(forces[4].isApprox(Eigen::Vector3d(4 * std::sqrt(0.5), 0, 0)));
  CHECK(forces[5].isApprox(Eigen::Vector3d(0, -4 * std::sqrt(0.5), 0)));
  for (const std::size_t j : {0u, 1u, 2u}) CHECK(forces[j].norm() < 1e-12);
  for (const std::size_t j : {4u, 5u}) CHECK(torques[j].norm() < 1e-12);
}

TEST_CASE("The frames of the Orca look where they should") {
  const Pose X_base_camera = X_base_link() * X_link_camera();
  CHECK((X_base_camera.linear() * Eigen::Vector3d::UnitZ()).isApprox(-Eigen::Vector3d::UnitZ()));  // looks down
  CHECK((X_base_camera.linear() * -Eigen::Vector3d::UnitY()).isApprox(Eigen::Vector3d::UnitX()));  // bow is up in it
  CHECK((X_base_camera.linear() * Eigen::Vector3d::UnitX()).isApprox(-Eigen::Vector3d::UnitY()));  // right is right
  CHECK(X_slam_world().linear().isApprox(Eigen::Vector3d(1, -1, -1).asDiagonal().toDenseMatrix(), 1e-12));
}

TEST_CASE("A pulse asks for thrust by its square and outside of servos for none") {
  CHECK(thrust_from_pulse(1500, 25) == 0);
  CHECK(thrust_from_pulse(1525, 25) == 0);
  CHECK(thrust_from_pulse(1475, 25) == 0);
  CHECK(thrust_from_pulse(1700, 25) == doctest::Approx(12.5));
  CHECK(thrust_from_pulse(1300, 25) == doctest::Approx(-12.5));
  CHECK(thrust_from_pulse(1900, 25) == most_thrust);
  CHECK(thrust_from_pulse(2200, 25) == most_thrust);
  CHECK(thrust_from_pulse(800, 25) == -most_thrust);
  for (const double none : {0.0, 799.0, 2201.0, 65535.0, -1500.0, not_a_number})
    CHECK(thrust_from_pulse(none, 25) == 0);
}

TEST_CASE("Left alone the Orca rises as fast as its surplus lets it and then floats") {
  Body body(deep_water(0.01, 1));
  run(body, 15);
  const Hull hull;
  const double speed = terminal_speed(hull.surplus * gravity, hull.drag.z(), hull.linear_damping.z());
  CHECK(body.truth().velocity.z() == doctest::Approx(speed).epsilon(0.02));
  CHECK(body.truth().X_map_base.translation().head<2>().norm() < 1e-6);
  run(body, 15);
  const double afloat = hull.mass / (hull.mass + hull.surplus);
  CHECK(body.truth().submerged == doctest::Approx(afloat).epsilon(0.02));
  CHECK(std::abs(body.truth().velocity.z()) < 0.02);
  CHECK(body.truth().X_map_base.translation().z() < -0.15);
}

TEST_CASE("Thrown out of the water the Orca falls back by its weight alone at first") {
  BodyOptions options = deep_water(0.005);
  options.X_map_start = Pose(Eigen::Translation3d(0, 0, 1));
  Body body(options);
  body.pulses(pulses_for({0, 0, 0, 1, 1, 0}));  // propellers in the air push nothing
  CHECK(body.truth().submerged == 0);
  run(body, 0.25);
  CHECK(body.truth().velocity.isApprox(Eigen::Vector3d(0, 0, -gravity * 0.25), 1e-9));
  CHECK(body.truth().specific_force.norm() < 1e-9);
  body.pulses(still);
  run(body, 10);
  CHECK(body.truth().submerged > 0.9);
  CHECK(std::abs(body.truth().velocity.z()) < 0.1);
}

TEST_CASE("Full throttle down ends at the speed that drag allows at any time step") {
  for (const double timestep : {0.001, 0.0025, 0.01}) {
    CAPTURE(timestep);
    Body body(deep_water(timestep));
    body.pulses(pulses_for({0, 0, 0, -1, 0, 0}));
    run(body, 2);
    const Hull hull;
    const double force = 2 * most_thrust - hull.surplus * gravity;
    const double speed = terminal_speed(force, hull.drag.z(), hull.linear_damping.z());
    CHECK(body.truth().velocity.z() == doctest::Approx(-speed).epsilon(1e-4));
    CHECK(body.truth().specific_force.z() == doctest::Approx(gravity).epsilon(1e-3));
  }
}

TEST_CASE("Slow ahead ends at the speed that drag allows and a current carries it along") {
  for (const double flow : {0.0, 0.3}) {
    CAPTURE(flow);
    BodyOptions options = deep_water(0.005);
    options.current = {flow, 0, 0};
    Body body(options);
    body.pulses(pulses_for({0, 0, 0, 0, 0.25, 0}));
    run(body, 8);
    const Hull hull;
    const double force = 4 * std::sqrt(0.5) * most_thrust * 0.25 * 0.25;
    const double speed = terminal_speed(force, hull.drag.x(), hull.linear_damping.x());
    const Eigen::Vector3d through = body.truth().velocity - options.current;
    CHECK(through.head<2>().norm() == doctest::Approx(speed).epsilon(0.02));
  }
}

TEST_CASE("The body moves as an independent Fossen model does") {
  struct Play {
    std::array<double, 6> demand;
    Eigen::Vector3d current;
  };
  for (const Play& play :
       {Play{{0, 0, 0.3, -0.2, 0.4, 0.1}, {0, 0, 0}}, Play{{0.2, 0, -0.2, 0.3, 0.3, -0.4}, {0, 0, 0}},
        Play{{0, 0, 0.25, 0, 0.3, 0}, {0.3, -0.2, 0.05}}}) {
    FossenOracle oracle({0, 0, -20}, play.current);
    const Pulses pulses = pulses_for(play.demand);
    for (std::size_t i = 0; i < thruster_count; ++i) oracle.asked[i] = thrust_from_pulse(pulses[i], 0);
    for (int i = 0; i < 250; ++i) oracle.step(0.01);
    double last = 0;
    Eigen::Vector3d extrapolated = Eigen::Vector3d::Zero();  // to steps of no length
    for (const double timestep : {0.005, 0.0025}) {
      CAPTURE(timestep);
      BodyOptions options = deep_water(timestep);
      options.current = play.current;
      options.dead_band = 0;
      Body body(options);
      body.pulses(pulses);
      run(body, 2.5);
      const double off = (body.truth().X_map_base.translation() - oracle.map_position()).norm();
      const double turned = angle_between(Eigen::Quaterniond(body.truth().X_map_base.linear()), oracle.state.attitude);
      CAPTURE(off);
      CAPTURE(turned);
      REQUIRE((oracle.map_position() - Eigen::Vector3d(0, 0, -20)).norm() > 0.5);
      CHECK(off < 4 * timestep);     // m; of first order in the step
      CHECK(turned < 2 * timestep);  // rad
      if (last > 0) CHECK(off < 0.55 * last);
      extrapolated = last > 0 ? Eigen::Vector3d(2 * body.truth().X_map_base.translation() - extrapolated)
                              : Eigen::Vector3d(body.truth().X_map_base.translation());
      last = off;
    }
    CHECK((extrapolated - oracle.map_position()).norm() < 3e-4);
  }
}

TEST_CASE("The specific force and the turning rate add up to the motion") {
  Body body(deep_water());
  body.pulses(pulses_for({0.1, 0, 0.5, -0.3, 0.5, 0.2}));
  Eigen::Quaterniond attitude = Eigen::Quaterniond::Identity();
  Eigen::Vector3d velocity = Eigen::Vector3d::Zero(), position(0, 0, -20);
  const double dt = body.timestep();
  for (int i = 0; i < 1200; ++i) {
    REQUIRE(body.step());
    const Eigen::Vector3d turn = body.truth().angular * dt;
    const Eigen::Quaterniond middle = attitude * quaternion_from_rotation_vector(turn / 2);
    attitude = attitude * quaternion_from_rotation_vector(turn);
    velocity += dt * (middle * body.truth().specific_force - Eigen::Vector3d(0, 0, gravity));
    position += dt * velocity;
  }
  CHECK(angle_between(attitude, Eigen::Quaterniond(body.truth().X_map_base.linear())) < 1e-9);
  CHECK((velocity - body.truth().velocity).norm() < 1e-9);
  CHECK((position - body.truth().X_map_base.translation()).norm() < 1e-8);
}

TEST_CASE("Thrown about at full power the Orca stays finite at every time step") {
  for (const double timestep : {0.001, 0.0025, 0.01}) {
    CAPTURE(timestep);
    BodyOptions options;
    options.model.timestep = timestep;
    Body body(options);
    double fastest = 0;
    for (int i = 0; i < 8; ++i) {
      const double sign = i % 2 == 0 ? 1 : -1;
      body.pulses(pulses_for({sign, 0, -sign, i % 3 == 0 ? 1.0 : -1.0, sign * 0.7, 0.5}));
      run(body, 0.25);
      fastest = std::max({fastest, body.truth().velocity.norm(), body.truth().angular.norm()});
    }
    CHECK(fastest < 12);
    CHECK(body.cause().empty());
  }
}

TEST_CASE("Pressed on the sea floor the Orca lies still and leaves it again") {
  for (const double timestep : {0.0025, 0.01}) {
    CAPTURE(timestep);
    BodyOptions options;
    options.model.timestep = timestep;
    options.X_map_start = Pose(Eigen::Translation3d(0, 0, -3.5));
    Body body(options);
    CHECK_FALSE(body.truth().grounded);
    body.pulses(pulses_for({0, 0, 0, -0.8, 0, 0}));
    run(body, 4);
    CHECK(body.truth().grounded);
    CHECK(body.truth().velocity.norm() < 1e-3);
    CHECK(body.truth().X_map_base.translation().z() == doctest::Approx(-4 + 0.127).epsilon(0.002));
    body.pulses(pulses_for({0, 0, 0, -0.8, 0.25, 0}));  // 8.8 N ahead against friction of 0.6 * 63 N
    run(body, 2);
    CHECK(std::abs(body.truth().X_map_base.translation().x()) < 0.01);
    body.pulses(pulses_for({0, 0, 0, 0.3, 0, 0}));
    run(body, 2);
    CHECK_FALSE(body.truth().grounded);
    CHECK(body.truth().X_map_base.translation().z() > -3.7);
  }
}

TEST_CASE("A thruster follows its pulse with its lag") {
  Body body(deep_water(0.001));
  body.pulses(pulses_for({0, 0, 0, 0, 1, 0}));
  run(body, 0.05);
  CHECK(body.truth().thrusts[2] == doctest::Approx(most_thrust * (1 - std::exp(-1))).epsilon(1e-6));
  CHECK(body.truth().thrusts[0] == doctest::Approx(-most_thrust * (1 - std::exp(-1))).epsilon(1e-6));
  CHECK(body.truth().thrusts[4] == 0);
}

TEST_CASE("The same pulses give the same bits and a reset begins anew") {
  const auto play = [](Body& body) {
    body.pulses(pulses_for({0.3, 0, 0.4, -0.6, 0.5, 0.1}));
    run(body, 1);
    return body.truth();
  };
  Body one, two;
  const Truth first = play(one), second = play(two);
  one.reset();
  CHECK(one.truth().time == 0);
  CHECK(one.truth().thrusts[2] == 0);
  const Truth third = play(one);
  for (const Truth& other : {second, third}) {
    CHECK(other.X_map_base.matrix() == first.X_map_base.matrix());
    CHECK(other.velocity == first.velocity);
    CHECK(other.specific_force == first.specific_force);
  }
}

TEST_CASE("A body goes on in another time step where it was") {
  Body body(deep_water());
  body.pulses(pulses_for({0, 0, 0.2, -0.5, 0.3, 0}));
  run(body, 1);
  const Truth before = body.truth();
  body.timestep(0.001);
  CHECK(body.timestep() == 0.001);
  REQUIRE(body.step());
  CHECK(body.truth().time == doctest::Approx(before.time + 0.001).epsilon(1e-12));
  CHECK((body.truth().velocity - before.velocity).norm() < 0.01);
  CHECK((body.truth().X_map_base.translation() - before.X_map_base.translation()).norm() < 0.002);
  CHECK((in_body(body.truth()) - in_body(before)).norm() < 0.02);
}

TEST_CASE("A body that cannot be is refused and one that can is placed") {
  CHECK_THROWS_AS(Body(deep_water(0)), std::invalid_argument);
  CHECK_THROWS_AS(Body(deep_water(0.02)), std::invalid_argument);
  CHECK_THROWS_AS(Body(deep_water(not_a_number)), std::invalid_argument);
  CHECK_THROWS_AS(Body(deep_water(0.0025, 101)), std::invalid_argument);
  Body body(deep_water());
  CHECK_THROWS_AS(body.place(Pose(Eigen::Translation3d(0, not_a_number, 0))), std::invalid_argument);
  CHECK_THROWS_AS(body.timestep(-1), std::invalid_argument);
  body.current({not_a_number, 0, 0});
  const Pose X_map_base = pose_from({1, 2, -3}, rotation_from_rpy(0, 0, 1));
  body.place(X_map_base);
  CHECK(body.truth().X_map_base.isApprox(X_map_base, 1e-12));
  CHECK(body.truth().specific_force.isApprox(Eigen::Vector3d(0, 0, gravity)));
  REQUIRE(body.step());
  CHECK(body.truth().velocity.allFinite());
}
