// SPDX-License-Identifier: Apache-2.0
#include "tandem/prove/stage/operator.hpp"

#include <fmt/format.h>

#include <array>
#include <mutex>
#include <optional>

#include "tandem/ros2/calls/action_client.hpp"
#include "tandem/ros2/messages/control_msgs_actions.hpp"
#include "tandem/ros2/messages/geometry_msgs.hpp"
#include "tandem/ros2/messages/std_msgs.hpp"
#include "tandem/ros2/types/conversions.hpp"

namespace tandem::prove {
namespace {

using ros2::control_msgs::FollowJointTrajectory;
using ros2::geometry_msgs::PoseStamped;
using ros2::geometry_msgs::Twist;
using ros2::std_msgs::Float64MultiArray;

// Of trucks and submarines: m/s and rad/s.
class Driver final : public Operator {
 public:
  Driver(ros2::Node& node, const std::string& name) : twist_(node.advertise<Twist>("/" + name + "/cmd_vel")) {}
  void move(double a, double b) override {
    Twist twist;
    twist.linear.x = a;
    twist.angular.z = 0.5 * b;
    twist_.publish(twist);
  }

 private:
  ros2::Publisher<Twist> twist_;
};

// Poses within the frame of the cable robot.
class Poser final : public Operator {
 public:
  Poser(ros2::Node& node, const std::string& name) : pose_(node.advertise<PoseStamped>("/" + name + "/desired_pose")) {}
  void move(double a, double b) override { publish(a, b, 0s); }
  void move_as_of_old(double a, double b) override { publish(a, b, 5s); }

 private:
  void publish(double a, double b, Duration age) {
    PoseStamped pose;
    pose.header.frame_id = "world";
    pose.header.stamp = ros2::message_from(system_clock().utc() - age);
    pose.pose.position = {0.08 * a, 0.08 * b, 0.3 + 0.04 * a * b};
    pose.pose.orientation.w = 1;
    pose_.publish(pose);
  }
  ros2::Publisher<PoseStamped> pose_;
};

// Jogs, and trajectories of one joint.
class Jogger final : public Operator {
 public:
  Jogger(ros2::Node& node, const std::string& name)
      : speeds_(node.advertise<Float64MultiArray>("/" + name + "/forward_velocity_controller/commands")),
        follow_(node, "/" + name + "/joint_trajectory_controller/follow_joint_trajectory") {}

  void move(double a, double b) override {
    Float64MultiArray speeds;
    speeds.data = {0.8 * a, 0, 0, 0, 0, 0.8 * b};
    speeds_.publish(speeds);
  }

  void send_goal(const machines::TrueMotion& pose, const Action& action, Said said,
                 std::function<void()> ended) override {
    using Client = ros2::ActionClient<FollowJointTrajectory>;
    if (pose.position.size() != 6) return ended();
    const auto id = std::make_shared<std::string>();
    const auto outcome = [said, ended, id](const Result<Client::Outcome>& result) {
      said(*id, result ? ros2::name(result->status) : "lost");
      ended();
    };
    Client::Options options;
    options.result_timeout = 30s;
    // The result may come before the answer that the goal is accepted has been handled: it waits for the id.
    const auto early = std::make_shared<Early>();
    options.on_outcome = [early, outcome](const Result<Client::Outcome>& result) {
      early->after_acceptance([outcome, result] { outcome(result); });
    };
    follow_.send(goal_for(pose, action), options,
                 [this, said, ended, id, early](Result<ros2::ClientGoal<FollowJointTrajectory>> goal) {
                   if (!goal) {
                     said(fmt::format("refused {}", ++refused_), "rejected");
                     return ended();
                   }
                   *id = ros2::to_text(goal->id());
                   said(*id, "accepted");
                   {
                     const std::lock_guard lock(mutex_);
                     goal_ = *goal;
                   }
                   early->accepted();
                 });
  }

  void cancel_goal() override {
    const std::lock_guard lock(mutex_);
    if (goal_) follow_.request_cancel(*goal_);
  }
  bool wait_until_callable(Duration timeout) const override { return follow_.wait_until_callable(timeout); }

 private:
  // Holds what comes early until the goal is known to be accepted.
  class Early {
   public:
    void after_acceptance(std::function<void()> what) {
      {
        const std::lock_guard lock(mutex_);
        if (!accepted_) return void(waiting_ = std::move(what));
      }
      what();
    }
    void accepted() {
      std::function<void()> what;
      {
        const std::lock_guard lock(mutex_);
        accepted_ = true;
        what = std::move(waiting_);
      }
      if (what) what();
    }

   private:
    std::mutex mutex_;
    bool accepted_ = false;
    std::function<void()> waiting_;
  };

  static FollowJointTrajectory::Goal goal_for(const machines::TrueMotion& pose, const Action& action) {
    FollowJointTrajectory::Goal goal;
    goal.trajectory.joint_names = {"shoulder_pan_joint", "shoulder_lift_joint", "elbow_joint",
                                   "wrist_1_joint",      "wrist_2_joint",       "wrist_3_joint"};
    auto& point = goal.trajectory.points.emplace_back();
    point.positions = pose.position;
    point.positions[0] += action.a;
    point.velocities.assign(6, 0);
    const Duration time = duration_of(action.lasts);
    point.time_from_start.sec = static_cast<std::int32_t>(time / 1s);
    point.time_from_start.nanosec = static_cast<std::uint32_t>((time % 1s).count());
    return goal;
  }

  ros2::Publisher<Float64MultiArray> speeds_;
  ros2::ActionClient<FollowJointTrajectory> follow_;
  std::atomic<int> refused_{0};
  std::mutex mutex_;
  std::optional<ros2::ClientGoal<FollowJointTrajectory>> goal_;  // guarded
};

template <typename Made>
std::unique_ptr<Operator> make(ros2::Node& node, const std::string& name) {
  return std::make_unique<Made>(node, name);
}

struct Row {
  std::string_view type;
  bool goals = false, stamped = false, datagrams = false;
  std::unique_ptr<Operator> (*make)(ros2::Node&, const std::string&) = nullptr;
  std::string_view settings{};
};
constexpr std::array rows{
    Row{.type = "raptorlift", .make = make<Driver>},
    Row{.type = "cable_robot", .stamped = true, .make = make<Poser>},
    Row{.type = "ur3e", .goals = true, .make = make<Jogger>},
    Row{.type = "orca", .datagrams = true, .make = make<Driver>, .settings = ", tf: false"},
    Row{.type = "em1500", .settings = ", twin: false"},
};

const Row* row_of(std::string_view type) {
  for (const Row& row : rows)
    if (row.type == type) return &row;
  return nullptr;
}

}  // namespace

std::unique_ptr<Operator> make_operator(std::string_view type, const std::string& name, ros2::Node& node) {
  const Row* row = row_of(type);
  return row != nullptr && row->make != nullptr ? row->make(node, name) : nullptr;
}

Subject subject_of(std::string_view type, std::string name, bool inside) {
  const Row* row = row_of(type);
  if (row == nullptr) return {.name = std::move(name), .moves = false};
  return {.name = std::move(name),
          .moves = row->make != nullptr,
          .goals = row->goals,
          .stamped = row->stamped && !inside,
          .datagrams = row->datagrams};
}

std::string settings_of(std::string_view type, const std::string& name) {
  const Row* row = row_of(type);
  return fmt::format(", namespace: /{}{}", name, row != nullptr ? row->settings : "");
}

}  // namespace tandem::prove
