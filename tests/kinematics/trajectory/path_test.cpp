// SPDX-License-Identifier: Apache-2.0
#include "tandem/kinematics/trajectory/path.hpp"

#include <doctest/doctest.h>

#include <limits>
#include <string>

#include "tests/kinematics/ur/samples.hpp"

using namespace tandem;
using namespace tandem::kinematics::trajectory;
using ur_samples::pi;
using ur_samples::Random;
namespace ur = tandem::kinematics::ur;

namespace {

Joints home() {
  Joints q;
  q << 0.3, -1.4, 1.5, -1.7, -1.5, 0.2;
  return q;
}

Arm arm() {
  Arm value;
  value.X_flange_tcp.translation() << 0, 0, 0.12;
  return value;
}

Eigen::Vector3d tool(const Joints& q) { return (ur_samples::chain(ur::ur3e, q) * arm().X_flange_tcp).translation(); }

Pose moved(const Pose& X, double x, double y, double z) {
  Pose out = X;
  out.translation() += Eigen::Vector3d(x, y, z);
  return out;
}

// Position and speed are continuous, speeds are the derivative of positions and within the limits.
void check_smooth(const Path& path) {
  const double end = path.duration();
  constexpr double h = 5e-4;
  auto last = path.sample(0);
  REQUIRE(last.ok());
  CHECK(last->qd.norm() < 1e-9);
  for (double t = h; t <= end + h; t += h) {
    const auto now = path.sample(t);
    REQUIRE(now.ok());
    const Joints mean = 0.5 * (now->qd + last->qd);
    REQUIRE((now->q - last->q - mean * h).cwiseAbs().maxCoeff() < 2e-6);
    REQUIRE((now->qd - last->qd).cwiseAbs().maxCoeff() < 40 * h);
    for (int i = 0; i < 6; ++i) REQUIRE(std::abs(now->qd[i]) <= ur::ur3e.speed[std::size_t(i)] * (1 + 1e-4));
    last = now;
  }
  CHECK((path.sample(end)->q - path.end()).cwiseAbs().maxCoeff() < 1e-9);
  CHECK(path.sample(end + 1)->qd.norm() < 1e-9);
}

}  // namespace

TEST_CASE("path: joint moves blend within the radius and take less time than with stops") {
  Joints a = home(), b = home(), c = home();
  a[0] += 0.8, b[0] += 0.8, b[1] += 0.4, c[2] -= 0.5;
  Path blended(arm(), home()), stopping(arm(), home());
  for (const Joints& q : {a, b, c}) {
    REQUIRE(blended.move_joints(q, {1.05, 1.4, 0}, 0.05).ok());
    REQUIRE(stopping.move_joints(q, {1.05, 1.4, 0}, 0).ok());
  }
  CHECK(blended.duration() < stopping.duration() - 0.1);
  check_smooth(blended);
  check_smooth(stopping);
  double to_a = 10, to_b = 10;
  for (double t = 0; t < blended.duration(); t += 0.001) {
    const Eigen::Vector3d p = tool(blended.sample(t)->q);
    to_a = std::min(to_a, (p - tool(a)).norm());
    to_b = std::min(to_b, (p - tool(b)).norm());
  }
  CHECK(to_a <= 0.05);
  CHECK(to_b <= 0.05);
  CHECK(to_a > 1e-3);  // it does not go there
}

TEST_CASE("path: lines stay straight and blend within the radius") {
  Path path(arm(), home());
  const Pose start = path.end_pose();
  const Pose a = moved(start, 0.1, 0, 0), b = moved(a, 0, 0.1, 0), c = moved(b, 0, 0, 0.08);
  REQUIRE(path.move_line(a, {0.25, 1.2, 0}, 0.02).ok());
  CHECK(path.blend_time() < path.duration());
  REQUIRE(path.move_line(b, {0.25, 1.2, 0}, 0.02).ok());
  REQUIRE(path.move_line(c, {0.25, 1.2, 0}, 0).ok());
  check_smooth(path);
  double to_a = 10;
  for (double t = 0; t < path.duration(); t += 0.001) {
    const Eigen::Vector3d p = tool(path.sample(t)->q);
    to_a = std::min(to_a, (p - a.translation()).norm());
    if (t < path.start_of(1)) {
      CHECK(std::abs(p.y() - start.translation().y()) < 1e-8);
      CHECK(std::abs(p.z() - start.translation().z()) < 1e-8);
    }
    const double away = std::min({std::hypot(p.y() - start.translation().y(), p.z() - start.translation().z()),
                                  std::hypot(p.x() - a.translation().x(), p.z() - a.translation().z()),
                                  std::hypot(p.x() - b.translation().x(), p.y() - b.translation().y())});
    CHECK(away <= 0.02);
  }
  CHECK(to_a <= 0.02);
  CHECK(to_a > 1e-3);
  CHECK((tool(path.sample(path.duration())->q) - c.translation()).norm() < 1e-8);
}

