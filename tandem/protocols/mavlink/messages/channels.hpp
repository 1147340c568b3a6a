// SPDX-License-Identifier: Apache-2.0
// MAVLink messages: pulse widths, in and out. Units are those of the wire.
#pragma once

#include "tandem/protocols/mavlink/codec/message.hpp"

namespace tandem::mavlink {

// Pulse widths of the outputs.
struct ServoOutputRaw {
  static constexpr std::string_view wire_name = "SERVO_OUTPUT_RAW";
  static constexpr std::uint32_t wire_id = 36;
  static constexpr auto fields() {
    return Fields{TANDEM_EACH(field, ServoOutputRaw, time_usec, port, servo1_raw, servo2_raw, servo3_raw, servo4_raw,
                              servo5_raw, servo6_raw, servo7_raw, servo8_raw),
                  TANDEM_EACH(extension, ServoOutputRaw, servo9_raw, servo10_raw, servo11_raw, servo12_raw, servo13_raw,
                              servo14_raw, servo15_raw, servo16_raw)};
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
  TANDEM_FIELDS(RcChannels, time_boot_ms, chancount, chan1_raw, chan2_raw, chan3_raw, chan4_raw, chan5_raw, chan6_raw,
                chan7_raw, chan8_raw, chan9_raw, chan10_raw, chan11_raw, chan12_raw, chan13_raw, chan14_raw, chan15_raw,
                chan16_raw, chan17_raw, chan18_raw, rssi);
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
};

// The first eight of them.
struct RcChannelsRaw {
  static constexpr std::string_view wire_name = "RC_CHANNELS_RAW";
  static constexpr std::uint32_t wire_id = 35;
  TANDEM_FIELDS(RcChannelsRaw, time_boot_ms, port, chan1_raw, chan2_raw, chan3_raw, chan4_raw, chan5_raw, chan6_raw,
                chan7_raw, chan8_raw, rssi);
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
};

// Pulse widths instead of the pilot's; 65535 ignores a channel, 0 releases it.
struct RcChannelsOverride {
  static constexpr std::string_view wire_name = "RC_CHANNELS_OVERRIDE";
  static constexpr std::uint32_t wire_id = 70;
  static constexpr auto fields() {
    return Fields{TANDEM_EACH(field, RcChannelsOverride, target_system, target_component, chan1_raw, chan2_raw,
                              chan3_raw, chan4_raw, chan5_raw, chan6_raw, chan7_raw, chan8_raw),
                  TANDEM_EACH(extension, RcChannelsOverride, chan9_raw, chan10_raw, chan11_raw, chan12_raw, chan13_raw,
                              chan14_raw, chan15_raw, chan16_raw, chan17_raw, chan18_raw)};
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
