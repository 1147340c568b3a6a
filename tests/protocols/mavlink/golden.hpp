// SPDX-License-Identifier: Apache-2.0
// Frames that pymavlink packed, and bytes from hexadecimal.
#pragma once

#include <string_view>
#include <vector>

#include "tandem/protocols/mavlink/codec/frame.hpp"
#include "tandem/protocols/mavlink/messages/all.hpp"

namespace tandem::mavlink::golden {

inline std::vector<std::uint8_t> bytes(std::string_view hex) {
  const auto digit = [](char c) { return static_cast<std::uint8_t>(c <= '9' ? c - '0' : c - 'a' + 10); };
  std::vector<std::uint8_t> out;
  for (std::size_t i = 0; i + 1 < hex.size(); i += 2)
    out.push_back(static_cast<std::uint8_t>(digit(hex[i]) << 4 | digit(hex[i + 1])));
  return out;
}

// From system 1, component 191, sequence 7.
inline constexpr std::string_view heartbeat = "fd0900000701bf000000000000001208000403ed74";
inline constexpr std::string_view heartbeat_v1 = "fe090701bf0000000000120800040382fc";
inline constexpr std::string_view vision_position_delta =
    "fd2c00000701bf032b0040420f000000000050c30000000000000ad7233c0ad7a3bc8fc2f53ccdcccc3dcdcc4c3e9a9999be0000a042e7f6";
inline constexpr std::string_view rangefinder = "fd0400000701bfad00000000c03f9eeb";
inline constexpr std::string_view set_gps_global_origin = "fd0d00000701bf300000b0ca631cc9820bb7000000000178c4";
inline constexpr std::string_view command_long =
    "fd2000000701bf4c00000000004200409c460000000000000000000000000000000000000000ff01010185c6";
inline constexpr std::string_view param_set = "fd1700000701bf1700000000803f01015649534f5f5459504500000000000000092e0d";
inline constexpr std::string_view timesync = "fd0c00000701bf6f0000000000000000000015cd5b07dcb4";
inline constexpr std::string_view system_time = "fd0100000701bf02000000db56";
// Key 00 01 ... 1f, link 3, time 0x010203040506.
inline constexpr std::string_view signed_heartbeat =
    "fd0901000701bf0000000000000012080004030a8c03060504030201ccac39a0c046";

inline constexpr std::string_view all[] = {
    heartbeat, heartbeat_v1, vision_position_delta, rangefinder,     set_gps_global_origin, command_long,
    param_set, timesync,     system_time,           signed_heartbeat};

inline Heartbeat heartbeat_message() {
  return {.type = 18, .autopilot = 8, .base_mode = 0, .custom_mode = 0, .system_status = 4};
}

inline constexpr Address source{1, 191};

}  // namespace tandem::mavlink::golden
