// SPDX-License-Identifier: Apache-2.0
// The conversations that a machine and its device had, taken from the field frames of a recording.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "tandem/base/bytes.hpp"
#include "tandem/base/clock.hpp"
#include "tandem/base/result.hpp"
#include "tandem/net/tap.hpp"
#include "tandem/ros2/messages/tandem_msgs.hpp"

namespace tandem::runtime {

// What was said at once. "In" is what came in from the device, "out" what the machine's side said.
struct RecordedPiece {
  net::Direction direction = net::Direction::in;
  Duration at{};                     // since the connection was opened; never falls
  std::size_t offset = 0, size = 0;  // in the bytes of that direction
};

enum class RecordedEnd : std::uint8_t { none, ours, theirs, broken };  // none: the recording ended first

struct Conversation {
  std::uint32_t connection = 0;
  bool datagram = false;
  std::string peer, local;  // "127.0.0.1:502"; the device's end, and ours
  UtcTime opened{};
  Duration length{};  // until its end
  RecordedEnd end = RecordedEnd::none;
  std::vector<RecordedPiece> pieces;
  std::vector<std::uint8_t> in, out;  // all that was said, each way

  Bytes said(const RecordedPiece& piece) const {
    return Bytes(piece.direction == net::Direction::in ? in : out).subspan(piece.offset, piece.size);
  }
};

// Total: any frames in, conversations or a reason in words out.
class ConversationBuilder {
 public:
  // In the order of the file. An error leaves what was there before; Fault::not_found: a stream without its beginning.
  Result<void> add(const ros2::tandem_msgs::FieldFrame& frame);
  // Frames are missing from here on: streams that are open end as broken, and what comes of them later is without its
  // beginning. Datagrams may get lost. The answer: this many streams.
  std::size_t tear();
  // In the order in which they were opened.
  std::vector<Conversation> take();

 private:
  Result<void> open(const ros2::tandem_msgs::FieldFrame& frame, UtcTime stamp);

  std::vector<Conversation> conversations_;
  std::map<std::uint32_t, std::size_t> open_;  // by connection
};

struct FieldRecording {
  std::string machine, type, device;  // as the configuration had them; device is a URL
  std::vector<Conversation> conversations;
  std::size_t unbegun = 0;  // streams that are left out, since their beginning is not there
  std::size_t torn = 0;     // streams that end early, since frames are missing in the middle of them
};

// The port of "127.0.0.1:502"; 0 for what is none.
std::uint16_t port_of(std::string_view endpoint);

}  // namespace tandem::runtime
