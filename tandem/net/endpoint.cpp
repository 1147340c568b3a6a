#include <arpa/inet.h>
#include <fmt/format.h>
#include <netdb.h>

#include <cstring>

#include "tandem/net/socket.hpp"

namespace tandem::net {

std::string Endpoint::host() const {
  return fmt::format("{}.{}.{}.{}", address >> 24, address >> 16 & 255, address >> 8 & 255, address & 255);
}

std::string Endpoint::text() const { return fmt::format("{}:{}", host(), port); }

Result<Endpoint> resolve(const std::string& host, std::uint16_t port) {
  in_addr dotted{};
  if (inet_pton(AF_INET, host.c_str(), &dotted) == 1) return Endpoint{ntohl(dotted.s_addr), port};
  if (host == "localhost") return Endpoint{INADDR_LOOPBACK, port};  // whatever the resolver may think

  if (host.empty()) return Error{Fault::unreachable, fmt::format("no host given for port {}", port)};
  addrinfo hints{};
  hints.ai_family = AF_INET;
  hints.ai_socktype = SOCK_STREAM;
  addrinfo* found = nullptr;
  const int failure = getaddrinfo(host.c_str(), nullptr, &hints, &found);
  if (failure != 0) {
    return Error{Fault::unreachable, fmt::format("host \"{}\" is unknown ({}); expected an IPv4 address like "
                                                 "192.168.2.1 or a name the system can look up",
                                                 host, gai_strerror(failure))};
  }
  sockaddr_in first{};
  std::memcpy(&first, found->ai_addr, sizeof first);
  freeaddrinfo(found);
  return Endpoint{ntohl(first.sin_addr.s_addr), port};
}

}  // namespace tandem::net
