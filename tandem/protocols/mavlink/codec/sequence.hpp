// SPDX-License-Identifier: Apache-2.0
// What the sequence numbers of received frames tell about the way here, sender by sender.
#pragma once

#include <array>
#include <cstdint>
#include <span>

#include "tandem/base/clock.hpp"
#include "tandem/protocols/mavlink/codec/frame.hpp"

namespace tandem::mavlink {

enum class Arrival : std::uint8_t {
  first,      // of its sender
  next,       // as it should be
  gap,        // some are missing before it
  late,       // one that was missing; others have overtaken it
  duplicate,  // has been here already
  crowded,    // more senders than are kept apart
};

class SequenceWatch {
 public:
  struct Sender {
    Address source;
    std::uint64_t received = 0;  // duplicates not counted
    std::uint64_t lost = 0;      // so far; one that comes late is taken off again
    std::uint64_t late = 0;
    std::uint64_t duplicates = 0;
    double loss() const;  // share of all that were sent, 0 to 1
  };

  Arrival arrived(const Frame& frame, Instant now);

  std::span<const Sender> senders() const { return {senders_.data(), count_}; }
  const Sender* find(Address source) const;
  void clear() { count_ = 0; }
  // The next frame of every sender is its first; the counts stay.
  void begin_anew() { recent_.fill({}); }

  static constexpr std::size_t most_senders = 64;
  static constexpr Duration same_within = 500ms;  // of the sender's last frame; a duplicate comes no later

 private:
  // The last 32 sequence numbers: which were seen, with what checksum, and when the last came, since a sender that
  // restarts or never counts says the same again under the same number and means it.
  struct Recent {
    std::uint8_t newest = 0;
    std::uint32_t seen = 0;  // bit i: newest - i
    std::array<std::uint16_t, 32> checksums{};
    Instant heard{};  // duplicates not counted
  };
  Arrival judge(Sender& sender, Recent& recent, const Frame& frame, Instant now);

  std::array<Sender, most_senders> senders_{};
  std::array<Recent, most_senders> recent_{};
  std::size_t count_ = 0;
  std::size_t last_ = 0;  // most frames come from the sender of the one before
};

}  // namespace tandem::mavlink
