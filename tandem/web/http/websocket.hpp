// SPDX-License-Identifier: Apache-2.0
// WebSocket frames (RFC 6455) of both sides: reads what the other side sends, perhaps in pieces, and writes the heads
// of what goes to it. Clients mask what they send, servers do not. No sockets here.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "tandem/base/bytes.hpp"
#include "tandem/base/clock.hpp"
#include "tandem/base/result.hpp"

namespace tandem::web {

enum class Opcode : std::uint8_t { continuation = 0, text = 1, binary = 2, close = 8, ping = 9, pong = 10 };

// Why a connection ends, as the close frame says it.
namespace close_code {
inline constexpr std::uint16_t normal = 1000, going_away = 1001, protocol = 1002, none = 1005, not_utf8 = 1007,
                               policy = 1008, too_big = 1009, internal = 1011;
}

struct FrameHead {
  std::array<std::uint8_t, 10> bytes{};
  std::size_t size = 0;
};
// In front of a whole message of ours: neither masked nor in pieces.
FrameHead frame_head(Opcode opcode, std::size_t payload);
// A whole message of a client, masked.
std::vector<std::uint8_t> client_frame(Opcode opcode, Bytes payload, std::array<std::uint8_t, 4> mask);

enum class Sender : std::uint8_t { client, server };

struct ClientMessage {
  Opcode opcode = Opcode::binary;  // never `continuation`
  Bytes payload;                   // good until the reader is asked again
};

// Puts messages together from bytes as they come. After an error, whose code is the close code, it must not be asked
// again. Memory grows with bytes that arrived, never with a length that was only announced.
class FrameReader {
 public:
  explicit FrameReader(std::size_t largest, Sender sender = Sender::client) : largest_(largest), sender_(sender) {}

  // Takes bytes off the front until a message is whole, or until none are left.
  Result<std::optional<ClientMessage>> next(Bytes& bytes);

  std::uint64_t frames() const { return frames_; }  // begun so far, pieces and control frames too

 private:
  bool take_head(Bytes& bytes);
  Result<void> begin_frame();
  Result<std::optional<ClientMessage>> end_frame();
  bool control() const { return opcode_ >= Opcode::close; }

  std::size_t largest_;
  Sender sender_;
  std::array<std::uint8_t, 14> head_{};
  std::size_t head_size_ = 0;
  bool in_payload_ = false;
  std::uint64_t left_ = 0;    // of the payload
  std::size_t unmasked_ = 0;  // of the payload, for the place in the mask
  bool final_ = false;
  Opcode opcode_ = Opcode::text;                  // of the frame
  Opcode message_opcode_ = Opcode::continuation;  // of the message in pieces; `continuation`: there is none
  std::vector<std::uint8_t> message_, control_;
  std::uint64_t frames_ = 0;
};

struct CloseReason {
  std::uint16_t code = close_code::none;
  std::string_view text;
};
// What a close frame of a client says; an error's code is the close code for the answer.
Result<CloseReason> parse_close(Bytes payload);
std::vector<std::uint8_t> close_payload(std::uint16_t code, std::string_view reason);  // cut to what a frame holds

// Sec-WebSocket-Accept for a Sec-WebSocket-Key; nothing if that is not sixteen bytes in base64.
std::optional<std::string> accept_key(std::string_view key);

// So many a second for long, and this many at once after a silence.
class RateGate {
 public:
  RateGate(double per_second, double at_once, Instant start)
      : rate_(per_second), most_(at_once), left_(at_once), last_(start) {}
  bool pass(double count, Instant when);  // false: too many

 private:
  double rate_, most_, left_;
  Instant last_;
};

}  // namespace tandem::web
