// SPDX-License-Identifier: Apache-2.0
// Vision as the autopilot takes it: one of three messages.
#pragma once

#include "tandem/machines/orca/options.hpp"
#include "tandem/machines/orca/vision/delta.hpp"
#include "tandem/protocols/mavlink/messages/vision.hpp"

namespace tandem::orca {

mavlink::VisionPositionDelta delta_message(const BodyDelta& delta, std::uint64_t microseconds);
// The body in map by the SLAM; `resets` counts how often its frame was laid again.
mavlink::VisionPositionEstimate estimate_message(const Pose& X_map_base, std::uint64_t microseconds,
                                                 std::uint64_t resets);
mavlink::Odometry odometry_message(const Pose& X_map_base, const BodyDelta& delta, std::uint64_t microseconds,
                                   std::uint64_t resets);

}  // namespace tandem::orca
