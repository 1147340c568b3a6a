// SPDX-License-Identifier: Apache-2.0
// MAVLink messages: the autopilot's settings. Units are those of the wire.
#pragma once

#include "tandem/protocols/mavlink/codec/message.hpp"

namespace tandem::mavlink {

// Asks for one, by name when the index is -1.
struct ParamRequestRead {
  static constexpr std::string_view wire_name = "PARAM_REQUEST_READ";
  static constexpr std::uint32_t wire_id = 20;
  TANDEM_FIELDS(ParamRequestRead, target_system, target_component, param_id, param_index);
  std::uint8_t target_system = 0;
  std::uint8_t target_component = 0;
  Text<16> param_id{};
  std::int16_t param_index = 0;
};

// Asks for all.
struct ParamRequestList {
  static constexpr std::string_view wire_name = "PARAM_REQUEST_LIST";
  static constexpr std::uint32_t wire_id = 21;
  TANDEM_FIELDS(ParamRequestList, target_system, target_component);
  std::uint8_t target_system = 0;
  std::uint8_t target_component = 0;
};

// One of them.
struct ParamValue {
  static constexpr std::string_view wire_name = "PARAM_VALUE";
  static constexpr std::uint32_t wire_id = 22;
  TANDEM_FIELDS(ParamValue, param_id, param_value, param_type, param_count, param_index);
  Text<16> param_id{};
  float param_value = 0;
  std::uint8_t param_type = 0;
  std::uint16_t param_count = 0;
  std::uint16_t param_index = 0;
};

// Changes one; the echo is a PARAM_VALUE.
struct ParamSet {
  static constexpr std::string_view wire_name = "PARAM_SET";
  static constexpr std::uint32_t wire_id = 23;
  TANDEM_FIELDS(ParamSet, target_system, target_component, param_id, param_value, param_type);
  std::uint8_t target_system = 0;
  std::uint8_t target_component = 0;
  Text<16> param_id{};
  float param_value = 0;
  std::uint8_t param_type = 0;
};

}  // namespace tandem::mavlink
