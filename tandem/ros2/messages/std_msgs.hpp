// SPDX-License-Identifier: Apache-2.0
// std_msgs: a header, one value, or an array of them.
#pragma once

#include "tandem/ros2/messages/builtin_interfaces.hpp"
#include "tandem/ros2/messages/types.hpp"

namespace tandem::ros2::std_msgs {

struct Bool {
  static constexpr std::string_view type_name = "std_msgs/msg/Bool";
  TANDEM_FIELDS(Bool, data);
  bool data = false;
};

struct Byte {
  static constexpr std::string_view type_name = "std_msgs/msg/Byte";
  TANDEM_FIELDS(Byte, data);
  std::byte data{};
};

struct MultiArrayDimension {
  static constexpr std::string_view type_name = "std_msgs/msg/MultiArrayDimension";
  TANDEM_FIELDS(MultiArrayDimension, label, size, stride);
  std::string label;
  std::uint32_t size = 0;
  std::uint32_t stride = 0;
};

struct MultiArrayLayout {
  static constexpr std::string_view type_name = "std_msgs/msg/MultiArrayLayout";
  TANDEM_FIELDS(MultiArrayLayout, dim, data_offset);
  std::vector<MultiArrayDimension> dim;
  std::uint32_t data_offset = 0;
};

struct ByteMultiArray {
  static constexpr std::string_view type_name = "std_msgs/msg/ByteMultiArray";
  TANDEM_FIELDS(ByteMultiArray, layout, data);
  MultiArrayLayout layout;
  std::vector<std::byte> data;
};

struct Char {
  static constexpr std::string_view type_name = "std_msgs/msg/Char";
  TANDEM_FIELDS(Char, data);
  char data = 0;
};

struct ColorRGBA {
  static constexpr std::string_view type_name = "std_msgs/msg/ColorRGBA";
  TANDEM_FIELDS(ColorRGBA, r, g, b, a);
  float r = 0.0F;
  float g = 0.0F;
  float b = 0.0F;
  float a = 0.0F;
};

struct Empty {
  static constexpr std::string_view type_name = "std_msgs/msg/Empty";
  TANDEM_FIELDS(Empty);
};

struct Float32 {
  static constexpr std::string_view type_name = "std_msgs/msg/Float32";
  TANDEM_FIELDS(Float32, data);
  float data = 0.0F;
};

struct Float32MultiArray {
  static constexpr std::string_view type_name = "std_msgs/msg/Float32MultiArray";
  TANDEM_FIELDS(Float32MultiArray, layout, data);
  MultiArrayLayout layout;
  std::vector<float> data;
};

struct Float64 {
  static constexpr std::string_view type_name = "std_msgs/msg/Float64";
  TANDEM_FIELDS(Float64, data);
  double data = 0.0;
};

struct Float64MultiArray {
  static constexpr std::string_view type_name = "std_msgs/msg/Float64MultiArray";
  TANDEM_FIELDS(Float64MultiArray, layout, data);
  MultiArrayLayout layout;
  std::vector<double> data;
};

struct Header {
  static constexpr std::string_view type_name = "std_msgs/msg/Header";
  TANDEM_FIELDS(Header, stamp, frame_id);
  builtin_interfaces::Time stamp;
  std::string frame_id;
};

struct Int16 {
  static constexpr std::string_view type_name = "std_msgs/msg/Int16";
  TANDEM_FIELDS(Int16, data);
  std::int16_t data = 0;
};

struct Int16MultiArray {
  static constexpr std::string_view type_name = "std_msgs/msg/Int16MultiArray";
  TANDEM_FIELDS(Int16MultiArray, layout, data);
  MultiArrayLayout layout;
  std::vector<std::int16_t> data;
};

struct Int32 {
  static constexpr std::string_view type_name = "std_msgs/msg/Int32";
  TANDEM_FIELDS(Int32, data);
  std::int32_t data = 0;
};

struct Int32MultiArray {
  static constexpr std::string_view type_name = "std_msgs/msg/Int32MultiArray";
  TANDEM_FIELDS(Int32MultiArray, layout, data);
  MultiArrayLayout layout;
  std::vector<std::int32_t> data;
};

struct Int64 {
  static constexpr std::string_view type_name = "std_msgs/msg/Int64";
  TANDEM_FIELDS(Int64, data);
  std::int64_t data = 0;
};

struct Int64MultiArray {
  static constexpr std::string_view type_name = "std_msgs/msg/Int64MultiArray";
  TANDEM_FIELDS(Int64MultiArray, layout, data);
  MultiArrayLayout layout;
  std::vector<std::int64_t> data;
};

struct Int8 {
  static constexpr std::string_view type_name = "std_msgs/msg/Int8";
  TANDEM_FIELDS(Int8, data);
  std::int8_t data = 0;
};

struct Int8MultiArray {
  static constexpr std::string_view type_name = "std_msgs/msg/Int8MultiArray";
  TANDEM_FIELDS(Int8MultiArray, layout, data);
  MultiArrayLayout layout;
  std::vector<std::int8_t> data;
};

struct String {
  static constexpr std::string_view type_name = "std_msgs/msg/String";
  TANDEM_FIELDS(String, data);
  std::string data;
};

struct UInt16 {
  static constexpr std::string_view type_name = "std_msgs/msg/UInt16";
  TANDEM_FIELDS(UInt16, data);
  std::uint16_t data = 0;
};

struct UInt16MultiArray {
  static constexpr std::string_view type_name = "std_msgs/msg/UInt16MultiArray";
  TANDEM_FIELDS(UInt16MultiArray, layout, data);
  MultiArrayLayout layout;
  std::vector<std::uint16_t> data;
};

struct UInt32 {
  static constexpr std::string_view type_name = "std_msgs/msg/UInt32";
  TANDEM_FIELDS(UInt32, data);
  std::uint32_t data = 0;
};

struct UInt32MultiArray {
  static constexpr std::string_view type_name = "std_msgs/msg/UInt32MultiArray";
  TANDEM_FIELDS(UInt32MultiArray, layout, data);
  MultiArrayLayout layout;
  std::vector<std::uint32_t> data;
};

struct UInt64 {
  static constexpr std::string_view type_name = "std_msgs/msg/UInt64";
  TANDEM_FIELDS(UInt64, data);
  std::uint64_t data = 0;
};

struct UInt64MultiArray {
  static constexpr std::string_view type_name = "std_msgs/msg/UInt64MultiArray";
  TANDEM_FIELDS(UInt64MultiArray, layout, data);
  MultiArrayLayout layout;
  std::vector<std::uint64_t> data;
};

struct UInt8 {
  static constexpr std::string_view type_name = "std_msgs/msg/UInt8";
  TANDEM_FIELDS(UInt8, data);
  std::uint8_t data = 0;
};

struct UInt8MultiArray {
  static constexpr std::string_view type_name = "std_msgs/msg/UInt8MultiArray";
  TANDEM_FIELDS(UInt8MultiArray, layout, data);
  MultiArrayLayout layout;
  std::vector<std::uint8_t> data;
};

using Messages = Types<Bool, Byte, ByteMultiArray, Char, ColorRGBA, Empty, Float32, Float32MultiArray, Float64,
                       Float64MultiArray, Header, Int16, Int16MultiArray, Int32, Int32MultiArray, Int64,
                       Int64MultiArray, Int8, Int8MultiArray, MultiArrayDimension, MultiArrayLayout, String, UInt16,
                       UInt16MultiArray, UInt32, UInt32MultiArray, UInt64, UInt64MultiArray, UInt8, UInt8MultiArray>;
using Services = Types<>;
using Actions = Types<>;

}  // namespace tandem::ros2::std_msgs
