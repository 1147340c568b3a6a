// SPDX-License-Identifier: Apache-2.0
#include "tandem/kinematics/cable/robot.hpp"

#include <doctest/doctest.h>

#include <Eigen/QR>
#include <Eigen/SVD>
#include <limits>

#include "tests/kinematics/cable/samples.hpp"

using namespace tandem;
using namespace tandem::cables;
using cable_samples::Random;

namespace {

std::vector<Robot> published_robots() {
  return {Robot::standard(), *Robot::from(cable_samples::caroca()), *Robot::from(cable_samples::cdpr3()),
          *Robot::from(cable_samples::cogiro())};
}

std::string refusal(const Design& design) {
  const auto robot = Robot::from(design);
  return robot ? "" : robot.error().text;
}

bool tells(const std::string& text, const std::string& part) { return text.find(part) != std::string::npos; }

}  // namespace

TEST_CASE("lengths of cables are the distances of their points") {
  Random random(1);
  for (const Robot& robot : published_robots()) {
    for (int k = 0; k < 500; ++k) {
      const Pose pose = random.pose(robot, 0.7, 3);
      const PerCable all = lengths(robot, pose);
      for (int i = 0; i < robot.cables(); ++i) {
        double held[3], squares = 0;  // written out, from the numbers alone
        for (int row = 0; row < 3; ++row) {
          held[row] = pose.translation()[row];
          for (int col = 0; col < 3; ++col) held[row] += pose.linear()(row, col) * robot.cable(i).platform[col];
          squares += (held[row] - robot.cable(i).frame[row]) * (held[row] - robot.cable(i).frame[row]);
        }
        CHECK(std::abs(all[i] - std::sqrt(squares)) < 1e-14 * (1 + all[i]));
      }
    }
  }
}

TEST_CASE("the standard robot has equal cables at home by its symmetry") {
  const Robot& robot = Robot::standard();
  const PerCable all = lengths(robot, robot.home());
  for (int i = 1; i < 8; ++i) CHECK(std::abs(all[i] - all[0]) < 1e-15);
  CHECK(conditioning(robot, structure(robot, robot.home())) > 0.5);
  const Design design = default_design();
  CHECK(design.mass == 1);
  CHECK(design.tension.least == 2);
  CHECK(design.tension.most == 100);
  CHECK(std::abs(design.inertia(2, 2) - (0.1 * 0.1 + 0.1 * 0.1) / 12) < 1e-15);
  CHECK(std::abs(design.inertia(0, 0) - (0.1 * 0.1 + 0.08 * 0.08) / 12) < 1e-15);
}

TEST_CASE("rates of cables are the differences of their lengths over time") {
  Random random(2);
  for (const Robot& robot : published_robots()) {
    for (int k = 0; k < 200; ++k) {
      const Pose pose = random.pose(robot, 0.6, 1);
      const Twist twist = random.six(1);
      constexpr double h = 1e-5;
      const PerCable slope = (lengths(robot, cable_samples::moved(pose, twist, h)) -
                              lengths(robot, cable_samples::moved(pose, twist, -h))) /
                             (2 * h);
      CHECK((rates(structure(robot, pose), twist) - slope).cwiseAbs().maxCoeff() < 1e-8);
    }
  }
}

TEST_CASE("the motion is found from the rates of the cables") {
  Random random(3);
  for (int k = 0; k < 300; ++k) {
    const Robot robot = random.robot(6 + k % 11);
    const Structure held = structure(robot, random.pose(robot, 0.2, 0.3));
    const Twist twist = random.six(1);
    if (conditioning(robot, held) < 1e-3) continue;
    CHECK((twist_from_rates(held, rates(held, twist)) - twist).norm() < 1e-9);
  }
}

TEST_CASE("a pull does the same work at the cable as at the platform") {
  Random random(4);
  for (int k = 0; k < 300; ++k) {
    const Robot robot = random.robot(6 + k % 11);
    const Structure held = structure(robot, random.pose(robot, 0.3, 1));
    PerCable pulls(robot.cables());
    for (int i = 0; i < robot.cables(); ++i) pulls[i] = random.within(0, 50);
    const Twist twist = random.six(1);
    CHECK(std::abs((held * pulls).dot(twist) + pulls.dot(rates(held, twist))) < 1e-10);
  }
}

