// SPDX-License-Identifier: Apache-2.0
// Which frames of the SLAM become deltas.
#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>

#include "tandem/machines/orca/vision/gate.hpp"

using namespace tandem;
using namespace tandem::orca;

namespace {

const Eigen::Matrix3d level = Eigen::Matrix3d::Identity();

// Frames ten times a second of a camera that moves along its x, over a floor three units below with a unit of 1 m.
struct GateRig {
  GateRig() { gate.hear_sonar(3 - 0.095, level, time); }

  Sighting frame(double x) {
    time += 100ms;
    Sighting sighting;
    sighting.received = time;
    sighting.stamp = time.time_since_epoch();
    sighting.tracking = Tracking::ok;
    sighting.map = map;
    sighting.X_world_camera.position = {x, 0, 0};
    sighting.visual = {3, 0.01, 100};
    return sighting;
  }
  Verdict take(const Sighting& sighting) {
    step = gate.take(sighting, time);
    return step.verdict;
  }
  Verdict fly() {
    gate.hear_sonar(3 - 0.095, level, time);
    return take(frame(at += 0.02));
  }
  void settle() {
    for (int i = 0; i < 6; ++i) fly();
    REQUIRE(gate.source_set() == 1);
  }

  VisionGate gate;
  VisionGate::Step step;
  Instant time{1000s};
  std::uint32_t map = 1;
  double at = 0;
};

}  // namespace

TEST_CASE("The first frame begins and the next ones are deltas with their real time span") {
  GateRig rig;
  CHECK(rig.fly() == Verdict::begins);
  CHECK(rig.gate.source_set() == 0);
  CHECK(rig.fly() == Verdict::good);
  REQUIRE(rig.step.delta);
  CHECK(rig.step.delta->span == 100ms);
  CHECK(rig.step.delta->position.norm() == doctest::Approx(0.02));
  CHECK(rig.step.delta->position.y() == doctest::Approx(0.02));  // the image's right is starboard
  rig.time += 50ms;
  CHECK(rig.fly() == Verdict::good);
  CHECK(rig.step.delta->span == 150ms);
  rig.fly();
  CHECK(rig.gate.source_set() == 1);
}

TEST_CASE("An outlier is flagged and not sent and the chain goes on behind it") {
  GateRig rig;
  rig.settle();
  rig.at += 0.6;
  CHECK(rig.fly() == Verdict::outlier);
  CHECK(rig.gate.source_set() == 1);
  CHECK(rig.fly() == Verdict::good);
  Sighting turned = rig.frame(rig.at);
  turned.X_world_camera.rotation = {std::cos(0.3), 0, 0, std::sin(0.3)};  // 0.6 rad
  CHECK(rig.take(turned) == Verdict::outlier);
  for (int i = 0; i < 12; ++i) {
    rig.at += 1;
    rig.fly();
  }
  CHECK(rig.gate.source_set() == 2);
}

TEST_CASE("V17 lost tracking ends the chain and switches the source set and back") {
  GateRig rig;
  rig.settle();
  for (const auto state : {Tracking::lost, Tracking::recently_lost, Tracking::ok_klt, Tracking::not_initialised}) {
    Sighting lost = rig.frame(rig.at);
    lost.tracking = state;
    CHECK(rig.take(lost) == Verdict::lost);
    CHECK(rig.gate.source_set() == 2);
    CHECK(rig.fly() == Verdict::begins);
    for (int i = 0; i < 3; ++i) CHECK(rig.fly() == Verdict::good);
    CHECK(rig.gate.source_set() == 1);
  }
}

TEST_CASE("V17 the first frame of a new map is no delta and the map has its own scale") {
  GateRig rig;
  rig.settle();
  rig.map = 2;
  Sighting other = rig.frame(100);
  other.visual.range = 1;
  CHECK(rig.take(other) == Verdict::new_map);
  CHECK_FALSE(rig.step.delta);
  CHECK(rig.gate.source_set() == 2);
  CHECK(rig.step.scale.value == doctest::Approx(3));
  other = rig.frame(100.02);
  other.visual.range = 1;
  CHECK(rig.take(other) == Verdict::good);
  CHECK(rig.step.delta->position.norm() == doctest::Approx(0.06));
}

TEST_CASE("V18 frames that are not later are dropped and a camera clock that was put back is believed in the end") {
  GateRig rig;
  rig.settle();
  Sighting same = rig.frame(rig.at);
  same.stamp = (rig.time - 100ms).time_since_epoch();
  CHECK(rig.take(same) == Verdict::bad_time);
  same.stamp -= 1h;
  CHECK(rig.take(same) == Verdict::bad_time);
  same.stamp += 100ms;
  CHECK(rig.take(same) == Verdict::begins);
  same.stamp += 100ms;
  CHECK(rig.take(same) == Verdict::good);
  same.stamp += 1h;
  CHECK(rig.take(same) == Verdict::gap);
  same.stamp += 100ms;
  CHECK(rig.take(same) == Verdict::good);
}

