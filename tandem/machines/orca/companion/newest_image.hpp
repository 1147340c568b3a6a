// SPDX-License-Identifier: Apache-2.0
// The newest image, from the one thread that receives to the one that looks: three buffers change hands, none is copied
// without blocking.
#pragma once

#include <array>
#include <atomic>
#include <cstdint>

#include "tandem/base/clock.hpp"
#include "tandem/vision/camera.hpp"

namespace tandem::orca {

struct StampedImage {
  vision::GrayImage image;
  UtcTime stamp{};
};

class NewestImage {
 public:
  // The receiver's own; filled in, then posted.
  StampedImage& next() { return slots_[filled_]; }
  // True when it takes the place of one that was not used.
  bool post() {
    const unsigned before = waiting_.exchange(filled_ | fresh, std::memory_order_acq_rel);
    filled_ = before & ~fresh;
    return (before & fresh) != 0;
  }

  // The newest since the last call, null when there is none; valid until the next call.
  const StampedImage* take() {
    if ((waiting_.load(std::memory_order_acquire) & fresh) == 0) return nullptr;
    looked_at_ = waiting_.exchange(looked_at_, std::memory_order_acq_rel) & ~fresh;
    return &slots_[looked_at_];
  }

 private:
  static constexpr unsigned fresh = 4;  // beside the number of a slot
  std::array<StampedImage, 3> slots_;
  unsigned filled_ = 0;     // of the receiving thread
  unsigned looked_at_ = 1;  // of the looking thread
  std::atomic<unsigned> waiting_{2};
};

}  // namespace tandem::orca
