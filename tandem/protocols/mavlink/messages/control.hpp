// MAVLink messages: what the vehicle shall do: modes, commands, sticks, streams. Units are those of the wire.
#pragma once

#include "tandem/protocols/mavlink/codec/message.hpp"

namespace tandem::mavlink {

// Changes the flight mode.
struct SetMode {
  static constexpr std::string_view wire_name = "SET_MODE";
  static constexpr std::uint32_t wire_id = 11;
  static constexpr auto fields() {
    return Fields{field("target_system", &SetMode::target_system), field("base_mode", &SetMode::base_mode),
                  field("custom_mode", &SetMode::custom_mode)};
  }
  std::uint8_t target_system = 0;
  std::uint8_t base_mode = 0;
  std::uint32_t custom_mode = 0;
  bool operator==(const SetMode&) const = default;
};

// A command with seven numbers.
struct CommandLong {
  static constexpr std::string_view wire_name = "COMMAND_LONG";
  static constexpr std::uint32_t wire_id = 76;
  static constexpr auto fields() {
    return Fields{field("target_system", &CommandLong::target_system),
                  field("target_component", &CommandLong::target_component),
                  field("command", &CommandLong::command),
                  field("confirmation", &CommandLong::confirmation),
                  field("param1", &CommandLong::param1),
                  field("param2", &CommandLong::param2),
                  field("param3", &CommandLong::param3),
                  field("param4", &CommandLong::param4),
                  field("param5", &CommandLong::param5),
                  field("param6", &CommandLong::param6),
                  field("param7", &CommandLong::param7)};
  }
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
  bool operator==(const CommandLong&) const = default;
};

// A command with a place.
struct CommandInt {
  static constexpr std::string_view wire_name = "COMMAND_INT";
  static constexpr std::uint32_t wire_id = 75;
  static constexpr auto fields() {
    return Fields{field("target_system", &CommandInt::target_system),
                  field("target_component", &CommandInt::target_component),
                  field("frame", &CommandInt::frame),
                  field("command", &CommandInt::command),
                  field("current", &CommandInt::current),
                  field("autocontinue", &CommandInt::autocontinue),
                  field("param1", &CommandInt::param1),
                  field("param2", &CommandInt::param2),
                  field("param3", &CommandInt::param3),
                  field("param4", &CommandInt::param4),
                  field("x", &CommandInt::x),
                  field("y", &CommandInt::y),
                  field("z", &CommandInt::z)};
  }
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
  bool operator==(const CommandInt&) const = default;
};

// What became of a command.
struct CommandAck {
  static constexpr std::string_view wire_name = "COMMAND_ACK";
  static constexpr std::uint32_t wire_id = 77;
  static constexpr auto fields() {
    return Fields{field("command", &CommandAck::command),
                  field("result", &CommandAck::result),
                  extension("progress", &CommandAck::progress),
                  extension("result_param2", &CommandAck::result_param2),
                  extension("target_system", &CommandAck::target_system),
                  extension("target_component", &CommandAck::target_component)};
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
    return Fields{field("target", &ManualControl::target),
                  field("x", &ManualControl::x),
                  field("y", &ManualControl::y),
                  field("z", &ManualControl::z),
                  field("r", &ManualControl::r),
                  field("buttons", &ManualControl::buttons),
                  extension("buttons2", &ManualControl::buttons2),
                  extension("enabled_extensions", &ManualControl::enabled_extensions),
                  extension("s", &ManualControl::s),
                  extension("t", &ManualControl::t),
                  extension("aux1", &ManualControl::aux1),
                  extension("aux2", &ManualControl::aux2),
                  extension("aux3", &ManualControl::aux3),
                  extension("aux4", &ManualControl::aux4),
                  extension("aux5", &ManualControl::aux5),
                  extension("aux6", &ManualControl::aux6)};
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
  static constexpr auto fields() {
    return Fields{field("target_system", &RequestDataStream::target_system),
                  field("target_component", &RequestDataStream::target_component),
                  field("req_stream_id", &RequestDataStream::req_stream_id),
                  field("req_message_rate", &RequestDataStream::req_message_rate),
                  field("start_stop", &RequestDataStream::start_stop)};
  }
  std::uint8_t target_system = 0;
  std::uint8_t target_component = 0;
  std::uint8_t req_stream_id = 0;
  std::uint16_t req_message_rate = 0;  // Hz
  std::uint8_t start_stop = 0;
  bool operator==(const RequestDataStream&) const = default;
};

// How often a message is sent.
struct MessageInterval {
  static constexpr std::string_view wire_name = "MESSAGE_INTERVAL";
  static constexpr std::uint32_t wire_id = 244;
  static constexpr auto fields() {
    return Fields{field("message_id", &MessageInterval::message_id),
                  field("interval_us", &MessageInterval::interval_us)};
  }
  std::uint16_t message_id = 0;
  std::int32_t interval_us = 0;  // us
  bool operator==(const MessageInterval&) const = default;
};

}  // namespace tandem::mavlink
