// SPDX-License-Identifier: Apache-2.0
// Messages of the cable robot: what is told, what is drawn, and what is refused.
#include <doctest/doctest.h>

#include <cmath>
#include <limits>

#include "tandem/machines/cable_robot/ros/markers.hpp"
#include "tests/allocations.hpp"

using namespace tandem;
using namespace tandem::cable_robot;
using ros2::sensor_msgs::JointState;
using ros2::visualization_msgs::Marker;

namespace {

constexpr double none = std::numeric_limits<double>::quiet_NaN();

ros2::geometry_msgs::Pose level(double x, double y, double z) {
  ros2::geometry_msgs::Pose pose;
  pose.position = {x, y, z};
  pose.orientation = {0, 0, 0, 1};
  return pose;
}

JointState eight() {
  JointState message;
  for (int i = 0; i < 8; ++i) {
    message.name.push_back("cable" + std::to_string(i));
    message.effort.push_back(10 + i);
  }
  return message;
}

std::string refusal(const JointState& message) {
  const auto tensions = tensions_from(message, 8);
  return tensions ? "" : tensions.error().text;
}

State hanging() {
  State state;
  state.cables = 8;
  state.pose = {0.01, 0.02, 0.3, 0, 0, 0, 1};
  state.pose_known = true;
  for (std::size_t i = 0; i < 8; ++i) {
    state.lengths[i] = 0.4 + 0.01 * static_cast<double>(i);
    state.tensions[i] = 51;
  }
  state.tensions[0] = 2;
  state.tensions[1] = 100;
  state.quality = Quality::live;
  return state;
}

}  // namespace

TEST_CASE("a pose is taken and one that is none is refused by name") {
  const auto pose = pose_numbers_from(level(0.1, 0.2, 0.3));
  REQUIRE(pose);
  CHECK((*pose)[0] == 0.1);
  CHECK((*pose)[6] == 1);
  CHECK_FALSE(pose_numbers_from(level(none, 0, 0)));
  CHECK_FALSE(pose_numbers_from(level(0, std::numeric_limits<double>::infinity(), 0)));
  auto message = level(0, 0, 0.3);
  message.orientation.w = 0.9;
  CHECK_FALSE(pose_numbers_from(message));
  message.orientation = {0, 0, 0, 0};
  CHECK_FALSE(pose_numbers_from(message));
  CHECK(frame_trouble("", "world").empty());
  CHECK(frame_trouble("world", "world").empty());
  CHECK(frame_trouble("map", "world") == "frame_id: expected 'world', got 'map'");
}

TEST_CASE("tensions are taken by name in any order or without names") {
  JointState message = eight();
  std::swap(message.name[0], message.name[7]);
  const auto tensions = tensions_from(message, 8);
  REQUIRE(tensions);
  CHECK((*tensions)[7] == 10);
  CHECK((*tensions)[0] == 17);
  message.name.clear();
  CHECK((*tensions_from(message, 8))[0] == 10);
}

TEST_CASE("tensions that cannot be are refused with a reason") {
  JointState message = eight();
  message.name[1] = "rope1";
  CHECK(refusal(message) == "name: unknown cable 'rope1'");
  message = eight();
  message.name[1] = "cable8";
  CHECK(refusal(message) == "name: unknown cable 'cable8'");
  message = eight();
  message.name[1] = message.name[0];
  CHECK(refusal(message) == "name: 'cable0' appears twice");
  message = eight();
  message.effort.pop_back();
  CHECK(refusal(message) == "effort: expected 8 tensions, got 7");
  message = eight();
  message.name.pop_back();
  CHECK(refusal(message) == "name: expected 8 cables, or none, got 7");
  message = eight();
  message.effort[3] = none;
  CHECK(refusal(message).find("effort of cable3") == 0);
  message.effort[3] = -1;
  CHECK(refusal(message).find("effort of cable3") == 0);
}

TEST_CASE("feed-forward that is no number is refused") {
  ros2::geometry_msgs::Twist twist;
  twist.linear.y = 0.2;
  twist.angular.z = -0.3;
  const auto six = six_from(twist);
  REQUIRE(six);
  CHECK((*six)[1] == 0.2);
  CHECK((*six)[5] == -0.3);
  twist.angular.x = none;
  CHECK(six_from(twist).error().text.find("angular.x") == 0);
}

