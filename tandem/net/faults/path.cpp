// SPDX-License-Identifier: Apache-2.0
#include "tandem/net/faults/path.hpp"

#include <algorithm>

namespace tandem::net {

namespace {

constexpr Duration reorder_patience = 50ms;
constexpr Duration pace_step = 5ms;  // bandwidth is dealt out in steps of about this length

// SplitMix64's finalizer: every bit of the input reaches every bit of the output.
std::uint64_t mixed(std::uint64_t x) {
  x += 0x9E3779B97F4A7C15u;
  x = (x ^ x >> 30) * 0xBF58476D1CE4E5B9u;
  x = (x ^ x >> 27) * 0x94D049BB133111EBu;
  return x ^ x >> 31;
}

double unit(std::uint64_t bits) { return static_cast<double>(bits >> 11) * 0x1p-53; }

}  // namespace

PathCounts& PathCounts::operator+=(const PathCounts& other) {
  chunks += other.chunks;
  bytes_in += other.bytes_in;
  bytes_out += other.bytes_out;
  dropped += other.dropped;
  duplicated += other.duplicated;
  replayed += other.replayed;
  reordered += other.reordered;
  corrupted += other.corrupted;
  injected += other.injected;
  overflowed += other.overflowed;
  return *this;
}

std::uint64_t FaultPath::bits(Chance chance, std::uint64_t index) const {
  return mixed(mixed(seed_ ^ static_cast<std::uint64_t>(chance) << 56) + index);
}

bool FaultPath::happens(Chance chance, std::uint64_t index, double probability) const {
  return probability > 0 && unit(bits(chance, index)) < probability;
}

void FaultPath::corrupt(std::vector<std::uint8_t>& bytes, std::uint64_t first, double probability) {
  for (std::size_t i = 0; i < bytes.size(); ++i) {
    if (!happens(Chance::corrupt, first + i, probability)) continue;
    bytes[i] ^= static_cast<std::uint8_t>(1u << (bits(Chance::corrupt, first + i) & 7));
    ++counts_.corrupted;
  }
}

void FaultPath::reseed(std::uint64_t seed) {
  seed_ = seed;
  first_chunk_ = counts_.chunks;
  first_byte_ = counts_.bytes_in;
}

void FaultPath::take(Bytes bytes, const PathFaults& faults, Instant now) {
  const std::uint64_t index = counts_.chunks++ - first_chunk_;
  const std::uint64_t first = counts_.bytes_in - first_byte_;
  counts_.bytes_in += bytes.size();
  if (faults.black_hole || happens(Chance::drop, index, faults.drop) || (datagrams_ && at_limit(faults))) {
    ++counts_.dropped;
    return;
  }
  if (datagrams_ && full()) {
    ++counts_.overflowed;
    return;
  }

  Chunk chunk{.bytes = {bytes.begin(), bytes.end()}, .due = now + faults.delay};
  if (faults.corrupt > 0) corrupt(chunk.bytes, first, faults.corrupt);
  if (faults.jitter > Duration::zero()) {
    chunk.due += duration_of(seconds(faults.jitter) * unit(bits(Chance::jitter, index)));
  }
  if (datagrams_ && happens(Chance::reorder, index, faults.reorder)) {
    chunk.behind_next = true;
    chunk.due += reorder_patience;
    ++counts_.reordered;
    queue(std::move(chunk));
    return;
  }

  const Instant due = chunk.due;
  if (happens(Chance::duplicate, index, faults.duplicate)) {
    ++counts_.duplicated;
    queue(chunk);
  }
  queue(std::move(chunk));
  replay(faults, index, due);
  if (faults.replay > 0 && bytes.size() <= longest_recent) {
    if (recent_.size() == most_recent) recent_.pop_front();
    recent_.emplace_back(bytes.begin(), bytes.end());
  }
  if (!datagrams_) return;

  // The ones that waited for this one come right behind it.
  std::deque<Chunk> waited;
  for (auto it = pending_.begin(); it != pending_.end();) {
    if (it->behind_next && it->due > due) {
      waited.push_back(std::move(*it));
      it = pending_.erase(it);
    } else {
      ++it;
    }
  }
  for (Chunk& late : waited) {
    pending_bytes_ -= late.bytes.size();
    late.behind_next = false;
    late.due = due;
    queue(std::move(late));
  }
}

void FaultPath::replay(const PathFaults& faults, std::uint64_t index, Instant due) {
  if (recent_.empty() || !happens(Chance::replay, index, faults.replay)) return;
  ++counts_.replayed;
  queue({.bytes = recent_[mixed(bits(Chance::replay, index)) % recent_.size()], .due = due});
}

void FaultPath::inject(Bytes bytes, Instant now) {
  if (full()) {
    ++counts_.overflowed;
    return;
  }
  counts_.injected += bytes.size();
  queue({.bytes = {bytes.begin(), bytes.end()}, .due = now});
}

void FaultPath::queue(Chunk chunk) {
  if (!datagrams_) {
    if (chunk.bytes.empty()) return;
    chunk.due = last_due_ = std::max(chunk.due, last_due_);
  }
  pending_bytes_ += chunk.bytes.size();
  const auto later = [](Instant due, const Chunk& other) { return due < other.due; };
  pending_.insert(std::upper_bound(pending_.begin(), pending_.end(), chunk.due, later), std::move(chunk));
}

std::optional<Bytes> FaultPath::due(const PathFaults& faults, Instant now) {
  if (next(faults) > now) return std::nullopt;
  const Bytes bytes = Bytes(pending_.front().bytes).subspan(front_done_);
  if (datagrams_) return bytes;

  std::size_t size = bytes.size();
  if (faults.slice > 0) size = std::min(size, faults.slice);
  if (faults.bytes_per_second > 0) {
    const double step = std::max(1.0, faults.bytes_per_second * seconds(pace_step));
    if (step < static_cast<double>(size)) size = static_cast<std::size_t>(step);
  }
  return bytes.first(std::min<std::uint64_t>(size, faults.limit - counts_.bytes_out));
}

void FaultPath::left(std::size_t count, const PathFaults& faults, Instant now) {
  counts_.bytes_out += count;
  front_done_ += count;
  if (datagrams_ || front_done_ == pending_.front().bytes.size()) {
    pending_bytes_ -= pending_.front().bytes.size();
    pending_.pop_front();
    front_done_ = 0;
  }
  next_write_ = now;
  if (faults.slice > 0 && !datagrams_) next_write_ += faults.slice_gap;
  if (faults.bytes_per_second > 0) next_write_ += duration_of(static_cast<double>(count) / faults.bytes_per_second);
}

Instant FaultPath::next(const PathFaults& faults) const {
  if (faults.hold || pending_.empty() || (!datagrams_ && at_limit(faults))) return Instant::max();
  return std::max(pending_.front().due, next_write_);
}

}  // namespace tandem::net
