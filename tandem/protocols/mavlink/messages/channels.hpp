// MAVLink messages: pulse widths, in and out. Units are those of the wire.
#pragma once

#include "tandem/protocols/mavlink/codec/message.hpp"

namespace tandem::mavlink {

// Pulse widths of the outputs.
struct ServoOutputRaw {
  static constexpr std::string_view wire_name = "SERVO_OUTPUT_RAW";
  static constexpr std::uint32_t wire_id = 36;
  static constexpr auto fields() {
    return Fields{
        field("time_usec", &ServoOutputRaw::time_usec),         field("port", &ServoOutputRaw::port),
        field("servo1_raw", &ServoOutputRaw::servo1_raw),       field("servo2_raw", &ServoOutputRaw::servo2_raw),
        field("servo3_raw", &ServoOutputRaw::servo3_raw),       field("servo4_raw", &ServoOutputRaw::servo4_raw),
        field("servo5_raw", &ServoOutputRaw::servo5_raw),       field("servo6_raw", &ServoOutputRaw::servo6_raw),
        field("servo7_raw", &ServoOutputRaw::servo7_raw),       field("servo8_raw", &ServoOutputRaw::servo8_raw),
        extension("servo9_raw", &ServoOutputRaw::servo9_raw),   extension("servo10_raw", &ServoOutputRaw::servo10_raw),
        extension("servo11_raw", &ServoOutputRaw::servo11_raw), extension("servo12_raw", &ServoOutputRaw::servo12_raw),
        extension("servo13_raw", &ServoOutputRaw::servo13_raw), extension("servo14_raw", &ServoOutputRaw::servo14_raw),
        extension("servo15_raw", &ServoOutputRaw::servo15_raw), extension("servo16_raw", &ServoOutputRaw::servo16_raw)};
  }
  std::uint32_t time_usec = 0;  // us
  std::uint8_t port = 0;
  std::uint16_t servo1_raw = 0;   // us
  std::uint16_t servo2_raw = 0;   // us
  std::uint16_t servo3_raw = 0;   // us
  std::uint16_t servo4_raw = 0;   // us
  std::uint16_t servo5_raw = 0;   // us
  std::uint16_t servo6_raw = 0;   // us
  std::uint16_t servo7_raw = 0;   // us
  std::uint16_t servo8_raw = 0;   // us
  std::uint16_t servo9_raw = 0;   // us
  std::uint16_t servo10_raw = 0;  // us
  std::uint16_t servo11_raw = 0;  // us
  std::uint16_t servo12_raw = 0;  // us
  std::uint16_t servo13_raw = 0;  // us
  std::uint16_t servo14_raw = 0;  // us
  std::uint16_t servo15_raw = 0;  // us
  std::uint16_t servo16_raw = 0;  // us
  bool operator==(const ServoOutputRaw&) const = default;
};

// Pulse widths of the pilot's channels.
struct RcChannels {
  static constexpr std::string_view wire_name = "RC_CHANNELS";
  static constexpr std::uint32_t wire_id = 65;
  static constexpr auto fields() {
    return Fields{field("time_boot_ms", &RcChannels::time_boot_ms),
                  field("chancount", &RcChannels::chancount),
                  field("chan1_raw", &RcChannels::chan1_raw),
                  field("chan2_raw", &RcChannels::chan2_raw),
                  field("chan3_raw", &RcChannels::chan3_raw),
                  field("chan4_raw", &RcChannels::chan4_raw),
                  field("chan5_raw", &RcChannels::chan5_raw),
                  field("chan6_raw", &RcChannels::chan6_raw),
                  field("chan7_raw", &RcChannels::chan7_raw),
                  field("chan8_raw", &RcChannels::chan8_raw),
                  field("chan9_raw", &RcChannels::chan9_raw),
                  field("chan10_raw", &RcChannels::chan10_raw),
                  field("chan11_raw", &RcChannels::chan11_raw),
                  field("chan12_raw", &RcChannels::chan12_raw),
                  field("chan13_raw", &RcChannels::chan13_raw),
                  field("chan14_raw", &RcChannels::chan14_raw),
                  field("chan15_raw", &RcChannels::chan15_raw),
                  field("chan16_raw", &RcChannels::chan16_raw),
                  field("chan17_raw", &RcChannels::chan17_raw),
                  field("chan18_raw", &RcChannels::chan18_raw),
                  field("rssi", &RcChannels::rssi)};
  }
  std::uint32_t time_boot_ms = 0;  // ms
  std::uint8_t chancount = 0;
  std::uint16_t chan1_raw = 0;   // us
  std::uint16_t chan2_raw = 0;   // us
  std::uint16_t chan3_raw = 0;   // us
  std::uint16_t chan4_raw = 0;   // us
  std::uint16_t chan5_raw = 0;   // us
  std::uint16_t chan6_raw = 0;   // us
  std::uint16_t chan7_raw = 0;   // us
  std::uint16_t chan8_raw = 0;   // us
  std::uint16_t chan9_raw = 0;   // us
  std::uint16_t chan10_raw = 0;  // us
  std::uint16_t chan11_raw = 0;  // us
  std::uint16_t chan12_raw = 0;  // us
  std::uint16_t chan13_raw = 0;  // us
  std::uint16_t chan14_raw = 0;  // us
  std::uint16_t chan15_raw = 0;  // us
  std::uint16_t chan16_raw = 0;  // us
  std::uint16_t chan17_raw = 0;  // us
  std::uint16_t chan18_raw = 0;  // us
  std::uint8_t rssi = 0;
  bool operator==(const RcChannels&) const = default;
};

// The first eight of them.
struct RcChannelsRaw {
  static constexpr std::string_view wire_name = "RC_CHANNELS_RAW";
  static constexpr std::uint32_t wire_id = 35;
  static constexpr auto fields() {
    return Fields{field("time_boot_ms", &RcChannelsRaw::time_boot_ms),
                  field("port", &RcChannelsRaw::port),
                  field("chan1_raw", &RcChannelsRaw::chan1_raw),
                  field("chan2_raw", &RcChannelsRaw::chan2_raw),
                  field("chan3_raw", &RcChannelsRaw::chan3_raw),
                  field("chan4_raw", &RcChannelsRaw::chan4_raw),
                  field("chan5_raw", &RcChannelsRaw::chan5_raw),
                  field("chan6_raw", &RcChannelsRaw::chan6_raw),
                  field("chan7_raw", &RcChannelsRaw::chan7_raw),
                  field("chan8_raw", &RcChannelsRaw::chan8_raw),
                  field("rssi", &RcChannelsRaw::rssi)};
  }
  std::uint32_t time_boot_ms = 0;  // ms
  std::uint8_t port = 0;
  std::uint16_t chan1_raw = 0;  // us
  std::uint16_t chan2_raw = 0;  // us
  std::uint16_t chan3_raw = 0;  // us
  std::uint16_t chan4_raw = 0;  // us
  std::uint16_t chan5_raw = 0;  // us
  std::uint16_t chan6_raw = 0;  // us
  std::uint16_t chan7_raw = 0;  // us
  std::uint16_t chan8_raw = 0;  // us
  std::uint8_t rssi = 0;
  bool operator==(const RcChannelsRaw&) const = default;
};

// Pulse widths instead of the pilot's; 65535 ignores a channel, 0 releases it.
struct RcChannelsOverride {
  static constexpr std::string_view wire_name = "RC_CHANNELS_OVERRIDE";
  static constexpr std::uint32_t wire_id = 70;
  static constexpr auto fields() {
    return Fields{field("target_system", &RcChannelsOverride::target_system),
                  field("target_component", &RcChannelsOverride::target_component),
                  field("chan1_raw", &RcChannelsOverride::chan1_raw),
                  field("chan2_raw", &RcChannelsOverride::chan2_raw),
                  field("chan3_raw", &RcChannelsOverride::chan3_raw),
                  field("chan4_raw", &RcChannelsOverride::chan4_raw),
                  field("chan5_raw", &RcChannelsOverride::chan5_raw),
                  field("chan6_raw", &RcChannelsOverride::chan6_raw),
                  field("chan7_raw", &RcChannelsOverride::chan7_raw),
                  field("chan8_raw", &RcChannelsOverride::chan8_raw),
                  extension("chan9_raw", &RcChannelsOverride::chan9_raw),
                  extension("chan10_raw", &RcChannelsOverride::chan10_raw),
                  extension("chan11_raw", &RcChannelsOverride::chan11_raw),
                  extension("chan12_raw", &RcChannelsOverride::chan12_raw),
                  extension("chan13_raw", &RcChannelsOverride::chan13_raw),
                  extension("chan14_raw", &RcChannelsOverride::chan14_raw),
                  extension("chan15_raw", &RcChannelsOverride::chan15_raw),
                  extension("chan16_raw", &RcChannelsOverride::chan16_raw),
                  extension("chan17_raw", &RcChannelsOverride::chan17_raw),
                  extension("chan18_raw", &RcChannelsOverride::chan18_raw)};
  }
  std::uint8_t target_system = 0;
  std::uint8_t target_component = 0;
  std::uint16_t chan1_raw = 0;   // us
  std::uint16_t chan2_raw = 0;   // us
  std::uint16_t chan3_raw = 0;   // us
  std::uint16_t chan4_raw = 0;   // us
  std::uint16_t chan5_raw = 0;   // us
  std::uint16_t chan6_raw = 0;   // us
  std::uint16_t chan7_raw = 0;   // us
  std::uint16_t chan8_raw = 0;   // us
  std::uint16_t chan9_raw = 0;   // us
  std::uint16_t chan10_raw = 0;  // us
  std::uint16_t chan11_raw = 0;  // us
  std::uint16_t chan12_raw = 0;  // us
  std::uint16_t chan13_raw = 0;  // us
  std::uint16_t chan14_raw = 0;  // us
  std::uint16_t chan15_raw = 0;  // us
  std::uint16_t chan16_raw = 0;  // us
  std::uint16_t chan17_raw = 0;  // us
  std::uint16_t chan18_raw = 0;  // us
  bool operator==(const RcChannelsOverride&) const = default;
};

}  // namespace tandem::mavlink
