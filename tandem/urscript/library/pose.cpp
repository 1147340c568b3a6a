// SPDX-License-Identifier: Apache-2.0
// Pose algebra. Poses are p[x, y, z, rx, ry, rz] with a rotation vector.
#include <fmt/format.h>

#include <cmath>

#include "tandem/base/transforms.hpp"
#include "tandem/urscript/library/library.hpp"

namespace tandem::urscript {

namespace {

Eigen::Vector3d position_of(const PoseValue& pose) { return {pose[0], pose[1], pose[2]}; }
Eigen::Quaterniond rotation_of(const PoseValue& pose) {
  return quaternion_from_rotation_vector({pose[3], pose[4], pose[5]});
}

PoseValue pose_value(const Eigen::Vector3d& position, const Eigen::Quaterniond& rotation) {
  const Eigen::Vector3d vector = rotation_vector_from_quaternion(rotation.normalized());
  return {position.x(), position.y(), position.z(), vector.x(), vector.y(), vector.z()};
}

using OfTwoPoses = Value (*)(const PoseValue&, const PoseValue&);

void add_of_poses(Builtins& builtins, const char* name, const char* first, const char* second, OfTwoPoses function) {
  builtins.add(name, {first, second}, [=](Call& call) -> Outcome {
    auto a = pose_of(call[0]);
    auto b = pose_of(call[1]);
    if (!a) return std::move(a).error();
    if (!b) return std::move(b).error();
    return function(*a, *b);
  });
}

Value sum(const PoseValue& a, const PoseValue& b) {
  return pose_value(position_of(a) + position_of(b), rotation_of(a) * rotation_of(b));
}

PoseValue difference(const PoseValue& to, const PoseValue& from) {
  return pose_value(position_of(to) - position_of(from), rotation_of(to) * rotation_of(from).conjugate());
}

Value composed(const PoseValue& from, const PoseValue& from_to) {
  return pose_value(position_of(from) + rotation_of(from) * position_of(from_to),
                    rotation_of(from) * rotation_of(from_to));
}

Value pose_distance(const PoseValue& a, const PoseValue& b) {
  double sum = 0.0;
  for (const double each : difference(a, b)) sum += each * each;
  return std::sqrt(sum);
}

// Straight in position, one axis in rotation; alpha outside 0 to 1 goes on beyond the ends.
Outcome between(Call& call) {
  auto from = pose_of(call[0]);
  auto to = pose_of(call[1]);
  auto alpha = number_of(call[2]);
  if (!from) return std::move(from).error();
  if (!to) return std::move(to).error();
  if (!alpha) return std::move(alpha).error();
  if (!std::isfinite(*alpha)) return Error{Fault::invalid, fmt::format("expected a finite alpha, got {}", *alpha)};
  const Eigen::Vector3d position = position_of(*from) + *alpha * (position_of(*to) - position_of(*from));
  const Eigen::Quaterniond turn = rotation_of(*from).conjugate() * rotation_of(*to);
  const Eigen::Vector3d part = *alpha * rotation_vector_from_quaternion(turn.normalized());
  return Value(pose_value(position, rotation_of(*from) * quaternion_from_rotation_vector(part)));
}

// The same wrench seen from another point: the force turns, the torque also loses the lever arm.
Value wrench_seen_from(const PoseValue& from_to, const PoseValue& wrench) {
  const Eigen::Quaterniond back = rotation_of(from_to).conjugate();
  const Eigen::Vector3d force(wrench[0], wrench[1], wrench[2]);
  const Eigen::Vector3d torque(wrench[3], wrench[4], wrench[5]);
  const Eigen::Vector3d f = back * force;
  const Eigen::Vector3d t = back * (torque - position_of(from_to).cross(force));
  return *list_of_numbers({f.x(), f.y(), f.z(), t.x(), t.y(), t.z()});
}

Result<Eigen::Vector3d> vector_of(const Value& value) {
  auto numbers = numbers_of(value);
  if (!numbers) return std::move(numbers).error();
  if (numbers->size() != 3)
    return Error{Fault::invalid, fmt::format("expected three numbers, got {}", numbers->size())};
  return Eigen::Vector3d((*numbers)[0], (*numbers)[1], (*numbers)[2]);
}

Outcome rpy_from_vector(Call& call) {
  auto vector = vector_of(call[0]);
  if (!vector) return std::move(vector).error();
  const Eigen::Vector3d rpy = rpy_from_rotation(quaternion_from_rotation_vector(*vector).toRotationMatrix());
  return list_of_numbers({rpy.x(), rpy.y(), rpy.z()});
}

Outcome vector_from_rpy(Call& call) {
  auto rpy = vector_of(call[0]);
  if (!rpy) return std::move(rpy).error();
  const Eigen::Quaterniond rotation(rotation_from_rpy(rpy->x(), rpy->y(), rpy->z()));
  const Eigen::Vector3d vector = rotation_vector_from_quaternion(rotation.normalized());
  return list_of_numbers({vector.x(), vector.y(), vector.z()});
}

}  // namespace

Outcome inverse_pose(Call& call) {
  auto pose = pose_of(call[0]);
  if (!pose) return std::move(pose).error();
  const Eigen::Quaterniond back = rotation_of(*pose).conjugate();
  return Value(pose_value(-(back * position_of(*pose)), back));
}

void add_poses(Builtins& builtins) {
  add_of_poses(builtins, "pose_add", "p_1", "p_2", sum);
  add_of_poses(builtins, "pose_sub", "p_to", "p_from",
               [](const PoseValue& a, const PoseValue& b) { return Value(difference(a, b)); });
  add_of_poses(builtins, "pose_trans", "p_from", "p_from_to", composed);
  add_of_poses(builtins, "pose_dist", "p_from", "p_to", pose_distance);
  add_of_poses(builtins, "point_dist", "p_from", "p_to",
               [](const PoseValue& a, const PoseValue& b) { return Value((position_of(a) - position_of(b)).norm()); });
  add_of_poses(builtins, "wrench_trans", "T_from_to", "w_from", wrench_seen_from);
  builtins.add("pose_inv", {"p_from"}, inverse_pose);
  builtins.add("interpolate_pose", {"p_from", "p_to", "alpha"}, between);
  builtins.add("rotvec2rpy", {"rotation_vector"}, rpy_from_vector);
  builtins.add("rpy2rotvec", {"rpy_vector"}, vector_from_rpy);
}

}  // namespace tandem::urscript
