// SPDX-License-Identifier: Apache-2.0
#include "tandem/kinematics/ur/inverse.hpp"

#include <doctest/doctest.h>

#include <limits>
#include <string>

#include "tests/kinematics/ur/checked.hpp"

using namespace tandem;
using namespace tandem::kinematics::ur;
using namespace ur_samples;

TEST_CASE("UR: all solutions reach the pose and the true angles are among them") {
  Random random(21);
  const int tries = count(20'000, 1'000'000);
  double worst = 0;
  for (int n = 0; n < tries; ++n) {
    const Model& model = *models[n % 2 == 0 ? 0 : n / 2 % 6];
    const Joints q = random.joints(2 * pi);
    Solutions found;
    REQUIRE(all_solutions(model, forward(model, q), found, q[5]) > 0);
    CHECK(found.count % 2 == 0);
    worst = std::max(worst, check_all(model, q, found));
  }
  CHECK(worst < 1e-5);  // the root of the rounding at the rare pose that is nearly singular
}

TEST_CASE("UR: a straight or nearly straight wrist still has checked solutions") {
  Random random(22);
  for (const double bend : {0.0, 1e-16, 1e-12, 1e-10, 4e-10, 6e-10, 1e-9, 1e-8, 1e-7, 1e-6, 1e-5, 1e-4, 1e-3}) {
    for (int n = 0; n < 400; ++n) {
      Joints q = random.joints();
      q[4] = (n % 4 < 2 ? 0 : pi) + (n % 2 == 0 ? bend : -bend);
      Solutions found;
      REQUIRE(all_solutions(ur3e, forward(ur3e, q), found, q[5]) > 0);
      const double least = check_all(ur3e, q, found);
      // The bend carries the direction of wrist 3: its digits are those that the bend has left.
      CHECK(least < (bend < 1e-7 ? 1e-3 : 1e-12 / bend + 1e-6));
      if (bend < 4e-10) CHECK(found.wrist_singular);
      const auto near = nearest(ur3e, forward(ur3e, q), q);
      REQUIRE(near.ok());
      if (bend < 4e-10) CHECK(std::abs(near->q[5] - q[5]) < 1e-12);
      if (bend < 4e-10) CHECK(near->wrist_singular);
    }
  }
}

TEST_CASE("UR: a wrist as near to the axis of joint 1 as it can be still has checked solutions") {
  Random random(23);
  for (const double away : {0.0, 1e-12, 1e-9, 1e-8, 1e-7, 1e-6, 1e-5, 1e-4, 1e-3}) {
    int tried = 0;
    for (int n = 0; n < 4000 && tried < 200; ++n) {
      Joints q = random.joints();
      // Turn joint 4 until the wrist point is in the plane through axis 1: a2 c2 + a3 c23 + d5 s234 = away.
      const double along = ur3e.a[1] * std::cos(q[1]) + ur3e.a[2] * std::cos(q[1] + q[2]);
      const double sine = (away - along) / ur3e.d[4];
      if (std::abs(sine) > 0.999) continue;
      ++tried;
      q[3] = std::asin(sine) - q[1] - q[2];
      Solutions found;
      REQUIRE(all_solutions(ur3e, forward(ur3e, q), found, q[5]) > 0);
      CHECK(check_all(ur3e, q, found) < 1e-4);
      if (away < 1e-8) CHECK(found.shoulder_singular);
      CHECK(nearest(ur3e, forward(ur3e, q), q).ok());
    }
    CHECK(tried == 200);
  }
}

TEST_CASE("UR: a stretched arm still has checked solutions") {
  Random random(24);
  for (const double bend : {0.0, 1e-12, 1e-9, 1e-8, 1e-6, 1e-4, 1e-3}) {
    for (int n = 0; n < 200; ++n) {
      Joints q = random.joints();
      q[2] = bend;
      Solutions found;
      REQUIRE(all_solutions(ur3e, forward(ur3e, q), found, q[5]) > 0);
      CHECK(check_all(ur3e, q, found) < 3e-7 + 1e-14 / std::max(bend, 1e-7));
      if (bend < 1e-8) CHECK(found.elbow_singular);
    }
  }
}

TEST_CASE("UR: the nearest solution is the true one from nearby and keeps its turns") {
  Random random(25);
  for (int n = 0; n < 5000; ++n) {
    const Joints q = random.joints(2 * pi - 0.02);
    Joints near = q;
    for (int i = 0; i < 6; ++i) near[i] += random.within(-0.01, 0.01);
    Pose X_flange_tcp = Pose::Identity();
    X_flange_tcp.translation() << 0.01, -0.02, 0.15;
    X_flange_tcp.linear() = rotation_from_rpy(0.1, 0.4, -1);
    const auto found = nearest(ur3e, chain(ur3e, q) * X_flange_tcp, near, X_flange_tcp);
    REQUIRE(found.ok());
    CHECK(found->distance <= (q - near).norm() + 1e-7);
    CHECK((chain(ur3e, found->q).translation() - chain(ur3e, q).translation()).norm() < 1e-9);
    CHECK((chain(ur3e, found->q).linear() - chain(ur3e, q).linear()).norm() < 2e-9);
  }
}

TEST_CASE("UR: the nearest solution leaves a joint within its limits") {
  Model narrow = ur3e;
  narrow.lowest[0] = -1, narrow.highest[0] = 6;
  Joints q;
  q << -2.5, -1.2, 1.1, -0.9, -1.4, 0.3;
  const auto found = nearest(narrow, chain(narrow, q), q);
  REQUIRE(found.ok());
  CHECK(!outside_limits(narrow, found->q));
  CHECK((chain(narrow, found->q).matrix() - chain(narrow, q).matrix()).norm() < 1e-9);
}

TEST_CASE("UR: poses that cannot be reached say what is in the way") {
  const Joints near = Joints::Constant(0.3);
  const auto text = [&](const Model& model, const Pose& pose) {
    const auto found = nearest(model, pose, near);
    REQUIRE(!found.ok());
    return found.error().text;
  };
  const Eigen::Matrix3d level = Eigen::Matrix3d::Identity();
  CHECK(text(ur3e, pose_from({2, 0, 0.3}, level)).find("too far") != std::string::npos);
  CHECK(text(ur3e, pose_from({0.05, 0, 0.3}, level)).find("too near the axis of joint 1") != std::string::npos);
  Pose pose = chain(ur3e, near);
  pose.translation().x() = std::numeric_limits<double>::quiet_NaN();
  CHECK(text(ur3e, pose).find("NaN or infinity") != std::string::npos);
  pose = chain(ur3e, near);
  pose.linear() *= 1.01;
  CHECK(text(ur3e, pose).find("expected a rotation matrix") != std::string::npos);
  Model fixed = ur3e;
  fixed.lowest[0] = 3, fixed.highest[0] = 3.1;
  CHECK(text(fixed, chain(ur3e, near)).find("joint base") != std::string::npos);
  Joints broken = near;
  broken[2] = std::numeric_limits<double>::infinity();
  const auto found = nearest(ur3e, chain(ur3e, near), broken);
  REQUIRE(!found.ok());
  CHECK(found.error().text.find("joint elbow is not finite") != std::string::npos);
  CHECK(found.error().fault == Fault::invalid);
}

TEST_CASE("UR: a coarser tolerance straightens the wrist instead of spinning it") {
  Joints q;
  q << 0.4, -1.3, 1.2, -0.6, 3e-5, 0.5;
  Joints near = q;
  near[5] = 1.5, near[3] -= 1;
  const Pose pose = chain(ur3e, q);
  const auto exact = nearest(ur3e, pose, near);
  const auto coarse = nearest(ur3e, pose, near, Pose::Identity(), {1e-4, 1e-4});
  REQUIRE(exact.ok());
  REQUIRE(coarse.ok());
  CHECK(!exact->wrist_singular);
  CHECK(coarse->wrist_singular);
  CHECK(std::abs(coarse->q[5] - 1.5) < 1e-12);
  CHECK((chain(ur3e, coarse->q).translation() - pose.translation()).norm() < 1e-4);
  CHECK(angle_between(chain(ur3e, coarse->q), pose) < 1e-4);
}
