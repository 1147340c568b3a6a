// SPDX-License-Identifier: Apache-2.0
#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <random>
#include <vector>

#include "tandem/machines/em1500/description.hpp"
#include "tandem/machines/em1500/virtual/body.hpp"
#include "tandem/machines/em1500/virtual/motion.hpp"
#include "tandem/machines/em1500/virtual/platform.hpp"

using namespace tandem;
using namespace tandem::em1500;

namespace {

using Lengths = stewart::Lengths;

constexpr double degree = std::numbers::pi / 180;

// The oracle: distances between joints, written out.
Lengths displacements_at(const Pose& X_base_top) {
  Lengths all{};
  for (std::size_t i = 0; i < 6; ++i)
    all[i] = (X_base_top * geometry().top[i] - geometry().base[i]).norm() -
             (home_pose() * geometry().top[i] - geometry().base[i]).norm();
  return all;
}

double largest(const Lengths& values) {
  double most = 0;
  for (const double value : values) most = std::max(most, std::abs(value));
  return most;
}

double farthest(const Lengths& a, const Lengths& b) {
  Lengths difference{};
  for (std::size_t i = 0; i < 6; ++i) difference[i] = a[i] - b[i];
  return largest(difference);
}

// Steps until the state is there; false when it takes longer than `limit` seconds of simulation.
bool reaches(VirtualPlatform& platform, LabState state, double limit) {
  for (double time = 0; time < limit; time += platform.timestep()) {
    if (platform.state() == state) return true;
    platform.step();
  }
  return false;
}

void run(VirtualPlatform& platform, double time) {
  const int steps = static_cast<int>(std::lround(time / platform.timestep()));
  for (int i = 0; i < steps; ++i) platform.step();
}

}  // namespace

TEST_CASE("the body follows a sine closely and its loops stay closed") {
  for (const double timestep : {0.001, 0.002}) {
    for (const double payload : {0.0, 1500.0}) {
      CAPTURE(timestep);
      CAPTURE(payload);
      Body body({.timestep = timestep, .payload = payload});
      const auto desired = [](double time) {
        const double share = smooth_step(time / 3);
        const double angle = 2 * std::numbers::pi * 0.1 * time;
        return pose_from(
            {0, 0, 1.205 + share * 0.2 * std::sin(angle)},
            rotation_from_rpy(share * 2 * degree * std::sin(angle + 1), share * 2 * degree * std::sin(angle + 2), 0));
      };
      double following = 0;
      double opening = 0;
      double against_oracle = 0;
      Lengths last = displacements_at(desired(0));
      const int steps = static_cast<int>(8 / timestep);
      for (int i = 1; i <= steps; ++i) {
        const Lengths next = displacements_at(desired(i * timestep));
        Lengths velocities{};
        for (std::size_t leg = 0; leg < 6; ++leg) velocities[leg] = (next[leg] - last[leg]) / timestep;
        body.command(next, velocities);
        REQUIRE(body.step());
        following = std::max(following, farthest(body.displacements(), next));
        opening = std::max(opening, body.opening());
        against_oracle = std::max(against_oracle, farthest(body.displacements(), displacements_at(body.pose())));
        last = next;
      }
      MESSAGE("following ", following * 1e3, " mm, opening ", opening * 1e3, " mm, against the oracle ",
              against_oracle * 1e3, " mm");
      CHECK(following < 1e-3);
      CHECK(opening < 0.05e-3);
      CHECK(against_oracle < 0.05e-3);
    }
  }
}

TEST_CASE("the body stands in any reachable pose that it is put in") {
  std::mt19937_64 random(1500);
  std::uniform_real_distribution<double> unit(-1, 1);
  Body body;
  for (int i = 0; i < 50; ++i) {
    const Pose pose =
        pose_from({0.15 * unit(random), 0.15 * unit(random), 1.205 + 0.2 * unit(random)},
                  rotation_from_rpy(5 * degree * unit(random), 5 * degree * unit(random), 5 * degree * unit(random)));
    body.stand(pose);
    CHECK(body.opening() < 1e-9);
    CHECK(farthest(body.displacements(), displacements_at(pose)) < 1e-9);
    for (int step = 0; step < 50; ++step) REQUIRE(body.step());
    CHECK((body.pose().translation() - pose.translation()).norm() < 1e-3);  // it sags a little under its weight
    CHECK(body.opening() < 0.05e-3);
  }
}

