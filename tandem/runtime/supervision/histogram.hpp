// SPDX-License-Identifier: Apache-2.0
// Latency histogram: log-linear buckets, one writer, any readers, no allocation.
#pragma once

#include <array>
#include <atomic>
#include <bit>
#include <cstdint>
#include <span>
#include <vector>

#include "tandem/base/clock.hpp"

namespace tandem::runtime {

// Sixteen buckets for every power of two nanoseconds: a quantile is at most 1/16 too large. 0 to 78 hours.
class Histogram {
 public:
  // Only ever called from one thread. Negative durations count as zero.
  void add(Duration duration) {
    const auto value = static_cast<std::uint64_t>(duration.count() < 0 ? 0 : duration.count());
    bump(buckets_[bucket_of(value)], 1);
    bump(sum_, value);
    bump(count_, 1);
    if (value > worst_.load(std::memory_order_relaxed)) worst_.store(value, std::memory_order_relaxed);
  }

  std::uint64_t count() const { return count_.load(std::memory_order_relaxed); }
  Duration sum() const { return Duration(sum_.load(std::memory_order_relaxed)); }
  Duration worst() const { return Duration(worst_.load(std::memory_order_relaxed)); }  // exactly
  // The upper edge of the bucket in which the share `q` of all samples is reached; zero when there are none.
  Duration quantile(double q) const;
  // Those that hold something, by their upper edges.
  struct Bucket {
    Duration edge{};
    std::uint64_t count = 0;
  };
  std::vector<Bucket> filled() const;
  // How many lie at or below each of the edges, which rise. Those in a bucket that ends above an edge do not count as
  // below it: as with quantiles, a latency is at most 1/16 too large.
  std::vector<std::uint64_t> up_to(std::span<const Duration> edges) const;

  static constexpr std::size_t size = 45 * 16;
  static std::size_t bucket_of(std::uint64_t value) {
    if (value < 16) return value;
    const int power = static_cast<int>(std::bit_width(value)) - 5;  // the top five bits stay
    const std::size_t bucket = static_cast<std::size_t>(power) * 16 + (value >> power);
    return bucket < size ? bucket : size - 1;
  }
  static std::uint64_t upper_edge(std::size_t bucket);

 private:
  static void bump(std::atomic<std::uint64_t>& counter, std::uint64_t by) {
    counter.store(counter.load(std::memory_order_relaxed) + by, std::memory_order_relaxed);
  }

  std::array<std::atomic<std::uint64_t>, size> buckets_{};
  std::atomic<std::uint64_t> count_{0};
  std::atomic<std::uint64_t> sum_{0};    // ns
  std::atomic<std::uint64_t> worst_{0};  // ns
};

}  // namespace tandem::runtime