TEST_CASE("a state becomes joints with lengths speeds and tensions") {
  JointState message;
  fill(message, hanging(), {5, 6});
  REQUIRE(message.name.size() == 8);
  CHECK(message.name[7] == "cable7");
  CHECK(message.position[7] == doctest::Approx(0.47));
  CHECK(message.effort[1] == 100);
  CHECK(message.velocity.size() == 8);
  CHECK(message.header.stamp.sec == 5);
}

TEST_CASE("markers show frame and platform and cables by their tension and dash what is slack") {
  Markers markers(cables::Robot::standard(), "world");
  State state = hanging();
  state.slack = 1;
  const auto& shapes = markers.update(state, {1, 2}).markers;
  REQUIRE(shapes.size() == Markers::shape_count);
  for (std::size_t i = 0; i < shapes.size(); ++i) {
    CHECK(shapes[i].id == static_cast<int>(i));
    CHECK(shapes[i].header.frame_id == "world");
    CHECK(shapes[i].header.stamp.sec == 1);
  }
  CHECK(shapes[Markers::frame_edges].points.size() == 24);
  CHECK(shapes[Markers::anchors].points.size() == 8);
  CHECK(shapes[Markers::platform].type == Marker::CUBE);
  CHECK(shapes[Markers::platform].pose.position.z == 0.3);
  const Marker& lines = shapes[Markers::cable_lines];
  CHECK(lines.type == Marker::LINE_LIST);
  REQUIRE(lines.points.size() == 8 * 2 * Markers::dashes);
  REQUIRE(lines.colors.size() == lines.points.size());
  CHECK(lines.colors[0].b == 1);                    // the least tension is blue
  CHECK(lines.colors[2 * Markers::dashes].r == 1);  // the most is red
  CHECK(lines.colors[4 * Markers::dashes].g == 1);  // the middle is green
  CHECK(lines.points[1] != lines.points[2]);        // dashed
  const std::size_t taut = 2 * Markers::dashes;
  CHECK(std::abs(lines.points[taut + 1].x - lines.points[taut + 2].x) < 1e-12);  // in one piece
  // The whole cable runs from its anchor to its point on the platform.
  const cables::Robot& robot = cables::Robot::standard();
  const Eigen::Vector3d end = pose_of(state.pose) * robot.cable(1).platform;
  CHECK(lines.points[taut].x == doctest::Approx(robot.cable(1).frame.x()));
  CHECK(lines.points[2 * taut - 1].z == doctest::Approx(end.z()));
  CHECK(shapes[Markers::desired].action == Marker::DELETE);
  CHECK(shapes[Markers::words].text.find("1 slack") != std::string::npos);
  state.has_target = true;
  CHECK(markers.update(state, {}).markers[Markers::desired].action == Marker::ADD);
}

TEST_CASE("filling warm messages allocates nothing") {
  Markers markers(cables::Robot::standard(), "world");
  JointState joints;
  const State state = hanging();
  fill(joints, state, {});
  (void)markers.update(state, {});
  const std::size_t before = allocations;
  for (int i = 0; i < 10; ++i) {
    fill(joints, state, {});
    (void)markers.update(state, {});
  }
  CHECK(allocations == before);
}

TEST_CASE("diagnostics tell why a robot is stopped") {
  State state = hanging();
  CHECK(diagnosis(state, "part", "hardware").level == ros2::diagnostic_msgs::DiagnosticStatus::OK);
  state.slack = 4;
  CHECK(diagnosis(state, "part", "hardware").level == ros2::diagnostic_msgs::DiagnosticStatus::WARN);
  state.finding = Finding::stuck;
  state.activity = Activity::stopped;
  state.stopped = "winch 3: stuck";
  const auto status = diagnosis(state, "part", "hardware");
  CHECK(status.level == ros2::diagnostic_msgs::DiagnosticStatus::ERROR);
  CHECK(status.message == "stopped: winch 3: stuck");
  state.quality = Quality::stale;
  CHECK(diagnosis(state, "part", "hardware").level == ros2::diagnostic_msgs::DiagnosticStatus::STALE);
}
