// SPDX-License-Identifier: Apache-2.0
// Two ways to do the same, measured in turns, so that a noisy machine disturbs both alike.
#pragma once

#include <fmt/format.h>
#include <time.h>

#include <algorithm>
#include <limits>
#include <string>
#include <vector>

#include "bench/report.hpp"
#include "tandem/base/clock.hpp"

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

// Percent of a core that `work` takes of this thread at `rate` times a second, with the waking up and waiting of a real
// cycle.
template <typename Work>
double share_of_core(double rate, const Work& work) {
  const double length = quick() ? 1 : 5;  // s
  const double cpu = thread_time();
  tandem::Clock& clock = tandem::system_clock();
  const tandem::Instant begun = clock.now();
  for (int i = 1; i <= static_cast<int>(length * rate); ++i) {
    work();
    clock.sleep_until(begun + tandem::duration_of(i / rate));
  }
  return 100 * (thread_time() - cpu) / tandem::seconds(clock.now() - begun);
}

struct Pair {
  double peer = std::numeric_limits<double>::infinity();  // s per item, the least of all windows
  double ours = std::numeric_limits<double>::infinity();
  // Ratio of single windows: a tenth of them is below, a tenth above.
  double low = std::numeric_limits<double>::quiet_NaN(), high = low;
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
  if (quick()) windows = std::min(windows, 20);
  std::vector<double> ratios;
  for (int i = 0; i < windows; ++i) {
    const double theirs = timed(peer), own = timed(ours);
    least.peer = std::min(least.peer, theirs);
    least.ours = std::min(least.ours, own);
    ratios.push_back(theirs / own);
  }
  least.low = quantile(ratios, 0.1);
  least.high = quantile(ratios, 0.9);
  return least;
}

struct Row {
  std::string what;
  Pair pair;
  double wanted;       // least ratio
  std::string peer{};  // who it is
};

inline void report(const Row& row) {
  report({.name = row.what,
          .peer = row.peer.empty() ? "named in the row" : row.peer,
          .ours = 1e9 * row.pair.ours,
          .theirs = 1e9 * row.pair.peer,
          .unit = "ns",
          .ratio = row.pair.ratio(),
          .low = row.pair.low,
          .high = row.pair.high,
          .wanted = row.wanted > 0 ? fmt::format("at least {:g}x", row.wanted) : "",
          .met = row.pair.ratio() >= row.wanted});
}

// Prints and reports the rows and says whether every ratio is what it should be.
inline bool print(const std::vector<Row>& rows) {
  bool all = true;
  fmt::print("\n{:<58} {:>10} {:>10} {:>8} {:>8}\n", "least thread CPU time over interleaved windows", "peer ns",
             "ours ns", "ratio", "wanted");
  for (const Row& row : rows) {
    const bool met = row.pair.ratio() >= row.wanted;
    all = all && met;
    report(row);
    const std::string what = row.peer.empty() ? row.what : fmt::format("{}; {}", row.what, row.peer);
    fmt::print("{:<58} {:>10.1f} {:>10.1f} {:>7.2f}x {:>7.2f}x{}\n", what, 1e9 * row.pair.peer, 1e9 * row.pair.ours,
               row.pair.ratio(), row.wanted, met ? "" : "  MISSED");
  }
  return all;
}

}  // namespace bench
