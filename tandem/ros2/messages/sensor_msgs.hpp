// sensor_msgs: what sensors and joints report.
#pragma once

#include "tandem/ros2/messages/std_msgs.hpp"

namespace tandem::ros2::sensor_msgs {

struct JointState {
  static constexpr std::string_view type_name = "sensor_msgs/msg/JointState";
  static constexpr auto fields() {
    return std::tuple{field("header", &JointState::header), field("name", &JointState::name),
                      field("position", &JointState::position), field("velocity", &JointState::velocity),
                      field("effort", &JointState::effort)};
  }
  std_msgs::Header header;
  std::vector<std::string> name;
  std::vector<double> position;
  std::vector<double> velocity;
  std::vector<double> effort;
  bool operator==(const JointState&) const = default;
};

struct CompressedImage {
  static constexpr std::string_view type_name = "sensor_msgs/msg/CompressedImage";
  static constexpr auto fields() {
    return std::tuple{field("header", &CompressedImage::header), field("format", &CompressedImage::format),
                      field("data", &CompressedImage::data)};
  }
  std_msgs::Header header;
  std::string format;
  std::vector<std::uint8_t> data;
  bool operator==(const CompressedImage&) const = default;
};

}  // namespace tandem::ros2::sensor_msgs
