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
    static constexpr auto fields() {
      return Fields{field("command", &Request::command), field("result", &Request::result),
                    field("progress", &Request::progress), field("result_param2", &Request::result_param2)};
    }
    std::uint16_t command = 0;
    std::uint8_t result = 0;
    std::uint8_t progress = 0;
    std::uint32_t result_param2 = 0;
    bool operator==(const Request&) const = default;
  };
  struct Response {
    static constexpr std::string_view type_name = "mavros_msgs/srv/CommandAck_Response";
    static constexpr auto fields() {
      return Fields{field("success", &Response::success), field("result", &Response::result)};
    }
    bool success = false;
    std::uint8_t result = 0;
    bool operator==(const Response&) const = default;
  };
};

struct CommandBool {
  static constexpr std::string_view type_name = "mavros_msgs/srv/CommandBool";
  struct Request {
    static constexpr std::string_view type_name = "mavros_msgs/srv/CommandBool_Request";
    static constexpr auto fields() { return Fields{field("value", &Request::value)}; }
    bool value = false;
    bool operator==(const Request&) const = default;
  };
  struct Response {
    static constexpr std::string_view type_name = "mavros_msgs/srv/CommandBool_Response";
    static constexpr auto fields() {
      return Fields{field("success", &Response::success), field("result", &Response::result)};
    }
    bool success = false;
    std::uint8_t result = 0;
    bool operator==(const Response&) const = default;
  };
};

struct CommandHome {
  static constexpr std::string_view type_name = "mavros_msgs/srv/CommandHome";
  struct Request {
    static constexpr std::string_view type_name = "mavros_msgs/srv/CommandHome_Request";
    static constexpr auto fields() {
      return Fields{field("current_gps", &Request::current_gps), field("yaw", &Request::yaw),
                    field("latitude", &Request::latitude), field("longitude", &Request::longitude),
                    field("altitude", &Request::altitude)};
    }
    bool current_gps = false;
    float yaw = 0.0F;
    float latitude = 0.0F;
    float longitude = 0.0F;
    float altitude = 0.0F;
    bool operator==(const Request&) const = default;
  };
  struct Response {
    static constexpr std::string_view type_name = "mavros_msgs/srv/CommandHome_Response";
    static constexpr auto fields() {
      return Fields{field("success", &Response::success), field("result", &Response::result)};
    }
    bool success = false;
    std::uint8_t result = 0;
    bool operator==(const Response&) const = default;
  };
};

struct CommandInt {
  static constexpr std::string_view type_name = "mavros_msgs/srv/CommandInt";
  struct Request {
    static constexpr std::string_view type_name = "mavros_msgs/srv/CommandInt_Request";
    static constexpr auto fields() {
      return Fields{field("broadcast", &Request::broadcast),
                    field("frame", &Request::frame),
                    field("command", &Request::command),
                    field("current", &Request::current),
                    field("autocontinue", &Request::autocontinue),
                    field("param1", &Request::param1),
                    field("param2", &Request::param2),
                    field("param3", &Request::param3),
                    field("param4", &Request::param4),
                    field("x", &Request::x),
                    field("y", &Request::y),
                    field("z", &Request::z)};
    }
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
    bool operator==(const Request&) const = default;
  };
  struct Response {
    static constexpr std::string_view type_name = "mavros_msgs/srv/CommandInt_Response";
    static constexpr auto fields() { return Fields{field("success", &Response::success)}; }
    bool success = false;
    bool operator==(const Response&) const = default;
  };
};

