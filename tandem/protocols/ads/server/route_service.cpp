// SPDX-License-Identifier: Apache-2.0
#include "tandem/protocols/ads/server/route_service.hpp"

#include <algorithm>

#include "tandem/protocols/ads/codec/errors.hpp"

namespace tandem::ads {

std::vector<std::uint8_t> RouteService::answer(Bytes datagram) {
  std::vector<std::uint8_t> out;
  const auto packet = decode_udp(datagram);
  if (!packet || packet->response) return out;
  const AmsAddress own{identity_.net_id, port::system_service};
  if (packet->service == UdpService::server_info) {
    encode_info_response(out, {own, identity_.computer_name, 3, 1, identity_.build}, packet->invoke_id);
  } else if (packet->service == UdpService::add_route) {
    const auto request = route_request(*packet);
    encode_route_response(out, own, request ? add(*request) : code::invalid_data, packet->invoke_id);
  }
  return out;
}

std::uint32_t RouteService::add(const RouteRequest& request) {
  const bool open = identity_.user.empty() && identity_.password.empty();
  const bool known = identity_.user.empty() || request.user == identity_.user;
  if (!open && (!known || request.password != identity_.password)) return code::not_permitted;
  std::erase_if(routes_, [&](const RouteRequest& old) { return old.net_id == request.net_id; });
  if (routes_.size() >= most_routes) return code::no_memory;
  routes_.push_back(request);
  routes_.back().password.clear();  // no reason to keep it
  return code::ok;
}

}  // namespace tandem::ads
