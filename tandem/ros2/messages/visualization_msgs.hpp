// SPDX-License-Identifier: Apache-2.0
// visualization_msgs: shapes for viewers.
#pragma once

#include "tandem/ros2/messages/builtin_interfaces.hpp"
#include "tandem/ros2/messages/geometry_msgs.hpp"
#include "tandem/ros2/messages/sensor_msgs.hpp"
#include "tandem/ros2/messages/std_msgs.hpp"
#include "tandem/ros2/messages/types.hpp"

namespace tandem::ros2::visualization_msgs {

struct ImageMarker {
  static constexpr std::string_view type_name = "visualization_msgs/msg/ImageMarker";
  TANDEM_FIELDS(ImageMarker, header, ns, id, type, action, position, scale, outline_color, filled, fill_color, lifetime,
                points, outline_colors);

  // type
  static constexpr std::int32_t CIRCLE = 0;
  static constexpr std::int32_t LINE_STRIP = 1;
  static constexpr std::int32_t LINE_LIST = 2;
  static constexpr std::int32_t POLYGON = 3;
  static constexpr std::int32_t POINTS = 4;
  // action
  static constexpr std::int32_t ADD = 0;
  static constexpr std::int32_t REMOVE = 1;

  std_msgs::Header header;
  std::string ns;
  std::int32_t id = 0;
  std::int32_t type = 0;
  std::int32_t action = 0;
  geometry_msgs::Point position;
  float scale = 0.0F;
  std_msgs::ColorRGBA outline_color;
  std::uint8_t filled = 0;
  std_msgs::ColorRGBA fill_color;
  builtin_interfaces::Duration lifetime;
  std::vector<geometry_msgs::Point> points;
  std::vector<std_msgs::ColorRGBA> outline_colors;
};

struct MenuEntry {
  static constexpr std::string_view type_name = "visualization_msgs/msg/MenuEntry";
  TANDEM_FIELDS(MenuEntry, id, parent_id, title, command, command_type);

  static constexpr std::uint8_t FEEDBACK = 0;
  static constexpr std::uint8_t ROSRUN = 1;
  static constexpr std::uint8_t ROSLAUNCH = 2;

  std::uint32_t id = 0;
  std::uint32_t parent_id = 0;
  std::string title;
  std::string command;
  std::uint8_t command_type = 0;
};

struct UVCoordinate {
  static constexpr std::string_view type_name = "visualization_msgs/msg/UVCoordinate";
  TANDEM_FIELDS(UVCoordinate, u, v);
  float u = 0.0F;
  float v = 0.0F;
};

struct MeshFile {
  static constexpr std::string_view type_name = "visualization_msgs/msg/MeshFile";
  TANDEM_FIELDS(MeshFile, filename, data);
  std::string filename;
  std::vector<std::uint8_t> data;
};

struct Marker {
  static constexpr std::string_view type_name = "visualization_msgs/msg/Marker";
  TANDEM_FIELDS(Marker, header, ns, id, type, action, pose, scale, color, lifetime, frame_locked, points, colors,
                texture_resource, texture, uv_coordinates, text, mesh_resource, mesh_file, mesh_use_embedded_materials);

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
};

struct InteractiveMarkerControl {
  static constexpr std::string_view type_name = "visualization_msgs/msg/InteractiveMarkerControl";
  TANDEM_FIELDS(InteractiveMarkerControl, name, orientation, orientation_mode, interaction_mode, always_visible,
                markers, independent_marker_orientation, description);

  // orientation_mode
  static constexpr std::uint8_t INHERIT = 0;
  static constexpr std::uint8_t FIXED = 1;
  static constexpr std::uint8_t VIEW_FACING = 2;
  // interaction_mode
  static constexpr std::uint8_t NONE = 0;
  static constexpr std::uint8_t MENU = 1;
  static constexpr std::uint8_t BUTTON = 2;
  static constexpr std::uint8_t MOVE_AXIS = 3;
  static constexpr std::uint8_t MOVE_PLANE = 4;
  static constexpr std::uint8_t ROTATE_AXIS = 5;
  static constexpr std::uint8_t MOVE_ROTATE = 6;
  static constexpr std::uint8_t MOVE_3D = 7;
  static constexpr std::uint8_t ROTATE_3D = 8;
  static constexpr std::uint8_t MOVE_ROTATE_3D = 9;

