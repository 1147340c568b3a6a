// SPDX-License-Identifier: Apache-2.0
// The drawn truck: wheels and steering as its state says, at the places that its URDF gives them.
#include "tandem/machines/raptorlift/scene.hpp"

#include <doctest/doctest.h>

#include <cmath>
#include <numbers>

#include "tests/machines/rigs/scene_check.hpp"

using namespace tandem;
using namespace tandem::raptorlift;

namespace {

State turning() {
  State state;
  state.samples = 1;
  state.X_odom_base = {3, -2, 0.7};
  state.measured = {1, 2, 0.31, 0.42};
  state.wheel_angles = {10.5, -4.25};
  return state;
}

}  // namespace

TEST_CASE("the truck's scene is whole and has no picture before the first sample") {
  const Description truck;
  machines::check_scene(make_scene(truck, std::nullopt));
  const machines::Scene scene = make_scene(truck, JogTopic{"/cmd_vel"});
  machines::check_scene(scene);
  CHECK_FALSE(picture_of(State{}, truck).seen);
  machines::check_picture(scene, picture_of(turning(), truck));
  CHECK(make_scene(truck, std::nullopt).controls.empty());
}

TEST_CASE("the drawn wheels stand and turn as the state says") {
  const Description truck;
  const machines::Scene scene = make_scene(truck, std::nullopt);
  const State state = turning();
  const machines::Picture picture = picture_of(state, truck);
  const Pose base = machines::frame_of(scene, picture, "base_link");
  CHECK(base.translation().isApprox(Eigen::Vector3d(3, -2, body::base_height), 1e-12));
  CHECK(std::atan2(base(1, 0), base(0, 0)) == doctest::Approx(0.7).epsilon(1e-12));
  // The rear wheels turn the other way than the truck does; the front ones roll about y.
  const auto in_base = [&](const char* link) { return base.inverse() * machines::frame_of(scene, picture, link); };
  const Pose rear_right = in_base("rear_right_steering_link"), rear_left = in_base("rear_left_steering_link");
  CHECK(std::atan2(rear_right(1, 0), rear_right(0, 0)) == doctest::Approx(-0.31).epsilon(1e-9));
  CHECK(std::atan2(rear_left(1, 0), rear_left(0, 0)) == doctest::Approx(-0.42).epsilon(1e-9));
  const Pose front_right = in_base("front_right_wheel_link"), front_left = in_base("front_left_wheel_link");
  const auto rolled = [](const Pose& wheel) { return std::atan2(wheel(0, 2), wheel(0, 0)); };
  CHECK(std::remainder(rolled(front_right) - 10.5, 2 * std::numbers::pi) == doctest::Approx(0).epsilon(1e-9));
  CHECK(std::remainder(rolled(front_left) + 4.25, 2 * std::numbers::pi) == doctest::Approx(0).epsilon(1e-9));
  const auto& geometry = truck.geometry;
  CHECK((front_left.translation() - front_right.translation()).norm() == doctest::Approx(geometry.traction_track));
  CHECK(front_left.translation().x() - rear_left.translation().x() == doctest::Approx(geometry.wheelbase));
  // All four stand on the ground.
  for (const char* link : {"front_right_wheel_link", "rear_left_steering_link"})
    CHECK(machines::frame_of(scene, picture, link).translation().z() ==
          doctest::Approx(geometry.wheel_radius).epsilon(1e-9));
}

TEST_CASE("the true place is drawn where the virtual truck says and else on the truck") {
  const Description truck;
  const machines::Scene scene = make_scene(truck, std::nullopt);
  State state = turning();
  const auto place = [&]() -> Eigen::Vector3d {
    return machines::frame_of(scene, picture_of(state, truck), "true place").translation();
  };
  CHECK(place().x() == doctest::Approx(3));
  state.compared = true;
  CHECK_FALSE(truth_picture_of(turning(), truck).seen);
  state.X_base_true = {0.25 * std::cos(0.7), -0.25 * std::sin(0.7), 0};
  CHECK(place().x() == doctest::Approx(3.25));
  CHECK(place().y() == doctest::Approx(-2));
  // The twin is the whole truck there, and goes on with it between two looks.
  state.X_odom_base.x += 1;
  const machines::Picture twin = truth_picture_of(state, truck);
  machines::check_picture(scene, twin);
  CHECK(machines::frame_of(scene, twin, "base_link").translation().x() == doctest::Approx(4.25));
  CHECK(machines::frame_of(scene, twin, "base_link").isApprox(machines::frame_of(scene, twin, "true place"), 1e-12));
}

TEST_CASE("a jog stays within the limits of the truck") {
  Description truck;
  truck.limits.speed = 0.2;
  truck.limits.turn = 0.1;
  for (const bool stamped : {false, true}) {
    const machines::Scene scene = make_scene(truck, JogTopic{"/lab/cmd_vel", stamped});
    machines::check_scene(scene);
    REQUIRE(scene.controls.size() == 4);
    for (const auto& control : scene.controls) {
      CHECK(std::abs(control.value) <= (control.unit == "m/s" ? 0.2 : 0.1));
      CHECK(control.topic == "/lab/cmd_vel");
      CHECK(control.group == "drive");
      CHECK(control.rest == 0);
    }
  }
}
