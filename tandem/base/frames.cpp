// SPDX-License-Identifier: Apache-2.0
#include "tandem/base/frames.hpp"

#include <cmath>

namespace tandem {

Eigen::Vector3d enu_from_ned(const Eigen::Vector3d& ned) { return {ned.y(), ned.x(), -ned.z()}; }
Eigen::Vector3d ned_from_enu(const Eigen::Vector3d& enu) { return {enu.y(), enu.x(), -enu.z()}; }

Eigen::Vector3d flu_from_frd(const Eigen::Vector3d& frd) { return {frd.x(), -frd.y(), -frd.z()}; }
Eigen::Vector3d frd_from_flu(const Eigen::Vector3d& flu) { return {flu.x(), -flu.y(), -flu.z()}; }

Eigen::Vector3d flu_from_optical(const Eigen::Vector3d& optical) { return {optical.z(), -optical.x(), -optical.y()}; }
Eigen::Vector3d optical_from_flu(const Eigen::Vector3d& flu) { return {-flu.y(), -flu.z(), flu.x()}; }

// The product q_enu_ned * q * q_frd_flu written out: q_enu_ned is half a turn about (1, 1, 0), q_frd_flu about x.
Eigen::Quaterniond enu_flu_from_ned_frd(const Eigen::Quaterniond& q) {
  const double half = std::sqrt(0.5);
  return {half * (q.w() + q.z()), half * (q.x() + q.y()), half * (q.x() - q.y()), half * (q.w() - q.z())};
}

Eigen::Quaterniond ned_frd_from_enu_flu(const Eigen::Quaterniond& q) { return enu_flu_from_ned_frd(q); }

}  // namespace tandem
