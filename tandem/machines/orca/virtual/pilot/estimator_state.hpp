// SPDX-License-Identifier: Apache-2.0
// What goes into the virtual autopilot's estimator and what comes out of it: plain data, NED and FRD.
#pragma once

#include <Eigen/Geometry>
#include <array>
#include <cstdint>

namespace tandem::orca {

// ArduPilot's numbers of EK3_SRCn_*: 0 nothing, 1 barometer (height) or compass (yaw), 6 vision.
namespace source {
inline constexpr int none = 0, own = 1, vision = 6;
}
struct EstimatorSources {
  int position = source::vision;  // horizontal
  int velocity = source::vision;  // the same
  int height = source::own;
  int yaw = source::own;
};

struct EstimatorOptions {
  double settle = 1;                                 // s at the start in which it takes itself as standing
  double aiding_delay = 3;                           // s of vision without a break until it is trusted
  double return_delay = 0.5;                         // s, also, once it had been trusted
  double aiding_timeout = 6;                         // s without vision until the position is given up
  double break_in_vision = 1;                        // s without vision that make the delay restart
  double least_interval = 0.05;                      // s between two pieces of vision; sooner ones are left out
  double least_span = 0.01;                          // s, of a delta
  bool vision = true;                                // VISO_TYPE is not 0
  double vision_delay = 0.01;                        // s, VISO_DELAY_MS: how old vision is when it arrives
  double delta_error_least = 0.1;                    // m/s, EK3_VIS_VERR_MIN: at full confidence
  double delta_error_most = 0.9;                     // m/s, EK3_VIS_VERR_MAX: at none
  double velocity_error = 0.1;                       // m/s, VISO_VEL_M_NSE
  double position_error = 0.2;                       // m, VISO_POS_M_NSE
  double yaw_error = 0.2;                            // rad, VISO_YAW_M_NSE
  Eigen::Vector3d camera = Eigen::Vector3d::Zero();  // m, VISO_POS: the camera in the body
  double declination = 0.265;                        // rad, COMPASS_DEC
  double compass_error = 0.05;                       // rad
  double depth_error = 0.03;                         // m
  std::array<EstimatorSources, 3> sources{EstimatorSources{}, EstimatorSources{source::none, source::none},
                                          EstimatorSources{source::none, source::none}};
};

struct Estimate {
  double time = 0;  // s of samples so far
  Eigen::Quaterniond q_ned_frd = Eigen::Quaterniond::Identity();
  Eigen::Vector3d rate = Eigen::Vector3d::Zero();      // rad/s, FRD
  Eigen::Vector3d velocity = Eigen::Vector3d::Zero();  // m/s, NED
  Eigen::Vector3d position = Eigen::Vector3d::Zero();  // m, NED from the origin
  bool attitude_good = false;
  bool position_good = false;  // horizontal: there is vision to trust
  std::uint32_t resets = 0;    // jumps of the horizontal position or velocity
};

// For EKF_STATUS_REPORT: flags of namespace ekf, and how badly measurements fit (1: as badly as is allowed).
struct EstimatorReport {
  std::uint16_t flags = 0;
  double velocity = 0, position = 0, height = 0, compass = 0;
};

struct VisionDelta {
  Eigen::Vector3d position = Eigen::Vector3d::Zero();  // m, in the body axes of its end
  Eigen::Vector3d angle = Eigen::Vector3d::Zero();     // rad, rotation vector
  double span = 0;                                     // s
  double confidence = 0;                               // %
};

struct VisionPose {
  Eigen::Vector3d position = Eigen::Vector3d::Zero();  // m, NED
  double yaw = 0;                                      // rad
  bool has_velocity = false;
  Eigen::Vector3d velocity = Eigen::Vector3d::Zero();  // m/s, FRD
  std::uint8_t reset_counter = 0;
};

}  // namespace tandem::orca
