// SPDX-License-Identifier: Apache-2.0
#include <doctest/doctest.h>

#include <cmath>
#include <limits>
#include <vector>

#include "tandem/machines/em1500/device/gate.hpp"

using namespace tandem;
using namespace tandem::em1500;

namespace {

// A PLC that reports every 10 ms, seen through a link that takes 1 ms.
struct Stream {
  Gate gate{Gate::Limits{}};
  UtcTime stamp{std::chrono::hours(500'000)};
  Instant now{std::chrono::hours(3)};
  std::int32_t counter = 0;

  Stream() { gate.judge(next()); }  // one sample alone never shows that the counter counts

  PlcSample next() {
    stamp += 10ms;
    now += 10ms;
    return {PlcPose{}, stamp, now, ++counter, false};
  }
  Quality feed(const PlcSample& sample) { return gate.judge(sample).quality; }
};

}  // namespace

TEST_CASE("the gate passes an ordinary stream") {
  Stream stream;
  for (int i = 0; i < 1000; ++i) {
    PlcSample sample = stream.next();
    sample.pose.heave = 0.2 * std::sin(0.628 * 0.01 * i);
    CHECK(stream.feed(sample) == Quality::live);
  }
}

TEST_CASE("no value that is not a pose passes the gate") {
  for (const double bad : {std::nan(""), std::numeric_limits<double>::infinity(), -1e308, 50.0}) {
    for (double PlcPose::*axis : {&PlcPose::surge, &PlcPose::heave, &PlcPose::yaw}) {
      Stream stream;
      REQUIRE(stream.feed(stream.next()) == Quality::live);
      PlcSample sample = stream.next();
      sample.pose.*axis = bad;
      CHECK(stream.feed(sample) == Quality::invalid);
      CHECK(stream.feed(stream.next()) == Quality::live);
    }
  }
}

TEST_CASE("negative zero and the smallest numbers are poses") {
  Stream stream;
  PlcSample sample = stream.next();
  sample.pose.surge = -0.0;
  sample.pose.roll = std::numeric_limits<double>::denorm_min();
  CHECK(stream.feed(sample) == Quality::live);
}

TEST_CASE("a repeated or older sample is refused") {
  Stream stream;
  const PlcSample first = stream.next();
  REQUIRE(stream.feed(first) == Quality::live);
  REQUIRE(stream.feed(stream.next()) == Quality::live);
  CHECK(stream.feed(first) == Quality::invalid);
  CHECK(stream.feed(stream.next()) == Quality::live);
}

TEST_CASE("a PLC whose clock was set back goes on without a gap, also in motion") {
  Stream stream;
  PlcSample sample = stream.next();
  REQUIRE(stream.feed(sample) == Quality::live);
  for (const Duration back : {Duration(1h), Duration(35ms), Duration(10ms), Duration(20ms), Duration(1s)}) {
    stream.stamp -= back;
    for (int i = 0; i < 100; ++i) {
      const double heave = sample.pose.heave;
      sample = stream.next();
      sample.pose.heave = heave + (i < 50 ? 0.008 : -0.008);  // 0.8 m/s
      CAPTURE(i);
      CHECK(stream.feed(sample) == Quality::live);
    }
  }
}

TEST_CASE("without a counter a clock that was set back costs one sample, and a repetition is no clock") {
  Stream stream;
  const auto next = [&] {
    PlcSample sample = stream.next();
    sample.rx_counter.reset();
    return sample;
  };
  stream.gate.forget();
  std::vector<PlcSample> seen;
  for (int i = 0; i < 10; ++i) {
    seen.push_back(next());
    REQUIRE(stream.feed(seen.back()) == Quality::live);
  }
  stream.stamp -= 1h;
  CHECK(stream.feed(next()) == Quality::invalid);
  for (int i = 0; i < 10; ++i) {
    seen.push_back(next());
    CHECK(stream.feed(seen.back()) == Quality::live);
  }
  for (std::size_t i = 10; i < seen.size(); ++i) CHECK(stream.feed(seen[i]) == Quality::invalid);
  CHECK(stream.feed(next()) == Quality::live);
}

TEST_CASE("a stamp of coarse resolution may repeat when the counter counts on") {
  Stream stream;
  for (int i = 0; i < 100; ++i) {
    PlcSample sample = stream.next();
    sample.stamp = std::chrono::floor<std::chrono::seconds>(sample.stamp);
    CHECK(stream.feed(sample) == Quality::live);
  }
}

TEST_CASE("a PLC whose clock was set forward goes on without a gap") {
  Stream stream;
  REQUIRE(stream.feed(stream.next()) == Quality::live);
  stream.stamp += 1h;
  CHECK(stream.feed(stream.next()) == Quality::live);
}

TEST_CASE("a sample that waited in a buffer is stale") {
  Stream stream;
  for (int i = 0; i < 100; ++i) REQUIRE(stream.feed(stream.next()) == Quality::live);
  PlcSample late = stream.next();
  late.received += 150ms;
  CHECK(stream.feed(late) == Quality::stale);
  stream.now += 300ms;
  stream.stamp += 300ms;
  CHECK(stream.feed(stream.next()) == Quality::live);
}

TEST_CASE("a clock that runs 200 ppm slow is not mistaken for late samples") {
  Stream stream;
  int live = 0;
  const int day = 24 * 3600;
  for (int second = 0; second < day; ++second) {
    stream.now += duration_of(1 + 200e-6);
    stream.stamp += 1s;
    live += stream.feed({PlcPose{}, stream.stamp, stream.now, ++stream.counter, false}) == Quality::live;
  }
  CHECK(live == day);
}

TEST_CASE("a counter that stands still makes the samples stale") {
  Stream stream;
  REQUIRE(stream.feed(stream.next()) == Quality::live);
  int live = 0;
  for (int i = 0; i < 100; ++i) {
    PlcSample sample = stream.next();
    sample.rx_counter = 2;
    live += stream.feed(sample) == Quality::live;
  }
  CHECK(live == 50);  // 500 ms of 10 ms samples
  CHECK(stream.feed(stream.next()) == Quality::live);
}

TEST_CASE("bTimout makes the sample stale and its end makes it live again") {
  Stream stream;
  PlcSample sample = stream.next();
  sample.timed_out = true;
  CHECK(stream.feed(sample) == Quality::stale);
  CHECK(stream.feed(stream.next()) == Quality::live);
}

TEST_CASE("a PLC without counter and time-out flag is believed") {
  Stream stream;
  for (int i = 0; i < 200; ++i) {
    PlcSample sample = stream.next();
    sample.rx_counter.reset();
    sample.timed_out.reset();
    REQUIRE(stream.feed(sample) == Quality::live);
  }
}

TEST_CASE("a single jump is refused and names the axis") {
  Stream stream;
  REQUIRE(stream.feed(stream.next()) == Quality::live);
  PlcSample flipped = stream.next();
  flipped.pose.sway = 0.25;
  const Verdict verdict = stream.gate.judge(flipped);
  CHECK(verdict.quality == Quality::invalid);
  CHECK(verdict.why.view().find("sway") != std::string_view::npos);
  CHECK(stream.feed(stream.next()) == Quality::live);
}

TEST_CASE("a jump that lasts is believed after five samples") {
  Stream stream;
  REQUIRE(stream.feed(stream.next()) == Quality::live);
  int refused = 0;
  for (int i = 0; i < 20; ++i) {
    PlcSample sample = stream.next();
    sample.pose.heave = 0.4;
    refused += stream.feed(sample) != Quality::live;
  }
  CHECK(refused == 4);
}

TEST_CASE("a sample that only came early is not counted against the PLC, and a feed that never moves is") {
  Gate gate{Gate::Limits{}};
  UtcTime stamp{std::chrono::hours(500'000)};
  Instant now{std::chrono::hours(3)};
  const auto feed = [&](Duration later, std::int32_t counter) {
    return gate.judge({PlcPose{}, stamp += later, now += later, counter, false});
  };
  const Verdict first = feed(10ms, 7);
  CHECK(first.quality == Quality::stale);
  CHECK(first.early);
  CHECK(feed(10ms, 8).quality == Quality::live);
  gate.forget();
  CHECK(feed(10ms, 8).early);
  for (int i = 0; i < 50; ++i) CHECK(feed(10ms, 8).early);  // 500 ms, within which the counter must move
  const Verdict dead = feed(10ms, 8);
  CHECK(dead.quality == Quality::stale);
  CHECK_FALSE(dead.early);
}
