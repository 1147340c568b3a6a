// SPDX-License-Identifier: Apache-2.0
#include "tandem/net/tap.hpp"

#include <atomic>

namespace tandem::net {

TapPoint& TapPoint::operator=(TapPoint&& other) noexcept {
  if (this == &other) return *this;
  close(Ending::ours);
  tap_ = std::exchange(other.tap_, nullptr);
  flow_ = other.flow_;
  return *this;
}

void TapPoint::open(Tap* tap, Flow flow) noexcept {
  static std::atomic<std::uint32_t> last{0};
  close(Ending::ours);
  if (tap == nullptr) return;
  flow_ = flow;
  flow_.connection = ++last;
  tap_ = tap;
  tap_->opened(flow_, now());
}

}  // namespace tandem::net
