// SPDX-License-Identifier: Apache-2.0
#include "tandem/machines/orca/sighting.hpp"

#include <algorithm>
#include <cmath>

namespace tandem::orca {

bool PlainPose::finite() const {
  const auto good = [](double value) { return std::isfinite(value); };
  return std::ranges::all_of(position, good) && std::ranges::all_of(rotation, good);
}

PlainPose plain_from(const Pose& X) {
  const Eigen::Vector3d& p = X.translation();
  const Eigen::Quaterniond q(X.linear());
  return {{p.x(), p.y(), p.z()}, {q.w(), q.x(), q.y(), q.z()}};
}

Pose pose_from(const PlainPose& plain) {
  Eigen::Quaterniond q(plain.rotation[0], plain.rotation[1], plain.rotation[2], plain.rotation[3]);
  const double norm = q.norm();
  if (std::isfinite(norm) && norm > 1e-9)
    q.coeffs() /= norm;
  else
    q.setIdentity();
  return tandem::pose_from({plain.position[0], plain.position[1], plain.position[2]}, q.toRotationMatrix());
}

}  // namespace tandem::orca
