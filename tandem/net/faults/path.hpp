// SPDX-License-Identifier: Apache-2.0
// One direction of a faulty line: what comes in, what of it goes out, and when. Pure; time is passed in.
#pragma once

#include <cstdint>
#include <deque>
#include <limits>
#include <optional>
#include <vector>

#include "tandem/base/bytes.hpp"
#include "tandem/base/clock.hpp"

namespace tandem::net {

// How a connection is ended.
enum class Cut : std::uint8_t {
  fin,             // orderly, both directions
  rst,             // at once, with a reset to both ends
  half_to_client,  // the client is informed that the device will say no more; it may go on talking
  half_to_device,  // the other way round
};

// What happens to one direction. All of it can be combined. A "chunk" is one datagram, or for TCP whatever one read
// gave; so per-chunk probabilities repeat exactly for UDP, and for TCP when requests and answers take turns.
struct PathFaults {
  Duration delay{};       // every chunk is held this long
  Duration jitter{};      // and up to this much longer; datagrams may then overtake each other, streams never
  double drop = 0;        // probability that a chunk is swallowed
  double duplicate = 0;   // probability that a chunk comes twice
  double replay = 0;      // probability that one of the last chunks comes again behind a chunk
  double reorder = 0;     // probability that a datagram is put behind the next one (or comes 50 ms late); UDP only
  double corrupt = 0;     // probability per byte that one of its bits flips
  std::size_t slice = 0;  // at most this many bytes per write, 0 for no slicing; TCP only
  Duration slice_gap{};   // pause after every slice
  double bytes_per_second = 0;                                  // bandwidth, 0 for unlimited
  std::size_t limit = std::numeric_limits<std::size_t>::max();  // bytes per connection; then it is cut (UDP: silent)
  Cut at_limit = Cut::fin;
  bool hold = false;        // nothing leaves, nothing is lost: it all comes when the hold is released
  bool black_hole = false;  // everything vanishes, the end of the connection included
};

struct PathCounts {
  std::uint64_t chunks = 0;  // that came in
  std::uint64_t bytes_in = 0;
  std::uint64_t bytes_out = 0;
  std::uint64_t dropped = 0;     // chunks, by chance or in the black hole
  std::uint64_t duplicated = 0;  // chunks
  std::uint64_t replayed = 0;    // chunks
  std::uint64_t reordered = 0;   // datagrams
  std::uint64_t corrupted = 0;   // bytes
  std::uint64_t injected = 0;    // bytes
  std::uint64_t overflowed = 0;  // datagrams or injections for which no room was left
  PathCounts& operator+=(const PathCounts& other);
};

class FaultPath {
 public:
  FaultPath(bool datagrams, std::uint64_t seed) : datagrams_(datagrams), seed_(seed) {}

  // From here on chance is drawn from this seed as if nothing had come before: a run of faults on a line that is in use
  // can be repeated.
  void reseed(std::uint64_t seed);

  // Bytes came in. A stream must not offer more while full(); a datagram that finds no room is lost.
  void take(Bytes bytes, const PathFaults& faults, Instant now);

  // Bytes of our own, next in line and untouched by any fault but hold and the pace.
  void inject(Bytes bytes, Instant now);

  // What may leave now: a datagram, or a slice of the stream.
  std::optional<Bytes> due(const PathFaults& faults, Instant now);

  // So many bytes of what was due have left; a datagram always leaves whole.
  void left(std::size_t count, const PathFaults& faults, Instant now);

  // When something will be due; Instant::max() when that depends on more than time.
  Instant next(const PathFaults& faults) const;

  bool full() const { return pending_bytes_ >= most_bytes || pending_.size() >= most_chunks; }
  bool empty() const { return pending_.empty(); }
  bool at_limit(const PathFaults& faults) const { return counts_.bytes_out >= faults.limit; }
  const PathCounts& counts() const { return counts_; }

 private:
  struct Chunk {
    std::vector<std::uint8_t> bytes;
    Instant due;
    bool behind_next = false;
  };
  enum class Chance : std::uint64_t { drop = 1, duplicate, reorder, jitter, corrupt, replay };

  // Depends on seed, purpose and position alone, so a run can be repeated however its threads and reads fall.
  std::uint64_t bits(Chance chance, std::uint64_t index) const;
  bool happens(Chance chance, std::uint64_t index, double probability) const;
  void corrupt(std::vector<std::uint8_t>& bytes, std::uint64_t first, double probability);
  void replay(const PathFaults& faults, std::uint64_t index, Instant due);
  void queue(Chunk chunk);

  static constexpr std::size_t most_bytes = 1 << 20;
  static constexpr std::size_t most_chunks = 8192;
  static constexpr std::size_t most_recent = 32;          // chunks that may be replayed
  static constexpr std::size_t longest_recent = 4 << 10;  // bytes; longer ones are not kept

  bool datagrams_;
  std::uint64_t seed_;
  std::uint64_t first_chunk_ = 0, first_byte_ = 0;  // that came in since the seed was given
  std::deque<Chunk> pending_;                       // by due time
  std::deque<std::vector<std::uint8_t>> recent_;    // as they came, oldest first
  std::size_t front_done_ = 0;                      // bytes of the front chunk that have left
  std::size_t pending_bytes_ = 0;
  Instant last_due_{};    // streams keep their order
  Instant next_write_{};  // pace of slices and bandwidth
  PathCounts counts_;
};

}  // namespace tandem::net
