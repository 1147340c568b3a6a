// SPDX-License-Identifier: Apache-2.0
// Lets through the samples of one publisher: of the first that speaks, until it is gone or silent for too long.
#pragma once

#include <functional>
#include <optional>
#include <utility>

#include "tandem/base/clock.hpp"
#include "tandem/ros2/graph/graph.hpp"

namespace tandem::ros2 {

class OwnerGate {
 public:
  explicit OwnerGate(Duration silence) : silence_(silence) {}

  // Whether the sample counts; the one it comes from owns the topic then. `is_there` is asked of the owner.
  bool admit(const Gid& from, Instant now, const std::function<bool(const Gid&)>& is_there) {
    if (owner_ && *owner_ != from && now - heard_ < silence_ && is_there(*owner_)) return false;
    if (owner_ && *owner_ != from) before_ = owner_;
    owner_ = from;
    heard_ = now;
    return true;
  }

  const std::optional<Gid>& owner() const { return owner_; }
  // Whom the owner has replaced, once.
  std::optional<Gid> take_replaced() { return std::exchange(before_, std::nullopt); }

 private:
  Duration silence_;
  std::optional<Gid> owner_;
  std::optional<Gid> before_;
  Instant heard_{};
};

}  // namespace tandem::ros2
