// SPDX-License-Identifier: Apache-2.0
#include "tandem/machines/ur3e/ros/urdf.hpp"

#include <doctest/doctest.h>

#include <map>
#include <sstream>
#include <string>
#include <vector>

#include "tandem/base/transforms.hpp"
#include "tandem/machines/ur3e/description.hpp"
#include "tests/machines/ur3e/control/published_arm.hpp"

namespace ur3e = tandem::ur3e;
using tandem::Pose;

namespace {

struct Joint {
  std::string name, type, parent;
  Pose origin = Pose::Identity();
  Eigen::Vector3d axis = Eigen::Vector3d::UnitX();
  double upper = 0, effort = 0, velocity = 0;
};

// The value of an attribute of the first element of that kind; empty when there is none.
std::string attribute(const std::string& text, const std::string& element, const std::string& name) {
  const auto start = text.find("<" + element + " ");
  if (start == std::string::npos) return {};
  const auto end = text.find('>', start);
  const auto at = text.find(" " + name + "=\"", start);
  if (at == std::string::npos || at > end) return {};
  const auto from = at + name.size() + 3;
  return text.substr(from, text.find('"', from) - from);
}

Eigen::Vector3d three(const std::string& text) {
  std::istringstream in(text);
  Eigen::Vector3d v = Eigen::Vector3d::Zero();
  in >> v.x() >> v.y() >> v.z();
  return v;
}

// Every joint by the link it carries.
std::map<std::string, Joint> joints_of(const std::string& text) {
  std::map<std::string, Joint> all;
  for (auto at = text.find("<joint "); at != std::string::npos; at = text.find("<joint ", at + 1)) {
    const std::string one = text.substr(at, text.find("</joint>", at) - at);
    Joint joint{attribute(one, "joint", "name"), attribute(one, "joint", "type"), attribute(one, "parent", "link")};
    const Eigen::Vector3d rpy = three(attribute(one, "origin", "rpy"));
    joint.origin = tandem::pose_from(
        three(attribute(one, "origin", "xyz")),
        (Eigen::AngleAxisd(rpy.z(), Eigen::Vector3d::UnitZ()) * Eigen::AngleAxisd(rpy.y(), Eigen::Vector3d::UnitY()) *
         Eigen::AngleAxisd(rpy.x(), Eigen::Vector3d::UnitX()))
            .toRotationMatrix());
    if (joint.type != "fixed") {
      joint.axis = three(attribute(one, "axis", "xyz"));
      joint.upper = std::stod(attribute(one, "limit", "upper"));
      joint.effort = std::stod(attribute(one, "limit", "effort"));
      joint.velocity = std::stod(attribute(one, "limit", "velocity"));
    }
    CHECK(all.emplace(attribute(one, "child", "link"), joint).second);
  }
  return all;
}

Pose X_root_link(const std::map<std::string, Joint>& joints, const std::map<std::string, double>& angles,
                 std::string link) {
  Pose pose = Pose::Identity();
  for (auto at = joints.find(link); at != joints.end(); at = joints.find(link)) {
    const Joint& joint = at->second;
    Pose moved = Pose::Identity();
    if (joint.type == "revolute") moved.rotate(Eigen::AngleAxisd(angles.at(joint.name), joint.axis));
    pose = joint.origin * moved * pose;
    link = joint.parent;
  }
  CHECK(link == "base_link");
  return pose;
}

}  // namespace

TEST_CASE("the URDF's chain ends where the published forward kinematics does") {
  const auto joints = joints_of(ur3e::urdf());
  const std::vector<ur3e::Joints> poses = {ur3e::Joints::Zero(), ur3e::home(),
                                           ur3e::Joints(1.19, -1.13, 1.05, -1.60, -1.52, 1.05),
                                           ur3e::Joints(-2.0, 0.3, -1.7, 2.2, 0.9, -3.0)};
  for (const ur3e::Joints& q : poses) {
    std::map<std::string, double> angles;
    for (std::size_t i = 0; i < 6; ++i) angles[std::string(ur3e::joint_names[i])] = q[static_cast<int>(i)];
    // base_link is the controller's base turned by half a turn: x and y change sign.
    const Eigen::Matrix4d half = Eigen::Vector4d(-1, -1, 1, 1).asDiagonal();
    const Eigen::Matrix4d expected = half * published::tool(q);
    const Pose tool = X_root_link(joints, angles, "tool0");
    CHECK((tool.matrix() - expected).cwiseAbs().maxCoeff() < 1e-12);
    const Pose base = X_root_link(joints, angles, "base");
    CHECK((base.matrix() - half).cwiseAbs().maxCoeff() < 1e-12);
    // ROS-Industrial's flange has x where tool0 has z.
    const Pose flange = X_root_link(joints, angles, "flange");
    CHECK((flange.linear().col(0) - tool.linear().col(2)).norm() < 1e-12);
    CHECK((flange.translation() - tool.translation()).norm() < 1e-12);
  }
}

TEST_CASE("a prefix stands before every link and joint of the URDF and changes nothing else") {
  const std::string plain = ur3e::urdf();
  std::string text = ur3e::urdf("left_");
  const auto joints = joints_of(text);
  CHECK(joints.size() == 6 + 5 + 2);
  CHECK(joints.at("left_forearm_link").name == "left_elbow_joint");
  CHECK(joints.at("left_forearm_link").parent == "left_upper_arm_link");
  std::size_t taken = 0;
  for (auto at = text.find("\"left_"); at != std::string::npos; at = text.find("\"left_", at + 1)) {
    text.erase(at + 1, 5);
    ++taken;
  }
  CHECK(text == plain);
  CHECK(taken == (joints.size() + 1) + 3 * joints.size());
}

TEST_CASE("the URDF names every joint with its limits and every link is reached") {
  const std::string text = ur3e::urdf();
  const auto joints = joints_of(text);
  CHECK(joints.size() == 6 + 5 + 2);
  CHECK(joints.at("upper_arm_link").name == "shoulder_lift_joint");
  CHECK(joints.at("upper_arm_link").upper == doctest::Approx(2 * std::numbers::pi));
  CHECK(joints.at("upper_arm_link").effort == doctest::Approx(54));
  CHECK(joints.at("forearm_link").upper == doctest::Approx(std::numbers::pi));
  CHECK(joints.at("wrist_1_link").velocity == doctest::Approx(2 * std::numbers::pi));
  CHECK(joints.at("robotiq_hande_left_finger").name == "robotiq_hande_left_finger_joint");
  CHECK(joints.at("robotiq_hande_left_finger").upper == doctest::Approx(0.025));
  CHECK((joints.at("robotiq_hande_left_finger").axis + joints.at("robotiq_hande_right_finger").axis).norm() == 0);
  std::size_t links = 0;
  for (auto at = text.find("<link name"); at != std::string::npos; at = text.find("<link name", at + 1)) {
    ++links;
    const std::string name = attribute(text.substr(at), "link", "name");
    CAPTURE(name);
    CHECK((name == "base_link" || joints.count(name) == 1));
  }
  CHECK(links == joints.size() + 1);
  CHECK(attribute(text.substr(text.find("<link name=\"forearm_link\"")), "mass", "value") == "1.437");
}
