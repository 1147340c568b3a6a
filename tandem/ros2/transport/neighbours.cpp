// SPDX-License-Identifier: Apache-2.0
#include "tandem/ros2/transport/neighbours.hpp"

#include <arpa/inet.h>
#include <ifaddrs.h>
#include <net/if.h>

#include <cstring>
#include <fstream>
#include <sstream>

namespace tandem::ros2 {
namespace {

constexpr Duration table_age = std::chrono::milliseconds(20);

in_addr_t bits(const sockaddr* address) {
  sockaddr_in in{};
  std::memcpy(&in, address, sizeof in);
  return in.sin_addr.s_addr;
}

}  // namespace

std::optional<Ipv4> ipv4_from(const std::string& text) {
  Ipv4 address{};
  if (inet_pton(AF_INET, text.c_str(), address.data()) != 1) return std::nullopt;
  return address;
}

std::set<Ipv4> answering_neighbours(std::string_view arp_table) {
  constexpr unsigned complete = 2;  // ATF_COM
  std::set<Ipv4> found;
  std::istringstream lines{std::string(arp_table)};
  std::string line;
  std::getline(lines, line);  // the headings
  while (std::getline(lines, line)) {
    std::istringstream words(line);
    std::string address, type;
    unsigned flags = 0;
    words >> address >> type >> std::hex >> flags;
    const std::optional<Ipv4> known = ipv4_from(address);
    if (words && known && (flags & complete) != 0) found.insert(*known);
  }
  return found;
}

bool is_neighbour(const Ipv4& address) {
  in_addr_t wanted = 0;
  std::memcpy(&wanted, address.data(), sizeof wanted);
  ifaddrs* list = nullptr;
  if (getifaddrs(&list) != 0) return false;
  bool near = false, own = false;
  for (const ifaddrs* each = list; each != nullptr; each = each->ifa_next) {
    if (each->ifa_addr == nullptr || each->ifa_netmask == nullptr || each->ifa_addr->sa_family != AF_INET) continue;
    if ((each->ifa_flags & IFF_LOOPBACK) != 0) continue;
    const in_addr_t mask = bits(each->ifa_netmask);
    near = near || (bits(each->ifa_addr) & mask) == (wanted & mask);
    own = own || bits(each->ifa_addr) == wanted;
  }
  freeifaddrs(list);
  return near && !own;
}

bool NeighbourGate::answers(const Ipv4& address, Instant now) {
  if (looked_ == Instant{} || now - looked_ > table_age) {
    std::ifstream file("/proc/net/arp");
    std::ostringstream text;
    text << file.rdbuf();
    answering_ = answering_neighbours(text.str());
    near_.clear();
    std::erase_if(probed_, [&](const auto& each) { return now - each.second >= probe_period; });
    looked_ = now;
  }
  auto near = near_.find(address);
  if (near == near_.end()) near = near_.emplace(address, is_neighbour(address)).first;
  return !near->second || answering_.contains(address);  // behind a router nothing waits for an answer
}

bool NeighbourGate::lets_through(const Ipv4& address, const void* way, Instant now) {
  const bool is_peer = peers_.contains(address) || (relayed_ != nullptr && relayed_->has_address(address));
  if (!is_peer) return true;
  const std::lock_guard lock(mutex_);
  if (answers(address, now)) return true;
  const auto [last, first] = probed_.try_emplace({way, address}, now);
  if (!first && now - last->second < probe_period) return false;
  last->second = now;
  return true;
}

}  // namespace tandem::ros2
