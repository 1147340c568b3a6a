// SPDX-License-Identifier: Apache-2.0
// What a subscriber on ROS sees of a device that reports nonsense: nothing.
#include <cmath>

#include "tandem/machines/em1500/control/machine.hpp"
#include "tandem/machines/em1500/options.hpp"
#include "tandem/machines/em1500/virtual/device.hpp"
#include "tandem/ros2/messages/geometry_msgs.hpp"
#include "tandem/ros2/messages/sensor_msgs.hpp"
#include "tandem/ros2/messages/std_msgs.hpp"
#include "tandem/ros2/node.hpp"
#include "tandem/runtime/config/config.hpp"
#include "tests/machines/em1500/rig.hpp"
#include "tests/ros2/loopback.hpp"
#include "tests/ros2/rosout.hpp"

using namespace tandem;
using namespace tandem::em1500;
using ros2::geometry_msgs::PoseStamped;
using ros2::sensor_msgs::JointState;
using ros2::std_msgs::Float64MultiArray;

namespace {

// The virtual PLC, the bridge under its supervisor, and a subscriber to what it publishes.
struct Stage {
  Stage()
      : plc(make_virtual_device(plc_setup(script, wire, clock))),
        context(ros2::loopback_options()),
        node(context, "listener"),
        legs(node.subscribe<Float64MultiArray>("/stewart/legs_em1500", ros2::Qos::standard(),
                                               [this](const Float64MultiArray& message, const ros2::MessageInfo&) {
                                                 ++messages;
                                                 odd += message.data.size() != 6;
                                                 for (const double leg : message.data) look_at(leg);
                                               })),
        pose(node.subscribe<PoseStamped>("/stewart/pose", ros2::Qos::standard(),
                                         [this](const PoseStamped& message, const ros2::MessageInfo&) {
                                           const auto& [position, orientation] = message.pose;
                                           for (const double number :
                                                {position.x, position.y, position.z - neutral_height, orientation.x,
                                                 orientation.y, orientation.z, orientation.w - 1})
                                             look_at(number);
                                         })),
        joints(node.subscribe<JointState>("/stewart/joint_states", ros2::Qos::standard(),
                                          [this](const JointState& message, const ros2::MessageInfo&) {
                                            for (const double number : message.position) odd += !std::isfinite(number);
                                          })),
        supervisor("platform", std::make_unique<Machine>(bridge_setup()), clock, {}),
        plc_thread([this](std::stop_token stop) { plc->run(stop); }),
        thread([this](std::stop_token stop) { supervisor.run(stop); }) {}

  static VirtualDeviceSetup plc_setup(PlcScript& script, ads::FaultScript& wire, Clock& clock) {
    VirtualDeviceSetup setup;
    setup.motion = "neutral";
    setup.script = &script;
    setup.faults = &wire;
    setup.clock = &clock;
    return setup;
  }
  machines::Setup bridge_setup() {
    machines::Setup setup{.name = "platform", .device = plc->url(), .options = {}, .ros = &context};
    setup.options = runtime::default_options(bridge_options());
    setup.clock = &clock;
    return setup;
  }
  // At neutral, nothing is far from zero.
  void look_at(double number) { odd += !(std::abs(number) < 0.2); }
  bool flows() {
    const int before = messages;
    return faults::eventually([&] { return messages >= before + 20; }, 30s);
  }

  faults::JumpyClock clock;  // of this computer: the bridge's and the virtual PLC's
  PlcScript script;
  ads::FaultScript wire;
  std::atomic<int> messages{0};
  std::atomic<int> odd{0};  // numbers that no neutral platform has
  std::unique_ptr<machines::VirtualDevice> plc;
  ros2::Context context;
  ros2::Node node;
  ros2::Subscription legs;
  ros2::Subscription pose;
  ros2::Subscription joints;
  runtime::Supervisor supervisor;
  std::jthread plc_thread;
  std::jthread thread;
};

using OddPose = PlcScript::OddPose;

}  // namespace

