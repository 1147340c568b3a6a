// MAVLink messages: lists of items to fly. Units are those of the wire.
#pragma once

#include "tandem/protocols/mavlink/codec/message.hpp"

namespace tandem::mavlink {

// So many items will come.
struct MissionCount {
  static constexpr std::string_view wire_name = "MISSION_COUNT";
  static constexpr std::uint32_t wire_id = 44;
  static constexpr auto fields() {
    return Fields{field("target_system", &MissionCount::target_system),
                  field("target_component", &MissionCount::target_component), field("count", &MissionCount::count),
                  extension("mission_type", &MissionCount::mission_type)};
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
    return Fields{field("target_system", &MissionItemInt::target_system),
                  field("target_component", &MissionItemInt::target_component),
                  field("seq", &MissionItemInt::seq),
                  field("frame", &MissionItemInt::frame),
                  field("command", &MissionItemInt::command),
                  field("current", &MissionItemInt::current),
                  field("autocontinue", &MissionItemInt::autocontinue),
                  field("param1", &MissionItemInt::param1),
                  field("param2", &MissionItemInt::param2),
                  field("param3", &MissionItemInt::param3),
                  field("param4", &MissionItemInt::param4),
                  field("x", &MissionItemInt::x),
                  field("y", &MissionItemInt::y),
                  field("z", &MissionItemInt::z),
                  extension("mission_type", &MissionItemInt::mission_type)};
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
    return Fields{field("target_system", &MissionItem::target_system),
                  field("target_component", &MissionItem::target_component),
                  field("seq", &MissionItem::seq),
                  field("frame", &MissionItem::frame),
                  field("command", &MissionItem::command),
                  field("current", &MissionItem::current),
                  field("autocontinue", &MissionItem::autocontinue),
                  field("param1", &MissionItem::param1),
                  field("param2", &MissionItem::param2),
                  field("param3", &MissionItem::param3),
                  field("param4", &MissionItem::param4),
                  field("x", &MissionItem::x),
                  field("y", &MissionItem::y),
                  field("z", &MissionItem::z),
                  extension("mission_type", &MissionItem::mission_type)};
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
    return Fields{field("target_system", &MissionRequestInt::target_system),
                  field("target_component", &MissionRequestInt::target_component),
                  field("seq", &MissionRequestInt::seq), extension("mission_type", &MissionRequestInt::mission_type)};
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
    return Fields{field("target_system", &MissionRequest::target_system),
                  field("target_component", &MissionRequest::target_component), field("seq", &MissionRequest::seq),
                  extension("mission_type", &MissionRequest::mission_type)};
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
    return Fields{field("target_system", &MissionAck::target_system),
                  field("target_component", &MissionAck::target_component), field("type", &MissionAck::type),
                  extension("mission_type", &MissionAck::mission_type)};
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
    return Fields{field("target_system", &MissionRequestList::target_system),
                  field("target_component", &MissionRequestList::target_component),
                  extension("mission_type", &MissionRequestList::mission_type)};
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
    return Fields{field("seq", &MissionCurrent::seq), extension("total", &MissionCurrent::total),
                  extension("mission_state", &MissionCurrent::mission_state),
                  extension("mission_mode", &MissionCurrent::mission_mode)};
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
  static constexpr auto fields() {
    return Fields{field("target_system", &MissionSetCurrent::target_system),
                  field("target_component", &MissionSetCurrent::target_component),
                  field("seq", &MissionSetCurrent::seq)};
  }
  std::uint8_t target_system = 0;
  std::uint8_t target_component = 0;
  std::uint16_t seq = 0;
  bool operator==(const MissionSetCurrent&) const = default;
};

// Forgets all items.
struct MissionClearAll {
  static constexpr std::string_view wire_name = "MISSION_CLEAR_ALL";
  static constexpr std::uint32_t wire_id = 45;
  static constexpr auto fields() {
    return Fields{field("target_system", &MissionClearAll::target_system),
                  field("target_component", &MissionClearAll::target_component),
                  extension("mission_type", &MissionClearAll::mission_type)};
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
    return Fields{field("target_system", &MissionWritePartialList::target_system),
                  field("target_component", &MissionWritePartialList::target_component),
                  field("start_index", &MissionWritePartialList::start_index),
                  field("end_index", &MissionWritePartialList::end_index),
                  extension("mission_type", &MissionWritePartialList::mission_type)};
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
  static constexpr auto fields() { return Fields{field("seq", &MissionItemReached::seq)}; }
  std::uint16_t seq = 0;
  bool operator==(const MissionItemReached&) const = default;
};

}  // namespace tandem::mavlink
