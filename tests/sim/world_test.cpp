// SPDX-License-Identifier: Apache-2.0
#include "tandem/sim/world.hpp"

#include <doctest/doctest.h>

#include <array>
#include <cmath>
#include <cstring>
#include <filesystem>
#include <limits>
#include <stdexcept>
#include <string>
#include <thread>
#include <vector>

using tandem::Pose;
using tandem::sim::Snapshot;
using tandem::sim::World;

namespace {

// A pendulum with a motor, a ball that may fall on the floor, and sensors on both.
const std::string pendulum = R"(<mujoco>
  <option timestep="0.001" integrator="implicit"/>
  <size nstack="100000" njmax="60" nconmax="20"/>
  <worldbody>
    <geom name="floor" type="plane" size="5 5 0.1"/>
    <body name="arm" pos="0 0 2">
      <joint name="swing" type="hinge" axis="0 1 0"/>
      <geom type="capsule" fromto="0 0 0 0 0 -1" size="0.02" mass="1" contype="0" conaffinity="0"/>
    </body>
    <body name="ball" pos="1 0 1"><freejoint name="free"/><geom type="sphere" size="0.1" mass="1"/></body>
  </worldbody>
  <actuator><motor name="torque" joint="swing"/></actuator>
  <sensor><jointpos name="angle" joint="swing"/><framepos name="where" objtype="body" objname="ball"/></sensor>
</mujoco>)";

void drive(World& world, int steps) {
  const auto torque = world.actuator("torque");
  for (int i = 0; i < steps; ++i) {
    world.control(torque, 2.0 * std::sin(5.0 * world.time()));
    REQUIRE(world.step());
  }
}

std::string failure(const std::string& mjcf) {
  try {
    World world(mjcf);
  } catch (const std::runtime_error& error) {
    return error.what();
  }
  return {};
}

bool same_bits(const Snapshot& a, const Snapshot& b) {
  return a.numbers.size() == b.numbers.size() &&
         std::memcmp(a.numbers.data(), b.numbers.data(), 8 * a.numbers.size()) == 0;
}

}  // namespace

TEST_CASE("text that is no model is an error with its reason and no file is left behind") {
  CHECK(failure("").find("empty") != std::string::npos);
  CHECK(failure("not xml").find("does not load") != std::string::npos);
  CHECK(failure("<mujoco><worldbody><body name='a'><joint/></body></worldbody></mujoco>") != "");
  CHECK(failure("<mujoco><option integrator='RK4'/></mujoco>").find("RK4") != std::string::npos);
  CHECK(failure("<mujoco><wrong/></mujoco>").find("wrong") != std::string::npos);
  CHECK_FALSE(std::filesystem::exists("MUJOCO_LOG.TXT"));
}

TEST_CASE("a name that the model does not have is told") {
  const World world(pendulum);
  CHECK_THROWS_WITH_AS(world.joint("swung"), "the model has no joint \"swung\"", std::runtime_error);
  CHECK_THROWS_AS(world.joint("free"), std::runtime_error);
  CHECK_THROWS_AS(world.actuator("swing"), std::runtime_error);
  CHECK_THROWS_AS(world.body("leg"), std::runtime_error);
  CHECK_THROWS_AS(world.sensor("torque"), std::runtime_error);
}

TEST_CASE("a falling ball falls as Galileo says until it meets the floor") {
  World world(pendulum);
  const auto ball = world.body("ball");
  for (int i = 0; i < 300; ++i) REQUIRE(world.step());
  CHECK(world.time() == doctest::Approx(0.3).epsilon(1e-12));
  CHECK(world.pose(ball).translation().z() == doctest::Approx(1 - 0.5 * 9.81 * 0.09).epsilon(0.003));
  CHECK(world.twist(ball).linear.z() == doctest::Approx(-9.81 * 0.3).epsilon(1e-6));
  CHECK(world.values(world.sensor("where"))[2] == world.pose(ball).translation().z());
  for (int i = 0; i < 2000; ++i) REQUIRE(world.step());
  CHECK(world.pose(ball).translation().z() == doctest::Approx(0.1).epsilon(0.01));
}

