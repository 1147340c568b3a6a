// SPDX-License-Identifier: Apache-2.0
// mavros_msgs: the services that command an autopilot.
#pragma once

#include "tandem/ros2/messages/mavros_msgs.hpp"
#include "tandem/ros2/messages/rcl_interfaces.hpp"
#include "tandem/ros2/messages/types.hpp"

namespace tandem::ros2::mavros_msgs {

struct CommandAck {
  static constexpr std::string_view type_name = "mavros_msgs/srv/CommandAck";
  struct Request {
    static constexpr std::string_view type_name = "mavros_msgs/srv/CommandAck_Request";
    TANDEM_FIELDS(Request, command, result, progress, result_param2);
    std::uint16_t command = 0;
    std::uint8_t result = 0;
    std::uint8_t progress = 0;
    std::uint32_t result_param2 = 0;
  };
  struct Response {
    static constexpr std::string_view type_name = "mavros_msgs/srv/CommandAck_Response";
    TANDEM_FIELDS(Response, success, result);
    bool success = false;
    std::uint8_t result = 0;
  };
};

struct CommandBool {
  static constexpr std::string_view type_name = "mavros_msgs/srv/CommandBool";
  struct Request {
    static constexpr std::string_view type_name = "mavros_msgs/srv/CommandBool_Request";
    TANDEM_FIELDS(Request, value);
    bool value = false;
  };
  struct Response {
    static constexpr std::string_view type_name = "mavros_msgs/srv/CommandBool_Response";
    TANDEM_FIELDS(Response, success, result);
    bool success = false;
    std::uint8_t result = 0;
  };
};

struct CommandHome {
  static constexpr std::string_view type_name = "mavros_msgs/srv/CommandHome";
  struct Request {
    static constexpr std::string_view type_name = "mavros_msgs/srv/CommandHome_Request";
    TANDEM_FIELDS(Request, current_gps, yaw, latitude, longitude, altitude);
    bool current_gps = false;
    float yaw = 0.0F;
    float latitude = 0.0F;
    float longitude = 0.0F;
    float altitude = 0.0F;
  };
  struct Response {
    static constexpr std::string_view type_name = "mavros_msgs/srv/CommandHome_Response";
    TANDEM_FIELDS(Response, success, result);
    bool success = false;
    std::uint8_t result = 0;
  };
};

struct CommandInt {
  static constexpr std::string_view type_name = "mavros_msgs/srv/CommandInt";
  struct Request {
    static constexpr std::string_view type_name = "mavros_msgs/srv/CommandInt_Request";
    TANDEM_FIELDS(Request, broadcast, frame, command, current, autocontinue, param1, param2, param3, param4, x, y, z);
    bool broadcast = false;
    std::uint8_t frame = 0;
    std::uint16_t command = 0;
    std::uint8_t current = 0;
    std::uint8_t autocontinue = 0;
    float param1 = 0.0F;
    float param2 = 0.0F;
    float param3 = 0.0F;
    float param4 = 0.0F;
    std::int32_t x = 0;
    std::int32_t y = 0;
    float z = 0.0F;
  };
  struct Response {
    static constexpr std::string_view type_name = "mavros_msgs/srv/CommandInt_Response";
    TANDEM_FIELDS(Response, success);
    bool success = false;
  };
};

struct CommandLong {
  static constexpr std::string_view type_name = "mavros_msgs/srv/CommandLong";
  struct Request {
    static constexpr std::string_view type_name = "mavros_msgs/srv/CommandLong_Request";
    TANDEM_FIELDS(Request, broadcast, command, confirmation, param1, param2, param3, param4, param5, param6, param7);
    bool broadcast = false;
    std::uint16_t command = 0;
    std::uint8_t confirmation = 0;
    float param1 = 0.0F;
    float param2 = 0.0F;
    float param3 = 0.0F;
    float param4 = 0.0F;
    float param5 = 0.0F;
    float param6 = 0.0F;
    float param7 = 0.0F;
  };
  struct Response {
    static constexpr std::string_view type_name = "mavros_msgs/srv/CommandLong_Response";
    TANDEM_FIELDS(Response, success, result);
    bool success = false;
    std::uint8_t result = 0;
  };
};

struct CommandTriggerControl {
  static constexpr std::string_view type_name = "mavros_msgs/srv/CommandTriggerControl";
  struct Request {
    static constexpr std::string_view type_name = "mavros_msgs/srv/CommandTriggerControl_Request";
    TANDEM_FIELDS(Request, trigger_enable, sequence_reset, trigger_pause);
    bool trigger_enable = false;
    bool sequence_reset = false;
    bool trigger_pause = false;
  };
  struct Response {
    static constexpr std::string_view type_name = "mavros_msgs/srv/CommandTriggerControl_Response";
    TANDEM_FIELDS(Response, success, result);
    bool success = false;
    std::uint8_t result = 0;
  };
};

struct MessageInterval {
  static constexpr std::string_view type_name = "mavros_msgs/srv/MessageInterval";
  struct Request {
    static constexpr std::string_view type_name = "mavros_msgs/srv/MessageInterval_Request";
    TANDEM_FIELDS(Request, message_id, message_rate);
    std::uint32_t message_id = 0;
    float message_rate = 0.0F;
  };
  struct Response {
    static constexpr std::string_view type_name = "mavros_msgs/srv/MessageInterval_Response";
    TANDEM_FIELDS(Response, success);
    bool success = false;
  };
};

struct ParamGet {
  static constexpr std::string_view type_name = "mavros_msgs/srv/ParamGet";
  struct Request {
    static constexpr std::string_view type_name = "mavros_msgs/srv/ParamGet_Request";
    TANDEM_FIELDS(Request, param_id);
    std::string param_id;
  };
  struct Response {
    static constexpr std::string_view type_name = "mavros_msgs/srv/ParamGet_Response";
    TANDEM_FIELDS(Response, success, value);
    bool success = false;
    ParamValue value;
  };
};

struct ParamPull {
  static constexpr std::string_view type_name = "mavros_msgs/srv/ParamPull";
  struct Request {
    static constexpr std::string_view type_name = "mavros_msgs/srv/ParamPull_Request";
    TANDEM_FIELDS(Request, force_pull);
    bool force_pull = false;
  };
  struct Response {
    static constexpr std::string_view type_name = "mavros_msgs/srv/ParamPull_Response";
    TANDEM_FIELDS(Response, success, param_received);
    bool success = false;
    std::uint32_t param_received = 0;
  };
};

struct ParamPush {
  static constexpr std::string_view type_name = "mavros_msgs/srv/ParamPush";
  struct Request {
    static constexpr std::string_view type_name = "mavros_msgs/srv/ParamPush_Request";
    TANDEM_FIELDS(Request);
  };
  struct Response {
    static constexpr std::string_view type_name = "mavros_msgs/srv/ParamPush_Response";
    TANDEM_FIELDS(Response, success, param_transfered);
    bool success = false;
    std::uint32_t param_transfered = 0;
  };
};

struct ParamSetV2 {
  static constexpr std::string_view type_name = "mavros_msgs/srv/ParamSetV2";
  struct Request {
    static constexpr std::string_view type_name = "mavros_msgs/srv/ParamSetV2_Request";
    TANDEM_FIELDS(Request, force_set, param_id, value);
    bool force_set = false;
    std::string param_id;
    rcl_interfaces::ParameterValue value;
  };
  struct Response {
    static constexpr std::string_view type_name = "mavros_msgs/srv/ParamSetV2_Response";
    TANDEM_FIELDS(Response, success, value);
    bool success = false;
    rcl_interfaces::ParameterValue value;
  };
};

struct ParamSet {
  static constexpr std::string_view type_name = "mavros_msgs/srv/ParamSet";
  struct Request {
    static constexpr std::string_view type_name = "mavros_msgs/srv/ParamSet_Request";
    TANDEM_FIELDS(Request, param_id, value);
    std::string param_id;
    ParamValue value;
  };
  struct Response {
    static constexpr std::string_view type_name = "mavros_msgs/srv/ParamSet_Response";
    TANDEM_FIELDS(Response, success, value);
    bool success = false;
    ParamValue value;
  };
};

struct SetMode {
  static constexpr std::string_view type_name = "mavros_msgs/srv/SetMode";
  struct Request {
    static constexpr std::string_view type_name = "mavros_msgs/srv/SetMode_Request";
    TANDEM_FIELDS(Request, base_mode, custom_mode);

