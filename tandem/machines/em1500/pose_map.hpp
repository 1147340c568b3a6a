// SPDX-License-Identifier: Apache-2.0
// Between the PLC's six numbers and the pose of the platform's top.
#pragma once

#include <optional>
#include <string_view>

#include "tandem/machines/em1500/description.hpp"

namespace tandem::em1500 {

// Which way the PLC's axes point.
enum class Profile {
  original,  // as the laboratory's own bridge has it: surge and roll turned round. To first order it gives minus the
             // true extension of the legs, which is what that laboratory's simulation expects.
  frd,       // x forward, y right, z down, as the laboratory's frames are calibrated: true extensions
};

const char* name(Profile profile);
std::optional<Profile> profile_of(std::string_view name);

// coordinate = sign * axis + offset for each of the six, then the rotation in the given order.
struct PoseMap {
  explicit PoseMap(Profile profile = Profile::original);

  stewart::Coordinates platform_from_plc(const PlcPose& pose) const;
  // The exact inverse.
  PlcPose plc_from_platform(const stewart::Coordinates& coordinates) const;

  Profile profile;
  std::array<double, 6> sign;    // +1 or -1
  std::array<double, 6> offset;  // m, rad
  RotationOrder order = RotationOrder::zyx;
};

// Whole poses through a profile as it is.
Pose platform_from_plc(const PlcPose& pose, Profile profile);
PlcPose plc_from_platform(const Pose& X_base_top, Profile profile);

}  // namespace tandem::em1500
