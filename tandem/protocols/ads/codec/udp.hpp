// SPDX-License-Identifier: Apache-2.0
// The UDP side of AMS (port 48899): who is there, and please add a route to me.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "tandem/base/bytes.hpp"
#include "tandem/protocols/ads/codec/ams.hpp"

namespace tandem::ads {

enum class UdpService : std::uint32_t {
  server_info = 1,
  add_route = 6,
};
inline constexpr std::uint32_t udp_response = 0x8000'0000;

enum class UdpTag : std::uint16_t {
  status = 1,
  password = 2,
  version = 3,
  os_version = 4,
  computer_name = 5,
  net_id = 7,
  route_name = 12,
  user = 13,
};

// Any datagram of the service, its tags as views into the datagram.
struct UdpPacket {
  struct Tag {
    UdpTag id{};
    Bytes data;
  };

  std::uint32_t invoke_id = 0;
  UdpService service = UdpService::server_info;
  bool response = false;
  AmsAddress from;
  std::vector<Tag> tags;

  // Of the first tag with that id; empty when there is none. text() ends at the first NUL.
  Bytes data(UdpTag id) const;
  std::string_view text(UdpTag id) const;
};

void encode(ByteWriter& writer, const UdpPacket& packet);
// Nothing when the cookie is wrong, a tag is cut off, or the tag count lies.
std::optional<UdpPacket> decode_udp(Bytes datagram);

// What a client asks for with UdpService::add_route.
struct RouteRequest {
  std::string route_name;
  NetId net_id;  // whom the route leads to: the client
  std::string user;
  std::string password;  // in the clear on the wire; that is the protocol
  std::string host;      // address or name of the client
  friend bool operator==(const RouteRequest&, const RouteRequest&) = default;
};

void encode_route_request(std::vector<std::uint8_t>& out, const AmsAddress& from, const RouteRequest& request,
                          std::uint32_t invoke_id = 0);
std::optional<RouteRequest> route_request(const UdpPacket& packet);

// The answer: zero, or an ADS error code (wrong password is 0x704).
void encode_route_response(std::vector<std::uint8_t>& out, const AmsAddress& from, std::uint32_t result,
                           std::uint32_t invoke_id = 0);
std::optional<std::uint32_t> route_result(const UdpPacket& packet);

// Who is there.
struct ServerInfo {
  AmsAddress address;
  std::string computer_name;
  std::uint8_t version = 0;
  std::uint8_t revision = 0;
  std::uint16_t build = 0;
  friend bool operator==(const ServerInfo&, const ServerInfo&) = default;
};

void encode_info_request(std::vector<std::uint8_t>& out, const AmsAddress& from, std::uint32_t invoke_id = 0);
void encode_info_response(std::vector<std::uint8_t>& out, const ServerInfo& info, std::uint32_t invoke_id = 0);
std::optional<ServerInfo> server_info(const UdpPacket& packet);

}  // namespace tandem::ads
