// SPDX-License-Identifier: Apache-2.0
#include "tandem/kinematics/trajectory/tool.hpp"

#include <doctest/doctest.h>

#include <limits>
#include <string>

#include "tests/kinematics/ur/samples.hpp"

using namespace tandem;
using namespace tandem::kinematics::trajectory;
using ur_samples::pi;
using ur_samples::Random;

namespace {

constexpr double not_a_number = std::numeric_limits<double>::quiet_NaN();

Pose at(double x, double y, double z, double roll = 0, double pitch = 0, double yaw = 0) {
  return pose_from({x, y, z}, rotation_from_rpy(roll, pitch, yaw));
}

// The twist is the derivative of the pose; speeds do not jump.
template <typename Motion>
void check_twist(const Motion& motion, double end) {
  constexpr double h = 1e-6;
  for (int k = 0; k < 300; ++k) {
    const double t = end * (k + 0.43) / 300;
    const ToolState before = motion(t - h), now = motion(t), after = motion(t + h);
    const Eigen::Vector3d velocity = (after.X.translation() - before.X.translation()) / (2 * h);
    const Eigen::Matrix3d spin = (after.X.linear() - before.X.linear()) / (2 * h) * now.X.linear().transpose();
    REQUIRE((velocity - now.twist.head<3>()).norm() < 1e-5);
    REQUIRE((Eigen::Vector3d(spin(2, 1), spin(0, 2), spin(1, 0)) - now.twist.tail<3>()).norm() < 3e-5);
    REQUIRE((after.twist - before.twist).norm() < 1000 * h);
  }
}

}  // namespace

TEST_CASE("movel: a straight line at tool speed about one axis") {
  const Pose from = at(0.3, 0.1, 0.2), to = at(0.3, -0.3, 0.2, 0.5, -0.2, 0.3);
  const auto move = ToolMove::line(from, to, {0.25, 1.2, 0});
  REQUIRE(move.ok());
  CHECK(move->duration() == doctest::Approx(0.4 / 0.25 + 0.25 / 1.2).epsilon(1e-9));
  const Eigen::AngleAxisd whole(Eigen::Matrix3d(from.linear().transpose() * to.linear()));
  for (int k = 0; k <= 100; ++k) {
    const ToolState s = move->sample(move->duration() * k / 100);
    CHECK(std::abs(s.X.translation().x() - 0.3) < 1e-12);
    CHECK(std::abs(s.X.translation().z() - 0.2) < 1e-12);
    CHECK(s.twist.head<3>().norm() <= 0.25 + 1e-9);
    // As far turned as gone, about the same axis.
    const double share = (0.1 - s.X.translation().y()) / 0.4;
    const Eigen::Matrix3d expected =
        from.linear() * Eigen::AngleAxisd(share * whole.angle(), whole.axis()).toRotationMatrix();
    CHECK((s.X.linear() - expected).norm() < 1e-9);
  }
  CHECK((move->sample(1e9).X.matrix() - to.matrix()).norm() < 1e-12);
  check_twist([&](double t) { return move->sample(t); }, move->duration());
}

TEST_CASE("movel: rotation alone goes at the turning limits and a long turn slows a short line") {
  const auto turn = ToolMove::line(at(0.3, 0, 0.2), at(0.3, 0, 0.2, 0, 0, 1), {0.25, 1.2, 0}, {0.5, 2});
  REQUIRE(turn.ok());
  CHECK(turn->duration() == doctest::Approx(1 / 0.5 + 0.5 / 2).epsilon(1e-9));
  const auto slowed = ToolMove::line(at(0.3, 0, 0.2), at(0.301, 0, 0.2, 0, 0, 1), {0.25, 1.2, 0}, {0.5, 2});
  REQUIRE(slowed.ok());
  for (int k = 0; k <= 100; ++k) {
    const ToolState s = slowed->sample(slowed->duration() * k / 100);
    CHECK(s.twist.tail<3>().norm() <= 0.5 + 1e-9);
  }
  check_twist([&](double t) { return turn->sample(t); }, turn->duration());
  const auto half_turn = ToolMove::line(at(0.3, 0, 0.2, pi, 0, 0), at(0.3, 0, 0.2), {0.25, 1.2, 4});
  REQUIRE(half_turn.ok());
  CHECK(half_turn->duration() == doctest::Approx(4));
  const auto nothing = ToolMove::line(at(0.3, 0, 0.2), at(0.3, 0, 0.2), {0.25, 1.2, 0});
  REQUIRE(nothing.ok());
  CHECK(nothing->duration() == 0);
  CHECK(nothing->sample(1).twist.norm() == 0);
}

