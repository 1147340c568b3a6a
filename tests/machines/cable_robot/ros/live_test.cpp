// SPDX-License-Identifier: Apache-2.0
// The cable robot on ROS: a peer on loopback asks for lengths, moves it, sees it, and is told why it was refused.
#include <cmath>

#include "tandem/ros2/full_node.hpp"
#include "tandem/ros2/messages/diagnostic_msgs.hpp"
#include "tandem/ros2/messages/geometry_msgs.hpp"
#include "tandem/ros2/messages/sensor_msgs.hpp"
#include "tandem/ros2/messages/std_msgs.hpp"
#include "tandem/ros2/messages/tf2_msgs.hpp"
#include "tandem/ros2/messages/visualization_msgs.hpp"
#include "tests/machines/cable_robot/cable_rig.hpp"
#include "tests/ros2/loopback.hpp"
#include "tests/ros2/rosout.hpp"

using namespace tandem;
using namespace tandem::cable_robot;
using ros2::diagnostic_msgs::DiagnosticArray;
using ros2::geometry_msgs::PoseStamped;
using ros2::std_msgs::Float64MultiArray;

namespace {

// The bridge with its node, cycled in a thread of its own and armed by hand.
struct RosRobot {
  explicit RosRobot(const std::vector<std::string>& settings = {}, bool winches = true) {
    machines::Setup setup = rig::setup_for(winches ? robot.device->url() : "modbus://127.0.0.1:1", settings);
    setup.ros = &context;
    bridge.emplace(setup);
    thread = std::jthread([this](const std::stop_token& stop) { run(stop); });
    // What /diagnostics says was refused last.
    diagnostics.emplace(peer.subscribe<DiagnosticArray>("/diagnostics", ros2::Qos::standard(),
                                                        [this](const DiagnosticArray& array, const ros2::MessageInfo&) {
                                                          const std::lock_guard lock(mutex);
                                                          for (const auto& status : array.status)
                                                            for (const auto& value : status.values)
                                                              if (value.key.find("refus") != std::string::npos)
                                                                refusals += value.value + "\n";
                                                        }));
  }
  ~RosRobot() {
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
  bool controlled() {
    armed = true;
    return rig::eventually([this] { return bridge->state().activity == Activity::resting; });
  }
  bool said(std::string_view part) {
    const std::lock_guard lock(mutex);
    return refusals.find(part) != std::string::npos;
  }

  rig::Rig robot;
  ros2::Context context{ros2::loopback_options()};
  ros2::Node peer{context, "peer"};
  std::atomic<bool> armed{false};
  std::mutex mutex;
  std::string refusals;  // guarded
  std::optional<Machine> bridge;
  std::optional<ros2::Subscription> diagnostics;
  std::jthread thread;
};

PoseStamped pose_at(double x, double y, double z, const char* frame = "world") {
  PoseStamped message;
  message.header.frame_id = frame;
  message.pose.position = {x, y, z};
  message.pose.orientation = {0, 0, 0, 1};
  return message;
}

// What the newest message of a topic was.
template <ros2::Message M>
class Newest {
 public:
  Newest(ros2::Node& node, std::string_view topic)
      : subscription_(
            node.subscribe<M>(topic, ros2::Qos::standard(100), [this](const M& message, const ros2::MessageInfo&) {
              const std::lock_guard lock(mutex_);
              message_ = message;
              ++count_;
            })) {}
  std::optional<M> get() const {
    const std::lock_guard lock(mutex_);
    return message_;
  }
  std::uint64_t count() const {
    const std::lock_guard lock(mutex_);
    return count_;
  }
  std::size_t matched() const { return subscription_.matched(); }

