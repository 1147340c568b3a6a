// SPDX-License-Identifier: Apache-2.0
// What other people's generator says about the messages: printed from pymavlink's parser for ardupilotmega.xml of
// 2026-07.
#pragma once

#include <string_view>

namespace tandem::mavlink::table {

struct Row {
  std::string_view name;
  unsigned int id;
  unsigned int crc_extra;
  unsigned int base_size;
  unsigned int full_size;
  std::string_view fields;  // "offset:type name" each, * behind an extension
};

inline constexpr Row rows[] = {
    {"HEARTBEAT", 0, 50, 9, 9,
     "0:uint32_t custom_mode, 4:uint8_t type, 5:uint8_t autopilot, 6:uint8_t base_mode"
     ", 7:uint8_t system_status, 8:uint8_t mavlink_version"},
    {"SYS_STATUS", 1, 124, 31, 43,
     "0:uint32_t onboard_control_sensors_present, 4:uint32_t onboard_control_sensors_enabled"
     ", 8:uint32_t onboard_control_sensors_health, 12:uint16_t load, 14:uint16_t voltage_battery"
     ", 16:int16_t current_battery, 18:uint16_t drop_rate_comm, 20:uint16_t errors_comm"
     ", 22:uint16_t errors_count1, 24:uint16_t errors_count2, 26:uint16_t errors_count3"
     ", 28:uint16_t errors_count4, 30:int8_t battery_remaining"
     ", 31:uint32_t onboard_control_sensors_present_extended*"
     ", 35:uint32_t onboard_control_sensors_enabled_extended*"
     ", 39:uint32_t onboard_control_sensors_health_extended*"},
    {"SYSTEM_TIME", 2, 137, 12, 12, "0:uint64_t time_unix_usec, 8:uint32_t time_boot_ms"},
    {"ATTITUDE", 30, 39, 28, 28,
     "0:uint32_t time_boot_ms, 4:float roll, 8:float pitch, 12:float yaw, 16:float rollspeed"
     ", 20:float pitchspeed, 24:float yawspeed"},
    {"ATTITUDE_QUATERNION", 31, 246, 32, 48,
     "0:uint32_t time_boot_ms, 4:float q1, 8:float q2, 12:float q3, 16:float q4, 20:float rollspeed"
     ", 24:float pitchspeed, 28:float yawspeed, 32:float repr_offset_q[4]*"},
    {"LOCAL_POSITION_NED", 32, 185, 28, 28,
     "0:uint32_t time_boot_ms, 4:float x, 8:float y, 12:float z, 16:float vx, 20:float vy, 24:float vz"},
    {"GLOBAL_POSITION_INT", 33, 104, 28, 28,
     "0:uint32_t time_boot_ms, 4:int32_t lat, 8:int32_t lon, 12:int32_t alt, 16:int32_t relative_alt"
     ", 20:int16_t vx, 22:int16_t vy, 24:int16_t vz, 26:uint16_t hdg"},
    {"GPS_GLOBAL_ORIGIN", 49, 39, 12, 20,
     "0:int32_t latitude, 4:int32_t longitude, 8:int32_t altitude, 12:uint64_t time_usec*"},
    {"SET_GPS_GLOBAL_ORIGIN", 48, 41, 13, 21,
     "0:int32_t latitude, 4:int32_t longitude, 8:int32_t altitude, 12:uint8_t target_system"
     ", 13:uint64_t time_usec*"},
    {"RANGEFINDER", 173, 83, 8, 8, "0:float distance, 4:float voltage"},
    {"DISTANCE_SENSOR", 132, 85, 14, 39,
     "0:uint32_t time_boot_ms, 4:uint16_t min_distance, 6:uint16_t max_distance"
     ", 8:uint16_t current_distance, 10:uint8_t type, 11:uint8_t id, 12:uint8_t orientation"
     ", 13:uint8_t covariance, 14:float horizontal_fov*, 18:float vertical_fov*, 22:float quaternion[4]*"
     ", 38:uint8_t signal_quality*"},
    {"VISION_POSITION_DELTA", 11011, 106, 44, 44,
     "0:uint64_t time_usec, 8:uint64_t time_delta_usec, 16:float angle_delta[3]"
     ", 28:float position_delta[3], 40:float confidence"},
    {"VISION_POSITION_ESTIMATE", 102, 158, 32, 117,
     "0:uint64_t usec, 8:float x, 12:float y, 16:float z, 20:float roll, 24:float pitch, 28:float yaw"
     ", 32:float covariance[21]*, 116:uint8_t reset_counter*"},
    {"VISION_SPEED_ESTIMATE", 103, 208, 20, 57,
     "0:uint64_t usec, 8:float x, 12:float y, 16:float z, 20:float covariance[9]*"
     ", 56:uint8_t reset_counter*"},
    {"ODOMETRY", 331, 91, 230, 233,
     "0:uint64_t time_usec, 8:float x, 12:float y, 16:float z, 20:float q[4], 36:float vx, 40:float vy"
     ", 44:float vz, 48:float rollspeed, 52:float pitchspeed, 56:float yawspeed"
     ", 60:float pose_covariance[21], 144:float velocity_covariance[21], 228:uint8_t frame_id"
     ", 229:uint8_t child_frame_id, 230:uint8_t reset_counter*, 231:uint8_t estimator_type*"
     ", 232:int8_t quality*"},
    {"TIMESYNC", 111, 34, 16, 16, "0:int64_t tc1, 8:int64_t ts1"},
    {"PARAM_REQUEST_READ", 20, 214, 20, 20,
     "0:int16_t param_index, 2:uint8_t target_system, 3:uint8_t target_component, 4:char param_id[16]"},
    {"PARAM_REQUEST_LIST", 21, 159, 2, 2, "0:uint8_t target_system, 1:uint8_t target_component"},
    {"PARAM_VALUE", 22, 220, 25, 25,
     "0:float param_value, 4:uint16_t param_count, 6:uint16_t param_index, 8:char param_id[16]"
     ", 24:uint8_t param_type"},
    {"PARAM_SET", 23, 168, 23, 23,
     "0:float param_value, 4:uint8_t target_system, 5:uint8_t target_component, 6:char param_id[16]"
     ", 22:uint8_t param_type"},
    {"COMMAND_LONG", 76, 152, 33, 33,
     "0:float param1, 4:float param2, 8:float param3, 12:float param4, 16:float param5, 20:float param6"
     ", 24:float param7, 28:uint16_t command, 30:uint8_t target_system, 31:uint8_t target_component"
     ", 32:uint8_t confirmation"},
    {"COMMAND_INT", 75, 158, 35, 35,
     "0:float param1, 4:float param2, 8:float param3, 12:float param4, 16:int32_t x, 20:int32_t y"
     ", 24:float z, 28:uint16_t command, 30:uint8_t target_system, 31:uint8_t target_component"
     ", 32:uint8_t frame, 33:uint8_t current, 34:uint8_t autocontinue"},
    {"COMMAND_ACK", 77, 143, 3, 10,
     "0:uint16_t command, 2:uint8_t result, 3:uint8_t progress*, 4:int32_t result_param2*"
     ", 8:uint8_t target_system*, 9:uint8_t target_component*"},
    {"SET_MODE", 11, 89, 6, 6, "0:uint32_t custom_mode, 4:uint8_t target_system, 5:uint8_t base_mode"},
    {"MANUAL_CONTROL", 69, 243, 11, 30,
     "0:int16_t x, 2:int16_t y, 4:int16_t z, 6:int16_t r, 8:uint16_t buttons, 10:uint8_t target"
     ", 11:uint16_t buttons2*, 13:uint8_t enabled_extensions*, 14:int16_t s*, 16:int16_t t*"
     ", 18:int16_t aux1*, 20:int16_t aux2*, 22:int16_t aux3*, 24:int16_t aux4*, 26:int16_t aux5*"
     ", 28:int16_t aux6*"},
    {"RC_CHANNELS_OVERRIDE", 70, 124, 18, 38,
     "0:uint16_t chan1_raw, 2:uint16_t chan2_raw, 4:uint16_t chan3_raw, 6:uint16_t chan4_raw"
     ", 8:uint16_t chan5_raw, 10:uint16_t chan6_raw, 12:uint16_t chan7_raw, 14:uint16_t chan8_raw"
     ", 16:uint8_t target_system, 17:uint8_t target_component, 18:uint16_t chan9_raw*"
     ", 20:uint16_t chan10_raw*, 22:uint16_t chan11_raw*, 24:uint16_t chan12_raw*, 26:uint16_t chan13_raw*"
     ", 28:uint16_t chan14_raw*, 30:uint16_t chan15_raw*, 32:uint16_t chan16_raw*, 34:uint16_t chan17_raw*"
     ", 36:uint16_t chan18_raw*"},
    {"RC_CHANNELS", 65, 118, 42, 42,
     "0:uint32_t time_boot_ms, 4:uint16_t chan1_raw, 6:uint16_t chan2_raw, 8:uint16_t chan3_raw"
     ", 10:uint16_t chan4_raw, 12:uint16_t chan5_raw, 14:uint16_t chan6_raw, 16:uint16_t chan7_raw"
     ", 18:uint16_t chan8_raw, 20:uint16_t chan9_raw, 22:uint16_t chan10_raw, 24:uint16_t chan11_raw"
     ", 26:uint16_t chan12_raw, 28:uint16_t chan13_raw, 30:uint16_t chan14_raw, 32:uint16_t chan15_raw"
     ", 34:uint16_t chan16_raw, 36:uint16_t chan17_raw, 38:uint16_t chan18_raw, 40:uint8_t chancount"
     ", 41:uint8_t rssi"},
    {"SERVO_OUTPUT_RAW", 36, 222, 21, 37,
     "0:uint32_t time_usec, 4:uint16_t servo1_raw, 6:uint16_t servo2_raw, 8:uint16_t servo3_raw"
     ", 10:uint16_t servo4_raw, 12:uint16_t servo5_raw, 14:uint16_t servo6_raw, 16:uint16_t servo7_raw"
     ", 18:uint16_t servo8_raw, 20:uint8_t port, 21:uint16_t servo9_raw*, 23:uint16_t servo10_raw*"
     ", 25:uint16_t servo11_raw*, 27:uint16_t servo12_raw*, 29:uint16_t servo13_raw*"
     ", 31:uint16_t servo14_raw*, 33:uint16_t servo15_raw*, 35:uint16_t servo16_raw*"},
    {"SET_POSITION_TARGET_LOCAL_NED", 84, 143, 53, 53,
     "0:uint32_t time_boot_ms, 4:float x, 8:float y, 12:float z, 16:float vx, 20:float vy, 24:float vz"
     ", 28:float afx, 32:float afy, 36:float afz, 40:float yaw, 44:float yaw_rate, 48:uint16_t type_mask"
     ", 50:uint8_t target_system, 51:uint8_t target_component, 52:uint8_t coordinate_frame"},
    {"POSITION_TARGET_LOCAL_NED", 85, 140, 51, 51,
     "0:uint32_t time_boot_ms, 4:float x, 8:float y, 12:float z, 16:float vx, 20:float vy, 24:float vz"
     ", 28:float afx, 32:float afy, 36:float afz, 40:float yaw, 44:float yaw_rate, 48:uint16_t type_mask"
     ", 50:uint8_t coordinate_frame"},
    {"SET_ATTITUDE_TARGET", 82, 49, 39, 39,
     "0:uint32_t time_boot_ms, 4:float q[4], 20:float body_roll_rate, 24:float body_pitch_rate"
     ", 28:float body_yaw_rate, 32:float thrust, 36:uint8_t target_system, 37:uint8_t target_component"
     ", 38:uint8_t type_mask"},
    {"STATUSTEXT", 253, 83, 51, 54, "0:uint8_t severity, 1:char text[50], 51:uint16_t id*, 53:uint8_t chunk_seq*"},
    {"MESSAGE_INTERVAL", 244, 95, 6, 6, "0:int32_t interval_us, 4:uint16_t message_id"},
    {"REQUEST_DATA_STREAM", 66, 148, 6, 6,
     "0:uint16_t req_message_rate, 2:uint8_t target_system, 3:uint8_t target_component"
     ", 4:uint8_t req_stream_id, 5:uint8_t start_stop"},
    {"AUTOPILOT_VERSION", 148, 178, 60, 78,
     "0:uint64_t capabilities, 8:uint64_t uid, 16:uint32_t flight_sw_version"
     ", 20:uint32_t middleware_sw_version, 24:uint32_t os_sw_version, 28:uint32_t board_version"
     ", 32:uint16_t vendor_id, 34:uint16_t product_id, 36:uint8_t flight_custom_version[8]"
     ", 44:uint8_t middleware_custom_version[8], 52:uint8_t os_custom_version[8], 60:uint8_t uid2[18]*"},
    {"VFR_HUD", 74, 20, 20, 20,
     "0:float airspeed, 4:float groundspeed, 8:float alt, 12:float climb, 16:int16_t heading"
     ", 18:uint16_t throttle"},
    {"SCALED_PRESSURE", 29, 115, 14, 16,
     "0:uint32_t time_boot_ms, 4:float press_abs, 8:float press_diff, 12:int16_t temperature"
     ", 14:int16_t temperature_press_diff*"},
    {"SCALED_PRESSURE2", 137, 195, 14, 16,
     "0:uint32_t time_boot_ms, 4:float press_abs, 8:float press_diff, 12:int16_t temperature"
     ", 14:int16_t temperature_press_diff*"},
    {"RAW_IMU", 27, 144, 26, 29,
     "0:uint64_t time_usec, 8:int16_t xacc, 10:int16_t yacc, 12:int16_t zacc, 14:int16_t xgyro"
     ", 16:int16_t ygyro, 18:int16_t zgyro, 20:int16_t xmag, 22:int16_t ymag, 24:int16_t zmag"
     ", 26:uint8_t id*, 27:int16_t temperature*"},
    {"SCALED_IMU2", 116, 76, 22, 24,
     "0:uint32_t time_boot_ms, 4:int16_t xacc, 6:int16_t yacc, 8:int16_t zacc, 10:int16_t xgyro"
     ", 12:int16_t ygyro, 14:int16_t zgyro, 16:int16_t xmag, 18:int16_t ymag, 20:int16_t zmag"
     ", 22:int16_t temperature*"},
    {"EKF_STATUS_REPORT", 193, 71, 22, 26,
     "0:float velocity_variance, 4:float pos_horiz_variance, 8:float pos_vert_variance"
     ", 12:float compass_variance, 16:float terrain_alt_variance, 20:uint16_t flags"
     ", 22:float airspeed_variance*"},
    {"HOME_POSITION", 242, 104, 52, 60,
     "0:int32_t latitude, 4:int32_t longitude, 8:int32_t altitude, 12:float x, 16:float y, 20:float z"
     ", 24:float q[4], 40:float approach_x, 44:float approach_y, 48:float approach_z"
     ", 52:uint64_t time_usec*"},
    {"PING", 4, 237, 14, 14,
     "0:uint64_t time_usec, 8:uint32_t seq, 12:uint8_t target_system, 13:uint8_t target_component"},
    {"BATTERY_STATUS", 147, 154, 36, 54,
     "0:int32_t current_consumed, 4:int32_t energy_consumed, 8:int16_t temperature"
     ", 10:uint16_t voltages[10], 30:int16_t current_battery, 32:uint8_t id, 33:uint8_t battery_function"
     ", 34:uint8_t type, 35:int8_t battery_remaining, 36:int32_t time_remaining*, 40:uint8_t charge_state*"
     ", 41:uint16_t voltages_ext[4]*, 49:uint8_t mode*, 50:uint32_t fault_bitmask*"},
    {"NAMED_VALUE_FLOAT", 251, 170, 18, 18, "0:uint32_t time_boot_ms, 4:float value, 8:char name[10]"},
    {"SIMSTATE", 164, 154, 44, 44,
     "0:float roll, 4:float pitch, 8:float yaw, 12:float xacc, 16:float yacc, 20:float zacc"
     ", 24:float xgyro, 28:float ygyro, 32:float zgyro, 36:int32_t lat, 40:int32_t lng"},
    {"AHRS2", 178, 47, 24, 24,
     "0:float roll, 4:float pitch, 8:float yaw, 12:float altitude, 16:int32_t lat, 20:int32_t lng"},
    {"MISSION_COUNT", 44, 221, 4, 5,
     "0:uint16_t count, 2:uint8_t target_system, 3:uint8_t target_component, 4:uint8_t mission_type*"},
    {"MISSION_ITEM_INT", 73, 38, 37, 38,
     "0:float param1, 4:float param2, 8:float param3, 12:float param4, 16:int32_t x, 20:int32_t y"
     ", 24:float z, 28:uint16_t seq, 30:uint16_t command, 32:uint8_t target_system"
     ", 33:uint8_t target_component, 34:uint8_t frame, 35:uint8_t current, 36:uint8_t autocontinue"
     ", 37:uint8_t mission_type*"},
    {"MISSION_REQUEST_INT", 51, 196, 4, 5,
     "0:uint16_t seq, 2:uint8_t target_system, 3:uint8_t target_component, 4:uint8_t mission_type*"},
    {"MISSION_ACK", 47, 153, 3, 4,
     "0:uint8_t target_system, 1:uint8_t target_component, 2:uint8_t type, 3:uint8_t mission_type*"},
    {"MISSION_REQUEST_LIST", 43, 132, 2, 3,
     "0:uint8_t target_system, 1:uint8_t target_component, 2:uint8_t mission_type*"},
    {"MISSION_CURRENT", 42, 28, 2, 6,
     "0:uint16_t seq, 2:uint16_t total*, 4:uint8_t mission_state*, 5:uint8_t mission_mode*"},
    {"MISSION_CLEAR_ALL", 45, 232, 2, 3,
     "0:uint8_t target_system, 1:uint8_t target_component, 2:uint8_t mission_type*"},
    {"MISSION_WRITE_PARTIAL_LIST", 38, 9, 6, 7,
     "0:int16_t start_index, 2:int16_t end_index, 4:uint8_t target_system, 5:uint8_t target_component"
     ", 6:uint8_t mission_type*"},
    {"AUTOPILOT_VERSION_REQUEST", 183, 85, 2, 2, "0:uint8_t target_system, 1:uint8_t target_component"},
    {"FILE_TRANSFER_PROTOCOL", 110, 84, 254, 254,
     "0:uint8_t target_network, 1:uint8_t target_system, 2:uint8_t target_component"
     ", 3:uint8_t payload[251]"},
};

}  // namespace tandem::mavlink::table
