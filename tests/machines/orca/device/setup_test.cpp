// SPDX-License-Identifier: Apache-2.0
// What the bridge finds out about a real ArduSub before it relies on it: settings, streams, sonars, whom it obeys.
#include <doctest/doctest.h>

#include <array>
#include <map>
#include <sstream>

#include "tandem/machines/orca/device/link.hpp"
#include "tandem/machines/orca/virtual/sub_parm.hpp"
#include "tests/protocols/mavlink/mailbox.hpp"

using namespace tandem;
using namespace tandem::orca;

namespace {

using Settings = std::map<std::string, float, std::less<>>;

// Of ArduSub as it leaves the factory, as far as the bridge asks.
Settings factory_settings() {
  return {{"VISO_TYPE", 0},       {"VISO_ORIENT", 0},    {"AHRS_EKF_TYPE", 3},   {"EK3_ENABLE", 1},
          {"EK3_SRC1_POSXY", 3},  {"EK3_SRC1_VELXY", 3}, {"EK3_SRC1_YAW", 1},    {"EK3_SRC2_POSXY", 0},
          {"EK3_SRC2_VELXY", 0},  {"EK3_SRC2_YAW", 0},   {"EK3_SRC_OPTIONS", 1}, {"RNGFND1_TYPE", 0},
          {"RNGFND1_ORIENT", 25}, {"VISO_POS_X", 0},     {"VISO_POS_Y", 0},      {"VISO_POS_Z", 0}};
}

// An ArduSub that answers for its settings and streams, without a socket.
struct SetupTalk {
  explicit SetupTalk(Settings known, LinkOptions options = {}) : settings(std::move(known)), link(options) { beat(); }

  void beat() { say(mavlink::Heartbeat{.type = 12, .autopilot = 3}); }

  template <mavlink::Message M>
  void say(const M& message) {
    const mavlink::Letter letter(message, {1, 1});
    mavlink::Frame frame = letter.frame();
    if (is_signed) frame.signature = signature;
    link.handle(frame, time, out);
  }

  void run(Duration duration, Duration step = 100ms) {
    for (const Instant end = time + duration; time < end; time += step) {
      beat();
      link.poll(time, out);
      out.deliver([&](const mavlink::Frame& frame) { hear(frame); });
    }
  }

  void hear(const mavlink::Frame& frame) {
    if (silent) return;
    if (const auto read = frame.as<mavlink::ParamRequestRead>()) {
      ++reads;
      const auto known = settings.find(read->param_id.view());
      if (known != settings.end()) tell(known->first, known->second);
    } else if (const auto set = frame.as<mavlink::ParamSet>()) {
      ++sets;
      if (!takes_settings) return;
      settings[std::string(set->param_id.view())] = set->param_value;
      tell(set->param_id.view(), set->param_value);
    } else if (const auto command = frame.as<mavlink::CommandLong>()) {
      if (command->command != mavlink::command::message_interval) return;
      const auto id = static_cast<std::uint32_t>(command->param1);
      ++asked[id];
      say(mavlink::CommandAck{.command = mavlink::command::message_interval,
                              .result = static_cast<std::uint8_t>(id == denied ? 2 : 0)});
    }
  }

