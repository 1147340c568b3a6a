// SPDX-License-Identifier: Apache-2.0
// The conversation with the autopilot without a socket: frame by frame, with the time passed in.
#include <doctest/doctest.h>

#include <numbers>

#include "tandem/machines/orca/device/link.hpp"
#include "tests/protocols/mavlink/mailbox.hpp"

using namespace tandem;
using namespace tandem::orca;

namespace {

struct Talk {
  Talk() { say(mavlink::Heartbeat{.type = 12, .autopilot = 3, .base_mode = 193, .custom_mode = 4}); }

  template <mavlink::Message M>
  void say(const M& message, mavlink::Address from = {1, 1}) {
    const mavlink::Letter letter(message, from);
    link.handle(letter.frame(), time, out);
  }
  template <mavlink::Message M>
  std::vector<M> sent() {
    return out.take<M>();
  }

  Link link{LinkOptions{.origin = Origin{}}};
  mavlink::Mailbox out{{200, 197}};
  Instant time{1000s};
};

}  // namespace

TEST_CASE("A heartbeat tells mode and arming and only the vehicle's own counts") {
  Talk talk;
  CHECK(talk.link.vehicle().armed);
  CHECK(talk.link.vehicle().mode == 4);
  talk.say(mavlink::Heartbeat{.type = 12, .autopilot = 3, .custom_mode = 9}, {2, 1});
  CHECK(talk.link.vehicle().mode == 4);
  CHECK(talk.link.stranger() == mavlink::Address{2, 1});
  talk.say(mavlink::Heartbeat{.type = 6, .autopilot = 8}, {255, 190});  // a ground station is no autopilot
  CHECK(talk.link.stranger() == mavlink::Address{2, 1});
}

TEST_CASE("Only the depth is taken while the estimator knows no place") {
  Talk talk;
  talk.say(mavlink::GlobalPositionInt{.time_boot_ms = 1000, .relative_alt = -1500});
  CHECK(talk.link.vehicle().X_map_base.position[2] == doctest::Approx(-1.5));
  CHECK_FALSE(talk.link.vehicle().estimates_position);
  talk.say(mavlink::LocalPositionNed{.time_boot_ms = 1020, .x = 1, .y = 2, .z = 3});
  CHECK(talk.link.vehicle().estimates_position);
  talk.say(mavlink::GlobalPositionInt{.time_boot_ms = 1040, .relative_alt = -9000});
  CHECK(talk.link.vehicle().X_map_base.position[2] == doctest::Approx(-3));
}

TEST_CASE("A position that is not sent any more is not the present one") {
  Talk talk;
  talk.say(mavlink::LocalPositionNed{.time_boot_ms = 1000, .x = 1, .y = 2, .z = 3, .vx = 0.4F});
  talk.link.poll(talk.time, talk.out);
  CHECK(talk.link.vehicle().estimates_position);
  talk.time += 1200ms;
  talk.link.poll(talk.time, talk.out);
  CHECK_FALSE(talk.link.vehicle().estimates_position);
  talk.say(mavlink::LocalPositionNed{.time_boot_ms = 2200, .x = 1, .y = 2, .z = 3});
  talk.link.poll(talk.time, talk.out);
  CHECK(talk.link.vehicle().estimates_position);
}