TEST_CASE("inertial wrenches are those of many small masses") {
  // Eight points of an eighth of the mass at the corners of a box have its inertia with the box made smaller.
  Random random(5);
  Design design = default_design();
  design.mass = 2;
  design.centre = {0.01, -0.02, 0.03};
  const Eigen::Vector3d half(0.05, 0.04, 0.03);
  design.inertia =
      2 * Eigen::Vector3d(half.squaredNorm() - half.x() * half.x(), half.squaredNorm() - half.y() * half.y(),
                          half.squaredNorm() - half.z() * half.z())
              .asDiagonal()
              .toDenseMatrix();
  const Robot robot = *Robot::from(design);
  for (int k = 0; k < 100; ++k) {
    const Pose pose = random.pose(robot, 0.3, 2);
    const Twist velocity = random.six(2), acceleration = random.six(5);
    Wrench sum = Wrench::Zero(), weights = Wrench::Zero();
    for (int corner = 0; corner < 8; ++corner) {
      const Eigen::Vector3d sign(corner & 1 ? 1 : -1, corner & 2 ? 1 : -1, corner & 4 ? 1 : -1);
      const Eigen::Vector3d arm = pose.linear() * (design.centre + sign.cwiseProduct(half));
      const Eigen::Vector3d spin = velocity.tail<3>(), spin_up = acceleration.tail<3>();
      const Eigen::Vector3d force = 0.25 * (acceleration.head<3>() + spin_up.cross(arm) + spin.cross(spin.cross(arm)));
      sum.head<3>() += force;
      sum.tail<3>() += arm.cross(force);
      weights.head<3>() += Eigen::Vector3d(0, 0, -0.25 * 9.81);
      weights.tail<3>() += arm.cross(Eigen::Vector3d(0, 0, -0.25 * 9.81));
    }
    CHECK((inertial_wrench(robot, pose, velocity, acceleration) - sum).norm() < 1e-12);
    CHECK((weight(robot, pose) - weights).norm() < 1e-12);
  }
}

TEST_CASE("conditioning is the ratio of singular values") {
  Random random(6);
  for (int k = 0; k < 100; ++k) {
    const Robot robot = random.robot(6 + k % 11);
    const Structure held = structure(robot, random.pose(robot, 0.3, 1));
    Eigen::MatrixXd even = held;
    even.bottomRows<3>() /= robot.scale();
    const Eigen::VectorXd values = Eigen::JacobiSVD<Eigen::MatrixXd>(even).singularValues();
    CHECK(std::abs(conditioning(robot, held) - values[5] / values[0]) < 1e-7);
  }
}

TEST_CASE("stretched and unstretched lengths are inverse") {
  CHECK(std::abs(stretched(unstretched(2, 100, 5e4), 100, 5e4) - 2) < 1e-15);
  CHECK(std::abs(unstretched(1.002, 100, 5e4) - 1) < 1e-15);
}

TEST_CASE("an aligned square platform is refused since no cable resists yaw") {
  for (const double crossed : {1.0, -1.0}) {
    Design design = default_design();
    for (Cable& cable : design.cables)
      cable.platform = {cable.frame.x() / 6, cable.frame.y() / 6, crossed * (cable.frame.z() - 0.3) / 8};
    const std::string why = refusal(design);
    CAPTURE(why);
    CHECK(tells(why, "rank 5 of 6"));
    CHECK(tells(why, "no cable resists yaw"));
    CHECK(tells(why, "meets the axis along z"));
  }
}

TEST_CASE("a layout that is singular at home alone is accepted") {
  Design design = default_design();  // the rings of points turned by opposite angles: rank 5 in the middle only
  for (Cable& cable : design.cables) {
    const double side = cable.frame.z() > 0.3 ? 1 : -1;
    const Eigen::Vector3d straight(cable.frame.x() / 6, cable.frame.y() / 6, -side * 0.04);
    cable.platform = Eigen::AngleAxisd(side * 0.5, Eigen::Vector3d::UnitZ()) * straight;
  }
  const auto robot = Robot::from(design);
  REQUIRE(robot.ok());
  CHECK(conditioning(*robot, structure(*robot, robot->home())) < 1e-6);
  CHECK(conditioning(*robot, structure(*robot, pose_from({0.05, 0.02, 0.33}, Eigen::Matrix3d::Identity()))) > 1e-3);
}