  // Its clock starts from zero.
  void reboot() {
    say(mavlink::Attitude{.time_boot_ms = 900'000});
    time += 100ms;
    say(mavlink::Attitude{.time_boot_ms = 100});
    REQUIRE(link.take_events().rebooted);
  }

  void tell(std::string_view name, float value) {
    say(mavlink::ParamValue{.param_id = name, .param_value = value, .param_type = 9, .param_count = 900});
  }

  Settings settings;
  Link link;
  mavlink::Mailbox out{{200, 197}};
  Instant time{1000s};
  std::map<std::uint32_t, int> asked;  // streams, by message
  std::uint32_t denied = 0;            // a message that it does not know
  bool silent = false;                 // answers nothing
  bool takes_settings = false;
  bool is_signed = false;
  std::array<std::uint8_t, mavlink::signature_size> signature{};
  int reads = 0, sets = 0;
};

}  // namespace

TEST_CASE("The settings that keep vision from working are named and nothing is written") {
  SetupTalk talk(factory_settings());
  talk.run(20s);
  CHECK(talk.link.vehicle().advice.view() ==
        "set VISO_TYPE=1 (is 0, needs a reboot), EK3_SRC1_VELXY=6 (is 3), EK3_SRC_OPTIONS=0 (is 1), "
        "RNGFND1_TYPE (is 0: no sonar, needs a reboot)");
  CHECK(talk.sets == 0);
  const int reads = talk.reads;
  talk.run(20s);
  CHECK(talk.reads == reads);  // asked once, and what does not exist a few times
  for (const auto& [name, value] :
       Settings{{"VISO_TYPE", 1}, {"EK3_SRC1_VELXY", 6}, {"EK3_SRC_OPTIONS", 2}, {"RNGFND1_TYPE", 10}})
    talk.tell(name, value);
  talk.run(2s);
  // They are right, and not in force.
  CHECK(talk.link.vehicle().advice.view() == "reboot the autopilot for VISO_TYPE=1, RNGFND1_TYPE=10");
  talk.run(60s);
  CHECK(talk.link.vehicle().advice.view() == "reboot the autopilot for VISO_TYPE=1, RNGFND1_TYPE=10");
  talk.settings["VISO_TYPE"] = 1;
  talk.settings["RNGFND1_TYPE"] = 10;
  talk.settings["EK3_SRC1_VELXY"] = 6;
  talk.settings["EK3_SRC_OPTIONS"] = 2;
  talk.reboot();
  talk.run(20s);
  CHECK(talk.link.vehicle().advice.view() == "");
  talk.tell("EK3_SRC1_YAW", 6);   // a delta tells no heading
  talk.tell("VISO_POS_Z", 0.25);  // of the camera, but what we tell is how base_link moves
  talk.run(2s);
  CHECK(talk.link.vehicle().advice.view() == "set VISO_POS_Z=0 (is 0.25), EK3_SRC1_YAW=1 (is 6)");
}

TEST_CASE("Poses need other settings than deltas") {
  LinkOptions options;
  options.absolute_vision = true;
  options.switch_sources = false;
  Settings settings = factory_settings();
  settings["EK3_SRC1_YAW"] = 6;
  SetupTalk talk(settings, options);
  talk.run(20s);
  CHECK(talk.link.vehicle().advice.view() ==
        "set VISO_TYPE=1 (is 0, needs a reboot), EK3_SRC1_POSXY=6 (is 3), RNGFND1_TYPE (is 0: no sonar, needs a "
        "reboot)");
}

TEST_CASE("The settings that we hand out leave nothing to advise") {
  Settings settings = factory_settings();
  std::istringstream lines{std::string(sub_parameters())};
  int count = 0;
  for (std::string line; std::getline(lines, line);) {
    if (line.empty() || line[0] == '#') continue;
    std::istringstream words(line);
    std::string name, rest;
    float value = 0;
    REQUIRE_MESSAGE(bool(words >> name >> value), line);
    CHECK_FALSE(bool(words >> rest));
    CHECK(name.size() <= 16);
    settings[name] = value;
    ++count;
  }
  CHECK(count > 50);
  SetupTalk talk(settings);
  talk.run(20s);
  CHECK(talk.link.vehicle().advice.view() == "");
  CHECK(settings.at("FRAME_CONFIG") == 1);
}

TEST_CASE("A setting that is not taken is told") {
  LinkOptions options;
  options.parameters = {{"SYSID_MYGCS", 200}};
  SetupTalk talk({}, options);
  talk.run(10s);
  CHECK(talk.sets > 0);
  CHECK(talk.link.vehicle().advice.view() == "SYSID_MYGCS was not accepted");
}

TEST_CASE("A setting that we write counts after a reboot if it is one of those and is not written twice") {
  LinkOptions options;
  options.parameters = {{"VISO_TYPE", 1}, {"SCR_ENABLE", 1}, {"WPNAV_SPEED", 50}, {"EK3_SRC1_VELXY", 6}};
  Settings settings = factory_settings();
  settings["EK3_SRC_OPTIONS"] = 0;
  settings["RNGFND1_TYPE"] = 10;
  settings["SCR_ENABLE"] = 0;
  settings["WPNAV_SPEED"] = 50;
  SetupTalk talk(settings, options);
  talk.takes_settings = true;
  talk.run(20s);
  CHECK(talk.sets == 3);  // WPNAV_SPEED is as it should be
  CHECK(talk.link.vehicle().advice.view() ==
        "reboot the autopilot for SCR_ENABLE=1; reboot the autopilot for VISO_TYPE=1");
  talk.reboot();
  talk.run(20s);
  CHECK(talk.sets == 3);
  CHECK(talk.link.vehicle().advice.view() == "");
}

TEST_CASE("The settings that would let it thrust on are named") {
  Settings settings{{"FS_PILOT_INPUT", 2},
                    {"FS_PILOT_TIMEOUT", 3},
                    {"FS_GCS_ENABLE", 2},
                    {"FS_GCS_TIMEOUT", 5},
                    {"RC_OVERRIDE_TIME", 3}};
  const auto advice = [](const Settings& given) {
    SetupTalk talk(given);
    talk.run(30s);
    return std::string(talk.link.vehicle().failsafe_advice.view());
  };
  CHECK(advice({}) == "");  // not received
  CHECK(advice(settings) == "");
  settings["FS_PILOT_INPUT"] = 1;  // neutral sticks
  settings["FS_GCS_ENABLE"] = 4;
  settings["FS_PILOT_TIMEOUT"] = 0.5F;
  CHECK(advice(settings) == "");
  CHECK(advice({{"FS_PILOT_INPUT", 0}}) == "set FS_PILOT_INPUT=1 (is 0)");
  CHECK(advice({{"FS_PILOT_TIMEOUT", 10}}) == "set FS_PILOT_TIMEOUT=3 (is 10)");
  CHECK(advice({{"FS_GCS_ENABLE", 1}, {"FS_GCS_TIMEOUT", 60}}) ==
        "set FS_GCS_ENABLE=2 (is 1), FS_GCS_TIMEOUT=5 (is 60)");
  CHECK(advice({{"RC_OVERRIDE_TIME", -1}}) == "set RC_OVERRIDE_TIME=3 (is -1)");
  CHECK(advice({{"RC_OVERRIDE_TIME", 0}}) == "set RC_OVERRIDE_TIME=3 (is 0)");
}

TEST_CASE("An autopilot that demands signing is named as such") {
  for (const bool signs : {false, true}) {
    LinkOptions options;
    options.signs = signs;
    SetupTalk talk({}, options);
    talk.silent = talk.is_signed = true;
    talk.run(5s);
    CHECK(talk.link.demands_signing(talk.time) == !signs);
    const std::string_view advice = talk.link.vehicle().advice.view();
    CHECK((advice ==
           "it requires signing: its frames are signed and it does not answer unsigned ones; set signing_key") ==
          !signs);
  }
  SetupTalk open(factory_settings());  // signs, but listens to all, as on USB
  open.is_signed = true;
  open.run(5s);
  CHECK_FALSE(open.link.demands_signing(open.time));
}

TEST_CASE("An autopilot that listens to others only is told") {
  SetupTalk talk({});
  talk.silent = true;
  talk.run(60s);
  CHECK(talk.link.vehicle().advice.view() ==
        "no answer: set SYSID_ENFORCE=0 or MAV_OPTIONS to accept system 200, or source_system: 255");
  talk.silent = false;
  talk.run(10s);
  CHECK(talk.link.vehicle().advice.view() == "");
}

TEST_CASE("Sticks go out under the system number that the autopilot obeys") {
  const auto pilot = [](const Settings& settings) {
    SetupTalk talk(settings);
    talk.run(20s);
    return talk.link.pilot();
  };
  CHECK(pilot({}) == mavlink::Address{255, 197});
  CHECK(pilot({{"SYSID_MYGCS", 255}}) == mavlink::Address{255, 197});
  CHECK(pilot({{"SYSID_MYGCS", 252}}) == mavlink::Address{252, 197});
  CHECK(pilot({{"SYSID_MYGCS", 200}}) == mavlink::Address{200, 197});  // ours
  CHECK(pilot({{"MAV_GCS_SYSID", 254}}) == mavlink::Address{254, 197});
  CHECK(pilot({{"MAV_GCS_SYSID", 254}, {"MAV_GCS_SYSID_HI", 0}}) == mavlink::Address{254, 197});
  CHECK(pilot({{"MAV_GCS_SYSID", 1}, {"MAV_GCS_SYSID_HI", 255}}) == mavlink::Address{200, 197});
  CHECK(pilot({{"MAV_GCS_SYSID", 0}}) == mavlink::Address{255, 197});
}

TEST_CASE("Both addresses of the bridge have sequences of their own on one link") {
  mavlink::LinkOptions own;
  own.channel.own = {200, 197};
  auto vehicle = mavlink::Link::open("udpin:127.0.0.1:0", {});
  REQUIRE(vehicle.ok());
  auto link = mavlink::Link::open("udpout:" + vehicle->local().text(), own);
  REQUIRE(link.ok());
  Link autopilot{LinkOptions{}};
  for (int i = 0; i < 3; ++i) {
    CHECK(link->send(mavlink::Heartbeat{.type = 18, .autopilot = 8}));
    CHECK(autopilot.as_pilot(*link).send(mavlink::ManualControl{.target = 1, .z = 500}));
  }
  std::map<int, std::vector<int>> sequences;
  for (int i = 0; i < 6; ++i) {
    const auto frame = vehicle->receive(now() + 20s);
    REQUIRE(frame);
    CHECK(frame->source.component == 197);
    CHECK(frame->is<mavlink::ManualControl>() == (frame->source.system == 255));
    sequences[frame->source.system].push_back(frame->sequence);
  }
  CHECK(sequences[200] == std::vector{0, 1, 2});
  CHECK(sequences[255] == std::vector{0, 1, 2});
}

TEST_CASE("A sonar is heard by either message and the finer one counts") {
  SetupTalk talk({});
  talk.run(2s);
  CHECK(talk.asked[mavlink::RangeFinder::wire_id] == 1);
  CHECK(talk.asked[mavlink::DistanceSensor::wire_id] == 0);
  talk.run(3s);
  CHECK(talk.asked[mavlink::DistanceSensor::wire_id] >= 1);  // no RANGEFINDER came
  talk.say(mavlink::DistanceSensor{.current_distance = 444, .orientation = 0});
  CHECK(talk.link.vehicle().sonar_at == Instant{});  // looks ahead
  talk.say(mavlink::DistanceSensor{.current_distance = 250, .orientation = 25});
  CHECK(talk.link.vehicle().sonar == doctest::Approx(2.5));
  CHECK(talk.link.take_events().sonar);
  talk.say(mavlink::RangeFinder{.distance = 2.512F});
  talk.say(mavlink::DistanceSensor{.current_distance = 251, .orientation = 25});
  CHECK(talk.link.vehicle().sonar == doctest::Approx(2.512));
}

TEST_CASE("A stream that a ground station slows down is asked for again") {
  SetupTalk talk({});
  const auto stream_for = [&](Duration duration, Duration interval) {
    std::uint32_t boot_ms = 0;
    for (const Instant end = talk.time + duration; talk.time < end;) {
      const auto since = std::chrono::duration_cast<std::chrono::milliseconds>(talk.time - Instant{900s});
      boot_ms = static_cast<std::uint32_t>(since.count());
      talk.say(mavlink::Attitude{.time_boot_ms = boot_ms});
      talk.run(interval, interval);
    }
  };
  const int& asked = talk.asked[mavlink::Attitude::wire_id];
  stream_for(12s, 20ms);
  CHECK(asked == 1);  // as often as it was asked for
  stream_for(6s, 250ms);
  CHECK(asked >= 2);  // 4 Hz
  const int before = asked;
  stream_for(12s, 20ms);
  CHECK(asked == before);
}

TEST_CASE("An autopilot that does not know a message is not asked for it all the time") {
  SetupTalk talk({});
  talk.denied = mavlink::RangeFinder::wire_id;
  talk.run(50s);
  CHECK(talk.asked[mavlink::RangeFinder::wire_id] == 1);  // it tells everybody each time
  CHECK(talk.asked[mavlink::EkfStatusReport::wire_id] > 5);
  talk.run(20s);
  CHECK(talk.asked[mavlink::RangeFinder::wire_id] == 2);
}
