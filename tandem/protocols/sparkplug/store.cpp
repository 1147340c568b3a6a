// SPDX-License-Identifier: Apache-2.0
#include "tandem/protocols/sparkplug/store.hpp"

#include <algorithm>

namespace tandem::sparkplug {

void Store::put(const std::string& device, std::vector<Sample> samples) {
  if (room_ == 0) return;
  for (Sample& sample : samples) {
    if (size_ >= room_) make_room();
    samples_[device].push_back(std::move(sample));
    ++size_;
  }
}

void Store::make_room() {
  auto oldest = samples_.end();
  for (auto each = samples_.begin(); each != samples_.end(); ++each) {
    if (each->second.empty()) continue;
    if (oldest == samples_.end() || each->second.front().timestamp < oldest->second.front().timestamp) oldest = each;
  }
  if (oldest == samples_.end()) return;
  oldest->second.pop_front();
  --size_;
  ++lost_;
}

std::vector<Sample> Store::oldest(const std::string& device, std::size_t most) const {
  const auto found = samples_.find(device);
  if (found == samples_.end()) return {};
  const auto count = static_cast<std::ptrdiff_t>(std::min(most, found->second.size()));
  return {found->second.begin(), found->second.begin() + count};
}

void Store::drop(const std::string& device, std::size_t count) {
  const auto found = samples_.find(device);
  if (found == samples_.end()) return;
  count = std::min(count, found->second.size());
  found->second.erase(found->second.begin(), found->second.begin() + static_cast<std::ptrdiff_t>(count));
  size_ -= count;
}

}  // namespace tandem::sparkplug
