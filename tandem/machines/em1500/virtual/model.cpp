// SPDX-License-Identifier: Apache-2.0
#include "tandem/machines/em1500/virtual/model.hpp"

#include <fmt/format.h>

#include <Eigen/Geometry>
#include <algorithm>

namespace tandem::em1500 {
namespace {

// No data sheet gives masses: these are of a welded plate and of steel cylinders of that size.
constexpr double plate_mass = 600;     // kg
constexpr double plate_radius = 0.95;  // m
constexpr double cylinder_mass = 60;   // kg
constexpr double rod_mass = 25;        // kg
// What the drive itself weighs as seen along the rod (oil, spool or spindle). It keeps the servo stable
// at 2 ms with an empty plate: damping * timestep / (rod + drive + a sixth of the plate) stays below 2.
constexpr double drive_inertia = 100;  // kg

std::string vector_text(const Eigen::Vector3d& v) {
  return fmt::format("{:.17g} {:.17g} {:.17g}", v.x(), v.y(), v.z());
}

std::string pose_text(const Pose& pose) {
  const Eigen::Quaterniond q(pose.linear());
  return fmt::format(R"(pos="{}" quat="{:.17g} {:.17g} {:.17g} {:.17g}")", vector_text(pose.translation()), q.w(),
                     q.x(), q.y(), q.z());
}

// The plate is a disc, the payload a cube of 0.6 m on top of it.
std::string top_text(const Pose& home, double payload) {
  const double disc = plate_mass * plate_radius * plate_radius / 4;
  const double cube = payload * 0.6 * 0.6 / 6;
  const double mass = plate_mass + payload;
  const double height = 0.3 * payload / mass;
  const double apart = plate_mass * payload / mass * 0.3 * 0.3;
  return fmt::format(R"(
    <body name="top" {}>
      <freejoint name="top"/>
      <inertial pos="0 0 {}" mass="{}" diaginertia="{} {} {}"/>
    </body>)",
                     pose_text(home), height, mass, disc + cube + apart, disc + cube + apart, 2 * disc + cube);
}

std::string leg_text(int number, const Pose& frame, double length, double stroke, double settle) {
  return fmt::format(R"(
    <body name="cylinder_{0}" {1}>
      <joint name="sway_{0}" axis="1 0 0"/>
      <joint name="swing_{0}" axis="0 1 0"/>
      <inertial pos="0 0 0.4" mass="{2}" diaginertia="5 5 0.3"/>
      <body name="rod_{0}" pos="0 0 {3:.17g}">
        <joint name="leg_{0}" type="slide" axis="0 0 1" limited="true" range="{4} {5}" armature="{6}"
               solreflimit="{7} 1" solimplimit="0.99 0.999 0.001"/>
        <inertial pos="0 0 -0.4" mass="{8}" diaginertia="2 2 0.05"/>
      </body>
    </body>)",
                     number, pose_text(frame), cylinder_mass, length, -stroke, stroke, drive_inertia, settle, rod_mass);
}

}  // namespace

Pose leg_frame(const stewart::Geometry& geometry, const Pose& home, int leg) {
  const auto i = static_cast<std::size_t>(leg);
  const Eigen::Vector3d along = home * geometry.top[i] - geometry.base[i];
  return pose_from(geometry.base[i], rotation_from_z(along));
}

std::string mjcf(const stewart::Geometry& geometry, const Pose& home, double stroke, const ModelOptions& options) {
  // Constraints settle within two steps, the least that MuJoCo allows, and never faster than the servo needs.
  const double settle = std::max(0.004, 2 * options.timestep);
  // Euler, not implicit: with stiff servos MuJoCo's implicit step leaves the constraints behind
  // (70 mm open loops measured at 2 ms), Euler keeps them within 0.05 mm and takes a third of the time.
  std::string text = fmt::format(R"(<mujoco model="em1500">
  <option timestep="{}" integrator="Euler" solver="Newton"/>
  <size nstack="200000" njmax="60" nconmax="10"/>
  <worldbody>)",
                                 options.timestep);
  text += top_text(home, options.payload);
  std::string connects;
  std::string drives;
  for (int leg = 0; leg < 6; ++leg) {
    const auto i = static_cast<std::size_t>(leg);
    const double length = (home * geometry.top[i] - geometry.base[i]).norm();
    text += leg_text(leg + 1, leg_frame(geometry, home, leg), length, stroke, settle);
    connects += fmt::format(R"(
    <connect body1="rod_{}" body2="top" anchor="0 0 0" solref="{} 1" solimp="0.999 0.9999 0.001"/>)",
                            leg + 1, settle);
    drives += fmt::format(R"(
    <general name="drive_{0}" joint="leg_{0}" gainprm="{1}" biastype="affine" biasprm="0 {2} {3}"
             forcelimited="true" forcerange="{4} {5}"/>)",
                          leg + 1, leg_stiffness, -leg_stiffness, -leg_damping, -leg_force, leg_force);
  }
  return fmt::format("{}\n  </worldbody>\n  <equality>{}\n  </equality>\n  <actuator>{}\n  </actuator>\n</mujoco>\n",
                     text, connects, drives);
}

}  // namespace tandem::em1500
