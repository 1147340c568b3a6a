// SPDX-License-Identifier: Apache-2.0
// Heartbeats, clocks and texts, with a clock that tests move.
#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <random>

#include "tandem/protocols/mavlink/link/boot_clock.hpp"
#include "tandem/protocols/mavlink/link/heartbeat.hpp"
#include "tandem/protocols/mavlink/link/time_sync.hpp"
#include "tandem/protocols/mavlink/services/status_text.hpp"
#include "tests/protocols/mavlink/mailbox.hpp"

namespace tandem::mavlink {
namespace {

constexpr Instant start{1h};
constexpr Address vehicle{1, 1};
constexpr Address station{255, 190};

Heartbeat vehicle_heartbeat() {
  return {.type = vehicle_type::submarine, .autopilot = autopilot::ardupilot, .base_mode = base_mode::armed};
}

}  // namespace

TEST_CASE("V1 a heartbeat that stops is stale after three seconds and lost after five") {
  HeartbeatWatch watch;
  CHECK(watch.presence(start) == Presence::never);
  CHECK(!watch.handle(Letter(Heartbeat{.type = vehicle_type::ground_station, .autopilot = 8}, station).frame(), start));
  CHECK(watch.handle(Letter(vehicle_heartbeat(), vehicle).frame(), start));
  CHECK(watch.of() == vehicle);
  CHECK(watch.armed());
  CHECK(watch.presence(start + 2900ms) == Presence::live);
  CHECK(watch.presence(start + 3100ms) == Presence::stale);
  CHECK(watch.presence(start + 5100ms) == Presence::lost);
  CHECK(!watch.handle(Letter(vehicle_heartbeat(), {2, 1}).frame(), start + 6s));
  CHECK(watch.handle(Letter(vehicle_heartbeat(), vehicle).frame(), start + 6s));
  CHECK(watch.arrivals() == 2);
  CHECK(watch.presence(start + 6s) == Presence::live);
}

TEST_CASE("G21 our heartbeats do not come in bursts after a pause") {
  HeartbeatSender sender(Heartbeat{.type = 18, .autopilot = 8});
  Mailbox out(station);
  for (int i = 0; i <= 100; ++i) sender.poll(start + i * 100ms, out);
  CHECK(out.take<Heartbeat>().size() == 11);
  for (int i = 0; i < 10; ++i) sender.poll(start + 1min, out);
  CHECK(out.take<Heartbeat>().size() == 1);
}

TEST_CASE("V11 a boot clock that wraps goes on and one that starts anew is told") {
  BootClock clock;
  CHECK(clock.observe(0xFFFFFFFF - 500, start) == BootEvent::first);
  CHECK(clock.observe(0xFFFFFFFF - 400, start + 100ms) == BootEvent::steady);
  CHECK(clock.observe(99, start + 600ms) == BootEvent::wrapped);
  CHECK(clock.observe(199, start + 700ms) == BootEvent::steady);
  CHECK(milliseconds(start + 700ms - clock.local_from_boot(199)) == 0);
  CHECK(milliseconds(start + 100ms - clock.local_from_boot(0xFFFFFFFF - 400)) == 0);

  BootClock reboots;
  (void)reboots.observe(100'000, start);
  CHECK(reboots.observe(500, start + 5s) == BootEvent::rebooted);
  CHECK(reboots.observe(1500, start + 6s) == BootEvent::steady);
  CHECK(reboots.reboots() == 1);
  // A late frame and a long silence are neither.
  CHECK(reboots.observe(1400, start + 6100ms) == BootEvent::steady);
  CHECK(reboots.observe(601'500, start + 606s) == BootEvent::steady);
}

TEST_CASE("V3 two vehicles with one address are told apart by their boot clocks") {
  BootClock clock;
  (void)clock.observe(100'000, start);
  BootEvent last = BootEvent::steady;
  for (int i = 1; i < 6; ++i) {
    const std::uint32_t ms =
        i % 2 == 0 ? 100'000u + 250u * static_cast<unsigned>(i) : 5'000u + 250u * static_cast<unsigned>(i);
    last = clock.observe(ms, start + i * 250ms);
  }
  CHECK(last == BootEvent::two_senders);
}

TEST_CASE("a boot clock finds the shortest way through jitter") {
  std::mt19937_64 random(6);
  BootClock clock;
  for (std::uint32_t i = 0; i < 500; ++i) {
    const auto delay = std::chrono::microseconds(200 + random() % 30'000);
    (void)clock.observe(i * 20, start + i * 20ms + delay);
  }
  const Duration error = clock.local_from_boot(9980) - (start + 9980ms);
  CHECK(error >= 0ms);
  CHECK(error < 5ms);
}

TEST_CASE("TIMESYNC finds the offset between two clocks") {
  TimeSyncClient client({.peer = vehicle});
  Mailbox ours(station);
  Mailbox theirs(vehicle);
  constexpr Duration offset = 1234567ms;
  Instant time = start;
  for (int i = 0; i < 30; ++i) {
    client.poll(time, ours);
    ours.deliver([&](const Frame& frame) { CHECK(answer_time_sync(frame, time + 2ms + offset, theirs)); });
    theirs.deliver([&](const Frame& frame) { CHECK(client.handle(frame, time + 4ms)); });
    time += 1s;
  }
  CHECK(client.synced());
  CHECK(std::abs(seconds(client.offset() - offset)) < 1e-6);
  CHECK(client.round_trip() == 4ms);
  CHECK(client.local_from_remote((start + offset).time_since_epoch().count()) == start);
}

TEST_CASE("V12 answers that are garbage or slow or asymmetric move the clock little") {
  std::mt19937_64 random(7);
  TimeSyncClient client;
  Mailbox ours(station);
  Mailbox theirs(vehicle);
  constexpr Duration offset = -77s;
  Instant time = start;
  for (int i = 0; i < 300; ++i) {
    const bool bad = i > 20 && random() % 4 == 0;
    const Duration there = 2ms + (bad ? Duration(std::chrono::milliseconds(random() % 400)) : Duration{});
    client.poll(time, ours);
    ours.deliver([&](const Frame& frame) { answer_time_sync(frame, time + there + offset, theirs); });
    theirs.deliver([&](const Frame& frame) { client.handle(frame, time + there + 2ms); });
    if (i > 20)
      CHECK(!client.handle(
          Letter(TimeSync{static_cast<std::int64_t>(random()), static_cast<std::int64_t>(random())}, vehicle).frame(),
          time));
    time += 1s;
  }
  CHECK(std::abs(seconds(client.offset() - offset)) < 0.005);
  CHECK(client.counters().slow > 10);
  CHECK(client.counters().unasked > 100);
}

TEST_CASE("G20 a clock that really jumped is followed after a few answers") {
  TimeSyncClient client;
  Mailbox ours(station);
  Mailbox theirs(vehicle);
  Instant time = start;
  for (int i = 0; i < 60; ++i) {
    const Duration offset = i < 30 ? 5s : 3605s;
    client.poll(time, ours);
    ours.deliver([&](const Frame& frame) { answer_time_sync(frame, time + 1ms + offset, theirs); });
    theirs.deliver([&](const Frame& frame) { client.handle(frame, time + 2ms); });
    time += 1s;
    if (i == 31) CHECK(client.offset() == 5s);
  }
  CHECK(client.counters().restarts == 1);
  CHECK(client.offset() == 3605s);
}

TEST_CASE("texts of any length come back whole in any order of their chunks") {
  std::mt19937_64 random(8);
  for (const std::size_t length : {0, 1, 49, 50, 51, 99, 100, 101, 400, 799}) {
    std::string text;
    for (std::size_t i = 0; i < length; ++i) text += static_cast<char>('a' + random() % 26);
    Mailbox out(vehicle);
    send_status_text(text, severity::warning, 7, out);
    std::shuffle(out.waiting.begin(), out.waiting.end(), random);
    StatusTextReader reader;
    std::vector<StatusLine> lines;
    out.deliver([&](const Frame& frame) {
      if (auto line = reader.handle(frame, start)) lines.push_back(*line);
    });
    REQUIRE(lines.size() == 1);
    CHECK(lines[0].text == text);
    CHECK(lines[0].severity == severity::warning);
    CHECK(lines[0].source == vehicle);
    CHECK(lines[0].complete);
    CHECK(!reader.overdue(start + 1min));
  }
}

TEST_CASE("a lost chunk is shown and does not hold back the text for ever") {
  const std::string text = std::string(50, 'a') + std::string(50, 'b') + std::string(50, 'c') + "end";
  for (std::size_t lost = 0; lost < 4; ++lost) {
    Mailbox out(vehicle);
    out.lose = [&](std::size_t i) { return i == lost; };
    send_status_text(text, severity::info, 3, out);
    StatusTextReader reader;
    out.deliver([&](const Frame& frame) { CHECK(!reader.handle(frame, start)); });
    CHECK(!reader.overdue(start + 1s));
    const auto line = reader.overdue(start + 3s);
    REQUIRE(line);
    CHECK(!line->complete);
    std::string wanted = text;
    wanted.replace(lost * 50, lost == 3 ? 3 : 50, "[...]");
    CHECK(line->text == wanted);
    CHECK(!reader.overdue(start + 3s));
  }
}

TEST_CASE("texts of several senders do not mix and their number is bounded") {
  StatusTextReader reader;
  int given = 0;
  for (int round = 0; round < 50; ++round) {
    const Address source{static_cast<std::uint8_t>(1 + round), 1};
    StatusText chunk{
        .severity = 6, .text = std::string_view("0123456789012345678901234567890123456789012345678901"), .id = 5};
    if (reader.handle(Letter(chunk, source).frame(), start + round * 1ms)) ++given;
    chunk.chunk_seq = 200;
    CHECK(!reader.handle(Letter(chunk, source).frame(), start));
  }
  CHECK(given == 42);
}

}  // namespace tandem::mavlink
