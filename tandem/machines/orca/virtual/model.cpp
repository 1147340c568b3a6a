// SPDX-License-Identifier: Apache-2.0
#include "tandem/machines/orca/virtual/model.hpp"

#include <fmt/format.h>

namespace tandem::orca {

Eigen::Vector3d inertia(const Hull& hull) {
  const Eigen::Vector3d square = hull.size.cwiseAbs2();
  return hull.mass / 12 * Eigen::Vector3d(square.y() + square.z(), square.x() + square.z(), square.x() + square.y());
}

std::string mjcf(const Hull& hull, const ModelOptions& options) {
  const Eigen::Vector3d about = inertia(hull);
  const Eigen::Vector3d& middle = hull.centre_of_mass;
  return fmt::format(R"(<mujoco model="orca">
  <option timestep="{}" integrator="Euler" solver="Newton" cone="elliptic" gravity="0 0 {}"/>
  <size nstack="20000" njmax="60" nconmax="12"/>
  <default><geom condim="3" friction="{} 0.005 0.0001" solref="0.04 1"/></default>
  <worldbody>
    <geom name="sea_floor" type="plane" pos="0 0 {}" size="0 0 1"/>
    <body name="orca" pos="0 0 {}">
      <freejoint name="orca"/>
      <inertial pos="{} {} {}" mass="{}" diaginertia="{} {} {}"/>
      <geom name="hull" type="box" size="{} {} {}"/>
    </body>
  </worldbody>
</mujoco>
)",
                     options.timestep, -gravity, options.friction, hull.seafloor, start_height, middle.x(), middle.y(),
                     middle.z(), hull.mass, about.x(), about.y(), about.z(), hull.size.x() / 2, hull.size.y() / 2,
                     hull.size.z() / 2);
}

}  // namespace tandem::orca
