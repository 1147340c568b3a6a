// SPDX-License-Identifier: Apache-2.0
// Poses where angles are free or solutions meet: a straight wrist, a wrist over the axis of joint 1, a stretched or
// folded arm, and two or three of them at once. The oracle is the plain chain of matrices from known angles.
#include <doctest/doctest.h>

#include <string>

#include "tandem/kinematics/ur/inverse.hpp"
#include "tests/kinematics/ur/checked.hpp"

using namespace tandem;
using namespace tandem::kinematics::ur;
using namespace ur_samples;

namespace {

void straighten(Joints& q, int n, double bend) { q[4] = (n % 4 < 2 ? 0 : pi) + (n % 2 == 0 ? bend : -bend); }

// How far the wrist point is from axis 1 in the plane of the arm.
double along_arm(const Model& m, const Joints& q) {
  return m.a[1] * std::cos(q[1]) + m.a[2] * std::cos(q[1] + q[2]) + m.d[4] * std::sin(q[1] + q[2] + q[3]);
}

// Turns joint 4 until that is `away`. False when no angle does.
bool bring_over_axis(const Model& m, Joints& q, double away) {
  const double along = m.a[1] * std::cos(q[1]) + m.a[2] * std::cos(q[1] + q[2]), sine = (away - along) / m.d[4];
  if (std::abs(sine) > 0.99) return false;
  q[3] = std::asin(sine) - q[1] - q[2];
  return true;
}

}  // namespace

