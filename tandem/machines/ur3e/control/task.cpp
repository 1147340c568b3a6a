// SPDX-License-Identifier: Apache-2.0
#include "tandem/machines/ur3e/control/task.hpp"

#include <fmt/format.h>

#include <numbers>

#include "tandem/kinematics/ur/inverse.hpp"
#include "tandem/machines/ur3e/description.hpp"

namespace tandem::ur3e {
namespace {

constexpr int open_position = 0, closed_position = 255;

// Elbow up, tool straight down, above the table.
const Joints& usual() {
  static const Joints q = {1.19, -1.13, 1.05, -1.60, -1.52, 1.05};
  return q;
}

// The flange when the pads hold a cube with this centre, the tool down and turned by this many quarters.
Pose holding(const Eigen::Vector3d& cube, double height, int quarters) {
  const Eigen::Matrix3d down = rotation_from_rpy(std::numbers::pi, 0, quarters * std::numbers::pi / 2);
  return pose_from(cube + Eigen::Vector3d(0, 0, hand::grip_reach + height), down);
}

}  // namespace

Result<PickAndPlace::Place> PickAndPlace::place_from(const PickAndPlaceOptions& options, const Eigen::Vector3d& cube) {
  // A cube may be held in four ways; the one that keeps the arm nearest to its usual posture does.
  std::optional<Place> best;
  double nearest = 0;
  Error why{Fault::unreachable, ""};
  for (int quarters = 0; quarters < 4; ++quarters) {
    Place place;
    place.X_base_above = holding(cube, options.lift, quarters);
    place.X_base_at = holding(cube, 0, quarters);
    const auto above = kinematics::ur::nearest(arm_model, place.X_base_above, usual());
    if (!above) {
      why = above.error();
      continue;
    }
    const auto at = kinematics::ur::nearest(arm_model, place.X_base_at, above->q);
    if (!at) {
      why = at.error();
      continue;
    }
    place.above = six(above->q);
    place.at = six(at->q);
    if (best && nearest <= above->distance) continue;
    nearest = above->distance;
    best = place;
  }
  if (best) return *best;
  return within(fmt::format("a cube at [{}, {}, {}]", cube.x(), cube.y(), cube.z()), why);
}

Result<PickAndPlace> PickAndPlace::make(const PickAndPlaceOptions& options) {
  auto pick = place_from(options, options.pick);
  if (!pick) return within("pick", std::move(pick).error());
  auto place = place_from(options, options.place);
  if (!place) return within("place", std::move(place).error());
  return PickAndPlace(options, *pick, *place);
}

void PickAndPlace::restart() { step_.reset(); }

script::Write PickAndPlace::joints(const Six& q) const {
  return {.code = script::Code::movej, .first = q, .third = {1.4, options_.joint_speed}};
}

script::Write PickAndPlace::line(const Pose& X_base_flange, const State& state) const {
  const Pose X_flange_tcp = TCP6D::from_metres_radians(state.controller.tcp_offset).pose();
  return {.code = script::Code::movel,
          .first = TCP6D::from(X_base_flange * X_flange_tcp).list(),
          .third = {1.2, options_.speed}};
}

PickAndPlace::Action PickAndPlace::next(const State& state) {
  const Place& from = places_[from_];
  const Place& to = places_[1 - from_];
  if (!step_) {
    if (state.hand.object) {
      // Something is held, as after a stop on the way: up with it, and on.
      step_ = Step::up;
      const Pose X_base_flange =
          kinematics::ur::forward(arm_model, Joint6D::from_radians(state.controller.actual_q).vector());
      return line(Eigen::Translation3d(0, 0, options_.lift / 2) * X_base_flange, state);
    }
    step_ = Step::open;
    return Grip{open_position};
  }
  switch (*step_) {
    case Step::open:
      step_ = Step::over_pick;
      return joints(from.above);
    case Step::over_pick:
      step_ = Step::down;
      return line(from.X_base_at, state);
    case Step::down:
      step_ = Step::grip;
      return Grip{closed_position};
    case Step::grip:
      if (!state.hand.object) {
        // Nothing there: it may be at the other place, as after a restart half-way.
        from_ = 1 - from_;
        step_ = Step::leave;
        return line(from.X_base_above, state);
      }
      step_ = Step::up;
      return line(from.X_base_above, state);
    case Step::up:
      step_ = Step::over_place;
      return joints(to.above);
    case Step::over_place:
      step_ = Step::lower;
      return line(to.X_base_at, state);
    case Step::lower:
      step_ = Step::release;
      return Grip{open_position};
    case Step::release:
      step_ = Step::leave;
      ++placed_;
      from_ = 1 - from_;
      return line(to.X_base_above, state);
    case Step::leave:
      step_ = Step::open;
      return Grip{open_position};
  }
  return Grip{open_position};
}

std::array<double, 3> PickAndPlace::cube() const {
  const bool at_pick = (from_ == 0) == (step_ != Step::release);
  const Eigen::Vector3d& centre = at_pick ? options_.pick : options_.place;
  return {centre.x(), centre.y(), centre.z()};
}

std::string_view PickAndPlace::step() const {
  if (!step_) return "about to begin";
  switch (*step_) {
    case Step::open:
      return "opening the gripper";
    case Step::over_pick:
      return "going above the cube";
    case Step::down:
      return "down to the cube";
    case Step::grip:
      return "gripping the cube";
    case Step::up:
      return "lifting the cube";
    case Step::over_place:
      return "carrying the cube";
    case Step::lower:
      return "lowering the cube";
    case Step::release:
      return "releasing the cube";
    case Step::leave:
      return "leaving upwards";
  }
  return "?";
}

}  // namespace tandem::ur3e
