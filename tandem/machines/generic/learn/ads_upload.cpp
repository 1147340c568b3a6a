// SPDX-License-Identifier: Apache-2.0
#include "tandem/machines/generic/learn/ads_upload.hpp"

#include <fmt/format.h>

#include <array>

#include "tandem/net/round_trips.hpp"
#include "tandem/net/url.hpp"
#include "tandem/protocols/ads/client/client.hpp"

namespace tandem::generic {
namespace {

constexpr int plc_port = 851;
constexpr std::uint32_t most_upload_bytes = 15u << 20;  // the client takes 16 MiB in one packet

struct UploadInfo {
  std::uint32_t symbols = 0, symbol_bytes = 0, types = 0, type_bytes = 0;
};

Result<ads::Peer> peer_of(const std::string& device) {
  auto url = net::parse_url(device);
  if (!url) return std::move(url).error();
  if (url->scheme != "ads") {
    return Error{Fault::invalid,
                 fmt::format("{}: expected an address like ads://192.168.1.15, got {}://", device, url->scheme)};
  }
  if (auto known = url->only_keys({"net_id", "port", "own"}); !known) return known.error();
  const auto port = url->number("port", plc_port, 1, 65535);
  if (!port) return port.error();
  ads::Peer peer;
  peer.host = url->host;
  peer.port = url->port.value_or(ads::tcp_port);
  peer.target.port = static_cast<std::uint16_t>(*port);
  for (const std::string_view key : {"net_id", "own"}) {
    const auto text = url->value(key);
    if (!text) continue;
    const auto net_id = ads::NetId::parse(*text);
    if (!net_id) {
      return Error{Fault::invalid,
                   fmt::format("{}: {}: expected six numbers like 169.254.119.135.1.1, got '{}'", device, key, *text)};
    }
    (key == "own" ? peer.own.net_id : peer.target.net_id) = *net_id;
  }
  return peer;
}

// The longer form has the types too; older PLCs know only the shorter one.
Result<UploadInfo> ask_sizes(ads::Client& client, const net::RoundTrips& trips) {
  UploadInfo info;
  std::array<std::uint8_t, 24> longer{};
  const auto done = client.read(ads::group::symbol_upload_info_2, 0, longer, trips.next());
  if (done) {
    ByteReader reader(longer);
    info.symbols = reader.little<std::uint32_t>();
    info.symbol_bytes = reader.little<std::uint32_t>();
    info.types = reader.little<std::uint32_t>();
    info.type_bytes = reader.little<std::uint32_t>();
    return info;
  }
  if (done.error().fault != Fault::device && done.error().fault != Fault::invalid &&
      done.error().fault != Fault::not_found)
    return done.error();
  std::array<std::uint8_t, 8> shorter{};
  if (auto old = client.read(ads::group::symbol_upload_info, 0, shorter, trips.next()); !old) return old.error();
  ByteReader reader(shorter);
  info.symbols = reader.little<std::uint32_t>();
  info.symbol_bytes = reader.little<std::uint32_t>();
  return info;
}

// All of a group in one read. The bytes are copied: the next request reuses their place.
Result<std::vector<std::uint8_t>> upload(ads::Client& client, std::uint32_t group, std::uint32_t size,
                                         const std::string& what, const net::RoundTrips& trips) {
  if (size == 0) return std::vector<std::uint8_t>{};
  if (size > most_upload_bytes) {
    return Error{Fault::unsupported,
                 fmt::format("{}: expected at most {} bytes, got {}", what, most_upload_bytes, size)};
  }
  const auto begun = client.begin_read(group, 0, size, trips.next());
  if (!begun) return within(what, begun.error());
  const auto data = client.await(*begun, trips.next());
  if (!data) return within(what, data.error());
  return std::vector<std::uint8_t>(data->begin(), data->end());
}

}  // namespace

Result<PlcProgram> upload_program(const std::string& device, Instant deadline) {
  auto peer = peer_of(device);
  if (!peer) return std::move(peer).error();
  const net::RoundTrips trips(deadline);
  auto client = ads::Client::connect(*peer, trips.next());
  if (!client) return std::move(client).error();
  PlcProgram program;
  program.origin = device;
  if (const auto info = client->device_info(trips.next())) {
    program.origin +=
        fmt::format(" ({}, TwinCAT {}.{}.{})", one_line(info->name, 16), info->major, info->minor, info->build);
  }
  const auto sizes = ask_sizes(*client, trips);
  if (!sizes) return within("symbol upload", sizes.error());
  const auto symbols = upload(*client, ads::group::symbol_upload, sizes->symbol_bytes, "symbol upload", trips);
  if (!symbols) return symbols.error();
  const auto types = upload(*client, ads::group::type_upload, sizes->type_bytes, "type upload", trips);
  if (!types) return types.error();
  auto decoded = ads::decode_symbols(*symbols);
  if (!decoded || decoded->size() != sizes->symbols) {
    return Error{Fault::invalid,
                 fmt::format("symbol upload: expected {} symbols in {} bytes, got {} readable ones in {}",
                             sizes->symbols, sizes->symbol_bytes, decoded ? decoded->size() : 0, symbols->size())};
  }
  auto known = ads::decode_types(*types);
  if (!known)
    return Error{Fault::invalid, fmt::format("type upload: expected {} types, got malformed entries", sizes->types)};
  program.symbols = std::move(*decoded);
  program.types = std::move(*known);
  return program;
}

}  // namespace tandem::generic
