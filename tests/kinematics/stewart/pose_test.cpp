// SPDX-License-Identifier: Apache-2.0
#include <doctest/doctest.h>

#include <Eigen/LU>
#include <cmath>
#include <limits>

#include "tandem/kinematics/stewart/stewart.hpp"
#include "tests/kinematics/samples.hpp"

using namespace tandem;
using namespace tandem::stewart;

namespace {

double apart(const Pose& a, const Pose& b) { return (a.matrix() - b.matrix()).cwiseAbs().maxCoeff(); }

// An oracle that shares nothing with the code under test: Levenberg-Marquardt on the six coordinates with numerical
// derivatives of the distances.
Coordinates levenberg_marquardt(const Geometry& g, const Lengths& lengths, Coordinates at) {
  using Vector6 = Eigen::Matrix<double, 6, 1>;
  const auto errors = [&](const Coordinates& c) {
    const Eigen::Matrix3d r =
        (Eigen::AngleAxisd(c[5], Eigen::Vector3d::UnitZ()) * Eigen::AngleAxisd(c[4], Eigen::Vector3d::UnitY()) *
         Eigen::AngleAxisd(c[3], Eigen::Vector3d::UnitX()))
            .toRotationMatrix();
    Vector6 e;
    for (int i = 0; i < 6; ++i)
      e[i] = (Eigen::Vector3d(c[0], c[1], c[2]) + r * g.top[i] - g.base[i]).norm() - lengths[i];
    return e;
  };
  double damping = 1e-3;
  Vector6 e = errors(at);
  for (int n = 0; n < 100 && e.norm() > 1e-14; ++n) {
    Eigen::Matrix<double, 6, 6> j;
    for (int k = 0; k < 6; ++k) {
      Coordinates ahead = at, behind = at;
      ahead[k] += 1e-6;
      behind[k] -= 1e-6;
      j.col(k) = (errors(ahead) - errors(behind)) / 2e-6;
    }
    const Eigen::Matrix<double, 6, 6> normal = j.transpose() * j + damping * Eigen::Matrix<double, 6, 6>::Identity();
    const Vector6 step = normal.fullPivLu().solve(-j.transpose() * e);
    Coordinates next = at;
    for (int k = 0; k < 6; ++k) next[k] += step[k];
    const Vector6 there = errors(next);
    if (there.norm() < e.norm()) {
      at = next;
      e = there;
      damping *= 0.1;
    } else {
      damping = std::max(damping * 10, 1e-12);
    }
  }
  return at;
}

}  // namespace