    static constexpr std::uint8_t MAV_MODE_PREFLIGHT = 0;
    static constexpr std::uint8_t MAV_MODE_STABILIZE_DISARMED = 80;
    static constexpr std::uint8_t MAV_MODE_STABILIZE_ARMED = 208;
    static constexpr std::uint8_t MAV_MODE_MANUAL_DISARMED = 64;
    static constexpr std::uint8_t MAV_MODE_MANUAL_ARMED = 192;
    static constexpr std::uint8_t MAV_MODE_GUIDED_DISARMED = 88;
    static constexpr std::uint8_t MAV_MODE_GUIDED_ARMED = 216;
    static constexpr std::uint8_t MAV_MODE_AUTO_DISARMED = 92;
    static constexpr std::uint8_t MAV_MODE_AUTO_ARMED = 220;
    static constexpr std::uint8_t MAV_MODE_TEST_DISARMED = 66;
    static constexpr std::uint8_t MAV_MODE_TEST_ARMED = 194;

    std::uint8_t base_mode = 0;
    std::string custom_mode;
  };
  struct Response {
    static constexpr std::string_view type_name = "mavros_msgs/srv/SetMode_Response";
    TANDEM_FIELDS(Response, mode_sent);
    bool mode_sent = false;
  };
};

struct StreamRate {
  static constexpr std::string_view type_name = "mavros_msgs/srv/StreamRate";
  struct Request {
    static constexpr std::string_view type_name = "mavros_msgs/srv/StreamRate_Request";
    TANDEM_FIELDS(Request, stream_id, message_rate, on_off);

