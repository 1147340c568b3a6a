// SPDX-License-Identifier: Apache-2.0
// mavros_msgs: an autopilot behind MAVLink, as the MAVROS node shows it.
#pragma once

#include "tandem/ros2/messages/geographic_msgs.hpp"
#include "tandem/ros2/messages/geometry_msgs.hpp"
#include "tandem/ros2/messages/rcl_interfaces.hpp"
#include "tandem/ros2/messages/std_msgs.hpp"
#include "tandem/ros2/messages/types.hpp"

namespace tandem::ros2::mavros_msgs {

struct AttitudeTarget {
  static constexpr std::string_view type_name = "mavros_msgs/msg/AttitudeTarget";
  TANDEM_FIELDS(AttitudeTarget, header, type_mask, orientation, body_rate, thrust);

  static constexpr std::uint8_t IGNORE_ROLL_RATE = 1;
  static constexpr std::uint8_t IGNORE_PITCH_RATE = 2;
  static constexpr std::uint8_t IGNORE_YAW_RATE = 4;
  static constexpr std::uint8_t IGNORE_THRUST = 64;
  static constexpr std::uint8_t IGNORE_ATTITUDE = 128;

  std_msgs::Header header;
  std::uint8_t type_mask = 0;
  geometry_msgs::Quaternion orientation;
  geometry_msgs::Vector3 body_rate;
  float thrust = 0.0F;
};

struct EstimatorStatus {
  static constexpr std::string_view type_name = "mavros_msgs/msg/EstimatorStatus";
  TANDEM_FIELDS(EstimatorStatus, header, attitude_status_flag, velocity_horiz_status_flag, velocity_vert_status_flag,
                pos_horiz_rel_status_flag, pos_horiz_abs_status_flag, pos_vert_abs_status_flag,
                pos_vert_agl_status_flag, const_pos_mode_status_flag, pred_pos_horiz_rel_status_flag,
                pred_pos_horiz_abs_status_flag, gps_glitch_status_flag, accel_error_status_flag);
  std_msgs::Header header;
  bool attitude_status_flag = false;
  bool velocity_horiz_status_flag = false;
  bool velocity_vert_status_flag = false;
  bool pos_horiz_rel_status_flag = false;
  bool pos_horiz_abs_status_flag = false;
  bool pos_vert_abs_status_flag = false;
  bool pos_vert_agl_status_flag = false;
  bool const_pos_mode_status_flag = false;
  bool pred_pos_horiz_rel_status_flag = false;
  bool pred_pos_horiz_abs_status_flag = false;
  bool gps_glitch_status_flag = false;
  bool accel_error_status_flag = false;
};

struct ExtendedState {
  static constexpr std::string_view type_name = "mavros_msgs/msg/ExtendedState";
  TANDEM_FIELDS(ExtendedState, header, vtol_state, landed_state);

  static constexpr std::uint8_t VTOL_STATE_UNDEFINED = 0;
  static constexpr std::uint8_t VTOL_STATE_TRANSITION_TO_FW = 1;
  static constexpr std::uint8_t VTOL_STATE_TRANSITION_TO_MC = 2;
  static constexpr std::uint8_t VTOL_STATE_MC = 3;
  static constexpr std::uint8_t VTOL_STATE_FW = 4;
  static constexpr std::uint8_t LANDED_STATE_UNDEFINED = 0;
  static constexpr std::uint8_t LANDED_STATE_ON_GROUND = 1;
  static constexpr std::uint8_t LANDED_STATE_IN_AIR = 2;
  static constexpr std::uint8_t LANDED_STATE_TAKEOFF = 3;
  static constexpr std::uint8_t LANDED_STATE_LANDING = 4;

  std_msgs::Header header;
  std::uint8_t vtol_state = 0;
  std::uint8_t landed_state = 0;
};

struct HomePosition {
  static constexpr std::string_view type_name = "mavros_msgs/msg/HomePosition";
  TANDEM_FIELDS(HomePosition, header, geo, position, orientation, approach);
  std_msgs::Header header;
  geographic_msgs::GeoPoint geo;
  geometry_msgs::Point position;
  geometry_msgs::Quaternion orientation;
  geometry_msgs::Vector3 approach;
};

struct ManualControl {
  static constexpr std::string_view type_name = "mavros_msgs/msg/ManualControl";
  TANDEM_FIELDS(ManualControl, header, x, y, z, r, buttons, buttons2, enabled_extensions, s, t, aux1, aux2, aux3, aux4,
                aux5, aux6);
  std_msgs::Header header;
  float x = 0.0F;
  float y = 0.0F;
  float z = 0.0F;
  float r = 0.0F;
  std::uint16_t buttons = 0;
  std::uint16_t buttons2 = 0;
  std::uint8_t enabled_extensions = 0;
  float s = 0.0F;
  float t = 0.0F;
  float aux1 = 0.0F;
  float aux2 = 0.0F;
  float aux3 = 0.0F;
  float aux4 = 0.0F;
  float aux5 = 0.0F;
  float aux6 = 0.0F;
};

struct OverrideRCIn {
  static constexpr std::string_view type_name = "mavros_msgs/msg/OverrideRCIn";
  TANDEM_FIELDS(OverrideRCIn, channels);

