// SPDX-License-Identifier: Apache-2.0
#include "tandem/machines/cable_robot/virtual/model.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace tandem::cable_robot {
namespace {

std::string spaced(const Eigen::Vector3d& v) { return fmt::format("{} {} {}", v.x(), v.y(), v.z()); }

std::string platform_text(const cables::Design& design) {
  const Eigen::Matrix3d& I = design.inertia;
  std::string text = fmt::format(R"(
    <body name="platform" pos="{}">
      <freejoint name="platform"/>
      <inertial pos="{}" mass="{}" fullinertia="{} {} {} {} {} {}"/>
      <geom name="box" type="box" size="{}"/>)",
                                 spaced(design.home), spaced(design.centre), design.mass, I(0, 0), I(1, 1), I(2, 2),
                                 I(0, 1), I(0, 2), I(1, 2), spaced(design.size / 2));
  for (std::size_t i = 0; i < design.cables.size(); ++i)
    text += fmt::format("\n      <site name=\"platform{}\" pos=\"{}\"/>", i, spaced(design.cables[i].platform));
  return text + "\n    </body>";
}

}  // namespace

double floor_height(const cables::Design& design) {
  double lowest = std::min(0.0, design.home.z() - design.size.norm() / 2);
  for (const cables::Cable& cable : design.cables) lowest = std::min(lowest, cable.frame.z());
  return lowest;
}

std::string mjcf(const cables::Design& design, double timestep) {
  std::string text = fmt::format(R"(<mujoco model="cable robot">
  <compiler angle="radian"/>
  <option timestep="{}" integrator="Euler" gravity="0 0 {}"/>
  <size nstack="50000" njmax="60" nconmax="12"/>
  <default><geom condim="3" solref="0.01 1" solimp="0.95 0.99 0.001" friction="0.6 0.005 0.0001"/></default>
  <worldbody>
    <geom name="floor" type="plane" size="0 0 1" pos="0 0 {}"/>)",
                                 timestep, -cables::gravity, floor_height(design));
  for (std::size_t i = 0; i < design.cables.size(); ++i)
    text += fmt::format("\n    <site name=\"frame{}\" pos=\"{}\"/>", i, spaced(design.cables[i].frame));
  text += platform_text(design) + "\n  </worldbody>\n  <tendon>";
  for (std::size_t i = 0; i < design.cables.size(); ++i)
    text += fmt::format(
        "\n    <spatial name=\"cable{0}\"><site site=\"frame{0}\"/><site site=\"platform{0}\"/></spatial>", i);
  text += "\n  </tendon>\n  <actuator>";
  for (std::size_t i = 0; i < design.cables.size(); ++i)
    text += fmt::format("\n    <motor name=\"cable{0}\" tendon=\"cable{0}\"/>", i);
  return text + "\n  </actuator>\n</mujoco>\n";
}

}  // namespace tandem::cable_robot
