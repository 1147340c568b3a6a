// SPDX-License-Identifier: Apache-2.0
#include "tandem/machines/ur3e/ros/goals.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "tandem/machines/ur3e/description.hpp"
#include "tandem/machines/ur3e/ros/messages.hpp"
#include "tandem/ros2/types/command_rules.hpp"
#include "tandem/ros2/types/trajectory_check.hpp"

namespace tandem::ur3e {
namespace {

namespace trajectory = kinematics::trajectory;
using ros2::Preemption;
using ros2::ServerGoal;
using ros2::trajectory_msgs::JointTrajectory;

constexpr std::size_t most_goal_points = 10'000;
// A stamp is when a trajectory starts; one more than 10 min ahead is a clock that is wrong.
constexpr ros2::CommandRules trajectory_rules = {.newest_stamp = 10min, .exclusive = false, .every = true};
constexpr double widest_finger = hand::finger_stroke + 1e-6;  // m

std::optional<Joints> column_values(const std::vector<double>& values, const std::vector<int>& columns) {
  if (values.empty()) return std::nullopt;
  Joints q;
  for (Eigen::Index i = 0; i < 6; ++i) q[i] = values[static_cast<std::size_t>(columns[static_cast<std::size_t>(i)])];
  return q;
}

double seconds_of(const ros2::builtin_interfaces::Duration& time) { return time.sec + 1e-9 * time.nanosec; }

Result<void> read(const std::vector<ros2::control_msgs::JointTolerance>& given, std::string_view prefix,
                  std::array<Tolerance, 6>& into) {
  for (const auto& tolerance : given) {
    std::string_view name = tolerance.name;
    const bool ours = name.starts_with(prefix);
    if (ours) name.remove_prefix(prefix.size());
    const auto joint = ours ? std::find(joint_names.begin(), joint_names.end(), name) : joint_names.end();
    if (joint == joint_names.end())
      return Error{Fault::invalid, fmt::format("tolerance: unknown joint '{}'", tolerance.name.substr(0, 60))};
    if (!std::isfinite(tolerance.position) || !std::isfinite(tolerance.velocity))
      return Error{Fault::invalid,
                   fmt::format("tolerance of {}: expected a finite number, got NaN or infinity", *joint)};
    Tolerance& place = into[static_cast<std::size_t>(joint - joint_names.begin())];
    // 0 leaves the default, below 0 there is no limit.
    if (tolerance.position != 0) place.position = tolerance.position;
    if (tolerance.velocity != 0) place.speed = tolerance.velocity;
    place.given = place.given || tolerance.position != 0 || tolerance.velocity != 0;
  }
  return {};
}

trajectory::JointState start_of(const State& state) {
  const bool moves = state.activity == Activity::trajectory;
  return {Joint6D::from_radians(moves ? state.reference : state.controller.actual_q).vector(),
          Joint6D::from_radians(moves ? state.reference_speed : state.controller.actual_qd).vector(), Joints::Zero()};
}

FollowJointTrajectory::Result result_of(Finish finish, const std::string& why) {
  using Result = FollowJointTrajectory::Result;
  Result result;
  result.error_string = why;
  switch (finish) {
    case Finish::reached:
    case Finish::canceled:
      result.error_code = Result::SUCCESSFUL;
      break;
    case Finish::refused:
    case Finish::replaced:
      result.error_code = Result::INVALID_GOAL;
      break;
    case Finish::strayed:
    case Finish::dropped:
      result.error_code = Result::PATH_TOLERANCE_VIOLATED;
      break;
    case Finish::missed:
      result.error_code = Result::GOAL_TOLERANCE_VIOLATED;
      break;
  }
  return result;
}

template <typename Goal, typename Result>
void end(const Goal& goal, Finish finish, const Result& result) {
  if (finish == Finish::reached) {
    goal.succeed(result);
  } else if (finish != Finish::canceled || !goal.canceled(result)) {
    goal.abort(result);
  }
}

GripperCommandAction::Result grip_result(Finish finish, const HandState& hand) {
  GripperCommandAction::Result result;
  result.position = hand.finger;
  result.effort = hand.effort;
  result.stalled = hand.object;
  result.reached_goal = finish == Finish::reached && !hand.object;
  return result;
}

}  // namespace

Result<std::vector<trajectory::Waypoint>> waypoints_from(const JointTrajectory& message, std::string_view prefix) {
  const std::vector<std::string> joints = joint_name_list(prefix);
  ros2::TrajectoryRules rules;
  rules.joints = joints;
  rules.most_points = most_goal_points;
  const auto columns = ros2::check_trajectory(message, rules);
  if (!columns) return columns.error();
  std::vector<trajectory::Waypoint> points;
  points.reserve(message.points.size());
  for (const auto& point : message.points) {
    trajectory::Waypoint& waypoint = points.emplace_back();
    waypoint.time = seconds_of(point.time_from_start);
    waypoint.q = *column_values(point.positions, *columns);
    waypoint.qd = column_values(point.velocities, *columns);
    waypoint.qdd = column_values(point.accelerations, *columns);
  }
  return points;
}

Result<void> read_tolerances(const FollowJointTrajectory::Goal& goal, TrajectoryRequest& wanted,
                             std::string_view prefix) {
  if (auto taken = read(goal.path_tolerance, prefix, wanted.path); !taken) return taken;
  if (auto taken = read(goal.goal_tolerance, prefix, wanted.goal); !taken) return taken;
  const double overtime = seconds_of(goal.goal_time_tolerance);
  if (overtime != 0) wanted.overtime = overtime > 0 ? overtime : std::numeric_limits<double>::infinity();
  return {};
}

Instant start_from(const ros2::builtin_interfaces::Time& stamp, const Clock& clock) {
  if (stamp.sec == 0 && stamp.nanosec == 0) return {};
  return clock.now() + (ros2::utc_from(stamp) - clock.utc());
}

RosGoals::RosGoals(ros2::FullNode& node, bool has_hand, std::string prefix, const Latest<State>& state,
                   Commands& commands, machines::Refusals& refusals)
    : node_(node),
      prefix_(std::move(prefix)),
      state_(state),
      commands_(commands),
      refusals_(refusals),
      inbox_(node, refusals) {
  for (const std::string controller : {"joint_trajectory_controller", "scaled_joint_trajectory_controller"}) {
    followers_.push_back(follow_server(controller + "/follow_joint_trajectory"));
    inbox_.hear<JointTrajectory>(controller + "/joint_trajectory", trajectory_rules,
                                 [this](const JointTrajectory& message, Instant) { return take(message); });
  }
  if (!has_hand) return;
  grippers_.push_back(grip_server("hande_controller_left/gripper_cmd", 0));
  grippers_.push_back(grip_server("hande_controller_right/gripper_cmd", 1));
}

RosGoals::~RosGoals() = default;

std::string RosGoals::not_ready() const {
  const auto state = state_.get();
  if (!state || state->quality != Quality::live) return "the link to the robot is not live";
  if (state->armed) return "";
  return "not armed: call ~/arm or `tandem arm` first";
}

template <typename Request>
std::shared_ptr<Request> RosGoals::accepted(std::string_view action, Result<std::shared_ptr<Request>> request) const {
  if (request) return std::move(*request);
  refusals_.add(action, request.error().text);
  return nullptr;
}

Result<std::shared_ptr<TrajectoryRequest>> RosGoals::request_from(const Follow::Goal& goal) const {
  if (auto trouble = not_ready(); !trouble.empty()) return Error{Fault::refused, std::move(trouble)};
  const auto& stamp = goal.trajectory.header.stamp;
  if (auto trouble = ros2::stamp_trouble(stamp, node_.clock().utc(), trajectory_rules); !trouble.empty())
    return Error{Fault::refused, std::move(trouble)};
  auto points = waypoints_from(goal.trajectory, prefix_);
  if (!points) return std::move(points).error();
  auto wanted = std::make_shared<TrajectoryRequest>();
  wanted->points = std::move(*points);
  if (auto taken = read_tolerances(goal, *wanted, prefix_); !taken) return std::move(taken).error();
  if (auto planned = wanted->plan(start_of(*state_.get())); !planned) return std::move(planned).error();
  wanted->start = start_from(stamp, node_.clock());
  return wanted;
}

Result<std::shared_ptr<GripRequest>> RosGoals::request_from(const Grip::Goal& goal) const {
  if (auto trouble = not_ready(); !trouble.empty()) return Error{Fault::refused, std::move(trouble)};
  if (!state_.get()->hand.known) return Error{Fault::refused, "the gripper does not answer"};
  if (!(goal.command.position >= 0 && goal.command.position <= widest_finger))
    return Error{Fault::invalid,
                 fmt::format("position: expected 0 to {} m, got {}", hand::finger_stroke, goal.command.position)};
  if (!(goal.command.max_effort >= 0))
    return Error{Fault::invalid, fmt::format("max_effort: expected 0 N or more, got {}", goal.command.max_effort)};
  auto wanted = std::make_shared<GripRequest>();
  wanted->finger = goal.command.position;
  wanted->force = goal.command.max_effort;
  return wanted;
}

std::unique_ptr<ros2::ActionServer<FollowJointTrajectory>> RosGoals::follow_server(std::string_view name) {
  using Server = ros2::ActionServer<Follow>;
  Server::Handlers handlers;
  handlers.prepare = [this, name = std::string(name)](const Follow::Goal& asked) -> Server::Work {
    auto wanted = accepted(name, request_from(asked));
    if (!wanted) return nullptr;
    return [this, wanted](const ServerGoal<Follow>& goal) { begin(goal, wanted); };
  };
  handlers.preempted = [] { return result_of(Finish::replaced, "superseded by a newer goal"); };
  return std::make_unique<Server>(node_, name, handlers,
                                  Server::Options{.preemption = Preemption::newest, .clock = &node_.clock()});
}

std::unique_ptr<ros2::ActionServer<GripperCommandAction>> RosGoals::grip_server(std::string_view name,
                                                                                std::size_t finger) {
  using Server = ros2::ActionServer<Grip>;
  Server::Handlers handlers;
  handlers.prepare = [this, name = std::string(name), finger](const Grip::Goal& asked) -> Server::Work {
    auto wanted = accepted(name, request_from(asked));
    if (!wanted) return nullptr;
    return [this, wanted, finger](const ServerGoal<Grip>& goal) { begin(goal, wanted, finger); };
  };
  return std::make_unique<Server>(node_, name, handlers,
                                  Server::Options{.preemption = Preemption::newest, .clock = &node_.clock()});
}

void RosGoals::begin(const ServerGoal<Follow>& goal, const std::shared_ptr<TrajectoryRequest>& wanted) {
  wanted->active = [goal] { return goal.active(); };
  wanted->canceling = [goal] { return goal.canceling(); };
  wanted->progress = [goal, feedback = Follow::Feedback(), this](const State& state) mutable {
    feedback.header.stamp = ros2::message_from(node_.clock().utc());
    if (feedback.joint_names.empty()) feedback.joint_names = joint_name_list(prefix_);
    fill_progress(feedback.desired, feedback.actual, feedback.error, state);
    goal.publish_feedback(feedback);
  };
  wanted->finished = [goal](Finish finish, const std::string& why) { end(goal, finish, result_of(finish, why)); };
  commands_.drive(wanted);
}

void RosGoals::begin(const ServerGoal<Grip>& goal, const std::shared_ptr<GripRequest>& wanted, std::size_t finger) {
  wanted->canceling = [goal] { return goal.canceling(); };
  wanted->progress = [goal](const HandState& hand) {
    Grip::Feedback feedback;
    feedback.position = hand.finger;
    feedback.effort = hand.effort;
    feedback.stalled = hand.object;
    goal.publish_feedback(feedback);
  };
  wanted->finished = [goal](Finish finish, const HandState& hand) { end(goal, finish, grip_result(finish, hand)); };
  commands_.grip(finger, wanted);
}

Result<void> RosGoals::take(const JointTrajectory& message) {
  Follow::Goal goal;
  goal.trajectory = message;
  auto wanted = request_from(goal);
  if (!wanted) return std::move(wanted).error();
  (*wanted)->finished = [this](Finish finish, const std::string& why) {
    if (finish != Finish::reached && finish != Finish::replaced)
      node_.log(ros2::LogLevel::warn, fmt::format("joint_trajectory: aborted: {}", why));
  };
  commands_.drive(std::move(*wanted));
  return {};
}

}  // namespace tandem::ur3e
