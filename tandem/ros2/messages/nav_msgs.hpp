// SPDX-License-Identifier: Apache-2.0
// nav_msgs: odometry, paths and maps.
#pragma once

#include "tandem/ros2/messages/builtin_interfaces.hpp"
#include "tandem/ros2/messages/geometry_msgs.hpp"
#include "tandem/ros2/messages/std_msgs.hpp"
#include "tandem/ros2/messages/types.hpp"

namespace tandem::ros2::nav_msgs {

struct GridCells {
  static constexpr std::string_view type_name = "nav_msgs/msg/GridCells";
  TANDEM_FIELDS(GridCells, header, cell_width, cell_height, cells);
  std_msgs::Header header;
  float cell_width = 0.0F;
  float cell_height = 0.0F;
  std::vector<geometry_msgs::Point> cells;
};

struct MapMetaData {
  static constexpr std::string_view type_name = "nav_msgs/msg/MapMetaData";
  TANDEM_FIELDS(MapMetaData, map_load_time, resolution, width, height, origin);
  builtin_interfaces::Time map_load_time;
  float resolution = 0.0F;
  std::uint32_t width = 0;
  std::uint32_t height = 0;
  geometry_msgs::Pose origin;
};

struct OccupancyGrid {
  static constexpr std::string_view type_name = "nav_msgs/msg/OccupancyGrid";
  TANDEM_FIELDS(OccupancyGrid, header, info, data);
  std_msgs::Header header;
  MapMetaData info;
  std::vector<std::int8_t> data;
};

struct Odometry {
  static constexpr std::string_view type_name = "nav_msgs/msg/Odometry";
  TANDEM_FIELDS(Odometry, header, child_frame_id, pose, twist);
  std_msgs::Header header;
  std::string child_frame_id;
  geometry_msgs::PoseWithCovariance pose;
  geometry_msgs::TwistWithCovariance twist;
};

struct Path {
  static constexpr std::string_view type_name = "nav_msgs/msg/Path";
  TANDEM_FIELDS(Path, header, poses);
  std_msgs::Header header;
  std::vector<geometry_msgs::PoseStamped> poses;
};

struct GetMap {
  static constexpr std::string_view type_name = "nav_msgs/srv/GetMap";
  struct Request {
    static constexpr std::string_view type_name = "nav_msgs/srv/GetMap_Request";
    TANDEM_FIELDS(Request);
  };
  struct Response {
    static constexpr std::string_view type_name = "nav_msgs/srv/GetMap_Response";
    TANDEM_FIELDS(Response, map);
    OccupancyGrid map;
  };
};

struct GetPlan {
  static constexpr std::string_view type_name = "nav_msgs/srv/GetPlan";
  struct Request {
    static constexpr std::string_view type_name = "nav_msgs/srv/GetPlan_Request";
    TANDEM_FIELDS(Request, start, goal, tolerance);
    geometry_msgs::PoseStamped start;
    geometry_msgs::PoseStamped goal;
    float tolerance = 0.0F;
  };
  struct Response {
    static constexpr std::string_view type_name = "nav_msgs/srv/GetPlan_Response";
    TANDEM_FIELDS(Response, plan);
    Path plan;
  };
};

struct LoadMap {
  static constexpr std::string_view type_name = "nav_msgs/srv/LoadMap";
  struct Request {
    static constexpr std::string_view type_name = "nav_msgs/srv/LoadMap_Request";
    TANDEM_FIELDS(Request, map_url);
    std::string map_url;
  };
  struct Response {
    static constexpr std::string_view type_name = "nav_msgs/srv/LoadMap_Response";
    TANDEM_FIELDS(Response, map, result);

    static constexpr std::uint8_t RESULT_SUCCESS = 0;
    static constexpr std::uint8_t RESULT_MAP_DOES_NOT_EXIST = 1;
    static constexpr std::uint8_t RESULT_INVALID_MAP_DATA = 2;
    static constexpr std::uint8_t RESULT_INVALID_MAP_METADATA = 3;
    static constexpr std::uint8_t RESULT_UNDEFINED_FAILURE = 255;

    OccupancyGrid map;
    std::uint8_t result = 0;
  };
};

struct SetMap {
  static constexpr std::string_view type_name = "nav_msgs/srv/SetMap";
  struct Request {
    static constexpr std::string_view type_name = "nav_msgs/srv/SetMap_Request";
    TANDEM_FIELDS(Request, map, initial_pose);
    OccupancyGrid map;
    geometry_msgs::PoseWithCovarianceStamped initial_pose;
  };
  struct Response {
    static constexpr std::string_view type_name = "nav_msgs/srv/SetMap_Response";
    TANDEM_FIELDS(Response, success);
    bool success = false;
  };
};

using Messages = Types<GridCells, MapMetaData, OccupancyGrid, Odometry, Path>;
using Services = Types<GetMap, GetPlan, LoadMap, SetMap>;
using Actions = Types<>;

}  // namespace tandem::ros2::nav_msgs
