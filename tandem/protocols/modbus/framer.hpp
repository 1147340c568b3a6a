// SPDX-License-Identifier: Apache-2.0
// Cuts a TCP byte stream into Modbus frames, whatever pieces it arrives in.
#pragma once

#include <array>
#include <optional>
#include <span>
#include <string>

#include "tandem/base/bytes.hpp"
#include "tandem/base/result.hpp"
#include "tandem/protocols/modbus/types.hpp"

namespace tandem::modbus {

// One frame. Its PDU (function and data, at least one byte) is a view into the framer until the framer is fed again.
struct Frame {
  std::uint16_t transaction = 0;  // copied into the answer
  std::uint8_t unit = 0;
  Bytes pdu;
};

// Memory is fixed: room for several frames. Anyone who feeds more than it holds has to take frames out first.
class Framer {
 public:
  // Room to receive into, never empty once next() has found nothing more; then say how many bytes came.
  std::span<std::uint8_t> room();
  void received(std::size_t count);
  // Both in one, for bytes that are elsewhere; gives how many were taken.
  std::size_t feed(Bytes bytes);

  // The next whole frame, nothing when more bytes are needed, or Fault::invalid when the stream makes no sense: a
  // protocol id that is not 0 or a length outside 2 to 254. There is no way to find the next frame then; the error
  // stays until clear() and the connection has to go.
  Result<std::optional<Frame>> next();

  void clear();
  // True in the middle of a frame.
  bool partial() const { return begin_ != end_; }

 private:
  Error broken(std::string text);

  std::array<std::uint8_t, 8 * longest_frame> buffer_{};
  std::size_t begin_ = 0;
  std::size_t end_ = 0;
  std::optional<std::string> broken_;
};

// One frame at the end of `out`: begin writes the seven bytes in front, the caller appends the PDU, finish fills in the
// length. Several frames may be in one buffer.
std::size_t begin_frame(std::vector<std::uint8_t>& out, std::uint16_t transaction, std::uint8_t unit);
void finish_frame(std::vector<std::uint8_t>& out, std::size_t begun_at);

}  // namespace tandem::modbus
