// SPDX-License-Identifier: Apache-2.0
// The truck on ROS: a peer on loopback drives it, sees where it goes, and is told why it was refused.
#include <algorithm>
#include <cmath>
#include <cstring>

#include "tandem/ros2/full_node.hpp"
#include "tandem/ros2/messages/diagnostic_msgs.hpp"
#include "tandem/ros2/messages/nav_msgs.hpp"
#include "tandem/ros2/messages/sensor_msgs.hpp"
#include "tandem/ros2/tf/listener.hpp"
#include "tandem/ros2/types/conversions.hpp"
#include "tests/machines/raptorlift/lift_rig.hpp"
#include "tests/ros2/loopback.hpp"
#include "tests/ros2/rosout.hpp"

using namespace tandem;
using namespace tandem::raptorlift;
using ros2::diagnostic_msgs::DiagnosticArray;

namespace {

// The bridge with its node, cycled in a thread of its own and armed by hand.
struct RosTruck {
  explicit RosTruck(const std::vector<std::string>& settings = {}) {
    machines::Setup setup = rig::setup_for(truck.device->url(), settings);
    setup.ros = &context;
    setup.mqtt = &broker;
    bridge.emplace(setup);
    thread = std::jthread([this](const std::stop_token& stop) { run(stop); });
    // What /diagnostics says was refused last.
    diagnostics.emplace(peer.subscribe<DiagnosticArray>("/diagnostics", ros2::Qos::standard(),
                                                        [this](const DiagnosticArray& array, const ros2::MessageInfo&) {
                                                          const std::lock_guard lock(mutex);
                                                          for (const auto& status : array.status)
                                                            for (const auto& value : status.values)
                                                              if (value.key == "last refusal") refusal = value.value;
                                                        }));
  }
  ~RosTruck() {
    thread.request_stop();
    thread.join();
  }
  void run(const std::stop_token& stop) {
    while (!stop.stop_requested() && !bridge->connect(now() + 1s)) rig::pass(50ms);
    while (!stop.stop_requested())
      if (!bridge->cycle(machines::Permit(armed, system_clock(), Instant::max()))) return;
  }
  bool live() {
    return rig::eventually([this] { return bridge->state().quality == Quality::live; });
  }
  bool said(std::string_view part) {
    const std::lock_guard lock(mutex);
    return refusal.find(part) != std::string::npos;
  }

  rig::Rig truck;
  ros2::Context context{ros2::loopback_options()};
  const mqtt::BrokerOptions broker{"mqtt://127.0.0.1:1", {}, {}, {}, {}, {}};  // named only: nothing connects
  ros2::Node peer{context, "peer"};
  std::atomic<bool> armed{false};
  std::mutex mutex;
  std::string refusal;  // guarded
  std::optional<Machine> bridge;
  std::optional<ros2::Subscription> diagnostics;
  std::jthread thread;
};

ros2::sensor_msgs::JointState joint_command() {
  ros2::sensor_msgs::JointState message;
  message.name.assign(joint_names.begin(), joint_names.end());
  message.position = {0.1, 0.1};
  message.velocity = {3, 3};
  return message;
}

// Where the URDF has a child of base_link at an angle of its joint: <origin xyz="..."/>, <axis xyz="..."/>.
Pose placed_by(const std::string& urdf, const std::string& joint, double angle) {
  const std::size_t at = urdf.find("<joint name=\"" + joint + "\"");
  REQUIRE(at != std::string::npos);
  Eigen::Vector3d origin, axis;
  const auto read = [&](const char* tag, Eigen::Vector3d& into) {
    const std::size_t start = urdf.find(tag, at);
    REQUIRE(std::sscanf(urdf.c_str() + start + std::strlen(tag), "%lf %lf %lf", &into[0], &into[1], &into[2]) == 3);
  };
  read("<origin xyz=\"", origin);
  read("<axis xyz=\"", axis);
  return Eigen::Translation3d(origin) * Eigen::AngleAxisd(angle, axis);
}

}  // namespace

