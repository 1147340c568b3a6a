// SPDX-License-Identifier: Apache-2.0
#include "tandem/machines/em1500/virtual/motion.hpp"

#include <algorithm>
#include <cmath>

namespace tandem::em1500 {
namespace {

double finite(double value) { return std::isfinite(value) ? value : 0.0; }

stewart::Coordinates between(const stewart::Coordinates& from, const stewart::Coordinates& to, double fraction) {
  stewart::Coordinates at{};
  for (std::size_t i = 0; i < 6; ++i) at[i] = from[i] + fraction * (to[i] - from[i]);
  return at;
}

double farthest(const stewart::Lengths& a, const stewart::Lengths& b) {
  double largest = 0;
  for (std::size_t i = 0; i < 6; ++i) largest = std::max(largest, std::abs(a[i] - b[i]));
  return largest;
}

}  // namespace

Axes MotionGenerator::next(const GeneratorParameters& parameters, double time) {
  const double share = started_ ? std::min(1.0, time / 0.5) : 1.0;  // of the way to changed parameters
  started_ = true;
  Axes axes{};
  for (std::size_t i = 0; i < 6; ++i) {
    amplitude_[i] += share * (finite(parameters.amplitude[i]) - amplitude_[i]);
    phase_[i] += share * (finite(parameters.phase[i]) - phase_[i]);
    turned_[i] = std::fmod(turned_[i] + finite(parameters.omega[i]) * time, 2 * std::numbers::pi);
    axes[i] = amplitude_[i] * std::sin(turned_[i] + phase_[i]);
  }
  return axes;
}

void MotionGenerator::restart() { *this = {}; }

Axes ship_motion(double time) {
  struct Wave {
    Axes amplitude;  // m, rad
    double period;   // s
    double phase;    // rad
  };
  // Periods without a common multiple, so that it does not repeat within minutes.
  static constexpr std::array<Wave, 3> waves{{{{0.02, 0.02, 0.09, 0.022, 0.014, 0.004}, 11.3, 0.0},
                                              {{0.01, 0.02, 0.05, 0.016, 0.010, 0.006}, 8.1, 1.1},
                                              {{0.01, 0.01, 0.03, 0.008, 0.007, 0.002}, 5.7, 2.3}}};
  Axes axes{};
  for (const Wave& wave : waves)
    for (std::size_t i = 0; i < 6; ++i)
      axes[i] += wave.amplitude[i] *
                 std::sin(2 * std::numbers::pi * time / wave.period + wave.phase + 0.9 * static_cast<double>(i));
  return axes;
}

double smooth_step(double fraction) {
  const double s = std::clamp(fraction, 0.0, 1.0);
  return s * s * s * (10 + s * (-15 + 6 * s));
}

Transit::Transit(const stewart::Platform& platform, const stewart::Coordinates& from, const stewart::Coordinates& to,
                 double speed, double shortest)
    : from_(from), to_(to) {
  constexpr int pieces = 64;
  double steepest = 0;  // m of leg per whole way
  stewart::Lengths last = stewart::leg_lengths(platform, from);
  for (int i = 1; i <= pieces; ++i) {
    const stewart::Lengths next = stewart::leg_lengths(platform, between(from, to, static_cast<double>(i) / pieces));
    steepest = std::max(steepest, pieces * farthest(next, last));
    last = next;
  }
  duration_ = std::max(shortest, 1.875 * steepest / speed);
}

stewart::Coordinates Transit::advance(double time) {
  elapsed_ += time;
  return between(from_, to_, smooth_step(elapsed_ / duration_));
}

PoseLimiter::PoseLimiter(const stewart::Platform& platform, const Limits& limits, const stewart::Coordinates& start)
    : platform_(&platform), limits_(limits), now_(start), lengths_(stewart::leg_lengths(platform, start)) {}

bool PoseLimiter::advance(const stewart::Coordinates& wanted, double time) {
  const double room = limits_.speed * time;
  double share = 1;
  // Lengths are almost linear over one step, so the second look is only for the little that is not.
  for (int look = 0; look < 4; ++look) {
    const stewart::Coordinates next = between(now_, wanted, share);
    const stewart::Lengths lengths = stewart::leg_lengths(*platform_, next);
    const double moved = farthest(lengths, lengths_);
    if (!(moved <= room * (1 + 1e-9))) {
      share *= std::isfinite(moved) ? 0.999 * room / moved : 0.0;
      continue;
    }
    const double clearance = stewart::clearance(limits_.strokes, lengths).distance;
    // Outside already: any way back in is welcome.
    if (clearance < 0 && clearance < stewart::clearance(limits_.strokes, lengths_).distance) {
      share *= 0.3;
      continue;
    }
    now_ = next;
    lengths_ = lengths;
    return share == 1;
  }
  return false;
}

}  // namespace tandem::em1500
