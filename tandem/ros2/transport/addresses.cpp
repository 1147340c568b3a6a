// SPDX-License-Identifier: Apache-2.0
#include "tandem/ros2/transport/addresses.hpp"

#include <arpa/inet.h>
#include <ifaddrs.h>
#include <net/if.h>

#include <array>
#include <cstring>

namespace tandem::ros2 {

namespace {

// Of interfaces that are up and not loopback.
std::set<Ipv4> interface_addresses() {
  std::set<Ipv4> addresses;
  ifaddrs* list = nullptr;
  if (getifaddrs(&list) != 0) return addresses;
  for (const ifaddrs* each = list; each != nullptr; each = each->ifa_next) {
    const bool counts = (each->ifa_flags & IFF_UP) != 0 && (each->ifa_flags & IFF_LOOPBACK) == 0;
    if (!counts || each->ifa_addr == nullptr || each->ifa_addr->sa_family != AF_INET) continue;
    sockaddr_in address{};
    std::memcpy(&address, each->ifa_addr, sizeof address);
    Ipv4 bytes{};
    std::memcpy(bytes.data(), &address.sin_addr, bytes.size());
    addresses.insert(bytes);
  }
  freeifaddrs(list);
  return addresses;
}

}  // namespace

std::set<std::string> own_addresses() {
  std::set<std::string> texts;
  for (const Ipv4& address : interface_addresses()) {
    std::array<char, INET_ADDRSTRLEN> text{};
    if (inet_ntop(AF_INET, address.data(), text.data(), text.size()) != nullptr) texts.insert(text.data());
  }
  return texts;
}

bool OwnAddresses::contains(const Ipv4& address, Instant now) {
  if (is_loopback(address)) return true;
  const std::lock_guard lock(mutex_);
  if (now >= next_look_) {
    addresses_ = interface_addresses();
    next_look_ = now + std::chrono::seconds(1);
  }
  return addresses_.contains(address);
}

}  // namespace tandem::ros2