struct CommandLong {
  static constexpr std::string_view type_name = "mavros_msgs/srv/CommandLong";
  struct Request {
    static constexpr std::string_view type_name = "mavros_msgs/srv/CommandLong_Request";
    static constexpr auto fields() {
      return Fields{field("broadcast", &Request::broadcast),
                    field("command", &Request::command),
                    field("confirmation", &Request::confirmation),
                    field("param1", &Request::param1),
                    field("param2", &Request::param2),
                    field("param3", &Request::param3),
                    field("param4", &Request::param4),
                    field("param5", &Request::param5),
                    field("param6", &Request::param6),
                    field("param7", &Request::param7)};
    }
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
    bool operator==(const Request&) const = default;
  };
  struct Response {
    static constexpr std::string_view type_name = "mavros_msgs/srv/CommandLong_Response";
    static constexpr auto fields() {
      return Fields{field("success", &Response::success), field("result", &Response::result)};
    }
    bool success = false;
    std::uint8_t result = 0;
    bool operator==(const Response&) const = default;
  };
};

struct CommandTriggerControl {
  static constexpr std::string_view type_name = "mavros_msgs/srv/CommandTriggerControl";
  struct Request {
    static constexpr std::string_view type_name = "mavros_msgs/srv/CommandTriggerControl_Request";
    static constexpr auto fields() {
      return Fields{field("trigger_enable", &Request::trigger_enable),
                    field("sequence_reset", &Request::sequence_reset), field("trigger_pause", &Request::trigger_pause)};
    }
    bool trigger_enable = false;
    bool sequence_reset = false;
    bool trigger_pause = false;
    bool operator==(const Request&) const = default;
  };
  struct Response {
    static constexpr std::string_view type_name = "mavros_msgs/srv/CommandTriggerControl_Response";
    static constexpr auto fields() {
      return Fields{field("success", &Response::success), field("result", &Response::result)};
    }
    bool success = false;
    std::uint8_t result = 0;
    bool operator==(const Response&) const = default;
  };
};

struct MessageInterval {
  static constexpr std::string_view type_name = "mavros_msgs/srv/MessageInterval";
  struct Request {
    static constexpr std::string_view type_name = "mavros_msgs/srv/MessageInterval_Request";
    static constexpr auto fields() {
      return Fields{field("message_id", &Request::message_id), field("message_rate", &Request::message_rate)};
    }
    std::uint32_t message_id = 0;
    float message_rate = 0.0F;
    bool operator==(const Request&) const = default;
  };
  struct Response {
    static constexpr std::string_view type_name = "mavros_msgs/srv/MessageInterval_Response";
    static constexpr auto fields() { return Fields{field("success", &Response::success)}; }
    bool success = false;
    bool operator==(const Response&) const = default;
  };
};

struct ParamGet {
  static constexpr std::string_view type_name = "mavros_msgs/srv/ParamGet";
  struct Request {
    static constexpr std::string_view type_name = "mavros_msgs/srv/ParamGet_Request";
    static constexpr auto fields() { return Fields{field("param_id", &Request::param_id)}; }
    std::string param_id;
    bool operator==(const Request&) const = default;
  };
  struct Response {
    static constexpr std::string_view type_name = "mavros_msgs/srv/ParamGet_Response";
    static constexpr auto fields() {
      return Fields{field("success", &Response::success), field("value", &Response::value)};
    }
    bool success = false;
    ParamValue value;
    bool operator==(const Response&) const = default;
  };
};

struct ParamPull {
  static constexpr std::string_view type_name = "mavros_msgs/srv/ParamPull";
  struct Request {
    static constexpr std::string_view type_name = "mavros_msgs/srv/ParamPull_Request";
    static constexpr auto fields() { return Fields{field("force_pull", &Request::force_pull)}; }
    bool force_pull = false;
    bool operator==(const Request&) const = default;
  };
  struct Response {
    static constexpr std::string_view type_name = "mavros_msgs/srv/ParamPull_Response";
    static constexpr auto fields() {
      return Fields{field("success", &Response::success), field("param_received", &Response::param_received)};
    }
    bool success = false;
    std::uint32_t param_received = 0;
    bool operator==(const Response&) const = default;
  };
};

