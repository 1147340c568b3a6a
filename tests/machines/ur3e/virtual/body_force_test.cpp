// SPDX-License-Identifier: Apache-2.0
#include <doctest/doctest.h>

#include <algorithm>
#include <string>

#include "tandem/machines/ur3e/virtual/body.hpp"
#include "tests/machines/ur3e/control/published_arm.hpp"

using namespace tandem::ur3e;

namespace {

const Joints bent = {0.3, -1.4, 1.2, -1.3, -1.5, 0.2};
const Joints reaching = {1.19, -1.13, 1.05, -1.60, -1.52, 1.05};

Command driven(Drive drive, const Joints& q = bent) {
  Command command;
  command.drive = drive;
  command.position = q;
  return command;
}

void run(Body& body, const Command& command, int steps) {
  for (int i = 0; i < steps; ++i) REQUIRE(body.step(command));
}

}  // namespace

TEST_CASE("a push on the tool is felt as it is and moves a servo little") {
  Body body;
  body.stand(bent);
  const Wrench wrench = {{12, -7, 20}, {0.5, -0.3, 0.8}};
  body.push(wrench);
  run(body, driven(Drive::servo), 500);
  const Measured& m = body.measured();
  CHECK((m.tool_force.force - wrench.force).norm() < 1e-6);
  CHECK((m.tool_force.torque - wrench.torque).norm() < 1e-6);
  CHECK((m.position - bent).cwiseAbs().maxCoeff() < 2e-3);
  // The raw sensor: the hand's weight and the push, borne by wrist 3, at rest.
  const Eigen::Vector3d borne = m.tool0.linear() * m.flange.force;
  const Eigen::Vector3d expected = wrench.force + Eigen::Vector3d(0, 0, -9.81 * hand::mass());
  CHECK(std::min((borne - expected).norm(), (borne + expected).norm()) < 0.01);
  // A resting accelerometer feels gravity upwards.
  CHECK((m.tool0.linear() * m.tool_acceleration - Eigen::Vector3d(0, 0, 9.81)).norm() < 0.01);
  // External joint torques do the same virtual work as the push does.
  for (int i = 0; i < 6; ++i) {
    Joints moved = m.position;
    moved[i] += 1e-6;
    const Eigen::Matrix4d a = published::tool(m.position), b = published::tool(moved);
    const Eigen::Vector3d shift = (b - a).topRightCorner<3, 1>() / 1e-6;
    const Eigen::AngleAxisd turn(Eigen::Matrix3d(b.topLeftCorner<3, 3>() * a.topLeftCorner<3, 3>().transpose()));
    const double work = shift.dot(wrench.force) + (turn.angle() / 1e-6) * turn.axis().dot(wrench.torque);
    CHECK(m.external_torque[i] == doctest::Approx(work).epsilon(1e-3).scale(1));
  }
}

TEST_CASE("an unknown payload shows as a force until it is zeroed or told") {
  Body body;
  body.stand(bent);
  Payload payload;
  payload.mass = hand::mass() - 0.5;
  body.payload(payload);
  run(body, driven(Drive::servo), 200);
  CHECK(body.measured().tool_force.force.z() == doctest::Approx(-0.5 * 9.81));
  body.zero_force();
  run(body, driven(Drive::servo), 10);
  CHECK(body.measured().tool_force.force.norm() < 0.01);
  CHECK((body.measured().position - bent).cwiseAbs().maxCoeff() < 1e-3);
}

TEST_CASE("guided by hand the arm goes where it is pushed and stays where it is left") {
  Body body;
  body.stand(bent);
  const Eigen::Vector3d start = body.measured().tool0.translation();
  body.push({{0, 25, 0}, {0, 0, 0}});
  run(body, driven(Drive::freedrive), 250);
  const Eigen::Vector3d pushed = body.measured().tool0.translation();
  CHECK(pushed.y() - start.y() > 0.03);
  body.push({});
  run(body, driven(Drive::freedrive), 1000);
  const Eigen::Vector3d left = body.measured().tool0.translation();
  run(body, driven(Drive::freedrive), 500);
  CHECK((body.measured().tool0.translation() - left).norm() < 0.005);
  CHECK(body.measured().finding.kind == Finding::Kind::none);
}

