// SPDX-License-Identifier: Apache-2.0
// Universal Robots arms without a robot: many poses in one call.
#include <pybind11/stl.h>

#include <array>
#include <limits>
#include <string>
#include <tuple>
#include <vector>

#include "tandem/kinematics/ur/batch.hpp"
#include "tandem/python/binding.hpp"
#include "tandem/python/columns.hpp"
#include "tandem/python/failure.hpp"

namespace tandem::python {
namespace {

namespace py = pybind11;
namespace ur = kinematics::ur;

const ur::Model& arm_named(const std::string& name) {
  if (const ur::Model* model = ur::model_named(name)) return *model;
  throw Failure({Fault::invalid, "arm: expected ur3e, ur5e, ur10e, ur16e, ur20 or ur30, got " + name});
}

Pose tool_of(const std::array<double, 6>& tcp) {
  return ur::pose_from_vector(Eigen::Map<const ur::PoseVector>(tcp.data()));
}

void forward_many(const std::string& name, const py::buffer& joints, const std::array<double, 6>& tcp,
                  const py::buffer& poses) {
  const ur::Model& model = arm_named(name);
  const Columns q(joints, 6), out(poses, 6, true);
  const py::gil_scoped_release released;
  const Pose tool = tool_of(tcp);
  for (std::size_t i = 0; i < q.size(); ++i)
    out.put(i, ur::vector_from_pose(ur::forward(model, q.row<ur::Joints>(i)) * tool));
}

void jacobian_many(const std::string& name, const py::buffer& joints, const std::array<double, 6>& tcp,
                   const py::buffer& out_columns) {
  const ur::Model& model = arm_named(name);
  const Columns q(joints, 6), out(out_columns, 36, true);
  const py::gil_scoped_release released;
  const Eigen::Vector3d point = tool_of(tcp).translation();
  for (std::size_t i = 0; i < q.size(); ++i) {
    const Eigen::Matrix<double, 6, 6, Eigen::RowMajor> found = ur::jacobian(model, q.row<ur::Joints>(i), point);
    out.put(i, Eigen::Map<const Eigen::Matrix<double, 36, 1>>(found.data()));
  }
}

void all_solutions_many(const std::string& name, const py::buffer& poses, const std::array<double, 6>& tcp,
                        const py::buffer& solutions, const py::buffer& found) {
  const ur::Model& model = arm_named(name);
  const Columns in(poses, 6), out(solutions, 48, true);
  const std::span<unsigned char> bits = flags(found);
  const py::gil_scoped_release released;
  const Pose X_tcp_flange = tool_of(tcp).inverse();
  std::vector<double> numbers(7 * in.size());
  ur::PoseColumns flanges;
  for (std::size_t k = 0; k < 7; ++k) flanges[k] = std::span(numbers).subspan(k * in.size(), in.size());
  for (std::size_t i = 0; i < in.size(); ++i) {
    const Pose flange = ur::pose_from_vector(in.row<ur::PoseVector>(i)) * X_tcp_flange;
    const Eigen::Quaterniond turn(flange.linear());
    const std::array<double, 7> row = {flange.translation().x(),
                                       flange.translation().y(),
                                       flange.translation().z(),
                                       turn.w(),
                                       turn.x(),
                                       turn.y(),
                                       turn.z()};
    for (std::size_t k = 0; k < 7; ++k) numbers[k * in.size() + i] = row[k];
  }
  ur::SolutionColumns answers;
  for (std::size_t k = 0; k < answers.size(); ++k) answers[k] = out[k];
  ur::all_solutions(model, flanges, answers, bits);
}

// NaN where there is no solution. How many there are none of, the first of them, and why.
std::tuple<std::size_t, std::size_t, std::string> nearest_many(const std::string& name, const py::buffer& poses,
                                                               const py::buffer& near, const std::array<double, 6>& tcp,
                                                               const std::array<double, 2>& tolerance,
                                                               const py::buffer& joints) {
  const ur::Model& model = arm_named(name);
  const Columns in(poses, 6), starts(near, 6), out(joints, 6, true);
  const py::gil_scoped_release released;
  const Pose tool = tool_of(tcp);
  std::tuple<std::size_t, std::size_t, std::string> missing{};
  for (std::size_t i = 0; i < in.size(); ++i) {
    const auto start = starts.row<ur::Joints>(starts.size() == 1 ? 0 : i);
    const auto found =
        ur::nearest(model, ur::pose_from_vector(in.row<ur::PoseVector>(i)), start, tool, {tolerance[0], tolerance[1]});
    out.put(i, found ? found->q : ur::Joints(ur::Joints::Constant(std::numeric_limits<double>::quiet_NaN())));
    if (!found && std::get<0>(missing)++ == 0) {
      std::get<1>(missing) = i;
      std::get<2>(missing) = found.error().text;
    }
  }
  return missing;
}

}  // namespace

void bind_arm_kinematics(py::module_& module) {
  module.def("arm_table", [](const std::string& name) {
    const ur::Model& model = arm_named(name);
    return std::tuple(model.a, model.d, model.alpha, model.lowest, model.highest);
  });
  module.def("arm_forward", &forward_many);
  module.def("arm_jacobian", &jacobian_many);
  module.def("arm_all_solutions", &all_solutions_many);
  module.def("arm_nearest", &nearest_many);
}

}  // namespace tandem::python
