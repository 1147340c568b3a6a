// SPDX-License-Identifier: Apache-2.0
#include "tandem/machines/ur3e/virtual/model.hpp"

#include <fmt/format.h>

#include <Eigen/Geometry>
#include <span>

#include "tandem/machines/ur3e/description.hpp"

namespace tandem::ur3e {
namespace {

std::string attribute(const Eigen::Vector3d& v) { return fmt::format("{:.17g} {:.17g} {:.17g}", v.x(), v.y(), v.z()); }

std::string attribute(const Pose& pose) {
  const Eigen::Quaterniond q(pose.linear());
  return fmt::format(R"(pos="{}" quat="{:.17g} {:.17g} {:.17g} {:.17g}")",
                     attribute(Eigen::Vector3d(pose.translation())), q.w(), q.x(), q.y(), q.z());
}

std::string attribute(const Inertia& inertia) {
  const Eigen::Matrix3d& t = inertia.tensor;
  return fmt::format(R"(<inertial pos="{}" mass="{}" fullinertia="{:.9g} {:.9g} {:.9g} {:.9g} {:.9g} {:.9g}"/>)",
                     attribute(inertia.centre), inertia.mass, t(0, 0), t(1, 1), t(2, 2), t(0, 1), t(0, 2), t(1, 2));
}

std::string shapes(std::string_view link) {
  std::string all;
  for (const Tube& tube : tubes())
    if (tube.link == link)
      all += fmt::format("\n<geom type=\"capsule\" fromto=\"{} {}\" size=\"{}\"/>", attribute(tube.from),
                         attribute(tube.to), tube.radius);
  return all;
}

// Its pad's inner face is at x = 0 of its frame, on the side of the other finger.
std::string finger(std::size_t side) {
  const double away = side == 0 ? 1 : -1;
  const double height = hand::reach - hand::finger_root;
  const Eigen::Vector3d centre(away * hand::finger_thickness / 2, 0, (hand::reach + hand::finger_root) / 2);
  return fmt::format(R"(
<body name="{}">
  <joint name="{}" type="slide" axis="{} 0 0" limited="true" range="0 {}" armature="{}" damping="{}"/>
  <inertial pos="{}" mass="{}" diaginertia="1e-5 1e-5 3e-6"/>
  <geom type="box" pos="{}" size="{} {} {}" condim="4" friction="1.0 0.01 0.0001"/>
</body>)",
                     hand::finger_links[side], hand::finger_joints[side], away, hand::finger_stroke,
                     finger_drive_inertia, finger_damping, attribute(centre), hand::finger_mass, attribute(centre),
                     hand::finger_thickness / 2, hand::finger_width / 2, height / 2);
}

std::string hand_text(bool gripper) {
  // What is measured at the flange needs a body there.
  if (!gripper)
    return fmt::format(
        "\n<body name=\"{}\"><inertial pos=\"0 0 0\" mass=\"{}\" diaginertia=\"1e-6 1e-6 1e-6\"/>"
        "<site name=\"flange\"/></body>",
        hand::link, bare_flange_mass);
  return fmt::format("\n<body name=\"{}\">\n{}{}{}{}\n<site name=\"flange\"/>\n</body>", hand::link,
                     attribute(hand::inertia()), shapes(hand::link), finger(0), finger(1));
}

std::string limb(std::size_t link, bool gripper) {
  const bool last = link + 1 == link_names.size();
  return fmt::format(R"(
<body name="{}" {}>
  <joint name="{}" axis="0 0 1" limited="true" range="{:.17g} {:.17g}" armature="{}" damping="{}"/>
  {}{}{}
</body>)",
                     link_names[link], attribute(link_frame(link)), joint_names[link], arm_model.lowest[link],
                     arm_model.highest[link], rotor_inertia[link], joint_damping[link], attribute(link_inertia(link)),
                     shapes(link_names[link]),
                     last ? "\n<site name=\"tool0\"/>" + hand_text(gripper) : limb(link + 1, gripper));
}