TEST_CASE("V16 a sonar that is zero or silent holds the scale and then ends vision") {
  GateRig rig;
  rig.settle();
  int good = 0;
  for (int i = 0; i < 20; ++i) {
    rig.gate.hear_sonar(0, level, rig.time);
    good += rig.take(rig.frame(rig.at += 0.01)) == Verdict::good ? 1 : 0;
  }
  CHECK(good >= 8);
  CHECK(good <= 10);
  CHECK(rig.gate.verdict() == Verdict::no_sonar);
  CHECK(rig.gate.source_set() == 2);
  CHECK(rig.fly() == Verdict::good);
}

TEST_CASE("A map that shows too few points for a range keeps its scale for a while with less and less trust") {
  GateRig rig;
  rig.settle();
  double last = 100;
  int good = 0;
  for (int i = 0; i < 40; ++i) {
    rig.gate.hear_sonar(3 - 0.095, level, rig.time);
    Sighting poor = rig.frame(rig.at += 0.01);
    poor.visual = {0, 0, 9};
    if (rig.take(poor) != Verdict::good) break;
    CHECK(rig.step.delta->confidence < last);
    last = rig.step.delta->confidence;
    ++good;
  }
  CHECK(good == 30);
  CHECK(rig.gate.verdict() == Verdict::no_scale);
}

TEST_CASE("G18 poses that are no numbers never become deltas") {
  GateRig rig;
  rig.settle();
  Sighting broken = rig.frame(0);
  broken.X_world_camera.position[1] = std::nan("");
  CHECK(rig.take(broken) == Verdict::not_finite);
  CHECK(rig.gate.source_set() == 2);
  CHECK(rig.fly() == Verdict::begins);
  broken = rig.frame(0);
  broken.X_world_camera.rotation[0] = HUGE_VAL;
  CHECK(rig.take(broken) == Verdict::not_finite);
  rig.fly();
  broken = rig.frame(1e300);
  CHECK(rig.take(broken) == Verdict::outlier);
}

TEST_CASE("A silent SLAM ends the chain") {
  GateRig rig;
  rig.settle();
  rig.gate.tick(rig.time + 900ms);
  CHECK(rig.gate.source_set() == 1);
  rig.gate.tick(rig.time + 1100ms);
  CHECK(rig.gate.verdict() == Verdict::silent);
  CHECK(rig.gate.source_set() == 2);
  CHECK(rig.fly() == Verdict::begins);
}

TEST_CASE("A map that was optimised begins a new chain in its own scale") {
  GateRig rig;
  rig.settle();
  Sighting changed = rig.frame(rig.at += 0.3);
  changed.map_changed = true;
  CHECK(rig.take(changed) == Verdict::begins);
  CHECK(rig.gate.source_set() == 1);
  CHECK(rig.fly() == Verdict::good);
}

TEST_CASE("Samples are found again for any moment between them") {
  Timeline<double, 4> line;
  CHECK(line.empty());
  for (int i = 0; i < 6; ++i) line.add(Instant{i * 100ms}, 10.0 * i);  // the first two make room
  CHECK(line.at(Instant{350ms}) == doctest::Approx(35));
  CHECK(line.at(Instant{300ms}) == doctest::Approx(30));
  CHECK(line.at(Instant{0ms}) == doctest::Approx(20));
  CHECK(line.at(Instant{2s}) == doctest::Approx(50));
  line.add(Instant{500ms}, 60);  // the same moment again
  CHECK(line.at(Instant{450ms}) == doctest::Approx(50));
  line.add(Instant{-10s}, 7);  // time was put back
  CHECK(line.newest() == 7);
  CHECK(line.at(Instant{500ms}) == 7);
}

TEST_CASE("An image finds the sonar and the attitude of its own moment") {
  // The body sinks and its bow comes up; the SLAM takes its time, and the autopilot repeats each reading of the sonar.
  const auto pitch = [](double t) { return 0.4 * t; };
  const auto height = [](double t) { return 3 - 0.3 * t; };  // m, of body and camera over the floor
  const auto R_at = [&](double t) { return rotation_from_rpy(0, -pitch(t), 0); };
  for (const bool stamped : {true, false}) {
    VisionGate gate;
    const Instant start{1000s};
    double reading = 0, worst = 0;
    for (int i = 0; i <= 40; ++i) {
      const double t = 0.05 * i;
      const Instant now = start + i * 50ms;
      gate.hear_attitude(R_at(t), now);
      if (i % 2 == 0) {
        const double measured = t - 0.025;
        const double off = std::max(0.0, pitch(measured) - Sonar{}.half_angle);
        const Eigen::Vector3d ping = R_at(measured) * X_base_ping().translation();
        reading = (height(measured) + ping.z()) / std::cos(off);
      }
      gate.hear_sonar(reading, R_at(t), now);
      const double seen = t - 0.15;
      if (i % 2 == 1 || seen < 0.1) continue;
      Sighting sighting;
      sighting.received = now;
      if (stamped) sighting.taken = now - 150ms;
      sighting.stamp = now.time_since_epoch();
      sighting.tracking = Tracking::ok;
      sighting.visual = {height(seen) / std::cos(pitch(seen)), 0.01, 100};
      const VisionGate::Step step = gate.take(sighting, now);
      worst = std::max(worst, std::abs(step.scale.value - 1));
    }
    if (stamped)
      CHECK(worst < 0.005);
    else
      CHECK(worst > 0.01);
  }
}