TEST_CASE("a healthy PLC has no rejected samples and a rejected one is logged and explained") {
  Stage stage;
  const ros2::Rosout rosout(stage.node);
  const auto value = [&](std::string_view name) {
    for (const auto& row : stage.supervisor.values())
      if (row.name == name) return row;
    return machines::Value{};
  };
  REQUIRE(stage.flows());
  CHECK(value("rejected").numbers == std::vector{0.0});  // also not for the first sample of the connection
  CHECK(value("last rejection").text.empty());
  stage.script.odd_pose = OddPose::not_a_number;
  CHECK(faults::eventually([&] { return value("rejected").numbers.at(0) > 0; }));
  CHECK(value("last rejection").text.find("expected a number within") != std::string::npos);
  CHECK(faults::eventually([&] { return rosout.count("PLC sample rejected: ") > 0; }));
}

TEST_CASE("a rejected sample is logged on the console without ROS as well") {
  faults::JumpyClock clock;
  PlcScript script;
  ads::FaultScript wire;
  const auto plc = make_virtual_device(Stage::plc_setup(script, wire, clock));
  const std::jthread plc_thread([&](const std::stop_token& stop) { plc->run(stop); });
  machines::Setup setup{.name = "platform", .device = plc->url(), .options = {}, .ros = nullptr};
  setup.options = runtime::default_options(bridge_options());
  setup.clock = &clock;
  Machine machine(setup);
  std::vector<std::string> lines;  // all said by cycle(), in this thread
  machine.lines().heard_by(
      [&](bool bad, std::string_view text) { lines.push_back((bad ? "bad: " : "") + std::string(text)); });
  REQUIRE(machine.connect(clock.now() + faults::patience));
  const Instant until = clock.now() + faults::patience;
  while (machine.cycle({}) && lines.empty() && clock.now() < until) script.odd_pose = OddPose::not_a_number;
  REQUIRE(lines.size() == 1);
  CHECK(lines[0].starts_with("bad: PLC sample rejected: "));
  machine.disconnect();
}

TEST_CASE("G18 NaN and infinity from the device reach no topic") {
  Stage stage;
  REQUIRE(stage.flows());
  for (const OddPose odd : {OddPose::not_a_number, OddPose::infinite, OddPose::far_away}) {
    const std::uint64_t invalid = stage.supervisor.status().invalid;
    stage.script.odd_pose = odd;
    CHECK(faults::eventually([&] { return stage.supervisor.status().invalid >= invalid + 20; }));
    const int messages = stage.messages;
    faults::pass(200ms);
    CHECK(stage.messages == messages);
    CHECK(stage.supervisor.status().quality == Quality::invalid);
    stage.script.odd_pose = OddPose::none;
    CHECK(stage.flows());
  }
  CHECK(stage.odd == 0);
  CHECK(stage.supervisor.status().connects == 1);
}

TEST_CASE("G18 NaN before the first good sample reaches no topic") {
  Stage stage;
  stage.script.odd_pose = OddPose::not_a_number;
  CHECK(faults::eventually([&] { return stage.supervisor.status().invalid >= 20; }));
  stage.script.odd_pose = OddPose::none;
  CHECK(stage.flows());
  CHECK(stage.odd == 0);
}

TEST_CASE("G19 a dead feed and a halted task end the topic and not the link to ROS") {
  Stage stage;
  REQUIRE(stage.flows());
  for (std::atomic<bool> PlcScript::*fault : {&PlcScript::feed_dead, &PlcScript::task_halted}) {
    stage.script.*fault = true;
    CHECK(faults::eventually([&] { return stage.supervisor.status().quality == Quality::stale; }));
    faults::pass(50ms);
    const int messages = stage.messages;
    faults::pass(200ms);
    CHECK(stage.messages == messages);
    stage.script.*fault = false;
    CHECK(stage.flows());
  }
  stage.script.online_changes = 3;
  CHECK(stage.flows());
  CHECK(stage.odd == 0);
}

TEST_CASE("G20 a wall clock that is set back costs the topic nothing") {
  Stage stage;
  REQUIRE(stage.flows());
  const std::uint64_t invalid = stage.supervisor.status().invalid;
  for (const Duration jump : {Duration(-1h), Duration(-20ms), Duration(-5s), Duration(-24h)}) {
    stage.clock.ahead += jump.count();
    CHECK(stage.flows());
  }
  CHECK(stage.supervisor.status().invalid == invalid);
  CHECK(stage.supervisor.status().connects == 1);
  CHECK(stage.odd == 0);
}