std::string scene(Surroundings surroundings) {
  constexpr double thickness = 0.04;
  if (surroundings == Surroundings::empty) return {};
  std::string all = fmt::format(R"(
<body name="ground" pos="0 0 {}"><geom type="plane" size="5 5 0.1"/></body>
<body name="table" pos="0 0 {}"><geom type="box" size="{} {} {}"/></body>)",
                                -table_height, -thickness / 2, table_side / 2, table_side / 2, thickness / 2);
  for (std::size_t i = 0; surroundings == Surroundings::cubes && i < cube_names.size(); ++i)
    all += fmt::format(
        "\n<body name=\"{0}\" pos=\"{1}\"><freejoint name=\"{0}\"/><geom type=\"box\" size=\"{2} {2} {2}\" "
        "mass=\"{3}\"/></body>",
        cube_names[i], attribute(cube_start(i)), cube_side / 2, cube_mass);
  return all;
}

// Neighbours touch by construction. Parent and child are left out by MuJoCo itself, except where the parent is
// still.
std::string exclusions(bool gripper) {
  constexpr std::array<std::array<std::string_view, 2>, 7> pairs = {{{frames::base_link_inertia, link_names[0]},
                                                                     {frames::base_link_inertia, link_names[1]},
                                                                     {link_names[3], link_names[5]},
                                                                     {link_names[4], hand::link},
                                                                     {link_names[5], hand::finger_links[0]},
                                                                     {link_names[5], hand::finger_links[1]},
                                                                     {hand::finger_links[0], hand::finger_links[1]}}};
  std::string all;
  // The last three are of the fingers.
  for (const auto& pair : std::span(pairs).first(gripper ? pairs.size() : pairs.size() - 3))
    all += fmt::format("\n<exclude body1=\"{}\" body2=\"{}\"/>", pair[0], pair[1]);
  return all;
}

// Both fingers move alike.
std::string coupling(bool gripper) {
  if (!gripper) return {};
  return fmt::format("<equality><joint joint1=\"{}\" joint2=\"{}\" polycoef=\"0 1 0 0 0\"/></equality>\n",
                     hand::finger_joints[0], hand::finger_joints[1]);
}

std::string motors(bool gripper) {
  std::string all;
  for (const std::string_view joint : joint_names) all += fmt::format("\n<motor name=\"{0}\" joint=\"{0}\"/>", joint);
  if (!gripper) return all;
  for (const std::string_view joint : hand::finger_joints)
    all += fmt::format("\n<motor name=\"{0}\" joint=\"{0}\"/>", joint);
  return all;
}

}  // namespace

Eigen::Vector3d cube_start(std::size_t cube) {
  return {-0.10 + 0.15 * static_cast<double>(cube), -0.30, cube_side / 2};
}

std::string mjcf(const ModelOptions& options) {
  // Elliptic cones and a high impratio keep a gripped cube from creeping; Euler, because the motors are ours and
  // explicit.
  return fmt::format(R"(<mujoco model="ur3e">
<compiler angle="radian"/>
<option timestep="{}" gravity="0 0 {}" integrator="Euler" solver="Newton" cone="elliptic" impratio="10"/>
<size nstack="300000" njmax="400" nconmax="100"/>
<default><geom friction="0.8 0.005 0.0001" solref="{} 1" solimp="0.99 0.997 0.001"/></default>
<worldbody>{}
<body name="{}">
{}{}{}
</body>
</worldbody>
<contact>{}
</contact>
{}<actuator>{}
</actuator>
<sensor>
<force name="flange_force" site="flange"/>
<torque name="flange_torque" site="flange"/>
<accelerometer name="tool_acceleration" site="tool0"/>
</sensor>
</mujoco>
)",
                     options.timestep, -gravity, 2.5 * options.timestep, scene(options.surroundings),
                     frames::base_link_inertia, attribute(base_inertia()), shapes(frames::base_link_inertia),
                     limb(0, options.gripper), exclusions(options.gripper), coupling(options.gripper),
                     motors(options.gripper));
}

}  // namespace tandem::ur3e
