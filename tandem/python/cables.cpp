// SPDX-License-Identifier: Apache-2.0
// The cable robot: its kinematics and tensions, of the default robot or one from a geometry file.
#include <pybind11/stl.h>

#include <array>
#include <optional>
#include <string>
#include <tuple>
#include <vector>

#include "tandem/kinematics/cable/pose.hpp"
#include "tandem/kinematics/cable/tension/tension.hpp"
#include "tandem/machines/cable_robot/geometry/file.hpp"
#include "tandem/python/binding.hpp"
#include "tandem/python/cable_pose.hpp"
#include "tandem/python/failure.hpp"

namespace tandem::python {
namespace {

using Numbers = std::vector<double>;

template <typename Vector>
Numbers listed(const Vector& values) {
  return {values.data(), values.data() + values.size()};
}

auto pose_from(const cables::Robot& robot, const Numbers& lengths, const std::optional<Seven>& start) {
  if (lengths.size() != static_cast<std::size_t>(robot.cables()))
    throw Failure({Fault::invalid, "lengths: expected " + std::to_string(robot.cables()) +
                                       ", one for each cable, got " + std::to_string(lengths.size())});
  const cables::PerCable given = Eigen::Map<const Eigen::VectorXd>(lengths.data(), robot.cables());
  const auto fit = unwrapped(start ? cables::pose_from_lengths(robot, given, cable_pose_of(*start))
                                   : cables::pose_from_lengths(robot, given));
  return std::tuple(cable_numbers_of(fit.pose), fit.residual, fit.iterations);
}

auto tensions_for(const cables::Robot& robot, const Seven& numbers, const std::array<double, 6>& load,
                  const std::string& aim) {
  const Pose pose = cable_pose_of(numbers);
  const cables::Wrench outer = cables::Wrench(load.data());
  if (!outer.allFinite()) throw Failure({Fault::invalid, "wrench: expected finite numbers, got others"});
  const cables::Wrench weight = cables::weight(robot, pose);
  const auto found = cables::distribute(robot, cables::structure(robot, pose), weight + outer, cable_aim_named(aim));
  return std::tuple(listed(found.tensions), found.feasible, found.margin, found.cable,
                    listed(cables::Wrench(found.nearest - weight)));
}

}  // namespace

void bind_cables(pybind11::module_& module) {
  pybind11::class_<cables::Robot>(module, "CableRobot")
      .def_property_readonly("name", [](const cables::Robot& robot) { return robot.design().name; })
      .def_property_readonly("cables", &cables::Robot::cables)
      .def_property_readonly("home", [](const cables::Robot& robot) { return cable_numbers_of(robot.home()); })
      .def("lengths", [](const cables::Robot& robot,
                         const Seven& pose) { return listed(cables::lengths(robot, cable_pose_of(pose))); })
      .def("pose", &pose_from)
      .def("tensions", &tensions_for);
  module.def("default_cable_robot", [] { return cables::Robot::standard(); });
  module.def("cable_robot_from_file", [](const std::string& file) {
    auto geometry = unwrapped(cable_robot::geometry_from_file(file));
    return std::tuple(std::move(geometry.robot), std::move(geometry.notes));
  });
}

}  // namespace tandem::python
