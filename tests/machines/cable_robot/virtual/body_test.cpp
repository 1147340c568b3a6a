// SPDX-License-Identifier: Apache-2.0
#include <doctest/doctest.h>

#include <cmath>
#include <stdexcept>
#include <string>

#include "tandem/machines/cable_robot/virtual/body.hpp"
#include "tandem/machines/cable_robot/virtual/model.hpp"

using namespace tandem;
using namespace tandem::cable_robot;

namespace {

// Force and moment about the platform's origin that the cables exert, from points and tensions alone.
struct CableLoad {
  Eigen::Vector3d force = Eigen::Vector3d::Zero(), moment = Eigen::Vector3d::Zero();
};
CableLoad load_of(const Body& body) {
  CableLoad sum;
  const Pose X = body.pose();
  for (int i = 0; i < body.robot().cables(); ++i) {
    const cables::Cable& cable = body.robot().cable(i);
    const Eigen::Vector3d arm = X.linear() * cable.platform;
    const Eigen::Vector3d pull =
        (cable.frame - X.translation() - arm).normalized() * body.state().tensions[static_cast<std::size_t>(i)];
    sum.force += pull;
    sum.moment += arm.cross(pull);
  }
  return sum;
}

void rest(Body& body, double duration) {
  const cables::PerCable unwound = body.unwound();
  for (int i = 0; i < static_cast<int>(std::lround(duration * 1000)); ++i) REQUIRE(body.advance(unwound));
}

double height(const Body& body) { return body.state().position[2]; }

// Eight cables from four high corners: hangs by its weight alone.
cables::Design hanging_design() {
  cables::Design design;
  design.name = "hanging";
  const double x = 3.5, y = 2, z = 3.5;
  design.cables = {{{-x, -y, z}, {0.6, -0.3, -0.2}}, {{-x, -y, z}, {-0.6, 0.3, 0.2}},  {{x, -y, z}, {-0.6, -0.3, 0.2}},
                   {{x, -y, z}, {0.6, 0.3, -0.2}},   {{-x, y, z}, {-0.6, -0.3, -0.2}}, {{-x, y, z}, {0.6, 0.3, 0.2}},
                   {{x, y, z}, {0.6, -0.3, 0.2}},    {{x, y, z}, {-0.6, 0.3, -0.2}}};
  design.mass = 150;
  design.inertia = Eigen::Vector3d(6.5, 20, 22.5).asDiagonal();
  design.tension = {50, 10000};
  design.size = {1.2, 0.6, 0.4};
  design.home = {0, 0, 1.2};
  design.stiffness = 2e6;
  return design;
}

}  // namespace

TEST_CASE("At home the cables carry the weight and nothing moves") {
  Body body(cables::Robot::standard());
  rest(body, 0.3);
  const CableLoad load = load_of(body);
  CHECK(load.force.z() == doctest::Approx(9.81).epsilon(1e-3));
  CHECK(load.force.head<2>().norm() < 1e-3);
  CHECK(load.moment.norm() < 1e-4);
  CHECK((body.pose().translation() - cables::Robot::standard().design().home).norm() < 1e-6);
  for (std::size_t i = 0; i < 8; ++i) CHECK(body.state().tensions[i] > 2);
  CHECK_FALSE(body.state().on_floor);
}

TEST_CASE("A cable is as long as its points are apart and as its tension stretches it") {
  Body body(cables::Robot::standard());
  cables::PerCable unwound = body.unwound();
  unwound.head<3>().array() += 0.004;
  for (int i = 0; i < 300; ++i) REQUIRE(body.advance(unwound));
  const Pose X = body.pose();
  for (int i = 0; i < 8; ++i) {
    CAPTURE(i);
    const auto k = static_cast<std::size_t>(i);
    const double apart = (body.robot().cable(i).frame - X * body.robot().cable(i).platform).norm();
    CHECK(body.state().lengths[k] == doctest::Approx(apart).epsilon(1e-9));
    const double stretch = std::max(0.0, apart - unwound[i]);
    CHECK(std::abs(body.state().tensions[k] - 5e4 * stretch / unwound[i]) < 0.05);  // the rest damps
  }
}

