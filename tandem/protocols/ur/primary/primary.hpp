// SPDX-License-Identifier: Apache-2.0
// Packets of the primary and secondary ports (30001, 30002 and the read-only 30011, 30012) as structs. All big-endian:
// i32 length of the whole packet, u8 kind, body.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "tandem/base/bytes.hpp"
#include "tandem/base/result.hpp"
#include "tandem/protocols/ur/primary/robot_state.hpp"

namespace tandem::ur::primary {

constexpr std::uint16_t primary_port = 30001;
constexpr std::uint16_t secondary_port = 30002;
constexpr std::uint16_t primary_read_only_port = 30011;
constexpr std::uint16_t secondary_read_only_port = 30012;
constexpr std::size_t header_size = 5;
constexpr std::size_t longest_packet = 1u << 20;  // bytes; real ones are a few kilobytes

enum class Kind : std::int8_t {
  disconnect = -1,
  modbus_info = 5,
  robot_state = 16,
  robot_message = 20,
  hmc = 22,
  safety_setup = 23,
  safety_tolerances = 24,
  program_state = 25,
};

// Bodies of robot messages; the numbers are the message types.
struct Text {  // 0
  std::string text;
};
struct Label {  // 1
  std::int32_t id = 0;
  std::string text;
};
struct Popup {  // 2
  std::uint32_t request = 0;
  std::uint8_t requested_type = 0;
  bool warning = false, error = false, blocking = false;
  std::string title, text;
};
struct Version {  // 3
  std::string project = "URControl";
  std::uint8_t major = 5, minor = 11;
  std::int32_t bugfix = 1, build = 108318;
  std::string date;
};
struct SafetyModeChange {  // 5
  std::int32_t code = 0, argument = 0;
  std::uint8_t safety_mode = 0;
  std::uint32_t data_type = 0, data = 0;
};
struct ErrorCode {  // 6
  std::int32_t code = 0, argument = 0, level = 0;
  std::uint32_t data_type = 0, data = 0;
  std::string text;
};
struct KeyMessage {  // 7
  std::int32_t code = 0, argument = 0;
  std::string title, text;
};
struct RequestValue {  // 9
  std::uint32_t request = 0;
  std::uint8_t requested_type = 0;
  std::string text;
};
struct RuntimeException {  // 10
  std::int32_t line = 0, column = 0;
  std::string text;
};
struct OtherMessage {
  std::uint8_t type = 0;
  std::vector<std::uint8_t> body;
};
using MessageBody = std::variant<Text, Label, Popup, Version, SafetyModeChange, ErrorCode, KeyMessage, RequestValue,
                                 RuntimeException, OtherMessage>;

struct RobotMessage {
  std::uint64_t timestamp = 0;  // microseconds
  std::int8_t source = 0;       // -2 the controller, -4 the safety system, 0 and up joints ...
  MessageBody body;
};

// Global variables of the running program: names once (type 0), values whenever they change (type 1).
struct ProgramState {
  std::uint64_t timestamp = 0;
  std::int8_t type = 0;
  std::uint16_t first = 0;  // index of the first variable
  std::string body;         // names joined with line ends, or values
};

struct OtherPacket {
  std::int8_t kind = 0;
  std::vector<std::uint8_t> body;
};
using Packet = std::variant<RobotState, RobotMessage, ProgramState, OtherPacket>;

// One whole packet with its header. Total: any bytes give a packet or an error.
Result<Packet> decode(Bytes packet);
// Append the packet.
void encode(const RobotState& state, std::vector<std::uint8_t>& out);
void encode(const RobotMessage& message, std::vector<std::uint8_t>& out);
void encode(const ProgramState& state, std::vector<std::uint8_t>& out);

}  // namespace tandem::ur::primary