  static constexpr std::uint16_t CHAN_RELEASE = 0;
  static constexpr std::uint16_t CHAN_NOCHANGE = 65535;

  std::array<std::uint16_t, 18> channels{};
};

struct ParamValue {
  static constexpr std::string_view type_name = "mavros_msgs/msg/ParamValue";
  TANDEM_FIELDS(ParamValue, integer, real);
  std::int64_t integer = 0;
  double real = 0.0;
};

struct Param {
  static constexpr std::string_view type_name = "mavros_msgs/msg/Param";
  TANDEM_FIELDS(Param, header, param_id, value, param_index, param_count);
  std_msgs::Header header;
  std::string param_id;
  ParamValue value;
  std::uint16_t param_index = 0;
  std::uint16_t param_count = 0;
};

struct ParamEvent {
  static constexpr std::string_view type_name = "mavros_msgs/msg/ParamEvent";
  TANDEM_FIELDS(ParamEvent, header, param_id, value, param_index, param_count);
  std_msgs::Header header;
  std::string param_id;
  rcl_interfaces::ParameterValue value;
  std::uint16_t param_index = 0;
  std::uint16_t param_count = 0;
};

struct PositionTarget {
  static constexpr std::string_view type_name = "mavros_msgs/msg/PositionTarget";
  TANDEM_FIELDS(PositionTarget, header, coordinate_frame, type_mask, position, velocity, acceleration_or_force, yaw,
                yaw_rate);

  // coordinate_frame
  static constexpr std::uint8_t FRAME_LOCAL_NED = 1;
  static constexpr std::uint8_t FRAME_LOCAL_OFFSET_NED = 7;
  static constexpr std::uint8_t FRAME_BODY_NED = 8;
  static constexpr std::uint8_t FRAME_BODY_OFFSET_NED = 9;
  // type_mask
  static constexpr std::uint16_t IGNORE_PX = 1;
  static constexpr std::uint16_t IGNORE_PY = 2;
  static constexpr std::uint16_t IGNORE_PZ = 4;
  static constexpr std::uint16_t IGNORE_VX = 8;
  static constexpr std::uint16_t IGNORE_VY = 16;
  static constexpr std::uint16_t IGNORE_VZ = 32;
  static constexpr std::uint16_t IGNORE_AFX = 64;
  static constexpr std::uint16_t IGNORE_AFY = 128;
  static constexpr std::uint16_t IGNORE_AFZ = 256;
  static constexpr std::uint16_t FORCE = 512;
  static constexpr std::uint16_t IGNORE_YAW = 1024;
  static constexpr std::uint16_t IGNORE_YAW_RATE = 2048;

  std_msgs::Header header;
  std::uint8_t coordinate_frame = 0;
  std::uint16_t type_mask = 0;
  geometry_msgs::Point position;
  geometry_msgs::Vector3 velocity;
  geometry_msgs::Vector3 acceleration_or_force;
  float yaw = 0.0F;
  float yaw_rate = 0.0F;
};

struct RCIn {
  static constexpr std::string_view type_name = "mavros_msgs/msg/RCIn";
  TANDEM_FIELDS(RCIn, header, rssi, channels);
  std_msgs::Header header;
  std::uint8_t rssi = 0;
  std::vector<std::uint16_t> channels;
};

struct RCOut {
  static constexpr std::string_view type_name = "mavros_msgs/msg/RCOut";
  TANDEM_FIELDS(RCOut, header, channels);
  std_msgs::Header header;
  std::vector<std::uint16_t> channels;
};

struct State {
  static constexpr std::string_view type_name = "mavros_msgs/msg/State";
  TANDEM_FIELDS(State, header, connected, armed, guided, manual_input, mode, system_status);

