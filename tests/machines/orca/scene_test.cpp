// SPDX-License-Identifier: Apache-2.0
// The drawn submarine: where the autopilot has it, over a floor as deep as the virtual one.
#include "tandem/machines/orca/scene.hpp"

#include <doctest/doctest.h>

#include "tests/machines/rigs/scene_check.hpp"

using namespace tandem;
using namespace tandem::orca;

namespace {

State diving() {
  State state;
  state.vehicle.frames = 1;
  state.vehicle.attitude_at = Instant{} + 1s;
  state.vehicle.X_map_base.position = {1, -2, -1.5};
  state.X_map_slam_base.position = {1.1, -2, -1.5};
  return state;
}

}  // namespace

TEST_CASE("the submarine's scene is whole and has no picture before its attitude is told") {
  const machines::Scene scene = make_scene(JogTopic{"/orca/cmd_vel", 0.8, 0.6}, "/image_raw");
  machines::check_scene(scene);
  machines::check_scene(make_scene(std::nullopt, ""));
  CHECK(make_scene(std::nullopt, "").controls.empty());
  CHECK(scene.camera_topic == "/image_raw");
  CHECK_FALSE(picture_of(State{}).seen);
  State heard;
  heard.vehicle.frames = 3;
  CHECK_FALSE(picture_of(heard).seen);
  machines::check_picture(scene, picture_of(diving()));
}

TEST_CASE("the submarine is drawn at its height above the floor and the SLAM's view beside it") {
  const machines::Scene scene = make_scene(std::nullopt, "");
  State state = diving();
  const auto at = [&](const char* frame) {
    return Eigen::Vector3d(machines::frame_of(scene, picture_of(state), frame).translation());
  };
  const double height = -1.5 - Hull{}.seafloor;
  CHECK(at("base_link").isApprox(Eigen::Vector3d(1, -2, height), 1e-12));
  CHECK(at("slam").isApprox(at("base_link"), 1e-12));  // nothing is placed yet
  state.placed = true;
  CHECK(at("slam").isApprox(Eigen::Vector3d(1.1, -2, height), 1e-12));
}

TEST_CASE("the submarine at its true place is drawn over the same floor") {
  const machines::Scene scene = make_scene(std::nullopt, "");
  const State state = diving();
  const machines::Picture twin = picture_at(pose_from(state.vehicle.X_map_base));
  machines::check_picture(scene, twin);
  for (const char* frame : {"base_link", "slam"})
    CHECK(machines::frame_of(scene, twin, frame)
              .isApprox(machines::frame_of(scene, picture_of(state), "base_link"), 1e-12));
}

TEST_CASE("the submarine is large enough on its floor to be seen, and its box is on it") {
  // The page draws every machine's ground equally large: its share of that is what a visitor sees of it.
  const machines::Scene scene = make_scene(std::nullopt, "");
  CHECK(Hull{}.size.x() > 0.06 * scene.extent);
  CHECK(scene.extent / 2 > 2 + Hull{}.size.x());  // m: `task_side` of the demo, from the middle
}

TEST_CASE("a jog of the submarine is half a stick and no more than a whole one") {
  for (const auto& control : make_scene(JogTopic{"/orca/cmd_vel", 0.8, 0.6}, "").controls) {
    CHECK(std::abs(control.value) == doctest::Approx(control.unit == "m/s" ? 0.4 : 0.3));
    CHECK(control.high == (control.unit == "m/s" ? 0.8 : 0.6));
    CHECK(control.rest == 0);
  }
}

TEST_CASE("set points of the submarine stay between floor and surface and name no heading") {
  const machines::Scene scene = make_scene(JogTopic{"/orca/cmd_vel", 0.8, 0.6, "/orca/goal_pose"}, "");
  machines::check_scene(scene);
  std::size_t sliders = 0;
  for (const auto& control : scene.controls) {
    if (control.kind != machines::Control::Kind::slider) continue;
    ++sliders;
    CHECK(control.topic == "/orca/goal_pose");
    CHECK(control.group == "pose");  // the value that tells where it is
    CHECK(control.message.find(R"("w":0)") != std::string::npos);
    if (control.name != "z") continue;
    CHECK(control.low > Hull{}.seafloor);
    CHECK(control.high < 0);
  }
  CHECK(sliders == 3);
}
