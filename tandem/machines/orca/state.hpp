// SPDX-License-Identifier: Apache-2.0
// What the Orca bridge knows, as one value that threads can hand over.
#pragma once

#include <cstdint>

#include "tandem/base/quality.hpp"
#include "tandem/base/short_text.hpp"
#include "tandem/machines/orca/control/helm.hpp"
#include "tandem/machines/orca/device/vehicle.hpp"
#include "tandem/machines/orca/vision/gate.hpp"

namespace tandem::orca {

// Bits of orca_msgs/BridgeStatus.flags.
namespace waits {
inline constexpr std::uint16_t transforms = 1, sonar = 2, ekf = 4, slam = 8, outlier = 16;
}  // namespace waits

struct State {
  Vehicle vehicle;
  Activity activity = Activity::idle;

  Verdict verdict = Verdict::silent;  // on the last frame of the SLAM
  Tracking tracking = Tracking::not_ready;
  std::uint32_t map = 0;
  VisualRange visual;
  double scale = 1, scale_spread = 0;
  bool scale_known = false;
  PlainPose X_map_slam;       // where the current map lies
  PlainPose X_map_slam_base;  // where the SLAM sees the body, in map
  PlainPose X_before_now;     // the last delta, body FLU
  bool placed = false;        // the two before mean something
  bool moved = false;         // X_before_now is of the last frame
  double confidence = 0;      // %, of the last delta that was sent
  Duration latency{};         // from the SLAM's word to the delta on the wire, the last one
  int source_set = 0;         // as the autopilot acknowledged it; 0: not yet
  std::uint64_t frames = 0;   // of the SLAM
  std::uint64_t sent = 0;     // deltas, or what takes their place
  std::uint64_t outliers = 0;

  std::uint64_t damaged = 0;             // frames whose checksum is wrong
  std::uint64_t other_definition = 0;    // of them: whole, but of another dialect
  std::uint64_t unsigned_or_forged = 0;  // refused
  std::uint64_t impostors = 0;           // frames with our own address, refused

  std::uint16_t flags = 0;  // waits::
  std::uint64_t samples = 0;
  Instant live_at{};  // when the last live sample was received
  Quality quality = Quality::invalid;
  ShortText<160> why;      // when not live
  ShortText<100> stage;    // what the task does; empty without one
  ShortText<160> waiting;  // what vision waits for; empty when it is used
};

}  // namespace tandem::orca
