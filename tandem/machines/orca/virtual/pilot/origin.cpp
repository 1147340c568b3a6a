// SPDX-License-Identifier: Apache-2.0
#include "tandem/machines/orca/virtual/pilot/origin.hpp"

#include <cmath>
#include <numbers>

namespace tandem::orca {
namespace {

constexpr double metres_per_unit = 0.011131884502145034;  // of 1e-7 degrees on a meridian, radius 6378100 m

double parallel_share(const GlobalPlace& origin) {
  return std::max(0.01, std::cos(origin.latitude * 1e-7 * std::numbers::pi / 180));
}

}  // namespace

bool is_place(std::int32_t latitude, std::int32_t longitude) {
  return std::abs(static_cast<double>(latitude)) <= 90e7 && std::abs(static_cast<double>(longitude)) <= 180e7;
}

std::optional<double> altitude_of(std::uint8_t frame, double altitude, double home) {
  if (!std::isfinite(altitude)) return std::nullopt;
  if (is_absolute_frame(frame)) return altitude;
  if (is_relative_frame(frame)) return home + altitude;
  return std::nullopt;
}

Eigen::Vector3d ned_from_global(const GlobalPlace& origin, const GlobalPlace& place) {
  double east = static_cast<double>(place.longitude) - origin.longitude;
  if (east > 180e7) east -= 360e7;
  if (east < -180e7) east += 360e7;
  return {(static_cast<double>(place.latitude) - origin.latitude) * metres_per_unit,
          east * metres_per_unit * parallel_share(origin), origin.altitude - place.altitude};
}

GlobalPlace global_from_ned(const GlobalPlace& origin, const Eigen::Vector3d& ned) {
  const auto whole = [](double units, double most) {
    return static_cast<std::int32_t>(std::lround(std::fmax(-most, std::fmin(most, units))));
  };
  double longitude = origin.longitude + ned.y() / metres_per_unit / parallel_share(origin);
  longitude = std::remainder(longitude, 360e7);
  return {whole(origin.latitude + ned.x() / metres_per_unit, 90e7), whole(longitude, 180e7), origin.altitude - ned.z()};
}

}  // namespace tandem::orca
