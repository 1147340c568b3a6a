// The API over a ROS 2 joint-trajectory controller, on loopback: a stand-in that follows its goals point by point.
#include <doctest/doctest.h>

#include <cmath>
#include <limits>
#include <mutex>
#include <thread>

#include "tandem/machines/ur3e/description.hpp"
#include "tandem/machines/ur3e/robot.hpp"
#include "tandem/ros2/action_server.hpp"
#include "tandem/ros2/messages/control_msgs_actions.hpp"
#include "tandem/ros2/messages/sensor_msgs.hpp"
#include "tests/ros2/loopback.hpp"

using namespace tandem;
using namespace tandem::ur3e;
using ros2::eventually;

namespace {

using Follow = ros2::control_msgs::FollowJointTrajectory;
using Grip = ros2::control_msgs::GripperCommandAction;

Instant now() { return system_clock().now(); }

double seconds_of(const ros2::builtin_interfaces::Duration& d) { return d.sec + 1e-9 * d.nanosec; }

// Joints jump to the newest point whose time has come. Its joint states have another order, a stranger among them, and
// no speeds.
class StandIn {
 public:
  explicit StandIn(const ros2::ContextOptions& options) : context_(options), node_(context_, "controller") {
    Server::Handlers handlers;
    handlers.execute = [this](const ros2::ServerGoal<Follow>& goal) {
      const std::lock_guard lock(mutex_);
      goal_.emplace(goal);
      begun_ = now();
      trajectories.push_back(goal.goal().trajectory);
    };
    server_ = std::make_unique<Server>(node_, "/joint_trajectory_controller/follow_joint_trajectory", handlers,
                                       Server::Options{ros2::Preemption::newest, {}});
    for (std::size_t i = 0; i < 2; ++i) {
      GripServer::Handlers grip;
      grip.execute = [this, i](const ros2::ServerGoal<Grip>& goal) {
        const std::lock_guard lock(mutex_);
        fingers[i] = goal.goal().command.position;
        goal.succeed({});
      };
      grips_[i] = std::make_unique<GripServer>(
          node_, i == 0 ? "/hande_controller_left/gripper_cmd" : "/hande_controller_right/gripper_cmd", grip);
    }
    states_.emplace(node_.advertise<ros2::sensor_msgs::JointState>("/joint_states"));
    thread_ = std::jthread([this](std::stop_token stop) { run(stop); });
  }

  std::mutex& mutex() { return mutex_; }
  Six q{0, -1.57, 1.57, -1.57, -1.57, 0};
  std::array<double, 2> fingers{0.025, 0.025};
  std::vector<ros2::trajectory_msgs::JointTrajectory> trajectories;
  std::atomic<bool> silent{false};
  std::atomic<bool> fails{false};

 private:
  using Server = ros2::ActionServer<Follow>;
  using GripServer = ros2::ActionServer<Grip>;

  void run(std::stop_token stop) {
    for (; !stop.stop_requested(); std::this_thread::sleep_for(10ms)) {
      const std::lock_guard lock(mutex_);
      follow();
      if (!silent) publish();
    }
  }

  void follow() {
    if (!goal_ || !goal_->active()) return;
    const double t = seconds(now() - begun_);
    const auto& trajectory = goal_->goal().trajectory;
    for (const auto& point : trajectory.points)
      if (seconds_of(point.time_from_start) <= t)
        for (std::size_t i = 0; i < 6; ++i)
          for (std::size_t j = 0; j < trajectory.joint_names.size(); ++j)
            if (trajectory.joint_names[j] == joint_names[i]) q[i] = point.positions[j];
    Follow::Result result;
    if (fails && t > 0.1) {
      result.error_code = -4;
      result.error_string = "shoulder_pan_joint left its path";
      goal_->abort(result);
    } else if (t > seconds_of(trajectory.points.back().time_from_start)) {
      goal_->succeed(result);
    }
  }

  void publish() {
    ros2::sensor_msgs::JointState message;
    const double unknown = std::numeric_limits<double>::quiet_NaN();
    message.name = {"stranger"};
    message.position = {unknown};
    for (std::size_t i = 6; i-- > 0;) {
      message.name.emplace_back(joint_names[i]);
      message.position.push_back(q[i]);
    }
    for (std::size_t i = 0; i < 2; ++i) {
      message.name.emplace_back(hand::finger_joints[i]);
      message.position.push_back(fingers[i]);
    }
    message.velocity.assign(message.name.size(), unknown);
    states_->publish(message);
  }

  std::mutex mutex_;
  std::optional<ros2::ServerGoal<Follow>> goal_;
  Instant begun_{};
  ros2::Context context_;
  ros2::Node node_;
  std::unique_ptr<Server> server_;
  std::array<std::unique_ptr<GripServer>, 2> grips_;
  std::optional<ros2::Publisher<ros2::sensor_msgs::JointState>> states_;
  std::jthread thread_;
};

struct Pair {
  Pair() {
    RobotOptions ros;
    ros.device = "ros2:/joint_trajectory_controller";
    ros.open_ros = &open_ros_arm;
    ros.ros = &context;
    ros.connect_within = 30s;
    auto opened = Robot::open(ros);
    REQUIRE_MESSAGE(opened.ok(), (opened ? "" : opened.error().text));
    robot = std::move(*opened);
  }