TEST_CASE("a leg commanded far beyond its stroke stops at the end and nothing blows up") {
  for (const double direction : {1.0, -1.0}) {
    Body body;
    double longest = 0;
    for (int i = 0; i < 3000; ++i) {
      Lengths far{};
      far.fill(direction * std::min(3.0, 0.4 * i * body.timestep() * 2));
      body.command(far, {});
      REQUIRE(body.step());
      longest = std::max(longest, largest(body.displacements()));
      REQUIRE(body.opening() < 0.2e-3);
    }
    CHECK(longest < 0.402);
    CHECK(longest > 0.398);
    CHECK(largest(body.velocities()) < 1e-3);
  }
}

TEST_CASE("a leg that jumps to its end alone takes the others along and the world lives") {
  Body body;
  for (int i = 0; i < 2000; ++i) {
    body.command({0.4, 0, 0, 0, 0, 0}, {});
    REQUIRE(body.step());
  }
  CHECK(std::isfinite(body.pose().translation().norm()));
  CHECK(body.opening() < 1e-3);
}

TEST_CASE("a command that is not a number trips the body") {
  Body body;
  body.command({0, 0, std::nan(""), 0, 0, 0}, {});
  CHECK_FALSE(body.step());
  CHECK(body.cause().find("control") != std::string::npos);
  body.stand(home_pose());
  CHECK(body.cause().empty());
  CHECK(body.step());
}

TEST_CASE("settled is the pose with short legs and each profile reports it with its own sign") {
  for (const Profile profile : {Profile::original, Profile::frd}) {
    VirtualPlatform platform({.map = PoseMap(profile), .start = LabState::settled});
    CHECK(platform.state() == LabState::settled);
    const double sign = profile == Profile::original ? -1 : 1;
    CHECK(platform.pose().heave == doctest::Approx(sign * 0.4663845).epsilon(1e-3));
    for (const double leg : platform.body().displacements()) CHECK(leg == doctest::Approx(-0.3077).epsilon(1e-3));
  }
}

TEST_CASE("the state machine goes through the states of the laboratory and back") {
  VirtualPlatform platform({.start = LabState::off});
  CHECK(platform.state() == LabState::off);
  run(platform, 0.5);
  CHECK(platform.state() == LabState::off);
  platform.command(LabCommand::to_settled);
  CHECK(reaches(platform, LabState::oil_heating, 0.1));
  CHECK(reaches(platform, LabState::settled, 3));
  platform.command(LabCommand::to_neutral);
  CHECK(reaches(platform, LabState::transit, 0.1));
  CHECK(reaches(platform, LabState::neutral, 10));
  CHECK(std::abs(platform.pose().heave) < 1e-3);
  platform.mode(LabMode::generator);
  CHECK(reaches(platform, LabState::engaged, 5));
  run(platform, 5);
  platform.command(LabCommand::to_off);
  CHECK(reaches(platform, LabState::neutral, 5));
  CHECK(reaches(platform, LabState::settled, 10));
  CHECK(reaches(platform, LabState::off, 0.1));
  CHECK(platform.status() == LabStatus::ok);
}

TEST_CASE("engaged it makes the generator's sine and reports what the body does") {
  VirtualPlatform platform({});
  platform.mode(LabMode::generator);
  REQUIRE(reaches(platform, LabState::engaged, 5));
  double highest = -1, lowest = 1, roll = 0, off = 0;
  for (int i = 0; i < 5000; ++i) {  // one period of 10 s
    platform.step();
    const PlcPose pose = platform.pose();
    highest = std::max(highest, pose.heave);
    lowest = std::min(lowest, pose.heave);
    roll = std::max(roll, std::abs(pose.roll));
    const Pose again = platform_from_plc(pose, Profile::original);
    off = std::max(off, (again.matrix() - platform.body().pose().matrix()).cwiseAbs().maxCoeff());
  }
  CHECK(highest == doctest::Approx(0.2).epsilon(0.01));
  CHECK(lowest == doctest::Approx(-0.2).epsilon(0.01));
  CHECK(roll == doctest::Approx(2 * degree).epsilon(0.01));
  CHECK(off < 1e-12);
  CHECK(platform.status() == LabStatus::ok);
}