TEST_CASE("cables that hold one point or one axis are refused") {
  Design point = default_design();
  for (Cable& cable : point.cables) cable.platform.setZero();
  CHECK(tells(refusal(point), "no cable resists a turn"));
  Design rod = default_design();
  for (Cable& cable : rod.cables) cable.platform = {0, 0, cable.platform.z()};
  CHECK(tells(refusal(rod), "no cable resists yaw"));
  Design small = default_design();  // the frame once more, smaller: all cables point at the middle
  for (Cable& cable : small.cables) cable.platform = (cable.frame - small.home) / 6;
  const std::string why = refusal(small);
  CAPTURE(why);
  CHECK(tells(why, "rank 3 of 6"));
  CHECK(tells(why, "2 more motions"));
}

TEST_CASE("designs that cannot be are refused with the reason") {
  const double nan = std::numeric_limits<double>::quiet_NaN();
  Design design = default_design();
  design.cables.resize(5);
  CHECK(tells(refusal(design), "expected 6 to 16, got 5"));
  design.cables.resize(17);
  CHECK(tells(refusal(design), "expected 6 to 16, got 17"));
  design = default_design();
  design.cables[3].frame.x() = nan;
  CHECK(tells(refusal(design), "cable3, frame point"));
  design = default_design();
  design.cables[6].platform.y() = 1e7;
  CHECK(tells(refusal(design), "cable6, platform point"));
  design = default_design();
  design.cables[5] = design.cables[2];
  CHECK(tells(refusal(design), "cable2 and cable5: coincident"));
  design = default_design();
  design.cables[1].frame = design.home + design.cables[1].platform;
  CHECK(tells(refusal(design), "cable1: has no length at home"));
  design = default_design();
  design.mass = 0;
  CHECK(tells(refusal(design), "mass"));
  design.mass = nan;
  CHECK(tells(refusal(design), "mass"));
  design = default_design();
  design.inertia(0, 0) = -1;
  CHECK(tells(refusal(design), "inertia: expected three positive"));
  design.inertia = Eigen::Vector3d(1, 1, 3).asDiagonal();
  CHECK(tells(refusal(design), "impossible moments"));
  design.inertia(0, 1) = 0.5;
  CHECK(tells(refusal(design), "symmetric"));
  design = default_design();
  design.tension = {100, 2};
  CHECK(tells(refusal(design), "0 <= least < most"));
  design.tension = {-1, 2};
  CHECK(tells(refusal(design), "least -1"));
  design = default_design();
  design.stiffness = std::numeric_limits<double>::infinity();
  CHECK(tells(refusal(design), "stiffness"));
  design = default_design();
  design.size.z() = 0;
  CHECK(tells(refusal(design), "size"));
  design = default_design();
  design.home.x() = nan;
  CHECK(tells(refusal(design), "home"));
}

TEST_CASE("poses are read from seven numbers") {
  const auto pose = pose_from_numbers({0.1, 0.2, 0.3, 0, 0, 0.7071, 0.7071});
  REQUIRE(pose.ok());
  CHECK((pose->linear() * Eigen::Vector3d::UnitX() - Eigen::Vector3d::UnitY()).norm() < 1e-12);
  CHECK((pose->linear() * pose->linear().transpose() - Eigen::Matrix3d::Identity()).norm() < 1e-12);
  const auto long_one = pose_from_numbers({0, 0, 0, 0, 0, 0, 2});
  REQUIRE(!long_one.ok());
  CHECK(tells(long_one.error().text, "of length 2"));
  CHECK(!pose_from_numbers({0, 0, 0, 0, 0, 0, 0}).ok());
  const auto nan = pose_from_numbers({0, std::numeric_limits<double>::quiet_NaN(), 0, 0, 0, 0, 1});
  REQUIRE(!nan.ok());
  CHECK(tells(nan.error().text, "pose y: expected a finite number, got nan"));
}
