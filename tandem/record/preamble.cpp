// SPDX-License-Identifier: Apache-2.0
#include "tandem/record/preamble.hpp"

#include <algorithm>

namespace tandem::record {

void Preamble::take(Bytes record, std::uint64_t chunk) {
  const RingHead head = head_of(record);
  if (head.part != Part::none) return take_part(head, record, chunk);
  auto& entries = lasting_[{head.channel, head.source}];
  if (entries.empty() || entries.back().chunk != chunk) entries.push_back({chunk, {}});
  bytes_ += record.size() - entries.back().record.size();
  entries.back().record.assign(record.begin(), record.end());
}

void Preamble::take_part(const RingHead& head, Bytes record, std::uint64_t chunk) {
  Parts& parts = parts_[head.channel];
  if (parts.firsts.empty() || parts.firsts.back().first != chunk) parts.firsts.emplace_back(chunk, head.sequence);
  parts.firsts.back().second = std::min(parts.firsts.back().second, head.sequence);
  parts.next = std::max(parts.next, head.sequence + 1);
  if (head.part == Part::begins) parts.opened.push_back({head.source, {}, 0, false, {}});
  const auto found = std::find_if(parts.opened.rbegin(), parts.opened.rend(),
                                  [&](const Opened& each) { return each.source == head.source && !each.ended; });
  if (found == parts.opened.rend()) return;
  if (head.part == Part::ends) found->ended = chunk;
  // It ends where somebody asks, so that nothing is left unanswered; of what only streams, where it must.
  const bool enough = found->size >= longest_beginning && head.part == Part::asks;
  found->full = found->full || enough || found->size >= 2 * longest_beginning;
  if (!found->full || head.part == Part::ends) append(*found, record, chunk);
}

void Preamble::append(Opened& opened, Bytes record, std::uint64_t chunk) {
  opened.beginning.push_back({chunk, {record.begin(), record.end()}});
  opened.size += record.size();
  bytes_ += record.size();
}

void Preamble::forget_before(std::uint64_t chunk) {
  for (auto& [key, entries] : lasting_) {
    while (entries.size() > 1 && entries[1].chunk < chunk) {
      bytes_ -= entries.front().record.size();
      entries.pop_front();
    }
  }
  for (auto& [channel, parts] : parts_) {
    while (!parts.firsts.empty() && parts.firsts.front().first < chunk) parts.firsts.pop_front();
    std::erase_if(parts.opened, [&](const Opened& each) {
      const bool over = each.ended && *each.ended < chunk;
      if (over) bytes_ -= each.size;
      return over;
    });
  }
}

std::vector<std::vector<std::uint8_t>> Preamble::before(std::uint64_t chunk, std::uint64_t time) const {
  std::vector<std::vector<std::uint8_t>> records;
  const auto add = [&](const std::vector<std::uint8_t>& record) {
    RingHead head = head_of(record);
    head.log = time;
    records.push_back(record);
    std::memcpy(records.back().data(), &head, sizeof head);
  };
  for (const auto& [key, entries] : lasting_) {
    const auto after = std::ranges::find_if(entries, [&](const Entry& each) { return each.chunk >= chunk; });
    if (after != entries.begin()) add(std::prev(after)->record);
  }
  for (const auto& [channel, parts] : parts_) {
    const std::size_t first = records.size();
    for (const Opened& opened : parts.opened) {
      if (opened.ended && *opened.ended < chunk) continue;
      for (const Entry& entry : opened.beginning)
        if (entry.chunk < chunk) add(entry.record);
    }
    const auto begin = records.begin() + static_cast<std::ptrdiff_t>(first);
    std::sort(begin, records.end(),
              [](const auto& a, const auto& b) { return head_of(a).sequence < head_of(b).sequence; });
    const auto kept = std::ranges::find_if(parts.firsts, [&](const auto& each) { return each.first >= chunk; });
    std::uint32_t next = kept == parts.firsts.end() ? parts.next : kept->second;
    for (auto record = records.rbegin(); record.base() != begin; ++record) {
      RingHead head = head_of(*record);
      head.sequence = --next;
      std::memcpy(record->data(), &head, sizeof head);
      if (restamp_) restamp_(std::span(*record).subspan(sizeof head), time);
    }
  }
  return records;
}

}  // namespace tandem::record
