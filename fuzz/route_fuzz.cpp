// SPDX-License-Identifier: Apache-2.0
// Any bytes as waypoints, legs and trajectories: a route that can be driven, or an error. So is its extension.
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <cstring>

#include "tandem/kinematics/ackermann/route.hpp"

namespace {

using namespace tandem::kinematics::ackermann;

struct Reader {
  const std::uint8_t* data;
  std::size_t size;

  std::uint8_t byte() { return size == 0 ? std::uint8_t{0} : (--size, *data++); }
  double number() {  // mostly of a warehouse, sometimes any float
    const std::uint8_t kind = byte();
    if (kind == 255) {
      float raw = 0;
      for (std::size_t i = 0; i < sizeof(raw); ++i) reinterpret_cast<std::uint8_t*>(&raw)[i] = byte();
      return static_cast<double>(raw);
    }
    return (static_cast<double>(byte()) - 128) / (kind % 2 == 0 ? 4 : 64);
  }
  Nurbs nurbs() {
    Nurbs curve;
    curve.degree = byte() % 12;
    for (int i = byte() % 12; i > 0; --i) curve.points.push_back({number(), number(), number()});
    for (int i = byte() % 24; i > 0; --i) curve.knots.push_back(byte() / 255.0);
    return curve;
  }
  Waypoint waypoint() {
    Waypoint waypoint;
    waypoint.position = {number(), number()};
    waypoint.deviation = number();
    if (byte() % 4 == 0) waypoint.heading = number();
    return waypoint;
  }
  Leg leg() {
    Leg leg;
    const std::uint8_t kind = byte();
    leg.backward = kind % 2 == 1;
    if (kind & 2) leg.corridor_left = number();
    if (kind & 4) leg.most_speed = number();
    if (kind & 8) leg.trajectory = nurbs();
    return leg;
  }
};

void require(bool holds) {
  if (!holds) std::abort();
}

void check(const tandem::Result<Route>& route) {
  if (!route) return require(!route.error().text.empty());
  double last = 0;
  for (const double passed : route->passed()) {
    require(passed >= last && passed <= route->length());
    last = passed;
  }
  for (int i = -1; i <= 101; ++i) {
    const RoutePoint point = route->at(route->length() * i / 100);
    require(std::isfinite(point.pose.x) && std::isfinite(point.pose.y) && std::isfinite(point.pose.yaw));
    require(std::abs(point.curvature) <= 1 / 1.542 + 1e-6 && std::isfinite(point.steering));
    require(point.speed >= 0 && point.speed <= 1);
    require(!(point.left < 0.02) && !(point.right < 0.02));
  }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  Reader reader{data, size};
  const PlanarPose start{reader.number(), reader.number(), reader.number()};
  std::vector<Waypoint> waypoints{reader.waypoint()};
  std::vector<Leg> legs;
  for (int i = reader.byte() % 6; i > 0; --i) {
    legs.push_back(reader.leg());
    waypoints.push_back(reader.waypoint());
  }
  const auto route = plan_route(start, waypoints, legs);
  check(route);
  if (!route) return 0;
  const std::vector<Waypoint> further{reader.waypoint()};
  const std::vector<Leg> leg{reader.leg()};
  check(extend(*route, reader.byte() % 8, further, leg, reader.number()));
  return 0;
}