TEST_CASE("movec: the circle passes all three points at constant speed") {
  Random random(61);
  for (int n = 0; n < 100; ++n) {
    const auto point = [&] {
      return at(random.within(-1, 1), random.within(-1, 1), random.within(-1, 1), random.within(-1, 1),
                random.within(-1, 1), random.within(-1, 1));
    };
    const Pose from = point(), via = point(), to = point();
    for (const auto mode : {ArcOrientation::free, ArcOrientation::fixed}) {
      const auto curve = Curve::circle(from, via, to, mode);
      REQUIRE(curve.ok());
      double nearest_to_via = 10;
      for (int k = 0; k <= 2000; ++k)
        nearest_to_via = std::min(nearest_to_via,
                                  (curve->at(curve->length() * k / 2000).X.translation() - via.translation()).norm());
      CHECK(nearest_to_via < curve->length() / 2000);
      CHECK((curve->end().translation() - to.translation()).norm() < 1e-9);
      if (mode == ArcOrientation::free) CHECK((curve->end().linear() - to.linear()).norm() < 1e-9);
      for (int k = 0; k <= 20; ++k) {
        const CurvePoint a = curve->at(curve->length() * k / 20);
        CHECK(a.tangent.head<3>().norm() == doctest::Approx(1).epsilon(1e-9));
        // Fixed: the direction of the way stays the same as the tool sees it.
        const Eigen::Vector3d seen = a.X.linear().transpose() * a.tangent.head<3>();
        const CurvePoint first = curve->at(0);
        if (mode == ArcOrientation::fixed)
          CHECK((seen - first.X.linear().transpose() * first.tangent.head<3>()).norm() < 1e-9);
      }
      const auto move = ToolMove::make(*curve, {0.5, 1, 0}, {100, 1000});
      REQUIRE(move.ok());
      if (n < 5) check_twist([&](double t) { return move->sample(t); }, move->duration());
    }
  }
  CHECK(Curve::circle(at(0, 0, 0), at(1, 0, 0), at(2, 0, 0), ArcOrientation::free).ok());
  CHECK(!Curve::circle(at(0, 0, 0), at(2, 0, 0), at(1, 0, 0), ArcOrientation::free).ok());
  CHECK(!Curve::circle(at(0, 0, 0), at(0, 0, 0), at(1, 0, 0), ArcOrientation::free).ok());
}

