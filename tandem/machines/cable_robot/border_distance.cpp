#include "tandem/machines/cable_robot/border_distance.hpp"

namespace tandem::cable_robot {
namespace {

constexpr int steps_out = 16;  // until the first outside
constexpr int halvings = 8;    // from then on

bool is_inside(const Border& border, const Pose& pose, const Eigen::Vector3d& offset) {
  Pose moved = pose;
  moved.translation() += offset;
  return border.look(moved).inside;
}

// How far it goes in this direction, at most `farthest`.
double way_out(const Border& border, const Pose& pose, const Eigen::Vector3d& direction, double farthest) {
  double inside = 0, outside = 0;
  for (int i = 1; i <= steps_out && outside == 0; ++i) {
    const double way = farthest * i / steps_out;
    (is_inside(border, pose, way * direction) ? inside : outside) = way;
  }
  if (outside == 0) return farthest;
  for (int i = 0; i < halvings; ++i) {
    const double middle = 0.5 * (inside + outside);
    (is_inside(border, pose, middle * direction) ? inside : outside) = middle;
  }
  return inside;
}

}  // namespace

BorderDistance distance_to_border(const Border& border, const Pose& pose, double farthest) {
  if (!border.look(pose).inside) return {};
  BorderDistance least{farthest, Eigen::Vector3d::Zero()};
  for (int x = -1; x <= 1; ++x) {
    for (int y = -1; y <= 1; ++y) {
      for (int z = -1; z <= 1; ++z) {
        if (x == 0 && y == 0 && z == 0) continue;
        const Eigen::Vector3d direction = Eigen::Vector3d(x, y, z).normalized();
        const double way = way_out(border, pose, direction, least.metres);
        if (way < least.metres) least = {way, direction};
      }
    }
  }
  return least;
}

}  // namespace tandem::cable_robot
