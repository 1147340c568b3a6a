// SPDX-License-Identifier: Apache-2.0
// MAVLink messages: who is there: heartbeats, health, clocks, texts. Units are those of the wire.
#pragma once

#include "tandem/protocols/mavlink/codec/message.hpp"

namespace tandem::mavlink {

// I am here, and this is what I am and what I do.
struct Heartbeat {
  static constexpr std::string_view wire_name = "HEARTBEAT";
  static constexpr std::uint32_t wire_id = 0;
  TANDEM_FIELDS(Heartbeat, type, autopilot, base_mode, custom_mode, system_status, mavlink_version);
  std::uint8_t type = 0;
  std::uint8_t autopilot = 0;
  std::uint8_t base_mode = 0;
  std::uint32_t custom_mode = 0;
  std::uint8_t system_status = 0;
  std::uint8_t mavlink_version = 3;
};

// Sensors, load and battery of the autopilot.
struct SysStatus {
  static constexpr std::string_view wire_name = "SYS_STATUS";
  static constexpr std::uint32_t wire_id = 1;
  static constexpr auto fields() {
    return Fields{TANDEM_EACH(field, SysStatus, onboard_control_sensors_present, onboard_control_sensors_enabled,
                              onboard_control_sensors_health, load, voltage_battery, current_battery, battery_remaining,
                              drop_rate_comm, errors_comm, errors_count1, errors_count2, errors_count3, errors_count4),
                  TANDEM_EACH(extension, SysStatus, onboard_control_sensors_present_extended,
                              onboard_control_sensors_enabled_extended, onboard_control_sensors_health_extended)};
  }
  std::uint32_t onboard_control_sensors_present = 0;
  std::uint32_t onboard_control_sensors_enabled = 0;
  std::uint32_t onboard_control_sensors_health = 0;
  std::uint16_t load = 0;             // 0.1 %
  std::uint16_t voltage_battery = 0;  // mV
  std::int16_t current_battery = 0;   // 0.01 A
  std::int8_t battery_remaining = 0;  // %
  std::uint16_t drop_rate_comm = 0;   // 0.01 %
  std::uint16_t errors_comm = 0;
  std::uint16_t errors_count1 = 0;
  std::uint16_t errors_count2 = 0;
  std::uint16_t errors_count3 = 0;
  std::uint16_t errors_count4 = 0;
  std::uint32_t onboard_control_sensors_present_extended = 0;
  std::uint32_t onboard_control_sensors_enabled_extended = 0;
  std::uint32_t onboard_control_sensors_health_extended = 0;
  bool operator==(const SysStatus&) const = default;
};

// UTC and the time since boot.
struct SystemTime {
  static constexpr std::string_view wire_name = "SYSTEM_TIME";
  static constexpr std::uint32_t wire_id = 2;
  TANDEM_FIELDS(SystemTime, time_unix_usec, time_boot_ms);
  std::uint64_t time_unix_usec = 0;  // us
  std::uint32_t time_boot_ms = 0;    // ms
};

// Asks for, or with targets set is, an echo.
struct Ping {
  static constexpr std::string_view wire_name = "PING";
  static constexpr std::uint32_t wire_id = 4;
  TANDEM_FIELDS(Ping, time_usec, seq, target_system, target_component);
  std::uint64_t time_usec = 0;  // us
  std::uint32_t seq = 0;
  std::uint8_t target_system = 0;
  std::uint8_t target_component = 0;
};

// One half of a clock comparison: a request has tc1 = 0, the answer both.
struct TimeSync {
  static constexpr std::string_view wire_name = "TIMESYNC";
  static constexpr std::uint32_t wire_id = 111;
  TANDEM_FIELDS(TimeSync, tc1, ts1);
  std::int64_t tc1 = 0;  // ns
  std::int64_t ts1 = 0;  // ns
};

// A text for people; long ones come in chunks of the same id.
struct StatusText {
  static constexpr std::string_view wire_name = "STATUSTEXT";
  static constexpr std::uint32_t wire_id = 253;
  static constexpr auto fields() {
    return Fields{TANDEM_EACH(field, StatusText, severity, text), TANDEM_EACH(extension, StatusText, id, chunk_seq)};
  }
  std::uint8_t severity = 0;
  Text<50> text{};
  std::uint16_t id = 0;
  std::uint8_t chunk_seq = 0;
  bool operator==(const StatusText&) const = default;
};

// What the autopilot can do and what runs on it.
struct AutopilotVersion {
  static constexpr std::string_view wire_name = "AUTOPILOT_VERSION";
  static constexpr std::uint32_t wire_id = 148;
  static constexpr auto fields() {
    return Fields{TANDEM_EACH(field, AutopilotVersion, capabilities, flight_sw_version, middleware_sw_version,
                              os_sw_version, board_version, flight_custom_version, middleware_custom_version,
                              os_custom_version, vendor_id, product_id, uid),
                  TANDEM_EACH(extension, AutopilotVersion, uid2)};
  }
  std::uint64_t capabilities = 0;
  std::uint32_t flight_sw_version = 0;
  std::uint32_t middleware_sw_version = 0;
  std::uint32_t os_sw_version = 0;
  std::uint32_t board_version = 0;
  std::array<std::uint8_t, 8> flight_custom_version{};
  std::array<std::uint8_t, 8> middleware_custom_version{};
  std::array<std::uint8_t, 8> os_custom_version{};
  std::uint16_t vendor_id = 0;
  std::uint16_t product_id = 0;
  std::uint64_t uid = 0;
  std::array<std::uint8_t, 18> uid2{};
  bool operator==(const AutopilotVersion&) const = default;
};

// Asks for the version, as older ground stations do.
struct AutopilotVersionRequest {
  static constexpr std::string_view wire_name = "AUTOPILOT_VERSION_REQUEST";
  static constexpr std::uint32_t wire_id = 183;
  TANDEM_FIELDS(AutopilotVersionRequest, target_system, target_component);
  std::uint8_t target_system = 0;
  std::uint8_t target_component = 0;
};

// Supply of the flight board.
struct PowerStatus {
  static constexpr std::string_view wire_name = "POWER_STATUS";
  static constexpr std::uint32_t wire_id = 125;
  TANDEM_FIELDS(PowerStatus, Vcc, Vservo, flags);
  std::uint16_t Vcc = 0;     // mV
  std::uint16_t Vservo = 0;  // mV
  std::uint16_t flags = 0;
};

// One battery, cell by cell.
struct BatteryStatus {
  static constexpr std::string_view wire_name = "BATTERY_STATUS";
  static constexpr std::uint32_t wire_id = 147;
  static constexpr auto fields() {
    return Fields{
        TANDEM_EACH(field, BatteryStatus, id, battery_function, type, temperature, voltages, current_battery,
                    current_consumed, energy_consumed, battery_remaining),
        TANDEM_EACH(extension, BatteryStatus, time_remaining, charge_state, voltages_ext, mode, fault_bitmask)};
  }
  std::uint8_t id = 0;
  std::uint8_t battery_function = 0;
  std::uint8_t type = 0;
  std::int16_t temperature = 0;              // 0.01 degC
  std::array<std::uint16_t, 10> voltages{};  // mV
  std::int16_t current_battery = 0;          // 0.01 A
  std::int32_t current_consumed = 0;         // mAh
  std::int32_t energy_consumed = 0;          // 100 J
  std::int8_t battery_remaining = 0;         // %
  std::int32_t time_remaining = 0;           // s
  std::uint8_t charge_state = 0;
  std::array<std::uint16_t, 4> voltages_ext{};  // mV
  std::uint8_t mode = 0;
  std::uint32_t fault_bitmask = 0;
  bool operator==(const BatteryStatus&) const = default;
};

// What a telemetry radio puts into the stream about itself; never signed.
struct RadioStatus {
  static constexpr std::string_view wire_name = "RADIO_STATUS";
  static constexpr std::uint32_t wire_id = 109;
  TANDEM_FIELDS(RadioStatus, rssi, remrssi, txbuf, noise, remnoise, rxerrors, fixed);
  std::uint8_t rssi = 0;
  std::uint8_t remrssi = 0;
  std::uint8_t txbuf = 0;  // %
  std::uint8_t noise = 0;
  std::uint8_t remnoise = 0;
  std::uint16_t rxerrors = 0;
  std::uint16_t fixed = 0;
};

// A new signing key. Only ever over a link that no other client can hear.
struct SetupSigning {
  static constexpr std::string_view wire_name = "SETUP_SIGNING";
  static constexpr std::uint32_t wire_id = 256;
  TANDEM_FIELDS(SetupSigning, target_system, target_component, secret_key, initial_timestamp);
  std::uint8_t target_system = 0;
  std::uint8_t target_component = 0;
  std::array<std::uint8_t, 32> secret_key{};
  std::uint64_t initial_timestamp = 0;
};

// Landed or not.
struct ExtendedSysState {
  static constexpr std::string_view wire_name = "EXTENDED_SYS_STATE";
  static constexpr std::uint32_t wire_id = 245;
  TANDEM_FIELDS(ExtendedSysState, vtol_state, landed_state);
  std::uint8_t vtol_state = 0;
  std::uint8_t landed_state = 0;
};

// Free memory of the autopilot.
struct Meminfo {
  static constexpr std::string_view wire_name = "MEMINFO";
  static constexpr std::uint32_t wire_id = 152;
  static constexpr auto fields() {
    return Fields{TANDEM_EACH(field, Meminfo, brkval, freemem), TANDEM_EACH(extension, Meminfo, freemem32)};
  }
  std::uint16_t brkval = 0;
  std::uint16_t freemem = 0;    // bytes
  std::uint32_t freemem32 = 0;  // bytes
  bool operator==(const Meminfo&) const = default;
};

// Board voltage and bus errors.
struct Hwstatus {
  static constexpr std::string_view wire_name = "HWSTATUS";
  static constexpr std::uint32_t wire_id = 165;
  TANDEM_FIELDS(Hwstatus, Vcc, I2Cerr);
  std::uint16_t Vcc = 0;  // mV
  std::uint8_t I2Cerr = 0;
};

// A number with a name, for whatever has no message of its own.
struct NamedValueFloat {
  static constexpr std::string_view wire_name = "NAMED_VALUE_FLOAT";
  static constexpr std::uint32_t wire_id = 251;
  TANDEM_FIELDS(NamedValueFloat, time_boot_ms, name, value);
  std::uint32_t time_boot_ms = 0;  // ms
  Text<10> name{};
  float value = 0;
};

// The same as a whole number.
struct NamedValueInt {
  static constexpr std::string_view wire_name = "NAMED_VALUE_INT";
  static constexpr std::uint32_t wire_id = 252;
  TANDEM_FIELDS(NamedValueInt, time_boot_ms, name, value);
  std::uint32_t time_boot_ms = 0;  // ms
  Text<10> name{};
  std::int32_t value = 0;
};

// Carries file transfer; it is refused here (refuse_files), not served.
struct FileTransferProtocol {
  static constexpr std::string_view wire_name = "FILE_TRANSFER_PROTOCOL";
  static constexpr std::uint32_t wire_id = 110;
  TANDEM_FIELDS(FileTransferProtocol, target_network, target_system, target_component, payload);
  std::uint8_t target_network = 0;
  std::uint8_t target_system = 0;
  std::uint8_t target_component = 0;
  std::array<std::uint8_t, 251> payload{};
};

}  // namespace tandem::mavlink
