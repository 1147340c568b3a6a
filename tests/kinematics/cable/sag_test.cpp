// SPDX-License-Identifier: Apache-2.0
#include "tandem/kinematics/cable/sag.hpp"

#include <doctest/doctest.h>

#include <cmath>

#include "tests/kinematics/cable/samples.hpp"

using namespace tandem;
using namespace tandem::cables;
using cable_samples::Random;

namespace {

// The cable in many small pieces, each straight under the force at its middle: where its end comes to.
Eigen::Vector2d chain_end(const Line& line, double length, const Eigen::Vector2d& force) {
  constexpr int pieces = 20000;
  const double piece = length / pieces;
  Eigen::Vector2d place = Eigen::Vector2d::Zero();
  for (int i = 0; i < pieces; ++i) {
    const Eigen::Vector2d pull(force.x(), force.y() - line.weight * (length - (i + 0.5) * piece));
    place += piece * (1 / pull.norm() + 1 / line.stiffness) * pull;
  }
  return place;
}

Eigen::Vector2d random_chord(Random& random) {
  const double angle = random.within(-1.5, 1.5);
  return random.within(0.5, 10) * Eigen::Vector2d(std::cos(angle), std::sin(angle));
}

}  // namespace

TEST_CASE("the closed form of a sagging cable is that of many small pieces") {
  Random random(1);
  for (int k = 0; k < 40; ++k) {
    const Line line{random.within(0, 5), random.within(1e3, 1e6)};
    const double length = random.within(0.5, 10);
    const Eigen::Vector2d force(random.within(0.5, 200), random.within(-200, 200));
    const Eigen::Vector2d place = end_from_force(line, length, force);
    CHECK((place - chain_end(line, length, force)).norm() < 1e-5);
  }
}

TEST_CASE("forces of taut and slack cables put their ends at the chord") {
  Random random(2);
  for (int k = 0; k < 3000; ++k) {
    const Line line{random.within(0.01, 5), random.within(1e3, 1e6)};
    const Eigen::Vector2d chord = random_chord(random);
    const double length = chord.norm() * random.within(0.99, 1.5);
    const auto sag = sag_from_length(line, chord, length);
    REQUIRE(sag.ok());
    CHECK((end_from_force(line, length, sag->end) - chord).norm() < 1e-8 * chord.norm());
    CHECK(sag->iterations < 100);
    CHECK(std::abs(sag->end.y() - sag->start.y() - line.weight * length) < 1e-9);
  }
}

TEST_CASE("the unstretched length is found from the tension at the platform") {
  Random random(3);
  for (int k = 0; k < 3000; ++k) {
    const Line line{random.within(0, 2), random.within(1e4, 1e6)};
    const Eigen::Vector2d chord = random_chord(random);
    const double tension = (line.weight * chord.norm() + 0.1) * random.within(2, 100);
    const auto sag = sag_from_tension(line, chord, tension);
    REQUIRE(sag.ok());
    CHECK(std::abs(sag->tension() - tension) < 1e-9 * tension);
    CHECK((end_from_force(line, sag->unstretched, sag->end) - chord).norm() < 1e-9 * chord.norm());
    CHECK(sag->unstretched < 1.2 * chord.norm());  // the taut one
    const auto back = sag_from_length(line, chord, sag->unstretched);
    REQUIRE(back.ok());
    CHECK((back->end - sag->end).norm() < 1e-6 * tension);
  }
}

TEST_CASE("a cable without weight is straight") {
  Random random(4);
  for (int k = 0; k < 500; ++k) {
    const Eigen::Vector2d chord = random_chord(random);
    const double tension = random.within(1, 100), distance = chord.norm();
    for (const double weight : {0.0, 1e-14, 1e-9}) {
      const auto sag = sag_from_tension({weight, 5e4}, chord, tension);
      REQUIRE(sag.ok());
      CHECK(std::abs(sag->unstretched - unstretched(distance, tension, 5e4)) < 1e-11 * distance);
      CHECK((sag->end - tension * chord / distance).norm() < 1e-6 * tension);
      const auto held = sag_from_length({weight, 5e4}, chord, sag->unstretched);
      REQUIRE(held.ok());
      CHECK((held->end - sag->end).norm() < 1e-6 * tension);
    }
  }
  const auto slack = sag_from_length({0, 5e4}, {1, 0}, 1.5);
  REQUIRE(slack.ok());
  CHECK(slack->tension() == 0);
}

TEST_CASE("a heavy cable cannot have less tension than its weight gives it") {
  const auto sag = sag_from_tension({10, 1e6}, {5, 0}, 10);
  REQUIRE(!sag.ok());
  CHECK(sag.error().fault == Fault::not_found);
  CHECK(sag.error().text.find("its own weight pulls more than 10 N") != std::string::npos);
}

TEST_CASE("sagging cables of a robot pull lower than straight ones") {
  const Robot robot = *Robot::from(cable_samples::cogiro());
  const auto sagged = sagging(robot, robot.home(), PerCable::Constant(8, 500), 0.3);
  REQUIRE(sagged.ok());
  const Structure straight = structure(robot, robot.home());
  for (int i = 0; i < 8; ++i) CHECK(sagged->structure(2, i) < straight(2, i));
  const auto light = sagging(robot, robot.home(), PerCable::Constant(8, 500), 0);
  REQUIRE(light.ok());
  CHECK((light->structure - straight).cwiseAbs().maxCoeff() < 1e-9);
  const PerCable all = lengths(robot, robot.home());
  for (int i = 0; i < 8; ++i) CHECK(std::abs(light->unstretched[i] - unstretched(all[i], 500, 1e6)) < 1e-9);
  const auto heavy = sagging(robot, robot.home(), PerCable::Constant(8, 1), 50);
  REQUIRE(!heavy.ok());
  CHECK(heavy.error().text.find("cable0: ") == 0);
}

TEST_CASE("cables that cannot be are refused") {
  CHECK(!sag_from_length({-1, 1e4}, {1, 0}, 1).ok());
  CHECK(!sag_from_length({1, 0}, {1, 0}, 1).ok());
  CHECK(!sag_from_length({1, 1e4}, {-1, 0}, 1).ok());
  CHECK(!sag_from_length({1, 1e4}, {0, 0}, 1).ok());
  CHECK(!sag_from_length({1, 1e4}, {1, 0}, std::nan("")).ok());
  CHECK(!sag_from_tension({1, 1e4}, {1, 0}, 0).ok());
  CHECK(!sag_from_tension({1, 1e4}, {1, std::nan("")}, 1).ok());
}
