// visualization_msgs: shapes for viewers.
#pragma once

#include "tandem/ros2/messages/builtin_interfaces.hpp"
#include "tandem/ros2/messages/geometry_msgs.hpp"
#include "tandem/ros2/messages/sensor_msgs.hpp"
#include "tandem/ros2/messages/std_msgs.hpp"

namespace tandem::ros2::visualization_msgs {

struct UVCoordinate {
  static constexpr std::string_view type_name = "visualization_msgs/msg/UVCoordinate";
  static constexpr auto fields() { return std::tuple{field("u", &UVCoordinate::u), field("v", &UVCoordinate::v)}; }
  float u = 0.0F;
  float v = 0.0F;
  bool operator==(const UVCoordinate&) const = default;
};

struct MeshFile {
  static constexpr std::string_view type_name = "visualization_msgs/msg/MeshFile";
  static constexpr auto fields() {
    return std::tuple{field("filename", &MeshFile::filename), field("data", &MeshFile::data)};
  }
  std::string filename;
  std::vector<std::uint8_t> data;
  bool operator==(const MeshFile&) const = default;
};

struct Marker {
  static constexpr std::string_view type_name = "visualization_msgs/msg/Marker";
  static constexpr auto fields() {
    return std::tuple{field("header", &Marker::header),
                      field("ns", &Marker::ns),
                      field("id", &Marker::id),
                      field("type", &Marker::type),
                      field("action", &Marker::action),
                      field("pose", &Marker::pose),
                      field("scale", &Marker::scale),
                      field("color", &Marker::color),
                      field("lifetime", &Marker::lifetime),
                      field("frame_locked", &Marker::frame_locked),
                      field("points", &Marker::points),
                      field("colors", &Marker::colors),
                      field("texture_resource", &Marker::texture_resource),
                      field("texture", &Marker::texture),
                      field("uv_coordinates", &Marker::uv_coordinates),
                      field("text", &Marker::text),
                      field("mesh_resource", &Marker::mesh_resource),
                      field("mesh_file", &Marker::mesh_file),
                      field("mesh_use_embedded_materials", &Marker::mesh_use_embedded_materials)};
  }

  // type
  static constexpr std::int32_t ARROW = 0;
  static constexpr std::int32_t CUBE = 1;
  static constexpr std::int32_t SPHERE = 2;
  static constexpr std::int32_t CYLINDER = 3;
  static constexpr std::int32_t LINE_STRIP = 4;
  static constexpr std::int32_t LINE_LIST = 5;
  static constexpr std::int32_t CUBE_LIST = 6;
  static constexpr std::int32_t SPHERE_LIST = 7;
  static constexpr std::int32_t POINTS = 8;
  static constexpr std::int32_t TEXT_VIEW_FACING = 9;
  static constexpr std::int32_t MESH_RESOURCE = 10;
  static constexpr std::int32_t TRIANGLE_LIST = 11;
  static constexpr std::int32_t ARROW_STRIP = 12;
  // action
  static constexpr std::int32_t ADD = 0;
  static constexpr std::int32_t MODIFY = 0;
  static constexpr std::int32_t DELETE = 2;
  static constexpr std::int32_t DELETEALL = 3;

  std_msgs::Header header;
  std::string ns;
  std::int32_t id = 0;
  std::int32_t type = 0;
  std::int32_t action = 0;
  geometry_msgs::Pose pose;
  geometry_msgs::Vector3 scale;
  std_msgs::ColorRGBA color;
  builtin_interfaces::Duration lifetime;
  bool frame_locked = false;
  std::vector<geometry_msgs::Point> points;
  std::vector<std_msgs::ColorRGBA> colors;
  std::string texture_resource;
  sensor_msgs::CompressedImage texture;
  std::vector<UVCoordinate> uv_coordinates;
  std::string text;
  std::string mesh_resource;
  MeshFile mesh_file;
  bool mesh_use_embedded_materials = false;
  bool operator==(const Marker&) const = default;
};

struct MarkerArray {
  static constexpr std::string_view type_name = "visualization_msgs/msg/MarkerArray";
  static constexpr auto fields() { return std::tuple{field("markers", &MarkerArray::markers)}; }
  std::vector<Marker> markers;
  bool operator==(const MarkerArray&) const = default;
};

}  // namespace tandem::ros2::visualization_msgs
