// SPDX-License-Identifier: Apache-2.0
// What a file begins with that begins in the middle: the newest message of everything that lasts, and of every
// connection that is open how it began, so that it can be replayed.
#pragma once

#include <cstdint>
#include <deque>
#include <functional>
#include <map>
#include <optional>
#include <span>
#include <vector>

#include "tandem/record/channels.hpp"

namespace tandem::record {

// Not for several threads. What is kept lies in chunks that are numbered in the order of time; of a message that is in
// one that is no longer kept, this decides whether it is kept all the same.
class Preamble {
 public:
  // Puts another time (ns since 1970) into a message that is part of something; such messages tell their time.
  using Restamp = std::function<void(std::span<std::uint8_t> data, std::uint64_t time)>;
  explicit Preamble(Restamp restamp = {}) : restamp_(std::move(restamp)) {}

  // A record of the ring that went into this chunk: of a channel that lasts, or a part of something.
  void take(Bytes record, std::uint64_t chunk);
  // Chunks before this one are no longer kept.
  void forget_before(std::uint64_t chunk);
  // What a file begins with whose first chunk this is, as records of the ring, all of this time. Parts of something
  // are numbered so that no gap is between them and the chunk.
  std::vector<std::vector<std::uint8_t>> before(std::uint64_t chunk, std::uint64_t time) const;

  std::size_t bytes() const { return bytes_; }

 private:
  static constexpr std::size_t longest_beginning = 64u << 10;  // bytes of a connection

  struct Entry {
    std::uint64_t chunk = 0;
    std::vector<std::uint8_t> record;
  };
  struct Opened {
    std::uint16_t source = 0;
    std::vector<Entry> beginning;
    std::size_t size = 0;
    bool full = false;
    std::optional<std::uint64_t> ended;  // in this chunk
  };
  struct Parts {
    std::vector<Opened> opened;
    std::deque<std::pair<std::uint64_t, std::uint32_t>> firsts;  // chunk, the least number in it
    std::uint32_t next = 0;                                      // behind the greatest
  };

  void take_part(const RingHead& head, Bytes record, std::uint64_t chunk);
  void append(Opened& opened, Bytes record, std::uint64_t chunk);

  const Restamp restamp_;
  std::map<std::pair<std::uint16_t, std::uint16_t>, std::deque<Entry>> lasting_;  // by channel and source
  std::map<std::uint16_t, Parts> parts_;                                          // by channel
  std::size_t bytes_ = 0;
};

}  // namespace tandem::record
