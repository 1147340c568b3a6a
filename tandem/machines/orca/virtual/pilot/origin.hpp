// SPDX-License-Identifier: Apache-2.0
// Where the local frame of an autopilot begins on Earth, and the way between the two, flat about that place.
#pragma once

#include <Eigen/Core>
#include <cstdint>
#include <optional>

namespace tandem::orca {

struct GlobalPlace {
  std::int32_t latitude = 0, longitude = 0;  // 1e-7 degrees
  double altitude = 0;                       // m above the sea
  friend bool operator==(const GlobalPlace&, const GlobalPlace&) = default;
};

// Within the numbers that places on Earth have.
bool is_place(std::int32_t latitude, std::int32_t longitude);

// Of MAVLink's global frames: altitudes above the sea, or above home.
constexpr bool is_absolute_frame(std::uint8_t frame) { return frame == 0 || frame == 5; }
constexpr bool is_relative_frame(std::uint8_t frame) { return frame == 3 || frame == 6; }

// m above the sea, of an altitude in one of MAVLink's global frames; none for other frames and for what is no number.
std::optional<double> altitude_of(std::uint8_t frame, double altitude, double home);

Eigen::Vector3d ned_from_global(const GlobalPlace& origin, const GlobalPlace& place);
GlobalPlace global_from_ned(const GlobalPlace& origin, const Eigen::Vector3d& ned);

}  // namespace tandem::orca
