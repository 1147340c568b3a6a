// SPDX-License-Identifier: Apache-2.0
#include "tandem/machines/ur3e/description.hpp"

#include <doctest/doctest.h>

#include <Eigen/Eigenvalues>
#include <cmath>

#include "tests/machines/ur3e/control/published_arm.hpp"

namespace ur3e = tandem::ur3e;
using tandem::Pose;

namespace {

Pose chain(const ur3e::Joints& q, std::size_t links) {
  Pose pose = Pose::Identity();
  for (std::size_t i = 0; i < links; ++i)
    pose = pose * ur3e::link_frame(i) * Eigen::AngleAxisd(q[static_cast<int>(i)], Eigen::Vector3d::UnitZ());
  return pose;
}

}  // namespace

TEST_CASE("the link frames chain to the published flange positions") {
  const double quarter = std::numbers::pi / 2;
  const auto position = [](const ur3e::Joints& q) { return Eigen::Vector3d(chain(q, 6).translation()); };
  CHECK((position(ur3e::Joints::Zero()) - Eigen::Vector3d(-0.45675, -0.22315, 0.0665)).norm() < 1e-12);
  CHECK((position({0.0, -quarter, 0.0, -quarter, 0.0, 0.0}) - Eigen::Vector3d(0, -0.22315, 0.69395)).norm() < 1e-12);
  CHECK((position({1.19, -1.13, 1.05, -1.60, -1.52, 1.05}) - Eigen::Vector3d(-0.026859, -0.432280, 0.307026)).norm() <
        1e-6);
}

TEST_CASE("the masses lie where their maker puts them") {
  // Potential energy over some poses, by our link frames and by the published frames.
  for (const double turn : {0.0, 0.4, 1.1, -2.0, 2.9}) {
    const ur3e::Joints q = {turn, -1.3 + turn, 0.7 * turn, -turn, 0.5 + turn, turn};
    double energy = 0;
    for (std::size_t i = 0; i < 6; ++i) {
      const ur3e::Inertia inertia = ur3e::link_inertia(i);
      energy += inertia.mass * ur3e::gravity * (chain(q, i + 1) * inertia.centre).z();
    }
    CHECK(energy == doctest::Approx(published::potential(q, 0, Eigen::Vector3d::Zero())).epsilon(1e-12));
  }
}

TEST_CASE("every inertia could be that of a solid body") {
  for (std::size_t i = 0; i < 6; ++i) {
    const Eigen::Matrix3d tensor = ur3e::link_inertia(i).tensor;
    const Eigen::Vector3d principal = Eigen::SelfAdjointEigenSolver<Eigen::Matrix3d>(tensor).eigenvalues();
    CHECK(principal[0] > 0);
    CHECK(principal[0] + principal[1] > principal[2]);
    CHECK((tensor - tensor.transpose()).norm() < 1e-15);
  }
}

TEST_CASE("the gripper's numbers follow the formula its users know") {
  namespace hand = ur3e::hand;
  // mm = (250 - POS) * opened / 247, clamped.
  for (int position = 0; position < 256; ++position) {
    const double users = std::clamp((250.0 - position) * 50 / 247, 0.0, 50.0);
    CHECK(2000 * hand::finger_from_position(position) == doctest::Approx(users));
  }
  CHECK(hand::position_from_finger(hand::finger_stroke) == 3);
  CHECK(hand::position_from_finger(0) == 250);
  CHECK(hand::position_from_finger(hand::finger_from_position(128)) == 128);
  CHECK(hand::force_from(255) == doctest::Approx(130));
  CHECK(hand::force_from(0) == doctest::Approx(20));
  CHECK(hand::speed_from(255) == doctest::Approx(0.075));
  CHECK(hand::mass() == doctest::Approx(1.07));
}
