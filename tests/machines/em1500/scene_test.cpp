// SPDX-License-Identifier: Apache-2.0
#include <doctest/doctest.h>

#include <random>

#include "tandem/machines/em1500/scene.hpp"
#include "tests/machines/rigs/scene_check.hpp"

using namespace tandem;
using namespace tandem::em1500;

TEST_CASE("the platform's scene is whole and has no picture before the first sample") {
  const machines::Scene scene = make_scene();
  machines::check_scene(scene);
  CHECK(scene.controls.empty());  // its PLC is only read
  CHECK_FALSE(picture_of(State{}, RotationOrder::zyx).seen);
}

TEST_CASE("the drawn legs are as long as the kinematics says in every pose") {
  const machines::Scene scene = make_scene();
  std::mt19937_64 random(5);
  std::uniform_real_distribution<double> share(-1, 1);
  REQUIRE(scene.ties.size() == 6);
  for (int round = 0; round < 200; ++round) {
    State state;
    state.samples = 1;
    for (std::size_t i = 0; i < 6; ++i) state.pose[i] = 0.3 * share(random) + (i == 2 ? neutral_height : 0);
    for (const RotationOrder order : {RotationOrder::zyx, RotationOrder::xyz}) {
      const machines::Picture picture = picture_of(state, order);
      machines::check_picture(scene, picture);
      const stewart::Lengths lengths = stewart::leg_lengths(platform(), state.pose, order);
      for (std::size_t leg = 0; leg < 6; ++leg) {
        CHECK(machines::length_of(scene, picture, scene.ties[leg]) == doctest::Approx(lengths[leg]).epsilon(1e-12));
        CHECK(picture.scalars[leg] == doctest::Approx(lengths[leg] - platform().home_lengths[leg]).epsilon(1e-9));
        // Its cylinder points at the joint on the plate.
        const Pose foot = machines::frame_of(scene, picture, scene.frames[leg + 1]);
        const Eigen::Vector3d head = machines::frame_of(scene, picture, "platform") * geometry().top[leg];
        CHECK((foot * Eigen::Vector3d(0, 0, lengths[leg]) - head).norm() < 1e-9);
      }
    }
  }
}
