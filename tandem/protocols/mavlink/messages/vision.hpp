// SPDX-License-Identifier: Apache-2.0
// MAVLink messages: pose from outside, for the estimator to fuse. Units are those of the wire.
#pragma once

#include "tandem/protocols/mavlink/codec/message.hpp"

namespace tandem::mavlink {

// Change of pose between two images: rotation vector from the previous to the current body FRD frame, and the change of
// position turned into the current one.
struct VisionPositionDelta {
  static constexpr std::string_view wire_name = "VISION_POSITION_DELTA";
  static constexpr std::uint32_t wire_id = 11011;
  TANDEM_FIELDS(VisionPositionDelta, time_usec, time_delta_usec, angle_delta, position_delta, confidence);
  std::uint64_t time_usec = 0;            // us
  std::uint64_t time_delta_usec = 0;      // us
  std::array<float, 3> angle_delta{};     // rad
  std::array<float, 3> position_delta{};  // m
  float confidence = 0;                   // %
};

// Pose in local NED.
struct VisionPositionEstimate {
  static constexpr std::string_view wire_name = "VISION_POSITION_ESTIMATE";
  static constexpr std::uint32_t wire_id = 102;
  static constexpr auto fields() {
    return Fields{TANDEM_EACH(field, VisionPositionEstimate, usec, x, y, z, roll, pitch, yaw),
                  TANDEM_EACH(extension, VisionPositionEstimate, covariance, reset_counter)};
  }
  std::uint64_t usec = 0;  // us
  float x = 0;             // m
  float y = 0;             // m
  float z = 0;             // m
  float roll = 0;          // rad
  float pitch = 0;         // rad
  float yaw = 0;           // rad
  std::array<float, 21> covariance{};
  std::uint8_t reset_counter = 0;
  bool operator==(const VisionPositionEstimate&) const = default;
};

// Velocity in local NED.
struct VisionSpeedEstimate {
  static constexpr std::string_view wire_name = "VISION_SPEED_ESTIMATE";
  static constexpr std::uint32_t wire_id = 103;
  static constexpr auto fields() {
    return Fields{TANDEM_EACH(field, VisionSpeedEstimate, usec, x, y, z),
                  TANDEM_EACH(extension, VisionSpeedEstimate, covariance, reset_counter)};
  }
  std::uint64_t usec = 0;  // us
  float x = 0;             // m/s
  float y = 0;             // m/s
  float z = 0;             // m/s
  std::array<float, 9> covariance{};
  std::uint8_t reset_counter = 0;
  bool operator==(const VisionSpeedEstimate&) const = default;
};

// Pose in a frame fixed to Earth.
struct GlobalVisionPositionEstimate {
  static constexpr std::string_view wire_name = "GLOBAL_VISION_POSITION_ESTIMATE";
  static constexpr std::uint32_t wire_id = 101;
  static constexpr auto fields() {
    return Fields{TANDEM_EACH(field, GlobalVisionPositionEstimate, usec, x, y, z, roll, pitch, yaw),
                  TANDEM_EACH(extension, GlobalVisionPositionEstimate, covariance, reset_counter)};
  }
  std::uint64_t usec = 0;  // us
  float x = 0;             // m
  float y = 0;             // m
  float z = 0;             // m
  float roll = 0;          // rad
  float pitch = 0;         // rad
  float yaw = 0;           // rad
  std::array<float, 21> covariance{};
  std::uint8_t reset_counter = 0;
  bool operator==(const GlobalVisionPositionEstimate&) const = default;
};

// Pose from motion capture.
struct AttPosMocap {
  static constexpr std::string_view wire_name = "ATT_POS_MOCAP";
  static constexpr std::uint32_t wire_id = 138;
  static constexpr auto fields() {
    return Fields{TANDEM_EACH(field, AttPosMocap, time_usec, q, x, y, z),
                  TANDEM_EACH(extension, AttPosMocap, covariance)};
  }
  std::uint64_t time_usec = 0;  // us
  std::array<float, 4> q{};
  float x = 0;  // m
  float y = 0;  // m
  float z = 0;  // m
  std::array<float, 21> covariance{};
  bool operator==(const AttPosMocap&) const = default;
};

// Pose and velocity with covariances, q w first; into the autopilot or out of it.
struct Odometry {
  static constexpr std::string_view wire_name = "ODOMETRY";
  static constexpr std::uint32_t wire_id = 331;
  static constexpr auto fields() {
    return Fields{TANDEM_EACH(field, Odometry, time_usec, frame_id, child_frame_id, x, y, z, q, vx, vy, vz, rollspeed,
                              pitchspeed, yawspeed, pose_covariance, velocity_covariance),
                  TANDEM_EACH(extension, Odometry, reset_counter, estimator_type, quality)};
  }
  std::uint64_t time_usec = 0;  // us
  std::uint8_t frame_id = 0;
  std::uint8_t child_frame_id = 0;
  float x = 0;  // m
  float y = 0;  // m
  float z = 0;  // m
  std::array<float, 4> q{};
  float vx = 0;          // m/s
  float vy = 0;          // m/s
  float vz = 0;          // m/s
  float rollspeed = 0;   // rad/s
  float pitchspeed = 0;  // rad/s
  float yawspeed = 0;    // rad/s
  std::array<float, 21> pose_covariance{};
  std::array<float, 21> velocity_covariance{};
  std::uint8_t reset_counter = 0;
  std::uint8_t estimator_type = 0;
  std::int8_t quality = 0;  // %
  bool operator==(const Odometry&) const = default;
};

}  // namespace tandem::mavlink