TEST_CASE("the speed of the legs is held whatever is asked for") {
  VirtualPlatform platform({});
  GeneratorParameters wild;
  wild.amplitude = {0.15, 0.15, 0.3, 5 * degree, 5 * degree, 5 * degree};
  wild.omega.fill(2 * std::numbers::pi);  // 1 Hz: up to 2 m/s
  platform.generator(wild);
  platform.mode(LabMode::generator);
  double fastest = 0;
  for (int i = 0; i < 6000; ++i) {
    platform.step();
    fastest = std::max(fastest, largest(platform.body().velocities()));
  }
  CHECK(platform.state() == LabState::engaged);
  CHECK(platform.status() == LabStatus::warning);
  CHECK(fastest < 0.42);
  CHECK(fastest > 0.3);
  platform.generator({});
  run(platform, 3);
  platform.command(LabCommand::ack_fault);
  run(platform, 1);
  CHECK(platform.status() == LabStatus::ok);
}

TEST_CASE("remote set-points jump and the platform does not") {
  VirtualPlatform platform({});
  platform.mode(LabMode::remote);
  REQUIRE(reaches(platform, LabState::engaged, 5));
  platform.remote({.position = {0.1, -0.1, 0.2, 0, 4 * degree, 0}, .velocity = {}});
  double fastest = 0;
  for (int i = 0; i < 2000; ++i) {
    platform.step();
    fastest = std::max(fastest, largest(platform.body().velocities()));
  }
  CHECK(fastest < 0.42);
  CHECK(platform.pose().surge == doctest::Approx(0.1).epsilon(0.01));
  CHECK(platform.pose().sway == doctest::Approx(-0.1).epsilon(0.01));
  CHECK(platform.pose().heave == doctest::Approx(0.2).epsilon(0.01));
  CHECK(platform.pose().pitch == doctest::Approx(4 * degree).epsilon(0.01));
  platform.remote({.position = {std::nan(""), 9, 0, 0, 0, 0}, .velocity = {}});
  run(platform, 4);
  CHECK(platform.status() == LabStatus::warning);
  CHECK(platform.pose().surge == doctest::Approx(0.1).epsilon(0.01));
  CHECK(platform.pose().sway == doctest::Approx(0.15).epsilon(0.01));
  CHECK(largest(platform.body().displacements()) < 0.4);
}

TEST_CASE("disabling brings every motion to a stand and enabling lets it go on") {
  VirtualPlatform platform({});
  platform.mode(LabMode::simulation);
  REQUIRE(reaches(platform, LabState::engaged, 5));
  run(platform, 2);
  platform.enable(false);
  platform.step();
  CHECK(platform.state() == LabState::engaged_freeze);
  run(platform, 0.7);
  const PlcPose held = platform.pose();
  run(platform, 3);
  CHECK(platform.pose().heave == doctest::Approx(held.heave).epsilon(1e-6));
  CHECK(platform.pose().roll == doctest::Approx(held.roll).epsilon(1e-6));
  platform.enable(true);
  run(platform, 3);
  CHECK(platform.state() == LabState::engaged);
  CHECK(std::abs(platform.pose().heave - held.heave) > 1e-3);
  platform.mode(LabMode::neutral);
  REQUIRE(reaches(platform, LabState::neutral, 10));
  platform.enable(false);
  CHECK(platform.state() == LabState::neutral_freeze);
}

TEST_CASE("changing the source of set-points while engaged goes through neutral without a jump") {
  VirtualPlatform platform({});
  platform.mode(LabMode::generator);
  REQUIRE(reaches(platform, LabState::engaged, 5));
  run(platform, 2.5);
  platform.mode(LabMode::simulation);
  double fastest = 0;
  for (int i = 0; i < 6000; ++i) {
    platform.step();
    fastest = std::max(fastest, largest(platform.body().velocities()));
  }
  CHECK(platform.state() == LabState::engaged);
  CHECK(fastest < 0.25);
  CHECK(platform.status() == LabStatus::ok);
}
