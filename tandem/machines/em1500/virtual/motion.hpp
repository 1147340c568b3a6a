// SPDX-License-Identifier: Apache-2.0
// The motions that the laboratory's controller makes: sines per axis, ship motion, smooth ways from pose to pose,
// all of it within the speed and stroke of the legs.
#pragma once

#include <array>
#include <numbers>

#include "tandem/kinematics/stewart/limits.hpp"
#include "tandem/kinematics/stewart/stewart.hpp"

namespace tandem::em1500 {

// Surge, sway, heave (m), roll, pitch, yaw (rad), or something per each of them, in the PLC's axes.
using Axes = std::array<double, 6>;

// One sine per axis: amplitude * sin(phase + omega * t). The laboratory's defaults.
struct GeneratorParameters {
  Axes amplitude{0, 0, 0.2, 2 * std::numbers::pi / 180, 2 * std::numbers::pi / 180, 0};
  Axes omega{0.2 * std::numbers::pi, 0.2 * std::numbers::pi, 0.2 * std::numbers::pi,
             0.2 * std::numbers::pi, 0.2 * std::numbers::pi, 0.2 * std::numbers::pi};  // rad/s
  Axes phase{0, 0, 0, std::numbers::pi / 2, std::numbers::pi, 0};                      // rad
};

// Parameters may change at any time: the motion stays continuous and takes about a second to become the new one.
class MotionGenerator {
 public:
  // The set-point `time` seconds after the last. Numbers that are not finite count as zero.
  Axes next(const GeneratorParameters& parameters, double time);
  void restart();

 private:
  bool started_ = false;
  Axes amplitude_{};
  Axes phase_{};
  Axes turned_{};  // omega integrated, rad
};

// A ship in a following sea: a fixed sum of sines, heave and roll and pitch, the other axes little.
Axes ship_motion(double time);

// From 0 to 1 with no jump in speed or acceleration; the steepest slope is 1.875.
double smooth_step(double fraction);

// A smooth way from one pose of the top to another, straight in the coordinates.
class Transit {
 public:
  // As slow as it must be for no leg to pass `speed` (m/s), and at least `shortest` seconds.
  Transit(const stewart::Platform& platform, const stewart::Coordinates& from, const stewart::Coordinates& to,
          double speed, double shortest);

  stewart::Coordinates advance(double time);  // s
  bool done() const { return elapsed_ >= duration_; }

 private:
  stewart::Coordinates from_;
  stewart::Coordinates to_;
  double duration_ = 1;
  double elapsed_ = 0;
};

// Follows a wanted pose as far as speed and stroke of the legs allow, always through poses that are one whole
// pose, never leg by leg: a clipped leg alone would twist the plate.
class PoseLimiter {
 public:
  struct Limits {
    double speed = 0.38;  // m/s per leg
    stewart::Strokes strokes = {};
  };

  PoseLimiter(const stewart::Platform& platform, const Limits& limits, const stewart::Coordinates& start);

  // Moves on for `time` seconds towards `wanted`. True when it got there.
  bool advance(const stewart::Coordinates& wanted, double time);
  const stewart::Coordinates& coordinates() const { return now_; }
  const stewart::Lengths& lengths() const { return lengths_; }

 private:
  const stewart::Platform* platform_;
  Limits limits_;
  stewart::Coordinates now_;
  stewart::Lengths lengths_;
};

}  // namespace tandem::em1500
