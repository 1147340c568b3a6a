// SPDX-License-Identifier: Apache-2.0
// ByteRing: any number of threads put records of bytes, one thread takes them; no thread waits for another. What finds
// no place is counted and lost.
#pragma once

#include <algorithm>
#include <atomic>
#include <bit>
#include <cstdint>
#include <cstring>
#include <initializer_list>
#include <limits>
#include <optional>
#include <span>
#include <vector>

#include "tandem/base/bytes.hpp"

namespace tandem {

// A record is one word that says its length, then its bytes, in whole words and never around the end. A producer claims
// its place by moving the head, copies, and then stores the word: only that makes the record visible. One that is held
// up between the two holds back what the consumer sees after it, never another producer. The consumer clears what it
// has taken, so a word that is not zero is always a record's first.
class ByteRing {
 public:
  // Rounded up to a power of two. Every page is touched here, none later.
  explicit ByteRing(std::size_t capacity)
      : words_(std::bit_ceil(std::max<std::size_t>(capacity, 64)) / sizeof(std::uint64_t)) {}
  ByteRing(const ByteRing&) = delete;
  ByteRing& operator=(const ByteRing&) = delete;

  // A place for one record that is not visible yet. It must be published, whatever happens.
  struct Claim {
    std::span<std::uint8_t> bytes;
    std::uint64_t position = 0;
  };

  // Any thread. Nothing when the ring is full or the record is larger than largest(); counted as dropped.
  std::optional<Claim> claim(std::size_t size) noexcept {
    if (size > largest()) {
      oversize_.fetch_add(1, std::memory_order_relaxed);
      return drop();
    }
    const std::uint64_t needed = footprint(size);
    std::uint64_t head = head_.load(std::memory_order_relaxed);
    for (;;) {
      const std::uint64_t to_end = capacity() - offset(head);
      const std::uint64_t padding = to_end < needed ? to_end : 0;
      // Signed, since the tail may have passed a head that is old by now; the exchange then fails.
      const auto used = static_cast<std::int64_t>(head + padding + needed - tail_.load(std::memory_order_acquire));
      if (used > static_cast<std::int64_t>(capacity())) return drop();
      if (!head_.compare_exchange_weak(head, head + padding + needed, std::memory_order_relaxed)) continue;
      if (padding > 0) word(head).store(skip_bit | (padding - sizeof(std::uint64_t)), std::memory_order_release);
      return Claim{{data(head + padding), size}, head + padding};
    }
  }
  void publish(const Claim& claim) noexcept {
    word(claim.position).store(ready_bit | claim.bytes.size(), std::memory_order_release);
  }

  // Any thread: the pieces, one after the other, as one record. False: dropped and counted.
  bool put(std::initializer_list<Bytes> pieces) noexcept {
    std::size_t size = 0;
    for (const Bytes& piece : pieces) size += piece.size();
    const std::optional<Claim> place = claim(size);
    if (!place) return false;
    std::uint8_t* to = place->bytes.data();
    for (const Bytes& piece : pieces) {
      if (!piece.empty()) std::memcpy(to, piece.data(), piece.size());
      to += piece.size();
    }
    publish(*place);
    return true;
  }

  // Only one thread. Calls each(Bytes) for what is there, oldest first, at most `most` of them, and says how many it
  // were. The bytes are gone after the call; a call that throws keeps its record.
  template <typename Each>
  std::size_t take(Each&& each, std::size_t most = std::numeric_limits<std::size_t>::max()) {
    std::size_t taken = 0;
    while (taken < most) {
      const std::uint64_t tail = tail_.load(std::memory_order_relaxed);
      const std::uint64_t first = word(tail).load(std::memory_order_acquire);
      if (first == 0) break;
      const std::size_t size = first & size_mask;
      if ((first & ready_bit) != 0) {
        each(Bytes{data(tail), size});
        ++taken;
      }
      std::memset(words_.data() + offset(tail) / sizeof(std::uint64_t), 0, footprint(size));
      tail_.store(tail + footprint(size), std::memory_order_release);
    }
    return taken;
  }

  std::size_t capacity() const { return words_.size() * sizeof(std::uint64_t); }
  std::size_t largest() const { return capacity() / 2 - sizeof(std::uint64_t); }  // bytes of one record
  std::size_t used() const {                                                      // any thread; about
    const std::uint64_t tail = tail_.load(std::memory_order_acquire);
    return static_cast<std::size_t>(head_.load(std::memory_order_acquire) - tail);
  }
  std::uint64_t dropped() const { return dropped_.load(std::memory_order_relaxed); }
  std::uint64_t oversize() const {
    return oversize_.load(std::memory_order_relaxed);
  }  // of them: larger than largest()

 private:
  static constexpr std::uint64_t ready_bit = std::uint64_t{1} << 63;
  static constexpr std::uint64_t skip_bit = std::uint64_t{1} << 62;  // to the end of the buffer; no record
  static constexpr std::uint64_t size_mask = skip_bit - 1;

  static std::uint64_t footprint(std::size_t size) { return (sizeof(std::uint64_t) + size + 7) & ~std::uint64_t{7}; }
  std::size_t offset(std::uint64_t position) const { return position & (capacity() - 1); }
  std::atomic_ref<std::uint64_t> word(std::uint64_t position) {
    return std::atomic_ref<std::uint64_t>(words_[offset(position) / sizeof(std::uint64_t)]);
  }
  std::uint8_t* data(std::uint64_t position) {
    return reinterpret_cast<std::uint8_t*>(words_.data() + offset(position) / sizeof(std::uint64_t) + 1);
  }
  std::nullopt_t drop() noexcept {
    dropped_.fetch_add(1, std::memory_order_relaxed);
    return std::nullopt;
  }

  std::vector<std::uint64_t> words_;
  // Apart from each other, so that the two sides do not share a cache line. Both only grow.
  alignas(64) std::atomic<std::uint64_t> head_{0};  // claimed up to here
  alignas(64) std::atomic<std::uint64_t> tail_{0};  // taken up to here
  alignas(64) std::atomic<std::uint64_t> dropped_{0}, oversize_{0};
};

}  // namespace tandem
