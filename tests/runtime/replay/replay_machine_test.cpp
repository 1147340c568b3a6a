// SPDX-License-Identifier: Apache-2.0
#include <doctest/doctest.h>

#include <algorithm>
#include <array>
#include <cstring>
#include <functional>
#include <regex>

#include "tandem/ros2/messages/sensor_msgs.hpp"
#include "tandem/ros2/types/cdr.hpp"
#include "tests/ros2/loopback.hpp"
#include "tests/runtime/replay/replay_rig.hpp"

namespace tandem::runtime {
namespace {

constexpr std::size_t recorded_samples = 60;

std::unique_ptr<ReplayDevice> replay_of(FieldRecording recording) {
  ReplayOptions options;
  options.port = 0;
  options.linger = 300ms;
  options.wait = 5s;
  options.ports = field_ports(recording, all_machines());
  auto made = ReplayDevice::make(std::move(recording), std::move(options));
  INFO((made ? std::string() : made.error().text));
  REQUIRE(made);
  return std::move(*made);
}

using Sample = std::vector<std::uint8_t>;

// A machine that is recorded, and the topic that is looked at.
struct Subject {
  std::string type, topic;
  std::vector<std::string> settings{};  // of machine and virtual device
  std::size_t different =
      recorded_samples;  // samples that the recording holds at least; else the test would show nothing
  bool armed = false;    // it does its task, and commands go out
  Sample (*measured)(const Sample&) = nullptr;  // what of a sample comes from the device alone; null: all of it
};

std::vector<Sample> measured(const Subject& subject, const Samples& samples) {
  const auto found = samples.find(subject.topic);
  if (found == samples.end()) return {};
  std::vector<Sample> all = found->second;
  if (subject.measured != nullptr) std::ranges::transform(all, all.begin(), subject.measured);
  return all;
}

// Of the lift's joints: wheel angles are speeds added up by our clock, efforts are our controller's.
Sample speed_and_steering(const Sample& sample) {
  ros2::sensor_msgs::JointState joints;
  REQUIRE(ros2::decode(sample, joints));
  REQUIRE(joints.name.size() == 4);
  const std::array<double, 4> values{joints.velocity[0], joints.velocity[1], joints.position[2], joints.position[3]};
  const auto bytes = std::as_bytes(std::span(values));
  Sample kept(bytes.size());
  std::memcpy(kept.data(), bytes.data(), bytes.size());
  return kept;
}

bool armed_as_told(const Subject& subject, MachineRun& run) {
  return !subject.armed || ros2::eventually([&] { return run.told("live:") && run.arm(); }, 60s);
}

// The field: the machine on its virtual device for a while. Without its goodbye, as the recording was ended first.
struct Field {
  std::vector<Sample> samples;
  FieldRecording recording;
};

Field field_run(const Subject& subject) {
  const DeviceRun device(subject.type, subject.settings);
  MachineRun run(subject.type, device.url(), subject.settings);
  REQUIRE(armed_as_told(subject, run));
  const auto enough = [&] {
    const auto samples = measured(subject, run.samples.samples());
    return samples.size() >= recorded_samples && different_ones(samples) >= subject.different;
  };
  REQUIRE(ros2::eventually(enough, 60s));
  FieldRecording recording = recording_of(run.frames.frames(), subject.type, device.url());
  run.stop();
  return {measured(subject, run.samples.samples()), std::move(recording)};
}

// The machine on a recording, until that is over.
struct Again {
  std::vector<Sample> samples;
  ReplaySummary summary;
};

Again on_replay(const Subject& subject, FieldRecording recording) {
  auto device = replay_of(std::move(recording));
  ReplayDevice& replay = *device;
  const DeviceRun running(std::move(device));
  MachineRun run(subject.type, running.url(), subject.settings);
  REQUIRE(armed_as_told(subject, run));
  const auto over = [&] {
    const ReplaySummary summary = replay.summary();
    return summary.finished + summary.differences.size() >= summary.conversations;
  };
  const bool ended = ros2::eventually(over, 60s);
  run.stop();
  for (const auto& event : run.events()) INFO(event);
  INFO(replay.summary().text());
  REQUIRE(ended);
  return {measured(subject, run.samples.samples()), replay.summary()};
}

// Again on the recording: what is published is what was published, to the bit, apart from its stamps. Where only the
// newest sample counts, one that was passed over in one run need not be so in the other.
Again check_replay(const Subject& subject, double least) {
  const Field field = field_run(subject);
  Again again = on_replay(subject, field.recording);
  const double found = found_again(field.samples, again.samples);
  MESSAGE(subject.type << ": " << found * 100 << " % of " << again.samples.size() << " samples, "
                       << different_ones(again.samples) << " different ones; " << again.summary.text());
  CHECK(again.samples.size() >= recorded_samples / 2);
  CHECK(different_ones(again.samples) > subject.different / 2);
  CHECK(found >= least);
  return again;
}

// The device's part up to a place in the middle, and then something else.
enum class FieldFault { closes_mid_frame, garbage, silence };

Conversation& longest_of(FieldRecording& recording) {
  return *std::ranges::max_element(recording.conversations, {},
                                   [](const Conversation& talk) { return talk.in.size(); });
}

FieldRecording with_fault(FieldRecording recording, FieldFault fault) {
  Conversation& talk = longest_of(recording);
  std::size_t cut = talk.pieces.size() * 2 / 3;
  while (cut > 0 && talk.pieces[cut].direction != net::Direction::in) --cut;
  REQUIRE(cut > 0);
  RecordedPiece& last = talk.pieces[cut];
  if (fault == FieldFault::garbage) {
    for (std::size_t i = 0; i < std::min<std::size_t>(6, last.size); ++i) talk.in[last.offset + i] = 0xA5;
  } else {
    last.size = fault == FieldFault::silence ? 0 : last.size / 2;
  }
  talk.in.resize(last.offset + last.size);
  talk.pieces.resize(last.size == 0 ? cut : cut + 1);
  talk.end = fault == FieldFault::closes_mid_frame ? RecordedEnd::theirs : RecordedEnd::ours;
  talk.length = talk.pieces.back().at + (fault == FieldFault::closes_mid_frame ? Duration(1ms) : Duration(5s));
  return recording;
}

// The first bad news, without the numbers that differ from run to run.
std::string first_cause(const MachineRun& run) {
  for (const std::string& event : run.events()) {
    if (event.starts_with("live:")) continue;
    const std::string text = std::regex_replace(event, std::regex("127\\.0\\.0\\.1:[0-9]+"), "DEVICE");
    return std::regex_replace(text, std::regex("[0-9.]+ (ms|s)\\b"), "TIME");
  }
  return "";
}

struct Outcome {
  FieldRecording recording;
  std::string cause;
};

// The machine on a recording until it has something to tell, and `more` holds.
Outcome on_recording(const Subject& subject, FieldRecording recording,
                     const std::function<bool(const MachineRun&)>& more = {}) {
  const DeviceRun running(replay_of(std::move(recording)));
  MachineRun run(subject.type, running.url(), subject.settings);
  CHECK(ros2::eventually([&] { return !first_cause(run).empty() && (!more || more(run)); }, 60s));
  const std::string cause = first_cause(run);
  run.stop();
  return {recording_of(run.frames.frames(), subject.type, running.url()), cause};
}

void check_fault(const Subject& subject, FieldFault fault) {
  CAPTURE(subject.type);
  const Outcome in_the_field = on_recording(subject, with_fault(field_run(subject).recording, fault));
  CHECK(in_the_field.cause != "");
  const Outcome again = on_recording(subject, in_the_field.recording);
  MESSAGE(subject.type << ": " << again.cause);
  CHECK(again.cause == in_the_field.cause);
}

const Subject lift{.type = "raptorlift", .topic = "/raptorlift/joint_states", .different = 1};
const Subject driving_lift{.type = "raptorlift",
                           .topic = "/raptorlift/joint_states",
                           .settings = {"task=figure_eight"},
                           .armed = true,
                           .measured = speed_and_steering};
const Subject platform{.type = "em1500", .topic = "/stewart/pose"};
// Every exchange is published, so that none is passed over.
const Subject cables{.type = "cable_robot",
                     .topic = "/cable_states",
                     .settings = {"cycle_hz=100", "publish_hz=1000", "encoder_noise=0.001"}};
const Subject moving_cables{.type = "cable_robot",
                            .topic = "/cable_states",
                            .settings = {"cycle_hz=100", "publish_hz=1000", "task=path"},
                            .armed = true};
const Subject arm{.type = "ur3e", .topic = "/joint_states"};
// Described by files: registers of several periods, and symbols by handles.
const Subject press{.type = "generic",
                    .topic = "/press/pressure",
                    .settings = {std::string(TANDEM_EXAMPLES) + "/11_press/press.yaml"},
                    .different = 5};
const Subject conveyor{.type = "generic",
                       .topic = "/conveyor/belts_1/fCurrent",
                       .settings = {std::string(TANDEM_EXAMPLES) + "/12_conveyor/conveyor.yaml"}};
// Attitude and rates: without vision it has no position, and so publishes no pose.
const Subject boat{.type = "orca",
                   .topic = "/mavros/imu/data",
                   .settings = {"profile=mavros", "frame_rate=100", "current=[0.5, 0.2, 0]"}};

}  // namespace

// It reads some coils by the clock, so its questions need not come in the same order.
TEST_CASE("the RaptorLift publishes the same on the recording of its PLC") { check_replay(lift, 0.99); }
TEST_CASE("a RaptorLift that drives publishes the same on the recording of its PLC") {
  check_replay(driving_lift, 0.95);
}
TEST_CASE("the EM1500 publishes the same on the recording of its PLC") {
  CHECK(check_replay(platform, 0.95).summary.differences.empty());
}
TEST_CASE("the cable robot publishes the same on the recording of its winches") {
  CHECK(check_replay(cables, 0.99).summary.differences.empty());
}
TEST_CASE("a cable robot that moves publishes the same on the recording of its winches") {
  check_replay(moving_cables, 0.95);
}
TEST_CASE("the UR3e publishes the same on the recording of its controller") {
  CHECK(check_replay(arm, 0.9).summary.differences.empty());
}
TEST_CASE("the Orca publishes the same on the recording of its autopilot") { check_replay(boat, 0.8); }

TEST_CASE("a described press publishes the same on the recording of its registers") { check_replay(press, 0.95); }
TEST_CASE("a described conveyor publishes the same on the recording of its PLC") { check_replay(conveyor, 0.95); }

// The lowest bit of all that the PLC measured is another: frames of Modbus with four numbers of two registers each,
// the lower one first.
static void alter_measured(Conversation& talk) {
  constexpr std::size_t function = 7, first_register = 9, registers = 8;
  for (std::size_t at = 0; at + first_register < talk.in.size();) {
    const std::size_t end = at + 6 + talk.in[at + 4] * 256U + talk.in[at + 5];
    const bool is_read = talk.in[at + function] == 3 && end == at + first_register + 2 * registers;
    for (std::size_t i = at + first_register; is_read && i < std::min(end, talk.in.size()); i += 4) talk.in[i + 1] ^= 1;
    at = end;
  }
}

TEST_CASE("an altered recording gives other samples") {
  Field field = field_run(driving_lift);
  alter_measured(field.recording.conversations.at(0));
  const Again again = on_replay(driving_lift, field.recording);
  CHECK(again.samples.size() >= recorded_samples / 2);
  CHECK(found_again(field.samples, again.samples) < 0.1);
}

TEST_CASE("a device that closed in the middle of a frame gives the same cause again") {
  for (const Subject& subject : {lift, platform, cables, arm}) check_fault(subject, FieldFault::closes_mid_frame);
}
TEST_CASE("garbage from a device gives the same cause again") {
  for (const Subject& subject : {lift, platform, cables, arm}) check_fault(subject, FieldFault::garbage);
}
TEST_CASE("a device that fell silent gives the same cause again") {
  for (const Subject& subject : {lift, platform, cables, arm, boat}) check_fault(subject, FieldFault::silence);
}

TEST_CASE("a device that was away for a while is so again and then comes back") {
  constexpr Duration away = 900ms;
  for (const Subject& subject : {lift, platform, cables}) {
    CAPTURE(subject.type);
    FieldRecording recording = with_fault(field_run(subject).recording, FieldFault::closes_mid_frame);
    REQUIRE(recording.conversations.size() == 1);
    Conversation second = field_run(subject).recording.conversations.front();
    second.connection = recording.conversations.front().connection + 1;
    second.peer = recording.conversations.front().peer;
    second.opened = recording.conversations.front().opened + recording.conversations.front().length + away;
    recording.conversations.push_back(second);
    const auto is_back = [](const MachineRun& run) {
      return std::ranges::count_if(run.events(), [](const auto& event) { return event.starts_with("live:"); }) >= 2;
    };
    const Outcome in_the_field = on_recording(subject, recording, is_back);
    const Outcome again = on_recording(subject, in_the_field.recording, is_back);
    CHECK(again.cause == in_the_field.cause);
    for (const Outcome* outcome : {&in_the_field, &again}) {
      const auto& talks = outcome->recording.conversations;
      REQUIRE(talks.size() >= 2);
      const Duration gap = talks[1].opened - talks[0].opened - talks[0].length;
      MESSAGE(subject.type << ": " << outcome->cause << "; away for " << seconds(gap) << " s");
      CHECK(gap >= 500ms);
      CHECK(gap <= 5s);
    }
  }
}

}  // namespace tandem::runtime
