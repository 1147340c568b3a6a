// SPDX-License-Identifier: Apache-2.0
#include "tandem/kinematics/stewart/stewart.hpp"

#include <doctest/doctest.h>

#include <cmath>
#include <limits>
#include <numbers>

#include "tandem/kinematics/stewart/limits.hpp"
#include "tests/kinematics/samples.hpp"

using namespace tandem;
using namespace tandem::stewart;

namespace {

constexpr double degree = std::numbers::pi / 180;
const Strokes strokes = {1.45623 - 0.4, 1.45623 + 0.4};

Lengths displacements(const Coordinates& c) {
  Lengths d = leg_lengths(samples::platform(), c);
  for (int i = 0; i < 6; ++i) d[i] -= samples::platform().home_lengths[i];
  return d;
}

// The rotation by three matrices written out, for either order.
Eigen::Matrix3d written_out(const Coordinates& c, RotationOrder order) {
  Eigen::Matrix3d x, y, z;
  x << 1, 0, 0, 0, std::cos(c[3]), -std::sin(c[3]), 0, std::sin(c[3]), std::cos(c[3]);
  y << std::cos(c[4]), 0, std::sin(c[4]), 0, 1, 0, -std::sin(c[4]), 0, std::cos(c[4]);
  z << std::cos(c[5]), -std::sin(c[5]), 0, std::sin(c[5]), std::cos(c[5]), 0, 0, 0, 1;
  return order == RotationOrder::zyx ? z * y * x : x * y * z;
}

}  // namespace

TEST_CASE("the EM1500's joints lie on two circles and all legs are equal at neutral") {
  const Geometry g = samples::geometry();
  for (int i = 0; i < 6; ++i) {
    CHECK(g.base[i].head<2>().norm() == doctest::Approx(1.24029).epsilon(1e-5));
    CHECK(g.top[i].head<2>().norm() == doctest::Approx(0.95425).epsilon(1e-5));
    CHECK(std::abs(samples::platform().home_lengths[i] - 1.45623) < 1e-5);
    CHECK(std::abs(samples::platform().home_lengths[i] - samples::platform().home_lengths[0]) < 4e-6);
  }
}

TEST_CASE("published leg lengths of the EM1500 come out to the last printed digit") {
  // The seed turns surge and roll round, so the first pose is x = -0.1.
  const Lengths q = displacements({-0.1, 0, 1.205, 0, 0, 0});
  const Lengths expected = {-0.01351, 0.06576, -0.04416, -0.04416, 0.06576, -0.01351};
  const Lengths l = leg_lengths(samples::platform(), {-0.05, -0.03, 1.305, -0.05, -0.04, 0.03});
  const Lengths expected_lengths = {1.55823, 1.56335, 1.55431, 1.43275, 1.54198, 1.55232};
  for (int i = 0; i < 6; ++i) {
    CHECK(std::abs(q[i] - expected[i]) < 5.1e-6);
    CHECK(std::abs(l[i] - expected_lengths[i]) < 5.1e-6);
  }
}

TEST_CASE("fast leg lengths equal the distance of the joints for both rotation orders") {
  samples::Random random(1);
  double worst = 0;
  for (int n = 0; n < 20'000; ++n) {
    Coordinates c = random.laboratory();
    for (int k = 3; k < 6; ++k) c[k] = random.within(-4, 4);
    for (const RotationOrder order : {RotationOrder::zyx, RotationOrder::xyz}) {
      const Eigen::Matrix3d r = written_out(c, order);
      const Lengths fast = leg_lengths(samples::platform(), c, order);
      for (int i = 0; i < 6; ++i) {
        const Eigen::Vector3d leg =
            Eigen::Vector3d(c[0], c[1], c[2]) + r * samples::geometry().top[i] - samples::geometry().base[i];
        worst = std::max(worst, std::abs(fast[i] - std::sqrt(leg.dot(leg))));
      }
    }
  }
  CHECK(worst < 3e-15);
}

TEST_CASE("angles of many turns and angles that are no numbers are handled") {
  Coordinates c = {0.1, 0.2, 1.3, 0.1, -0.2, 0.3};
  const Lengths plain = leg_lengths(samples::platform(), c);
  c[5] += 2 * std::numbers::pi * 1'000'000;  // beyond the vector sine's range
  const Lengths turned = leg_lengths(samples::platform(), c);
  for (int i = 0; i < 6; ++i) CHECK(std::abs(plain[i] - turned[i]) < 1e-8);
  c[5] = std::numeric_limits<double>::infinity();
  CHECK(std::isnan(leg_lengths(samples::platform(), c)[0]));
  c[5] = std::numeric_limits<double>::quiet_NaN();
  CHECK(std::isnan(leg_lengths(samples::platform(), c)[3]));
}

TEST_CASE("a pose mirrored left to right swaps the legs left to right") {
  samples::Random random(2);
  for (int n = 0; n < 1000; ++n) {
    const Coordinates c = random.laboratory();
    const Lengths here = leg_lengths(samples::platform(), c);
    const Lengths there = leg_lengths(samples::platform(), {c[0], -c[1], c[2], -c[3], c[4], -c[5]});
    for (int i = 0; i < 6; ++i) CHECK(std::abs(here[i] - there[5 - i]) < 1e-14);
  }
}