struct ParamPush {
  static constexpr std::string_view type_name = "mavros_msgs/srv/ParamPush";
  struct Request {
    static constexpr std::string_view type_name = "mavros_msgs/srv/ParamPush_Request";
    static constexpr auto fields() { return Fields{}; }
    bool operator==(const Request&) const = default;
  };
  struct Response {
    static constexpr std::string_view type_name = "mavros_msgs/srv/ParamPush_Response";
    static constexpr auto fields() {
      return Fields{field("success", &Response::success), field("param_transfered", &Response::param_transfered)};
    }
    bool success = false;
    std::uint32_t param_transfered = 0;
    bool operator==(const Response&) const = default;
  };
};

struct ParamSetV2 {
  static constexpr std::string_view type_name = "mavros_msgs/srv/ParamSetV2";
  struct Request {
    static constexpr std::string_view type_name = "mavros_msgs/srv/ParamSetV2_Request";
    static constexpr auto fields() {
      return Fields{field("force_set", &Request::force_set), field("param_id", &Request::param_id),
                    field("value", &Request::value)};
    }
    bool force_set = false;
    std::string param_id;
    rcl_interfaces::ParameterValue value;
    bool operator==(const Request&) const = default;
  };
  struct Response {
    static constexpr std::string_view type_name = "mavros_msgs/srv/ParamSetV2_Response";
    static constexpr auto fields() {
      return Fields{field("success", &Response::success), field("value", &Response::value)};
    }
    bool success = false;
    rcl_interfaces::ParameterValue value;
    bool operator==(const Response&) const = default;
  };
};

struct ParamSet {
  static constexpr std::string_view type_name = "mavros_msgs/srv/ParamSet";
  struct Request {
    static constexpr std::string_view type_name = "mavros_msgs/srv/ParamSet_Request";
    static constexpr auto fields() {
      return Fields{field("param_id", &Request::param_id), field("value", &Request::value)};
    }
    std::string param_id;
    ParamValue value;
    bool operator==(const Request&) const = default;
  };
  struct Response {
    static constexpr std::string_view type_name = "mavros_msgs/srv/ParamSet_Response";
    static constexpr auto fields() {
      return Fields{field("success", &Response::success), field("value", &Response::value)};
    }
    bool success = false;
    ParamValue value;
    bool operator==(const Response&) const = default;
  };
};

struct SetMode {
  static constexpr std::string_view type_name = "mavros_msgs/srv/SetMode";
  struct Request {
    static constexpr std::string_view type_name = "mavros_msgs/srv/SetMode_Request";
    static constexpr auto fields() {
      return Fields{field("base_mode", &Request::base_mode), field("custom_mode", &Request::custom_mode)};
    }

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
    bool operator==(const Request&) const = default;
  };
  struct Response {
    static constexpr std::string_view type_name = "mavros_msgs/srv/SetMode_Response";
    static constexpr auto fields() { return Fields{field("mode_sent", &Response::mode_sent)}; }
    bool mode_sent = false;
    bool operator==(const Response&) const = default;
  };
};

struct StreamRate {
  static constexpr std::string_view type_name = "mavros_msgs/srv/StreamRate";
  struct Request {
    static constexpr std::string_view type_name = "mavros_msgs/srv/StreamRate_Request";
    static constexpr auto fields() {
      return Fields{field("stream_id", &Request::stream_id), field("message_rate", &Request::message_rate),
                    field("on_off", &Request::on_off)};
    }

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
    bool operator==(const Request&) const = default;
  };
  struct Response {
    static constexpr std::string_view type_name = "mavros_msgs/srv/StreamRate_Response";
    static constexpr auto fields() { return Fields{}; }
    bool operator==(const Response&) const = default;
  };
};

struct VehicleInfoGet {
  static constexpr std::string_view type_name = "mavros_msgs/srv/VehicleInfoGet";
  struct Request {
    static constexpr std::string_view type_name = "mavros_msgs/srv/VehicleInfoGet_Request";
    static constexpr auto fields() {
      return Fields{field("sysid", &Request::sysid), field("compid", &Request::compid),
                    field("get_all", &Request::get_all)};
    }

