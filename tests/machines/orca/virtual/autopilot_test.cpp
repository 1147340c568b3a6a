// SPDX-License-Identifier: Apache-2.0
#include "tandem/machines/orca/virtual/autopilot/autopilot.hpp"

#include <doctest/doctest.h>

#include <cmath>

#include "tandem/machines/orca/virtual/autopilot/parameters.hpp"
#include "tests/allocations.hpp"
#include "tests/machines/orca/virtual/autopilot_rig.hpp"

namespace tandem::orca {
namespace {

using mavlink::CommandResult;

mavlink::Heartbeat ground_heartbeat() {
  return {.type = mavlink::vehicle_type::ground_station, .autopilot = mavlink::autopilot::none};
}

bool all_still(const mavlink::ServoOutputRaw& servos) {
  return servos.servo1_raw == 1500 && servos.servo2_raw == 1500 && servos.servo3_raw == 1500 &&
         servos.servo4_raw == 1500 && servos.servo5_raw == 1500 && servos.servo6_raw == 1500;
}

}  // namespace

TEST_CASE("heartbeats come from the start and streams at 4 Hz after somebody was heard") {
  AutopilotRig rig;
  rig.run(2.05);
  CHECK(rig.heard.count<mavlink::Heartbeat>() == 3);
  const auto heartbeat = rig.heard.last<mavlink::Heartbeat>();
  REQUIRE(heartbeat);
  CHECK(heartbeat->type == 12);
  CHECK(heartbeat->autopilot == 3);
  CHECK(heartbeat->custom_mode == 19);
  CHECK(rig.heard.count<mavlink::Attitude>() == 0);
  rig.tell(ground_heartbeat());
  rig.run(2);
  CHECK(rig.heard.count<mavlink::Attitude>() == doctest::Approx(8).epsilon(0.15));
  CHECK(rig.heard.count<mavlink::RangeFinder>() > 5);
  CHECK(rig.heard.count<mavlink::EkfStatusReport>() > 5);
  CHECK(rig.heard.count<mavlink::LocalPositionNed>() == 0);  // no aiding
  CHECK(rig.heard.last<mavlink::RangeFinder>()->distance == doctest::Approx(2.4).epsilon(0.05));
  CHECK(rig.heard.last<mavlink::ScaledPressure2>()->press_abs == doctest::Approx(1013.25 + 150.6).epsilon(0.01));
  CHECK(rig.heard.last<mavlink::EkfStatusReport>()->flags == 231);
  CHECK(rig.heard.last<mavlink::GlobalPositionInt>()->relative_alt == doctest::Approx(-1500).epsilon(0.1));
}

TEST_CASE("intervals of messages are set and told and unknown ones denied") {
  AutopilotRig rig;
  rig.run(0.1);
  CHECK(rig.command(511, 30, 50000) == CommandResult::accepted);
  rig.run(1);
  CHECK(rig.heard.count<mavlink::Attitude>() == doctest::Approx(20).epsilon(0.1));
  CHECK(rig.command(510, 30) == CommandResult::accepted);
  CHECK(rig.heard.last<mavlink::MessageInterval>()->interval_us == 50000);
  CHECK(rig.command(511, 30, -1) == CommandResult::accepted);
  rig.heard.forget<mavlink::Attitude>();
  rig.run(0.5);
  CHECK(rig.heard.count<mavlink::Attitude>() == 0);
  CHECK(rig.command(511, 9999, 50000) == CommandResult::denied);
  CHECK(rig.command(511, 30, std::nanf("")) == CommandResult::denied);
  rig.tell(mavlink::RequestDataStream{
      .target_system = 1, .target_component = 1, .req_stream_id = 10, .req_message_rate = 10, .start_stop = 1});
  rig.run(1);
  CHECK(rig.heard.count<mavlink::Attitude>() == doctest::Approx(10).epsilon(0.15));
  CHECK(rig.command(512, 148) == CommandResult::accepted);
  CHECK(rig.heard.count<mavlink::AutopilotVersion>() == 1);
  CHECK(rig.command(512, 12345) == CommandResult::failed);
}

TEST_CASE("commands that are not known are refused as unsupported") {
  AutopilotRig rig;
  for (const std::uint16_t number : {std::uint16_t{20}, std::uint16_t{22}, std::uint16_t{519}, std::uint16_t{60000}})
    CHECK(rig.command(number, 1) == CommandResult::unsupported);
  CHECK(rig.command(400, 7) == CommandResult::unsupported);
  CHECK(rig.command(42007, 9) == CommandResult::denied);
  CHECK(rig.command(42007, 2) == CommandResult::accepted);
}

TEST_CASE("parameters are listed whole and changed within their ranges") {
  AutopilotRig rig;
  rig.tell(mavlink::ParamRequestList{.target_system = 1, .target_component = 1});
  rig.run(3);
  CHECK(rig.heard.said("Frame: VECTORED"));
  const auto value = rig.heard.last<mavlink::ParamValue>();
  REQUIRE(value);
  CHECK(rig.heard.count<mavlink::ParamValue>() == static_cast<int>(parameter_table().size()));
  CHECK(value->param_count == parameter_table().size());
  const auto write = [&](const char* name, float number) {
    rig.tell(mavlink::ParamSet{
        .target_system = 1, .target_component = 1, .param_id = name, .param_value = number, .param_type = 9});
    return rig.heard.last<mavlink::ParamValue>()->param_value;
  };
  CHECK(write("WPNAV_SPEED", 80) == 80);
  CHECK(rig.autopilot.pilot().settings().level_speed == doctest::Approx(0.8));
  CHECK(value->param_index == parameter_table().size() - 1);
  CHECK(rig.heard.last<mavlink::ParamValue>()->param_index == 65535);
  CHECK(write("WPNAV_SPEED", -5) == -5);  // it is taken, and not flown
  CHECK(rig.autopilot.pilot().settings().level_speed == doctest::Approx(0.1));
  CHECK(write("FS_GCS_ENABLE", 2.7F) == 2);
  CHECK(write("SYSID_THISMAV", 7) == 1);
  CHECK(rig.heard.said("Param write denied (SYSID_THISMAV)"));
  rig.heard.forget<mavlink::ParamValue>();
  rig.tell(mavlink::ParamRequestRead{.target_system = 1, .target_component = 1, .param_id = "NO_SUCH_NAME"});
  CHECK(rig.heard.count<mavlink::ParamValue>() == 1);  // index 0 was asked for, whatever the name
  rig.tell(mavlink::ParamRequestRead{
      .target_system = 1, .target_component = 1, .param_id = "NO_SUCH_NAME", .param_index = -1});
  CHECK(rig.heard.count<mavlink::ParamValue>() == 1);
  CHECK(write("VISO_DELAY_MS", 50) == 50);
  CHECK(rig.autopilot.estimator().options().vision_delay == doctest::Approx(0.05));
}

TEST_CASE("modes and arming are refused with a reason and disarming stops the thrusters at once") {
  AutopilotRig rig;
  CHECK(rig.command(400, 1) == CommandResult::failed);
  CHECK(rig.heard.said("Arm: AHRS: waiting for EKF"));
  rig.run(1);
  CHECK(rig.command(176, 1, 16) == CommandResult::failed);
  CHECK(rig.heard.said("Mode change to POSHOLD failed: requires position"));
  CHECK(rig.command(176, 1, 2) == CommandResult::accepted);
  CHECK(rig.command(176, 1, 5) == CommandResult::failed);
  CHECK(rig.command(400, 1) == CommandResult::accepted);
  rig.tell(mavlink::ManualControl{.target = 1, .x = 500, .z = 200});
  rig.run(0.5);
  CHECK(rig.command(512, 36) == CommandResult::accepted);
  CHECK_FALSE(all_still(*rig.heard.last<mavlink::ServoOutputRaw>()));
  CHECK(rig.command(400, 0) == CommandResult::accepted);
  CHECK(rig.command(512, 36) == CommandResult::accepted);
  CHECK(all_still(*rig.heard.last<mavlink::ServoOutputRaw>()));
  rig.tell(mavlink::SetMode{.target_system = 1, .base_mode = 1, .custom_mode = 19});
  CHECK(rig.autopilot.pilot().mode() == Mode::manual);
}

TEST_CASE("sticks count from the named ground station only and not for ever") {
  AutopilotRig rig;
  rig.run(1);
  REQUIRE(rig.command(400, 1) == CommandResult::accepted);
  const mavlink::ManualControl forward{.target = 1, .x = 1000, .z = 500};
  rig.tell(forward, {200, 197});
  rig.run(0.1);
  rig.command(512, 36);
  CHECK(all_still(*rig.heard.last<mavlink::ServoOutputRaw>()));
  rig.tell(forward);
  rig.run(0.1);
  rig.command(512, 36);
  CHECK(rig.heard.last<mavlink::ServoOutputRaw>()->servo3_raw > 1700);
  CHECK(rig.heard.last<mavlink::ServoOutputRaw>()->servo1_raw < 1300);
  rig.run(3.2);
  rig.command(512, 36);
  CHECK(all_still(*rig.heard.last<mavlink::ServoOutputRaw>()));
  mavlink::RcChannelsOverride sticks{.target_system = 1, .target_component = 1};
  sticks.chan1_raw = sticks.chan2_raw = sticks.chan3_raw = sticks.chan4_raw = sticks.chan6_raw = 65535;
  sticks.chan7_raw = sticks.chan8_raw = 65535;
  sticks.chan5_raw = 1900;
  rig.tell(sticks);
  rig.run(0.1);
  rig.command(512, 36);
  CHECK(rig.heard.last<mavlink::ServoOutputRaw>()->servo3_raw > 1700);
}

TEST_CASE("a ground station that falls silent disarms and leaks are told") {
  AutopilotRig rig;
  rig.tell(ground_heartbeat());
  rig.run(1);
  REQUIRE(rig.command(400, 1) == CommandResult::accepted);
  rig.run(4.2);
  CHECK_FALSE(rig.autopilot.pilot().armed());
  CHECK(rig.heard.said("MYGCS: heartbeat lost"));
  rig.faults.leak = true;
  rig.run(0.05);
  CHECK(rig.heard.said("Leak Detected"));
  CHECK(rig.command(400, 1) == CommandResult::failed);
  CHECK(rig.heard.said("Arm: Leak detected"));
}

TEST_CASE("time and ping are answered") {
  AutopilotRig rig;
  rig.run(0.5);
  rig.tell(mavlink::TimeSync{0, 123456789});
  const auto sync = rig.heard.last<mavlink::TimeSync>();
  REQUIRE(sync);
  CHECK(sync->ts1 == 123456789);
  CHECK(static_cast<double>(sync->tc1) == doctest::Approx(0.5e9).epsilon(0.05));
  rig.tell(mavlink::Ping{.time_usec = 5, .seq = 9});
  REQUIRE(rig.heard.last<mavlink::Ping>());
  CHECK(rig.heard.last<mavlink::Ping>()->target_system == 255);
  CHECK(rig.heard.last<mavlink::Ping>()->seq == 9);
}

TEST_CASE("without vision the vehicle drifts with the water and with it it holds its place") {
  BodyOptions options = AutopilotRig::under_water();
  options.current = {0, 0.15, 0};
  AutopilotRig rig(options);
  rig.tell(ground_heartbeat());
  rig.aid();
  CHECK(rig.heard.said("EKF3 IMU0 started relative aiding"));
  CHECK(rig.heard.last<mavlink::GpsGlobalOrigin>()->latitude == 476302000);
  CHECK(rig.heard.count<mavlink::LocalPositionNed>() > 0);
  REQUIRE(rig.command(176, 1, 16) == CommandResult::accepted);
  REQUIRE(rig.command(400, 1) == CommandResult::accepted);
  rig.tell(ground_heartbeat());
  rig.run(4);
  const Eigen::Vector3d settled = rig.body.truth().X_map_base.translation();
  rig.tell(ground_heartbeat());
  rig.run(4);
  const Eigen::Vector3d held = rig.body.truth().X_map_base.translation();
  CHECK((held - settled).norm() < 0.15);
  rig.vision = false;
  REQUIRE(rig.command(42007, 2) == CommandResult::accepted);
  rig.tell(ground_heartbeat());
  rig.run(4.5);
  CHECK((rig.body.truth().X_map_base.translation() - held).norm() > 0.25);
  CHECK(rig.heard.said("EKF position lost"));
}

TEST_CASE("a mission is taken and flown item by item") {
  AutopilotRig rig;
  rig.aid();
  const GlobalPlace origin{476302000, -1223982391, 0};
  CHECK(rig.command(176, 1, 3) == CommandResult::failed);  // none yet
  rig.tell(mavlink::MissionCount{.target_system = 1, .target_component = 1, .count = 2});
  for (std::uint16_t seq = 0; seq < 2; ++seq) {
    REQUIRE(rig.heard.last<mavlink::MissionRequest>());  // as ArduPilot asks
    CHECK(rig.heard.last<mavlink::MissionRequest>()->seq == seq);
    const GlobalPlace place = global_from_ned(origin, {seq * 0.5, 0, 0});
    rig.tell(mavlink::MissionItemInt{.target_system = 1,
                                     .target_component = 1,
                                     .seq = seq,
                                     .frame = 3,
                                     .command = 16,
                                     .x = place.latitude,
                                     .y = place.longitude,
                                     .z = -1.5F});
  }
  REQUIRE(rig.heard.last<mavlink::MissionAck>());
  CHECK(rig.heard.last<mavlink::MissionAck>()->type == 0);
  REQUIRE(rig.command(400, 1) == CommandResult::accepted);
  REQUIRE(rig.command(300) == CommandResult::accepted);
  CHECK(rig.autopilot.pilot().mode() == Mode::automatic);
  rig.run(5);
  CHECK(rig.heard.count<mavlink::MissionItemReached>() == 1);
  CHECK(rig.heard.said("Reached command #1"));
  CHECK(rig.heard.said("Mission complete"));
  CHECK(rig.autopilot.estimate().position.x() == doctest::Approx(0.5).epsilon(0.5));
}

TEST_CASE("faults that are asked for happen") {
  AutopilotRig rig;
  rig.run(1);
  REQUIRE(rig.command(400, 1) == CommandResult::accepted);
  rig.faults.next(VehicleFaults::disarm_itself);
  rig.run(0.05);
  CHECK_FALSE(rig.autopilot.pilot().armed());
  rig.faults.next(VehicleFaults::no_acknowledgement);
  CHECK_FALSE(rig.command(400, 1));
  CHECK(rig.autopilot.pilot().armed());
  rig.faults.progress_for_ever = 1;
  CHECK(rig.command(400, 0) == CommandResult::in_progress);
  rig.faults.progress_for_ever = 0;
  const auto resets = rig.autopilot.estimate().resets;
  rig.faults.next(VehicleFaults::estimator_reset);
  rig.run(0.05);
  CHECK(rig.autopilot.estimate().resets == resets + 1);
  rig.faults.sonar_zero = true;
  rig.run(0.05);
  CHECK(rig.command(512, 173) == CommandResult::accepted);
  CHECK(rig.heard.last<mavlink::RangeFinder>()->distance == 0);
}

TEST_CASE("a warm turn of the autopilot allocates nothing") {
  AutopilotRig rig;
  rig.tell(ground_heartbeat());
  rig.aid();
  rig.command(176, 1, 16);
  rig.command(400, 1);
  rig.run(0.5);
  rig.heard.keep_texts = false;
  const std::size_t before = allocations;
  const double dt = rig.body.timestep();
  for (int i = 0; i < 200; ++i) {
    rig.autopilot.step(rig.sensors.sample(rig.body.truth()), dt, rig.now() + i * duration_of(dt));
    rig.autopilot.poll(rig.now() + i * duration_of(dt), UtcTime{});
    if (i % 10 == 0) rig.see();
  }
  CHECK(allocations == before);
}

}  // namespace tandem::orca