  static constexpr std::string_view MODE_APM_PLANE_MANUAL = "MANUAL";
  static constexpr std::string_view MODE_APM_PLANE_CIRCLE = "CIRCLE";
  static constexpr std::string_view MODE_APM_PLANE_STABILIZE = "STABILIZE";
  static constexpr std::string_view MODE_APM_PLANE_TRAINING = "TRAINING";
  static constexpr std::string_view MODE_APM_PLANE_ACRO = "ACRO";
  static constexpr std::string_view MODE_APM_PLANE_FBWA = "FBWA";
  static constexpr std::string_view MODE_APM_PLANE_FBWB = "FBWB";
  static constexpr std::string_view MODE_APM_PLANE_CRUISE = "CRUISE";
  static constexpr std::string_view MODE_APM_PLANE_AUTOTUNE = "AUTOTUNE";
  static constexpr std::string_view MODE_APM_PLANE_AUTO = "AUTO";
  static constexpr std::string_view MODE_APM_PLANE_RTL = "RTL";
  static constexpr std::string_view MODE_APM_PLANE_LOITER = "LOITER";
  static constexpr std::string_view MODE_APM_PLANE_LAND = "LAND";
  static constexpr std::string_view MODE_APM_PLANE_GUIDED = "GUIDED";
  static constexpr std::string_view MODE_APM_PLANE_INITIALISING = "INITIALISING";
  static constexpr std::string_view MODE_APM_PLANE_QSTABILIZE = "QSTABILIZE";
  static constexpr std::string_view MODE_APM_PLANE_QHOVER = "QHOVER";
  static constexpr std::string_view MODE_APM_PLANE_QLOITER = "QLOITER";
  static constexpr std::string_view MODE_APM_PLANE_QLAND = "QLAND";
  static constexpr std::string_view MODE_APM_PLANE_QRTL = "QRTL";
  static constexpr std::string_view MODE_APM_COPTER_STABILIZE = "STABILIZE";
  static constexpr std::string_view MODE_APM_COPTER_ACRO = "ACRO";
  static constexpr std::string_view MODE_APM_COPTER_ALT_HOLD = "ALT_HOLD";
  static constexpr std::string_view MODE_APM_COPTER_AUTO = "AUTO";

  std_msgs::Header header;
  bool connected = false;
  bool armed = false;
  bool guided = false;
  bool manual_input = false;
  std::string mode;
  std::uint8_t system_status = 0;
};

struct StatusText {
  static constexpr std::string_view type_name = "mavros_msgs/msg/StatusText";
  TANDEM_FIELDS(StatusText, header, severity, text);

  static constexpr std::uint8_t EMERGENCY = 0;
  static constexpr std::uint8_t ALERT = 1;
  static constexpr std::uint8_t CRITICAL = 2;
  static constexpr std::uint8_t ERROR = 3;
  static constexpr std::uint8_t WARNING = 4;
  static constexpr std::uint8_t NOTICE = 5;
  static constexpr std::uint8_t INFO = 6;
  static constexpr std::uint8_t DEBUG = 7;

  std_msgs::Header header;
  std::uint8_t severity = 0;
  std::string text;
};

struct SysStatus {
  static constexpr std::string_view type_name = "mavros_msgs/msg/SysStatus";
  TANDEM_FIELDS(SysStatus, header, sensors_present, sensors_enabled, sensors_health, load, voltage_battery,
                current_battery, battery_remaining, drop_rate_comm, errors_comm, errors_count1, errors_count2,
                errors_count3, errors_count4);
  std_msgs::Header header;
  std::uint32_t sensors_present = 0;
  std::uint32_t sensors_enabled = 0;
  std::uint32_t sensors_health = 0;
  std::uint16_t load = 0;
  std::uint16_t voltage_battery = 0;
  std::int16_t current_battery = 0;
  std::int8_t battery_remaining = 0;
  std::uint16_t drop_rate_comm = 0;
  std::uint16_t errors_comm = 0;
  std::uint16_t errors_count1 = 0;
  std::uint16_t errors_count2 = 0;
  std::uint16_t errors_count3 = 0;
  std::uint16_t errors_count4 = 0;
};

struct TimesyncStatus {
  static constexpr std::string_view type_name = "mavros_msgs/msg/TimesyncStatus";
  TANDEM_FIELDS(TimesyncStatus, header, remote_timestamp_ns, observed_offset_ns, estimated_offset_ns,
                round_trip_time_ms);
  std_msgs::Header header;
  std::uint64_t remote_timestamp_ns = 0;
  std::int64_t observed_offset_ns = 0;
  std::int64_t estimated_offset_ns = 0;
  float round_trip_time_ms = 0.0F;
};

struct VehicleInfo {
  static constexpr std::string_view type_name = "mavros_msgs/msg/VehicleInfo";
  TANDEM_FIELDS(VehicleInfo, header, available_info, sysid, compid, autopilot, type, system_status, base_mode,
                custom_mode, mode, mode_id, capabilities, flight_sw_version, middleware_sw_version, os_sw_version,
                board_version, flight_custom_version, vendor_id, product_id, uid);

  static constexpr std::uint8_t HAVE_INFO_HEARTBEAT = 1;
  static constexpr std::uint8_t HAVE_INFO_AUTOPILOT_VERSION = 2;

