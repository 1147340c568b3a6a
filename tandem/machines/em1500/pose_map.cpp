// SPDX-License-Identifier: Apache-2.0
#include "tandem/machines/em1500/pose_map.hpp"

namespace tandem::em1500 {

const char* name(Profile profile) { return profile == Profile::original ? "original" : "frd"; }

std::optional<Profile> profile_of(std::string_view name) {
  if (name == "original") return Profile::original;
  if (name == "frd") return Profile::frd;
  return std::nullopt;
}

PoseMap::PoseMap(Profile profile_)
    : profile(profile_),
      sign(profile_ == Profile::original ? std::array<double, 6>{-1, 1, 1, -1, 1, 1}
                                         : std::array<double, 6>{1, -1, -1, 1, -1, -1}),
      offset{0, 0, neutral_height, 0, 0, 0} {}

stewart::Coordinates PoseMap::platform_from_plc(const PlcPose& pose) const {
  const std::array<double, 6> from = axes(pose);
  stewart::Coordinates to;
  for (std::size_t i = 0; i < 6; ++i) to[i] = sign[i] * from[i] + offset[i];
  return to;
}

PlcPose PoseMap::plc_from_platform(const stewart::Coordinates& coordinates) const {
  std::array<double, 6> to;
  for (std::size_t i = 0; i < 6; ++i) to[i] = (coordinates[i] - offset[i]) / sign[i];
  return plc_pose(to);
}

Pose platform_from_plc(const PlcPose& pose, Profile profile) {
  const PoseMap map(profile);
  return stewart::pose_from_coordinates(map.platform_from_plc(pose), map.order);
}

PlcPose plc_from_platform(const Pose& X_base_top, Profile profile) {
  const PoseMap map(profile);
  return map.plc_from_platform(stewart::coordinates_from_pose(X_base_top, map.order));
}

}  // namespace tandem::em1500
