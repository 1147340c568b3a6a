// SPDX-License-Identifier: Apache-2.0
// A described machine as a ROS user sees it, over DDS, from another participant.
#include <fstream>
#include <mutex>

#include "tandem/machines/generic/topic_names.hpp"
#include "tandem/ros2/calls/service.hpp"
#include "tandem/ros2/full_node.hpp"
#include "tandem/ros2/messages/diagnostic_msgs.hpp"
#include "tandem/ros2/messages/rcl_interfaces.hpp"
#include "tandem/ros2/messages/sensor_msgs.hpp"
#include "tandem/ros2/messages/std_msgs.hpp"
#include "tandem/ros2/messages/std_srvs.hpp"
#include "tandem/ros2/messages/tf2_msgs.hpp"
#include "tests/machines/generic/control/rig.hpp"
#include "tests/ros2/loopback.hpp"

namespace tandem::generic::test {
namespace {

namespace msgs = ros2::std_msgs;
using ros2::eventually;

// All messages of one topic.
template <ros2::Message M>
class Heard {
 public:
  Heard(ros2::Node& node, const std::string& topic, ros2::Qos qos = ros2::Qos::latched(100))
      : subscription_(node.subscribe<M>(topic, qos, [this](const M& message, const ros2::MessageInfo&) {
          const std::lock_guard lock(mutex_);
          messages_.push_back(message);
        })) {}
  std::size_t count() const {
    const std::lock_guard lock(mutex_);
    return messages_.size();
  }
  M last() const {
    const std::lock_guard lock(mutex_);
    return messages_.empty() ? M{} : messages_.back();
  }
  std::size_t matched() const { return subscription_.matched(); }

 private:
  mutable std::mutex mutex_;
  std::vector<M> messages_;
  ros2::Subscription subscription_;  // last
};

Description station() {
  Description station;
  station.name = "station";
  station.cycle = 0.02;
  Declaration pressure = number("pressure", "bar");
  pressure.expect = Range{0, 350};
  pressure.deadband = 0.5;
  Declaration count = number("count", "", Type::uint16);
  Declaration energy = number("energy", "", Type::uint64);
  Declaration door = number("door", "", Type::bit);
  Declaration state = number("state", "", Type::uint16);
  state.names = {{0, "idle"}, {1, "running"}};
  Declaration safety = number("safety", "", Type::uint16);
  safety.bits = {{0, "closed"}, {3, "e_stop_ok"}};
  safety.group = "safety";
  Declaration message = number("message", "", Type::text);
  Declaration row = number("row", "mm");
  row.count = 3;
  Declaration place = number("place", "mm", Type::int32);
  place.write = limited(0, 2000, std::nullopt);
  Declaration lamp = number("lamp", "", Type::bit);
  lamp.write.emplace();
  lamp.write->level = Output::Level::level;
  Declaration dose = number("dose", "", Type::int16);
  dose.write = limited(0, 10, std::nullopt);
  station.signals = {pressure, count, energy, door, state, safety, message, row, place, lamp, dose};
  return station;
}

struct Live {
  explicit Live(Description made)
      : options(ros2::loopback_options()),
        here(options),
        there(options),
        rig(std::move(made), &here),
        node(there, "user") {}

  template <typename Condition>
  bool soon(Condition condition) {
    return eventually([&] {
      (void)rig.cycle();
      return condition();
    });
  }