TEST_CASE("movep: constant speed on circles that touch both lines") {
  const std::vector<Corner> corners = {{at(0.4, 0, 0, 0, 0, 0.5), 0.05},
                                       {at(0.4, 0.3, 0, 0.4, 0, 0.5), 0.1},
                                       {at(0.4, 0.3, 0.15, 0, 0, 0), 0.3},  // shrinks
                                       {at(0.8, 0.3, 0.15), 0.05}};
  const auto curve = Curve::rounded(at(0, 0, 0), corners);
  REQUIRE(curve.ok());
  // Lines less twice the cuts, plus quarter circles with the cut as radius: 0.05, 0.075, 0.075.
  const double expected = 0.4 + 0.3 + 0.15 + 0.4 + (0.05 + 0.075 + 0.075) * (pi / 2 - 2);
  CHECK(curve->length() == doctest::Approx(expected).epsilon(1e-12));
  const auto move = ToolMove::make(*curve, {0.2, 1, 0});
  REQUIRE(move.ok());
  check_twist([&](double t) { return move->sample(t); }, move->duration());
  for (double t = 0.2; t < move->duration() - 0.2; t += 0.01)
    CHECK(move->sample(t).twist.head<3>().norm() == doctest::Approx(0.2).epsilon(1e-9));
  CHECK((curve->end().matrix() - corners.back().X.matrix()).norm() < 1e-12);
  // Straight on, and straight back.
  const std::vector<Corner> straight = {{at(0.2, 0, 0), 0.05}, {at(0.4, 0, 0), 0.05}, {at(0.1, 0, 0), 0}};
  const auto line = Curve::rounded(at(0, 0, 0), straight);
  REQUIRE(line.ok());
  CHECK(line->length() == doctest::Approx(0.7));
}

TEST_CASE("stopl and speedl: twists ramp with the acceleration asked for") {
  Vector6 twist;
  twist << 0.1, 0, -0.2, 0, 0.5, 0;
  const Pose X = at(0.3, 0.1, 0.2, 1, 0, 0);
  const auto stop = ToolStop::make(X, twist, 0.5, 1);
  REQUIRE(stop.ok());
  CHECK(stop->duration() == doctest::Approx(0.5));
  CHECK(stop->sample(1).twist.norm() == 0);
  CHECK((stop->sample(1).X.translation() - X.translation() - twist.head<3>() * 0.25).norm() < 1e-12);
  check_twist([&](double t) { return stop->sample(t); }, 0.6);
  auto ramp = ToolRamp::make({X, Vector6::Zero()}, 0.5, 1);
  REQUIRE(ramp.ok());
  REQUIRE(ramp->want(twist).ok());
  Vector6 last = Vector6::Zero();
  for (int k = 0; k < 500; ++k) {
    const ToolState s = ramp->step(0.002);
    REQUIRE((s.twist - last).head<3>().norm() <= 0.001 + 1e-12);
    REQUIRE((s.twist - last).tail<3>().norm() <= 0.002 + 1e-12);
    last = s.twist;
  }
  CHECK((last - twist).norm() < 1e-12);
  const double time = std::sqrt(0.05) / 0.5;  // of the ramp
  CHECK((ramp->state().X.translation() - X.translation() - twist.head<3>() * (1 - time / 2)).norm() < 1e-3);
  CHECK(!ramp->want(Vector6::Constant(not_a_number)).ok());
  CHECK(!ToolStop::make(X, twist, -1).ok());
  CHECK(!ToolRamp::make({X, Vector6::Constant(not_a_number)}, 1).ok());
}

TEST_CASE("tool moves: bad input is told") {
  Pose broken = at(0, 0, 0);
  broken.translation().x() = not_a_number;
  CHECK(!ToolMove::line(broken, at(0, 0, 0), {}).ok());
  CHECK(!ToolMove::line(at(0, 0, 0), at(1, 0, 0), {0, 1, 0}).ok());
  CHECK(!ToolMove::line(at(0, 0, 0), at(1, 0, 0), {1, -1, 0}).ok());
  CHECK(!ToolMove::line(at(0, 0, 0), at(1, 0, 0), {1, 1, -0.1}).ok());
  CHECK(!ToolMove::line(at(0, 0, 0), at(1, 0, 0), {1, 1, 0}, {0, 1}).ok());
  CHECK(!Curve::rounded(at(0, 0, 0), {}).ok());
  const std::vector<Corner> negative = {{at(1, 0, 0), -1}}, same = {{at(0, 0, 0), 0}};
  CHECK(!Curve::rounded(at(0, 0, 0), negative).ok());
  CHECK(!Curve::rounded(at(0, 0, 0), same).ok());
}