TEST_CASE("UR: every straight wrist has solutions, whatever wrist 3 is asked for") {
  Random random(61);
  const int tries = count(1000, 20'000);
  for (const double bend : {0.0, 1e-16, 1e-13, 1e-12, 1e-11, 1e-10, 4.9e-10}) {
    for (int n = 0; n < tries; ++n) {
      const Model& model = *models[n % 2 == 0 ? 0 : n / 2 % 6];
      Joints q = random.joints();
      straighten(q, n, bend);
      Solutions found;
      REQUIRE(all_solutions(model, chain(model, q), found, random.within(-pi, pi)) > 0);
      CHECK(found.wrist_singular);
      check_all(model, q, found);
      Joints near = q;
      near[5] = random.within(-pi, pi);
      const auto one = nearest(model, chain(model, q), near);
      REQUIRE(one.ok());
      CHECK(one->wrist_singular);
    }
  }
}

TEST_CASE("UR: the true angles of a straight wrist are among the solutions for the true wrist 3") {
  Random random(62);
  for (const double bend : {0.0, 1e-16, 1e-14, 5e-13}) {
    for (int n = 0; n < count(2000, 20'000); ++n) {
      const Model& model = *models[n % 6];
      Joints q = random.joints();
      straighten(q, n, bend);
      Solutions found;
      REQUIRE(all_solutions(model, chain(model, q), found, q[5]) > 0);
      CHECK(check_all(model, q, found) < 1e-5);
    }
  }
}

TEST_CASE("UR: a wrist that bends by 1e-12 or more keeps both its solutions, without wrist 3 being given") {
  Random random(63);
  for (const double bend : {2e-12, 1e-11, 1e-10, 4.9e-10, 5.1e-10, 1e-9, 1e-8}) {
    for (int n = 0; n < count(2000, 20'000); ++n) {
      Joints q = random.joints();
      straighten(q, n, bend);
      if (std::abs(along_arm(ur3e, q)) < 0.05) continue;  // where joint 1 itself is known to fewer digits
      Solutions found;
      REQUIRE(all_solutions(ur3e, chain(ur3e, q), found, 0) > 0);
      // What the rounding of the pose leaves of the direction of wrist 3; a nearly stretched arm follows by the root.
      CHECK(check_all(ur3e, q, found) < 1e-5 + std::sqrt(1e-14 / bend));
      bool other = bend > 5e-10;  // its other wrist may be out of reach where wrist 3 cannot give way
      for (int k = 0; k < found.count; ++k) {
        const Joints& solution = found.q[static_cast<std::size_t>(k)];
        const bool same_shoulder = std::abs(std::remainder(solution[0] - q[0], 2 * pi)) < 1e-6;
        other = other || (same_shoulder && std::sin(solution[4]) * std::sin(q[4]) < 0);
      }
      CHECK(other);
    }
  }
}

TEST_CASE("UR: the nearest solution of a straight wrist keeps wrist 3 where the arm reaches") {
  Random random(64);
  int kept = 0;
  for (int n = 0; n < count(2000, 20'000); ++n) {
    Joints q = random.joints();
    straighten(q, n, 0);
    Joints near = q;
    for (int i = 0; i < 6; ++i) near[i] += random.within(-0.01, 0.01);
    const auto found = nearest(ur3e, chain(ur3e, q), near);
    REQUIRE(found.ok());
    CHECK((chain(ur3e, found->q).translation() - chain(ur3e, q).translation()).norm() < 1e-9);
    CHECK(angle_between(chain(ur3e, found->q), chain(ur3e, q)) < 1e-9);
    kept += std::abs(std::remainder(found->q[5] - near[5], 2 * pi)) < 1e-12;
  }
  CHECK(kept > count(2000, 20'000) * 9 / 10);
}

TEST_CASE("UR: a straight wrist that is out of reach at every wrist 3 is unreachable, and says why") {
  Random random(65);
  int far = 0, near = 0;
  for (int n = 0; n < 2000; ++n) {
    Joints q = random.joints();
    straighten(q, n, 0);
    Pose pose = chain(ur3e, q);
    // Along the plane of the arm axis 6 stays its normal: the distance of the circle's centre from the shoulder
    // decides.
    const Eigen::Vector3d u(std::cos(q[0]), std::sin(q[0]), 0);
    pose.translation() += random.within(-1, 1) * u + random.within(-1, 1) * Eigen::Vector3d::UnitZ();
    const Eigen::Vector3d w = pose.translation() - ur3e.d[5] * pose.linear().col(2);
    const double distance = std::hypot(w.dot(u), w.z() - ur3e.d[0]);
    const double longest = std::abs(ur3e.a[1] + ur3e.a[2]) + ur3e.d[4];
    if (std::abs(distance - longest) < 1e-6) continue;
    // The other shoulder may reach it with a bent wrist.
    Solutions found;
    all_solutions(ur3e, pose, found);
    bool straight = false;
    for (int k = 0; k < found.count; ++k)
      straight = straight || std::abs(std::sin(found.q[static_cast<std::size_t>(k)][4])) < 1e-9;
    CHECK(straight == (distance < longest));
    ++(straight ? near : far);
    if (found.count > 0) continue;
    const auto none = nearest(ur3e, pose, q);
    REQUIRE(!none.ok());
    CHECK(none.error().text.find("too far") != std::string::npos);
  }
  CHECK(far > 200);
  CHECK(near > 200);
}

TEST_CASE("UR: two singularities at once still have the true angles among their solutions") {
  Random random(66);
  const auto compare = [](const std::string& kind, const Joints& q, double wanted) {
    CAPTURE(kind);
    CAPTURE(q.transpose());
    Solutions found;
    REQUIRE(all_solutions(ur3e, chain(ur3e, q), found, q[5]) > 0);
    CHECK(check_all(ur3e, q, found) < wanted);
    CHECK(nearest(ur3e, chain(ur3e, q), q).ok());
  };
  for (const double small : {0.0, 1e-14, 1e-12, 1e-10, 1e-8, 1e-6}) {
    CAPTURE(small);
    int tried = 0;
    for (int n = 0; n < 8000 && tried < 300; ++n) {
      Joints elbow = random.joints();
      straighten(elbow, n, small);
      elbow[2] = n % 3 == 0 ? small : n % 3 == 1 ? -small : pi - small;
      compare("wrist and elbow", elbow, 3e-3);
      Joints shoulder = random.joints();
      shoulder[2] = elbow[2];
      if (!bring_over_axis(ur3e, shoulder, n % 2 == 0 ? small : -small)) continue;
      compare("shoulder and elbow", shoulder, 1e-2);  // the root of the rounding, over the bend of the wrist
      straighten(shoulder, n, small);
      ++tried;
      compare("all", shoulder, small == 0 ? 1e-3 : 4);  // what bends by rounding alone turns wrist 3 anywhere
    }
    CHECK(tried == 300);
  }
}

TEST_CASE("UR: a straight wrist over the axis of joint 1 has the true angles among its solutions") {
  Random random(67);
  for (const double away : {0.0, 1e-12, 1e-10, 1e-9, 1e-8, 1e-7, 1e-6, 1e-5}) {
    int tried = 0;
    for (int n = 0; n < 8000 && tried < 500; ++n) {
      Joints q = random.joints();
      if (!bring_over_axis(ur3e, q, n % 2 == 0 ? away : -away)) continue;
      ++tried;
      straighten(q, n, 0);
      Solutions found;
      REQUIRE(all_solutions(ur3e, chain(ur3e, q), found, q[5]) > 0);
      CHECK(check_all(ur3e, q, found) < 1e-4);
      CHECK(found.wrist_singular);
      CHECK(nearest(ur3e, chain(ur3e, q), q).ok());
    }
    CHECK(tried == 500);
  }
}
