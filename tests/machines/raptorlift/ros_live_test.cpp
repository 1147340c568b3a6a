// The truck on ROS: a peer on loopback drives it, sees where it goes, and is told why it was refused.
#include <cmath>

#include "tandem/ros2/full_node.hpp"
#include "tandem/ros2/messages/diagnostic_msgs.hpp"
#include "tandem/ros2/messages/nav_msgs.hpp"
#include "tandem/ros2/messages/sensor_msgs.hpp"
#include "tests/machines/raptorlift/lift_rig.hpp"
#include "tests/ros2/loopback.hpp"

using namespace tandem;
using namespace tandem::raptorlift;
using ros2::diagnostic_msgs::DiagnosticArray;

namespace {

// The bridge with its node, cycled in a thread of its own and armed by hand.
struct RosTruck {
  explicit RosTruck(const std::vector<std::string>& settings = {}) {
    machines::Setup setup = rig::setup_for(truck.device->url(), settings);
    setup.ros = &context;
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
  ros2::Node peer{context, "peer"};
  std::atomic<bool> armed{false};
  std::mutex mutex;
  std::string refusal;  // guarded
  std::optional<Bridge> bridge;
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

}  // namespace

TEST_CASE("a cmd_vel from any peer drives an armed truck and its odometry comes back") {
  RosTruck rig;
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
  twist.linear.x = std::nan("");
  CHECK(rig::eventually([&] {
    commands.publish(twist);
    return rig.said("linear.x");
  }));
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