TEST_CASE("A load on the platform is carried too") {
  Body body(cables::Robot::standard());
  body.push({3, 0, -10}, {0, 0, 0});
  rest(body, 0.4);
  CHECK(load_of(body).force.z() == doctest::Approx(19.81).epsilon(1e-3));
  CHECK(load_of(body).force.x() == doctest::Approx(-3).epsilon(1e-3));
  body.push({0, 0, 0}, {0, 0, 0});
  rest(body, 0.4);
  CHECK((body.pose().translation() - body.robot().design().home).norm() < 1e-5);
}

TEST_CASE("Cables that are too long hang slack and never push") {
  Body body(cables::Robot::standard());
  cables::PerCable unwound = body.unwound();
  for (int ms = 0; ms < 100; ++ms) {  // those at the floor, by 5 cm
    unwound.tail<4>().array() += 0.0005;
    REQUIRE(body.advance(unwound));
  }
  rest(body, 0.5);
  for (std::size_t i = 4; i < 8; ++i) CHECK(body.state().tensions[i] == 0);
  CHECK(load_of(body).force.z() == doctest::Approx(9.81).epsilon(0.02));
  CHECK(height(body) == doctest::Approx(0.3).epsilon(0.05));
}

TEST_CASE("Without cables the platform falls as all things do and lies on the floor") {
  Body body(cables::Robot::standard());
  body.cut(0xff);
  rest(body, 0.2);
  CHECK(height(body) == doctest::Approx(0.3 - 9.81 * 0.2 * 0.2 / 2).epsilon(0.01));
  CHECK(body.state().velocity[2] == doctest::Approx(-9.81 * 0.2).epsilon(0.01));
  rest(body, 0.8);
  CHECK(body.state().on_floor);
  CHECK(height(body) == doctest::Approx(0.04).epsilon(0.02));
  CHECK(std::abs(body.state().velocity[2]) < 1e-3);
}

TEST_CASE("Whichever cable is cut the rest hold on and all numbers stay numbers") {
  for (int cut = 0; cut < 8; ++cut) {
    CAPTURE(cut);
    Body body(cables::Robot::standard());
    body.cut(static_cast<std::uint16_t>(1U << cut));
    rest(body, 0.25);
    CHECK(body.state().tensions[static_cast<std::size_t>(cut)] == 0);
    for (const double tension : body.state().tensions) CHECK(std::isfinite(tension));
    CHECK((body.pose().translation() - body.robot().design().home).norm() < 0.15);
  }
}

TEST_CASE("A robot that hangs from above holds its weight as well") {
  const auto robot = cables::Robot::from(hanging_design());
  REQUIRE_MESSAGE(robot.ok(), (robot ? "" : robot.error().text));
  CHECK(floor_height(robot->design()) == 0);
  Body body(*robot);
  rest(body, 0.3);
  CHECK(load_of(body).force.z() == doctest::Approx(150 * 9.81).epsilon(1e-3));
  CHECK((body.pose().translation() - robot->design().home).norm() < 1e-3);
}

TEST_CASE("Cables too stiff to be followed are refused") {
  cables::Design design = cables::default_design();
  design.stiffness = 1e8;
  const auto robot = cables::Robot::from(design);
  REQUIRE(robot.ok());
  try {
    Body body(*robot);
    CHECK(false);
  } catch (const std::invalid_argument& error) {
    CHECK(std::string(error.what()).starts_with("stiffness: expected"));
  }
}

TEST_CASE("A platform that is put elsewhere stays there in the cables that fit") {
  Body body(cables::Robot::standard());
  Pose there = body.robot().home();
  there.translation() += Eigen::Vector3d(0.05, -0.03, 0.04);
  there.rotate(Eigen::AngleAxisd(0.1, Eigen::Vector3d::UnitZ()));
  const cables::PerCable unwound = body.resting(there);
  body.place(there);
  for (int i = 0; i < 300; ++i) REQUIRE(body.advance(unwound));
  CHECK((body.pose().translation() - there.translation()).norm() < 1e-5);
  CHECK((body.pose().linear() - there.linear()).norm() < 1e-4);
}
