// SPDX-License-Identifier: Apache-2.0
// Endpoints as the system writes them. Only for the sources of this folder.
#pragma once

#include <arpa/inet.h>
#include <netinet/in.h>
#include <sys/socket.h>

#include "tandem/net/socket.hpp"

namespace tandem::net {

inline sockaddr_in address_of(const Endpoint& endpoint) {
  sockaddr_in address{};
  address.sin_family = AF_INET;
  address.sin_addr.s_addr = htonl(endpoint.address);
  address.sin_port = htons(endpoint.port);
  return address;
}

inline Endpoint endpoint_of(const sockaddr_in& address) {
  return {ntohl(address.sin_addr.s_addr), ntohs(address.sin_port)};
}

// Our end of a socket; all zero when there is none.
inline Endpoint local_of(int fd) {
  sockaddr_in address{};
  socklen_t size = sizeof address;
  if (getsockname(fd, reinterpret_cast<sockaddr*>(&address), &size) != 0) return {};
  return endpoint_of(address);
}

// The other end of a connected socket; all zero when there is none.
inline Endpoint peer_of(int fd) {
  sockaddr_in address{};
  socklen_t size = sizeof address;
  if (getpeername(fd, reinterpret_cast<sockaddr*>(&address), &size) != 0) return {};
  return endpoint_of(address);
}

}  // namespace tandem::net
