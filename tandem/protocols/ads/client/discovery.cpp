// SPDX-License-Identifier: Apache-2.0
#include "tandem/protocols/ads/client/discovery.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "tandem/net/resolver.hpp"
#include "tandem/protocols/ads/codec/errors.hpp"

namespace tandem::ads {
namespace {

constexpr Duration ask_again_after = 250ms;  // datagrams get lost
constexpr std::size_t longest_datagram = 4096;

// Sends the question until `accept` takes an answer from that device, or the deadline passes.
template <typename Answer, typename Accept>
Result<Answer> ask(const std::string& host, std::uint16_t port, Bytes question, Instant deadline, Accept accept) {
  auto to = net::resolve(host, port, deadline);
  if (!to) return std::move(to).error();
  auto socket = net::UdpSocket::bind("0.0.0.0", 0);
  if (!socket) return std::move(socket).error();
  std::array<std::uint8_t, longest_datagram> buffer;
  Instant again{};
  while (true) {
    const Instant now = tandem::now();
    if (now >= deadline)
      return Error{Fault::timeout, fmt::format("ADS service at {}: no answer before the deadline", to->text())};
    if (now >= again) {
      if (auto sent = socket->send(question, *to); !sent) return std::move(sent).error();
      again = now + ask_again_after;
    }
    auto datagram = socket->receive(buffer, std::min(again, deadline));
    if (!datagram) {
      if (datagram.error().fault == Fault::timeout) continue;
      return std::move(datagram).error();
    }
    if (datagram->from.address != to->address) continue;
    const auto packet = decode_udp(Bytes(buffer).first(std::min(datagram->size, buffer.size())));
    if (!packet) continue;
    if (auto answer = accept(*packet)) return std::move(*answer);
  }
}

// Devices answer to anyone who sent the datagram; this only has to be an AMS port.
constexpr AmsAddress nobody{NetId{{0, 0, 0, 0, 1, 1}}, port::system_service};

}  // namespace

Result<ServerInfo> discover(const std::string& host, Instant deadline, std::uint16_t port) {
  std::vector<std::uint8_t> question;
  encode_info_request(question, nobody);
  return ask<ServerInfo>(host, port, question, deadline, [](const UdpPacket& packet) { return server_info(packet); });
}

Result<void> add_route(const std::string& host, const RouteRequest& request, Instant deadline, std::uint16_t port) {
  std::vector<std::uint8_t> question;
  encode_route_request(question, {request.net_id, port::system_service}, request);
  auto result =
      ask<std::uint32_t>(host, port, question, deadline, [](const UdpPacket& packet) { return route_result(packet); });
  if (!result) return std::move(result).error();
  if (*result != code::ok) return device_error(fmt::format("add route {} to {}", request.net_id.text(), host), *result);
  return {};
}

}  // namespace tandem::ads
