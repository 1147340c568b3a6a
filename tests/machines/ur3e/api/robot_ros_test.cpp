// SPDX-License-Identifier: Apache-2.0
// The API over a ROS 2 joint-trajectory controller, on loopback: a stand-in that follows its goals point by point.
#include <doctest/doctest.h>

#include <thread>

#include "tandem/machines/ur3e/api/robot.hpp"
#include "tests/machines/ur3e/device/stand_in.hpp"
#include "tests/ros2/loopback.hpp"

using namespace tandem;
using namespace tandem::ur3e;
using ros2::eventually;

namespace {

struct Pair {
  explicit Pair(GripperKind kind = GripperKind::gripper_command) : controller(options, kind) {
    RobotOptions ros;
    ros.device = "ros2:/joint_trajectory_controller";
    ros.ros = &context;
    ros.connect_within = 30s;
    auto opened = Robot::open(ros);
    REQUIRE_MESSAGE(opened.ok(), (opened ? "" : opened.error().text));
    robot = std::move(*opened);
  }

  ros2::ContextOptions options = ros2::loopback_options();
  StandIn controller;
  ros2::Context context{options};
  std::unique_ptr<Robot> robot;
};

}  // namespace

TEST_CASE("movej drives a ROS controller and joints are matched by name") {
  Pair pair;
  const auto from = pair.robot->actual_joint_positions();
  REQUIRE(from);
  CHECK(from->j2 == doctest::Approx(-1.57));
  const Joint6D to = *from + Joint6D{0.3, 0.1, 0, 0, 0, 0};
  const auto reached = pair.robot->movej(to, 5, 2);
  REQUIRE_MESSAGE(reached.ok(), (reached ? "" : reached.error().text));
  CHECK(*reached);
  CHECK(pair.robot->actual_joint_positions()->j1 == doctest::Approx(0.3).epsilon(0.01));
  CHECK(eventually([&] { return *pair.robot->is_steady(); }));
}

TEST_CASE("movel over ROS is a straight line of way-points") {
  Pair pair;
  const TCP6D from = *pair.robot->actual_tcp_pose();
  TCP6D to = from;
  to.z += 0.05;
  to.y += 0.03;
  const auto reached = pair.robot->movel(to, 1.2, 0.2);
  REQUIRE_MESSAGE(reached.ok(), (reached ? "" : reached.error().text));
  const std::lock_guard lock(pair.controller.mutex());
  REQUIRE(pair.controller.trajectories.size() == 1);
  const auto& points = pair.controller.trajectories[0].points;
  REQUIRE(points.size() > 10);
  const Eigen::Vector3d a = from.pose().translation();
  const Eigen::Vector3d along = (to.pose().translation() - a).normalized();
  for (const auto& point : points) {
    const kinematics::ur::Joints q(point.positions.data());
    const Eigen::Vector3d way = kinematics::ur::forward(arm_model, q).translation() - a;
    CHECK((way - along * along.dot(way)).norm() < 1e-6);
  }
}

TEST_CASE("A stop over ROS replaces the goal and the move says that it was not reached") {
  Pair pair;
  const auto from = *pair.robot->actual_joint_positions();
  std::optional<bool> reached;
  std::thread mover([&] {
    const auto there = pair.robot->movej(from + Joint6D{2}, 1, 0.3);
    if (there) reached = *there;
  });
  CHECK(eventually([&] { return pair.robot->actual_joint_positions()->j1 > 0.05; }));
  CHECK(pair.robot->stopj().ok());
  mover.join();
  REQUIRE(reached);
  CHECK(!*reached);
}

TEST_CASE("What a ROS controller reports as failure fails the move in its words") {
  Pair pair;
  pair.controller.fails = true;
  const auto failed = pair.robot->movej(*pair.robot->actual_joint_positions() + Joint6D{1}, 1, 0.5);
  REQUIRE(!failed);
  CHECK(failed.error().text.find("left its path") != std::string::npos);
  CHECK(!pair.robot->freedrive_mode());
  CHECK(pair.robot->freedrive_mode().error().text.find("not supported by a ROS 2 trajectory controller") !=
        std::string::npos);
}

TEST_CASE("Joint states that stay away disarm until reset and arm") {
  Pair pair;
  pair.controller.silent = true;
  CHECK(eventually([&] { return !pair.robot->status().armed; }));
  CHECK(!pair.robot->movej(Joint6D{}));
  pair.controller.silent = false;
  CHECK(eventually([&] { return pair.robot->status().live; }));
  CHECK(!pair.robot->status().armed);
  CHECK(!pair.robot->arm());
  CHECK(pair.robot->reset_error().ok());
  CHECK(pair.robot->arm().ok());
  CHECK(pair.robot->movej(*pair.robot->actual_joint_positions() + Joint6D{0.1}, 5, 2).ok());
}

