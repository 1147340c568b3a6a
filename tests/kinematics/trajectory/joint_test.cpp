// SPDX-License-Identifier: Apache-2.0
#include "tandem/kinematics/trajectory/joint.hpp"

#include <doctest/doctest.h>

#include <limits>
#include <string>

#include "tandem/kinematics/trajectory/servo.hpp"
#include "tandem/kinematics/trajectory/waypoints.hpp"
#include "tests/kinematics/ur/samples.hpp"

using namespace tandem;
using namespace tandem::kinematics::trajectory;
using ur_samples::Random;
namespace ur = tandem::kinematics::ur;

namespace {

constexpr double no_number = std::numeric_limits<double>::quiet_NaN();

// Speeds are the derivative of positions, accelerations that of speeds, away from the given corners.
template <typename Motion>
void check_derivatives(const Motion& motion, double end, double tolerance) {
  constexpr double h = 1e-6;
  for (int k = 0; k < 200; ++k) {
    const double t = end * (k + 0.37) / 200;
    const auto before = motion(t - h), at = motion(t), after = motion(t + h);
    REQUIRE(((after.q - before.q) / (2 * h) - at.qd).cwiseAbs().maxCoeff() < tolerance);
    // A corner of the profile within h shows as half the step of acceleration: only speeds must not jump.
    REQUIRE((after.qd - before.qd).cwiseAbs().maxCoeff() < 1000 * h);
  }
}

}  // namespace

TEST_CASE("profile: durations are those of the closed form") {
  const auto trapezoid = Profile::fastest(2, 0.5, 1);
  REQUIRE(trapezoid.ok());
  CHECK(trapezoid->duration() == doctest::Approx(2 / 0.5 + 0.5 / 1.0).epsilon(1e-12));
  CHECK(trapezoid->peak_speed() == doctest::Approx(0.5));
  const auto triangle = Profile::fastest(0.1, 0.5, 1);
  REQUIRE(triangle.ok());
  CHECK(triangle->duration() == doctest::Approx(2 * std::sqrt(0.1)).epsilon(1e-12));
  const auto timed = Profile::timed(3, 2);
  REQUIRE(timed.ok());
  CHECK(timed->duration() == doctest::Approx(2).epsilon(1e-12));
  CHECK(timed->at(1).s == doctest::Approx(1.5).epsilon(1e-12));
  CHECK(Profile::fastest(0, 1, 1)->duration() == 0);
}

TEST_CASE("profile: every random one ends where it should within its limits and time is the inverse of distance") {
  Random random(51);
  for (int n = 0; n < 2000; ++n) {
    const double distance = random.within(0, 3), speed = random.within(0.01, 3), acceleration = random.within(0.01, 9);
    const auto profile = Profile::fastest(distance, speed, acceleration);
    REQUIRE(profile.ok());
    CHECK(profile->at(profile->duration() - 1e-9).s == doctest::Approx(distance).epsilon(1e-7));
    CHECK(profile->peak_speed() <= speed * (1 + 1e-12));
    const double t = random.within(0, profile->duration());
    const Progress p = profile->at(t);
    CHECK(profile->time_of(p.s) == doctest::Approx(t).epsilon(1e-6));
    // The distance is the integral of the speed.
    double sum = 0;
    constexpr int steps = 400;
    for (int k = 0; k < steps; ++k) sum += profile->at(t * (k + 0.5) / steps).sd * t / steps;
    CHECK(std::abs(sum - p.s) < acceleration * (t / steps) * (t / steps) + 1e-9);
    CHECK(profile->stretched(2 * profile->duration()).at(2 * t).s == doctest::Approx(p.s).epsilon(1e-9));
  }
  CHECK(!Profile::fastest(no_number, 1, 1).ok());
  CHECK(!Profile::fastest(1, 0, 1).ok());
  CHECK(!Profile::fastest(1, 1, -1).ok());
  CHECK(!Profile::timed(1, 0).ok());
}

TEST_CASE("movej: joints start and stop together and the leading one sets the time") {
  Joints from, to;
  from << 0, 0, 0, 0, 0, 0;
  to << 1, -2, 0.5, 0, 0, 0.1;
  const auto move = JointMove::make(ur::ur3e, from, to, {1.05, 1.4, 0});
  REQUIRE(move.ok());
  CHECK(move->duration() == doctest::Approx(2 / 1.05 + 1.05 / 1.4).epsilon(1e-12));
  double fastest = 0;
  for (int k = 0; k <= 1000; ++k) {
    const JointState s = move->sample(move->duration() * k / 1000);
    CHECK(std::abs(s.q[0] + 0.5 * s.q[1]) < 1e-12);  // on the straight line between both
    fastest = std::max(fastest, s.qd.cwiseAbs().maxCoeff());
    CHECK(s.qdd.cwiseAbs().maxCoeff() <= 1.4 + 1e-12);
  }
  CHECK(fastest == doctest::Approx(1.05));
  CHECK((move->sample(1e9).q - to).norm() == 0);
  check_derivatives([&](double t) { return move->sample(t); }, move->duration(), 1e-5);
  const auto timed = JointMove::make(ur::ur3e, from, to, {1.05, 1.4, 5});
  REQUIRE(timed.ok());
  CHECK(timed->duration() == doctest::Approx(5));
  const auto still = JointMove::make(ur::ur3e, from, from, {});
  REQUIRE(still.ok());
  CHECK(still->duration() == 0);
}

