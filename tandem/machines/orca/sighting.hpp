// SPDX-License-Identifier: Apache-2.0
// What one frame of the SLAM says, as a value that threads can hand over.
#pragma once

#include <array>
#include <cstdint>

#include "tandem/base/clock.hpp"
#include "tandem/base/transforms.hpp"
#include "tandem/machines/orca/description.hpp"

namespace tandem::orca {

// A pose as plain numbers, for cells that copy bytes.
struct PlainPose {
  std::array<double, 3> position{};            // m, or the map's own unit
  std::array<double, 4> rotation{1, 0, 0, 0};  // w first

  bool finite() const;
};
PlainPose plain_from(const Pose& X);
// The quaternion is normalised; one without direction is no rotation.
Pose pose_from(const PlainPose& plain);

// Down the optical axis, in the map's own unit.
struct VisualRange {
  double range = 0;          // median depth of the points; 0: too few
  double spread = 0;         // of the points' depths, as a share of the range
  std::uint32_t points = 0;  // in the cone
  double axis = 0;           // the same with the floor's slope taken out; 0: not reported

  double best() const { return axis > 0 ? axis : range; }
};

struct Sighting {
  Instant received{};  // our clock
  Instant taken{};     // the image, on our clock; the epoch when that is not known
  Duration stamp{};    // the camera's time of the image; only differences count
  Tracking tracking = Tracking::not_ready;
  bool map_changed = false;  // optimised: poses of this map may have jumped
  std::uint32_t map = 0;
  PlainPose X_world_camera;  // unscaled
  VisualRange visual;

  Instant seen() const { return taken != Instant{} ? taken : received; }
};

}  // namespace tandem::orca
