// SPDX-License-Identifier: Apache-2.0
// orca_msgs: the state of an underwater vehicle's localization.
#pragma once

#include "tandem/ros2/messages/std_msgs.hpp"
#include "tandem/ros2/messages/types.hpp"

namespace tandem::ros2::orca_msgs {

struct BridgeStatus {
  static constexpr std::string_view type_name = "orca_msgs/msg/BridgeStatus";
  TANDEM_FIELDS(BridgeStatus, header, flags, sonar_rf, slam_rf, scale);

  static constexpr std::uint16_t WAIT_TRANSFORMS = 1;
  static constexpr std::uint16_t WAIT_SONAR_RF = 2;
  static constexpr std::uint16_t WAIT_EKF = 4;
  static constexpr std::uint16_t WAIT_SLAM = 8;
  static constexpr std::uint16_t OK_OUTLIER = 16;

  std_msgs::Header header;
  std::uint16_t flags = 0;
  double sonar_rf = 0.0;
  double slam_rf = 0.0;
  double scale = 0.0;
};

struct FilterStatus {
  static constexpr std::string_view type_name = "orca_msgs/msg/FilterStatus";
  TANDEM_FIELDS(FilterStatus, header, flags, velocity_variance, pos_horiz_variance, pos_vert_variance, compass_variance,
                terrain_alt_variance, airspeed_variance);

  static constexpr std::uint16_t EKF_ATTUDE = 1;
  static constexpr std::uint16_t EKF_VELOCITY_HORIZ = 2;
  static constexpr std::uint16_t EKF_VELOCITY_VERT = 4;
  static constexpr std::uint16_t EKF_POS_HORIZ_REL = 8;
  static constexpr std::uint16_t EKF_POS_HORIZ_ABS = 16;
  static constexpr std::uint16_t EKF_POS_VERT_ABS = 32;
  static constexpr std::uint16_t EKF_POS_VERT_AGL = 64;
  static constexpr std::uint16_t EKF_CONST_POS_MODE = 128;
  static constexpr std::uint16_t EKF_PRED_POS_HORIZ_REL = 256;
  static constexpr std::uint16_t EKF_PRED_POS_HORIZ_ABS = 512;
  static constexpr std::uint16_t EKF_UNINITIALIZED = 1024;
  static constexpr std::uint16_t EKF_GPS_GLITCHING = 32768;

  std_msgs::Header header;
  std::uint16_t flags = 0;
  float velocity_variance = 0.0F;
  float pos_horiz_variance = 0.0F;
  float pos_vert_variance = 0.0F;
  float compass_variance = 0.0F;
  float terrain_alt_variance = 0.0F;
  float airspeed_variance = 0.0F;
};

using Messages = Types<BridgeStatus, FilterStatus>;
using Services = Types<>;
using Actions = Types<>;

}  // namespace tandem::ros2::orca_msgs