TEST_CASE("movej: limits of the model hold whatever is asked for") {
  Random random(52);
  for (int n = 0; n < 300; ++n) {
    const Joints from = random.joints(), to = random.joints();
    const auto move = JointMove::make(ur::ur3e, from, to, {random.within(0.1, 20), random.within(0.1, 200), 0});
    REQUIRE(move.ok());
    for (int k = 0; k <= 50; ++k) {
      const JointState s = move->sample(move->duration() * k / 50);
      for (int i = 0; i < 6; ++i) {
        REQUIRE(std::abs(s.qd[i]) <= ur::ur3e.speed[std::size_t(i)] * (1 + 1e-9));
        REQUIRE(std::abs(s.qdd[i]) <= ur::ur3e.acceleration[std::size_t(i)] * (1 + 1e-9));
      }
    }
  }
}

TEST_CASE("movej: bad input is told") {
  const Joints zero = Joints::Zero();
  Joints far = zero, broken = zero;
  far[2] = 7;
  broken[3] = no_number;
  const auto text = [&](const Joints& to, const Pace& pace) {
    const auto move = JointMove::make(ur::ur3e, zero, to, pace);
    REQUIRE(!move.ok());
    return move.error().text;
  };
  CHECK(text(far, {}).find("joint elbow cannot go to 7") != std::string::npos);
  CHECK(text(broken, {}).find("wrist 1 is not finite") != std::string::npos);
  CHECK(text(zero, {1, 0, 0}).find("acceleration: expected a number above 0, got 0") != std::string::npos);
  CHECK(text(zero, {no_number, 1, 0}).find("speed") != std::string::npos);
  CHECK(text(zero, {1, 1, -1}).find("time") != std::string::npos);
  CHECK(text(Joints::Constant(3), {1, 1, 0.1}).find("in 0.100 s joint base would need") != std::string::npos);
}

TEST_CASE("stopj and speedj: speeds ramp with the acceleration asked for") {
  Joints q = Joints::Constant(0.2), qd = Joints::Zero(), wanted = Joints::Zero();
  qd << 1, -0.5, 0, 0, 0.25, 0;
  const auto stop = JointStop::make(q, qd, 2);
  REQUIRE(stop.ok());
  CHECK(stop->duration() == doctest::Approx(0.5));
  CHECK((stop->sample(9).q - (q + qd * 0.25)).norm() < 1e-12);
  CHECK(stop->sample(9).qd.norm() == 0);
  CHECK((stop->sample(0).qd - qd).norm() == 0);
  check_derivatives([&](double t) { return stop->sample(t); }, 0.6, 1e-5);
  wanted << 0, 0.5, 1, 0, 0, 0;
  const auto ramp = JointRamp::make(ur::ur3e, q, qd, wanted, 4);
  REQUIRE(ramp.ok());
  CHECK(ramp->ramp() == doctest::Approx(0.25));
  CHECK((ramp->sample(1).qd - wanted).norm() == 0);
  check_derivatives([&](double t) { return ramp->sample(t); }, 0.5, 1e-5);
  CHECK(!JointStop::make(q, qd, 0).ok());
  CHECK(!JointRamp::make(ur::ur3e, q, qd, Joints::Constant(no_number), 1).ok());
  CHECK(!JointRamp::make(ur::ur3e, q, qd, Joints::Constant(4), 1).ok());
}