  ros2::ContextOptions options;
  ros2::Context here, there;
  Rig rig;
  ros2::FullNode node;
};

}  // namespace

TEST_CASE("every kind of signal has its own typed topic, in SI, also for those who come late") {
  Live live(station());
  Rig& rig = live.rig;
  rig.at("pressure") = 12.5;
  rig.at("count") = 7;
  rig.at("energy") = 1e15;
  rig.at("door") = 1;
  rig.at("state") = 1;
  rig.at("safety") = 8;
  rig.device.texts[rig.index("message")] = "Guten Tag";
  rig.at("row") = 100;
  rig.connect();
  rig.cycles(3);
  Heard<msgs::Float64> pressure(live.node, "/station/pressure");
  Heard<msgs::Int64> count(live.node, "/station/count");
  Heard<msgs::UInt64> energy(live.node, "/station/energy");
  Heard<msgs::Bool> door(live.node, "/station/door"), closed(live.node, "/station/safety/closed"),
      e_stop(live.node, "/station/safety/e_stop_ok");
  Heard<msgs::Int32> state(live.node, "/station/state");
  Heard<msgs::String> state_text(live.node, "/station/state/text"), message(live.node, "/station/message"),
      quality(live.node, "/station/pressure/quality");
  Heard<msgs::Float64MultiArray> row(live.node, "/station/row");
  // No cycle from here on: all of it is latched.
  CHECK(eventually([&] {
    return pressure.count() > 0 && count.count() > 0 && energy.count() > 0 && door.count() > 0 && closed.count() > 0 &&
           e_stop.count() > 0 && state.count() > 0 && state_text.count() > 0 && message.count() > 0 &&
           quality.count() > 0 && row.count() > 0;
  }));
  CHECK(pressure.last().data == doctest::Approx(12.5e5).epsilon(1e-12));
  CHECK(count.last().data == 7);
  CHECK(energy.last().data == 1'000'000'000'000'000U);
  CHECK(door.last().data);
  CHECK_FALSE(closed.last().data);
  CHECK(e_stop.last().data);
  CHECK(state.last().data == 1);
  CHECK(state_text.last().data == "running");
  CHECK(message.last().data == "Guten Tag");
  CHECK(quality.last().data == "good");
  REQUIRE(row.last().data.size() == 3);
  CHECK(row.last().data[2] == doctest::Approx(0.102));
  REQUIRE(row.last().layout.dim.size() == 1);
  CHECK(row.last().layout.dim[0].label == "0..2");
  CHECK(row.last().layout.dim[0].size == 3);
}

TEST_CASE("a value is published when it changes by more than its deadband, and not while it is bad") {
  Live live(station());
  Rig& rig = live.rig;
  Heard<msgs::Float64> pressure(live.node, "/station/pressure");
  Heard<msgs::String> quality(live.node, "/station/pressure/quality");
  rig.at("pressure") = 10;
  rig.connect();
  REQUIRE(live.soon([&] { return pressure.count() == 1 && quality.last().data == "good"; }));
  rig.at("pressure") = 10.4;
  rig.cycles(3);
  rig.at("pressure") = 10.6;
  REQUIRE(live.soon([&] { return pressure.last().data > 10.55e5; }));
  CHECK(pressure.count() == 2);
  rig.at("pressure") = 400;  // beyond what the file expects
  REQUIRE(live.soon([&] { return quality.last().data == "bad"; }));
  CHECK(pressure.count() == 2);
  rig.at("pressure") = 10.6;
  REQUIRE(live.soon([&] { return quality.last().data == "good"; }));
  REQUIRE(live.soon([&] { return pressure.count() == 3; }));
  rig.machine->disconnect();
  CHECK(eventually([&] { return quality.last().data == "stale"; }));
  CHECK(pressure.count() == 3);
}

TEST_CASE("outputs are set by topic, service and parameter, in SI, and only while armed") {
  using ros2::rcl_interfaces::SetParameters;
  using ros2::std_srvs::SetBool;
  Live live(station());
  Rig& rig = live.rig;
  auto place = live.node.advertise<msgs::Float64>("/station/set/place", ros2::Qos::standard());
  auto dose = live.node.advertise<msgs::Int64>("/station/set/dose", ros2::Qos::standard());
  ros2::Client<SetBool> lamp(live.node, "/station/write/lamp");
  ros2::Client<SetParameters> parameters(live.node, "/station/set_parameters", ros2::Qos::parameters());
  REQUIRE(lamp.wait_until_callable(20s));
  REQUIRE(parameters.wait_until_callable(20s));
  REQUIRE(eventually([&] { return place.reached() == 1 && dose.reached() == 1; }));
  rig.connect();
  rig.cycles(2);
  SetBool::Request on;
  on.data = true;
  auto answer = lamp.call(on);
  REQUIRE(answer);
  CHECK_FALSE(answer->success);
  CHECK(answer->message == "lamp: not armed; arm the machine first");
  rig.arm();
  rig.cycles(2);
  answer = lamp.call(on);
  REQUIRE(answer);
  CHECK(answer->success);
  msgs::Float64 metres;
  metres.data = 0.5;
  place.publish(metres);
  msgs::Int64 three;
  three.data = 3;
  dose.publish(three);
  REQUIRE(live.soon([&] { return rig.at("place") == 500 && rig.at("lamp") == 1 && rig.at("dose") == 3; }));
  metres.data = 2.5;
  place.publish(metres);
  REQUIRE(live.soon([&] { return !rig.text("last refusal").empty(); }));
  CHECK(rig.text("last refusal") == "~/set/place: refused: place: expected 0 to 2000 mm, got 2500");
  CHECK(rig.at("place") == 500);
  SetParameters::Request request;
  request.parameters.resize(1);
  request.parameters[0].name = "set.place";
  request.parameters[0].value = ros2::message_from(ros2::ParameterValue(1.25));
  const auto set = parameters.call(request);
  REQUIRE(set);
  REQUIRE(set->results.size() == 1);
  CHECK_MESSAGE(set->results[0].successful, set->results[0].reason);
  REQUIRE(live.soon([&] { return rig.at("place") == 1250; }));
  request.parameters[0].value = ros2::message_from(ros2::ParameterValue(-1.0));
  const auto beyond = parameters.call(request);
  REQUIRE(beyond);
  CHECK_FALSE(beyond->results[0].successful);
  CHECK(beyond->results[0].reason.find("place: expected 0 to 2000 mm, got -1000") != std::string::npos);
}

TEST_CASE("everything is in ~/signals, and groups with their worst signal in /diagnostics") {
  using ros2::diagnostic_msgs::DiagnosticArray;
  using ros2::diagnostic_msgs::DiagnosticStatus;
  Live live(station());
  Rig& rig = live.rig;
  rig.at("pressure") = 400;
  rig.at("state") = 1;
  rig.at("safety") = 9;
  Heard<DiagnosticArray> signals(live.node, "/station/signals", ros2::Qos::standard());
  Heard<DiagnosticArray> diagnostics(live.node, "/diagnostics", ros2::Qos::standard());
  rig.connect();
  const auto find = [](const DiagnosticArray& array, const std::string& name) {
    for (const auto& status : array.status) {
      if (status.name == name) return status;
    }
    return DiagnosticStatus{};
  };
  const auto value = [](const DiagnosticStatus& status, const std::string& key) {
    for (const auto& pair : status.values) {
      if (pair.key == key) return pair.value;
    }
    return std::string("none");
  };
  REQUIRE(live.soon([&] {
    return value(find(signals.last(), "station: signals"), "state") == "running" &&
           find(diagnostics.last(), "station: signals").level == DiagnosticStatus::WARN;
  }));
  CHECK(value(find(signals.last(), "station: signals"), "place") == "0 mm");
  CHECK(value(find(signals.last(), "station: safety"), "safety") == "closed, e_stop_ok");
  CHECK(find(diagnostics.last(), "station: safety").level == DiagnosticStatus::OK);
  CHECK(find(diagnostics.last(), "station: signals").message == "pressure: bad: expected 0 to 350 bar, got 400");
  CHECK(find(diagnostics.last(), "station: device").level == DiagnosticStatus::OK);
  rig.at("pressure") = std::nan("");
  CHECK(live.soon([&] { return find(diagnostics.last(), "station: signals").level == DiagnosticStatus::ERROR; }));
}

TEST_CASE("a robot has joint states, its description, its links on tf, and takes commands by joint") {
  const std::string file = std::string(std::getenv("TMPDIR") != nullptr ? std::getenv("TMPDIR") : "/tmp") +
                           "/tandem_generic_" + std::to_string(getpid()) + ".urdf";
  std::ofstream(file) << R"(<robot name="gantry"><link name="base"/><link name="carriage"/><link name="tool"/>
<joint name="x_axis" type="prismatic"><parent link="base"/><child link="carriage"/><origin xyz="0 0 1"/>
<axis xyz="1 0 0"/><limit lower="0" upper="2" effort="10" velocity="1"/></joint>
<link name="arm"/><joint name="free" type="prismatic"><parent link="base"/><child link="arm"/><limit lower="0"
upper="1" effort="1" velocity="1"/></joint>
<joint name="mount" type="fixed"><parent link="carriage"/><child link="tool"/><origin xyz="0 0 -0.2"/></joint></robot>)";
  Description made;
  made.name = "gantry";
  made.cycle = 0.02;
  Declaration x = number("x", "mm"), v = number("v", "mm/s"), set = number("x_set", "mm"), f = number("f", "kN");
  set.write = limited(0, 2000, std::nullopt);
  made.signals = {x, v, set, f};
  made.robot.emplace();
  made.robot->urdf = file;
  made.robot->joints = {{.name = "x_axis", .position = "x", .velocity = "v", .effort = "f", .command = "x_set"}};
  made.tf_prefix = "left_";
  const machines::RosNames names = ros_names_of(made);
  REQUIRE(names.frames.size() == 2);
  CHECK(names.frames[1].parent == "left_carriage");
  CHECK(names.frames[1].child == "left_tool");
  Live live(std::move(made));
  std::remove(file.c_str());
  Rig& rig = live.rig;
  rig.at("x") = 750;
  rig.at("v") = -20;
  rig.at("f") = 2.5;
  Heard<ros2::sensor_msgs::JointState> joints(live.node, "/gantry/joint_states", ros2::Qos::standard());
  Heard<msgs::String> text(live.node, "/robot_description");
  Heard<ros2::tf2_msgs::TFMessage> tf(live.node, "/tf", ros2::Qos::tf()), fixed(live.node, "/tf_static");
  auto command = live.node.advertise<ros2::sensor_msgs::JointState>("/gantry/joint_commands");
  rig.start();
  REQUIRE(live.soon([&] { return joints.count() > 0 && text.count() > 0 && tf.count() > 0 && fixed.count() > 0; }));
  CHECK(joints.last().name == std::vector<std::string>{"x_axis"});
  CHECK(joints.last().position.at(0) == doctest::Approx(0.75));
  CHECK(joints.last().velocity.at(0) == doctest::Approx(-0.02));
  CHECK(joints.last().effort.at(0) == doctest::Approx(2500));
  CHECK(text.last().data.find("<robot name=\"gantry\">") != std::string::npos);
  REQUIRE(tf.last().transforms.size() == 1);  // not the joint without a signal
  const auto moved = tf.last().transforms.at(0);
  CHECK(moved.header.frame_id == "left_base");
  CHECK(moved.child_frame_id == "left_carriage");
  CHECK(moved.transform.translation.x == doctest::Approx(0.75));
  CHECK(moved.transform.translation.z == doctest::Approx(1));
  CHECK(fixed.last().transforms.at(0).child_frame_id == "left_tool");
  const machines::Picture picture = rig.machine->picture();
  REQUIRE(picture.frames.size() == 3);
  CHECK(picture.frames[1].position[2] == doctest::Approx(0.8));

  REQUIRE(live.soon([&] { return command.reached() == 1; }));
  ros2::sensor_msgs::JointState wanted;
  wanted.name = {"x_axis"};
  wanted.position = {1.5};
  CHECK(live.soon([&] {
    command.publish(wanted);
    return rig.at("x_set") == 1500;
  }));
  wanted.name = {"y_axis"};
  CHECK(live.soon([&] {
    command.publish(wanted);
    return rig.text("last refusal").find("expected joints that have a command, got 'y_axis'") != std::string::npos;
  }));
  rig.at("x") = std::nan("");
  rig.cycles(3);
  const std::size_t known = joints.count();
  rig.cycles(5);
  CHECK(joints.count() <= known + 1);
}

TEST_CASE("a machine's node is the last part of its namespace, and elements of arrays are topics") {
  Description made;
  made.name = "press";
  CHECK(node_name(made).node == "press");
  CHECK(node_name(made).name_space == "/");
  made.name_space = "/cell/left";
  CHECK(node_name(made).node == "left");
  CHECK(node_name(made).name_space == "/cell");
  CHECK(signal_topic("belts[1].fSpeed") == "~/belts_1/fSpeed");
  CHECK(signal_topic("m[0,-2]") == "~/m_0__2");
  made.signals = {number("signals")};
  CHECK_THROWS_AS(ros_names_of(made), std::invalid_argument);
}

}  // namespace tandem::generic::test
