// SPDX-License-Identifier: Apache-2.0
#include "tandem/protocols/mavlink/link/link_address.hpp"

#include <fmt/format.h>

#include <charconv>

namespace tandem::mavlink {
namespace {

constexpr std::uint16_t udp_port_here = 14555;
constexpr std::uint16_t udp_port_there = 14550;
constexpr std::uint16_t tcp_port = 5760;
constexpr std::uint32_t usual_baud = 57600;
constexpr std::string_view loopback_host = "127.0.0.1";

Error bad_address(std::string_view text, std::string_view wanted) {
  return {Fault::invalid, fmt::format("MAVLink address \"{}\": expected {}", text, wanted)};
}

template <typename Number>
bool read_number(std::string_view text, Number lowest, Number& into) {
  Number value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc{} || end != text.data() + text.size() || value < lowest) return false;
  into = value;
  return true;
}

struct HostPort {
  std::string host;
  std::uint16_t port;
};

// [HOST][:PORT]; defaults replace what is missing.
bool read_host_port(std::string_view text, HostPort& into) {
  const std::size_t colon = text.rfind(':');
  const std::string_view host = text.substr(0, colon);
  if (host.find_first_of(":/@?, ") != std::string_view::npos) return false;
  if (!host.empty()) into.host = host;
  if (colon == std::string_view::npos) return true;
  return read_number<std::uint16_t>(text.substr(colon + 1), 0, into.port);
}

bool on_loopback(std::string_view host) { return host.empty() || host == "localhost" || host.starts_with("127."); }

Result<LinkAddress> read_udp_url(std::string_view whole, std::string_view rest) {
  const std::size_t at = rest.find('@');
  HostPort here{"", udp_port_here};
  HostPort there{"", udp_port_there};
  const bool remote = at != std::string_view::npos && at + 1 < rest.size();
  if (at == std::string_view::npos || !read_host_port(rest.substr(0, at), here) ||
      !read_host_port(rest.substr(at + 1), there) || (remote && there.port == 0))
    return bad_address(whole, "udp://[BIND][:PORT]@[REMOTE[:PORT]]");
  LinkAddress address{.kind = LinkKind::udp, .bind_host = here.host, .bind_port = here.port, .learn = true};
  if (remote) {
    address.host = there.host.empty() ? std::string(loopback_host) : there.host;
    address.port = there.port;
  }
  if (address.bind_host.empty()) address.bind_host = on_loopback(address.host) ? loopback_host : "0.0.0.0";
  return address;
}

Result<LinkAddress> read_serial(std::string_view whole, std::string_view rest) {
  LinkAddress address{.kind = LinkKind::serial, .device = std::string(rest), .baud = usual_baud};
  const std::size_t colon = rest.rfind(':');
  if (colon != std::string_view::npos && rest.find('/', colon) == std::string_view::npos) {
    address.device = rest.substr(0, colon);
    if (!read_number<std::uint32_t>(rest.substr(colon + 1), 1, address.baud))
      return bad_address(whole, "a whole number of baud after the last colon");
  }
  if (!address.device.starts_with('/')) return bad_address(whole, "serial:/dev/NAME[:BAUD]");
  return address;
}

}  // namespace

std::string LinkAddress::text() const {
  switch (kind) {
    case LinkKind::udp:
      if (host.empty()) return fmt::format("udpin:{}:{}", bind_host, bind_port);
      if (!learn) return fmt::format("udpout:{}:{}", host, port);
      return fmt::format("udp://{}:{}@{}:{}", bind_host, bind_port, host, port);
    case LinkKind::tcp:
      return fmt::format("tcp:{}:{}", host, port);
    case LinkKind::tcp_in:
      return fmt::format("tcpin:{}:{}", bind_host, bind_port);
    case LinkKind::serial:
      return fmt::format("serial:{}:{}", device, baud);
  }
  return {};
}

Result<LinkAddress> parse_link_address(std::string_view text) {
  std::string_view rest = text;
  const auto takes = [&](std::string_view prefix) {
    if (!rest.starts_with(prefix)) return false;
    rest.remove_prefix(prefix.size());
    return true;
  };
  if (takes("udp://")) return read_udp_url(text, rest);
  if (takes("serial://") || takes("serial:")) return read_serial(text, rest);

  HostPort place{std::string(loopback_host), tcp_port};
  const bool tcp = takes("tcp://") || takes("tcp:");
  const bool tcp_in = !tcp && (takes("tcp-l://") || takes("tcpin:"));
  if (tcp || tcp_in) {
    if (!read_host_port(rest, place) || (tcp && place.port == 0))
      return bad_address(text, tcp ? "tcp:HOST:PORT" : "tcpin:HOST:PORT");
    LinkAddress address{.kind = tcp ? LinkKind::tcp : LinkKind::tcp_in};
    (tcp ? address.host : address.bind_host) = place.host;
    (tcp ? address.port : address.bind_port) = place.port;
    return address;
  }
  place.port = udp_port_there;
  if (takes("udpin:")) {
    if (!read_host_port(rest, place)) return bad_address(text, "udpin:HOST:PORT");
    return LinkAddress{.kind = LinkKind::udp, .bind_host = place.host, .bind_port = place.port, .learn = true};
  }
  if (takes("udpout:")) {
    if (!read_host_port(rest, place) || place.port == 0) return bad_address(text, "udpout:HOST:PORT");
    return LinkAddress{.kind = LinkKind::udp,
                       .bind_host = on_loopback(place.host) ? std::string(loopback_host) : "0.0.0.0",
                       .host = place.host,
                       .port = place.port};
  }
  return bad_address(text, "it to begin with udpin:, udpout:, udp://, tcp:, tcpin:, tcp-l:// or serial:");
}

}  // namespace tandem::mavlink
