// SPDX-License-Identifier: Apache-2.0
#include <doctest/doctest.h>

#include <cmath>
#include <numbers>
#include <string>
#include <vector>

#include "tandem/machines/em1500/description.hpp"
#include "tandem/machines/em1500/twin/follower.hpp"

using namespace tandem;
using namespace tandem::em1500;

namespace {

using Lengths = stewart::Lengths;

// The legs of a platform that heaves and rolls, sampled as the bridge publishes them.
std::vector<Lengths> recorded_sine(double rate, double time, const Lengths& reference) {
  std::vector<Lengths> samples;
  const double degree = std::numbers::pi / 180;
  for (int i = 0; i < static_cast<int>(time * rate); ++i) {
    const double angle = 2 * std::numbers::pi * 0.1 * i / rate;
    const Pose pose = pose_from({0, 0, 1.205 + 0.2 * std::sin(angle)},
                                rotation_from_rpy(2 * degree * std::sin(angle + 1), 2 * degree * std::sin(angle), 0));
    Lengths legs{};
    for (std::size_t leg = 0; leg < 6; ++leg)
      legs[leg] = (pose * geometry().top[leg] - geometry().base[leg]).norm() - reference[leg];
    samples.push_back(legs);
  }
  return samples;
}

const Lengths& neutral() { return platform().home_lengths; }

}  // namespace

TEST_CASE("the twin follows a recorded sine within a millimetre at every usual rate") {
  for (const double rate : {20.0, 100.0, 1000.0}) {
    CAPTURE(rate);
    TwinFollower twin({}, neutral(), {});
    double worst = 0;
    for (const Lengths& legs : recorded_sine(rate, 6, neutral())) {
      twin.follow(legs, 1 / rate);
      worst = std::max(worst, twin.state().worst);
    }
    MESSAGE("residual ", worst * 1e3, " mm");
    CHECK(worst < 1.5e-3);
    CHECK(twin.state().alarms == 0);
    CHECK(twin.body().opening() < 0.1e-3);
  }
}

TEST_CASE("arrival jitter does not look like a residual") {
  TwinFollower twin({}, neutral(), {});
  double worst = 0;
  int count = 0;
  for (const Lengths& legs : recorded_sine(100, 6, neutral())) {
    const double jitter = (count++ % 2 == 0) ? 0.003 : -0.003;
    twin.follow(legs, 0.01 + jitter);
    worst = std::max(worst, twin.state().worst);
  }
  CHECK(worst < 3e-3);
  CHECK(twin.state().alarms == 0);
}

TEST_CASE("the same samples give the same residuals bit for bit") {
  TwinFollower one({}, neutral(), {});
  TwinFollower other({}, neutral(), {});
  for (const Lengths& legs : recorded_sine(100, 3, neutral())) {
    one.follow(legs, 0.01);
    other.follow(legs, 0.01);
    REQUIRE(one.state().residual == other.state().residual);
  }
}

TEST_CASE("the twin of a known reference stands where the platform stands") {
  Lengths reference = neutral();
  for (double& length : reference) length -= 0.1;
  TwinFollower known({}, reference, {});
  for (int i = 0; i < 50; ++i) known.follow({}, 0.01);
  CHECK(known.state().worst < 1e-3);
  CHECK(known.pose().translation().z() < 1.205 - 0.1);  // short legs, low plate
  TwinFollower unknown({}, neutral(), {});
  for (int i = 0; i < 50; ++i) unknown.follow({}, 0.01);
  CHECK(unknown.pose().translation().z() == doctest::Approx(1.205).epsilon(1e-3));
}

TEST_CASE("a topic that is tampered with raises an alarm that names the leg and clears after") {
  TwinFollower twin({}, neutral(), {});
  const auto samples = recorded_sine(100, 10, neutral());
  for (std::size_t i = 0; i < 300; ++i) twin.follow(samples[i], 0.01);
  CHECK(twin.state().alarm.empty());
  for (std::size_t i = 300; i < 500; ++i) {
    Lengths wrong = samples[i];
    wrong[2] += 0.8;  // no leg goes there
    twin.follow(wrong, 0.01);
  }
  CHECK(twin.state().alarms == 1);
  CHECK(std::string(twin.state().alarm.view()).find("leg 3") != std::string::npos);
  for (std::size_t i = 500; i < 900; ++i) twin.follow(samples[i], 0.01);
  CHECK(twin.state().alarm.empty());
  CHECK(twin.state().worst < 2e-3);
}

TEST_CASE("a jump is followed no faster than a leg can move") {
  TwinFollower twin({}, neutral(), {.residual_alarm = 0.01, .alarm_after = 0.2});
  for (int i = 0; i < 50; ++i) twin.follow({}, 0.01);
  Lengths jumped{};
  jumped.fill(0.3);
  twin.follow(jumped, 0.01);
  CHECK(twin.state().worst > 0.29);
  for (int i = 0; i < 30; ++i) twin.follow(jumped, 0.01);
  CHECK_FALSE(twin.state().alarm.empty());
  for (int i = 0; i < 80; ++i) twin.follow(jumped, 0.01);
  CHECK(twin.state().alarm.empty());
}

TEST_CASE("a silent topic raises an alarm that the next sample clears") {
  TwinFollower twin({}, neutral(), {});
  twin.wait(0.2);
  CHECK(twin.state().alarm.empty());
  twin.wait(0.6);
  CHECK(std::string(twin.state().alarm.view()).find("published yet") != std::string::npos);
  twin.follow({}, 0);
  CHECK(twin.state().alarm.empty());
  twin.wait(0.7);
  CHECK(std::string(twin.state().alarm.view()).find("0.7 s") != std::string::npos);
  CHECK(twin.state().alarms == 2);
}
