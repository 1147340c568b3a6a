// SPDX-License-Identifier: Apache-2.0
#include "tandem/net/own_address.hpp"

#include <fmt/format.h>
#include <sys/socket.h>

#include <cerrno>
#include <cstring>

#include "tandem/net/address.hpp"
#include "tandem/net/resolver.hpp"
#include "tandem/net/socket.hpp"

namespace tandem::net {

Result<std::string> own_address_towards(const std::string& host, Instant deadline) {
  const auto to = resolve(host, 9, deadline);
  if (!to) return to.error();
  const Descriptor socket(::socket(AF_INET, SOCK_DGRAM | SOCK_CLOEXEC, 0));
  const sockaddr_in address = address_of(*to);
  // A datagram socket that is connected has asked for the route and sent nothing.
  if (::connect(socket.get(), reinterpret_cast<const sockaddr*>(&address), sizeof address) != 0)
    return Error{Fault::unreachable, fmt::format("no route to {}: {}", host, std::strerror(errno)),
                 static_cast<unsigned>(errno)};
  return local_of(socket.get()).host();
}

}  // namespace tandem::net