TEST_CASE("pose from lengths undoes lengths from pose inside the laboratory limits warm and cold") {
  samples::Random random(10);
  const Platform& platform = samples::platform();
  double worst = 0, worst_residual = 0;
  int most = 0, doubtful = 0;
  Pose last = platform.home;
  for (int n = 0; n < tandem::count(25'000, 1'000'000); ++n) {
    const Pose pose = pose_from_coordinates(random.laboratory());
    const Lengths lengths = leg_lengths(platform.geometry, pose);
    const auto cold = pose_from_lengths(platform, lengths);
    const auto warm = pose_from_lengths(platform, lengths, last);  // any pose in the limits, not only a near one
    REQUIRE(cold.ok());
    REQUIRE(warm.ok());
    worst = std::max({worst, apart(cold->X_base_top, pose), apart(warm->X_base_top, pose)});
    worst_residual = std::max({worst_residual, cold->residual, warm->residual});
    most = std::max({most, cold->iterations, warm->iterations});
    doubtful += cold->mode != Mode::home || warm->mode != Mode::home;
    last = pose;
  }
  CHECK(worst < 1e-10);
  CHECK(worst < 1e-12);
  CHECK(worst_residual < 1e-13);
  CHECK(most <= 7);
  CHECK(doubtful == 0);
}

TEST_CASE("pose from lengths finds every pose of the strokes on the side of home and doubts the others") {
  samples::Random random(11);
  const Platform& platform = samples::platform();
  double worst = 0;
  int lost = 0, sure = 0, beyond = 0, beyond_doubted = 0;
  for (int n = 0; n < tandem::count(3'000, 200'000); ++n) {
    const Pose pose = pose_from_coordinates(random.within_strokes());
    const double determinant = relative_determinant(platform, pose);
    const auto cold = pose_from_lengths(platform, leg_lengths(platform.geometry, pose));
    REQUIRE(cold.ok());
    if (determinant <= 0) {
      ++beyond;
      beyond_doubted += cold->mode == Mode::other_possible;
      continue;
    }
    const double error = apart(cold->X_base_top, pose);
    // At the singularity itself a leg's last digit moves the pose without bound; there the answer must be doubted.
    if (error > 1e-10 && (cold->mode == Mode::home || error > 1e-13 / determinant)) ++lost;
    worst = std::max(worst, error);
    sure += cold->mode == Mode::home;
    CHECK(std::abs(cold->determinant - determinant) < 1e-6);
  }
  MESSAGE("beyond the singularity " << beyond << ", doubted " << beyond_doubted << "; sure " << sure << "; worst "
                                    << worst);
  CHECK(lost == 0);
  CHECK(beyond > 0);
  CHECK(beyond_doubted == beyond);
  CHECK(sure > tandem::count(3'000, 200'000) * 8 / 10);
}

TEST_CASE("pose from lengths agrees with an independent least-squares search") {
  samples::Random random(12);
  const Platform& platform = samples::platform();
  for (int n = 0; n < 300; ++n) {
    Lengths lengths;
    for (double& length : lengths) length = 1.45623 + random.within(-0.08, 0.08);
    const Coordinates oracle = levenberg_marquardt(platform.geometry, lengths, {0, 0, 1.205, 0, 0, 0});
    const auto found = pose_from_lengths(platform, lengths);
    REQUIRE(found.ok());
    CHECK(apart(found->X_base_top, pose_from_coordinates(oracle)) < 1e-11);
    CHECK(found->mode == Mode::home);
  }
}

TEST_CASE("a warm start follows a motion in at most three steps a sample") {
  const Platform& platform = samples::platform();
  Pose last = platform.home;
  for (int n = 0; n < 1000; ++n) {
    const double t = 0.01 * n;
    const Pose pose = pose_from_coordinates({0.1 * std::sin(t), 0.1 * std::cos(2 * t) - 0.1, 1.205 + 0.2 * std::sin(t),
                                             0.05 * std::sin(3 * t), 0.05 * std::sin(2 * t), 0.05 * std::sin(t)});
    const auto found = pose_from_lengths(platform, leg_lengths(platform.geometry, pose), last);
    REQUIRE(found.ok());
    CHECK(found->iterations <= 3);
    CHECK(apart(found->X_base_top, pose) < 1e-12);
    last = found->X_base_top;
  }
}

TEST_CASE("a start beyond the singularity keeps its own mode and says so") {
  // The mirror image below the base has the same lengths.
  const Platform& platform = samples::platform();
  const Pose above = pose_from_coordinates({0.05, 0.02, 1.25, 0.03, -0.02, 0.04});
  Pose below = pose_from_coordinates({0.05, 0.02, 2 * 0.11258 - 1.25, -0.03, 0.02, 0.04});
  const Lengths lengths = leg_lengths(platform.geometry, above);
  const Lengths same = leg_lengths(platform.geometry, below);
  for (int i = 0; i < 6; ++i) REQUIRE(std::abs(lengths[i] - same[i]) < 1e-14);
  const auto found = pose_from_lengths(platform, lengths, below);
  REQUIRE(found.ok());
  CHECK(apart(found->X_base_top, below) < 1e-12);
  CHECK(found->determinant < 0);
  CHECK(found->mode == Mode::other_possible);
}

TEST_CASE("lengths that are no lengths and starts that are no poses are errors that name them") {
  const Platform& platform = samples::platform();
  const double bad[] = {std::nan(""), std::numeric_limits<double>::infinity(), -1.4, 0,
                        1e300,        -std::numeric_limits<double>::infinity()};
  for (const double value : bad) {
    for (int i = 0; i < 6; ++i) {
      Lengths lengths = platform.home_lengths;
      lengths[i] = value;
      const auto found = pose_from_lengths(platform, lengths);
      REQUIRE(!found.ok());
      CHECK(found.error().fault == Fault::invalid);
      CHECK(found.error().text.find("leg " + std::to_string(i + 1)) != std::string::npos);
    }
  }
  Pose start = platform.home;
  start.translation().x() = std::nan("");
  CHECK(!pose_from_lengths(platform, platform.home_lengths, start).ok());
}

TEST_CASE("lengths that no pose has end as an error and not as a guess") {
  const Platform& platform = samples::platform();
  int refused = 0;
  samples::Random random(13);
  for (int n = 0; n < 300; ++n) {
    Lengths lengths;
    for (double& length : lengths) length = std::exp(random.within(-6, 4));
    const auto found = pose_from_lengths(platform, lengths);
    if (!found) {
      ++refused;
      CHECK(found.error().fault == Fault::not_found);
      continue;
    }
    const Lengths own = leg_lengths(platform.geometry, found->X_base_top);
    for (int i = 0; i < 6; ++i) CHECK(std::abs(own[i] - lengths[i]) < 1e-10);
  }
  CHECK(refused > 100);
}
