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
  static constexpr auto fields() {
    return Fields{field("header", &ImageMarker::header),
                  field("ns", &ImageMarker::ns),
                  field("id", &ImageMarker::id),
                  field("type", &ImageMarker::type),
                  field("action", &ImageMarker::action),
                  field("position", &ImageMarker::position),
                  field("scale", &ImageMarker::scale),
                  field("outline_color", &ImageMarker::outline_color),
                  field("filled", &ImageMarker::filled),
                  field("fill_color", &ImageMarker::fill_color),
                  field("lifetime", &ImageMarker::lifetime),
                  field("points", &ImageMarker::points),
                  field("outline_colors", &ImageMarker::outline_colors)};
  }

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
  bool operator==(const ImageMarker&) const = default;
};

struct MenuEntry {
  static constexpr std::string_view type_name = "visualization_msgs/msg/MenuEntry";
  static constexpr auto fields() {
    return Fields{field("id", &MenuEntry::id), field("parent_id", &MenuEntry::parent_id),
                  field("title", &MenuEntry::title), field("command", &MenuEntry::command),
                  field("command_type", &MenuEntry::command_type)};
  }

  static constexpr std::uint8_t FEEDBACK = 0;
  static constexpr std::uint8_t ROSRUN = 1;
  static constexpr std::uint8_t ROSLAUNCH = 2;

  std::uint32_t id = 0;
  std::uint32_t parent_id = 0;
  std::string title;
  std::string command;
  std::uint8_t command_type = 0;
  bool operator==(const MenuEntry&) const = default;
};

struct UVCoordinate {
  static constexpr std::string_view type_name = "visualization_msgs/msg/UVCoordinate";
  static constexpr auto fields() { return Fields{field("u", &UVCoordinate::u), field("v", &UVCoordinate::v)}; }
  float u = 0.0F;
  float v = 0.0F;
  bool operator==(const UVCoordinate&) const = default;
};

struct MeshFile {
  static constexpr std::string_view type_name = "visualization_msgs/msg/MeshFile";
  static constexpr auto fields() {
    return Fields{field("filename", &MeshFile::filename), field("data", &MeshFile::data)};
  }
  std::string filename;
  std::vector<std::uint8_t> data;
  bool operator==(const MeshFile&) const = default;
};

