// SPDX-License-Identifier: Apache-2.0
#include "tandem/ros2/rtps/fragments.hpp"

#include <algorithm>

namespace tandem::ros2 {
namespace {

std::vector<std::uint8_t> whole_message(const FragmentPart& part, const std::vector<std::uint8_t>& sample) {
  constexpr std::uint8_t little = 1, with_data = 4;
  std::vector<std::uint8_t> message;
  ByteWriter out(message);
  out.bytes(part.header);
  if (part.destination) {
    out.byte(static_cast<std::uint8_t>(SubmessageKind::info_destination));
    out.byte(little);
    out.little(static_cast<std::uint16_t>(part.destination->size()));
    out.bytes(*part.destination);
  }
  constexpr std::uint16_t to_payload = 16;
  out.byte(static_cast<std::uint8_t>(SubmessageKind::data));
  out.byte(little | with_data);
  out.little(static_cast<std::uint16_t>(4 + to_payload + sample.size()));
  out.little(std::uint16_t{0});
  out.little(to_payload);
  out.bytes(part.reader);
  out.bytes(part.writer);
  out.little(static_cast<std::int32_t>(part.sequence >> 32));
  out.little(static_cast<std::uint32_t>(part.sequence));
  out.bytes(sample);
  return message;
}

}  // namespace

std::optional<std::vector<std::uint8_t>> Reassembly::add(const FragmentPart& part, const Ipv4& from) {
  if (part.sample > largest_sample || part.size == 0 || part.first == 0) return {};
  Key key{.from = from, .writer = part.writer, .sequence = part.sequence};
  std::copy_n(part.header.begin() + 8, key.source.size(), key.source.begin());
  const std::lock_guard lock(mutex_);
  auto found = samples_.find(key);
  if (found != samples_.end() && (found->second.size != part.size || found->second.bytes.size() != part.sample)) {
    samples_.erase(found);
    found = samples_.end();
  }
  if (found == samples_.end()) {
    make_room(from);
    const std::size_t fragments = (part.sample + part.size - 1u) / part.size;
    found = samples_
                .emplace(key, Sample{part.size, std::vector<std::uint8_t>(part.sample), std::vector<bool>(fragments),
                                     fragments, 0})
                .first;
  }
  Sample& sample = found->second;
  sample.heard = ++heard_;
  std::size_t at = std::size_t{part.first - 1} * part.size, index = part.first - 1;
  for (Bytes rest = part.payload; !rest.empty() && index < sample.present.size(); ++index) {
    const std::size_t size = std::min<std::size_t>(part.size, sample.bytes.size() - at);
    if (rest.size() < size) break;
    std::ranges::copy(rest.first(size), sample.bytes.begin() + static_cast<std::ptrdiff_t>(at));
    if (!sample.present[index]) --sample.missing;
    sample.present[index] = true;
    rest = rest.subspan(size);
    at += size;
  }
  if (sample.missing > 0) return {};
  std::vector<std::uint8_t> message = whole_message(part, sample.bytes);
  samples_.erase(found);
  return message;
}

void Reassembly::make_room(const Ipv4& from) {
  const auto oldest = [&](auto counts) {
    auto chosen = samples_.end();
    std::size_t count = 0;
    for (auto each = samples_.begin(); each != samples_.end(); ++each) {
      if (!counts(each->first)) continue;
      ++count;
      if (chosen == samples_.end() || each->second.heard < chosen->second.heard) chosen = each;
    }
    return std::pair(chosen, count);
  };
  if (const auto [sample, count] = oldest([&](const Key& key) { return key.from == from; }); count >= most_of_one) {
    samples_.erase(sample);
  } else if (const auto [any, all] = oldest([](const Key&) { return true; }); all >= most_samples) {
    samples_.erase(any);
  }
}

}  // namespace tandem::ros2
