// SPDX-License-Identifier: Apache-2.0
#include "tandem/machines/raptorlift/ros/urdf.hpp"

#include <fmt/format.h>

#include <array>
#include <numbers>

namespace tandem::raptorlift {
namespace {

using Size = std::array<double, 3>;  // m, along x, y, z

std::string at(double x, double y, double z, double roll = 0) {
  return fmt::format(R"(<origin xyz="{:.9g} {:.9g} {:.9g}" rpy="{:.9g} 0 0"/>)", x, y, z, roll);
}

std::string inertial(double mass, double ixx, double iyy, double izz) {
  return fmt::format(
      "    <inertial><origin xyz=\"0 0 0\" rpy=\"0 0 0\"/><mass value=\"{}\"/><inertia ixx=\"{:.6g}\" ixy=\"0\" "
      "ixz=\"0\" "
      "iyy=\"{:.6g}\" iyz=\"0\" izz=\"{:.6g}\"/></inertial>\n",
      mass, ixx, iyy, izz);
}

std::string visual(const std::string& origin, const std::string& shape, std::string_view material) {
  return fmt::format("    <visual>{}<geometry>{}</geometry><material name=\"{}\"/></visual>\n", origin, shape,
                     material);
}

std::string collision(const std::string& origin, const std::string& shape) {
  return fmt::format("    <collision>{}<geometry>{}</geometry></collision>\n", origin, shape);
}

std::string box(const Size& size) { return fmt::format(R"(<box size="{} {} {}"/>)", size[0], size[1], size[2]); }

// Chassis, and a mast with two tines so that one sees which way is forward; the tines end a hand above the ground.
std::string base_link(const Description& description, std::string_view prefix) {
  const Size& s = body::chassis;
  const double twelfth = body::chassis_mass / 12;
  std::string text = fmt::format("  <link name=\"{}base_link\">\n", prefix);
  text += inertial(body::chassis_mass, twelfth * (s[1] * s[1] + s[2] * s[2]), twelfth * (s[0] * s[0] + s[2] * s[2]),
                   twelfth * (s[0] * s[0] + s[1] * s[1]));
  text += visual(at(0, 0, 0), box(s), "body") + collision(at(0, 0, 0), box(s));
  constexpr Size mast = {0.06, 0.5, 1.2}, tine = {0.9, 0.1, 0.04};
  constexpr double clearance = 0.1, apart = 0.2;  // m
  const double front = s[0] / 2, ground = -description.base_height;
  text += visual(at(front + mast[0] / 2, 0, ground + clearance + mast[2] / 2), box(mast), "steel");
  for (const double side : {-1.0, 1.0})
    text += visual(at(front + mast[0] + tine[0] / 2, side * apart, ground + clearance), box(tine), "steel");
  return text + "  </link>\n";
}

// A wheel's cylinder lies along y, the axle.
std::string wheel_link(std::string_view prefix, std::string_view name, double radius) {
  constexpr double lying = std::numbers::pi / 2;
  const double along = body::wheel_mass * radius * radius / 2;
  const double across = body::wheel_mass * (3 * radius * radius + body::wheel_width * body::wheel_width) / 12;
  const std::string shape = fmt::format(R"(<cylinder radius="{}" length="{}"/>)", radius, body::wheel_width);
  return fmt::format("  <link name=\"{}{}\">\n", prefix, name) + inertial(body::wheel_mass, across, along, across) +
         visual(at(0, 0, 0, lying), shape, "rubber") + collision(at(0, 0, 0, lying), shape) + "  </link>\n";
}

std::string joint(const Description& description, std::size_t axis, std::string_view prefix) {
  const auto& geometry = description.geometry;
  const auto [x, y, z] = wheel_place(description, axis);
  const std::string limit =
      steers(axis)
          ? fmt::format(R"(lower="{:.9g}" upper="{:.9g}" effort="{:.9g}" velocity="{:.9g}")", -geometry.steering_limit,
                        geometry.steering_limit, description.steering.output_limit, steering_speed)
          : fmt::format(R"(effort="{:.9g}" velocity="{:.9g}")", description.traction.output_limit, traction_speed);
  return fmt::format(
      "  <joint name=\"{0}{1}\" type=\"{2}\">\n    <parent link=\"{0}base_link\"/><child link=\"{0}{3}\"/>\n    {4}\n"
      "    <axis xyz=\"{5}\"/>\n    <limit {6}/>\n  </joint>\n",
      prefix, joint_names[axis], steers(axis) ? "revolute" : "continuous", link_names[axis], at(x, y, z),
      steers(axis) ? "0 0 -1" : "0 1 0", limit);
}

}  // namespace

std::string urdf(const Description& description, std::string_view inserted, std::string_view prefix) {
  std::string text =
      "<?xml version=\"1.0\"?>\n<robot name=\"raptorlift\">\n"
      "  <material name=\"body\"><color rgba=\"0.95 0.65 0.1 1\"/></material>\n"
      "  <material name=\"steel\"><color rgba=\"0.3 0.32 0.35 1\"/></material>\n"
      "  <material name=\"rubber\"><color rgba=\"0.1 0.1 0.1 1\"/></material>\n";
  text += fmt::format("  <link name=\"{}base_footprint\"/>\n", prefix);
  text += base_link(description, prefix);
  for (const std::string_view name : link_names) text += wheel_link(prefix, name, description.geometry.wheel_radius);
  text += fmt::format(
      "  <joint name=\"{0}base_joint\" type=\"fixed\">\n    <parent link=\"{0}base_footprint\"/><child "
      "link=\"{0}base_link\"/>\n    {1}\n  </joint>\n",
      prefix, at(0, 0, description.base_height));
  for (std::size_t axis = 0; axis < axis_count; ++axis) text += joint(description, axis, prefix);
  text += inserted;
  return text + "</robot>\n";
}

}  // namespace tandem::raptorlift
