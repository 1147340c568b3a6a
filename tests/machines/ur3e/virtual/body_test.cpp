// SPDX-License-Identifier: Apache-2.0
#include <doctest/doctest.h>

#include <cmath>
#include <cstring>

#include "tandem/machines/ur3e/virtual/body.hpp"
#include "tests/machines/ur3e/control/published_arm.hpp"

using namespace tandem::ur3e;
using tandem::Pose;

namespace {

Command hold(const Joints& q) {
  Command command;
  command.drive = Drive::servo;
  command.position = q;
  return command;
}

const Joints working = {0.3, -1.4, 1.2, -1.3, -1.5, 0.2};

}  // namespace

TEST_CASE("tool0 stands where the published kinematics puts it") {
  Body body;
  for (const Joints& q : {Joints(Joints::Zero()), home(), Joints(1.19, -1.13, 1.05, -1.60, -1.52, 1.05), working}) {
    body.stand(q);
    CHECK((body.measured().tool0.matrix() - published::tool(q)).cwiseAbs().maxCoeff() < 1e-12);
  }
}

TEST_CASE("the arm holds still under gravity and finds nothing") {
  for (const Drive drive : {Drive::off, Drive::braked, Drive::servo, Drive::freedrive, Drive::torque}) {
    CAPTURE(static_cast<int>(drive));
    Body body;
    body.stand(working);
    Command command = hold(working);
    command.drive = drive;
    for (int i = 0; i < 500; ++i) {
      REQUIRE(body.step(command));
      REQUIRE(body.measured().finding.kind == Finding::Kind::none);
    }
    CHECK((body.measured().position - working).cwiseAbs().maxCoeff() < 2e-5);
    CHECK(body.measured().velocity.cwiseAbs().maxCoeff() < 1e-4);
    CHECK(body.touches().empty());
  }
}

TEST_CASE("the arm follows a sine within a tenth of a milliradian") {
  for (const double timestep : {0.001, 0.002}) {
    CAPTURE(timestep);
    Body body({timestep});
    body.stand(working);
    double worst = 0, slack = 0;
    for (int i = 1; i * timestep < 2.0; ++i) {
      const double t = i * timestep;
      Command command = hold(working);
      for (int j = 0; j < 6; ++j) {
        const double amplitude = 0.25, rate = 4 + 0.7 * j;  // up to 1.9 rad/s and 14 rad/s^2
        command.position[j] += amplitude * (1 - std::cos(rate * t)) * (j % 2 ? 1 : -1);
        command.velocity[j] = amplitude * rate * std::sin(rate * t) * (j % 2 ? 1 : -1);
      }
      REQUIRE(body.step(command));
      REQUIRE(body.measured().finding.kind == Finding::Kind::none);
      worst = std::max(worst, (body.measured().position - command.position).cwiseAbs().maxCoeff());
      slack = std::max(slack, (body.measured().velocity - command.velocity).cwiseAbs().maxCoeff());
    }
    MESSAGE("worst position error " << worst * 1e3 << " mrad, speed " << slack << " rad/s");
    CHECK(worst < 1e-4);
    CHECK(slack < 0.03);
  }
}

TEST_CASE("holding torques are those of the masses") {
  Body body;
  const auto torque_at = [&body](const Joints& q) {
    body.stand(q);
    for (int i = 0; i < 200; ++i) REQUIRE(body.step(hold(q)));
    return body.measured().torque;
  };
  // Stretched out level: levers by hand. Hand-E 1.07 kg with the wrists at the end of the forearm.
  const Joints level = torque_at(Joints::Zero());
  const double wrists = 0.871 + 0.805 + 0.261 + 1.07;
  const double shoulder =
      9.81 * (3.4445 * (0.24355 - 0.13) + 1.437 * (0.24355 + 0.2132 - 0.05) + wrists * (0.24355 + 0.2132));
  const double elbow = 9.81 * (1.437 * (0.2132 - 0.05) + wrists * 0.2132);
  CHECK(std::abs(level[0]) < 1e-3);
  CHECK(level[1] == doctest::Approx(-shoulder).epsilon(1e-4));
  CHECK(level[2] == doctest::Approx(-elbow).epsilon(1e-4));
  CHECK(body.measured().current[1] == doctest::Approx(-shoulder / torque_per_ampere[1]).epsilon(1e-4));
  // Elsewhere: the slope of the potential energy.
  for (const Joints& q : {working, Joints(-1.0, -0.8, 0.9, 0.4, 1.1, -2.0), Joints(0.5, -2.2, -0.7, 1.0, 0.3, 0.6)}) {
    const Joints measured = torque_at(q);
    for (int i = 0; i < 6; ++i) {
      CAPTURE(i);
      Joints up = q, down = q;
      up[i] += 1e-5;
      down[i] -= 1e-5;
      const double slope = (published::potential(up, hand::mass(), hand::centre()) -
                            published::potential(down, hand::mass(), hand::centre())) /
                           2e-5;
      CHECK(std::abs(measured[i] - slope) < 2e-3);
    }
  }
}

TEST_CASE("the same commands give the same bits") {
  Body a, b;
  Command command = hold(working);
  command.gripper = {255, 255, 100, true};
  for (Body* body : {&a, &b}) {
    body->stand(working);
    for (int i = 0; i < 300; ++i) {
      command.position = working + Joints::Constant(0.1 * std::sin(0.01 * i));
      REQUIRE(body->step(command));
    }
  }
  CHECK(std::memcmp(a.measured().position.data(), b.measured().position.data(), 48) == 0);
  CHECK(std::memcmp(a.measured().torque.data(), b.measured().torque.data(), 48) == 0);
}

TEST_CASE("brakes take energy out and never put any in") {
  Body body;
  body.stand(working);
  Command command = hold(working);
  for (int i = 1; i <= 200; ++i) {
    const double t = 0.002 * i;
    command.position = working + Joints::Constant(2.5 * t * t);
    command.velocity = Joints::Constant(5 * t);
    REQUIRE(body.step(command));
  }
  CHECK(body.measured().velocity.minCoeff() > 1.9);
  double energy = body.energy();
  // The upright arm's weight alone is worth some 20 J.
  CHECK(energy > 10);
  command.drive = Drive::braked;
  // Where it is stopped it stands higher or lower; the brakes may only have dissipated.
  for (int i = 0; i < 500; ++i) {
    const double before = energy;
    REQUIRE(body.step(command));
    energy = body.energy();
    CHECK(energy < before + 0.02);
    if (i == 150) CHECK(body.measured().velocity.cwiseAbs().maxCoeff() < 1e-3);
  }
  CHECK(body.measured().torque.norm() == 0);
}