TEST_CASE("a wrong payload makes a guided arm sink or rise") {
  Body body;
  body.stand(bent);
  Payload payload;
  payload.mass = hand::mass() + 1.0;
  body.payload(payload);
  const double start = body.measured().tool0.translation().z();
  run(body, driven(Drive::freedrive), 250);
  CHECK(body.measured().tool0.translation().z() > start + 0.005);
}

TEST_CASE("direct torque adds to gravity compensation") {
  Body body;
  body.stand(bent);
  Command command = driven(Drive::torque);
  command.torque[5] = 1.0;
  run(body, command, 20);
  // Rotor, wrist 3 and hand about the flange axis; friction takes a little after 40 ms.
  const double inertia = 0.12 + 0.0001371 + 5.5e-4 + 2 * 0.038 * 0.025 * 0.025;
  CHECK(body.measured().velocity[5] == doctest::Approx(0.04 / inertia).epsilon(0.08));
  CHECK(body.measured().velocity.head<3>().norm() < 0.05);
}

TEST_CASE("driving the fingers into the table is a collision that names both") {
  Body body;
  const Joints above = published::tool_down({0.2, -0.2, 0.18}, reaching);
  const Joints below = published::tool_down({0.2, -0.2, 0.10}, above);
  body.stand(above);
  Finding found;
  double soonest = 0;
  const double duration = 1.0;
  for (int i = 1; i <= 500 && found.kind == Finding::Kind::none; ++i) {
    Command command = driven(Drive::servo, above + (below - above) * (0.002 * i / duration));
    command.velocity = (below - above) / duration;
    REQUIRE(body.step(command));
    found = body.measured().finding;
    if (!body.touches().empty() && soonest == 0) soonest = body.measured().tool0.translation().z();
  }
  REQUIRE(found.kind == Finding::Kind::collision);
  CHECK(found.other == "table");
  CHECK(found.value > found.limit);
  CHECK(soonest == doctest::Approx(hand::reach).epsilon(0.01));
  CHECK(body.measured().tool_force.force.z() > 5);
  // Told, not decided: the arm still does as it is told.
  run(body, driven(Drive::braked), 100);
  CHECK(body.measured().velocity.cwiseAbs().maxCoeff() < 0.01);
}

TEST_CASE("falling onto the table without gravity compensation is a touch and no explosion") {
  Body body;
  body.stand(Joints::Zero());
  Command command = driven(Drive::torque);
  command.torque[1] = 25;
  bool touched = false;
  double fastest = 0;
  for (int i = 0; i < 1500; ++i) {
    REQUIRE(body.step(command));
    for (const Touch& touch : body.touches()) touched = touched || touch.other == "table";
    fastest = std::max(fastest, body.measured().velocity.cwiseAbs().maxCoeff());
  }
  CHECK(touched);
  CHECK(fastest < 30);
  CHECK(body.measured().velocity.cwiseAbs().maxCoeff() < 0.5);
}

TEST_CASE("a servo that asks for more than a motor has is an overload that names the joint") {
  Body body;
  body.stand(bent);
  Command command = driven(Drive::servo);
  Finding found;
  for (int i = 1; i <= 200 && found.kind == Finding::Kind::none; ++i) {
    const double t = 0.002 * i;
    command.position[3] = bent[3] + 100 * t * t;  // 200 rad/s^2
    command.velocity[3] = 200 * t;
    REQUIRE(body.step(command));
    found = body.measured().finding;
  }
  REQUIRE(found.kind == Finding::Kind::overload);
  CHECK(found.part == "wrist_1_joint");
  CHECK(found.limit == doctest::Approx(9));
}

TEST_CASE("a folded arm meets itself") {
  Body body;
  Joints q = home();
  q[2] = 2.9;
  body.stand(q);
  Command command = driven(Drive::servo, q);
  bool itself = false;
  for (int i = 1; i < 1000 && !itself; ++i) {
    command.position[2] = std::min(3.1, q[2] + 0.001 * i);
    command.position[3] = home()[3] - 0.002 * i;
    REQUIRE(body.step(command));
    for (const Touch& touch : body.touches())
      itself = itself || (touch.other != "table" && touch.other != "ground" && !touch.other.starts_with("cube"));
  }
  CHECK(itself);
}
