// SPDX-License-Identifier: Apache-2.0
// RTDE data packets as they came last, oldest first, to be played again.
#pragma once

#include <mutex>
#include <vector>

#include "tandem/net/tap.hpp"

namespace tandem::ur3e {

class Capture final : public net::Tap {
 public:
  using Packet = std::vector<std::uint8_t>;

  // The controller writes one packet at a time; what came in another way is not kept.
  void passed(const net::Flow&, net::Direction direction, Bytes bytes, Instant) noexcept override {
    if (direction != net::Direction::in || bytes.size() < 100 || bytes[2] != 'U') return;
    if (static_cast<std::size_t>(bytes[0] << 8 | bytes[1]) != bytes.size()) return;
    const std::lock_guard lock(mutex_);
    if (packets_.size() >= 32) packets_.erase(packets_.begin());
    packets_.emplace_back(bytes.begin(), bytes.end());
  }
  std::vector<Packet> packets() const {
    const std::lock_guard lock(mutex_);
    return packets_;
  }

 private:
  mutable std::mutex mutex_;
  std::vector<Packet> packets_;
};

}  // namespace tandem::ur3e
