// SPDX-License-Identifier: Apache-2.0
#include "tandem/runtime/chaos/measurement.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <functional>

namespace tandem::runtime::chaos {
namespace {

constexpr Instant begun{1h};

Sample moving(double at, double place, double speed, bool live, ArmState arm, std::uint64_t count) {
  Sample sample;
  sample.at = begun + duration_of(at);
  sample.live = live;
  sample.count = count;
  sample.moves = true;
  sample.arm = {arm, arm == ArmState::armed ? "armed" : "link lost: silence", "supervision"};
  sample.truth = machines::TrueMotion{{place, 0}, speed, "m"};
  return sample;
}

// At 1 m/s until `brakes`, then -2 m/s2. Disarmed at `disarmed`, not live from 0.1 s until `back`.
struct Course {
  double brakes = 0.5, disarmed = 0.4, back = 3;
  double speed(double t) const { return std::max(0.0, t < brakes ? 1 : 1 - 2 * (t - brakes)); }
  double place(double t) const {
    const double slow = std::clamp(t - brakes, 0.0, 0.5);
    return std::min(t, brakes) + slow - slow * slow;
  }
  Sample at(double t) const {
    const bool live = t < 0.1 || t >= back;
    return moving(t, place(t), speed(t), live, t < disarmed ? ArmState::armed : ArmState::disarmed,
                  live ? static_cast<std::uint64_t>(1000 * t) + 100 : 200);
  }
};

Measured run(Measurement& measurement, const Course& course, double ends) {
  for (int i = 0; i < 2000; ++i) {
    const double t = 0.01 * i;
    measurement.add(course.at(t));
    if (std::abs(t - ends) < 1e-6) measurement.faults_ended(begun + duration_of(ends));
    if (measurement.complete(begun + duration_of(t))) return measurement.result();
  }
  return measurement.result();
}

}  // namespace

TEST_CASE("the way counts from the beginning of a fault that breaks the link until standstill") {
  Measurement measurement(begun, true);
  const Measured measured = run(measurement, {}, 2);
  CHECK(measured.was_armed);
  CHECK(measured.lost);
  CHECK(*measured.lost_after == doctest::Approx(0.1).epsilon(0.11));
  CHECK(*measured.disarmed_after == doctest::Approx(0.4).epsilon(0.03));
  CHECK(measured.cause == "link lost: silence");
  // 0.5 m at 1 m/s, then 0.25 m of braking, of which the last 0.6 mm are below the speed of rest, 5 cm/s.
  CHECK(measured.distance == doctest::Approx(0.75).epsilon(0.015));
  CHECK(*measured.standstill_after == doctest::Approx(0.975).epsilon(0.015));
  CHECK(*measured.back_after == doctest::Approx(1).epsilon(0.02));
  CHECK(measured.moved == doctest::Approx(0.75).epsilon(0.015));
  CHECK(measured.speed == 0);
  CHECK(words_of(measured, true, true).starts_with("disarmed after 0.4"));
}

TEST_CASE("the way counts from the disarm where a fault only disturbs") {
  Measurement measurement(begun, false);
  const Measured measured = run(measurement, {}, 2);
  CHECK(measured.distance == doctest::Approx(0.35).epsilon(0.03));
  CHECK(*measured.standstill_after == doctest::Approx(0.575).epsilon(0.04));
}

TEST_CASE("a machine that rides it out stays armed and has no way to be judged") {
  Measurement measurement(begun, true);
  for (int i = 0; i < 400; ++i) {
    measurement.add(moving(0.01 * i, 0.01 * i, 1, true, ArmState::armed, static_cast<std::uint64_t>(i)));
    if (i == 100) measurement.faults_ended(begun + 1s);
    CHECK(measurement.complete(begun + i * 10ms) == (i >= 200));
  }
  CHECK_FALSE(measurement.result().disarmed_after);
  CHECK_FALSE(measurement.result().standstill_after);
  CHECK(measurement.result().distance == 0);
  CHECK(measurement.result().moved == doctest::Approx(3.99));
  CHECK(measurement.result().speed == 1);
  CHECK(words_of(measurement.result(), true, true) == "stayed armed, link stayed live");
}

TEST_CASE("it is complete ten seconds after the faults whatever happens") {
  Measurement measurement(begun, true);
  measurement.add(moving(0, 0, 1, true, ArmState::armed, 5));
  measurement.add(moving(0.01, 0, 1, false, ArmState::stopped, 5));
  CHECK_FALSE(measurement.complete(begun + 1h));
  measurement.faults_ended(begun + 1s);
  CHECK_FALSE(measurement.complete(begun + 10s));
  CHECK(measurement.complete(begun + 11s));
  CHECK(measurement.result().stopped);
  CHECK(words_of(measurement.result(), true, true)
            .ends_with("was still moving at the end, link lost after 0.01 s, not live again"));
}

TEST_CASE("an old sample after the faults is no return") {
  Measurement measurement(begun, true);
  measurement.add(moving(0, 0, 0, true, ArmState::disarmed, 5));
  measurement.add(moving(0.1, 0, 0, false, ArmState::disarmed, 5));
  measurement.faults_ended(begun + 200ms);
  measurement.add(moving(0.3, 0, 0, true, ArmState::disarmed, 5));
  CHECK_FALSE(measurement.result().back_after);
  measurement.add(moving(0.4, 0, 0, true, ArmState::disarmed, 6));
  REQUIRE(measurement.result().back_after);
  CHECK(*measurement.result().back_after == doctest::Approx(0.2));
}

TEST_CASE("the joint that went furthest counts, and an arm that is given again ends the measurement of its way") {
  Measurement measurement(begun, true);
  const auto add = [&](double at, std::vector<double> joints, ArmState arm) {
    Sample sample = moving(at, 0, 1, at > 1, arm, at > 1 ? 9 : 5);
    sample.truth = machines::TrueMotion{std::move(joints), 1, "rad"};
    measurement.add(sample);
  };
  add(0, {0, 0, 0}, ArmState::armed);
  add(0.5, {0.1, -0.3, 0.2}, ArmState::disarmed);
  add(0.9, {0.2, -0.2, 0.2}, ArmState::disarmed);
  CHECK(measurement.result().distance == doctest::Approx(0.4));
  add(1.5, {2, 2, 2}, ArmState::armed);
  CHECK(measurement.result().distance == doctest::Approx(0.4));
  CHECK(measurement.result().armed_again);
  CHECK(words_of(measurement.result(), true, true).find("moved 0.400 rad and was armed again") != std::string::npos);
}

TEST_CASE("without truth nothing is claimed about motion") {
  Measurement measurement(begun, true);
  for (const double at : {0.0, 0.5}) {
    Sample sample = moving(at, 0, 1, at < 0.1, at < 0.1 ? ArmState::armed : ArmState::disarmed, 5);
    sample.truth.reset();
    measurement.add(sample);
  }
  CHECK(words_of(measurement.result(), false, true).find("motion not measured: a real device has no truth") !=
        std::string::npos);
}

}  // namespace tandem::runtime::chaos
