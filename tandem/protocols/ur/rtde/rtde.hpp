// SPDX-License-Identifier: Apache-2.0
// RTDE packets as structs, both directions, protocol versions 1 and 2. All big-endian.
#pragma once

#include <cstdint>
#include <string_view>
#include <variant>
#include <vector>

#include "tandem/base/bytes.hpp"
#include "tandem/base/result.hpp"

namespace tandem::ur::rtde {

constexpr std::uint16_t tcp_port = 30004;
constexpr std::size_t header_size = 3;  // u16 length of the whole packet, u8 kind
constexpr std::size_t longest_packet = 65535;

enum class Kind : std::uint8_t {
  protocol_version = 'V',
  controller_version = 'v',
  text_message = 'M',
  data = 'U',
  setup_outputs = 'O',
  setup_inputs = 'I',
  start = 'S',
  pause = 'P',
};

enum class Level : std::uint8_t { exception = 0, error = 1, warning = 2, info = 3 };

// Texts and bytes in these structs are views into the packet.
struct TextMessage {
  std::string_view text, source;  // protocol 1 knows no source
  Level level = Level::info;
};

struct ProtocolRequest {
  std::uint16_t version = 0;
};
struct ControllerVersionRequest {};
struct OutputsRequest {
  double frequency = 0;    // Hz; only in protocol 2
  std::string_view names;  // joined with commas
};
struct InputsRequest {
  std::string_view names;
};
struct StartRequest {};
struct PauseRequest {};
struct InputData {
  std::uint8_t recipe = 0;
  Bytes values;
};
using Request = std::variant<ProtocolRequest, ControllerVersionRequest, TextMessage, OutputsRequest, InputsRequest,
                             StartRequest, PauseRequest, InputData>;

struct ProtocolAnswer {
  bool accepted = false;
};
struct ControllerVersion {
  std::uint32_t major = 0, minor = 0, bugfix = 0, build = 0;  // old controllers send no build
};
struct OutputsAnswer {
  std::uint8_t recipe = 0;  // only in protocol 2
  std::string_view types;   // joined with commas
};
struct InputsAnswer {
  std::uint8_t recipe = 0;  // 0: refused
  std::string_view types;
};
struct StartAnswer {
  bool accepted = false;
};
struct PauseAnswer {
  bool accepted = false;
};
struct OutputData {
  std::uint8_t recipe = 0;  // only in protocol 2
  Bytes values;
};
using Answer = std::variant<ProtocolAnswer, ControllerVersion, TextMessage, OutputsAnswer, InputsAnswer, StartAnswer,
                            PauseAnswer, OutputData>;

// One whole packet with its header. Fault::unsupported: a kind that is not known and can be skipped; Fault::invalid: a
// body that is not what its kind has.
Result<Request> decode_request(Bytes packet, int protocol);
Result<Answer> decode_answer(Bytes packet, int protocol);

// Append the packet; nothing is appended when it would be longer than a packet can be.
void encode(const Request& request, int protocol, std::vector<std::uint8_t>& out);
void encode(const Answer& answer, int protocol, std::vector<std::uint8_t>& out);

}  // namespace tandem::ur::rtde
