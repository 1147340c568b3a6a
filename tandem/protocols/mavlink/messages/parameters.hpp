// MAVLink messages: the autopilot's settings. Units are those of the wire.
#pragma once

#include "tandem/protocols/mavlink/codec/message.hpp"

namespace tandem::mavlink {

// Asks for one, by name when the index is -1.
struct ParamRequestRead {
  static constexpr std::string_view wire_name = "PARAM_REQUEST_READ";
  static constexpr std::uint32_t wire_id = 20;
  static constexpr auto fields() {
    return Fields{field("target_system", &ParamRequestRead::target_system),
                  field("target_component", &ParamRequestRead::target_component),
                  field("param_id", &ParamRequestRead::param_id), field("param_index", &ParamRequestRead::param_index)};
  }
  std::uint8_t target_system = 0;
  std::uint8_t target_component = 0;
  Text<16> param_id{};
  std::int16_t param_index = 0;
  bool operator==(const ParamRequestRead&) const = default;
};

// Asks for all.
struct ParamRequestList {
  static constexpr std::string_view wire_name = "PARAM_REQUEST_LIST";
  static constexpr std::uint32_t wire_id = 21;
  static constexpr auto fields() {
    return Fields{field("target_system", &ParamRequestList::target_system),
                  field("target_component", &ParamRequestList::target_component)};
  }
  std::uint8_t target_system = 0;
  std::uint8_t target_component = 0;
  bool operator==(const ParamRequestList&) const = default;
};

// One of them.
struct ParamValue {
  static constexpr std::string_view wire_name = "PARAM_VALUE";
  static constexpr std::uint32_t wire_id = 22;
  static constexpr auto fields() {
    return Fields{field("param_id", &ParamValue::param_id), field("param_value", &ParamValue::param_value),
                  field("param_type", &ParamValue::param_type), field("param_count", &ParamValue::param_count),
                  field("param_index", &ParamValue::param_index)};
  }
  Text<16> param_id{};
  float param_value = 0;
  std::uint8_t param_type = 0;
  std::uint16_t param_count = 0;
  std::uint16_t param_index = 0;
  bool operator==(const ParamValue&) const = default;
};

// Changes one; the echo is a PARAM_VALUE.
struct ParamSet {
  static constexpr std::string_view wire_name = "PARAM_SET";
  static constexpr std::uint32_t wire_id = 23;
  static constexpr auto fields() {
    return Fields{field("target_system", &ParamSet::target_system),
                  field("target_component", &ParamSet::target_component), field("param_id", &ParamSet::param_id),
                  field("param_value", &ParamSet::param_value), field("param_type", &ParamSet::param_type)};
  }
  std::uint8_t target_system = 0;
  std::uint8_t target_component = 0;
  Text<16> param_id{};
  float param_value = 0;
  std::uint8_t param_type = 0;
  bool operator==(const ParamSet&) const = default;
};

}  // namespace tandem::mavlink
