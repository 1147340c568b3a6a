// SPDX-License-Identifier: Apache-2.0
// The drawn arm: its frames are those of the forward kinematics, its fingers and cube where state and task say.
#include "tandem/machines/ur3e/scene.hpp"

#include <doctest/doctest.h>

#include <cmath>
#include <random>
#include <string>

#include "tandem/machines/ur3e/description.hpp"
#include "tests/machines/rigs/scene_check.hpp"

using namespace tandem;
using namespace tandem::ur3e;

namespace {

SceneOptions everything() {
  return {.has_hand = true,
          .has_task = true,
          .jog = JogTopics{"/forward_velocity_controller/commands", "/hand", "/places"}};
}

State at(const Joints& q) {
  State state;
  state.samples = 1;
  for (std::size_t i = 0; i < 6; ++i) state.controller.actual_q[i] = q[static_cast<Eigen::Index>(i)];
  state.hand.known = true;
  state.hand.finger = 0.01;
  state.cube = {-0.1, -0.3, 0.02};
  return state;
}

}  // namespace

TEST_CASE("the arm's scene is whole with and without hand and task and has no picture before the first sample") {
  for (const bool hand : {true, false}) {
    for (const bool task : {true, false}) {
      SceneOptions options = everything();
      options.has_hand = hand;
      options.has_task = task;
      if (!hand) options.jog->hand.clear();
      const machines::Scene scene = make_scene(options);
      machines::check_scene(scene);
      CHECK(scene.controls.size() == (hand ? 20 : 18));
      machines::check_picture(scene, picture_of(at(home()), options));
      CHECK_FALSE(picture_of(State{}, options).seen);
    }
  }
  CHECK(make_scene({}).controls.empty());
}

TEST_CASE("the drawn flange is the one of the forward kinematics") {
  const SceneOptions options = everything();
  const machines::Scene scene = make_scene(options);
  std::mt19937_64 random(3);
  std::uniform_real_distribution<double> angle(-3, 3);
  for (int round = 0; round < 200; ++round) {
    Joints q;
    for (auto& joint : q) joint = angle(random);
    const machines::Picture picture = picture_of(at(q), options);
    const Pose expected = kinematics::ur::base_link_from_base() * kinematics::ur::forward(arm_model, q);
    CHECK(machines::frame_of(scene, picture, "wrist_3_link").isApprox(expected, 1e-9));
  }
}

TEST_CASE("the drawn fingers open by their stroke and hold the cube between the pads") {
  const SceneOptions options = everything();
  const machines::Scene scene = make_scene(options);
  State state = at(home());
  const auto frame = [&](std::string_view name) {
    return machines::frame_of(scene, picture_of(state, options), std::string(name));
  };
  const Eigen::Vector3d left = frame(hand::finger_links[0]).translation();
  const Eigen::Vector3d right = frame(hand::finger_links[1]).translation();
  CHECK((left - right).norm() == doctest::Approx(0.02));
  CHECK(frame("cube").translation().isApprox(Eigen::Vector3d(0.1, 0.3, 0.02), 1e-9));
  state.hand.object = true;
  const Eigen::Vector3d pads = frame("wrist_3_link") * Eigen::Vector3d(0, 0, hand::grip_reach);
  CHECK(frame("cube").translation().isApprox(pads, 1e-9));
}

TEST_CASE("the arm as its controller wants it is drawn as the twin, with the way that its tool is off") {
  const SceneOptions options = everything();
  const machines::Scene scene = make_scene(options);
  State state = at(home());
  CHECK_FALSE(target_picture_of(state, options).seen);  // an older controller tells no target
  CHECK_FALSE(target_offset(state));
  state.targeted = true;
  state.controller.target_q = state.controller.actual_q;
  CHECK(target_offset(state)->distance == doctest::Approx(0));
  // Upright, a turn of the first joint by 0.01 rad takes the tool round the axis it is 0.22315 m away from.
  state.controller.target_q[0] += 0.01;
  state.controller.tcp_offset = {0, 0, 0, 0, 0, 0};
  const machines::Picture real = picture_of(state, options), twin = target_picture_of(state, options);
  machines::check_picture(scene, twin);
  const Pose X_world_real = machines::frame_of(scene, real, scene.main_frame);
  const Pose X_world_twin = machines::frame_of(scene, twin, scene.main_frame);
  const double arm = std::hypot(X_world_real.translation().x(), X_world_real.translation().y());
  CHECK(arm == doctest::Approx(0.13105 + 0.0921).epsilon(1e-6));
  const auto off = target_offset(state);
  REQUIRE(off);
  CHECK(off->distance == doctest::Approx(2 * arm * std::sin(0.005)).epsilon(1e-6));
  CHECK(off->distance == doctest::Approx((X_world_twin.translation() - X_world_real.translation()).norm()));
  CHECK(off->angle == doctest::Approx(0.01).epsilon(1e-6));
  // A longer tool is off by more.
  state.controller.tcp_offset = {0, 0, 0.145, 0, 0, 0};
  CHECK(target_offset(state)->distance > 1.3 * off->distance);
}

TEST_CASE("the sliders of the arm reach to the ends of its joints and are one message") {
  std::size_t sliders = 0;
  for (const machines::Control& control : make_scene(everything()).controls) {
    if (control.kind != machines::Control::Kind::slider) continue;
    CHECK(control.topic == "/places");
    CHECK(control.group == "joints");  // the value that tells where they are
    CHECK(control.field == "data." + std::to_string(sliders));
    const std::size_t joint = sliders++;
    CHECK(control.low >= arm_model.lowest[joint]);
    CHECK(control.high <= arm_model.highest[joint]);
    CHECK(control.high - control.low > 6);
  }
  CHECK(sliders == 6);
}
