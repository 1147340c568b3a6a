// SPDX-License-Identifier: Apache-2.0
#include "tandem/machines/orca/virtual/seen.hpp"

#include "tandem/base/transforms.hpp"

namespace tandem::orca {
namespace {

std::array<double, 3> plain_vector(const Eigen::Vector3d& v) { return {v.x(), v.y(), v.z()}; }
std::array<double, 4> plain_rotation(const Pose& X) {
  const Eigen::Quaterniond q(X.linear());
  return {q.x(), q.y(), q.z(), q.w()};
}
Eigen::Vector3d vector_from(const std::array<double, 3>& a) { return {a[0], a[1], a[2]}; }
Pose pose_of(const std::array<double, 3>& position, const std::array<double, 4>& q) {
  return tandem::pose_from(vector_from(position), Eigen::Quaterniond(q[3], q[0], q[1], q[2]).toRotationMatrix());
}

}  // namespace

Seen seen_from(const Truth& truth, const Pose& X_map_believed) {
  Seen seen;
  seen.time = truth.time;
  seen.submerged = truth.submerged;
  seen.grounded = truth.grounded;
  seen.position = plain_vector(truth.X_map_base.translation());
  seen.rotation = plain_rotation(truth.X_map_base);
  seen.velocity = plain_vector(truth.velocity);
  seen.angular = plain_vector(truth.angular);
  seen.force = plain_vector(truth.specific_force);
  seen.thrusts = truth.thrusts;
  seen.believed_position = plain_vector(X_map_believed.translation());
  seen.believed_rotation = plain_rotation(X_map_believed);
  return seen;
}

Truth truth_from(const Seen& seen) {
  Truth truth;
  truth.time = seen.time;
  truth.X_map_base = pose_of(seen.position, seen.rotation);
  truth.velocity = vector_from(seen.velocity);
  truth.angular = vector_from(seen.angular);
  truth.specific_force = vector_from(seen.force);
  truth.thrusts = seen.thrusts;
  truth.submerged = seen.submerged;
  truth.grounded = seen.grounded;
  return truth;
}

Pose believed_from(const Seen& seen) { return pose_of(seen.believed_position, seen.believed_rotation); }

}  // namespace tandem::orca
