// SPDX-License-Identifier: Apache-2.0
#include "tandem/record/channels.hpp"

#include <algorithm>
#include <utility>

namespace tandem::record {

namespace {
constexpr int oversize_shift = 48;  // of its channel; below stand its bytes
constexpr std::uint64_t oversize_mask = (std::uint64_t{1} << oversize_shift) - 1;
}  // namespace

ChannelId Channels::add(ChannelInfo info) {
  if (info.schema_name.empty()) info.schema_encoding = info.schema = "";  // in a file there is none then
  const std::lock_guard lock(mutex_);
  const auto next = static_cast<ChannelId>(channels_.size() + 1);
  if (next == 0) return 0;  // what is put there is counted as lost
  const auto [found, fresh] = ids_.try_emplace(
      {info.topic, info.encoding, info.schema_name, info.schema_encoding, info.schema, info.metadata}, next);
  const bool silent = info.silent;
  if (fresh) channels_.push_back(std::move(info));
  if (silent)
    channels_[found->second - 1U].silent = true;  // whichever process said so of a channel that others have too
  return found->second;
}

std::optional<ChannelInfo> Channels::find(std::uint64_t id) const {
  const std::lock_guard lock(mutex_);
  if (id == 0 || id > channels_.size()) return std::nullopt;
  return channels_[id - 1];
}

std::vector<ChannelInfo> Channels::from(std::size_t first) const {
  const std::lock_guard lock(mutex_);
  return {channels_.begin() + static_cast<std::ptrdiff_t>(std::min(first, channels_.size())), channels_.end()};
}

std::vector<ChannelId> Channels::silent() const {
  const std::lock_guard lock(mutex_);
  std::vector<ChannelId> silent;
  for (std::size_t i = 0; i < channels_.size(); ++i)
    if (channels_[i].silent) silent.push_back(static_cast<ChannelId>(i + 1));
  return silent;
}

std::string Channels::topic(std::uint64_t id) const {
  const auto found = find(id);
  return found ? found->topic : "?";
}

void Inlet::put(RingHead head, Bytes first, Bytes second) noexcept {
  head.sequence = sequences_[head.channel].fetch_add(1, std::memory_order_relaxed);
  if (ring_.put({Bytes{reinterpret_cast<const std::uint8_t*>(&head), sizeof head}, first, second})) return;
  const std::size_t size = first.size() + second.size();
  if (size <= largest()) return;
  std::uint64_t none = 0;
  oversize_.compare_exchange_strong(none, std::uint64_t{head.channel} << oversize_shift | size,
                                    std::memory_order_relaxed);
}

std::pair<ChannelId, std::uint64_t> Inlet::first_oversize() const {
  const std::uint64_t one = oversize_.load(std::memory_order_relaxed);
  return {static_cast<ChannelId>(one >> oversize_shift), one & oversize_mask};
}

std::uint64_t recorded_time(UtcTime time) {
  return static_cast<std::uint64_t>(std::max<std::int64_t>(0, time.time_since_epoch().count()));
}

}  // namespace tandem::record