TEST_CASE("servoj: targets are followed without overshoot within the limits") {
  for (const double gain : {100.0, 300.0, 2000.0}) {
    for (const double lookahead : {0.03, 0.1, 0.2}) {
      for (const double dt : {0.002, 0.008}) {
        CAPTURE(gain);
        CAPTURE(lookahead);
        ServoFollower servo(ur::ur3e, {});
        Joints target;
        target << 1, -2, 0.001, 3, -1, 0.5;
        REQUIRE(servo.want(target, {lookahead, gain}).ok());
        JointState last;
        for (double t = 0; t < 20; t += dt) {
          const JointState s = servo.step(dt);
          for (int i = 0; i < 6; ++i) {
            REQUIRE(std::abs(s.q[i]) <= std::abs(target[i]) + 1e-9);
            REQUIRE(std::abs(s.qd[i]) <= ur::ur3e.speed[std::size_t(i)] + 1e-9);
            REQUIRE(std::abs(s.qd[i] - last.qd[i]) <= ur::ur3e.acceleration[std::size_t(i)] * dt + 1e-9);
          }
          last = s;
        }
        CHECK((servo.state().q - target).norm() < 1e-6);
      }
    }
  }
  ServoFollower servo(ur::ur3e, {});
  CHECK(!servo.want(Joints::Constant(no_number)).ok());
  CHECK(!servo.want(Joints::Constant(8)).ok());
  CHECK(!servo.want(Joints::Zero(), {0.02, 300}).ok());
  CHECK(!servo.want(Joints::Zero(), {0.1, no_number}).ok());
  CHECK(servo.step(0.002).q.norm() == 0);
}

TEST_CASE("waypoints: positions only pass smoothly through every point without overshoot") {
  Random random(53);
  for (int n = 0; n < 50; ++n) {
    std::vector<Waypoint> points;
    Joints q = Joints::Zero();
    for (int k = 1; k <= 6; ++k) {
      q += random.joints(0.5);
      points.push_back({1.0 * k, q, {}, {}});
    }
    const auto path = WaypointPath::make(ur::ur3e, {}, points);
    REQUIRE(path.ok());
    CHECK(path->duration() == 6);
    for (const Waypoint& point : points) CHECK((path->sample(point.time).q - point.q).norm() < 1e-12);
    check_derivatives([&](double t) { return path->sample(t); }, 5.999, 1e-4);
    for (int k = 0; k < 600; ++k) {
      const double t = k * 0.01;
      const auto i = static_cast<std::size_t>(t);
      const Joints before = i == 0 ? Joints(Joints::Zero()) : points[i - 1].q, after = points[i].q;
      const JointState s = path->sample(t);
      for (int j = 0; j < 6; ++j) {
        REQUIRE(s.q[j] >= std::min(before[j], after[j]) - 1e-9);
        REQUIRE(s.q[j] <= std::max(before[j], after[j]) + 1e-9);
      }
    }
  }
}

TEST_CASE("waypoints: given speeds make cubics and given accelerations quintics") {
  Waypoint a{1, Joints::Constant(0.3), Joints::Constant(0.4), {}}, b{2, Joints::Constant(0.5), Joints::Zero(), {}};
  std::vector<Waypoint> points = {a, b};
  const auto cubic = WaypointPath::make(ur::ur3e, {}, points);
  REQUIRE(cubic.ok());
  CHECK((cubic->sample(1).qd - Joints::Constant(0.4)).norm() < 1e-12);
  // Hermite at the middle: (p0 + p1) / 2 + (v0 - v1) T / 8.
  CHECK(cubic->sample(1.5).q[2] == doctest::Approx(0.4 + 0.4 / 8).epsilon(1e-12));
  points[0].qdd = Joints::Constant(0.7);
  points[1].qdd = Joints::Zero();
  const auto quintic = WaypointPath::make(ur::ur3e, {}, points);
  REQUIRE(quintic.ok());
  CHECK((quintic->sample(1).qdd - Joints::Constant(0.7)).norm() < 1e-10);
  CHECK((quintic->sample(1 - 1e-9).qdd - Joints::Constant(0.7)).norm() < 1e-6);
  // Quintic Hermite at the middle: the mean + 5/32 (v0 - v1) T + (a0 + a1) T^2 / 64.
  CHECK(quintic->sample(1.5).q[2] == doctest::Approx(0.4 + 5 * 0.4 / 32 + 0.7 / 64).epsilon(1e-12));
  check_derivatives([&](double t) { return quintic->sample(t); }, 1.999, 1e-4);
}

TEST_CASE("waypoints: bad paths are told") {
  const auto fails = [](std::vector<Waypoint> points, const char* part) {
    const auto path = WaypointPath::make(ur::ur3e, {}, points);
    REQUIRE(!path.ok());
    CAPTURE(path.error().text);
    CHECK(path.error().text.find(part) != std::string::npos);
  };
  const Joints zero = Joints::Zero();
  fails({}, "no waypoint");
  fails({{1, zero, {}, {}}, {1, zero, {}, {}}}, "must be after 1 s");
  fails({{-1, zero, {}, {}}}, "must be after 0 s");
  fails({{no_number, zero, {}, {}}}, "time is not finite");
  fails({{1, Joints::Constant(no_number), {}, {}}}, "not finite");
  fails({{0, Joints::Constant(1), {}, {}}}, "from the arm's position");
  fails({{0.1, Joints::Constant(3), {}, {}}}, "joint base would need");
  fails({{9, Joints::Constant(6.4), {}, {}}}, "its limits are");
}
