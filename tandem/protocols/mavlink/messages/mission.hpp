// SPDX-License-Identifier: Apache-2.0
// MAVLink messages: lists of items to fly. Units are those of the wire.
#pragma once

#include "tandem/protocols/mavlink/codec/message.hpp"

namespace tandem::mavlink {

// So many items will come.
struct MissionCount {
  static constexpr std::string_view wire_name = "MISSION_COUNT";
  static constexpr std::uint32_t wire_id = 44;
  static constexpr auto fields() {
    return Fields{TANDEM_EACH(field, MissionCount, target_system, target_component, count),
                  TANDEM_EACH(extension, MissionCount, mission_type)};
  }
  std::uint8_t target_system = 0;
  std::uint8_t target_component = 0;
  std::uint16_t count = 0;
  std::uint8_t mission_type = 0;
  bool operator==(const MissionCount&) const = default;
};

// One item, places as whole numbers.
struct MissionItemInt {
  static constexpr std::string_view wire_name = "MISSION_ITEM_INT";
  static constexpr std::uint32_t wire_id = 73;
  static constexpr auto fields() {
    return Fields{TANDEM_EACH(field, MissionItemInt, target_system, target_component, seq, frame, command, current,
                              autocontinue, param1, param2, param3, param4, x, y, z),
                  TANDEM_EACH(extension, MissionItemInt, mission_type)};
  }
  std::uint8_t target_system = 0;
  std::uint8_t target_component = 0;
  std::uint16_t seq = 0;
  std::uint8_t frame = 0;
  std::uint16_t command = 0;
  std::uint8_t current = 0;
  std::uint8_t autocontinue = 0;
  float param1 = 0;
  float param2 = 0;
  float param3 = 0;
  float param4 = 0;
  std::int32_t x = 0;
  std::int32_t y = 0;
  float z = 0;
  std::uint8_t mission_type = 0;
  bool operator==(const MissionItemInt&) const = default;
};

// One item, places as floats; only from old peers.
struct MissionItem {
  static constexpr std::string_view wire_name = "MISSION_ITEM";
  static constexpr std::uint32_t wire_id = 39;
  static constexpr auto fields() {
    return Fields{TANDEM_EACH(field, MissionItem, target_system, target_component, seq, frame, command, current,
                              autocontinue, param1, param2, param3, param4, x, y, z),
                  TANDEM_EACH(extension, MissionItem, mission_type)};
  }
  std::uint8_t target_system = 0;
  std::uint8_t target_component = 0;
  std::uint16_t seq = 0;
  std::uint8_t frame = 0;
  std::uint16_t command = 0;
  std::uint8_t current = 0;
  std::uint8_t autocontinue = 0;
  float param1 = 0;
  float param2 = 0;
  float param3 = 0;
  float param4 = 0;
  float x = 0;
  float y = 0;
  float z = 0;
  std::uint8_t mission_type = 0;
  bool operator==(const MissionItem&) const = default;
};

// Asks for one item.
struct MissionRequestInt {
  static constexpr std::string_view wire_name = "MISSION_REQUEST_INT";
  static constexpr std::uint32_t wire_id = 51;
  static constexpr auto fields() {
    return Fields{TANDEM_EACH(field, MissionRequestInt, target_system, target_component, seq),
                  TANDEM_EACH(extension, MissionRequestInt, mission_type)};
  }
  std::uint8_t target_system = 0;
  std::uint8_t target_component = 0;
  std::uint16_t seq = 0;
  std::uint8_t mission_type = 0;
  bool operator==(const MissionRequestInt&) const = default;
};

// Asks for one item; old peers mean MISSION_ITEM.
struct MissionRequest {
  static constexpr std::string_view wire_name = "MISSION_REQUEST";
  static constexpr std::uint32_t wire_id = 40;
  static constexpr auto fields() {
    return Fields{TANDEM_EACH(field, MissionRequest, target_system, target_component, seq),
                  TANDEM_EACH(extension, MissionRequest, mission_type)};
  }
  std::uint8_t target_system = 0;
  std::uint8_t target_component = 0;
  std::uint16_t seq = 0;
  std::uint8_t mission_type = 0;
  bool operator==(const MissionRequest&) const = default;
};

// How the transfer ended.
struct MissionAck {
  static constexpr std::string_view wire_name = "MISSION_ACK";
  static constexpr std::uint32_t wire_id = 47;
  static constexpr auto fields() {
    return Fields{TANDEM_EACH(field, MissionAck, target_system, target_component, type),
                  TANDEM_EACH(extension, MissionAck, mission_type)};
  }
  std::uint8_t target_system = 0;
  std::uint8_t target_component = 0;
  std::uint8_t type = 0;
  std::uint8_t mission_type = 0;
  bool operator==(const MissionAck&) const = default;
};

// Asks how many items there are.
struct MissionRequestList {
  static constexpr std::string_view wire_name = "MISSION_REQUEST_LIST";
  static constexpr std::uint32_t wire_id = 43;
  static constexpr auto fields() {
    return Fields{TANDEM_EACH(field, MissionRequestList, target_system, target_component),
                  TANDEM_EACH(extension, MissionRequestList, mission_type)};
  }
  std::uint8_t target_system = 0;
  std::uint8_t target_component = 0;
  std::uint8_t mission_type = 0;
  bool operator==(const MissionRequestList&) const = default;
};

// The item that is being flown.
struct MissionCurrent {
  static constexpr std::string_view wire_name = "MISSION_CURRENT";
  static constexpr std::uint32_t wire_id = 42;
  static constexpr auto fields() {
    return Fields{TANDEM_EACH(field, MissionCurrent, seq),
                  TANDEM_EACH(extension, MissionCurrent, total, mission_state, mission_mode)};
  }
  std::uint16_t seq = 0;
  std::uint16_t total = 0;
  std::uint8_t mission_state = 0;
  std::uint8_t mission_mode = 0;
  bool operator==(const MissionCurrent&) const = default;
};

// Goes on with this item.
struct MissionSetCurrent {
  static constexpr std::string_view wire_name = "MISSION_SET_CURRENT";
  static constexpr std::uint32_t wire_id = 41;
  TANDEM_FIELDS(MissionSetCurrent, target_system, target_component, seq);
  std::uint8_t target_system = 0;
  std::uint8_t target_component = 0;
  std::uint16_t seq = 0;
};

// Forgets all items.
struct MissionClearAll {
  static constexpr std::string_view wire_name = "MISSION_CLEAR_ALL";
  static constexpr std::uint32_t wire_id = 45;
  static constexpr auto fields() {
    return Fields{TANDEM_EACH(field, MissionClearAll, target_system, target_component),
                  TANDEM_EACH(extension, MissionClearAll, mission_type)};
  }
  std::uint8_t target_system = 0;
  std::uint8_t target_component = 0;
  std::uint8_t mission_type = 0;
  bool operator==(const MissionClearAll&) const = default;
};

// Some items of the list will come again, both ends included.
struct MissionWritePartialList {
  static constexpr std::string_view wire_name = "MISSION_WRITE_PARTIAL_LIST";
  static constexpr std::uint32_t wire_id = 38;
  static constexpr auto fields() {
    return Fields{TANDEM_EACH(field, MissionWritePartialList, target_system, target_component, start_index, end_index),
                  TANDEM_EACH(extension, MissionWritePartialList, mission_type)};
  }
  std::uint8_t target_system = 0;
  std::uint8_t target_component = 0;
  std::int16_t start_index = 0;
  std::int16_t end_index = 0;
  std::uint8_t mission_type = 0;
  bool operator==(const MissionWritePartialList&) const = default;
};

// This item is done.
struct MissionItemReached {
  static constexpr std::string_view wire_name = "MISSION_ITEM_REACHED";
  static constexpr std::uint32_t wire_id = 46;
  TANDEM_FIELDS(MissionItemReached, seq);
  std::uint16_t seq = 0;
};

}  // namespace tandem::mavlink
