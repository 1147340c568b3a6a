// SPDX-License-Identifier: Apache-2.0
#include "tandem/machines/raptorlift/virtual/model.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace tandem::raptorlift {
namespace {

constexpr double load_reach = 0.85;    // m, the load's middle in front of base_link: on the fork, before the chassis
constexpr double load_height = 0.30;   // m above the ground
constexpr double load_edge = 0.40;     // m, of a cube
constexpr double free_damping = 0.02;  // N m s/rad, bearings of the rear wheels

// kg m^2, of a wheel as a disc: about its axle, and about an upright axis.
double spin_inertia(double radius) { return body::wheel_mass * radius * radius / 2; }
double turn_inertia(double radius) {
  return body::wheel_mass * (3 * radius * radius + body::wheel_width * body::wheel_width) / 12;
}

std::string chassis_text(double height, double friction) {
  const auto [x, y, z] = body::chassis;
  const double m = body::chassis_mass;
  return fmt::format(R"(
      <inertial pos="0 0 {0}" mass="{1}" diaginertia="{2} {3} {4}"/>
      <geom type="box" pos="0 0 {0}" size="{5} {6} {7}" friction="{8} 0.005 0.0001"/>)",
                     height, m, m * (y * y + z * z) / 12, m * (x * x + z * z) / 12, m * (x * x + y * y) / 12, x / 2,
                     y / 2, z / 2, friction);
}

std::string load_text(double load) {
  if (load <= 0) return {};
  return fmt::format(R"(
      <body name="load" pos="{0} 0 {1}"><inertial pos="0 0 0" mass="{2}" diaginertia="{3} {3} {3}"/></body>)",
                     load_reach, load_height, load, load * load_edge * load_edge / 6);
}

std::string wheel_text(std::string_view name, double x, double y, double radius, const std::string& joints,
                       double friction) {
  return fmt::format(R"(
      <body name="{0}" pos="{1} {2} {3}">{4}
        <inertial pos="0 0 0" mass="{5}" diaginertia="{6} {7} {6}"/>
        <geom type="ellipsoid" size="{3} {8} {3}" friction="{9} 0.005 0.0001"/>
      </body>)",
                     name, x, y, radius, joints, body::wheel_mass, turn_inertia(radius), spin_inertia(radius),
                     body::wheel_width / 2, friction);
}

// Torque-driven about its axle; what the motor adds to the disc's inertia turns with it.
std::string driven_joint(std::string_view name, double radius) {
  return fmt::format(R"(
        <joint name="{}" axis="0 1 0" damping="{}" armature="{}"/>)",
                     name, traction_damping, std::max(0.0, traction_inertia - spin_inertia(radius)));
}

// Steered, then rolling freely. Behind the traction axle a turn to the left takes a wheel turned to the right.
std::string steered_joints(std::string_view steering, std::string_view rolling,
                           const kinematics::ackermann::Geometry& geometry, double settle) {
  return fmt::format(R"(
        <joint name="{}" axis="0 0 -1" damping="{}" armature="{}" limited="true" range="{} {}"
               solreflimit="{} 1" solimplimit="0.99 0.999 0.001"/>
        <joint name="{}" axis="0 1 0" damping="{}"/>)",
                     steering, steering_damping, std::max(0.0, steering_inertia - turn_inertia(geometry.wheel_radius)),
                     -geometry.steering_limit, geometry.steering_limit, settle, rolling, free_damping);
}

}  // namespace

std::string mjcf(const Description& truck, const ModelOptions& options) {
  const auto& geometry = truck.geometry;
  const double settle = 2 * options.timestep;  // s, the least that MuJoCo allows
  const double radius = geometry.wheel_radius;
  std::string text = fmt::format(R"(<mujoco model="raptorlift">
  <compiler angle="radian"/>
  <option timestep="{}" integrator="Euler" solver="Newton" cone="elliptic" impratio="10"/>
  <size nstack="50000" njmax="80" nconmax="20"/>
  <default><geom condim="3" solref="0.02 1" solimp="0.99 0.999 0.001"/></default>
  <worldbody>
    <geom name="ground" type="plane" size="0 0 1" friction="{} 0.005 0.0001"/>
    <body name="truck">
      <freejoint name="truck"/>)",
                                 options.timestep, options.friction);
  text += chassis_text(truck.base_height, options.friction);
  text += load_text(options.load);
  for (const int side : {-1, 1}) {  // right, left
    const std::size_t i = side < 0 ? 0 : 1;
    const std::string_view word = side < 0 ? "right" : "left";
    const std::string rolling = fmt::format("rear_{}_wheel_joint", word);
    text += wheel_text(fmt::format("front_{}_wheel", word), body::front_axle, side * geometry.traction_track / 2,
                       radius, driven_joint(joint_names[i], radius), options.friction);
    text += wheel_text(
        fmt::format("rear_{}_wheel", word), body::front_axle - geometry.wheelbase, side * geometry.steering_track / 2,
        radius, steered_joints(joint_names[first_steering_axis + i], rolling, geometry, settle), options.friction);
  }
  text += "\n    </body>\n  </worldbody>\n  <actuator>";
  for (const auto name : joint_names) text += fmt::format("\n    <motor name=\"{0}\" joint=\"{0}\"/>", name);
  return text + "\n  </actuator>\n</mujoco>\n";
}

}  // namespace tandem::raptorlift
