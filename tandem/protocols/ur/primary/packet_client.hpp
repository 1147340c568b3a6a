// SPDX-License-Identifier: Apache-2.0
// Client of the ports that send packets unasked and take programs: 30001, 30002, 30003 and their read-only twins.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "tandem/base/clock.hpp"
#include "tandem/base/result.hpp"
#include "tandem/net/socket.hpp"
#include "tandem/protocols/ur/framer.hpp"

namespace tandem::ur {

class PacketClient {
 public:
  static Result<PacketClient> connect(const std::string& host, std::uint16_t port, Instant deadline,
                                      net::Tap* tap = nullptr);

  // The next whole packet with its header, for decode_realtime() or primary::decode(). Valid until the next call.
  Result<Bytes> receive(Instant deadline);
  // A program; the line end that the controller waits for is added where it is missing.
  Result<void> send_program(std::string_view text, Instant deadline);

  int fd() const { return socket_.fd(); }

 private:
  explicit PacketClient(net::TcpSocket socket);

  net::TcpSocket socket_;
  Framer framer_;
};

}  // namespace tandem::ur