TEST_CASE("V11 after a quick restart nothing of the old position and velocity is left") {
  Talk talk;
  talk.say(mavlink::LocalPositionNed{.time_boot_ms = 500'000, .x = 11, .y = -7, .z = 3, .vx = 0.4F, .vy = 0.1F});
  talk.say(mavlink::GlobalPositionInt{.time_boot_ms = 500'000, .lat = 476302000, .relative_alt = -3000});
  talk.link.poll(talk.time, talk.out);
  REQUIRE(talk.link.vehicle().estimates_position);
  talk.time += 300ms;
  talk.say(mavlink::Attitude{.time_boot_ms = 200});
  talk.link.poll(talk.time, talk.out);
  REQUIRE(talk.link.take_events().rebooted);
  const Vehicle& vehicle = talk.link.vehicle();
  CHECK_FALSE(vehicle.estimates_position);
  CHECK(vehicle.X_map_base.position == std::array<double, 3>{0, 0, 0});
  CHECK(vehicle.velocity == std::array<double, 3>{0, 0, 0});
  CHECK(vehicle.global_at == Instant{});
  talk.say(mavlink::GlobalPositionInt{.time_boot_ms = 220, .relative_alt = -2800});
  CHECK(vehicle.X_map_base.position[2] == doctest::Approx(-2.8));  // the depth is known at once
  CHECK_FALSE(vehicle.estimates_position);
}

TEST_CASE("G15 and G16 what was overtaken or comes twice is dropped") {
  Talk talk;
  talk.say(mavlink::Attitude{.time_boot_ms = 1000, .yaw = 0});
  talk.time += 20ms;
  talk.say(mavlink::Attitude{.time_boot_ms = 1040, .yaw = 1});
  const PlainPose pose = talk.link.vehicle().X_map_base;
  talk.say(mavlink::Attitude{.time_boot_ms = 1020, .yaw = 2});
  talk.say(mavlink::Attitude{.time_boot_ms = 1040, .yaw = 2});
  CHECK(talk.link.vehicle().X_map_base.rotation == pose.rotation);
  CHECK(talk.link.vehicle().rejected == 2);
}

TEST_CASE("The estimator aids when it knows a place and its report is fresh") {
  Talk talk;
  mavlink::EkfStatusReport report;
  report.flags = 0x16F;  // seen of a real ArduSub with vision
  talk.say(report);
  CHECK(talk.link.aiding(talk.time));
  CHECK_FALSE(talk.link.aiding(talk.time + 3100ms));
  report.flags = 231;  // and without
  talk.say(report);
  CHECK_FALSE(talk.link.aiding(talk.time));
}

TEST_CASE("The script button is heard in the autopilot's words") {
  Talk talk;
  talk.link.take_events();
  talk.say(mavlink::StatusText{.severity = 6, .text = "Lua: script button 1"});
  const auto events = talk.link.take_events();
  CHECK(events.button);
  CHECK(events.said);
  CHECK(talk.link.vehicle().text.view() == "Lua: script button 1");
  CHECK_FALSE(talk.link.take_events().button);
}

TEST_CASE("A vehicle without an origin is asked first and then told") {
  Talk talk;
  talk.link.poll(talk.time, talk.out);
  CHECK(talk.sent<mavlink::SetGpsGlobalOrigin>().empty());
  talk.time += 2900ms;
  talk.link.poll(talk.time, talk.out);
  CHECK(talk.sent<mavlink::SetGpsGlobalOrigin>().empty());
  talk.say(mavlink::Heartbeat{.type = 12, .autopilot = 3});
  talk.time += 200ms;
  talk.link.poll(talk.time, talk.out);
  const auto told = talk.sent<mavlink::SetGpsGlobalOrigin>();
  REQUIRE(told.size() == 1);
  CHECK(told[0].latitude == 476302000);
  CHECK(told[0].longitude == -1223982391);
  talk.say(mavlink::GpsGlobalOrigin{.latitude = 476302000});
  talk.time += 10s;
  talk.say(mavlink::Heartbeat{.type = 12, .autopilot = 3});
  talk.link.poll(talk.time, talk.out);
  CHECK(talk.sent<mavlink::SetGpsGlobalOrigin>().empty());
}

TEST_CASE("V12 times that are asked for are answered and the vehicle's clock is told in its own time") {
  Talk talk;
  talk.say(mavlink::TimeSync{.tc1 = 0, .ts1 = 42});
  const auto answers = talk.sent<mavlink::TimeSync>();
  REQUIRE(answers.size() == 1);
  CHECK(answers[0].ts1 == 42);
  CHECK(answers[0].tc1 == talk.time.time_since_epoch().count());
  CHECK(talk.link.autopilot_microseconds(talk.time) == 1'000'000'000);  // ours, until theirs is known
}
