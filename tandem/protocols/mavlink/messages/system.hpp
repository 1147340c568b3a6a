// MAVLink messages: who is there: heartbeats, health, clocks, texts. Units are those of the wire.
#pragma once

#include "tandem/protocols/mavlink/codec/message.hpp"

namespace tandem::mavlink {

// I am here, and this is what I am and what I do.
struct Heartbeat {
  static constexpr std::string_view wire_name = "HEARTBEAT";
  static constexpr std::uint32_t wire_id = 0;
  static constexpr auto fields() {
    return Fields{field("type", &Heartbeat::type),
                  field("autopilot", &Heartbeat::autopilot),
                  field("base_mode", &Heartbeat::base_mode),
                  field("custom_mode", &Heartbeat::custom_mode),
                  field("system_status", &Heartbeat::system_status),
                  field("mavlink_version", &Heartbeat::mavlink_version)};
  }
  std::uint8_t type = 0;
  std::uint8_t autopilot = 0;
  std::uint8_t base_mode = 0;
  std::uint32_t custom_mode = 0;
  std::uint8_t system_status = 0;
  std::uint8_t mavlink_version = 3;
  bool operator==(const Heartbeat&) const = default;
};

// Sensors, load and battery of the autopilot.
struct SysStatus {
  static constexpr std::string_view wire_name = "SYS_STATUS";
  static constexpr std::uint32_t wire_id = 1;
  static constexpr auto fields() {
    return Fields{
        field("onboard_control_sensors_present", &SysStatus::onboard_control_sensors_present),
        field("onboard_control_sensors_enabled", &SysStatus::onboard_control_sensors_enabled),
        field("onboard_control_sensors_health", &SysStatus::onboard_control_sensors_health),
        field("load", &SysStatus::load),
        field("voltage_battery", &SysStatus::voltage_battery),
        field("current_battery", &SysStatus::current_battery),
        field("battery_remaining", &SysStatus::battery_remaining),
        field("drop_rate_comm", &SysStatus::drop_rate_comm),
        field("errors_comm", &SysStatus::errors_comm),
        field("errors_count1", &SysStatus::errors_count1),
        field("errors_count2", &SysStatus::errors_count2),
        field("errors_count3", &SysStatus::errors_count3),
        field("errors_count4", &SysStatus::errors_count4),
        extension("onboard_control_sensors_present_extended", &SysStatus::onboard_control_sensors_present_extended),
        extension("onboard_control_sensors_enabled_extended", &SysStatus::onboard_control_sensors_enabled_extended),
        extension("onboard_control_sensors_health_extended", &SysStatus::onboard_control_sensors_health_extended)};
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
  static constexpr auto fields() {
    return Fields{field("time_unix_usec", &SystemTime::time_unix_usec),
                  field("time_boot_ms", &SystemTime::time_boot_ms)};
  }
  std::uint64_t time_unix_usec = 0;  // us
  std::uint32_t time_boot_ms = 0;    // ms
  bool operator==(const SystemTime&) const = default;
};

// Asks for, or with targets set is, an echo.
struct Ping {
  static constexpr std::string_view wire_name = "PING";
  static constexpr std::uint32_t wire_id = 4;
  static constexpr auto fields() {
    return Fields{field("time_usec", &Ping::time_usec), field("seq", &Ping::seq),
                  field("target_system", &Ping::target_system), field("target_component", &Ping::target_component)};
  }
  std::uint64_t time_usec = 0;  // us
  std::uint32_t seq = 0;
  std::uint8_t target_system = 0;
  std::uint8_t target_component = 0;
  bool operator==(const Ping&) const = default;
};

// One half of a clock comparison: a request has tc1 = 0, the answer both.
struct TimeSync {
  static constexpr std::string_view wire_name = "TIMESYNC";
  static constexpr std::uint32_t wire_id = 111;
  static constexpr auto fields() { return Fields{field("tc1", &TimeSync::tc1), field("ts1", &TimeSync::ts1)}; }
  std::int64_t tc1 = 0;  // ns
  std::int64_t ts1 = 0;  // ns
  bool operator==(const TimeSync&) const = default;
};

// A text for people; long ones come in chunks of the same id.
struct StatusText {
  static constexpr std::string_view wire_name = "STATUSTEXT";
  static constexpr std::uint32_t wire_id = 253;
  static constexpr auto fields() {
    return Fields{field("severity", &StatusText::severity), field("text", &StatusText::text),
                  extension("id", &StatusText::id), extension("chunk_seq", &StatusText::chunk_seq)};
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
    return Fields{field("capabilities", &AutopilotVersion::capabilities),
                  field("flight_sw_version", &AutopilotVersion::flight_sw_version),
                  field("middleware_sw_version", &AutopilotVersion::middleware_sw_version),
                  field("os_sw_version", &AutopilotVersion::os_sw_version),
                  field("board_version", &AutopilotVersion::board_version),
                  field("flight_custom_version", &AutopilotVersion::flight_custom_version),
                  field("middleware_custom_version", &AutopilotVersion::middleware_custom_version),
                  field("os_custom_version", &AutopilotVersion::os_custom_version),
                  field("vendor_id", &AutopilotVersion::vendor_id),
                  field("product_id", &AutopilotVersion::product_id),
                  field("uid", &AutopilotVersion::uid),
                  extension("uid2", &AutopilotVersion::uid2)};
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
  static constexpr auto fields() {
    return Fields{field("target_system", &AutopilotVersionRequest::target_system),
                  field("target_component", &AutopilotVersionRequest::target_component)};
  }
  std::uint8_t target_system = 0;
  std::uint8_t target_component = 0;
  bool operator==(const AutopilotVersionRequest&) const = default;
};

// Supply of the flight board.
struct PowerStatus {
  static constexpr std::string_view wire_name = "POWER_STATUS";
  static constexpr std::uint32_t wire_id = 125;
  static constexpr auto fields() {
    return Fields{field("Vcc", &PowerStatus::Vcc), field("Vservo", &PowerStatus::Vservo),
                  field("flags", &PowerStatus::flags)};
  }
  std::uint16_t Vcc = 0;     // mV
  std::uint16_t Vservo = 0;  // mV
  std::uint16_t flags = 0;
  bool operator==(const PowerStatus&) const = default;
};

// One battery, cell by cell.
struct BatteryStatus {
  static constexpr std::string_view wire_name = "BATTERY_STATUS";
  static constexpr std::uint32_t wire_id = 147;
  static constexpr auto fields() {
    return Fields{field("id", &BatteryStatus::id),
                  field("battery_function", &BatteryStatus::battery_function),
                  field("type", &BatteryStatus::type),
                  field("temperature", &BatteryStatus::temperature),
                  field("voltages", &BatteryStatus::voltages),
                  field("current_battery", &BatteryStatus::current_battery),
                  field("current_consumed", &BatteryStatus::current_consumed),
                  field("energy_consumed", &BatteryStatus::energy_consumed),
                  field("battery_remaining", &BatteryStatus::battery_remaining),
                  extension("time_remaining", &BatteryStatus::time_remaining),
                  extension("charge_state", &BatteryStatus::charge_state),
                  extension("voltages_ext", &BatteryStatus::voltages_ext),
                  extension("mode", &BatteryStatus::mode),
                  extension("fault_bitmask", &BatteryStatus::fault_bitmask)};
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
  static constexpr auto fields() {
    return Fields{field("rssi", &RadioStatus::rssi),         field("remrssi", &RadioStatus::remrssi),
                  field("txbuf", &RadioStatus::txbuf),       field("noise", &RadioStatus::noise),
                  field("remnoise", &RadioStatus::remnoise), field("rxerrors", &RadioStatus::rxerrors),
                  field("fixed", &RadioStatus::fixed)};
  }
  std::uint8_t rssi = 0;
  std::uint8_t remrssi = 0;
  std::uint8_t txbuf = 0;  // %
  std::uint8_t noise = 0;
  std::uint8_t remnoise = 0;
  std::uint16_t rxerrors = 0;
  std::uint16_t fixed = 0;
  bool operator==(const RadioStatus&) const = default;
};

// A new signing key. Only ever over a link that no other client can hear.
struct SetupSigning {
  static constexpr std::string_view wire_name = "SETUP_SIGNING";
  static constexpr std::uint32_t wire_id = 256;
  static constexpr auto fields() {
    return Fields{field("target_system", &SetupSigning::target_system),
                  field("target_component", &SetupSigning::target_component),
                  field("secret_key", &SetupSigning::secret_key),
                  field("initial_timestamp", &SetupSigning::initial_timestamp)};
  }
  std::uint8_t target_system = 0;
  std::uint8_t target_component = 0;
  std::array<std::uint8_t, 32> secret_key{};
  std::uint64_t initial_timestamp = 0;
  bool operator==(const SetupSigning&) const = default;
};

// Landed or not.
struct ExtendedSysState {
  static constexpr std::string_view wire_name = "EXTENDED_SYS_STATE";
  static constexpr std::uint32_t wire_id = 245;
  static constexpr auto fields() {
    return Fields{field("vtol_state", &ExtendedSysState::vtol_state),
                  field("landed_state", &ExtendedSysState::landed_state)};
  }
  std::uint8_t vtol_state = 0;
  std::uint8_t landed_state = 0;
  bool operator==(const ExtendedSysState&) const = default;
};

// Free memory of the autopilot.
struct Meminfo {
  static constexpr std::string_view wire_name = "MEMINFO";
  static constexpr std::uint32_t wire_id = 152;
  static constexpr auto fields() {
    return Fields{field("brkval", &Meminfo::brkval), field("freemem", &Meminfo::freemem),
                  extension("freemem32", &Meminfo::freemem32)};
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
  static constexpr auto fields() { return Fields{field("Vcc", &Hwstatus::Vcc), field("I2Cerr", &Hwstatus::I2Cerr)}; }
  std::uint16_t Vcc = 0;  // mV
  std::uint8_t I2Cerr = 0;
  bool operator==(const Hwstatus&) const = default;
};

// A number with a name, for whatever has no message of its own.
struct NamedValueFloat {
  static constexpr std::string_view wire_name = "NAMED_VALUE_FLOAT";
  static constexpr std::uint32_t wire_id = 251;
  static constexpr auto fields() {
    return Fields{field("time_boot_ms", &NamedValueFloat::time_boot_ms), field("name", &NamedValueFloat::name),
                  field("value", &NamedValueFloat::value)};
  }
  std::uint32_t time_boot_ms = 0;  // ms
  Text<10> name{};
  float value = 0;
  bool operator==(const NamedValueFloat&) const = default;
};

// The same as a whole number.
struct NamedValueInt {
  static constexpr std::string_view wire_name = "NAMED_VALUE_INT";
  static constexpr std::uint32_t wire_id = 252;
  static constexpr auto fields() {
    return Fields{field("time_boot_ms", &NamedValueInt::time_boot_ms), field("name", &NamedValueInt::name),
                  field("value", &NamedValueInt::value)};
  }
  std::uint32_t time_boot_ms = 0;  // ms
  Text<10> name{};
  std::int32_t value = 0;
  bool operator==(const NamedValueInt&) const = default;
};

// Carries file transfer; it is refused here (refuse_files), not served.
struct FileTransferProtocol {
  static constexpr std::string_view wire_name = "FILE_TRANSFER_PROTOCOL";
  static constexpr std::uint32_t wire_id = 110;
  static constexpr auto fields() {
    return Fields{field("target_network", &FileTransferProtocol::target_network),
                  field("target_system", &FileTransferProtocol::target_system),
                  field("target_component", &FileTransferProtocol::target_component),
                  field("payload", &FileTransferProtocol::payload)};
  }
  std::uint8_t target_network = 0;
  std::uint8_t target_system = 0;
  std::uint8_t target_component = 0;
  std::array<std::uint8_t, 251> payload{};
  bool operator==(const FileTransferProtocol&) const = default;
};

}  // namespace tandem::mavlink
