// SPDX-License-Identifier: Apache-2.0
#include "tandem/protocols/ads/codec/udp.hpp"

#include <algorithm>

namespace tandem::ads {
namespace {

constexpr std::uint32_t cookie = 0x7114'6603;

void put_head(ByteWriter& writer, std::uint32_t invoke_id, std::uint32_t service, const AmsAddress& from,
              std::size_t tags) {
  writer.little(cookie);
  writer.little(invoke_id);
  writer.little(service);
  encode(writer, from);
  writer.little(static_cast<std::uint32_t>(tags));
}

void put_tag(ByteWriter& writer, UdpTag id, Bytes data) {
  const Bytes fitting = data.first(std::min<std::size_t>(data.size(), 0xFFFF));
  writer.little(id);
  writer.little(static_cast<std::uint16_t>(fitting.size()));
  writer.bytes(fitting);
}

// With its NUL, as TwinCAT wants it.
void put_text_tag(ByteWriter& writer, UdpTag id, const std::string& text) {
  put_tag(writer, id, as_bytes(std::string_view(text.c_str(), text.size() + 1)));
}

std::uint32_t number(UdpService service) { return static_cast<std::uint32_t>(service); }

}  // namespace

Bytes UdpPacket::data(UdpTag id) const {
  const auto found = std::ranges::find(tags, id, &Tag::id);
  return found == tags.end() ? Bytes{} : found->data;
}

std::string_view UdpPacket::text(UdpTag id) const {
  const Bytes bytes = data(id);
  const std::string_view whole(reinterpret_cast<const char*>(bytes.data()), bytes.size());
  return whole.substr(0, whole.find('\0'));
}

void encode(ByteWriter& writer, const UdpPacket& packet) {
  put_head(writer, packet.invoke_id, number(packet.service) | (packet.response ? udp_response : 0), packet.from,
           packet.tags.size());
  for (const UdpPacket::Tag& tag : packet.tags) put_tag(writer, tag.id, tag.data);
}

std::optional<UdpPacket> decode_udp(Bytes datagram) {
  ByteReader reader(datagram);
  if (reader.little<std::uint32_t>() != cookie) return std::nullopt;
  UdpPacket packet;
  packet.invoke_id = reader.little<std::uint32_t>();
  const auto service = reader.little<std::uint32_t>();
  packet.service = static_cast<UdpService>(service & ~udp_response);
  packet.response = (service & udp_response) != 0;
  packet.from = take_address(reader);
  const auto count = reader.little<std::uint32_t>();
  for (std::uint32_t i = 0; i < count && reader.ok(); ++i) {
    UdpPacket::Tag tag;
    tag.id = reader.little<UdpTag>();
    tag.data = reader.bytes(reader.little<std::uint16_t>());
    if (reader.ok()) packet.tags.push_back(tag);
  }
  if (!reader.ok()) return std::nullopt;
  return packet;
}

void encode_route_request(std::vector<std::uint8_t>& out, const AmsAddress& from, const RouteRequest& request,
                          std::uint32_t invoke_id) {
  ByteWriter writer(out);
  put_head(writer, invoke_id, number(UdpService::add_route), from, 5);
  put_text_tag(writer, UdpTag::route_name, request.route_name);
  put_tag(writer, UdpTag::net_id, request.net_id.bytes);
  put_text_tag(writer, UdpTag::user, request.user);
  put_text_tag(writer, UdpTag::password, request.password);
  put_text_tag(writer, UdpTag::computer_name, request.host);
}

std::optional<RouteRequest> route_request(const UdpPacket& packet) {
  const Bytes net_id = packet.data(UdpTag::net_id);
  if (packet.service != UdpService::add_route || packet.response || net_id.size() != 6) return std::nullopt;
  RouteRequest request;
  std::ranges::copy(net_id, request.net_id.bytes.begin());
  request.route_name = packet.text(UdpTag::route_name);
  request.user = packet.text(UdpTag::user);
  request.password = packet.text(UdpTag::password);
  request.host = packet.text(UdpTag::computer_name);
  return request;
}

void encode_route_response(std::vector<std::uint8_t>& out, const AmsAddress& from, std::uint32_t result,
                           std::uint32_t invoke_id) {
  ByteWriter writer(out);
  put_head(writer, invoke_id, number(UdpService::add_route) | udp_response, from, 1);
  writer.little(UdpTag::status);
  writer.little<std::uint16_t>(4);
  writer.little(result);
}

std::optional<std::uint32_t> route_result(const UdpPacket& packet) {
  ByteReader reader(packet.data(UdpTag::status));
  const auto result = reader.little<std::uint32_t>();
  if (packet.service != UdpService::add_route || !packet.response || !reader.done()) return std::nullopt;
  return result;
}

void encode_info_request(std::vector<std::uint8_t>& out, const AmsAddress& from, std::uint32_t invoke_id) {
  ByteWriter writer(out);
  put_head(writer, invoke_id, number(UdpService::server_info), from, 0);
}

void encode_info_response(std::vector<std::uint8_t>& out, const ServerInfo& info, std::uint32_t invoke_id) {
  ByteWriter writer(out);
  put_head(writer, invoke_id, number(UdpService::server_info) | udp_response, info.address, 2);
  put_text_tag(writer, UdpTag::computer_name, info.computer_name);
  writer.little(UdpTag::version);
  writer.little<std::uint16_t>(4);
  writer.byte(info.version);
  writer.byte(info.revision);
  writer.little(info.build);
}

std::optional<ServerInfo> server_info(const UdpPacket& packet) {
  if (packet.service != UdpService::server_info || !packet.response) return std::nullopt;
  ServerInfo info;
  info.address = packet.from;
  info.computer_name = packet.text(UdpTag::computer_name);
  // A device that does not report its version has version 0.
  ByteReader reader(packet.data(UdpTag::version));
  info.version = reader.byte();
  info.revision = reader.byte();
  info.build = reader.little<std::uint16_t>();
  return info;
}

}  // namespace tandem::ads