TEST_CASE("the wheels are on tf where the URDF and the joint states have them") {
  RosTruck rig({"tf_prefix=left_"});
  REQUIRE(rig.live());
  std::mutex mutex;
  std::string urdf;                      // guarded
  ros2::sensor_msgs::JointState joints;  // guarded
  ros2::TfBuffer buffer;
  const ros2::TfListener listener(rig.peer, buffer);
  const auto states = rig.peer.subscribe<ros2::sensor_msgs::JointState>(
      "/joint_states", ros2::Qos::sensor_data(),
      [&](const ros2::sensor_msgs::JointState& message, const ros2::MessageInfo&) {
        const std::lock_guard lock(mutex);
        joints = message;
      });
  const auto description = rig.peer.subscribe<ros2::std_msgs::String>(
      "/robot_description", ros2::Qos::latched(), [&](const ros2::std_msgs::String& message, const ros2::MessageInfo&) {
        const std::lock_guard lock(mutex);
        urdf = message.data;
      });
  const auto commands = rig.peer.advertise<ros2::geometry_msgs::Twist>("/cmd_vel");
  ros2::geometry_msgs::Twist twist;
  twist.linear.x = 0.4;
  twist.angular.z = 0.2;
  rig.armed = true;
  // Rolled and steered by angles that cannot be mistaken for none, and whole up to the frame that odometry starts in.
  REQUIRE(rig::eventually([&] {
    commands.publish(twist);
    const State state = rig.bridge->state();
    const std::lock_guard lock(mutex);
    return state.wheel_angles[0] > 0.5 && std::abs(state.measured.rear_left) > 0.05 && !urdf.empty() &&
           buffer.pose("left_odom", "left_rear_left_steering_link");
  }));
  CHECK(buffer.pose("left_base_footprint", "left_base_link")->translation().z() == doctest::Approx(0.242));
  const std::vector<std::pair<std::string, std::string>> pairs = {
      {"left_front_right_wheel_joint", "left_front_right_wheel_link"},
      {"left_front_left_wheel_joint", "left_front_left_wheel_link"},
      {"left_rear_right_steering_joint", "left_rear_right_steering_link"},
      {"left_rear_left_steering_joint", "left_rear_left_steering_link"}};
  for (const auto& [joint, link] : pairs) {
    CAPTURE(joint);
    // Of one stamp: a sample may be heard on one topic only.
    REQUIRE(rig::eventually([&] {
      const std::lock_guard lock(mutex);
      const auto name = std::ranges::find(joints.name, joint);
      if (name == joints.name.end()) return false;
      const auto X = buffer.pose("left_base_link", link, ros2::utc_from(joints.header.stamp));
      if (!X) return false;
      const Pose expected =
          placed_by(urdf, joint, joints.position[static_cast<std::size_t>(name - joints.name.begin())]);
      return expected.isApprox(*X, 1e-6);
    }));
  }
}

TEST_CASE("a cmd_vel from any peer drives an armed truck and its odometry comes back") {
  RosTruck rig;
  const ros2::Rosout rosout(rig.peer);
  std::mutex mutex;
  std::string console;  // guarded
  rig.bridge->lines().heard_by([&](bool bad, std::string_view text) {
    const std::lock_guard lock(mutex);
    console += fmt::format("{}{}\n", bad ? "warning: " : "", text);
  });
  const auto on_console = [&](std::string_view part) {
    const std::lock_guard lock(mutex);
    return console.find(part) != std::string::npos;
  };
  REQUIRE(rig.live());
  std::atomic<double> x{0};
  const auto odometry = rig.peer.subscribe<ros2::nav_msgs::Odometry>(
      "/odom", ros2::Qos::standard(),
      [&](const ros2::nav_msgs::Odometry& message, const ros2::MessageInfo&) { x = message.pose.pose.position.x; });
  const auto commands = rig.peer.advertise<ros2::geometry_msgs::Twist>("/cmd_vel");
  ros2::geometry_msgs::Twist twist;
  twist.linear.x = 0.4;
  rig.armed = true;
  CHECK(rig::eventually([&] {
    commands.publish(twist);
    return x > 0.1;
  }));
  CHECK(rig.bridge->state().input.view() == "cmd_vel");
  // Silence stops it, and it stays armed.
  CHECK(rig.truck.rests());
  CHECK(rig.bridge->state().activity == Activity::driving);
  CHECK(rig::eventually([&] { return activity_text(rig.bridge->state()) == "enabled, at standstill (no command)"; }));
  // Invalid numbers are refused: /diagnostics and a line on /rosout name the field, and a stream of them is one line.
  twist.linear.x = std::nan("");
  CHECK(rig::eventually([&] {
    commands.publish(twist);
    return rig.said("linear.x") && rosout.count("cmd_vel: refused: linear.x") > 0;
  }));
  const Instant first = now();
  for (int i = 0; i < 50; ++i) commands.publish(twist);
  rig::pass(100ms);
  CHECK(rosout.count("cmd_vel: refused: linear.x") <= 2 + (now() - first) / 2s);
  // The console has the same lines, and what the wheels do.
  CHECK(on_console("warning: cmd_vel: refused: linear.x"));
  CHECK(rig::eventually([&] { return on_console("enabled, at standstill (no command): wheels 0.0"); }));
  rig.bridge->lines().heard_by(nullptr);
}

