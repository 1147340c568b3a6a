// SPDX-License-Identifier: Apache-2.0
// How many metres one unit of a SLAM map is: the sonar's range over the visual one, filtered, for each map apart.
#pragma once

#include <array>
#include <cstdint>

#include "tandem/base/clock.hpp"

namespace tandem::orca {

struct ScaleOptions {
  double weight = 0.1;            // of a new ratio against the filtered one
  double least_visual = 0.05;     // map units; less is no range
  double least = 0.2, most = 50;  // m, what the sonar can tell
  Duration oldest_sonar = 1s;     // an older reading says nothing
};

class ScaleFilter {
 public:
  explicit ScaleFilter(const ScaleOptions& options = {}) : options_(options) {}

  struct Sonar {
    double range = 0;  // m, as it was reported
    Instant at{};      // the epoch when there was none
  };
  // False when the reading is none: not finite, or outside what the sonar can tell. Such a one leaves the last
  // standing.
  bool hear(double range, Instant at);
  const Sonar& sonar() const { return sonar_; }
  bool sonar_fresh(Instant now) const;

  struct Scale {
    std::uint32_t map = 0;
    double value = 1;             // m per map unit; 1 before the first ratio
    double variance = 0.1 * 0.1;  // of single ratios about it, as a share squared; doubtful at first
    std::uint64_t ratios = 0;
    Instant at{};  // of the last ratio
    bool known() const { return ratios > 0; }
    double spread() const;  // standard deviation of single ratios, as a share
  };
  // Takes in a visual range of this map, and what the sonar would have said in its place, m; true when they made a
  // ratio. The sonar must be fresh.
  bool observe(std::uint32_t map, double visual, double metres, Instant now);
  // Of a map that was not observed: a fresh one.
  Scale scale(std::uint32_t map) const;
  // The SLAM restarts and may use its numbers again.
  void forget();

  static constexpr std::size_t most_maps = 16;  // the one unseen for longest makes room

 private:
  Scale& place_for(std::uint32_t map, Instant now);

  ScaleOptions options_;
  Sonar sonar_;
  std::array<Scale, most_maps> scales_{};
  std::size_t count_ = 0;
};

}  // namespace tandem::orca
