// SPDX-License-Identifier: Apache-2.0
// The axis conventions of the field, and the one way from each to ours (REP 103: world ENU, body FLU).
#pragma once

#include <Eigen/Geometry>

namespace tandem {

// World: x north, y east, z down -> x east, y north, z up. Its own inverse.
Eigen::Vector3d enu_from_ned(const Eigen::Vector3d& ned);
Eigen::Vector3d ned_from_enu(const Eigen::Vector3d& enu);

// Body: x forward, y right, z down -> x forward, y left, z up. Its own inverse.
Eigen::Vector3d flu_from_frd(const Eigen::Vector3d& frd);
Eigen::Vector3d frd_from_flu(const Eigen::Vector3d& flu);

// Camera: OpenCV optical (x right, y down, z into the scene) -> x forward, y left, z up.
Eigen::Vector3d flu_from_optical(const Eigen::Vector3d& optical);
Eigen::Vector3d optical_from_flu(const Eigen::Vector3d& flu);

// Attitude of the body: FRD in NED -> FLU in ENU. Its own inverse up to the sign of the quaternion.
Eigen::Quaterniond enu_flu_from_ned_frd(const Eigen::Quaterniond& q_ned_frd);
Eigen::Quaterniond ned_frd_from_enu_flu(const Eigen::Quaterniond& q_enu_flu);

}  // namespace tandem
