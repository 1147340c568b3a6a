// SPDX-License-Identifier: Apache-2.0
#include "tandem/protocols/ur/primary/packet_client.hpp"

#include "tandem/protocols/ur/primary/primary.hpp"

namespace tandem::ur {
namespace {

constexpr std::size_t packet_chunk = 16 * 1024;

}  // namespace

PacketClient::PacketClient(net::TcpSocket socket)
    : socket_(std::move(socket)), framer_(Length::four_bytes, primary::header_size, primary::longest_packet) {}

Result<PacketClient> PacketClient::connect(const std::string& host, std::uint16_t port, Instant deadline,
                                           net::Tap* tap) {
  auto socket = net::TcpSocket::connect(host, port, deadline);
  if (!socket) return std::move(socket).error();
  socket->tap(tap);
  return PacketClient(std::move(*socket));
}

Result<Bytes> PacketClient::receive(Instant deadline) {
  for (bool first = true;; first = false) {
    auto packet = framer_.next();
    if (!packet) {
      socket_.close();
      return std::move(packet).error();
    }
    if (*packet) return **packet;
    // A packet that comes in drops must not keep us here past the deadline.
    if (!first && now() >= deadline) return Error{Fault::timeout, "no complete packet before the deadline"};
    auto count = socket_.read_some(framer_.room(packet_chunk), deadline);
    if (!count) return std::move(count).error();
    framer_.received(*count);
  }
}

Result<void> PacketClient::send_program(std::string_view text, Instant deadline) {
  std::string program(text);
  if (program.empty() || program.back() != '\n') program += '\n';
  auto written = socket_.write_all(as_bytes(program), deadline);
  // Half a program cannot be taken back.
  if (!written) socket_.close();
  return written;
}

}  // namespace tandem::ur
