// SPDX-License-Identifier: Apache-2.0
// Universal Robots arms: six joints by their published Denavit-Hartenberg numbers, forward kinematics and Jacobian.
// Frames: `base` is the controller's (and that of all poses here), ROS' `base_link` is turned by 180 degrees about z.
// `flange` is the last DH frame, ROS' `tool0`; `tcp` is where the user put the tool centre point on it.
#pragma once

#include <Eigen/Core>
#include <array>
#include <optional>
#include <string_view>

#include "tandem/base/transforms.hpp"
#include "tandem/kinematics/ur/kernels.hpp"

namespace tandem::kinematics::ur {

using Joints = Eigen::Matrix<double, 6, 1>;      // rad (or rad/s, rad/s^2), base first
using Vector6 = Eigen::Matrix<double, 6, 1>;     // a twist: velocity (m/s), then angular velocity (rad/s), base frame
using PoseVector = Eigen::Matrix<double, 6, 1>;  // x, y, z (m), rotation vector (rad), as URScript's p[...]
using Jacobian = Eigen::Matrix<double, 6, 6>;    // twist = Jacobian * joint speeds

inline constexpr std::array<const char*, 6> joint_names = {"base",    "shoulder", "elbow",
                                                           "wrist 1", "wrist 2",  "wrist 3"};

struct Model {
  const char* name;
  std::array<double, 6> a, d, alpha;      // DH: Rz(q) Tz(d) Tx(a) Rx(alpha); m, m, rad
  std::array<double, 6> lowest, highest;  // rad
  std::array<double, 6> speed;            // rad/s
  std::array<double, 6> acceleration;     // rad/s^2, what the controller will plan at most
  std::array<double, 6> torque;           // Nm
};

extern const Model ur3e, ur5e, ur10e, ur16e, ur20, ur30;

// The table of that name ("ur3e", "UR10e"), or null.
const Model* model_named(std::string_view name);

// The flange in the base frame.
Pose forward(const Model& model, const Joints& q, const kernel::Kernels& kernels = kernel::best());

// All six link frames in the base frame, the flange last.
std::array<Pose, 6> link_poses(const Model& model, const Joints& q);

// Of a point that is fixed to the flange, in the flange frame; the twist is that of the point, in the base frame.
Jacobian jacobian(const Model& model, const Joints& q, const Eigen::Vector3d& point = Eigen::Vector3d::Zero());

// X_base_link_base: ROS' base_link and the controller's base share origin and z.
Pose base_link_from_base();

Pose pose_from_vector(const PoseVector& vector);
PoseVector vector_from_pose(const Pose& pose);  // angle within [0, pi], exact at both ends

bool finite(const Pose& pose);

// The joint that is outside its limits first, from 0.
std::optional<int> outside_limits(const Model& model, const Joints& q);

}  // namespace tandem::kinematics::ur
