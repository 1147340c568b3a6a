// SPDX-License-Identifier: Apache-2.0
// Two ways to do the same, measured in turns, so that a noisy machine disturbs both alike.
#pragma once

#include <fmt/format.h>
#include <time.h>

#include <algorithm>
#include <limits>
#include <string>
#include <vector>

namespace bench {

inline double thread_time() {  // s of CPU of this thread
  timespec now{};
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
  return static_cast<double>(now.tv_sec) + 1e-9 * static_cast<double>(now.tv_nsec);
}

inline double process_time() {  // s of CPU of all threads
  timespec now{};
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
  return static_cast<double>(now.tv_sec) + 1e-9 * static_cast<double>(now.tv_nsec);
}

inline double quantile(std::vector<double> values, double q) {
  if (values.empty()) return 0;
  std::sort(values.begin(), values.end());
  return values[std::min(values.size() - 1, static_cast<std::size_t>(q * static_cast<double>(values.size())))];
}

struct Pair {
  double peer = std::numeric_limits<double>::infinity();  // s per item, the least of all windows
  double ours = std::numeric_limits<double>::infinity();
  double ratio() const { return peer / ours; }
};

// Each call of `peer` and of `ours` handles `items` items; one call is one window.
template <typename Peer, typename Ours>
Pair side_by_side(std::size_t items, const Peer& peer, const Ours& ours, int windows = 1500) {
  Pair least;
  const auto timed = [&](const auto& work) {
    const double start = thread_time();
    work();
    return (thread_time() - start) / static_cast<double>(items);
  };
  for (int i = 0; i < windows; ++i) {
    least.peer = std::min(least.peer, timed(peer));
    least.ours = std::min(least.ours, timed(ours));
  }
  return least;
}

struct Row {
  std::string what;
  Pair pair;
  double wanted;  // least ratio
};

// Prints the rows and says whether every ratio is what it should be.
inline bool print(const std::vector<Row>& rows) {
  bool all = true;
  fmt::print("\n{:<58} {:>10} {:>10} {:>8} {:>8}\n", "least thread CPU time over interleaved windows", "peer ns",
             "ours ns", "ratio", "wanted");
  for (const Row& row : rows) {
    const bool met = row.pair.ratio() >= row.wanted;
    all = all && met;
    fmt::print("{:<58} {:>10.1f} {:>10.1f} {:>7.2f}x {:>7.2f}x{}\n", row.what, 1e9 * row.pair.peer, 1e9 * row.pair.ours,
               row.pair.ratio(), row.wanted, met ? "" : "  MISSED");
  }
  return all;
}

}  // namespace bench
