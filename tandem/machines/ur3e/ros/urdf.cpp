// SPDX-License-Identifier: Apache-2.0
#include "tandem/machines/ur3e/ros/urdf.hpp"

#include <fmt/format.h>

#include <Eigen/Geometry>

#include "tandem/machines/ur3e/description.hpp"

namespace tandem::ur3e {
namespace {

constexpr double pi = std::numbers::pi;

std::string origin(const Pose& pose) {
  const Eigen::Vector3d& p = pose.translation();
  const Eigen::Vector3d rpy = rpy_from_rotation(pose.linear());
  return fmt::format(R"(<origin xyz="{:.17g} {:.17g} {:.17g}" rpy="{:.17g} {:.17g} {:.17g}"/>)", p.x(), p.y(), p.z(),
                     rpy.x(), rpy.y(), rpy.z());
}

std::string inertial(const Inertia& inertia) {
  const Eigen::Matrix3d& t = inertia.tensor;
  return fmt::format(
      "    <inertial>{}<mass value=\"{}\"/><inertia ixx=\"{:.9g}\" ixy=\"{:.9g}\" ixz=\"{:.9g}\" iyy=\"{:.9g}\" "
      "iyz=\"{:.9g}\" izz=\"{:.9g}\"/></inertial>\n",
      origin(pose_from(inertia.centre, Eigen::Matrix3d::Identity())), inertia.mass, t(0, 0), t(0, 1), t(0, 2), t(1, 1),
      t(1, 2), t(2, 2));
}

std::string shape(const std::string& where, const std::string& geometry, std::string_view material) {
  return fmt::format(
      "    <visual>{0}<geometry>{1}</geometry><material name=\"{2}\"/></visual>\n"
      "    <collision>{0}<geometry>{1}</geometry></collision>\n",
      where, geometry, material);
}

// A cylinder as long as the capsule.
std::string shape(const Tube& tube) {
  const Eigen::Vector3d along = tube.to - tube.from;
  const Pose middle = pose_from((tube.from + tube.to) / 2, rotation_from_z(along));
  const std::string geometry =
      fmt::format("<cylinder radius=\"{}\" length=\"{:.9g}\"/>", tube.radius, along.norm() + tube.radius);
  return shape(origin(middle), geometry, tube.link == hand::link ? "dark" : "light");
}

// Links and joints with their names behind a prefix.
struct Parts {
  std::string_view prefix;

  std::string frame(std::string_view name) const;
  std::string link(std::string_view name, const Inertia& inertia) const;
  std::string fixed(std::string_view name, std::string_view parent, std::string_view child,
                    const Pose& X_parent_child) const;
  std::string arm_joint(std::size_t i) const;
  std::string finger(std::size_t side) const;
};

std::string Parts::frame(std::string_view name) const { return fmt::format("  <link name=\"{}{}\"/>\n", prefix, name); }

std::string Parts::link(std::string_view name, const Inertia& inertia) const {
  std::string text = fmt::format("  <link name=\"{}{}\">\n", prefix, name) + inertial(inertia);
  for (const Tube& tube : tubes())
    if (tube.link == name) text += shape(tube);
  return text + "  </link>\n";
}

std::string Parts::fixed(std::string_view name, std::string_view parent, std::string_view child,
                         const Pose& X_parent_child) const {
  return fmt::format(
      "  <joint name=\"{0}{1}\" type=\"fixed\">\n    <parent link=\"{0}{2}\"/><child link=\"{0}{3}\"/>\n    {4}\n  "
      "</joint>\n",
      prefix, name, parent, child, origin(X_parent_child));
}

std::string Parts::arm_joint(std::size_t i) const {
  const double most = i == 2 ? elbow_planning_limit : arm_model.highest[i];
  return fmt::format(
      "  <joint name=\"{0}{1}\" type=\"revolute\">\n    <parent link=\"{0}{2}\"/><child link=\"{0}{3}\"/>\n    {4}\n"
      "    <axis xyz=\"0 0 1\"/>\n    <limit lower=\"{5:.17g}\" upper=\"{6:.17g}\" effort=\"{7}\" "
      "velocity=\"{8:.17g}\"/>\n"
      "  </joint>\n",
      prefix, joint_names[i], i == 0 ? frames::base_link_inertia : link_names[i - 1], link_names[i],
      origin(link_frame(i)), -most, most, arm_model.torque[i], arm_model.speed[i]);
}

std::string Parts::finger(std::size_t side) const {
  const double away = side == 0 ? 1 : -1;
  const Pose middle = pose_from({away * hand::finger_thickness / 2, 0, (hand::finger_root + hand::reach) / 2},
                                Eigen::Matrix3d::Identity());
  const std::string box = fmt::format("<box size=\"{} {} {:.9g}\"/>", hand::finger_thickness, hand::finger_width,
                                      hand::reach - hand::finger_root);
  const Inertia inertia = {hand::finger_mass, middle.translation(), Eigen::Vector3d(1e-5, 1e-5, 3e-6).asDiagonal()};
  return fmt::format(
      "  <link name=\"{9}{0}\">\n{1}{2}  </link>\n"
      "  <joint name=\"{9}{3}\" type=\"prismatic\">\n    <parent link=\"{9}{4}\"/><child link=\"{9}{0}\"/>\n"
      "    <axis xyz=\"{5} 0 0\"/>\n    <limit lower=\"0\" upper=\"{6}\" effort=\"{7}\" velocity=\"{8}\"/>\n  "
      "</joint>\n",
      hand::finger_links[side], inertial(inertia), shape(origin(middle), box, "dark"), hand::finger_joints[side],
      hand::link, away, hand::finger_stroke, hand::most_force, hand::most_speed, prefix);
}

}  // namespace

std::string urdf(std::string_view prefix) {
  const Parts parts{prefix};
  std::string text =
      "<?xml version=\"1.0\"?>\n<robot name=\"ur3e\">\n"
      "  <material name=\"light\"><color rgba=\"0.75 0.78 0.82 1\"/></material>\n"
      "  <material name=\"dark\"><color rgba=\"0.2 0.22 0.25 1\"/></material>\n";
  text += parts.frame(frames::base_link) + parts.frame(frames::base) +
          parts.link(frames::base_link_inertia, base_inertia());
  for (std::size_t i = 0; i < 6; ++i) text += parts.link(link_names[i], link_inertia(i));
  text += parts.frame(frames::flange) + parts.frame(frames::tool0) + parts.link(hand::link, hand::inertia());
  text += parts.fixed("base_link-base_fixed_joint", frames::base_link, frames::base, turned(0, 0, pi));
  text += parts.fixed("base_link-base_link_inertia", frames::base_link, frames::base_link_inertia, turned(0, 0, pi));
  for (std::size_t i = 0; i < 6; ++i) text += parts.arm_joint(i);
  const Pose X_wrist_flange = turned(0, -pi / 2, -pi / 2);
  text += parts.fixed("wrist_3-flange", link_names[5], frames::flange, X_wrist_flange);
  text += parts.fixed("flange-tool0", frames::flange, frames::tool0, X_wrist_flange.inverse());
  text += parts.fixed("tool0-robotiq_hande_link", frames::tool0, hand::link, Pose::Identity());
  return text + parts.finger(0) + parts.finger(1) + "</robot>\n";
}

}  // namespace tandem::ur3e
