// SPDX-License-Identifier: Apache-2.0
#include "tandem/machines/em1500/description.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "tandem/base/short_text.hpp"

namespace tandem::em1500 {

const stewart::Geometry& geometry() {
  constexpr double base_z = 0.11258;
  static const stewart::Geometry value = {.base = {{{0.70416, -1.02102, base_z},
                                                    {0.53215, -1.12033, base_z},
                                                    {-1.23631, -0.09931, base_z},
                                                    {-1.23631, 0.09931, base_z},
                                                    {0.53215, 1.12033, base_z},
                                                    {0.70416, 1.02102, base_z}}},
                                          .top = {{{0.95000, -0.09000, 0},
                                                   {-0.39706, -0.86772, 0},
                                                   {-0.55294, -0.77772, 0},
                                                   {-0.55294, 0.77772, 0},
                                                   {-0.39706, 0.86772, 0},
                                                   {0.95000, 0.09000, 0}}}};
  return value;
}

Pose home_pose() { return pose_from({0, 0, neutral_height}, Eigen::Matrix3d::Identity()); }

const stewart::Platform& platform() {
  static const stewart::Platform value(geometry(), home_pose());
  return value;
}

stewart::Strokes strokes() { return {neutral_length - stroke, neutral_length + stroke}; }

std::array<double, 6> axes(const PlcPose& p) { return {p.surge, p.sway, p.heave, p.roll, p.pitch, p.yaw}; }

PlcPose plc_pose(const std::array<double, 6>& a) { return {a[0], a[1], a[2], a[3], a[4], a[5]}; }

ShortText<160> implausible(const PlcPose& pose) {
  // The legs reach 0.66 m and 39 degrees from neutral; the drives of another machine would report more.
  constexpr double most_metres = 2.0;
  constexpr double most_radians = 1.6;
  const std::array<double, 6> values = axes(pose);
  for (std::size_t i = 0; i < 6; ++i) {
    const double most = i < 3 ? most_metres : most_radians;
    if (std::abs(values[i]) <= most) continue;
    return short_text<160>("{}: expected a number within +-{} {}, got {}", axis_names[i], most, i < 3 ? "m" : "rad",
                           values[i]);
  }
  return {};
}

}  // namespace tandem::em1500
