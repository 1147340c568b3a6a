// nav_msgs: odometry, paths and maps.
#pragma once

#include "tandem/ros2/messages/builtin_interfaces.hpp"
#include "tandem/ros2/messages/geometry_msgs.hpp"
#include "tandem/ros2/messages/std_msgs.hpp"
#include "tandem/ros2/messages/types.hpp"

namespace tandem::ros2::nav_msgs {

struct GridCells {
  static constexpr std::string_view type_name = "nav_msgs/msg/GridCells";
  static constexpr auto fields() {
    return Fields{field("header", &GridCells::header), field("cell_width", &GridCells::cell_width),
                  field("cell_height", &GridCells::cell_height), field("cells", &GridCells::cells)};
  }
  std_msgs::Header header;
  float cell_width = 0.0F;
  float cell_height = 0.0F;
  std::vector<geometry_msgs::Point> cells;
  bool operator==(const GridCells&) const = default;
};

struct MapMetaData {
  static constexpr std::string_view type_name = "nav_msgs/msg/MapMetaData";
  static constexpr auto fields() {
    return Fields{field("map_load_time", &MapMetaData::map_load_time), field("resolution", &MapMetaData::resolution),
                  field("width", &MapMetaData::width), field("height", &MapMetaData::height),
                  field("origin", &MapMetaData::origin)};
  }
  builtin_interfaces::Time map_load_time;
  float resolution = 0.0F;
  std::uint32_t width = 0;
  std::uint32_t height = 0;
  geometry_msgs::Pose origin;
  bool operator==(const MapMetaData&) const = default;
};

struct OccupancyGrid {
  static constexpr std::string_view type_name = "nav_msgs/msg/OccupancyGrid";
  static constexpr auto fields() {
    return Fields{field("header", &OccupancyGrid::header), field("info", &OccupancyGrid::info),
                  field("data", &OccupancyGrid::data)};
  }
  std_msgs::Header header;
  MapMetaData info;
  std::vector<std::int8_t> data;
  bool operator==(const OccupancyGrid&) const = default;
};

struct Odometry {
  static constexpr std::string_view type_name = "nav_msgs/msg/Odometry";
  static constexpr auto fields() {
    return Fields{field("header", &Odometry::header), field("child_frame_id", &Odometry::child_frame_id),
                  field("pose", &Odometry::pose), field("twist", &Odometry::twist)};
  }
  std_msgs::Header header;
  std::string child_frame_id;
  geometry_msgs::PoseWithCovariance pose;
  geometry_msgs::TwistWithCovariance twist;
  bool operator==(const Odometry&) const = default;
};

struct Path {
  static constexpr std::string_view type_name = "nav_msgs/msg/Path";
  static constexpr auto fields() { return Fields{field("header", &Path::header), field("poses", &Path::poses)}; }
  std_msgs::Header header;
  std::vector<geometry_msgs::PoseStamped> poses;
  bool operator==(const Path&) const = default;
};

struct GetMap {
  static constexpr std::string_view type_name = "nav_msgs/srv/GetMap";
  struct Request {
    static constexpr std::string_view type_name = "nav_msgs/srv/GetMap_Request";
    static constexpr auto fields() { return Fields{}; }
    bool operator==(const Request&) const = default;
  };
  struct Response {
    static constexpr std::string_view type_name = "nav_msgs/srv/GetMap_Response";
    static constexpr auto fields() { return Fields{field("map", &Response::map)}; }
    OccupancyGrid map;
    bool operator==(const Response&) const = default;
  };
};

struct GetPlan {
  static constexpr std::string_view type_name = "nav_msgs/srv/GetPlan";
  struct Request {
    static constexpr std::string_view type_name = "nav_msgs/srv/GetPlan_Request";
    static constexpr auto fields() {
      return Fields{field("start", &Request::start), field("goal", &Request::goal),
                    field("tolerance", &Request::tolerance)};
    }
    geometry_msgs::PoseStamped start;
    geometry_msgs::PoseStamped goal;
    float tolerance = 0.0F;
    bool operator==(const Request&) const = default;
  };
  struct Response {
    static constexpr std::string_view type_name = "nav_msgs/srv/GetPlan_Response";
    static constexpr auto fields() { return Fields{field("plan", &Response::plan)}; }
    Path plan;
    bool operator==(const Response&) const = default;
  };
};

struct LoadMap {
  static constexpr std::string_view type_name = "nav_msgs/srv/LoadMap";
  struct Request {
    static constexpr std::string_view type_name = "nav_msgs/srv/LoadMap_Request";
    static constexpr auto fields() { return Fields{field("map_url", &Request::map_url)}; }
    std::string map_url;
    bool operator==(const Request&) const = default;
  };
  struct Response {
    static constexpr std::string_view type_name = "nav_msgs/srv/LoadMap_Response";
    static constexpr auto fields() { return Fields{field("map", &Response::map), field("result", &Response::result)}; }

    static constexpr std::uint8_t RESULT_SUCCESS = 0;
    static constexpr std::uint8_t RESULT_MAP_DOES_NOT_EXIST = 1;
    static constexpr std::uint8_t RESULT_INVALID_MAP_DATA = 2;
    static constexpr std::uint8_t RESULT_INVALID_MAP_METADATA = 3;
    static constexpr std::uint8_t RESULT_UNDEFINED_FAILURE = 255;

    OccupancyGrid map;
    std::uint8_t result = 0;
    bool operator==(const Response&) const = default;
  };
};

struct SetMap {
  static constexpr std::string_view type_name = "nav_msgs/srv/SetMap";
  struct Request {
    static constexpr std::string_view type_name = "nav_msgs/srv/SetMap_Request";
    static constexpr auto fields() {
      return Fields{field("map", &Request::map), field("initial_pose", &Request::initial_pose)};
    }
    OccupancyGrid map;
    geometry_msgs::PoseWithCovarianceStamped initial_pose;
    bool operator==(const Request&) const = default;
  };
  struct Response {
    static constexpr std::string_view type_name = "nav_msgs/srv/SetMap_Response";
    static constexpr auto fields() { return Fields{field("success", &Response::success)}; }
    bool success = false;
    bool operator==(const Response&) const = default;
  };
};

using Messages = Types<GridCells, MapMetaData, OccupancyGrid, Odometry, Path>;
using Services = Types<GetMap, GetPlan, LoadMap, SetMap>;
using Actions = Types<>;

}  // namespace tandem::ros2::nav_msgs
