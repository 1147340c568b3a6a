// SPDX-License-Identifier: Apache-2.0
#include "tandem/protocols/mavlink/codec/sequence.hpp"

namespace tandem::mavlink {

double SequenceWatch::Sender::loss() const {
  const std::uint64_t sent = received + lost;
  return sent == 0 ? 0.0 : static_cast<double>(lost) / static_cast<double>(sent);
}

const SequenceWatch::Sender* SequenceWatch::find(Address source) const {
  for (const Sender& sender : senders())
    if (sender.source == source) return &sender;
  return nullptr;
}

Arrival SequenceWatch::arrived(const Frame& frame, Instant now) {
  std::size_t at = last_;
  if (at >= count_ || senders_[at].source != frame.source) {
    for (at = 0; at < count_ && senders_[at].source != frame.source;) ++at;
    if (at == count_) {
      if (count_ == most_senders) return Arrival::crowded;
      ++count_;
      senders_[at] = {.source = frame.source};
      recent_[at] = {};
    }
    last_ = at;
  }
  return judge(senders_[at], recent_[at], frame, now);
}

Arrival SequenceWatch::judge(Sender& sender, Recent& recent, const Frame& frame, Instant now) {
  const auto note = [&](std::uint8_t behind) {
    recent.seen |= 1u << behind;
    recent.checksums[frame.sequence % 32] = frame.checksum;
    recent.heard = now;
    ++sender.received;
  };
  if (recent.seen == 0) {
    recent.newest = frame.sequence;
    note(0);
    return Arrival::first;
  }
  const auto ahead = static_cast<std::uint8_t>(frame.sequence - recent.newest);
  const auto behind = static_cast<std::uint8_t>(recent.newest - frame.sequence);
  if (behind < 32) {
    if ((recent.seen >> behind & 1u) == 0) {
      note(behind);
      if (sender.lost > 0) --sender.lost;
      ++sender.late;
      return Arrival::late;
    }
    if (recent.checksums[frame.sequence % 32] == frame.checksum && now - recent.heard < same_within) {
      ++sender.duplicates;
      return Arrival::duplicate;
    }
    // The same number for another frame, or long after: the sender restarted.
    recent = {};
    recent.newest = frame.sequence;
    note(0);
    return Arrival::first;
  }
  recent.seen = ahead < 32 ? recent.seen << ahead : 0;
  recent.newest = frame.sequence;
  sender.lost += ahead - 1u;
  note(0);
  return ahead == 1 ? Arrival::next : Arrival::gap;
}

}  // namespace tandem::mavlink
