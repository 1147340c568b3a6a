// SPDX-License-Identifier: Apache-2.0
// Cuts a TCP byte stream into AMS packets, whatever pieces it arrives in.
#pragma once

#include <optional>
#include <span>
#include <vector>

#include "tandem/base/bytes.hpp"
#include "tandem/base/result.hpp"
#include "tandem/protocols/ads/codec/ams.hpp"

namespace tandem::ads {

// One packet. Its payload is a view into the framer and lives until the framer is fed again.
struct Frame {
  TcpCommand command = TcpCommand::ams;
  AmsHeader header;  // only of TcpCommand::ams
  Bytes payload;     // after the AMS header, or after the six bytes of a router command
};

class Framer {
 public:
  // Packets whose announced length is above `longest` are refused; memory grows with the bytes that are there, never
  // by an announced length.
  explicit Framer(std::size_t longest);

  // Room for at least `count` more bytes, to receive into; then say how many came.
  std::span<std::uint8_t> room(std::size_t count);
  void received(std::size_t count);
  // Both in one, for bytes that are elsewhere.
  void feed(Bytes bytes);

  // The next whole packet, nothing when more bytes are needed, or Fault::invalid when the stream makes no sense: an
  // unknown AMS/TCP command, a length below 32 or above the limit, or two lengths that contradict each other. There is
  // no way to find the next packet then; the error stays until clear() and the connection has to go.
  Result<std::optional<Frame>> next();

  // Goes on in `spare` with the bytes that are not taken yet. The packets that were taken stay where they are, in the
  // memory that `spare` then is.
  void continue_in(std::vector<std::uint8_t>& spare);

  // Forgets all bytes, keeps the memory.
  void clear();
  // True in the middle of a packet.
  bool partial() const { return begin_ != end_; }

 private:
  Error broken(std::string text);

  std::size_t longest_;
  std::vector<std::uint8_t> buffer_;
  std::size_t begin_ = 0;
  std::size_t end_ = 0;
  std::optional<std::string> broken_;
};

}  // namespace tandem::ads