TEST_CASE("path: joint moves lines circles and process moves follow each other") {
  Path path(arm(), home());
  Joints q = home();
  q[0] += 0.5, q[4] += 0.2;
  REQUIRE(path.move_joints(q, {1, 2, 0}, 0.03).ok());
  const Pose start = path.end_pose();
  REQUIRE(path.move_line(moved(start, 0, 0, 0.06), {0.2, 1, 0}, 0.02).ok());
  const Pose top = path.end_pose();
  REQUIRE(path.move_circle(moved(top, 0.03, 0.03, 0), moved(top, 0.06, 0, 0), {0.1, 1, 0}, 0.01).ok());
  const std::vector<Corner> corners = {{moved(top, 0.06, 0, -0.05), 0.02}, {moved(top, 0.02, 0, -0.05), 0.01}};
  REQUIRE(path.move_process(corners, {0.1, 1, 0}).ok());
  REQUIRE(path.move_joints(home(), {1, 2, 0}, 0).ok());
  CHECK(path.size() == 5);
  check_smooth(path);
}

TEST_CASE("path: overlapping blends shrink and short moves keep the row continuous") {
  Path path(arm(), home());
  const Pose start = path.end_pose();
  for (int k = 1; k <= 8; ++k)
    REQUIRE(path.move_line(moved(start, 0.01 * k, k % 2 == 0 ? 0.005 : 0, 0), {0.25, 1.2, 0}, 0.5).ok());
  check_smooth(path);
  for (std::size_t k = 1; k < path.size(); ++k) CHECK(path.start_of(k) >= path.start_of(k - 1));
  Random random(71);
  for (int n = 0; n < 6; ++n) {
    Path joints(arm(), home());
    for (int k = 0; k < 5; ++k)
      REQUIRE(joints
                  .move_joints(home() + random.joints(0.4), {random.within(0.2, 4), random.within(0.5, 15), 0},
                               random.within(0, 0.2))
                  .ok());
    check_smooth(joints);
  }
}

TEST_CASE("path: what cannot be followed is told before anything moves and leaves the path as it was") {
  Path path(arm(), home());
  const Pose start = path.end_pose();
  const auto far = path.move_line(moved(start, start.translation().x(), start.translation().y(), 0), {0.25, 1.2, 0});
  REQUIRE(!far.ok());
  CAPTURE(far.error().text);
  CHECK(far.error().text.find("joint elbow would need")  // stretched before it is out of reach
        != std::string::npos);
  CHECK(far.error().text.find("at ") == 0);
  const auto fast = path.move_line(moved(start, 0.1, 0.1, 0), {5, 500, 0});
  REQUIRE(!fast.ok());
  CHECK(fast.error().text.find("rad/s, its limit is") != std::string::npos);
  CHECK(!path.move_joints(home(), {1, 1, 0}, -1).ok());
  CHECK(!path.move_joints(home(), {1, 1, 0}, std::numeric_limits<double>::quiet_NaN()).ok());
  CHECK(!path.move_process({}, {}).ok());
  CHECK(path.size() == 0);
  CHECK(path.duration() == 0);
  CHECK((path.sample(3)->q - home()).norm() == 0);
}

TEST_CASE("path: a line through the singular wrist is refused by the speed it needs") {
  Joints q = home();
  q[4] = 0.05;
  Path path(arm(), q);
  const Pose start = path.end_pose();
  // Passing close by the singularity sideways makes the wrist spin.
  const auto through = path.move_line(pose_from(start.translation(), start.linear() * rotation_from_rpy(0.0, 0.1, 0.0)),
                                      {0.25, 1.2, 0}, 0, {3, 30});
  if (!through.ok()) CHECK(through.error().text.find("its limit is") != std::string::npos);
  const auto slow = ToolTrack::check(arm(), *ToolMove::line(start, moved(start, 0, 0, 0.05), {0.01, 1, 0}), q);
  REQUIRE(slow.ok());
  CHECK(slow->peak() <= 1);
}