struct Marker {
  static constexpr std::string_view type_name = "visualization_msgs/msg/Marker";
  static constexpr auto fields() {
    return Fields{field("header", &Marker::header),
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

struct InteractiveMarkerControl {
  static constexpr std::string_view type_name = "visualization_msgs/msg/InteractiveMarkerControl";
  static constexpr auto fields() {
    return Fields{field("name", &InteractiveMarkerControl::name),
                  field("orientation", &InteractiveMarkerControl::orientation),
                  field("orientation_mode", &InteractiveMarkerControl::orientation_mode),
                  field("interaction_mode", &InteractiveMarkerControl::interaction_mode),
                  field("always_visible", &InteractiveMarkerControl::always_visible),
                  field("markers", &InteractiveMarkerControl::markers),
                  field("independent_marker_orientation", &InteractiveMarkerControl::independent_marker_orientation),
                  field("description", &InteractiveMarkerControl::description)};
  }

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
  bool operator==(const InteractiveMarkerControl&) const = default;
};

struct InteractiveMarker {
  static constexpr std::string_view type_name = "visualization_msgs/msg/InteractiveMarker";
  static constexpr auto fields() {
    return Fields{
        field("header", &InteractiveMarker::header),    field("pose", &InteractiveMarker::pose),
        field("name", &InteractiveMarker::name),        field("description", &InteractiveMarker::description),
        field("scale", &InteractiveMarker::scale),      field("menu_entries", &InteractiveMarker::menu_entries),
        field("controls", &InteractiveMarker::controls)};
  }
  std_msgs::Header header;
  geometry_msgs::Pose pose;
  std::string name;
  std::string description;
  float scale = 0.0F;
  std::vector<MenuEntry> menu_entries;
  std::vector<InteractiveMarkerControl> controls;
  bool operator==(const InteractiveMarker&) const = default;
};

struct InteractiveMarkerFeedback {
  static constexpr std::string_view type_name = "visualization_msgs/msg/InteractiveMarkerFeedback";
  static constexpr auto fields() {
    return Fields{field("header", &InteractiveMarkerFeedback::header),
                  field("client_id", &InteractiveMarkerFeedback::client_id),
                  field("marker_name", &InteractiveMarkerFeedback::marker_name),
                  field("control_name", &InteractiveMarkerFeedback::control_name),
                  field("event_type", &InteractiveMarkerFeedback::event_type),
                  field("pose", &InteractiveMarkerFeedback::pose),
                  field("menu_entry_id", &InteractiveMarkerFeedback::menu_entry_id),
                  field("mouse_point", &InteractiveMarkerFeedback::mouse_point),
                  field("mouse_point_valid", &InteractiveMarkerFeedback::mouse_point_valid)};
  }

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
  bool operator==(const InteractiveMarkerFeedback&) const = default;
};

struct InteractiveMarkerInit {
  static constexpr std::string_view type_name = "visualization_msgs/msg/InteractiveMarkerInit";
  static constexpr auto fields() {
    return Fields{field("server_id", &InteractiveMarkerInit::server_id),
                  field("seq_num", &InteractiveMarkerInit::seq_num), field("markers", &InteractiveMarkerInit::markers)};
  }
  std::string server_id;
  std::uint64_t seq_num = 0;
  std::vector<InteractiveMarker> markers;
  bool operator==(const InteractiveMarkerInit&) const = default;
};

struct InteractiveMarkerPose {
  static constexpr std::string_view type_name = "visualization_msgs/msg/InteractiveMarkerPose";
  static constexpr auto fields() {
    return Fields{field("header", &InteractiveMarkerPose::header), field("pose", &InteractiveMarkerPose::pose),
                  field("name", &InteractiveMarkerPose::name)};
  }
  std_msgs::Header header;
  geometry_msgs::Pose pose;
  std::string name;
  bool operator==(const InteractiveMarkerPose&) const = default;
};

struct InteractiveMarkerUpdate {
  static constexpr std::string_view type_name = "visualization_msgs/msg/InteractiveMarkerUpdate";
  static constexpr auto fields() {
    return Fields{
        field("server_id", &InteractiveMarkerUpdate::server_id), field("seq_num", &InteractiveMarkerUpdate::seq_num),
        field("type", &InteractiveMarkerUpdate::type),           field("markers", &InteractiveMarkerUpdate::markers),
        field("poses", &InteractiveMarkerUpdate::poses),         field("erases", &InteractiveMarkerUpdate::erases)};
  }

  static constexpr std::uint8_t KEEP_ALIVE = 0;
  static constexpr std::uint8_t UPDATE = 1;

  std::string server_id;
  std::uint64_t seq_num = 0;
  std::uint8_t type = 0;
  std::vector<InteractiveMarker> markers;
  std::vector<InteractiveMarkerPose> poses;
  std::vector<std::string> erases;
  bool operator==(const InteractiveMarkerUpdate&) const = default;
};

struct MarkerArray {
  static constexpr std::string_view type_name = "visualization_msgs/msg/MarkerArray";
  static constexpr auto fields() { return Fields{field("markers", &MarkerArray::markers)}; }
  std::vector<Marker> markers;
  bool operator==(const MarkerArray&) const = default;
};

struct GetInteractiveMarkers {
  static constexpr std::string_view type_name = "visualization_msgs/srv/GetInteractiveMarkers";
  struct Request {
    static constexpr std::string_view type_name = "visualization_msgs/srv/GetInteractiveMarkers_Request";
    static constexpr auto fields() { return Fields{}; }
    bool operator==(const Request&) const = default;
  };
  struct Response {
    static constexpr std::string_view type_name = "visualization_msgs/srv/GetInteractiveMarkers_Response";
    static constexpr auto fields() {
      return Fields{field("sequence_number", &Response::sequence_number), field("markers", &Response::markers)};
    }
    std::uint64_t sequence_number = 0;
    std::vector<InteractiveMarker> markers;
    bool operator==(const Response&) const = default;
  };
};

using Messages =
    Types<ImageMarker, InteractiveMarker, InteractiveMarkerControl, InteractiveMarkerFeedback, InteractiveMarkerInit,
          InteractiveMarkerPose, InteractiveMarkerUpdate, Marker, MarkerArray, MenuEntry, MeshFile, UVCoordinate>;
using Services = Types<GetInteractiveMarkers>;
using Actions = Types<>;

}  // namespace tandem::ros2::visualization_msgs