TEST_CASE("a pendulum has the period of a compound pendulum") {
  World world(pendulum);
  const auto swing = world.joint("swing");
  world.place(swing, 0.05);
  world.update();
  CHECK(world.values(world.sensor("angle"))[0] == 0.05);
  double previous = 0.05;
  std::vector<double> crossings;
  for (int i = 0; i < 5000 && crossings.size() < 3; ++i) {
    REQUIRE(world.step());
    const double angle = world.position(swing);
    if (previous > 0 && angle <= 0) crossings.push_back(world.time());
    previous = angle;
  }
  REQUIRE(crossings.size() == 3);
  // Capsule of 1 m and radius 0.02 m between its two centres, mass 1: I = 0.3466 kg m2 about the pivot within 2 %.
  const double expected = 2 * M_PI * std::sqrt(0.3466 / (9.81 * 0.5));
  CHECK((crossings[2] - crossings[1]) == doctest::Approx(expected).epsilon(0.02));
}

TEST_CASE("a control that is not finite trips the world and the last good state stays") {
  for (const double bad : {std::nan(""), std::numeric_limits<double>::infinity(), 1e300}) {
    World world(pendulum);
    drive(world, 500);
    const double angle = world.position(world.joint("swing"));
    const double time = world.time();
    world.control(world.actuator("torque"), bad);
    CHECK_FALSE(world.step());
    CHECK(world.tripped());
    CHECK(world.cause().find("control") != std::string::npos);
    CHECK(world.position(world.joint("swing")) == angle);
    CHECK(world.time() == time);
    world.control(world.actuator("torque"), 0);
    CHECK_FALSE(world.step());  // it latches
    CHECK(world.time() == time);
    world.reset();
    CHECK_FALSE(world.tripped());
    CHECK(world.time() == 0);
    CHECK(world.step());
  }
  CHECK_FALSE(std::filesystem::exists("MUJOCO_LOG.TXT"));
}

TEST_CASE("a state that is not finite trips the world instead of resetting it") {
  World world(pendulum);
  drive(world, 100);
  const Snapshot good = world.save();
  world.place(world.joint("swing"), std::nan(""));
  CHECK_FALSE(world.step());
  CHECK(world.cause().find("position") != std::string::npos);
  world.restore(good);
  CHECK_FALSE(world.tripped());
  world.place(world.joint("swing"), 0, 1e20);
  CHECK_FALSE(world.step());
  CHECK(world.cause().find("velocity") != std::string::npos);
  world.restore(good);
  world.push(world.body("ball"), {1e300, 0, 0}, {0, 0, 0});
  CHECK_FALSE(world.step());
  CHECK(world.cause().find("acceleration") != std::string::npos);
  CHECK(std::isfinite(world.position(world.joint("swing"))));
}

TEST_CASE("an engine that runs out of its memory trips the world") {
  std::string small = pendulum;
  small.replace(small.find("njmax=\"60\""), 10, "njmax=\"1\" ");
  World world(small);
  bool ran = true;
  for (int i = 0; i < 2000 && ran; ++i) ran = world.step();
  CHECK_FALSE(ran);
  CHECK(world.cause().find("njmax") != std::string::npos);
}

TEST_CASE("the same calls give the same bits in every thread") {
  World reference(pendulum);
  drive(reference, 3000);
  const Snapshot expected = reference.save();
  std::vector<Snapshot> got(4);
  std::vector<std::thread> threads;
  for (Snapshot& snapshot : got)
    threads.emplace_back([&snapshot] {
      World world(pendulum);
      const auto torque = world.actuator("torque");
      for (int i = 0; i < 3000; ++i) {
        world.control(torque, 2.0 * std::sin(5.0 * world.time()));
        if (!world.step()) return;
      }
      snapshot = world.save();
    });
  for (std::thread& thread : threads) thread.join();
  for (const Snapshot& snapshot : got) CHECK(same_bits(snapshot, expected));
}