  std::string name;
  geometry_msgs::Quaternion orientation;
  std::uint8_t orientation_mode = 0;
  std::uint8_t interaction_mode = 0;
  bool always_visible = false;
  std::vector<Marker> markers;
  bool independent_marker_orientation = false;
  std::string description;
};

struct InteractiveMarker {
  static constexpr std::string_view type_name = "visualization_msgs/msg/InteractiveMarker";
  TANDEM_FIELDS(InteractiveMarker, header, pose, name, description, scale, menu_entries, controls);
  std_msgs::Header header;
  geometry_msgs::Pose pose;
  std::string name;
  std::string description;
  float scale = 0.0F;
  std::vector<MenuEntry> menu_entries;
  std::vector<InteractiveMarkerControl> controls;
};

struct InteractiveMarkerFeedback {
  static constexpr std::string_view type_name = "visualization_msgs/msg/InteractiveMarkerFeedback";
  TANDEM_FIELDS(InteractiveMarkerFeedback, header, client_id, marker_name, control_name, event_type, pose,
                menu_entry_id, mouse_point, mouse_point_valid);

  static constexpr std::uint8_t KEEP_ALIVE = 0;
  static constexpr std::uint8_t POSE_UPDATE = 1;
  static constexpr std::uint8_t MENU_SELECT = 2;
  static constexpr std::uint8_t BUTTON_CLICK = 3;
  static constexpr std::uint8_t MOUSE_DOWN = 4;
  static constexpr std::uint8_t MOUSE_UP = 5;

  std_msgs::Header header;
  std::string client_id;
  std::string marker_name;
  std::string control_name;
  std::uint8_t event_type = 0;
  geometry_msgs::Pose pose;
  std::uint32_t menu_entry_id = 0;
  geometry_msgs::Point mouse_point;
  bool mouse_point_valid = false;
};

struct InteractiveMarkerInit {
  static constexpr std::string_view type_name = "visualization_msgs/msg/InteractiveMarkerInit";
  TANDEM_FIELDS(InteractiveMarkerInit, server_id, seq_num, markers);
  std::string server_id;
  std::uint64_t seq_num = 0;
  std::vector<InteractiveMarker> markers;
};

struct InteractiveMarkerPose {
  static constexpr std::string_view type_name = "visualization_msgs/msg/InteractiveMarkerPose";
  TANDEM_FIELDS(InteractiveMarkerPose, header, pose, name);
  std_msgs::Header header;
  geometry_msgs::Pose pose;
  std::string name;
};

struct InteractiveMarkerUpdate {
  static constexpr std::string_view type_name = "visualization_msgs/msg/InteractiveMarkerUpdate";
  TANDEM_FIELDS(InteractiveMarkerUpdate, server_id, seq_num, type, markers, poses, erases);

  static constexpr std::uint8_t KEEP_ALIVE = 0;
  static constexpr std::uint8_t UPDATE = 1;

  std::string server_id;
  std::uint64_t seq_num = 0;
  std::uint8_t type = 0;
  std::vector<InteractiveMarker> markers;
  std::vector<InteractiveMarkerPose> poses;
  std::vector<std::string> erases;
};

struct MarkerArray {
  static constexpr std::string_view type_name = "visualization_msgs/msg/MarkerArray";
  TANDEM_FIELDS(MarkerArray, markers);
  std::vector<Marker> markers;
};

struct GetInteractiveMarkers {
  static constexpr std::string_view type_name = "visualization_msgs/srv/GetInteractiveMarkers";
  struct Request {
    static constexpr std::string_view type_name = "visualization_msgs/srv/GetInteractiveMarkers_Request";
    TANDEM_FIELDS(Request);
  };
  struct Response {
    static constexpr std::string_view type_name = "visualization_msgs/srv/GetInteractiveMarkers_Response";
    TANDEM_FIELDS(Response, sequence_number, markers);
    std::uint64_t sequence_number = 0;
    std::vector<InteractiveMarker> markers;
  };
};

using Messages =
    Types<ImageMarker, InteractiveMarker, InteractiveMarkerControl, InteractiveMarkerFeedback, InteractiveMarkerInit,
          InteractiveMarkerPose, InteractiveMarkerUpdate, Marker, MarkerArray, MenuEntry, MeshFile, UVCoordinate>;
using Services = Types<GetInteractiveMarkers>;
using Actions = Types<>;

}  // namespace tandem::ros2::visualization_msgs
