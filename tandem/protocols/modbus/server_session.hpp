// SPDX-License-Identifier: Apache-2.0
// One client connection of a Modbus server, without its socket: bytes in, answers out, in the order of the requests.
#pragma once

#include <cstdint>
#include <vector>

#include "tandem/protocols/modbus/device.hpp"
#include "tandem/protocols/modbus/framer.hpp"

namespace tandem::modbus {

// What the device says to one request: function, counts, addresses and values are checked in that order, as the
// specification demands.
Answer answer_of(Device& device, const Request& request);

class Session {
 public:
  explicit Session(Device& device) : device_(device) {}

  // Room to receive into; then say how many bytes came. Empty while requests wait that have not been answered.
  std::span<std::uint8_t> room() { return framer_.room(); }
  void received(std::size_t count) { framer_.received(count); }

  // Answers the next whole request at the end of `out` (at most 260 bytes; nothing for a unit that stays silent). False
  // when more bytes are needed; an error when the stream makes no sense and the connection has to be closed.
  Result<bool> answer_next(std::vector<std::uint8_t>& out);

  // All of it in one: takes the bytes and answers until they are used up.
  Result<void> receive(Bytes bytes, std::vector<std::uint8_t>& out);

  std::uint64_t requests() const { return requests_; }
  // Part of a request is held.
  bool partial() const { return framer_.partial(); }

 private:
  Device& device_;
  Framer framer_;
  std::uint64_t requests_ = 0;
};

}  // namespace tandem::modbus