TEST_CASE("the future after restore is bit for bit the future after save") {
  World world(pendulum);
  drive(world, 600);  // the ball lies on the floor: contacts are in play
  const Snapshot middle = world.save();
  drive(world, 900);
  const Snapshot end = world.save();
  world.restore(middle);
  CHECK(same_bits(world.save(), middle));
  drive(world, 900);
  CHECK(same_bits(world.save(), end));
  World other(pendulum);
  other.restore(middle);
  drive(other, 900);
  CHECK(same_bits(other.save(), end));
  CHECK_THROWS_AS(other.restore(Snapshot{{1, 2, 3}}), std::runtime_error);
}

TEST_CASE("a free body is placed and pushed and a fixed one is not") {
  World world(pendulum);
  const auto ball = world.body("ball");
  Pose pose = Pose::Identity();
  pose.translation() << 2, 3, 4;
  pose.linear() = tandem::rotation_from_rpy(0.1, 0.2, 0.3);
  world.place(ball, pose);
  world.update();
  CHECK((world.pose(ball).matrix() - pose.matrix()).norm() < 1e-12);
  world.push(ball, {3, 0, 9.81}, {0, 0, 0});
  for (int i = 0; i < 100; ++i) REQUIRE(world.step());
  CHECK(world.twist(ball).linear.x() == doctest::Approx(0.3).epsilon(1e-9));
  CHECK(std::abs(world.twist(ball).linear.z()) < 1e-9);
  CHECK_THROWS_AS(world.place(world.body("arm"), pose), std::runtime_error);
}

TEST_CASE("a ball at rest presses on the floor with its weight") {
  World world(pendulum);
  for (int i = 0; i < 3000; ++i) REQUIRE(world.step());
  REQUIRE(world.contacts().size() == 1);
  const tandem::sim::Contact& contact = world.contacts().front();
  const double up = contact.b.index == world.body("ball").index ? 1 : -1;
  CHECK(world.name(up > 0 ? contact.b : contact.a) == "ball");
  CHECK((up * contact.force - Eigen::Vector3d(0, 0, 9.81)).norm() < 1e-3);
  CHECK(contact.normal == doctest::Approx(9.81).epsilon(1e-3));
  CHECK((contact.position - Eigen::Vector3d(1, 0, 0)).norm() < 0.01);
  world.reset();
  CHECK(world.contacts().empty());
}

TEST_CASE("inverse dynamics gives the torque that a pendulum needs") {
  World world(pendulum);
  const std::array joints = {world.joint("swing")};
  const double angle = 0.6;
  world.place(joints[0], angle, 1.5);
  world.update();
  const std::array acceleration = {7.0};
  std::array torque = {0.0};
  world.forces_for(joints, acceleration, torque);
  // A capsule of 1 m and 1 kg with round ends of 20 mm; a thin rod's third is near enough.
  const double inertia = 1.0 / 3;
  CHECK(torque[0] == doctest::Approx(inertia * 7 + 9.81 * 0.5 * std::sin(angle)).epsilon(0.02));
  // And that torque does accelerate it so.
  world.control(world.actuator("torque"), torque[0]);
  REQUIRE(world.step());
  CHECK(world.acceleration(joints[0]) == doctest::Approx(7).epsilon(1e-3));
}

TEST_CASE("a swinging pendulum keeps its energy") {
  World world(pendulum);
  world.place(world.joint("swing"), 1.0);
  Pose far = Pose::Identity();
  far.translation() << 5, 5, 0.1;
  world.place(world.body("ball"), far);
  world.update();
  // Arm's centre at 2 - 0.5 cos(1); the ball lies.
  CHECK(world.energy() == doctest::Approx(9.81 * (2 - 0.5 * std::cos(1.0)) + 9.81 * 0.1).epsilon(1e-6));
  const double start = world.energy();
  for (int i = 0; i < 1000; ++i) REQUIRE(world.step());
  CHECK(world.energy() == doctest::Approx(start).epsilon(1e-2));
}