  std_msgs::Header header;
  std::uint8_t available_info = 0;
  std::uint8_t sysid = 0;
  std::uint8_t compid = 0;
  std::uint8_t autopilot = 0;
  std::uint8_t type = 0;
  std::uint8_t system_status = 0;
  std::uint8_t base_mode = 0;
  std::uint32_t custom_mode = 0;
  std::string mode;
  std::uint32_t mode_id = 0;
  std::uint64_t capabilities = 0;
  std::uint32_t flight_sw_version = 0;
  std::uint32_t middleware_sw_version = 0;
  std::uint32_t os_sw_version = 0;
  std::uint32_t board_version = 0;
  std::string flight_custom_version;
  std::uint16_t vendor_id = 0;
  std::uint16_t product_id = 0;
  std::uint64_t uid = 0;
};

struct VfrHud {
  static constexpr std::string_view type_name = "mavros_msgs/msg/VfrHud";
  TANDEM_FIELDS(VfrHud, header, airspeed, groundspeed, heading, throttle, altitude, climb);
  std_msgs::Header header;
  float airspeed = 0.0F;
  float groundspeed = 0.0F;
  std::int16_t heading = 0;
  float throttle = 0.0F;
  float altitude = 0.0F;
  float climb = 0.0F;
};

struct Waypoint {
  static constexpr std::string_view type_name = "mavros_msgs/msg/Waypoint";
  TANDEM_FIELDS(Waypoint, frame, command, is_current, autocontinue, param1, param2, param3, param4, x_lat, y_long,
                z_alt);

  static constexpr std::uint8_t FRAME_GLOBAL = 0;
  static constexpr std::uint8_t FRAME_LOCAL_NED = 1;
  static constexpr std::uint8_t FRAME_MISSION = 2;
  static constexpr std::uint8_t FRAME_GLOBAL_REL_ALT = 3;
  static constexpr std::uint8_t FRAME_LOCAL_ENU = 4;
  static constexpr std::uint8_t FRAME_GLOBAL_INT = 5;
  static constexpr std::uint8_t FRAME_GLOBAL_RELATIVE_ALT_INT = 6;
  static constexpr std::uint8_t FRAME_LOCAL_OFFSET_NED = 7;
  static constexpr std::uint8_t FRAME_BODY_NED = 8;
  static constexpr std::uint8_t FRAME_BODY_OFFSET_NED = 9;
  static constexpr std::uint8_t FRAME_GLOBAL_TERRAIN_ALT = 10;
  static constexpr std::uint8_t FRAME_GLOBAL_TERRAIN_ALT_INT = 11;
  static constexpr std::uint8_t FRAME_BODY_FRD = 12;
  static constexpr std::uint8_t FRAME_RESERVED_13 = 13;
  static constexpr std::uint8_t FRAME_RESERVED_14 = 14;
  static constexpr std::uint8_t FRAME_RESERVED_15 = 15;
  static constexpr std::uint8_t FRAME_RESERVED_16 = 16;
  static constexpr std::uint8_t FRAME_RESERVED_17 = 17;
  static constexpr std::uint8_t FRAME_RESERVED_18 = 18;
  static constexpr std::uint8_t FRAME_RESERVED_19 = 19;
  static constexpr std::uint8_t FRAME_LOCAL_FRD = 20;
  static constexpr std::uint8_t FRAME_LOCAL_FLU = 21;

  std::uint8_t frame = 0;
  std::uint16_t command = 0;
  bool is_current = false;
  bool autocontinue = false;
  float param1 = 0.0F;
  float param2 = 0.0F;
  float param3 = 0.0F;
  float param4 = 0.0F;
  double x_lat = 0.0;
  double y_long = 0.0;
  double z_alt = 0.0;
};

struct WaypointList {
  static constexpr std::string_view type_name = "mavros_msgs/msg/WaypointList";
  TANDEM_FIELDS(WaypointList, current_seq, waypoints);
  std::uint16_t current_seq = 0;
  std::vector<Waypoint> waypoints;
};

struct WaypointReached {
  static constexpr std::string_view type_name = "mavros_msgs/msg/WaypointReached";
  TANDEM_FIELDS(WaypointReached, header, wp_seq);
  std_msgs::Header header;
  std::uint16_t wp_seq = 0;
};

using Messages = Types<AttitudeTarget, EstimatorStatus, ExtendedState, HomePosition, ManualControl, OverrideRCIn, Param,
                       ParamEvent, ParamValue, PositionTarget, RCIn, RCOut, State, StatusText, SysStatus,
                       TimesyncStatus, VehicleInfo, VfrHud, Waypoint, WaypointList, WaypointReached>;
using Actions = Types<>;

}  // namespace tandem::ros2::mavros_msgs
