// SPDX-License-Identifier: Apache-2.0
// The twin without its topic: a simulated platform that follows samples of leg displacements and says how far off it
// is.
//
// It lives in the samples' time: a sample that comes 10 ms after the last lets 10 ms pass in the simulation, in which
// the legs go from the last sample to this one. So the residual compares two things of the same moment, and the same
// samples always give the same residuals.
#pragma once

#include <cstdint>

#include "tandem/base/short_text.hpp"
#include "tandem/kinematics/stewart/stewart.hpp"
#include "tandem/machines/em1500/virtual/body.hpp"

namespace tandem::em1500 {

// What the twin knows after a sample; leaves its thread through a Latest cell.
struct TwinState {
  stewart::Lengths commanded{};   // the newest sample: displacements from the reference, m
  stewart::Lengths legs{};        // of the twin, also from the reference
  stewart::Lengths velocities{};  // m/s
  stewart::Lengths forces{};      // N
  stewart::Lengths residual{};    // commanded - legs, m
  stewart::Coordinates pose{};    // of its top in the base frame
  double worst = 0;               // largest absolute residual, m
  std::uint64_t samples = 0;      // followed
  std::uint64_t alarms = 0;       // how often an alarm began
  ShortText<160> alarm;           // the cause of the one that stands, else empty
  bool beyond = false;            // it is that of the residual
};

class TwinFollower {
 public:
  struct Limits {
    double residual_alarm = 0.01;  // m
    double alarm_after = 0.5;      // s that a residual must last
    double silence_alarm = 0.5;    // s without a sample
    double speed = 0.45;           // m/s, more than a real leg can do: what is faster is not followed
  };

  // `reference`: the lengths that count as zero. Unknown ones are taken as the neutral lengths: displacements are then
  // right, and the pose is that of a platform which started at neutral.
  TwinFollower(const ModelOptions& model, const stewart::Lengths& reference, const Limits& limits);

  // A sample, `elapsed` seconds after the one before. It must be finite. The first one is taken as it is.
  void follow(const stewart::Lengths& displacements, double elapsed);
  // No sample for `silence` seconds by now: the twin stands still.
  void wait(double silence);

  const TwinState& state() const { return state_; }
  Pose pose() const { return body_.pose(); }
  const Body& body() const { return body_; }

 private:
  void stand(const stewart::Lengths& displacements);
  void observe(double elapsed);
  void raise(std::string_view cause);
  void judge();

  Body body_;
  stewart::Lengths offset_{};  // reference - neutral, m
  Limits limits_;
  stewart::Lengths target_{};  // of the servos, displacements from neutral
  double owed_ = 0;            // s of simulation not yet run
  double beyond_ = 0;          // s that a residual has been above its limit
  TwinState state_;
};

}  // namespace tandem::em1500