TEST_CASE("a jog of the page takes a truck from its fleet, on the road and where it waits") {
  for (const bool waits : {false, true}) {
    CAPTURE(waits);
    RosTruck rig({"vda5050=true", "manufacturer=KIT", "serial=0001"});
    REQUIRE(rig.live());
    // What the page has of it, and sends: that message with that field set, to that topic.
    const auto controls = rig.bridge->scene().controls;
    REQUIRE(controls.size() == 4);
    for (const auto& control : controls) {
      CHECK(control.topic == "/key/cmd_vel");
      CHECK(control.type == "geometry_msgs/msg/TwistStamped");
    }
    CHECK(controls[1].field == "twist.linear.x");
    const auto jogs = rig.peer.advertise<ros2::geometry_msgs::TwistStamped>(controls[1].topic);
    ros2::geometry_msgs::TwistStamped jog;
    jog.header.frame_id = "base_link";
    jog.twist.linear.x = controls[1].value;
    const std::vector<kinematics::ackermann::Waypoint> waypoints{{.position = {body::front_axle, 0}},
                                                                 {.position = {body::front_axle + 50, 0}}};
    auto planned = kinematics::ackermann::plan_route({body::front_axle, 0, 0}, waypoints,
                                                     std::vector<kinematics::ackermann::Leg>(1), route_limits_from({}));
    REQUIRE(planned.ok());
    const auto route = std::make_shared<const kinematics::ackermann::Route>(std::move(*planned));
    const auto fleet = [&] {
      rig.bridge->commands().route.post(
          {route, waits ? 0 : route->length(), false, 1, now(), rig.bridge->state().enabled});
    };
    rig.armed = true;
    REQUIRE(rig::eventually([&] { return rig.bridge->state().activity == Activity::driving; }));
    REQUIRE(rig::eventually([&] {
      fleet();
      const State state = rig.bridge->state();
      return state.route.id == 1 && (waits ? state.route.standing : state.twist.vx > 0.1);
    }));
    REQUIRE(rig::eventually([&] {
      fleet();
      jogs.publish(jog);
      return rig.bridge->state().route.overruled;
    }));
    CHECK(rig.bridge->state().route.why.view() == "key");
    REQUIRE(rig::eventually([&] {
      fleet();
      jogs.publish(jog);
      return rig.bridge->state().twist.vx < -0.1;
    }));
    // Let go: it stands, though the fleet goes on commanding.
    REQUIRE(rig::eventually([&] {
      fleet();
      return rig.bridge->state().at_standstill && rig.bridge->state().input.view().empty();
    }));
  }
}

TEST_CASE("the page jogs a truck without a fleet on cmd_vel") {
  RosTruck rig;
  for (const auto& control : rig.bridge->scene().controls) {
    CHECK(control.topic == "/cmd_vel");
    CHECK(control.type == "geometry_msgs/msg/Twist");
  }
}

TEST_CASE("joint commands are refused while our own controller drives") {
  RosTruck rig;
  REQUIRE(rig.live());
  const auto commands = rig.peer.advertise<ros2::sensor_msgs::JointState>("/raptorlift/joint_commands");
  rig.armed = true;
  for (int i = 0; i < 50; ++i) {
    commands.publish(joint_command());
    rig::pass(20ms);
  }
  CHECK(rig::eventually([&] { return rig.said("control: internal"); }));
  CHECK(rig.truck.speed() < 0.1);
}

TEST_CASE("joint commands drive the truck when they are its commander and twists are refused") {
  RosTruck rig({"control=joint_commands"});
  REQUIRE(rig.live());
  CHECK(rig.bridge->ros_node()->full_name() == "/hardware_bridge");
  const auto commands = rig.peer.advertise<ros2::sensor_msgs::JointState>("/raptorlift/joint_commands");
  const auto twists = rig.peer.advertise<ros2::geometry_msgs::Twist>("/cmd_vel");
  rig.armed = true;
  CHECK(rig::eventually([&] {
    commands.publish(joint_command());
    return rig.truck.speed() > 2;
  }));
  CHECK(rig.truck.rests());
  CHECK(rig::eventually([&] {
    twists.publish({});
    return rig.said("control: joint_commands");
  }));
  auto wrong = joint_command();
  wrong.name[0] = "fork_joint";
  CHECK(rig::eventually([&] {
    commands.publish(wrong);
    return rig.said("fork_joint");
  }));
}