 private:
  mutable std::mutex mutex_;
  std::optional<M> message_;
  std::uint64_t count_ = 0;
  ros2::Subscription subscription_;
};

}  // namespace

TEST_CASE("every desired pose is answered with its lengths also without winches") {
  RosRobot rig({}, false);
  const Newest<Float64MultiArray> lengths(rig.peer, "/cable_lengths");
  const auto desired = rig.peer.advertise<PoseStamped>("/desired_pose");
  REQUIRE(rig::eventually([&] { return lengths.matched() == 1 && desired.matched() == 2; }));
  for (int i = 1; i <= 20; ++i) {
    const double x = 0.005 * i;
    desired.publish(pose_at(x, 0.02, 0.3, i % 2 == 0 ? "" : "world"));
    REQUIRE(rig::eventually([&] { return lengths.count() == static_cast<std::uint64_t>(i); }));
    const auto answer = *lengths.get();
    REQUIRE(answer.data.size() == 8);
    const cables::Robot& robot = rig.bridge->robot();
    for (int cable = 0; cable < 8; ++cable) {  // |e + R e_local - m|, by hand for a level platform
      const Eigen::Vector3d way =
          Eigen::Vector3d(x, 0.02, 0.3) + robot.cable(cable).platform - robot.cable(cable).frame;
      CHECK(answer.data[static_cast<std::size_t>(cable)] == doctest::Approx(way.norm()).epsilon(1e-12));
    }
  }
  // A pose that is none has no answer, and why is told.
  auto wrong = pose_at(0, 0, 0.3);
  wrong.pose.position.x = std::nan("");
  desired.publish(wrong);
  desired.publish(pose_at(0, 0, 0.3, "map"));
  CHECK(rig::eventually([&] { return rig.said("frame_id: expected 'world', got 'map'"); }));
  CHECK(lengths.count() == 20);
}

TEST_CASE("a desired pose moves an armed robot and its pose and tensions and picture come back") {
  RosRobot rig;
  const ros2::Rosout rosout(rig.peer);
  REQUIRE(rig.live());
  const Newest<PoseStamped> pose(rig.peer, "/platform_pose");
  const Newest<Float64MultiArray> tensions(rig.peer, "/cable_tensions");
  const Newest<ros2::sensor_msgs::JointState> states(rig.peer, "/cable_states");
  const Newest<ros2::visualization_msgs::MarkerArray> markers(rig.peer, "/cable_markers");
  const Newest<ros2::tf2_msgs::TFMessage> tf(rig.peer, "/tf");
  const auto desired = rig.peer.advertise<PoseStamped>("/desired_pose");
  REQUIRE(rig::eventually([&] { return desired.matched() == 2; }));
  const Eigen::Vector3d home = rig.bridge->robot().design().home;
  // Not armed: answered, and nothing moves; why is logged.
  desired.publish(pose_at(home.x() + 0.05, home.y(), home.z()));
  CHECK(rig::eventually([&] { return rosout.count("desired pose: refused: not armed") == 1; }));
  rig::pass(200ms);
  CHECK((rig.robot.place() - home).norm() < 0.005);
  REQUIRE(rig.controlled());
  desired.publish(pose_at(home.x() + 0.05, home.y(), home.z()));
  CHECK(rig::eventually([&] {
    const auto seen = pose.get();
    return seen && std::abs(seen->pose.position.x - home.x() - 0.05) < 0.003;
  }));
  CHECK(pose.get()->header.frame_id == "world");
  CHECK(rig::eventually([&] { return tensions.get() && states.get() && markers.get() && tf.get(); }));
  CHECK(tensions.get()->data.size() == 8);
  CHECK(states.get()->name.back() == "cable7");
  CHECK(states.get()->effort.size() == 8);
  CHECK(tf.get()->transforms[0].child_frame_id == "platform");
  CHECK(markers.get()->markers.size() == 6);
  // Outside: refused, with the reason.
  desired.publish(pose_at(5, 0, 0.3));
  CHECK(rig::eventually([&] { return rig.said("desired pose: refused: "); }));
  CHECK(rig::eventually([&] {
    desired.publish(pose_at(5, 0, 0.3));
    return rosout.count("desired pose: refused: ") == 2;
  }));
  // An old stamp: answered, but not gone to.
  auto old = pose_at(home.x() - 0.05, home.y(), home.z());
  old.header.stamp = {1000, 0};
  desired.publish(old);
  CHECK(rig::eventually([&] { return rig.said("its stamp is"); }));
  CHECK(rig::eventually([&] { return rosout.count("desired_pose: refused: its stamp is") == 1; }));
  CHECK(rig.robot.place().x() > home.x());
}

TEST_CASE("the lengths of the pose that the task follows are published as well") {
  RosRobot rig({"task=path"});
  REQUIRE(rig.live());
  const Newest<Float64MultiArray> lengths(rig.peer, "/cable_lengths");
  const Newest<PoseStamped> wanted(rig.peer, "/platform_set_point");
  rig.armed = true;
  REQUIRE(rig::eventually([&] { return lengths.count() >= 100 && wanted.get(); }));
  // Of the path's own poses: as near to those of the set point as it moves between two messages.
  const auto set_point = wanted.get()->pose.position;
  const auto published = *lengths.get();
  REQUIRE(published.data.size() == 8);
  const cables::Robot& robot = rig.bridge->robot();
  for (int cable = 0; cable < 8; ++cable) {
    const Eigen::Vector3d centre = Eigen::Vector3d(set_point.x, set_point.y, set_point.z) - robot.cable(cable).frame;
    CHECK(std::abs(published.data[static_cast<std::size_t>(cable)] - centre.norm()) <
          robot.cable(cable).platform.norm() + 0.1);
  }
  // Disarmed, nothing is followed.
  rig.armed = false;
  REQUIRE(rig::eventually([&] { return rig.bridge->state().input.empty(); }));
  rig::pass(50ms);
  const std::uint64_t count = lengths.count();
  rig::pass(100ms);
  CHECK(lengths.count() == count);
}

TEST_CASE("desired poses without a stamp are taken when configured") {
  RosRobot rig({"desired_pose_type=Pose"});
  REQUIRE(rig.live());
  const Newest<Float64MultiArray> lengths(rig.peer, "/cable_lengths");
  const auto desired = rig.peer.advertise<ros2::geometry_msgs::Pose>("/desired_pose");
  REQUIRE(rig.controlled());
  REQUIRE(rig::eventually([&] { return desired.matched() == 2 && lengths.matched() == 1; }));
  const Eigen::Vector3d home = rig.bridge->robot().design().home;
  desired.publish(pose_at(home.x(), home.y() + 0.04, home.z()).pose);
  CHECK(rig::eventually([&] { return rig.robot.place().y() > home.y() + 0.03; }));
  CHECK(lengths.count() == 1);
}

TEST_CASE("the names of the cdpr package move the robot and refuse the other commander") {
  RosRobot rig({"profile=cdpr"});
  REQUIRE(rig.live());
  const Newest<PoseStamped> pose(rig.peer, "/pf_state");
  const auto setpoint = rig.peer.advertise<ros2::geometry_msgs::Pose>("/pf_setpoint");
  const auto command = rig.peer.advertise<ros2::sensor_msgs::JointState>("/cable_command");
  REQUIRE(rig.controlled());
  REQUIRE(rig::eventually([&] { return setpoint.matched() == 1 && command.matched() == 1; }));
  const Eigen::Vector3d home = rig.bridge->robot().design().home;
  setpoint.publish(pose_at(home.x(), home.y(), home.z() + 0.04).pose);
  CHECK(rig::eventually([&] {
    const auto seen = pose.get();
    return seen && seen->pose.position.z > home.z() + 0.03;
  }));
  ros2::sensor_msgs::JointState tensions;
  tensions.effort.assign(8, 20);
  CHECK(rig::eventually([&] {
    command.publish(tensions);
    return rig.said("control: pose");
  }));
}
