// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include "tandem/net/url.hpp"
#include "tandem/protocols/ads/client/exchange.hpp"

namespace tandem::ads {
namespace {

Result<NetId> net_id_of(const net::Url& url, std::string_view key) {
  const auto text = url.value(key);
  if (!text) return NetId{};
  if (const auto net_id = NetId::parse(*text)) return *net_id;
  return Error{Fault::invalid,
               fmt::format("{}: {}: expected six numbers like 169.254.119.135.1.1, got '{}'", url.text(), key, *text)};
}

}  // namespace

Result<Peer> peer_from_url(const std::string& device) {
  auto url = net::parse_url(device);
  if (!url) return std::move(url).error();
  if (url->scheme != "ads")
    return Error{Fault::invalid,
                 fmt::format("{}: expected an address like ads://192.168.1.15, got {}://", device, url->scheme)};
  if (auto known = url->only_keys({"net_id", "port", "own"}); !known) return std::move(known).error();
  const auto ams_port = url->number("port", port::plc, 1, 65535);
  if (!ams_port) return ams_port.error();
  const auto target = net_id_of(*url, "net_id");
  if (!target) return target.error();
  const auto own = net_id_of(*url, "own");
  if (!own) return own.error();
  Peer peer;
  peer.host = url->host;
  peer.port = url->port.value_or(tcp_port);
  peer.target = {*target, static_cast<std::uint16_t>(*ams_port)};
  peer.own.net_id = *own;
  return peer;
}

void write_out_net_ids(net::Url& url, std::string_view device_address, std::string_view own_address) {
  if (!url.value("net_id")) url.query.emplace_back("net_id", fmt::format("{}.1.1", device_address));
  if (!url.value("own")) url.query.emplace_back("own", fmt::format("{}.1.1", own_address));
}

}  // namespace tandem::ads
