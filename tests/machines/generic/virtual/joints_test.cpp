// SPDX-License-Identifier: Apache-2.0
#include <doctest/doctest.h>
#include <fmt/format.h>

#include <cmath>

#include "tandem/machines/generic/virtual/physics_model.hpp"
#include "tandem/sim/world.hpp"
#include "tests/machines/generic/virtual/sims.hpp"

using namespace tandem;
using namespace tandem::generic;
using namespace tandem::generic::test;

namespace {

constexpr double mass = 20, kp = 2000, damping = 160;

std::string link(const std::string& name, double m, const std::string& inertia, const std::string& origin = "") {
  return fmt::format(R"(<link name="{}"><inertial>{}<mass value="{}"/><inertia {}/></inertial></link>)", name, origin,
                     m, inertia);
}

const std::string round_inertia = R"(ixx="0.1" iyy="0.1" izz="0.1" ixy="0" ixz="0" iyz="0")";

// A vertical axis of 20 kg, and a follower of half its travel.
std::string lift() {
  return R"(<robot name="lift"><link name="base"/>)" + link("carriage", mass, round_inertia) +
         link("finger", 0.1, round_inertia) +
         R"(<joint name="z" type="prismatic"><parent link="base"/><child link="carriage"/><axis xyz="0 0 1"/>
            <limit lower="-0.5" upper="2" effort="5000" velocity="1"/></joint>
            <joint name="grip" type="prismatic"><parent link="carriage"/><child link="finger"/><axis xyz="0 1 0"/>
            <limit lower="-1" upper="1" effort="0" velocity="1"/><mimic joint="z" multiplier="0.5" offset="0.01"/></joint>
            </robot>)";
}

Description robot_with(const std::string& joint) {
  Description description;
  description.robot = Robot{"robot.urdf", {{.name = joint, .kp = kp, .damping = damping}}, false};
  return description;
}

}  // namespace

TEST_CASE("A drive with kp and damping answers a step as a second order of its mass") {
  const auto model = physics_model(robot_with("z"), lift(), 0.001);
  REQUIRE(model.joints.size() == 2);
  sim::World world(model.mjcf);
  const auto z = world.joint("z");
  const std::vector<sim::Joint> driven{z};
  const std::vector<double> rest{0};
  std::vector<double> carried{0};
  const double target = 0.2;
  world.control(world.actuator("z"), target);
  const double m = mass + 0.1 + 0.1 * 0.25;  // the finger rides along, and moves half as far across
  const double w = std::sqrt(kp / m), zeta = damping / (2 * std::sqrt(kp * m)), wd = w * std::sqrt(1 - zeta * zeta);
  for (int i = 1; i <= 1500; ++i) {
    world.forces_for(driven, rest, carried);
    world.control(world.actuator("z_weight"), carried[0]);
    REQUIRE(world.step());
    const double t = 0.001 * i;
    const double expected =
        target * (1 - std::exp(-zeta * w * t) * (std::cos(wd * t) + zeta * w / wd * std::sin(wd * t)));
    CHECK(world.position(z) == doctest::Approx(expected).epsilon(0.02).scale(0.2));
  }
  CHECK(world.position(z) == doctest::Approx(target).epsilon(1e-3));  // no sag: the weight is carried
  CHECK(world.position(world.joint("grip")) == doctest::Approx(0.01 + 0.5 * target).epsilon(0.01));
}

TEST_CASE("Inertia turned in its link counts about the joint's axis") {
  // About the joint's z: the link's own x, as its inertial frame is turned by a quarter about y.
  const std::string urdf = R"(<robot name="arm"><link name="base"/>)" +
                           link("arm", 2, R"(ixx="0.5" iyy="0.6" izz="0.3" ixy="0" ixz="0" iyz="0")",
                                R"(<origin xyz="0 0 0" rpy="0 1.5707963267948966 0"/>)") +
                           R"(<joint name="turn" type="continuous"><parent link="base"/><child link="arm"/>
                              <axis xyz="0 0 1"/></joint></robot>)";
  Description description = robot_with("turn");
  description.robot->joints[0].kp = 0;
  description.robot->joints[0].damping = 0;
  sim::World world(physics_model(description, urdf, 0.001).mjcf);
  world.control(world.actuator("turn_weight"), 0.05);  // N m
  for (int i = 0; i < 1000; ++i) REQUIRE(world.step());
  CHECK(world.velocity(world.joint("turn")) == doctest::Approx(0.05 / 0.5).epsilon(1e-6));
}

TEST_CASE("A link that moves needs a mass, and a bound joint has to be there") {
  const std::string urdf = R"(<robot name="r"><link name="base"/><link name="arm"/>
<joint name="turn" type="continuous"><parent link="base"/><child link="arm"/></joint></robot>)";
  CHECK_THROWS_WITH_AS(physics_model(robot_with("turn"), urdf, 0.001),
                       "robot.urdf:1: link arm: expected <inertial> with a mass above 0, since it moves, got none",
                       std::invalid_argument);
  CHECK_THROWS_WITH_AS(physics_model(robot_with("twist"), urdf, 0.001),
                       "robot.urdf:1: expected a movable joint 'twist', got none", std::invalid_argument);
  CHECK_THROWS_AS(physics_model(robot_with("turn"), "<robot", 0.001), std::invalid_argument);
}

TEST_CASE("Joints follow commands in the unit of the file, and stay where they are before one") {
  class Axis final : public JointSource {
   public:
    double value(std::string_view joint, Sim::JointValue what) const override {
      if (joint != "x") return std::nan("");
      return what == Sim::JointValue::position ? position_ : 0.5;
    }
    void target(std::string_view, double position) override { position_ = position, ++targets; }
    void step(double) override { ++steps; }
    int targets = 0, steps = 0;

   private:
    double position_ = 0.25;
  } axis;
  Bench bench({{"x", constant(0)}, {"v", constant(0)}, {"set", constant(0)}}, &axis);
  for (Declaration& each : bench.description.signals) each.sim.reset();
  for (Signal& each : bench.signals) each.si_scale = 0.001;  // mm
  bench.description.robot = Robot{"x.urdf", {{.name = "x", .position = "x", .velocity = "v", .command = "set"}}, false};
  bench.start();
  CHECK(bench.at(0, 0) == doctest::Approx(250));
  CHECK(bench.at(0, 2) == doctest::Approx(250));  // the command is where the joint is
  CHECK(bench.at(0.1, 1) == doctest::Approx(500));
  CHECK(axis.targets == 0);
  bench.behaviours->write(2, 0, 400);
  CHECK(bench.at(0.11, 0) == doctest::Approx(400));
  CHECK(axis.targets == 1);
  CHECK(axis.steps == 110);
}
