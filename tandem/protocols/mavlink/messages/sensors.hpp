// SPDX-License-Identifier: Apache-2.0
// MAVLink messages: raw and scaled measurements. Units are those of the wire.
#pragma once

#include "tandem/protocols/mavlink/codec/message.hpp"

namespace tandem::mavlink {

// Inertial unit, as the sensor counts.
struct RawImu {
  static constexpr std::string_view wire_name = "RAW_IMU";
  static constexpr std::uint32_t wire_id = 27;
  static constexpr auto fields() {
    return Fields{TANDEM_EACH(field, RawImu, time_usec, xacc, yacc, zacc, xgyro, ygyro, zgyro, xmag, ymag, zmag),
                  TANDEM_EACH(extension, RawImu, id, temperature)};
  }
  std::uint64_t time_usec = 0;  // us
  std::int16_t xacc = 0;
  std::int16_t yacc = 0;
  std::int16_t zacc = 0;
  std::int16_t xgyro = 0;
  std::int16_t ygyro = 0;
  std::int16_t zgyro = 0;
  std::int16_t xmag = 0;
  std::int16_t ymag = 0;
  std::int16_t zmag = 0;
  std::uint8_t id = 0;
  std::int16_t temperature = 0;  // 0.01 degC
  bool operator==(const RawImu&) const = default;
};

// First inertial unit.
struct ScaledImu {
  static constexpr std::string_view wire_name = "SCALED_IMU";
  static constexpr std::uint32_t wire_id = 26;
  static constexpr auto fields() {
    return Fields{TANDEM_EACH(field, ScaledImu, time_boot_ms, xacc, yacc, zacc, xgyro, ygyro, zgyro, xmag, ymag, zmag),
                  TANDEM_EACH(extension, ScaledImu, temperature)};
  }
  std::uint32_t time_boot_ms = 0;  // ms
  std::int16_t xacc = 0;           // 0.001 g
  std::int16_t yacc = 0;           // 0.001 g
  std::int16_t zacc = 0;           // 0.001 g
  std::int16_t xgyro = 0;          // 0.001 rad/s
  std::int16_t ygyro = 0;          // 0.001 rad/s
  std::int16_t zgyro = 0;          // 0.001 rad/s
  std::int16_t xmag = 0;           // 0.001 gauss
  std::int16_t ymag = 0;           // 0.001 gauss
  std::int16_t zmag = 0;           // 0.001 gauss
  std::int16_t temperature = 0;    // 0.01 degC
  bool operator==(const ScaledImu&) const = default;
};

// Second inertial unit.
struct ScaledImu2 {
  static constexpr std::string_view wire_name = "SCALED_IMU2";
  static constexpr std::uint32_t wire_id = 116;
  static constexpr auto fields() {
    return Fields{TANDEM_EACH(field, ScaledImu2, time_boot_ms, xacc, yacc, zacc, xgyro, ygyro, zgyro, xmag, ymag, zmag),
                  TANDEM_EACH(extension, ScaledImu2, temperature)};
  }
  std::uint32_t time_boot_ms = 0;  // ms
  std::int16_t xacc = 0;           // 0.001 g
  std::int16_t yacc = 0;           // 0.001 g
  std::int16_t zacc = 0;           // 0.001 g
  std::int16_t xgyro = 0;          // 0.001 rad/s
  std::int16_t ygyro = 0;          // 0.001 rad/s
  std::int16_t zgyro = 0;          // 0.001 rad/s
  std::int16_t xmag = 0;           // 0.001 gauss
  std::int16_t ymag = 0;           // 0.001 gauss
  std::int16_t zmag = 0;           // 0.001 gauss
  std::int16_t temperature = 0;    // 0.01 degC
  bool operator==(const ScaledImu2&) const = default;
};

// Third inertial unit.
struct ScaledImu3 {
  static constexpr std::string_view wire_name = "SCALED_IMU3";
  static constexpr std::uint32_t wire_id = 129;
  static constexpr auto fields() {
    return Fields{TANDEM_EACH(field, ScaledImu3, time_boot_ms, xacc, yacc, zacc, xgyro, ygyro, zgyro, xmag, ymag, zmag),
                  TANDEM_EACH(extension, ScaledImu3, temperature)};
  }
  std::uint32_t time_boot_ms = 0;  // ms
  std::int16_t xacc = 0;           // 0.001 g
  std::int16_t yacc = 0;           // 0.001 g
  std::int16_t zacc = 0;           // 0.001 g
  std::int16_t xgyro = 0;          // 0.001 rad/s
  std::int16_t ygyro = 0;          // 0.001 rad/s
  std::int16_t zgyro = 0;          // 0.001 rad/s
  std::int16_t xmag = 0;           // 0.001 gauss
  std::int16_t ymag = 0;           // 0.001 gauss
  std::int16_t zmag = 0;           // 0.001 gauss
  std::int16_t temperature = 0;    // 0.01 degC
  bool operator==(const ScaledImu3&) const = default;
};

// Inertial unit and barometer in SI units.
struct HighresImu {
  static constexpr std::string_view wire_name = "HIGHRES_IMU";
  static constexpr std::uint32_t wire_id = 105;
  static constexpr auto fields() {
    return Fields{TANDEM_EACH(field, HighresImu, time_usec, xacc, yacc, zacc, xgyro, ygyro, zgyro, xmag, ymag, zmag,
                              abs_pressure, diff_pressure, pressure_alt, temperature, fields_updated),
                  TANDEM_EACH(extension, HighresImu, id)};
  }
  std::uint64_t time_usec = 0;  // us
  float xacc = 0;               // m/s/s
  float yacc = 0;               // m/s/s
  float zacc = 0;               // m/s/s
  float xgyro = 0;              // rad/s
  float ygyro = 0;              // rad/s
  float zgyro = 0;              // rad/s
  float xmag = 0;               // gauss
  float ymag = 0;               // gauss
  float zmag = 0;               // gauss
  float abs_pressure = 0;       // hPa
  float diff_pressure = 0;      // hPa
  float pressure_alt = 0;
  float temperature = 0;  // degC
  std::uint16_t fields_updated = 0;
  std::uint8_t id = 0;
  bool operator==(const HighresImu&) const = default;
};

// First barometer.
struct ScaledPressure {
  static constexpr std::string_view wire_name = "SCALED_PRESSURE";
  static constexpr std::uint32_t wire_id = 29;
  static constexpr auto fields() {
    return Fields{TANDEM_EACH(field, ScaledPressure, time_boot_ms, press_abs, press_diff, temperature),
                  TANDEM_EACH(extension, ScaledPressure, temperature_press_diff)};
  }
  std::uint32_t time_boot_ms = 0;           // ms
  float press_abs = 0;                      // hPa
  float press_diff = 0;                     // hPa
  std::int16_t temperature = 0;             // 0.01 degC
  std::int16_t temperature_press_diff = 0;  // 0.01 degC
  bool operator==(const ScaledPressure&) const = default;
};

// Second barometer; on a submarine the one in the water.
struct ScaledPressure2 {
  static constexpr std::string_view wire_name = "SCALED_PRESSURE2";
  static constexpr std::uint32_t wire_id = 137;
  static constexpr auto fields() {
    return Fields{TANDEM_EACH(field, ScaledPressure2, time_boot_ms, press_abs, press_diff, temperature),
                  TANDEM_EACH(extension, ScaledPressure2, temperature_press_diff)};
  }
  std::uint32_t time_boot_ms = 0;           // ms
  float press_abs = 0;                      // hPa
  float press_diff = 0;                     // hPa
  std::int16_t temperature = 0;             // 0.01 degC
  std::int16_t temperature_press_diff = 0;  // 0.01 degC
  bool operator==(const ScaledPressure2&) const = default;
};

// Third barometer.
struct ScaledPressure3 {
  static constexpr std::string_view wire_name = "SCALED_PRESSURE3";
  static constexpr std::uint32_t wire_id = 143;
  static constexpr auto fields() {
    return Fields{TANDEM_EACH(field, ScaledPressure3, time_boot_ms, press_abs, press_diff, temperature),
                  TANDEM_EACH(extension, ScaledPressure3, temperature_press_diff)};
  }
  std::uint32_t time_boot_ms = 0;           // ms
  float press_abs = 0;                      // hPa
  float press_diff = 0;                     // hPa
  std::int16_t temperature = 0;             // 0.01 degC
  std::int16_t temperature_press_diff = 0;  // 0.01 degC
  bool operator==(const ScaledPressure3&) const = default;
};

// The receiver's own fix.
struct GpsRawInt {
  static constexpr std::string_view wire_name = "GPS_RAW_INT";
  static constexpr std::uint32_t wire_id = 24;
  static constexpr auto fields() {
    return Fields{
        TANDEM_EACH(field, GpsRawInt, time_usec, fix_type, lat, lon, alt, eph, epv, vel, cog, satellites_visible),
        TANDEM_EACH(extension, GpsRawInt, alt_ellipsoid, h_acc, v_acc, vel_acc, hdg_acc, yaw)};
  }
  std::uint64_t time_usec = 0;  // us
  std::uint8_t fix_type = 0;
  std::int32_t lat = 0;  // 1e-7 deg
  std::int32_t lon = 0;  // 1e-7 deg
  std::int32_t alt = 0;  // mm
  std::uint16_t eph = 0;
  std::uint16_t epv = 0;
  std::uint16_t vel = 0;  // cm/s
  std::uint16_t cog = 0;  // 0.01 deg
  std::uint8_t satellites_visible = 0;
  std::int32_t alt_ellipsoid = 0;  // mm
  std::uint32_t h_acc = 0;         // mm
  std::uint32_t v_acc = 0;         // mm
  std::uint32_t vel_acc = 0;       // mm/s
  std::uint32_t hdg_acc = 0;       // 1e-5 deg
  std::uint16_t yaw = 0;           // 0.01 deg
  bool operator==(const GpsRawInt&) const = default;
};

// Distance below the vehicle.
struct RangeFinder {
  static constexpr std::string_view wire_name = "RANGEFINDER";
  static constexpr std::uint32_t wire_id = 173;
  TANDEM_FIELDS(RangeFinder, distance, voltage);
  float distance = 0;  // m
  float voltage = 0;   // V
};

// One range sensor; orientation 25 looks down.
struct DistanceSensor {
  static constexpr std::string_view wire_name = "DISTANCE_SENSOR";
  static constexpr std::uint32_t wire_id = 132;
  static constexpr auto fields() {
    return Fields{TANDEM_EACH(field, DistanceSensor, time_boot_ms, min_distance, max_distance, current_distance, type,
                              id, orientation, covariance),
                  TANDEM_EACH(extension, DistanceSensor, horizontal_fov, vertical_fov, quaternion, signal_quality)};
  }
  std::uint32_t time_boot_ms = 0;      // ms
  std::uint16_t min_distance = 0;      // cm
  std::uint16_t max_distance = 0;      // cm
  std::uint16_t current_distance = 0;  // cm
  std::uint8_t type = 0;
  std::uint8_t id = 0;
  std::uint8_t orientation = 0;
  std::uint8_t covariance = 0;  // cm^2
  float horizontal_fov = 0;     // rad
  float vertical_fov = 0;       // rad
  std::array<float, 4> quaternion{};
  std::uint8_t signal_quality = 0;  // %
  bool operator==(const DistanceSensor&) const = default;
};

// Flow sensor below the vehicle.
struct OpticalFlow {
  static constexpr std::string_view wire_name = "OPTICAL_FLOW";
  static constexpr std::uint32_t wire_id = 100;
  static constexpr auto fields() {
    return Fields{TANDEM_EACH(field, OpticalFlow, time_usec, sensor_id, flow_x, flow_y, flow_comp_m_x, flow_comp_m_y,
                              quality, ground_distance),
                  TANDEM_EACH(extension, OpticalFlow, flow_rate_x, flow_rate_y)};
  }
  std::uint64_t time_usec = 0;  // us
  std::uint8_t sensor_id = 0;
  std::int16_t flow_x = 0;  // 0.1 pixel
  std::int16_t flow_y = 0;  // 0.1 pixel
  float flow_comp_m_x = 0;  // m/s
  float flow_comp_m_y = 0;  // m/s
  std::uint8_t quality = 0;
  float ground_distance = 0;  // m
  float flow_rate_x = 0;      // rad/s
  float flow_rate_y = 0;      // rad/s
  bool operator==(const OpticalFlow&) const = default;
};

// Echo sounder with pose.
struct WaterDepth {
  static constexpr std::string_view wire_name = "WATER_DEPTH";
  static constexpr std::uint32_t wire_id = 11038;
  TANDEM_FIELDS(WaterDepth, time_boot_ms, id, healthy, lat, lng, alt, roll, pitch, yaw, distance, temperature);
  std::uint32_t time_boot_ms = 0;  // ms
  std::uint8_t id = 0;
  std::uint8_t healthy = 0;
  std::int32_t lat = 0;   // 1e-7 deg
  std::int32_t lng = 0;   // 1e-7 deg
  float alt = 0;          // m
  float roll = 0;         // rad
  float pitch = 0;        // rad
  float yaw = 0;          // rad
  float distance = 0;     // m
  float temperature = 0;  // degC
};

}  // namespace tandem::mavlink
