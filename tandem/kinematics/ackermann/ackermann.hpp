// SPDX-License-Identifier: Apache-2.0
// Ackermann truck: two driven wheels on one axle, two steered wheels on the other, all rolling about one centre.
// Steering angles follow the convention of ROS' steering controllers: positive turns the truck to +z when it drives
// forward. So the same numbers hold for a truck that steers in front and for one that steers behind; behind, the wheel
// itself turns to -z, and anyone who draws it or drives its motor flips the sign there, once.
#pragma once

#include <array>
#include <string_view>

#include "tandem/base/result.hpp"

namespace tandem::kinematics::ackermann {

struct Geometry {
  double wheel_radius;    // m, of the driven wheels
  double wheelbase;       // m, between the axles
  double traction_track;  // m, between the driven wheels
  double steering_track;  // m, between the steered wheels
  double steering_limit;  // rad, what the inner wheel turns at most, each way; below pi/2
};

// Positive lengths and a limit between 0 and pi/2; the error names what is not so.
Result<void> check(const Geometry& geometry);

// Of the middle of the traction axle; it never slides sideways.
struct Twist {
  double v = 0;  // m/s, forward
  double w = 0;  // rad/s, to the left
};

struct Wheels {
  double front_right = 0, front_left = 0;  // rad/s, driven
  double rear_right = 0, rear_left = 0;    // rad, steered
};
inline constexpr std::array<std::string_view, 4> wheel_names = {"front_right", "front_left", "rear_right", "rear_left"};
std::array<double, 4> values(const Wheels& wheels);  // in the order of the names

// 1/m: the tightest turn that the inner wheel's limit allows.
double most_curvature(const Geometry& geometry);
// 1/m: the turn that the two steered wheels agree on; the nearest one where they do not quite.
double curvature_from_steering(const Geometry& geometry, double right, double left);
// rad: the angle of a single wheel in the middle of the steering axle, for that turn.
double middle_angle(const Geometry& geometry, double curvature);

struct Command {
  Wheels wheels;
  Twist twist;              // what these wheels do
  bool at_limit = false;    // a tighter turn was asked for: the speed is kept, the turn is the tightest possible
  bool in_place = false;    // a turn without speed was asked for: the wheels turn to their limit, and nothing moves
  double curvature = 0;     // 1/m, of the steering
  double middle_angle = 0;  // rad
};

// The wheels for a twist. No truck turns on the spot: see Command. Without any motion the steering takes
// `held_curvature` (1/m), so that a truck told to stop need not straighten its wheels. Numbers that are not finite are
// errors.
Result<Command> wheels_from_twist(const Geometry& geometry, const Twist& twist, double held_curvature = 0);

struct Estimate {
  Twist twist;
  // m/s, what each wheel does against that twist: the driven ones along their rolling, the steered ones sideways. All
  // zero when the four agree; noise, slip or a steering that has not settled show here.
  std::array<double, 4> slips{};
  double slip = 0;        // m/s, the largest of them
  std::size_t worst = 0;  // index of the wheel that has it
};

// The twist that fits four measured wheels best, in least squares of the slips; exact when they agree. The steered
// wheels count `steering_weight` times: 0 trusts the driven ones alone. Numbers that are not finite are errors.
Result<Estimate> twist_from_wheels(const Geometry& geometry, const Wheels& wheels, double steering_weight = 1);

// How much of its speed the truck may have while its steering is still on the way, 0.01 to 1: whole within 30 degrees,
// then as the cosine of what is missing. ROS' reduce_wheel_speed_until_steering_reached does the same. Angles are those
// of the middle wheel (rad).
double speed_until_steered(double wanted_angle, double measured_angle);

struct Limits {
  double speed = 1;              // m/s, each way
  double acceleration = 2;       // m/s^2, up and down
  double turn = 1;               // rad/s, each way
  double turn_acceleration = 2;  // rad/s^2, up and down
};

// The twist nearest to the wanted one, each part on its own, that the limits allow `dt` seconds after the last. Without
// time nothing changes. Numbers that are not finite are errors.
Result<Twist> limited(const Limits& limits, const Twist& wanted, const Twist& last, double dt);

}  // namespace tandem::kinematics::ackermann
