// SPDX-License-Identifier: Apache-2.0
// What the bridge knows after a cycle; leaves the machine's thread through a Latest cell.
#pragma once

#include <cstdint>

#include "tandem/base/clock.hpp"
#include "tandem/base/quality.hpp"
#include "tandem/base/short_text.hpp"
#include "tandem/kinematics/stewart/stewart.hpp"
#include "tandem/machines/em1500/description.hpp"

namespace tandem::em1500 {

struct State {
  PlcPose raw{};                     // as the PLC reported it
  std::array<double, 6> pose{};      // x, y, z, roll, pitch, yaw of the top in the base frame: m, rad
  stewart::Lengths lengths{};        // m
  stewart::Lengths displacements{};  // from the reference, m: what the topic carries
  double stroke_margin = 0;          // smallest distance of a leg to its end, m; negative outside
  double condition = 0;              // of the Jacobian; large near a singularity
  std::uint64_t samples = 0;         // published
  std::uint64_t skipped = 0;         // older samples passed over for a newer one
  std::uint64_t rejected = 0;        // implausible, frozen, or from the past
  ShortText<160> rejection;          // why the last of them was
  std::uint64_t malformed = 0;       // notifications whose counts or lengths contradict each other
  Duration round_trip{0};            // from request to answer, smoothed; 0: not known yet
  ShortText<240> source;             // "notifications", or what is read instead and why
  Instant live_at{};                 // when the last live sample was received
  Quality quality = Quality::invalid;
  ShortText<160> why;  // when not live
};

}  // namespace tandem::em1500
