// SPDX-License-Identifier: Apache-2.0
// MAVLink messages: what the vehicle shall do: modes, commands, sticks, streams. Units are those of the wire.
#pragma once

#include "tandem/protocols/mavlink/codec/message.hpp"

namespace tandem::mavlink {

// Changes the flight mode.
struct SetMode {
  static constexpr std::string_view wire_name = "SET_MODE";
  static constexpr std::uint32_t wire_id = 11;
  TANDEM_FIELDS(SetMode, target_system, base_mode, custom_mode);
  std::uint8_t target_system = 0;
  std::uint8_t base_mode = 0;
  std::uint32_t custom_mode = 0;
};

// A command with seven numbers.
struct CommandLong {
  static constexpr std::string_view wire_name = "COMMAND_LONG";
  static constexpr std::uint32_t wire_id = 76;
  TANDEM_FIELDS(CommandLong, target_system, target_component, command, confirmation, param1, param2, param3, param4,
                param5, param6, param7);
  std::uint8_t target_system = 0;
  std::uint8_t target_component = 0;
  std::uint16_t command = 0;
  std::uint8_t confirmation = 0;
  float param1 = 0;
  float param2 = 0;
  float param3 = 0;
  float param4 = 0;
  float param5 = 0;
  float param6 = 0;
  float param7 = 0;
};

// A command with a place.
struct CommandInt {
  static constexpr std::string_view wire_name = "COMMAND_INT";
  static constexpr std::uint32_t wire_id = 75;
  TANDEM_FIELDS(CommandInt, target_system, target_component, frame, command, current, autocontinue, param1, param2,
                param3, param4, x, y, z);
  std::uint8_t target_system = 0;
  std::uint8_t target_component = 0;
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
};

// What became of a command.
struct CommandAck {
  static constexpr std::string_view wire_name = "COMMAND_ACK";
  static constexpr std::uint32_t wire_id = 77;
  static constexpr auto fields() {
    return Fields{TANDEM_EACH(field, CommandAck, command, result),
                  TANDEM_EACH(extension, CommandAck, progress, result_param2, target_system, target_component)};
  }
  std::uint16_t command = 0;
  std::uint8_t result = 0;
  std::uint8_t progress = 0;  // %
  std::int32_t result_param2 = 0;
  std::uint8_t target_system = 0;
  std::uint8_t target_component = 0;
  bool operator==(const CommandAck&) const = default;
};

// Sticks and buttons; x, y, r within 1000, z 0 to 1000 on ArduSub.
struct ManualControl {
  static constexpr std::string_view wire_name = "MANUAL_CONTROL";
  static constexpr std::uint32_t wire_id = 69;
  static constexpr auto fields() {
    return Fields{
        TANDEM_EACH(field, ManualControl, target, x, y, z, r, buttons),
        TANDEM_EACH(extension, ManualControl, buttons2, enabled_extensions, s, t, aux1, aux2, aux3, aux4, aux5, aux6)};
  }
  std::uint8_t target = 0;
  std::int16_t x = 0;
  std::int16_t y = 0;
  std::int16_t z = 0;
  std::int16_t r = 0;
  std::uint16_t buttons = 0;
  std::uint16_t buttons2 = 0;
  std::uint8_t enabled_extensions = 0;
  std::int16_t s = 0;
  std::int16_t t = 0;
  std::int16_t aux1 = 0;
  std::int16_t aux2 = 0;
  std::int16_t aux3 = 0;
  std::int16_t aux4 = 0;
  std::int16_t aux5 = 0;
  std::int16_t aux6 = 0;
  bool operator==(const ManualControl&) const = default;
};

// Asks for a group of messages at a rate; the old way.
struct RequestDataStream {
  static constexpr std::string_view wire_name = "REQUEST_DATA_STREAM";
  static constexpr std::uint32_t wire_id = 66;
  TANDEM_FIELDS(RequestDataStream, target_system, target_component, req_stream_id, req_message_rate, start_stop);
  std::uint8_t target_system = 0;
  std::uint8_t target_component = 0;
  std::uint8_t req_stream_id = 0;
  std::uint16_t req_message_rate = 0;  // Hz
  std::uint8_t start_stop = 0;
};

// How often a message is sent.
struct MessageInterval {
  static constexpr std::string_view wire_name = "MESSAGE_INTERVAL";
  static constexpr std::uint32_t wire_id = 244;
  TANDEM_FIELDS(MessageInterval, message_id, interval_us);
  std::uint16_t message_id = 0;
  std::int32_t interval_us = 0;  // us
};

}  // namespace tandem::mavlink
