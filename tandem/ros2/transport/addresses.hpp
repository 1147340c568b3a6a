// SPDX-License-Identifier: Apache-2.0
// The IPv4 addresses of this computer.
#pragma once

#include <array>
#include <cstdint>
#include <mutex>
#include <set>
#include <string>

#include "tandem/base/clock.hpp"

namespace tandem::ros2 {

using Ipv4 = std::array<std::uint8_t, 4>;  // 10.0.0.1 is {10, 0, 0, 1}

inline constexpr Ipv4 loopback_address{127, 0, 0, 1};

inline bool is_loopback(const Ipv4& address) { return address[0] == 127; }
inline bool is_multicast(const Ipv4& address) { return (address[0] & 0xf0) == 0xe0; }

// Groups of DDS vendors (239.255.0.1 in RTPS). In others, as that of SSDP, devices of other kinds listen.
inline bool is_dds_group(const Ipv4& address) { return address[0] == 239 && address[1] == 255 && address[2] == 0; }

// Of all interfaces that are up, without loopback.
std::set<std::string> own_addresses();

// Reports the addresses of this computer from those of others; looks at the interfaces once a second at most. Any
// thread.
class OwnAddresses {
 public:
  // With 127.0.0.0/8.
  bool contains(const Ipv4& address, Instant now);
  // 127.0.0.1 for every address of this computer, others as they are.
  Ipv4 origin(const Ipv4& address, Instant now) { return contains(address, now) ? loopback_address : address; }

 private:
  std::mutex mutex_;
  std::set<Ipv4> addresses_;
  Instant next_look_{};
};

}  // namespace tandem::ros2
