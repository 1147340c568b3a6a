// Which frames of the SLAM become deltas.
#include <doctest/doctest.h>

#include <cmath>

#include "tandem/machines/orca/vision_gate.hpp"

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
