// SPDX-License-Identifier: Apache-2.0
// The UDP side of a virtual PLC: reports who it is, and takes routes.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "tandem/protocols/ads/codec/udp.hpp"

namespace tandem::ads {

class RouteService {
 public:
  struct Identity {
    NetId net_id;
    std::string computer_name = "TANDEM-PLC";
    std::uint16_t build = 4024;  // of version 3.1
    std::string user;            // who may add a route; empty: any user
    std::string password;        // checked when one of the two is set
  };
  static constexpr std::size_t most_routes = 256;

  explicit RouteService(Identity identity) : identity_(std::move(identity)) {}

  // The answer to a datagram; empty when it is none of ours.
  std::vector<std::uint8_t> answer(Bytes datagram);

  // The routes that were asked for and granted; one per NetId, the newest request wins.
  const std::vector<RouteRequest>& routes() const { return routes_; }

 private:
  std::uint32_t add(const RouteRequest& request);

  Identity identity_;
  std::vector<RouteRequest> routes_;
};

}  // namespace tandem::ads
