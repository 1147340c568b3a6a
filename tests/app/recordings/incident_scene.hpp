// SPDX-License-Identifier: Apache-2.0
// A recording in which everything is known: a truck drives at 1 m/s along x, its device falls silent, and its physics
// brakes with 2 m/s^2 from the incident on.
#pragma once

#include <fmt/format.h>

#include <cmath>
#include <string>

#include "tandem/app/recordings/incident/explain.hpp"
#include "tandem/app/recordings/schema_text.hpp"
#include "tandem/record/recorder.hpp"
#include "tandem/runtime/page/scene_json.hpp"
#include "tandem/runtime/recording/field_tap.hpp"
#include "tandem/runtime/supervision/status.hpp"
#include "tests/record/recording.hpp"

namespace tandem::app::incident {

inline constexpr std::string_view truth_text =
    "builtin_interfaces/Time stamp\nstring machine\nstring unit\nfloat64[] position\nfloat64 speed\n"
    "================\nMSG: builtin_interfaces/Time\nint32 sec\nuint32 nanosec\n";

inline ros2::Value scalar(const std::string& text) { return {.kind = ros2::Value::Kind::scalar, .scalar = text}; }

inline std::vector<std::uint8_t> truth_cdr(const std::string& unit, const std::vector<double>& position, double speed) {
  static const auto type = type_from_text("tandem_msgs/msg/Truth", truth_text);
  REQUIRE(type.ok());
  ros2::Value list{.kind = ros2::Value::Kind::list};
  for (const double number : position) list.items.push_back(scalar(fmt::format("{}", number)));
  const auto written =
      ros2::write_message(*type, {.kind = ros2::Value::Kind::map,
                                  .names = {"machine", "unit", "position", "speed"},
                                  .items = {scalar("lift"), scalar(unit), list, scalar(fmt::format("{}", speed))}});
  REQUIRE(written.ok());
  return *written;
}

inline record::ChannelInfo truth_channel(const std::string& machine = "lift") {
  return {.topic = "/tandem/" + machine + "/truth",
          .encoding = "cdr",
          .schema_name = "tandem_msgs/msg/Truth",
          .schema_encoding = "ros2msg",
          .schema = std::string(truth_text)};
}

inline constexpr double speed = 1, braking = 2;                                      // m/s, m/s^2
inline constexpr double way = speed * speed / (2 * braking);                         // m, after the incident
inline constexpr double braking_time = speed / braking;                              // s
inline constexpr double last_bytes = -0.12, back = 2, armed = 3;                     // s from the incident
inline constexpr double first = -6, last = 5;                                        // s: of the recording
inline constexpr std::string_view hostile = "<script>alert(\"1\")</script> & \x01";  // of a stranger

inline double truck_x(double t) {
  if (t <= 0) return speed * t;
  return t < braking_time ? speed * t - braking * t * t / 2 : way;
}
inline double truck_speed(double t) { return t <= 0 ? speed : std::max(0.0, speed - braking * t); }

struct SceneOptions {
  bool truth = true;
  bool incident = true;  // else nothing happens
};

inline runtime::MachineStatus truck_status(double t, bool live, bool happened) {
  runtime::MachineStatus machine;
  machine.name = "lift", machine.type = "raptorlift", machine.device = "modbus://127.0.0.1:1502";
  machine.is_virtual = true, machine.moves = true;
  machine.state = live ? "live" : "down", machine.quality = live ? "live" : "stale";
  machine.cause = live ? "" : "no answer";
  const bool disarmed = happened && t < armed;
  machine.arm = disarmed ? "disarmed" : "armed", machine.arm_cause = disarmed ? "link lost: no answer" : "armed";
  machine.arm_by = disarmed ? "link" : "page";
  machine.age = live ? 0.01 : t - last_bytes;
  // Three invalid samples within a second before.
  machine.invalid = t >= -1 ? static_cast<std::uint64_t>(std::min(3.0, std::floor((t + 1) * 10 + 1.5))) : 0;
  return machine;
}

// Writes it; the answer is when the incident is, ns since 1970.
inline Time write_scene(const std::string& file, const SceneOptions& options = {}) {
  ManualClock clock;
  const runtime::FileClock file_clock(clock);
  const Instant zero = clock.now() + duration_of(-first);
  const Time at = file_clock.utc(zero).time_since_epoch().count();
  record::RecorderOptions recorder_options;
  recorder_options.file = file, recorder_options.chunk_bytes = 20'000;
  record::Recorder recorder(recorder_options);
  runtime::FieldTap tap(recorder, file_clock, "lift", "raptorlift", "modbus://127.0.0.1:1502");
  const auto truth = recorder.channel(truth_channel());
  const auto json = [&](const char* topic) {
    return recorder.channel(
        {.topic = topic, .encoding = "json", .schema_name = "", .schema_encoding = "", .schema = ""});
  };
  const auto status_channel = json("/tandem/status"), picture_channel = json("/tandem/picture"),
             scene_channel = json("/tandem/scene");
  const auto put = [&](record::ChannelId channel, Bytes bytes) {
    recorder.put(channel, file_clock.utc(clock.now()), file_clock.utc(clock.now()), bytes);
  };
  machines::Scene scene;
  scene.frames = {"wheel", "base"}, scene.main_frame = "base";
  const runtime::DrawnMachine drawn{"lift", "raptorlift", true, true, scene};
  put(scene_channel, as_bytes(runtime::scene_json({&drawn, 1})));
  const net::Flow flow{.connection = 1};
  tap.opened(flow, clock.now());
  const std::vector<std::uint8_t> asked(12, 1), answered(25, 2);
  for (int tick = static_cast<int>(first * 100); tick <= static_cast<int>(last * 100); ++tick) {
    const double t = tick * 0.01;
    clock.sleep_until(zero + duration_of(t));
    const bool happened = options.incident && t >= 0, live = !happened || t >= back;
    if (options.truth) put(truth, truth_cdr("m", {truck_x(options.incident ? t : -1), 0, 0}, truck_speed(t)));
    if (!options.incident || t <= last_bytes + 1e-9 || t >= back) {
      tap.passed(flow, net::Direction::out, asked, clock.now());
      tap.passed(flow, net::Direction::in, answered, clock.now());
    }
    const double seen = !options.incident || t < last_bytes ? t : (t < back ? last_bytes : t);
    machines::Picture picture{true, {{}, {{truck_x(seen), 0, 0}}}, {}};
    const runtime::Standing standing{"lift", picture, {}};
    if (tick % 2 == 0) put(picture_channel, as_bytes(runtime::picture_json(t, {&standing, 1})));
    if (tick % 10 == 0) {
      runtime::SystemStatus status;
      status.machines = {truck_status(t, live, happened)};
      put(status_channel, as_bytes(runtime::json_from_status(status)));
    }
    if (!options.incident) continue;
    const auto event = [&](const char* kind, const std::string& text, bool bad) {
      runtime::record_event(recorder, file_clock, {"lift", kind, text, bad}, clock.now());
    };
    const auto command = [&](const std::string& what, bool ok, const std::string& text) {
      ros2::tandem_msgs::Command message;
      message.machine = "lift", message.what = what, message.by = "page", message.ok = ok, message.text = text;
      runtime::record_command(recorder, file_clock, message, clock.now());
    };
    if (tick == -100) event("chaos", std::string("blackhole, seed 7 ") + std::string(hostile), true);
    if (tick == -30) command("unplug", true, "lift: unplugged");
    if (tick == -30) event("unplugged", "by page; its virtual device is disconnected", true);
    if (tick == 0) event("lost", "no answer; disarmed", true);
    if (tick == 100) command("arm", false, "lift: not armed: the link is not live");
    if (tick == 200) event("live", "after 2000 ms, attempt 9", false);
    if (tick == 300) command("arm", true, "lift: armed");
  }
  recorder.finish();
  return at;
}

// A copy of a recording with more in it: truth, and the record of the black box.
struct More {
  std::vector<std::pair<Time, std::vector<std::uint8_t>>> truth{};
  record::mcap::Map incident{};
  std::string standing{};  // another machine whose truth does not move; empty: none
};

inline void write_copy(const std::string& from, const std::string& to, const More& more) {
  const auto reader = record::McapReader::open(from);
  auto writer = record::McapWriter::create(to);
  REQUIRE((reader.ok() && writer.ok()));
  if (!more.incident.empty()) REQUIRE(writer->metadata({"tandem_incident", more.incident}).ok());
  std::map<std::uint16_t, std::uint16_t> channels;
  for (const auto& [id, channel] : reader->contents().channels) {
    record::ChannelInfo info{channel.topic, channel.encoding, "", "", "", channel.metadata};
    if (const auto* schema = reader->schema(channel))
      info.schema_name = schema->name, info.schema_encoding = schema->encoding, info.schema = schema->data;
    const auto made = writer->channel(info);
    REQUIRE(made.ok());
    channels[id] = *made;
  }
  record::Cursor cursor = reader->messages();
  for (auto next = cursor.next(); next.ok() && *next; next = cursor.next()) {
    record::mcap::Message message = **next;
    message.channel = channels.at(message.channel);
    REQUIRE(writer->message(message).ok());
  }
  if (!more.standing.empty()) {
    const auto channel = writer->channel(truth_channel(more.standing));
    REQUIRE(channel.ok());
    const auto& statistics = reader->contents().statistics;
    for (std::uint64_t stamp = statistics.start; stamp < statistics.end; stamp += 10'000'000)
      REQUIRE(
          writer
              ->message(
                  {.channel = *channel, .log_time = stamp, .publish_time = stamp, .data = truth_cdr("m", {1, 2, 3}, 0)})
              .ok());
  }
  if (!more.truth.empty()) {
    const auto channel = writer->channel(truth_channel());
    REQUIRE(channel.ok());
    for (const auto& [time, cdr] : more.truth) {
      const auto stamp = static_cast<std::uint64_t>(time);
      REQUIRE(writer->message({.channel = *channel, .log_time = stamp, .publish_time = stamp, .data = cdr}).ok());
    }
  }
  REQUIRE(writer->finish().ok());
}

}  // namespace tandem::app::incident
