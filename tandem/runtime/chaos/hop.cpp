// SPDX-License-Identifier: Apache-2.0
#include "tandem/runtime/chaos/hop.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "tandem/net/own_address.hpp"
#include "tandem/net/resolver.hpp"
#include "tandem/net/socket.hpp"
#include "tandem/net/url.hpp"

namespace tandem::runtime::chaos {
namespace {

using Kind = machines::Reach::Kind;
constexpr Duration patience = 3s;  // of the name server
constexpr const char* loopback = "127.0.0.1";

bool is_udp(Kind kind) { return kind == Kind::routed || kind == Kind::awaits_udp; }
bool calls_us(Kind kind) { return kind == Kind::awaits_tcp || kind == Kind::awaits_udp; }

Error impossible(const std::string& device, const std::string& why) {
  return {Fault::unsupported, fmt::format("chaos: expected a device that is reached over TCP or UDP, got {}: {}; "
                                          "remove `chaos: true`",
                                          device, why)};
}

net::Faults swapped(const net::Faults& faults) { return {faults.to_client, faults.to_device}; }

net::Cut half_cut(const Terms& terms, bool device_calls) {
  const bool to_device = terms.towards == Towards::device;
  return to_device != device_calls ? net::Cut::half_to_device : net::Cut::half_to_client;
}

void set_value(net::Url& url, std::string_view key, std::string value) {
  const auto found = std::ranges::find(url.query, key, &std::pair<std::string, std::string>::first);
  if (found != url.query.end()) {
    found->second = std::move(value);
  } else {
    url.query.emplace_back(key, std::move(value));
  }
}

// A port that is free now, for the machine to wait on. Another program could take it before the machine does; then
// the machine says so.
Result<std::uint16_t> free_port(bool udp) {
  if (udp) {
    auto socket = net::UdpSocket::bind(loopback, 0);
    if (!socket) return std::move(socket).error();
    return socket->local().port;
  }
  auto listener = net::TcpListener::listen(loopback, 0);
  if (!listener) return std::move(listener).error();
  return listener->local().port;
}

}  // namespace

Result<std::vector<machines::Reach>> ways_through(const machines::MachineType& type, const std::string& device) {
  const auto url = net::parse_url(device);
  if (!url) return url.error();
  std::vector<machines::Reach> ways;
  if (type.reach != nullptr) {
    ways = type.reach(*url);
  } else {
    for (const machines::FieldPort& port : type.ports) {
      const std::uint16_t number = port.key.empty() ? url->port.value_or(port.standard) : port.standard;
      const auto chosen = port.key.empty() ? Result<std::int64_t>(number) : url->number(port.key, number, 1, 65535);
      if (!chosen) return chosen.error();
      ways.push_back({Kind::connects, url->host, static_cast<std::uint16_t>(*chosen), {}, port.key, port.optional});
    }
  }
  if (ways.empty()) return impossible(device, fmt::format("{} names no ports", type.name));
  for (const machines::Reach& way : ways) {
    if (way.kind == Kind::serial) return impossible(device, "a serial line has no proxy");
    if (way.port == 0) return impossible(device, "a port is unknown");
  }
  return ways;
}

Result<Hop::Line> Hop::line_to(const machines::Reach& way, std::uint16_t& machine_port) {
  net::FaultProxy::Options options;
  options.udp = is_udp(way.kind);
  if (calls_us(way.kind)) {
    const auto free = free_port(options.udp);
    if (!free) return free.error();
    machine_port = *free;
    options.listen = way.where;
    options.port = way.port;
    options.upstream = {0x7F000001, machine_port};
  } else {
    const auto there = net::resolve(way.where, way.port, now() + patience);
    if (!there) return there.error();
    options.upstream = *there;
  }
  auto proxy = net::FaultProxy::start(options);
  if (!proxy) return std::move(proxy).error();
  if (!calls_us(way.kind)) machine_port = proxy->endpoint().port;
  return Line{std::move(*proxy), options.udp, calls_us(way.kind)};
}

Result<Hop> Hop::open(const machines::MachineType& type, const std::string& device) {
  const auto ways = ways_through(type, device);
  if (!ways) return ways.error();
  auto url = net::parse_url(device);
  if (!url) return std::move(url).error();
  if (type.write_out != nullptr) {
    const auto host = net::resolve(url->host, 1, now() + patience);
    if (!host) return within("chaos", host.error());
    const auto own = net::own_address_towards(url->host, now() + patience);
    if (!own) return within("chaos", own.error());
    type.write_out(*url, host->host(), *own);
  }
  Hop hop;
  for (const machines::Reach& way : *ways) {
    std::uint16_t port = 0;
    auto line = line_to(way, port);
    if (!line) return within(fmt::format("chaos: port {}", way.port), std::move(line).error());
    hop.lines_.push_back(std::move(*line));
    if (way.key.empty()) {
      url->port = port;
    } else {
      set_value(*url, way.key, std::to_string(port));
    }
  }
  url->host = loopback;
  hop.url_ = url->text();
  return hop;
}

bool Hop::has_streams() const {
  return std::ranges::any_of(lines_, [](const Line& line) { return !line.datagrams; });
}
bool Hop::has_datagrams() const {
  return std::ranges::any_of(lines_, [](const Line& line) { return line.datagrams; });
}

Result<void> Hop::suits(const Terms& terms) const {
  const auto unsuited = [](std::string_view term, std::string_view link, std::string_view instead) {
    return Error{Fault::unsupported, fmt::format("{}: expected {}; {}", term, link, instead)};
  };
  if (terms.reorder > 0 && !has_datagrams())
    return unsuited("reorder", "a link over UDP, got TCP", "TCP keeps the order; use jitter, or duplicate");
  if (has_streams()) return {};
  if (terms.slice > 0) return unsuited("slice", "a link over TCP, got UDP", "datagrams stay whole; use rate");
  if (terms.reset) return unsuited("reset", "a link over TCP, got UDP", "there is no connection; use blackhole");
  if (terms.half_open)
    return unsuited("half-open", "a link over TCP, got UDP", "there is no connection; use blackhole to=client");
  return {};
}

void Hop::apply(const Terms& terms, std::uint64_t seed) {
  const net::Faults faults = faults_of(terms);
  for (std::size_t i = 0; i < lines_.size(); ++i) {
    Line& line = lines_[i];
    line.proxy.apply(line.device_calls ? swapped(faults) : faults, seed + 0x10000 * i);
    if (line.datagrams) continue;
    if (terms.half_open) line.proxy.cut(half_cut(terms, line.device_calls));
    if (terms.reset) line.proxy.cut(net::Cut::rst);
  }
}

void Hop::lift(const Terms& terms) {
  for (Line& line : lines_) {
    line.proxy.clear();
    if (terms.black_hole && !line.datagrams) line.proxy.cut(net::Cut::rst);
  }
}

net::ProxyCounts Hop::counts() const {
  net::ProxyCounts all;
  for (const Line& line : lines_) {
    const net::ProxyCounts one = line.proxy.counts();
    all.connections += one.connections;
    all.open += one.open;
    all.turned_away += one.turned_away;
    all.cuts += one.cuts;
    all.to_device += line.device_calls ? one.to_client : one.to_device;
    all.to_client += line.device_calls ? one.to_device : one.to_client;
  }
  return all;
}

}  // namespace tandem::runtime::chaos