TEST_CASE("Joint states that stay away during a move end it at the controller too") {
  Pair pair;
  const Joint6D from = *pair.robot->actual_joint_positions();
  Result<bool> moved = false;
  std::thread mover([&] { moved = pair.robot->movej(from + Joint6D{2}, 1, 0.2); });
  CHECK(eventually([&] { return pair.robot->actual_joint_positions()->j1 > 0.05; }));
  pair.controller.silent = true;
  CHECK(eventually([&] { return pair.controller.canceled.load(); }));
  mover.join();
  CHECK(!moved.ok());
  CHECK(!pair.robot->status().armed);
}

TEST_CASE("A goal that a ROS controller accepts too late is canceled") {
  Pair pair;
  const Joint6D from = *pair.robot->actual_joint_positions();
  pair.controller.hangs = true;
  CHECK(!pair.robot->movej(from + Joint6D{2}, 1, 0.1).ok());
  pair.controller.hangs = false;
  CHECK(eventually([&] { return pair.controller.canceled.load(); }));
}

TEST_CASE("A goal that a ROS controller accepts after disarm is canceled") {
  Pair pair;
  const Joint6D from = *pair.robot->actual_joint_positions();
  pair.controller.hangs = true;
  Result<bool> moved = true;
  std::thread mover([&] { moved = pair.robot->movej(from + Joint6D{2}, 1, 0.1); });
  CHECK(eventually([&] { return pair.controller.asked.load(); }));
  CHECK(pair.robot->disarm(20ms).ok());
  CHECK(!pair.robot->status().armed);
  pair.controller.hangs = false;
  mover.join();
  CHECK(!moved.ok());
  CHECK(eventually([&] { return pair.controller.canceled.load(); }));
}

TEST_CASE("A goal that goes on because a ROS controller refused the next ends with disarm") {
  Pair pair;
  const Joint6D from = *pair.robot->actual_joint_positions();
  Result<bool> moved = true;
  std::thread mover([&] { moved = pair.robot->movej(from + Joint6D{2}, 1, 0.1); });
  CHECK(eventually([&] { return pair.robot->actual_joint_positions()->j1 > 0.02; }));
  pair.controller.refuses = true;
  CHECK(!pair.robot->movej(from, 1, 0.1).ok());
  CHECK(pair.robot->disarm().ok());
  CHECK(eventually([&] { return pair.controller.canceled.load(); }));
  mover.join();
  CHECK((!moved.ok() || !*moved));
}

TEST_CASE("A stream of targets that has no subscriber on ROS is refused") {
  Pair pair;
  const auto served = pair.robot->servoj(*pair.robot->actual_joint_positions());
  REQUIRE(!served);
  CHECK(served.error().text.find("/joint_trajectory_controller/joint_trajectory") != std::string::npos);
}

TEST_CASE("The gripper over ROS drives both fingers") {
  GripperKind kind = GripperKind::gripper_command;
  SUBCASE("GripperCommand") {}
  SUBCASE("ParallelGripperCommand") { kind = GripperKind::parallel_gripper_command; }
  Pair pair(kind);
  Gripper& gripper = *pair.robot->gripper();
  REQUIRE(gripper.activate(20s).ok());
  CHECK(*gripper.move(255));
  CHECK(eventually([&] { return gripper.position().ok() && *gripper.position() >= 250; }));
  {
    const std::lock_guard lock(pair.controller.mutex());
    CHECK(pair.controller.arm.fingers[0] == doctest::Approx(0));
    CHECK(pair.controller.arm.fingers[1] == doctest::Approx(0));
  }
  CHECK(*gripper.open());
  CHECK(eventually([&] { return *gripper.estimated_position_mm() > 38; }));
}

TEST_CASE("A controller that is not there is named") {
  ros2::Context context{ros2::loopback_options()};
  RobotOptions ros;
  ros.device = "ros2:/no_such_controller";
  ros.ros = &context;
  ros.connect_within = 300ms;
  const auto opened = Robot::open(ros);
  REQUIRE(!opened);
  CHECK(opened.error().text.find("/no_such_controller") != std::string::npos);
  ros.device = "ros2:";
  CHECK(!Robot::open(ros));
}
