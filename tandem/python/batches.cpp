// SPDX-License-Identifier: Apache-2.0
// Stewart platforms, cable robots and trucks without a device: many poses in one call.
#include <pybind11/stl.h>

#include <array>
#include <limits>
#include <memory>
#include <string>
#include <tuple>
#include <vector>

#include "tandem/kinematics/ackermann/ackermann.hpp"
#include "tandem/kinematics/cable/pose.hpp"
#include "tandem/kinematics/cable/tension/tension.hpp"
#include "tandem/kinematics/cable/workspace/batch.hpp"
#include "tandem/kinematics/stewart/batch.hpp"
#include "tandem/machines/em1500/description.hpp"
#include "tandem/machines/raptorlift/description.hpp"
#include "tandem/python/binding.hpp"
#include "tandem/python/cable_pose.hpp"
#include "tandem/python/columns.hpp"
#include "tandem/python/failure.hpp"

namespace tandem::python {
namespace {

namespace py = pybind11;
namespace ackermann = kinematics::ackermann;

constexpr double nothing = std::numeric_limits<double>::quiet_NaN();

using Points = std::array<std::array<double, 3>, 6>;

stewart::Platform platform_from(const Points& base, const Points& top, const stewart::Coordinates& home) {
  stewart::Geometry geometry;
  for (std::size_t i = 0; i < 6; ++i) {
    geometry.base[i] = Eigen::Vector3d(base[i].data());
    geometry.top[i] = Eigen::Vector3d(top[i].data());
  }
  return {geometry, stewart::pose_from_coordinates(home)};
}

template <typename Span>
std::array<Span, 6> six_of(const Columns& columns) {
  return {columns[0], columns[1], columns[2], columns[3], columns[4], columns[5]};
}

void legs_many(const stewart::Platform& platform, const py::buffer& poses, const py::buffer& lengths) {
  const Columns in(poses, 6), out(lengths, 6, true);
  const py::gil_scoped_release released;
  stewart::leg_lengths(platform, six_of<std::span<const double>>(in), six_of<std::span<double>>(out));
}

// `poses` holds the starts; `outcomes` are those of stewart::Outcome.
void platform_poses_many(const stewart::Platform& platform, const py::buffer& lengths, const py::buffer& poses,
                         const py::buffer& outcomes) {
  const Columns in(lengths, 6), out(poses, 6, true);
  const std::span<unsigned char> flag = flags(outcomes);
  const py::gil_scoped_release released;
  std::vector<stewart::Outcome> found(flag.size());
  stewart::poses_from_lengths(platform, six_of<std::span<const double>>(in), six_of<std::span<double>>(out), found);
  for (std::size_t i = 0; i < flag.size(); ++i) flag[i] = static_cast<unsigned char>(found[i]);
}

// The end of the run of poses from `first` on that have one orientation: those go through the vector kernels together.
std::size_t same_orientation(const Columns& poses, std::size_t first) {
  std::size_t end = first + 1;
  const auto same = [&](std::size_t i) {
    for (std::size_t k = 3; k < 7; ++k)
      if (poses[k][i] != poses[k][first]) return false;
    return true;
  };
  while (end < poses.size() && same(end)) ++end;
  return end;
}

template <typename Run>
void each_run(const Columns& poses, Run run) {
  for (std::size_t first = 0, end = 0; first < poses.size(); first = end) {
    end = same_orientation(poses, first);
    const std::size_t size = end - first;
    run(first, size, cable_pose_of(poses.row<Seven>(first)).linear(),
        cables::Positions{poses[0].subspan(first, size), poses[1].subspan(first, size), poses[2].subspan(first, size)});
  }
}

void cable_lengths_many(const cables::Robot& robot, const py::buffer& poses, const py::buffer& lengths) {
  const Columns in(poses, 7), out(lengths, robot.cables(), true);
  const py::gil_scoped_release released;
  std::vector<std::span<double>> columns(static_cast<std::size_t>(robot.cables()));
  each_run(in, [&](std::size_t first, std::size_t size, const Eigen::Matrix3d& turn, const cables::Positions& at) {
    for (std::size_t k = 0; k < columns.size(); ++k) columns[k] = out[k].subspan(first, size);
    cables::lengths(robot, turn, at, columns);
  });
}

// N to the nearest bound; negative where the platform cannot be held.
void cable_margins_many(const cables::Robot& robot, const py::buffer& poses, const std::array<double, 6>& load,
                        const py::buffer& margins) {
  const Columns in(poses, 7), out(margins, 1, true);
  const py::gil_scoped_release released;
  const std::array<cables::Wrench, 1> loads = {cables::Wrench(load.data())};
  each_run(in, [&](std::size_t first, std::size_t size, const Eigen::Matrix3d& turn, const cables::Positions& at) {
    cables::margins(robot, turn, at, loads, out[0].subspan(first, size));
  });
}

void cable_tensions_many(const cables::Robot& robot, const py::buffer& poses, const py::buffer& wrenches,
                         const std::string& aim_name, const py::buffer& tensions, const py::buffer& feasible) {
  const Columns in(poses, 7), loads(wrenches, 6), out(tensions, robot.cables(), true);
  const std::span<unsigned char> flag = flags(feasible);
  const cables::Aim aim = cable_aim_named(aim_name);
  const py::gil_scoped_release released;
  for (std::size_t i = 0; i < in.size(); ++i) {
    const Pose pose = cable_pose_of(in.row<Seven>(i));
    const auto load = loads.row<cables::Wrench>(loads.size() == 1 ? 0 : i);
    const auto found =
        cables::distribute(robot, cables::structure(robot, pose), cables::weight(robot, pose) + load, aim);
    out.put(i, found.tensions);
    flag[i] = found.feasible ? 1 : 0;
  }
}

// Each search begins at the pose before. NaN where none was found: how many, the first of them, and why.
std::tuple<std::size_t, std::size_t, std::string> cable_poses_many(const cables::Robot& robot,
                                                                   const py::buffer& lengths, const py::buffer& poses) {
  const Columns in(lengths, robot.cables()), out(poses, 7, true);
  const py::gil_scoped_release released;
  std::tuple<std::size_t, std::size_t, std::string> missing{};
  Pose start = robot.home();
  for (std::size_t i = 0; i < in.size(); ++i) {
    cables::PerCable given(robot.cables());
    for (int k = 0; k < robot.cables(); ++k) given[k] = in[static_cast<std::size_t>(k)][i];
    const auto found = cables::pose_from_lengths(robot, given, start);
    if (found) {
      start = found->pose;
      out.put(i, cable_numbers_of(start));
      continue;
    }
    out.put(i, Seven{nothing, nothing, nothing, nothing, nothing, nothing, nothing});
    if (std::get<0>(missing)++ == 0) missing = {1, i, found.error().text};
  }
  return missing;
}

void wheels_many(const ackermann::Geometry& truck, const py::buffer& twists, const py::buffer& wheels,
                 const py::buffer& limited) {
  const Columns in(twists, 2), out(wheels, 4, true);
  const std::span<unsigned char> flag = flags(limited);
  const py::gil_scoped_release released;
  for (std::size_t i = 0; i < in.size(); ++i) {
    const auto found = ackermann::wheels_from_twist(truck, {in[0][i], in[1][i]});
    out.put(i, found ? ackermann::values(found->wheels) : std::array{nothing, nothing, nothing, nothing});
    flag[i] = found && (found->at_limit || found->in_place) ? 1 : 0;
  }
}

void twists_many(const ackermann::Geometry& truck, const py::buffer& wheels, const py::buffer& twists,
                 const py::buffer& slips) {
  const Columns in(wheels, 4), out(twists, 2, true), slip(slips, 1, true);
  const py::gil_scoped_release released;
  for (std::size_t i = 0; i < in.size(); ++i) {
    const auto found = ackermann::twist_from_wheels(truck, {in[0][i], in[1][i], in[2][i], in[3][i]});
    out.put(i, found ? std::array{found->twist.v, found->twist.w} : std::array{nothing, nothing});
    slip[0][i] = found ? found->slip : nothing;
  }
}

ackermann::Geometry truck_from(double wheel_radius, double wheelbase, double traction_track, double steering_track,
                               double steering_limit) {
  const ackermann::Geometry truck{wheel_radius, wheelbase, traction_track, steering_track, steering_limit};
  unwrapped(ackermann::check(truck));
  return truck;
}

}  // namespace

void bind_batches(py::module_& module) {
  py::class_<stewart::Platform>(module, "StewartPlatform")
      .def(py::init(&platform_from))
      .def_property_readonly("home", [](const stewart::Platform& p) { return stewart::coordinates_from_pose(p.home); })
      .def("lengths", &legs_many)
      .def("poses", &platform_poses_many);
  module.def("em1500_platform", [] { return em1500::platform(); });
  module.def("cable_lengths", &cable_lengths_many);
  module.def("cable_margins", &cable_margins_many);
  module.def("cable_tensions", &cable_tensions_many);
  module.def("cable_poses", &cable_poses_many);
  py::class_<ackermann::Geometry>(module, "Truck")
      .def(py::init(&truck_from))
      .def_property_readonly("most_curvature", &ackermann::most_curvature)
      .def("wheels", &wheels_many)
      .def("twists", &twists_many);
  module.def("raptorlift_geometry", [] {
    const auto truck = raptorlift::geometry();
    return std::tuple(truck.wheel_radius, truck.wheelbase, truck.traction_track, truck.steering_track,
                      truck.steering_limit);
  });
}

}  // namespace tandem::python