TEST_CASE("the Jacobian is the derivative of the leg lengths") {
  samples::Random random(3);
  constexpr double h = 1e-6;
  double worst = 0;
  for (int n = 0; n < 500; ++n) {
    const Pose pose = pose_from_coordinates(random.within_strokes());
    const Jacobian j = jacobian(samples::geometry(), pose);
    for (int k = 0; k < 6; ++k) {
      Pose ahead = pose, behind = pose;
      if (k < 3) {
        ahead.translation()[k] += h;
        behind.translation()[k] -= h;
      } else {
        const Eigen::Vector3d axis = Eigen::Vector3d::Unit(k - 3);
        ahead.linear() = Eigen::AngleAxisd(h, axis) * pose.linear();
        behind.linear() = Eigen::AngleAxisd(-h, axis) * pose.linear();
      }
      const Lengths a = leg_lengths(samples::geometry(), ahead), b = leg_lengths(samples::geometry(), behind);
      for (int i = 0; i < 6; ++i) worst = std::max(worst, std::abs((a[i] - b[i]) / (2 * h) - j(i, k)));
    }
    Twist twist;
    for (int k = 0; k < 6; ++k) twist[k] = random.within(-1, 1);
    const Lengths speeds = leg_velocities(samples::geometry(), pose, twist);
    for (int i = 0; i < 6; ++i) CHECK(speeds[i] == doctest::Approx(j.row(i).dot(twist)).epsilon(1e-12));
  }
  CHECK(worst < 2e-9);
}

TEST_CASE("conditioning is 1.70 at neutral and infinite at a singularity") {
  const Pose home = samples::platform().home;
  CHECK(condition_number(jacobian(samples::geometry(), home)) == doctest::Approx(1.70).epsilon(0.003));
  CHECK(relative_determinant(samples::platform(), home) == doctest::Approx(1).epsilon(1e-12));
  // Joints in one plane: no leg can lift the top.
  const Pose flat = pose_from_coordinates({0, 0, 0.11258, 0, 0, 0});
  CHECK(condition_number(jacobian(samples::geometry(), flat)) > 1e12);
  CHECK(std::abs(relative_determinant(samples::platform(), flat)) < 1e-12);
  Jacobian broken = Jacobian::Identity();
  broken(0, 0) = std::numeric_limits<double>::quiet_NaN();
  CHECK(std::isinf(condition_number(broken)));
}

TEST_CASE("single-axis reach of legs with 0.4 m each way is as measured") {
  const auto ranges = reach(samples::platform(), strokes, {0, 0, 1.205, 0, 0, 0});
  REQUIRE(ranges.ok());
  const double low[6] = {-0.550, -0.549, 1.205 - 0.658, -32.5 * degree, -32.5 * degree, -35.3 * degree};
  const double high[6] = {0.655, 0.549, 1.205 + 0.495, 32.5 * degree, 38.8 * degree, 35.3 * degree};
  for (int k = 0; k < 6; ++k) {
    CAPTURE(k);
    CHECK(std::abs((*ranges)[k].lowest - low[k]) < 1.2e-3);
    CHECK(std::abs((*ranges)[k].highest - high[k]) < 1.2e-3);
  }
  // At the end of a range one leg is at the end of its stroke.
  CHECK(std::abs(clearance(strokes, leg_lengths(samples::platform(), {0, 0, (*ranges)[2].highest, 0, 0, 0})).distance) <
        1e-8);
}

TEST_CASE("reach from a pose that the legs cannot hold is an error that names the leg") {
  const auto ranges = reach(samples::platform(), strokes, {0, 0, 2.5, 0, 0, 0});
  REQUIRE(!ranges.ok());
  CHECK(ranges.error().text.find("leg ") != std::string::npos);
  CHECK(!reach(samples::platform(), strokes, {0, 0, std::nan(""), 0, 0, 0}).ok());
}

TEST_CASE("clearance names the leg with the least room and by how much it is beyond") {
  Lengths l = {1.4, 1.4, 1.4, 1.4, 1.4, 1.4};
  l[2] = 1.9;
  const Clearance c = clearance(strokes, l);
  CHECK(c.leg == 3);
  CHECK(c.upper);
  CHECK(c.distance == doctest::Approx(1.85623 - 1.9));
  CHECK(why_unreachable(strokes, l) == "leg 3 would have to be 1.9000 m, 0.0438 m beyond its longest 1.8562 m");
  l[2] = 1.4;
  l[5] = 1.0;
  CHECK(why_unreachable(strokes, l) == "leg 6 would have to be 1.0000 m, 0.0562 m short of its shortest 1.0562 m");
  l[5] = std::nan("");
  CHECK(std::isinf(clearance(strokes, l).distance));
  CHECK(why_unreachable(strokes, {1.4, 1.4, 1.4, 1.4, 1.4, 1.4}).empty());
}

TEST_CASE("a geometry that cannot be is refused when the platform is made") {
  Geometry g = samples::geometry();
  g.top[4].x() = std::nan("");
  CHECK_THROWS_AS(Platform(g, samples::platform().home), std::invalid_argument);
  g = samples::geometry();
  CHECK_THROWS_AS(Platform(g, pose_from_coordinates({0, 0, 0.11258, 0, 0, 0})), std::invalid_argument);
}