    static constexpr std::uint8_t GET_MY_SYSID = 0;
    static constexpr std::uint8_t GET_MY_COMPID = 0;

    std::uint8_t sysid = 0;
    std::uint8_t compid = 0;
    bool get_all = false;
    bool operator==(const Request&) const = default;
  };
  struct Response {
    static constexpr std::string_view type_name = "mavros_msgs/srv/VehicleInfoGet_Response";
    static constexpr auto fields() {
      return Fields{field("success", &Response::success), field("vehicles", &Response::vehicles)};
    }
    bool success = false;
    std::vector<VehicleInfo> vehicles;
    bool operator==(const Response&) const = default;
  };
};

struct WaypointClear {
  static constexpr std::string_view type_name = "mavros_msgs/srv/WaypointClear";
  struct Request {
    static constexpr std::string_view type_name = "mavros_msgs/srv/WaypointClear_Request";
    static constexpr auto fields() { return Fields{}; }
    bool operator==(const Request&) const = default;
  };
  struct Response {
    static constexpr std::string_view type_name = "mavros_msgs/srv/WaypointClear_Response";
    static constexpr auto fields() { return Fields{field("success", &Response::success)}; }
    bool success = false;
    bool operator==(const Response&) const = default;
  };
};

struct WaypointPull {
  static constexpr std::string_view type_name = "mavros_msgs/srv/WaypointPull";
  struct Request {
    static constexpr std::string_view type_name = "mavros_msgs/srv/WaypointPull_Request";
    static constexpr auto fields() { return Fields{}; }
    bool operator==(const Request&) const = default;
  };
  struct Response {
    static constexpr std::string_view type_name = "mavros_msgs/srv/WaypointPull_Response";
    static constexpr auto fields() {
      return Fields{field("success", &Response::success), field("wp_received", &Response::wp_received)};
    }
    bool success = false;
    std::uint32_t wp_received = 0;
    bool operator==(const Response&) const = default;
  };
};

struct WaypointPush {
  static constexpr std::string_view type_name = "mavros_msgs/srv/WaypointPush";
  struct Request {
    static constexpr std::string_view type_name = "mavros_msgs/srv/WaypointPush_Request";
    static constexpr auto fields() {
      return Fields{field("start_index", &Request::start_index), field("waypoints", &Request::waypoints)};
    }
    std::uint16_t start_index = 0;
    std::vector<Waypoint> waypoints;
    bool operator==(const Request&) const = default;
  };
  struct Response {
    static constexpr std::string_view type_name = "mavros_msgs/srv/WaypointPush_Response";
    static constexpr auto fields() {
      return Fields{field("success", &Response::success), field("wp_transfered", &Response::wp_transfered)};
    }
    bool success = false;
    std::uint32_t wp_transfered = 0;
    bool operator==(const Response&) const = default;
  };
};

struct WaypointSetCurrent {
  static constexpr std::string_view type_name = "mavros_msgs/srv/WaypointSetCurrent";
  struct Request {
    static constexpr std::string_view type_name = "mavros_msgs/srv/WaypointSetCurrent_Request";
    static constexpr auto fields() { return Fields{field("wp_seq", &Request::wp_seq)}; }
    std::uint16_t wp_seq = 0;
    bool operator==(const Request&) const = default;
  };
  struct Response {
    static constexpr std::string_view type_name = "mavros_msgs/srv/WaypointSetCurrent_Response";
    static constexpr auto fields() { return Fields{field("success", &Response::success)}; }
    bool success = false;
    bool operator==(const Response&) const = default;
  };
};

using Services = Types<CommandAck, CommandBool, CommandHome, CommandInt, CommandLong, CommandTriggerControl,
                       MessageInterval, ParamGet, ParamPull, ParamPush, ParamSetV2, ParamSet, SetMode, StreamRate,
                       VehicleInfoGet, WaypointClear, WaypointPull, WaypointPush, WaypointSetCurrent>;

}  // namespace tandem::ros2::mavros_msgs