    static constexpr std::uint8_t STREAM_ALL = 0;
    static constexpr std::uint8_t STREAM_RAW_SENSORS = 1;
    static constexpr std::uint8_t STREAM_EXTENDED_STATUS = 2;
    static constexpr std::uint8_t STREAM_RC_CHANNELS = 3;
    static constexpr std::uint8_t STREAM_RAW_CONTROLLER = 4;
    static constexpr std::uint8_t STREAM_POSITION = 6;
    static constexpr std::uint8_t STREAM_EXTRA1 = 10;
    static constexpr std::uint8_t STREAM_EXTRA2 = 11;
    static constexpr std::uint8_t STREAM_EXTRA3 = 12;

    std::uint8_t stream_id = 0;
    std::uint16_t message_rate = 0;
    bool on_off = false;
  };
  struct Response {
    static constexpr std::string_view type_name = "mavros_msgs/srv/StreamRate_Response";
    TANDEM_FIELDS(Response);
  };
};

struct VehicleInfoGet {
  static constexpr std::string_view type_name = "mavros_msgs/srv/VehicleInfoGet";
  struct Request {
    static constexpr std::string_view type_name = "mavros_msgs/srv/VehicleInfoGet_Request";
    TANDEM_FIELDS(Request, sysid, compid, get_all);

    static constexpr std::uint8_t GET_MY_SYSID = 0;
    static constexpr std::uint8_t GET_MY_COMPID = 0;

    std::uint8_t sysid = 0;
    std::uint8_t compid = 0;
    bool get_all = false;
  };
  struct Response {
    static constexpr std::string_view type_name = "mavros_msgs/srv/VehicleInfoGet_Response";
    TANDEM_FIELDS(Response, success, vehicles);
    bool success = false;
    std::vector<VehicleInfo> vehicles;
  };
};

struct WaypointClear {
  static constexpr std::string_view type_name = "mavros_msgs/srv/WaypointClear";
  struct Request {
    static constexpr std::string_view type_name = "mavros_msgs/srv/WaypointClear_Request";
    TANDEM_FIELDS(Request);
  };
  struct Response {
    static constexpr std::string_view type_name = "mavros_msgs/srv/WaypointClear_Response";
    TANDEM_FIELDS(Response, success);
    bool success = false;
  };
};

struct WaypointPull {
  static constexpr std::string_view type_name = "mavros_msgs/srv/WaypointPull";
  struct Request {
    static constexpr std::string_view type_name = "mavros_msgs/srv/WaypointPull_Request";
    TANDEM_FIELDS(Request);
  };
  struct Response {
    static constexpr std::string_view type_name = "mavros_msgs/srv/WaypointPull_Response";
    TANDEM_FIELDS(Response, success, wp_received);
    bool success = false;
    std::uint32_t wp_received = 0;
  };
};

struct WaypointPush {
  static constexpr std::string_view type_name = "mavros_msgs/srv/WaypointPush";
  struct Request {
    static constexpr std::string_view type_name = "mavros_msgs/srv/WaypointPush_Request";
    TANDEM_FIELDS(Request, start_index, waypoints);
    std::uint16_t start_index = 0;
    std::vector<Waypoint> waypoints;
  };
  struct Response {
    static constexpr std::string_view type_name = "mavros_msgs/srv/WaypointPush_Response";
    TANDEM_FIELDS(Response, success, wp_transfered);
    bool success = false;
    std::uint32_t wp_transfered = 0;
  };
};

struct WaypointSetCurrent {
  static constexpr std::string_view type_name = "mavros_msgs/srv/WaypointSetCurrent";
  struct Request {
    static constexpr std::string_view type_name = "mavros_msgs/srv/WaypointSetCurrent_Request";
    TANDEM_FIELDS(Request, wp_seq);
    std::uint16_t wp_seq = 0;
  };
  struct Response {
    static constexpr std::string_view type_name = "mavros_msgs/srv/WaypointSetCurrent_Response";
    TANDEM_FIELDS(Response, success);
    bool success = false;
  };
};

using Services = Types<CommandAck, CommandBool, CommandHome, CommandInt, CommandLong, CommandTriggerControl,
                       MessageInterval, ParamGet, ParamPull, ParamPush, ParamSetV2, ParamSet, SetMode, StreamRate,
                       VehicleInfoGet, WaypointClear, WaypointPull, WaypointPush, WaypointSetCurrent>;

}  // namespace tandem::ros2::mavros_msgs
