// SPDX-License-Identifier: Apache-2.0
// What ground stations notice: answers, refusals, buttons, set points, in ArduSub's words.
#include <doctest/doctest.h>

#include <array>
#include <cmath>
#include <random>

#include "tandem/protocols/mavlink/codec/dialect.hpp"
#include "tests/machines/orca/virtual/autopilot_rig.hpp"

namespace tandem::orca {

using mavlink::CommandResult;

TEST_CASE("an upload that is not answered is asked for in the other form") {
  AutopilotRig rig;
  rig.tell(mavlink::MissionCount{.target_system = 1, .target_component = 1, .count = 1});
  CHECK(rig.heard.count<mavlink::MissionRequest>() == 1);
  CHECK(rig.heard.count<mavlink::MissionRequestInt>() == 0);
  rig.run(1);
  CHECK(rig.heard.count<mavlink::MissionRequestInt>() == 1);
}

TEST_CASE("buttons arm and change modes and light the lamps") {
  AutopilotRig rig;
  rig.run(1);
  mavlink::ManualControl sticks{.target = 1, .z = 500, .buttons = 1u << 6};
  rig.tell(sticks);
  CHECK(rig.autopilot.pilot().armed());
  const auto press = [&](int button) {
    rig.run(0.15);
    sticks.buttons = static_cast<std::uint16_t>(1u << button);
    rig.tell(sticks);
  };
  press(2);
  CHECK(rig.autopilot.pilot().mode() == Mode::alt_hold);
  press(3);
  CHECK(rig.autopilot.pilot().mode() == Mode::stabilize);
  press(14);
  CHECK(rig.command(512, 36) == CommandResult::accepted);
  CHECK(rig.heard.last<mavlink::ServoOutputRaw>()->servo9_raw == 1200);
  press(11);
  CHECK(rig.heard.said("#Gain is 75%"));
  press(4);
  CHECK_FALSE(rig.autopilot.pilot().armed());
}

TEST_CASE("commands are refused as ArduSub refuses them") {
  AutopilotRig rig;
  rig.run(1);
  CHECK(rig.command(300) == CommandResult::failed);  // not armed
  CHECK(rig.command(176, 0, 2) == CommandResult::denied);
  CHECK(rig.command(176, std::nanf(""), 2) == CommandResult::denied);
  CHECK(rig.command(520, 0) == CommandResult::failed);
  CHECK(rig.command(520, 1) == CommandResult::accepted);
  CHECK((rig.heard.last<mavlink::AutopilotVersion>()->capabilities & 0x20) == 0);  // no files
  CHECK(rig.command(410) == CommandResult::failed);                                // no home yet
  rig.origin();
  CHECK(rig.command(410) == CommandResult::accepted);
  CHECK(rig.command(510, 9999) == CommandResult::failed);
  CHECK(rig.heard.last<mavlink::MessageInterval>()->interval_us == 0);
  CHECK(rig.command(510, 0) == CommandResult::accepted);
  CHECK(rig.heard.last<mavlink::MessageInterval>()->interval_us == 1000000);
  CHECK(rig.command(512, 32) == CommandResult::accepted);  // known, but there is nothing to say
  CHECK(rig.heard.count<mavlink::LocalPositionNed>() == 0);
  CHECK(rig.command(241) == CommandResult::unsupported);
  CHECK(rig.command(241, 1) == CommandResult::accepted);
  CHECK(rig.command(246, 0) == CommandResult::unsupported);
  CHECK(rig.command(192) == CommandResult::unsupported);
  CHECK(rig.command(183, 1, 1600) == CommandResult::failed);  // a thruster's
  CHECK(rig.command(183, 11, 1600) == CommandResult::accepted);
  CHECK(rig.command(178, 1, 0.5F) == CommandResult::accepted);
  CHECK(rig.command(178, 2, 0.5F) == CommandResult::denied);
  CHECK(rig.command(115, 400) == CommandResult::denied);
  CHECK(rig.command(209, 0, 0) == CommandResult::failed);
  CHECK(rig.command(400, 1, 2989) == CommandResult::accepted);
  CHECK(rig.command(246, 1) == CommandResult::failed);
  CHECK(rig.command(241, 1) == CommandResult::failed);
  CHECK(rig.command(401) == CommandResult::temporarily_rejected);
  CHECK(rig.command(185, 1) == CommandResult::accepted);
  CHECK_FALSE(rig.autopilot.pilot().armed());
  CHECK(rig.command(246, 1) == CommandResult::accepted);
  CHECK(rig.autopilot.restart_wanted());
}

TEST_CASE("a motor that is tested turns for half a second and then all disarm") {
  AutopilotRig rig;
  rig.run(1);
  REQUIRE(rig.command(400, 1) == CommandResult::accepted);
  mavlink::CommandLong test{.target_system = 1, .target_component = 1, .command = 209};
  test.param1 = 2;
  test.param3 = 75;
  test.param6 = 2;
  rig.tell(test);
  CHECK(rig.heard.last<mavlink::CommandAck>()->result == 0);
  rig.run(0.2);
  rig.command(512, 36);
  CHECK(rig.heard.last<mavlink::ServoOutputRaw>()->servo3_raw == 1700);
  CHECK(rig.heard.last<mavlink::ServoOutputRaw>()->servo1_raw == 1500);
  rig.run(0.5);
  CHECK(rig.heard.said("Motor test timed out!"));
  CHECK_FALSE(rig.autopilot.pilot().armed());
}

TEST_CASE("a pose of vision counts in the frames that ArduPilot takes and in no others") {
  struct Case {
    std::uint8_t frame, child;
    std::int8_t quality;
    bool taken;
  };
  for (const Case& one : {Case{20, 12, 80, true}, Case{20, 12, 0, true}, Case{1, 12, 80, false}, Case{20, 8, 80, false},
                          Case{21, 12, 80, false}, Case{20, 12, -1, false}}) {
    CAPTURE(one.frame);
    CAPTURE(one.child);
    CAPTURE(one.quality);
    AutopilotRig rig;
    rig.tell(
        mavlink::ParamSet{.target_system = 1, .target_component = 1, .param_id = "EK3_SRC1_POSXY", .param_value = 6});
    rig.origin();
    for (int i = 0; i < 40; ++i) {
      rig.run(0.1);
      rig.tell(mavlink::Odometry{
          .frame_id = one.frame, .child_frame_id = one.child, .q = {1, 0, 0, 0}, .quality = one.quality});
    }
    CHECK(rig.autopilot.estimate().position_good == one.taken);
  }
}

TEST_CASE("what ArduPilot reads when it starts counts after a reboot") {
  for (const bool from_the_start : {false, true}) {
    AutopilotMemory memory;
    memory.parameters = {{"VISO_TYPE", from_the_start ? 1 : 0}};
    AutopilotRig rig(AutopilotRig::under_water(), memory);
    const auto set_type = [&](float type) {
      rig.tell(mavlink::ParamSet{
          .target_system = 1, .target_component = 1, .param_id = "VISO_TYPE", .param_value = type, .param_type = 2});
      CHECK(rig.heard.last<mavlink::ParamValue>()->param_value == type);
    };
    set_type(1);
    rig.aid();
    CHECK(rig.autopilot.estimate().position_good == from_the_start);
    set_type(0);  // which counts at once
    rig.run(8);
    CHECK_FALSE(rig.autopilot.estimate().position_good);
  }
}

TEST_CASE("the first origin counts and no later one is echoed") {
  AutopilotRig rig;
  rig.origin();
  REQUIRE(rig.heard.last<mavlink::GpsGlobalOrigin>());
  rig.heard.forget<mavlink::GpsGlobalOrigin>();
  rig.tell(mavlink::SetGpsGlobalOrigin{.target_system = 1, .latitude = 100000000, .longitude = 100000000});
  CHECK_FALSE(rig.heard.last<mavlink::GpsGlobalOrigin>());
  rig.command(512, 49);
  CHECK(rig.heard.last<mavlink::GpsGlobalOrigin>()->latitude == 476302000);
}

TEST_CASE("a global set point is above home or not flown and a fence that is not there is healthy") {
  AutopilotRig rig;
  rig.aid();
  REQUIRE(rig.command(176, 1, 4) == CommandResult::accepted);
  REQUIRE(rig.command(400, 1) == CommandResult::accepted);
  const GlobalPlace place = global_from_ned({476302000, -1223982391, 0}, {1, 2, 0});
  mavlink::SetPositionTargetGlobalInt target{.target_system = 1, .target_component = 1};
  target.type_mask = 0x0DF8;
  target.lat_int = place.latitude;
  target.lon_int = place.longitude;
  target.alt = -1.5F;
  for (const std::uint8_t frame : std::array<std::uint8_t, 4>{0, 5, 1, 2}) {
    target.coordinate_frame = frame;
    rig.tell(target);
    CHECK((*rig.autopilot.pilot().destination() - Eigen::Vector3d(1, 2, 1.5)).norm() > 0.5);
  }
  target.coordinate_frame = 6;
  rig.tell(target);
  CHECK((*rig.autopilot.pilot().destination() - Eigen::Vector3d(1, 2, 1.5)).norm() < 0.02);
  rig.command(512, 1);
  constexpr std::uint32_t fence = 0x100000;
  CHECK((rig.heard.last<mavlink::SysStatus>()->onboard_control_sensors_health & fence) != 0);
  CHECK((rig.heard.last<mavlink::SysStatus>()->onboard_control_sensors_present & fence) == 0);
}

TEST_CASE("set points count by their masks and frames and a waypoint for now is flown") {
  AutopilotRig rig;
  rig.aid();
  REQUIRE(rig.command(176, 1, 4) == CommandResult::accepted);
  REQUIRE(rig.command(400, 1) == CommandResult::accepted);
  mavlink::SetPositionTargetLocalNed local{.target_system = 1, .target_component = 1};
  local.coordinate_frame = 1;
  local.type_mask = 0x0DF8;
  local.x = 3;
  local.z = 1;
  rig.tell(local);
  REQUIRE(rig.autopilot.pilot().destination());
  CHECK((*rig.autopilot.pilot().destination() - Eigen::Vector3d(3, 0, 1)).norm() < 1e-6);
  local.type_mask = 0x0C38;  // with accelerations: not flown
  local.x = 9;
  rig.tell(local);
  CHECK(rig.autopilot.pilot().destination()->x() == doctest::Approx(3));
  local.coordinate_frame = 9;  // from here
  local.type_mask = 0x0DF8;
  local.x = local.z = 0;
  rig.tell(local);
  CHECK((*rig.autopilot.pilot().destination() - rig.autopilot.estimate().position).norm() < 1e-3);
  const GlobalPlace place = global_from_ned({476302000, -1223982391, 0}, {1, 2, 0});
  rig.tell(mavlink::MissionItemInt{.target_system = 1,
                                   .target_component = 1,
                                   .frame = 3,
                                   .command = 16,
                                   .current = 2,
                                   .x = place.latitude,
                                   .y = place.longitude,
                                   .z = -1.25F});
  CHECK(rig.heard.last<mavlink::MissionAck>()->type == 0);
  CHECK((*rig.autopilot.pilot().destination() - Eigen::Vector3d(1, 2, 1.25)).norm() < 0.02);
  mavlink::CommandInt go{.target_system = 1, .target_component = 1, .frame = 6, .command = 192};
  go.x = place.latitude;
  go.y = place.longitude;
  go.z = -2;
  rig.tell(go);
  CHECK(rig.heard.last<mavlink::CommandAck>()->result == 0);
  CHECK(rig.autopilot.pilot().destination()->z() == doctest::Approx(2));
}

TEST_CASE("commands to a component that nobody has heard of are answered and others are left to it") {
  AutopilotRig rig;
  const mavlink::CommandLong command{.target_system = 1, .target_component = 154, .command = 60001};
  rig.tell(command);
  REQUIRE(rig.heard.last<mavlink::CommandAck>());
  CHECK(rig.heard.last<mavlink::CommandAck>()->result == 3);
  rig.tell(mavlink::Heartbeat{.type = 26, .autopilot = 8}, {1, 154});
  rig.heard.forget<mavlink::CommandAck>();
  rig.tell(command);
  CHECK_FALSE(rig.heard.last<mavlink::CommandAck>());
  mavlink::CommandLong other = command;
  other.target_system = 2;
  rig.tell(other);
  CHECK_FALSE(rig.heard.last<mavlink::CommandAck>());
}

TEST_CASE("files are refused at once") {
  AutopilotRig rig;
  mavlink::FileTransferProtocol open{.target_system = 1, .target_component = 1};
  open.payload[0] = 7;  // sequence
  open.payload[3] = 4;  // open to read
  rig.tell(open);
  const auto answer = rig.heard.last<mavlink::FileTransferProtocol>();
  REQUIRE(answer);
  CHECK(answer->target_system == 255);
  CHECK(answer->payload[0] == 8);
  CHECK(answer->payload[3] == 129);
  CHECK(answer->payload[4] == 1);
  CHECK(answer->payload[5] == 4);
  CHECK(answer->payload[12] == 10);  // no such file
  open.payload[3] = 2;               // end all sessions
  rig.tell(open);
  CHECK(rig.heard.last<mavlink::FileTransferProtocol>()->payload[3] == 128);
}

TEST_CASE("no numbers in any message lead the thrusters astray") {
  AutopilotRig rig;
  rig.aid();
  std::mt19937_64 random(31);
  const auto any = [&] { return static_cast<std::uint8_t>(random() >> 32); };
  for (int round = 0; round < 40; ++round) {
    rig.command(400, 1, 21196);
    rig.command(176, 1, static_cast<float>(random() % 22));
    for (const mavlink::MessageInfo& info : mavlink::all_infos()) {
      mavlink::FrameBuffer buffer;
      std::uint8_t* const payload = buffer.data.data() + mavlink::header_v2;
      for (std::size_t i = 0; i < info.full_size; ++i) payload[i] = any() % 3 == 0 ? std::uint8_t{0} : any();
      if (info.target_system >= 0) payload[info.target_system] = 1;
      if (info.target_component >= 0) payload[info.target_component] = 1;
      mavlink::Parser parser;
      parser.feed(mavlink::finish_frame(buffer, {.source = {255, 190}}, info));
      if (const auto frame = parser.next()) rig.autopilot.handle(*frame, 0, rig.now());
    }
    rig.heard.texts.clear();
    rig.run(0.02);
    REQUIRE(rig.command(512, 36) == CommandResult::accepted);
    const auto servos = rig.heard.last<mavlink::ServoOutputRaw>();
    for (const std::uint16_t pulse : {servos->servo1_raw, servos->servo2_raw, servos->servo3_raw, servos->servo4_raw,
                                      servos->servo5_raw, servos->servo6_raw}) {
      CHECK(pulse >= 1100);
      CHECK(pulse <= 1900);
    }
  }
}

TEST_CASE("what was set before the first heartbeat stays as it was set") {
  AutopilotRig rig;
  CHECK(rig.command(511, 30, -1) == CommandResult::accepted);
  rig.tell(mavlink::Heartbeat{.type = 6, .autopilot = 8});
  rig.run(1);
  CHECK(rig.heard.count<mavlink::Attitude>() == 0);
  CHECK(rig.heard.count<mavlink::GpsRawInt>() > 2);
  CHECK(rig.heard.count<mavlink::NamedValueFloat>() > 20);
  CHECK(rig.heard.last<mavlink::Heartbeat>()->base_mode == 1 + 16 + 64);
}

}  // namespace tandem::orca
