// SPDX-License-Identifier: Apache-2.0
// A body that is flown in NED, and what a camera below it and a SLAM would make of that. Written without the code under
// test: the axes stand here as matrices.
#pragma once

#include <Eigen/Geometry>
#include <random>

#include "tandem/base/transforms.hpp"

namespace tandem::orca::dive {

inline Eigen::Matrix3d ned_enu() { return (Eigen::Matrix3d() << 0, 1, 0, 1, 0, 0, 0, 0, -1).finished(); }
inline Eigen::Matrix3d frd_flu() { return Eigen::Vector3d(1, -1, -1).asDiagonal(); }
// Columns: the image's right is starboard, its lower edge aft, its depth down; in FLU.
inline Eigen::Matrix3d camera_in_body() { return (Eigen::Matrix3d() << 0, -1, 0, -1, 0, 0, 0, 0, -1).finished(); }

struct Body {
  Eigen::Vector3d p_ned;
  Eigen::Matrix3d R_ned_frd;

  Pose X_map_base() const {
    Pose X = Pose::Identity();
    X.translation() = ned_enu().transpose() * p_ned;
    X.linear() = ned_enu().transpose() * R_ned_frd * frd_flu();
    return X;
  }
};

inline double within(double most, std::mt19937_64& random) {
  return std::uniform_real_distribution(-most, most)(random);
}
inline Eigen::Matrix3d turned(double roll, double pitch, double yaw) {
  return (Eigen::AngleAxisd(yaw, Eigen::Vector3d::UnitZ()) * Eigen::AngleAxisd(pitch, Eigen::Vector3d::UnitY()) *
          Eigen::AngleAxisd(roll, Eigen::Vector3d::UnitX()))
      .toRotationMatrix();
}
inline Body somewhere(std::mt19937_64& random) {
  return {{within(20, random), within(20, random), within(4, random)},
          turned(within(0.3, random), within(0.3, random), within(3.1, random))};
}
inline Body nearby(const Body& body, std::mt19937_64& random) {
  return {body.p_ned + Eigen::Vector3d(within(0.1, random), within(0.1, random), within(0.1, random)),
          body.R_ned_frd * turned(within(0.1, random), within(0.1, random), within(0.1, random))};
}

// Its world is where the camera was at first, and its unit is `scale` metres.
class Slam {
 public:
  Slam(const Body& first, double scale, const Eigen::Vector3d& lever = Eigen::Vector3d::Zero())
      : scale_(scale), lever_(lever), X_map_world_(camera(first)) {}

  Pose X_world_camera(const Body& body) const {
    Pose X = X_map_world_.inverse() * camera(body);
    X.translation() /= scale_;
    return X;
  }

 private:
  Pose camera(const Body& body) const {
    Pose X_base_camera = Pose::Identity();
    X_base_camera.linear() = camera_in_body();
    X_base_camera.translation() = lever_;
    return body.X_map_base() * X_base_camera;
  }

  double scale_;
  Eigen::Vector3d lever_;
  Pose X_map_world_;
};

}  // namespace tandem::orca::dive
