// SPDX-License-Identifier: Apache-2.0
#include "tandem/machines/orca/virtual/autopilot/parameters.hpp"

#include <fmt/format.h>

#include <array>
#include <numbers>

#include "tandem/machines/orca/description.hpp"

namespace tandem::orca {
namespace {

using mavlink::ParameterServer;
using mavlink::ParameterType;
using mavlink::ServedParameter;

struct ParameterRow {
  const char* name;
  double value;
  ParameterType type = ParameterType::real32;
  double lowest = std::numeric_limits<double>::lowest();
  double highest = std::numeric_limits<double>::max();
  bool read_only = false;
};

constexpr ParameterType i8 = ParameterType::int8, i16 = ParameterType::int16, i32 = ParameterType::int32;

constexpr std::array parameter_rows{
    ParameterRow{"AHRS_EKF_TYPE", 3, i8, 3, 3},
    ParameterRow{"AHRS_ORIENTATION", 0, i8, 0, 101},
    ParameterRow{"ANGLE_MAX", 3000, i16, 1000, 8000},  // 0.01 degrees
    ParameterRow{"ARMING_CHECK", 1, i32},
    ParameterRow{"ARMING_REQUIRE", 1, i8, 0, 2},
    ParameterRow{"ACRO_RP_RATE", 57.3, ParameterType::real32, 1, 360},   // degrees/s
    ParameterRow{"ACRO_YAW_RATE", 57.3, ParameterType::real32, 1, 360},  // degrees/s
    ParameterRow{"ATC_ANG_PIT_P", 6},
    ParameterRow{"ATC_ANG_RLL_P", 6},
    ParameterRow{"ATC_ANG_YAW_P", 6},
    ParameterRow{"ATC_RAT_PIT_P", 0.135},
    ParameterRow{"ATC_RAT_RLL_P", 0.135},
    ParameterRow{"ATC_RAT_YAW_P", 0.18},
    ParameterRow{"BARO_EXT_BUS", 1, i8},
    ParameterRow{"BARO_PRIMARY", 1, i8, 0, 2},
    ParameterRow{"BARO_PROBE_EXT", 768, i32},
    ParameterRow{"BARO_SPEC_GRAV", 1.0, ParameterType::real32, 0.5, 2},
    ParameterRow{"BATT_AMP_PERVLT", 37.88},
    ParameterRow{"BATT_ARM_VOLT", 0},
    ParameterRow{"BATT_CAPACITY", 18000, i32, 0, 1e6},  // mAh
    ParameterRow{"BATT_CRT_VOLT", 0},
    ParameterRow{"BATT_FS_LOW_ACT", 0, i8, 0, 3},
    ParameterRow{"BATT_LOW_VOLT", 14, ParameterType::real32, 0, 60},  // V
    ParameterRow{"BATT_MONITOR", 4, i8, 0, 30},
    ParameterRow{"BATT_VOLT_MULT", 11},
    ParameterRow{"BRD_SAFETYENABLE", 0, i8, 0, 1},
    ParameterRow{"BRD_TYPE", 0, i8},
    ParameterRow{"CAM1_TYPE", 0, i8},
    ParameterRow{"COMPASS_AUTODEC", 1, i8, 0, 1},
    ParameterRow{"COMPASS_DEC", 0.265, ParameterType::real32, -3.142, 3.142},  // rad
    ParameterRow{"COMPASS_DEV_ID", 97539, i32},
    ParameterRow{"COMPASS_DEV_ID2", 131874, i32},
    ParameterRow{"COMPASS_ENABLE", 1, i8, 0, 1},
    ParameterRow{"COMPASS_EXTERNAL", 0, i8, 0, 2},
    ParameterRow{"COMPASS_OFS_X", 5},
    ParameterRow{"COMPASS_OFS_Y", 13},
    ParameterRow{"COMPASS_OFS_Z", -18},
    ParameterRow{"COMPASS_OFS2_X", 5},
    ParameterRow{"COMPASS_OFS2_Y", 13},
    ParameterRow{"COMPASS_OFS2_Z", -18},
    ParameterRow{"COMPASS_ORIENT", 0, i8},
    ParameterRow{"COMPASS_USE", 1, i8, 0, 1},
    ParameterRow{"COMPASS_USE2", 1, i8, 0, 1},
    ParameterRow{"EK3_ENABLE", 1, i8, 1, 1},
    ParameterRow{"EK3_IMU_MASK", 3, i8, 1, 3},
    ParameterRow{"EK3_PRIMARY", 0, i8, 0, 1},
    ParameterRow{"EK3_SRC1_POSXY", 6, i8, 0, 8},
    ParameterRow{"EK3_SRC1_POSZ", 1, i8, 0, 8},
    ParameterRow{"EK3_SRC1_VELXY", 6, i8, 0, 8},
    ParameterRow{"EK3_SRC1_VELZ", 0, i8, 0, 8},
    ParameterRow{"EK3_SRC1_YAW", 1, i8, 0, 8},
    ParameterRow{"EK3_SRC2_POSXY", 0, i8, 0, 8},
    ParameterRow{"EK3_SRC2_POSZ", 1, i8, 0, 8},
    ParameterRow{"EK3_SRC2_VELXY", 0, i8, 0, 8},
    ParameterRow{"EK3_SRC2_VELZ", 0, i8, 0, 8},
    ParameterRow{"EK3_SRC2_YAW", 1, i8, 0, 8},
    ParameterRow{"EK3_SRC3_POSXY", 0, i8, 0, 8},
    ParameterRow{"EK3_SRC3_POSZ", 1, i8, 0, 8},
    ParameterRow{"EK3_SRC3_VELXY", 0, i8, 0, 8},
    ParameterRow{"EK3_SRC3_VELZ", 0, i8, 0, 8},
    ParameterRow{"EK3_SRC3_YAW", 1, i8, 0, 8},
    ParameterRow{"EK3_SRC_OPTIONS", 0, i16, 0, 1},
    ParameterRow{"EK3_VIS_VERR_MAX", 0.9, ParameterType::real32, 0.5, 5},     // m/s
    ParameterRow{"EK3_VIS_VERR_MIN", 0.1, ParameterType::real32, 0.05, 0.5},  // m/s
    ParameterRow{"FENCE_ENABLE", 0, i8, 0, 1},
    ParameterRow{"FORMAT_VERSION", 1, i16, 1, 1, true},
    ParameterRow{"FRAME_CLASS", 1, i8, 0, 8},
    ParameterRow{"FRAME_CONFIG", 1, i8, 0, 7},  // vectored
    ParameterRow{"FS_CRASH_CHECK", 0, i8, 0, 2},
    ParameterRow{"FS_EKF_ACTION", 1, i8, 0, 2},
    ParameterRow{"FS_EKF_THRESH", 0.8, ParameterType::real32, 0.6, 1},
    ParameterRow{"FS_GCS_ENABLE", 2, i8, 0, 4},
    ParameterRow{"FS_GCS_TIMEOUT", 5, ParameterType::real32, 2, 120},  // s
    ParameterRow{"FS_LEAK_ENABLE", 1, i8, 0, 2},
    ParameterRow{"FS_PILOT_INPUT", 1, i8, 0, 2},
    ParameterRow{"FS_PILOT_TIMEOUT", 3, ParameterType::real32, 0.1, 10},  // s
    ParameterRow{"FS_PRESS_ENABLE", 0, i8, 0, 1},
    ParameterRow{"FS_TEMP_ENABLE", 0, i8, 0, 1},
    ParameterRow{"FS_PRESS_MAX", 105000, i32},  // Pa
    ParameterRow{"FS_TEMP_MAX", 62, i8},        // degC
    ParameterRow{"FS_TERRAIN_ENAB", 0, i8, 0, 2},
    ParameterRow{"GPS1_TYPE", 0, i8, 0, 30},
    ParameterRow{"INS_ACCOFFS_X", 0.001},
    ParameterRow{"INS_ACCOFFS_Y", 0.001},
    ParameterRow{"INS_ACCOFFS_Z", 0.001},
    ParameterRow{"INS_ACCSCAL_X", 1},
    ParameterRow{"INS_ACCSCAL_Y", 1},
    ParameterRow{"INS_ACCSCAL_Z", 1},
    ParameterRow{"INS_ACC_ID", 2753028, i32},
    ParameterRow{"INS_GYROFFS_X", 0},
    ParameterRow{"INS_GYROFFS_Y", 0},
    ParameterRow{"INS_GYROFFS_Z", 0},
    ParameterRow{"INS_GYR_ID", 2752772, i32},
    ParameterRow{"INS_USE", 1, i8, 0, 1},
    ParameterRow{"JS_GAIN_DEFAULT", 0.5, ParameterType::real32, 0.1, 1},
    ParameterRow{"JS_GAIN_MAX", 1, ParameterType::real32, 0.2, 1},
    ParameterRow{"JS_GAIN_MIN", 0.25, ParameterType::real32, 0.1, 0.8},
    ParameterRow{"JS_GAIN_STEPS", 4, i8, 1, 10},
    ParameterRow{"JS_LIGHTS_STEPS", 8, i8, 1, 10},
    ParameterRow{"JS_THR_GAIN", 1, ParameterType::real32, 0.5, 4},
    ParameterRow{"LEAK1_LOGIC", 0, i8, 0, 1},
    ParameterRow{"LEAK1_PIN", -1, i8},
    ParameterRow{"LOG_BITMASK", 180222, i32},
    ParameterRow{"LOG_DISARMED", 0, i8, 0, 1},
    ParameterRow{"MNT1_TYPE", 0, i8},
    ParameterRow{"MOT_PWM_MAX", 1900, i16, 0, 2000},
    ParameterRow{"MOT_PWM_MIN", 1100, i16, 0, 2000},
    ParameterRow{"ORIGIN_ALT", 0},
    ParameterRow{"ORIGIN_LAT", origin_latitude, ParameterType::real32, -90, 90},
    ParameterRow{"ORIGIN_LON", origin_longitude, ParameterType::real32, -180, 180},
    ParameterRow{"PILOT_ACCEL_Z", 100, i16, 50, 500},  // cm/s^2
    ParameterRow{"PILOT_SPEED_DN", 50, i16, 20, 500},  // cm/s
    ParameterRow{"PILOT_SPEED_UP", 50, i16, 20, 500},  // cm/s
    ParameterRow{"PSC_ACCZ_I", 0.1},
    ParameterRow{"PSC_ACCZ_P", 0.5},
    ParameterRow{"PSC_POSXY_P", 1},
    ParameterRow{"PSC_POSZ_P", 3},
    ParameterRow{"PSC_VELXY_I", 0.5},
    ParameterRow{"PSC_VELXY_P", 1},
    ParameterRow{"PSC_VELZ_P", 8},
    ParameterRow{"RC_OVERRIDE_TIME", 3, ParameterType::real32, 0, 120},
    ParameterRow{"RNGFND1_MAX_CM", 5000, i16, 0, 32767},
    ParameterRow{"RNGFND1_MIN_CM", 20, i16, 0, 32767},
    ParameterRow{"RNGFND1_ORIENT", 25, i8, 0, 41},
    ParameterRow{"RNGFND1_POS_X", -0.18, ParameterType::real32, -5, 5},
    ParameterRow{"RNGFND1_POS_Y", 0, ParameterType::real32, -5, 5},
    ParameterRow{"RNGFND1_POS_Z", -0.095, ParameterType::real32, -5, 5},
    ParameterRow{"RNGFND1_TYPE", 100, i8, 0, 100},
    ParameterRow{"SCHED_LOOP_RATE", 400, i16, 50, 400},
    ParameterRow{"SCR_ENABLE", 0, i8, 0, 1},
    ParameterRow{"SERIAL0_PROTOCOL", 2, i8, 0, 40},
    ParameterRow{"SR0_EXTRA1", 4, i16, 0, 50},  // Hz; the same below
    ParameterRow{"SR0_EXTRA2", 4, i16, 0, 50},
    ParameterRow{"SR0_EXTRA3", 4, i16, 0, 50},
    ParameterRow{"SR0_EXT_STAT", 4, i16, 0, 50},
    ParameterRow{"SR0_PARAMS", 10, i16, 0, 50},
    ParameterRow{"SR0_POSITION", 4, i16, 0, 50},
    ParameterRow{"SR0_RAW_CTRL", 4, i16, 0, 50},
    ParameterRow{"SR0_RAW_SENS", 4, i16, 0, 50},
    ParameterRow{"SR0_RC_CHAN", 4, i16, 0, 50},
    ParameterRow{"STAT_BOOTCNT", 1, i16},
    ParameterRow{"STAT_RUNTIME", 0, i32},
    ParameterRow{"SURFACE_DEPTH", -10, i16, -100, 0},  // cm
    ParameterRow{"SURFTRAK_DEPTH", -50},               // cm
    ParameterRow{"SYSID_ENFORCE", 0, i8, 0, 1},
    ParameterRow{"SYSID_MYGCS", 255, i16, 1, 255},
    ParameterRow{"SYSID_SW_MREV", 1, i16, 1, 1, true},
    ParameterRow{"SYSID_THISMAV", vehicle_system, i16, vehicle_system, vehicle_system, true},
    ParameterRow{"TELEM_DELAY", 0, i8, 0, 30},
    ParameterRow{"TERRAIN_ENABLE", 0, i8, 0, 1},
    ParameterRow{"VISO_DELAY_MS", 10, i16, 0, 250},
    ParameterRow{"VISO_ORIENT", 0, i8, 0, 6},
    ParameterRow{"VISO_POS_M_NSE", 0.2, ParameterType::real32, 0.1, 10},  // m
    ParameterRow{"VISO_POS_X", 0, ParameterType::real32, -5, 5},          // m
    ParameterRow{"VISO_POS_Y", 0, ParameterType::real32, -5, 5},
    ParameterRow{"VISO_POS_Z", 0, ParameterType::real32, -5, 5},
    ParameterRow{"VISO_QUAL_MIN", 0, i8, -1, 100},
    ParameterRow{"VISO_SCALE", 1, ParameterType::real32, 0.01, 100},
    ParameterRow{"VISO_TYPE", 1, i8, 0, 3},
    ParameterRow{"VISO_VEL_M_NSE", 0.1, ParameterType::real32, 0.05, 5},  // m/s
    ParameterRow{"VISO_YAW_M_NSE", 0.2, ParameterType::real32, 0.05, 1},  // rad
    ParameterRow{"WPNAV_ACCEL", 100, ParameterType::real32, 50, 500},     // cm/s^2
    ParameterRow{"WPNAV_RADIUS", 20, ParameterType::real32, 5, 1000},     // cm
    ParameterRow{"WPNAV_SPEED", 30, ParameterType::real32, 10, 2000},     // cm/s
    ParameterRow{"WPNAV_SPEED_DN", 30, ParameterType::real32, 10, 500},
    ParameterRow{"WPNAV_SPEED_UP", 30, ParameterType::real32, 10, 1000},
    ParameterRow{"WP_YAW_BEHAVIOR", 0, i8, 0, 4},
};

}  // namespace

std::vector<ServedParameter> parameter_table() {
  std::vector<ServedParameter> table;
  table.reserve(parameter_rows.size());
  for (const ParameterRow& row : parameter_rows)
    table.push_back({.parameter = {.name = row.name, .value = row.value, .type = row.type},
                     .lowest = row.lowest,
                     .highest = row.highest,
                     .read_only = row.read_only});
  add_numbered_parameters(table);
  return table;
}

double value_of(const ParameterServer& parameters, std::string_view name) { return parameters.used(name); }

EstimatorOptions estimator_options_from(const ParameterServer& parameters, const EstimatorOptions& base) {
  const auto value = [&](std::string_view name) { return value_of(parameters, name); };
  EstimatorOptions options = base;
  options.vision = value("VISO_TYPE") != 0;
  options.vision_delay = value("VISO_DELAY_MS") / 1e3;
  options.delta_error_least = value("EK3_VIS_VERR_MIN");
  options.delta_error_most = value("EK3_VIS_VERR_MAX");
  options.velocity_error = value("VISO_VEL_M_NSE");
  options.position_error = value("VISO_POS_M_NSE");
  options.yaw_error = value("VISO_YAW_M_NSE");
  options.camera = {value("VISO_POS_X"), value("VISO_POS_Y"), value("VISO_POS_Z")};
  options.declination = value("COMPASS_DEC");
  for (std::size_t i = 0; i < options.sources.size(); ++i) {
    const auto chosen = [&](const char* what) {
      return static_cast<int>(value(fmt::format("EK3_SRC{}_{}", i + 1, what)));
    };
    options.sources[i] = {chosen("POSXY"), chosen("VELXY"), chosen("POSZ"), chosen("YAW")};
  }
  return options;
}

ModeSettings mode_settings_from(const ParameterServer& parameters) {
  const auto value = [&](std::string_view name) { return value_of(parameters, name); };
  constexpr double degree = std::numbers::pi / 180;
  ModeSettings settings;
  settings.most_angle = value("ANGLE_MAX") / 100 * degree;
  settings.yaw_rate = value("ACRO_YAW_RATE") * degree;
  settings.acro_rate = value("ACRO_RP_RATE") * degree;
  settings.climb = value("PILOT_SPEED_UP") / 100;
  settings.dive = value("PILOT_SPEED_DN") / 100;
  settings.level_speed = value("WPNAV_SPEED") / 100;
  settings.up_speed = value("WPNAV_SPEED_UP") / 100;
  settings.down_speed = value("WPNAV_SPEED_DN") / 100;
  settings.radius = value("WPNAV_RADIUS") / 100;
  settings.surface_depth = -value("SURFACE_DEPTH") / 100;
  return settings;
}

FailsafeSettings failsafe_settings_from(const ParameterServer& parameters) {
  const auto value = [&](std::string_view name) { return value_of(parameters, name); };
  FailsafeSettings settings;
  settings.pilot_input = static_cast<int>(value("FS_PILOT_INPUT"));
  settings.pilot_timeout = duration_of(value("FS_PILOT_TIMEOUT"));
  settings.ground = static_cast<int>(value("FS_GCS_ENABLE"));
  settings.ground_timeout = duration_of(value("FS_GCS_TIMEOUT"));
  settings.leak = static_cast<int>(value("FS_LEAK_ENABLE"));
  settings.battery = static_cast<int>(value("BATT_FS_LOW_ACT"));
  settings.low_voltage = value("BATT_LOW_VOLT");
  return settings;
}

JoystickSettings joystick_settings_from(const ParameterServer& parameters) {
  const auto value = [&](std::string_view name) { return value_of(parameters, name); };
  JoystickSettings settings;
  settings.gain = value("JS_GAIN_DEFAULT");
  settings.least_gain = value("JS_GAIN_MIN");
  settings.most_gain = value("JS_GAIN_MAX");
  settings.gain_steps = static_cast<int>(value("JS_GAIN_STEPS"));
  settings.throttle_gain = value("JS_THR_GAIN");
  settings.lights_steps = static_cast<int>(value("JS_LIGHTS_STEPS"));
  for (std::size_t i = 0; i < settings.functions.size(); ++i)
    settings.functions[i] = {static_cast<int>(value(fmt::format("BTN{}_FUNCTION", i))),
                             static_cast<int>(value(fmt::format("BTN{}_SFUNCTION", i)))};
  return settings;
}

}  // namespace tandem::orca
