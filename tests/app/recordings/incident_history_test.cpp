// SPDX-License-Identifier: Apache-2.0
// What is said of histories that are made up: ways and standstills, moments, silences.
#include <doctest/doctest.h>

#include <algorithm>

#include "tests/app/recordings/incident_scene.hpp"

namespace tandem::app::incident {

TEST_CASE("a machine that is measured all the time has its way measured") {
  History history;
  history.end = 5'000'000'000;
  history.moment.at = 2'000'000'000;
  for (int i = 0; i <= 500; ++i) {
    const Time time = Time{i} * 10'000'000;
    history.measured.places.push_back({time, {3, truck_x(static_cast<double>(time - history.moment.at) * 1e-9), 0}});
  }
  const auto motion = motion_of(history);
  REQUIRE(motion);
  CHECK_FALSE(motion->gap);
  CHECK(motion->speed.value() == doctest::Approx(speed).epsilon(0.001));
  CHECK(motion->distance.value() == doctest::Approx(way).epsilon(0.01));
  CHECK(std::abs(motion->standstill.value() - braking_time) < 0.12);  // speeds are means over 0.1 s
}

TEST_CASE("an arm's way is that of the joint that goes farthest") {
  History history;
  history.end = 10'000'000'000;
  history.moment.at = 1'000'000'000;
  history.truth.unit = "rad";
  // One joint goes 0.5 rad there and back in 2 s, another 0.7 rad one way in 1 s.
  for (int i = 0; i <= 1000; ++i) {
    const double t = i * 0.01 - 1;
    const double there_and_back = t < 0 ? 0 : (t < 1 ? 0.5 * t : std::max(0.0, 1 - 0.5 * t));
    const double one_way = 0.7 * std::clamp(t, 0.0, 1.0);
    const double rate = t < 0 ? 0 : (t < 1 ? 0.7 : (t < 2 ? 0.5 : 0));
    history.truth.places.push_back({Time{i} * 10'000'000, {there_and_back, one_way}, rate});
  }
  const auto motion = motion_of(history);
  REQUIRE(motion);
  CHECK(motion->unit == "rad");
  CHECK(motion->distance.value() == doctest::Approx(1.0).epsilon(0.001));
  CHECK(motion->standstill.value() == doctest::Approx(2.0).epsilon(0.01));
}

TEST_CASE("physics that pauses is neither a standstill nor a way") {
  History history;
  history.end = 10'000'000'000;
  history.moment.at = 1'000'000'000;
  // Its process is stopped from 0.9 s to 4 s; from there on it brakes as after an incident.
  for (int i = 0; i <= 1000; ++i) {
    const double t = i * 0.01, since = t < 4 ? std::min(t - 0.9, 0.0) : t - 4;
    history.truth.places.push_back({Time{i} * 10'000'000, {truck_x(since), 0, 0}, truck_speed(since)});
  }
  const auto motion = motion_of(history);
  REQUIRE(motion);
  CHECK(motion->speed.value() == doctest::Approx(speed));
  CHECK(motion->distance.value() == doctest::Approx(way).epsilon(0.005));
  CHECK(std::abs(motion->standstill.value() - (3 + braking_time)) < 0.016);
  REQUIRE(motion->held);
  CHECK(motion->held->from == doctest::Approx(-0.1).epsilon(0.01));
  CHECK(motion->held->to == doctest::Approx(3).epsilon(0.01));
}

TEST_CASE("a machine that does not come to rest is not said to stand") {
  History history;
  history.end = 4'000'000'000;
  history.moment.at = 1'000'000'000;
  for (int i = 0; i <= 400; ++i) history.truth.places.push_back({Time{i} * 10'000'000, {0.01 * i, 0, 0}, 1});
  const auto motion = motion_of(history);
  REQUIRE(motion);
  CHECK_FALSE(motion->standstill);
  CHECK(motion->distance.value() == doctest::Approx(3).epsilon(0.001));
}

TEST_CASE("a moment is given in seconds of the recording or in UTC") {
  constexpr Time start = 1'795'062'600'000'000'000;  // 2026-11-19T04:30:00Z, by date -d
  CHECK(*time_from("12.5", start) == start + 12'500'000'000);
  CHECK(*time_from("2026-11-19T04:30:15Z", start) == start + 15'000'000'000);
  CHECK(*time_from("2026-11-19T04:30:15.25Z", start) == start + 15'250'000'000);
  CHECK(*time_from("20261119T043015Z", start) == start + 15'000'000'000);
  for (const char* bad : {"", "-1", "nan", "2026-11-19", "2026-11-19T04:30:15+01", "tomorrow"})
    CHECK_FALSE(time_from(bad, start).ok());
}

TEST_CASE("stops and losses while armed are incidents, and what follows them closely belongs to them") {
  const auto second = [](double t) { return static_cast<Time>(t * 1e9); };
  const std::vector<Moment> moments = moments_of({
      {second(1), "lift", "lost", "closed", true},  // not armed
      {second(2), "lift", "armed", "by page", false},
      {second(3), "lift", "stale", "no sample; disarmed", true},
      {second(4), "lift", "stopped", "away for 1 s", true},  // belongs to it
      {second(4.5), "arm", "stopped", "by page", true},      // another machine
      {second(9), "lift", "disarmed", "no live sample for 120 ms", true},
      {second(20), "", "stopped", "of the program", true},
  });
  REQUIRE(moments.size() == 3);
  CHECK((moments[0].at == second(3) && moments[0].cause == "lost"));
  CHECK((moments[1].machine == "arm" && moments[1].cause == "stopped"));
  CHECK((moments[2].at == second(9) && moments[2].cause == "lost"));
}

TEST_CASE("many connections and silences become few lines") {
  History history;
  history.end = 20'000'000'000;
  history.moment.at = 5'000'000'000;
  for (Time time = 0; time <= 5'000'000'000; time += 10'000'000)
    history.frames.push_back({time, Frame::Kind::in, 1, 10});
  std::uint32_t connection = 1;
  for (Time time = 5'000'000'000; time < 15'000'000'000; time += 100'000'000) {
    history.frames.push_back({time, Frame::Kind::opened, ++connection, 0, "127.0.0.1:1502"});
    history.frames.push_back({time + 1'000'000, Frame::Kind::out, connection, 12});
    history.frames.push_back({time + 2'000'000, Frame::Kind::broken, connection, 0, "127.0.0.1:1502"});
  }
  const std::vector<Entry> entries = traffic_of(history);
  CHECK(entries.size() <= 16);
  const auto silent = std::ranges::find_if(
      entries, [](const Entry& entry) { return entry.text.find("from the device") != std::string::npos; });
  REQUIRE(silent != entries.end());
  CHECK(silent->t == 0);
  CHECK(silent->text.ends_with("silent to the end; before, every 0.010 s"));
}

}  // namespace tandem::app::incident
