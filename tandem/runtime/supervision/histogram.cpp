// SPDX-License-Identifier: Apache-2.0
#include "tandem/runtime/supervision/histogram.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace tandem::runtime {

std::uint64_t Histogram::upper_edge(std::size_t bucket) {
  if (bucket < 16) return bucket;
  const std::size_t power = bucket / 16 - 1;
  const std::uint64_t mantissa = bucket % 16 + 16;
  return ((mantissa + 1) << power) - 1;
}

Duration Histogram::quantile(double q) const {
  std::array<std::uint64_t, size> counts;
  std::uint64_t total = 0;
  for (std::size_t i = 0; i < size; ++i) total += counts[i] = buckets_[i].load(std::memory_order_relaxed);
  if (total == 0) return Duration::zero();
  const double wanted = std::max(1.0, std::ceil(q * static_cast<double>(total)));
  std::uint64_t passed = 0;
  for (std::size_t i = 0; i < size; ++i) {
    passed += counts[i];
    if (static_cast<double>(passed) >= wanted) return Duration(upper_edge(i));
  }
  return Duration(upper_edge(size - 1));
}

std::vector<Histogram::Bucket> Histogram::filled() const {
  std::vector<Bucket> filled;
  for (std::size_t i = 0; i < size; ++i) {
    const std::uint64_t count = buckets_[i].load(std::memory_order_relaxed);
    if (count > 0) filled.push_back({Duration(upper_edge(i)), count});
  }
  return filled;
}

std::vector<std::uint64_t> Histogram::up_to(std::span<const Duration> edges) const {
  std::vector<std::uint64_t> counts(edges.size());
  for (const Bucket& bucket : filled()) {
    const auto first = std::ranges::lower_bound(edges, bucket.edge);
    if (first != edges.end()) counts[static_cast<std::size_t>(first - edges.begin())] += bucket.count;
  }
  std::partial_sum(counts.begin(), counts.end(), counts.begin());
  return counts;
}

}  // namespace tandem::runtime
