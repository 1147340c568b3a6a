// SPDX-License-Identifier: Apache-2.0
// Any datagram to the discovery and route service, and to the client that asked.
#include <cstdlib>

#include "tandem/protocols/ads/codec/udp.hpp"
#include "tandem/protocols/ads/server/route_service.hpp"

namespace {

void require(bool holds) {
  if (!holds) std::abort();
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace tandem;
  using namespace tandem::ads;
  const Bytes datagram(data, size);
  RouteService service({.net_id = NetId{{5, 1, 2, 3, 1, 1}}, .user = "Administrator", .password = "1"});
  const auto answer = service.answer(datagram);
  if (!answer.empty()) require(decode_udp(answer).has_value());
  require(service.routes().size() <= 1);

  const auto packet = decode_udp(datagram);
  if (!packet) return 0;
  std::vector<std::uint8_t> again;
  ByteWriter writer(again);
  encode(writer, *packet);
  require(decode_udp(again).has_value());
  if (const auto route = route_request(*packet)) {
    again.clear();
    encode_route_request(again, packet->from, *route, packet->invoke_id);
    require(route_request(*decode_udp(again)) == route);
  }
  if (const auto info = server_info(*packet)) {
    again.clear();
    encode_info_response(again, *info);
    require(server_info(*decode_udp(again)) == info);
  }
  route_result(*packet);
  return 0;
}
