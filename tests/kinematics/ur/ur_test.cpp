// SPDX-License-Identifier: Apache-2.0
#include "tandem/kinematics/ur/ur.hpp"

#include <doctest/doctest.h>

#include <limits>

#include "tests/kinematics/ur/samples.hpp"

using namespace tandem;
using namespace tandem::kinematics::ur;
using namespace ur_samples;

TEST_CASE("UR: forward kinematics gives the published check positions of the UR3e") {
  const auto at = [](const Joints& q) { return Eigen::Vector3d(forward(ur3e, q).translation()); };
  CHECK((at(Joints::Zero()) - Eigen::Vector3d(-0.45675, -0.22315, 0.0665)).norm() < 1e-12);
  Joints up;
  up << 0, -pi / 2, 0, -pi / 2, 0, 0;
  CHECK((at(up) - Eigen::Vector3d(0, -0.22315, 0.69395)).norm() < 1e-12);
  Joints other;
  other << 1.19, -1.13, 1.05, -1.60, -1.52, 1.05;
  CHECK((at(other) - Eigen::Vector3d(-0.026859, -0.432280, 0.307026)).norm() < 1e-6);
}

TEST_CASE("UR: forward kinematics is the product of the six matrices for every arm of the family") {
  Random random(11);
  for (const Model* model : models) {
    for (int n = 0; n < 500; ++n) {
      const Joints q = random.joints(2 * pi);
      const Pose expected = chain(*model, q);
      CHECK((forward(*model, q).matrix() - expected.matrix()).cwiseAbs().maxCoeff() < 1e-14);
      const auto links = link_poses(*model, q);
      for (int i = 0; i < 6; ++i)
        CHECK((links[static_cast<std::size_t>(i)].matrix() - chain(*model, q, i + 1).matrix()).cwiseAbs().maxCoeff() <
              1e-14);
    }
  }
}

TEST_CASE("UR: the Jacobian is the derivative of the forward kinematics") {
  Random random(12);
  constexpr double h = 1e-6;
  for (int n = 0; n < 200; ++n) {
    const Model& model = *models[n % 6];
    const Joints q = random.joints();
    const Eigen::Vector3d point(random.within(-0.2, 0.2), random.within(-0.2, 0.2), random.within(0, 0.3));
    const Jacobian j = jacobian(model, q, point);
    for (int i = 0; i < 6; ++i) {
      Joints more = q, less = q;
      more[i] += h, less[i] -= h;
      const Pose a = chain(model, less), b = chain(model, more);
      const Eigen::Vector3d velocity = (b * point - a * point) / (2 * h);
      const Eigen::Matrix3d spin = (b.linear() - a.linear()) / (2 * h) * chain(model, q).linear().transpose();
      CHECK((j.col(i).head<3>() - velocity).norm() < 1e-8);
      CHECK((j.col(i).tail<3>() - Eigen::Vector3d(spin(2, 1), spin(0, 2), spin(1, 0))).norm() < 1e-8);
    }
  }
}

TEST_CASE("UR: rotation vectors come back from none to half a turn") {
  Random random(13);
  for (const double angle : {0.0, 1e-300, 1e-12, 1e-8, 1e-4, 1.0, 3.0, pi - 1e-4, pi - 1e-6, pi - 1e-8, pi - 1e-12}) {
    for (int n = 0; n < 200; ++n) {
      PoseVector v;
      const Eigen::Vector3d axis =
          Eigen::Vector3d(random.within(-1, 1), random.within(-1, 1), random.within(-1, 1)).normalized();
      v << random.within(-1, 1), random.within(-1, 1), random.within(-1, 1), angle * axis;
      const PoseVector back = vector_from_pose(pose_from_vector(v));
      CHECK((back - v).norm() < 3e-15 * (1 + 10 * angle));
    }
  }
  // Tool straight down: half a turn about x, whichever way.
  PoseVector down;
  down << 0.3, 0.1, 0.2, pi, 0, 0;
  const PoseVector back = vector_from_pose(pose_from_vector(down));
  CHECK(std::abs(std::abs(back[3]) - pi) < 1e-15);
  CHECK(back.tail<2>().norm() < 1e-15);
}

TEST_CASE("UR: models are found by name and base stands half a turn from base_link") {
  CHECK(model_named("UR10e") == &ur10e);
  CHECK(model_named("ur3e") == &ur3e);
  CHECK(model_named("ur4") == nullptr);
  const Pose X = base_link_from_base();
  CHECK((X * Eigen::Vector3d(1, 2, 3) - Eigen::Vector3d(-1, -2, 3)).norm() == 0);
  Joints q = Joints::Zero();
  CHECK(!outside_limits(ur3e, q));
  q[4] = 6.3;
  CHECK(outside_limits(ur3e, q) == 4);
  q[1] = std::numeric_limits<double>::quiet_NaN();
  CHECK(outside_limits(ur3e, q) == 1);
}