  ros2::ContextOptions options = ros2::loopback_options();
  StandIn controller{options};
  ros2::Context context{options};
  std::unique_ptr<Robot> robot;
};

}  // namespace

TEST_CASE("movej drives a ROS controller and joints are matched by name") {
  Pair pair;
  const auto from = pair.robot->actual_joint_positions();
  REQUIRE(from);
  CHECK(from->j2 == doctest::Approx(-1.57));
  const Joint6D to = *from + Joint6D{0.3, 0.1, 0, 0, 0, 0};
  const auto reached = pair.robot->movej(to, 5, 2);
  REQUIRE_MESSAGE(reached.ok(), (reached ? "" : reached.error().text));
  CHECK(*reached);
  CHECK(pair.robot->actual_joint_positions()->j1 == doctest::Approx(0.3).epsilon(0.01));
  CHECK(eventually([&] { return *pair.robot->is_steady(); }));
}

TEST_CASE("movel over ROS is a straight line of way-points") {
  Pair pair;
  const TCP6D from = *pair.robot->actual_tcp_pose();
  TCP6D to = from;
  to.z += 0.05;
  to.y += 0.03;
  const auto reached = pair.robot->movel(to, 1.2, 0.2);
  REQUIRE_MESSAGE(reached.ok(), (reached ? "" : reached.error().text));
  const std::lock_guard lock(pair.controller.mutex());
  REQUIRE(pair.controller.trajectories.size() == 1);
  const auto& points = pair.controller.trajectories[0].points;
  REQUIRE(points.size() > 10);
  const Eigen::Vector3d a = from.pose().translation();
  const Eigen::Vector3d along = (to.pose().translation() - a).normalized();
  for (const auto& point : points) {
    const kinematics::ur::Joints q(point.positions.data());
    const Eigen::Vector3d way = kinematics::ur::forward(arm_model, q).translation() - a;
    CHECK((way - along * along.dot(way)).norm() < 1e-6);
  }
}

TEST_CASE("A stop over ROS replaces the goal and the move says that it was not reached") {
  Pair pair;
  const auto from = *pair.robot->actual_joint_positions();
  std::optional<bool> reached;
  std::thread mover([&] {
    const auto there = pair.robot->movej(from + Joint6D{2}, 1, 0.3);
    if (there) reached = *there;
  });
  CHECK(eventually([&] { return pair.robot->actual_joint_positions()->j1 > 0.05; }));
  CHECK(pair.robot->stopj().ok());
  mover.join();
  REQUIRE(reached);
  CHECK(!*reached);
}

TEST_CASE("What a ROS controller reports as failure fails the move in its words") {
  Pair pair;
  pair.controller.fails = true;
  const auto failed = pair.robot->movej(*pair.robot->actual_joint_positions() + Joint6D{1}, 1, 0.5);
  REQUIRE(!failed);
  CHECK(failed.error().text.find("left its path") != std::string::npos);
  CHECK(!pair.robot->freedrive_mode());
  CHECK(pair.robot->freedrive_mode().error().text.find("cannot do that") != std::string::npos);
}

TEST_CASE("Joint states that stay away disarm until reset and arm") {
  Pair pair;
  pair.controller.silent = true;
  CHECK(eventually([&] { return !pair.robot->status().armed; }));
  CHECK(!pair.robot->movej(Joint6D{}));
  pair.controller.silent = false;
  CHECK(eventually([&] { return pair.robot->status().live; }));
  CHECK(!pair.robot->status().armed);
  CHECK(!pair.robot->arm());
  CHECK(pair.robot->reset_error().ok());
  CHECK(pair.robot->arm().ok());
  CHECK(pair.robot->movej(*pair.robot->actual_joint_positions() + Joint6D{0.1}, 5, 2).ok());
}

TEST_CASE("The gripper over ROS drives both fingers") {
  Pair pair;
  Gripper& gripper = *pair.robot->gripper();
  REQUIRE(gripper.activate(20s).ok());
  CHECK(*gripper.move(255));
  CHECK(eventually([&] { return gripper.position().ok() && *gripper.position() >= 250; }));
  {
    const std::lock_guard lock(pair.controller.mutex());
    CHECK(pair.controller.fingers[0] == doctest::Approx(0));
    CHECK(pair.controller.fingers[1] == doctest::Approx(0));
  }
  CHECK(*gripper.open());
  CHECK(eventually([&] { return *gripper.estimated_position_mm() > 38; }));
}

TEST_CASE("A controller that is not there is named") {
  ros2::Context context{ros2::loopback_options()};
  RobotOptions ros;
  ros.device = "ros2:/no_such_controller";
  ros.open_ros = &open_ros_arm;
  ros.ros = &context;
  ros.connect_within = 300ms;
  const auto opened = Robot::open(ros);
  REQUIRE(!opened);
  CHECK(opened.error().text.find("/no_such_controller") != std::string::npos);
  ros.device = "ros2:";
  CHECK(!Robot::open(ros));
}
