// SPDX-License-Identifier: Apache-2.0
#include "tandem/machines/ur3e/api/arm_ros.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <atomic>
#include <cmath>
#include <mutex>

#include "tandem/machines/ur3e/api/arm_plan.hpp"
#include "tandem/machines/ur3e/api/arm_ros_side.hpp"
#include "tandem/machines/ur3e/description.hpp"
#include "tandem/ros2/calls/action_client.hpp"
#include "tandem/ros2/messages/control_msgs_actions.hpp"
#include "tandem/ros2/types/conversions.hpp"

namespace tandem::ur3e {
namespace {

using kinematics::trajectory::JointRamp;
using kinematics::trajectory::JointState;
using kinematics::trajectory::JointStop;
using ros2::control_msgs::FollowJointTrajectory;
using ros2::trajectory_msgs::JointTrajectory;

constexpr double point_every = 0.02;  // s; a cubic in between is off a straight line by micrometres
constexpr double most_sent_points = 2000;
constexpr Duration look_for_states = 5ms;
constexpr Duration cancel_within = 200ms;

// What callbacks of goals may still touch when the arm is gone.
struct Fate {
  void complain(const std::string& text) {
    const std::lock_guard lock(mutex);
    complaint = text;
  }
  std::string complained() {
    const std::lock_guard lock(mutex);
    return complaint;
  }
  Outcomes outcomes;
  std::atomic<Ticket> yielding = 0;  // a goal is being sent in place of this one
  std::mutex mutex;
  std::string complaint;  // of the last goal that failed
};

JointTrajectory empty_trajectory() {
  JointTrajectory out;
  out.joint_names.assign(joint_names.begin(), joint_names.end());
  return out;
}

void add_point(JointTrajectory& trajectory, double t, const JointState& state) {
  auto& point = trajectory.points.emplace_back();
  point.positions.assign(state.q.begin(), state.q.end());
  point.velocities.assign(state.qd.begin(), state.qd.end());
  point.time_from_start = ros2::message_from(duration_of(t));
}

// `sample` from after the start to `duration`, where the arm rests.
template <typename Sample>
Result<JointTrajectory> sampled(double duration, Sample sample) {
  JointTrajectory out = empty_trajectory();
  const double count = std::clamp(std::ceil(duration / point_every), 1.0, most_sent_points);
  for (int i = 1; i <= static_cast<int>(count); ++i) {
    const double t = std::max(duration, point_every) * i / count;
    Result<JointState> state = sample(t);
    if (!state) return std::move(state).error();
    if (i == static_cast<int>(count)) state->qd.setZero();
    add_point(out, t, *state);
  }
  return out;
}

class RosTrajectoryArm final : public Arm {
 public:
  RosTrajectoryArm(std::shared_ptr<RosSide> side, const std::string& controller)
      : side_(std::move(side)),
        fate_(std::make_shared<Fate>()),
        stream_(side_->node.advertise<JointTrajectory>(controller + "/joint_trajectory")),
        goals_(side_->node, controller + "/follow_joint_trajectory"),
        controller_(controller) {
    status_.why = "arm() has not been called";
  }

  Result<void> find(Instant deadline) const {
    if (!goals_.wait_for_server(until(deadline)))
      return Error{Fault::timeout, fmt::format("{}/follow_joint_trajectory: no such action on ROS", controller_)};
    for (; !side_->joints->state(); system_clock().sleep_until(now() + look_for_states))
      if (now() >= deadline) return Error{Fault::timeout, "/joint_states: no sample with all six joints of the arm"};
    return {};
  }

  // Until the controller has found us as well.
  Result<void> wait_until_callable(Duration within) const {
    if (goals_.wait_until_callable(within)) return {};
    return Error{Fault::timeout,
                 fmt::format("{}/follow_joint_trajectory: the action server does not respond on ROS", controller_)};
  }

  Result<Ticket> submit(command::Any command, Instant deadline) override {
    if (auto meant = command::check(command); !meant) return std::move(meant).error();
    const std::lock_guard one(sending_);
    return perform(command, deadline);
  }

  Outcome outcome(Ticket ticket) const override {
    if (!is_over(fate_->outcomes.of(ticket))) looked();
    return fate_->outcomes.of(ticket);
  }
  std::optional<ArmState> state() const override { return side_->joints->state(); }

  ArmStatus status() const override {
    ArmStatus out = looked();
    if (out.armed) out.why = fate_->complained();
    return out;
  }

  Result<void> reset(Instant) override {
    if (!looked().live) return Error{Fault::refused, "no fresh /joint_states"};
    const std::lock_guard lock(mutex_);
    status_.faulted = false;
    if (!status_.armed) status_.why = "arm() has not been called";
    return {};
  }

  Result<void> arm(Instant deadline) override {
    if (auto heard = wait_until_callable(until(deadline)); !heard) return heard;
    const ArmStatus seen = looked();
    if (!seen.live) return Error{Fault::refused, "no fresh /joint_states"};
    if (seen.faulted) return Error{Fault::refused, std::string(seen.why.view())};
    const std::lock_guard lock(mutex_);
    status_.armed = true;
    status_.why = {};
    return {};
  }

  Result<void> disarm(Instant deadline) override {
    // A goal that is still being sent by the deadline is canceled once it is accepted.
    const std::unique_lock one(sending_, deadline);
    const bool stopped = one.owns_lock() && running_goal() && perform(command::StopJoints{}, deadline).ok();
    {
      const std::lock_guard lock(mutex_);
      status_.armed = false;
      ++disarmed_;
      if (!status_.faulted) status_.why = "disarmed";
    }
    if (!stopped) cancel();
    return {};
  }

 private:
  static Duration until(Instant deadline) { return std::max<Duration>(deadline - now(), 0s); }

  static Error not_armed(const char* name, const ArmStatus& status) {
    return Error{Fault::refused, fmt::format("{}: not armed: {}", name, status.why.view())};
  }

  // Needs `sending_`.
  Result<Ticket> perform(const command::Any& command, Instant deadline) {
    if (const ArmStatus seen = looked(); !seen.armed) return not_armed(command::name(command), seen);
    if (const auto* tool = std::get_if<command::ToolCentre>(&command)) {
      side_->joints->tcp_offset(tool->offset);
      return finished();
    }
    if (std::holds_alternative<command::Nothing>(command)) return finished();
    if (const auto* servo = std::get_if<command::Servo>(&command)) return publish(*servo);
    auto trajectory = trajectory_for(command);
    if (!trajectory) return std::move(trajectory).error();
    return send(std::move(*trajectory), command::name(command), deadline);
  }

  // There is no thread here: what has happened is seen at the next call, and at every look at a move's outcome.
  ArmStatus looked() const {
    const std::lock_guard lock(mutex_);
    status_.live = side_->joints->fresh(now());
    if ((side_->joints->gap() || !status_.live) && status_.armed) {
      status_.armed = false;
      ++disarmed_;
      status_.faulted = true;
      ++status_.faults;
      status_.why = "no /joint_states for too long: call reset_error() and arm()";
      abandon();
    }
    return status_;
  }

  // Needs `mutex_`.
  bool runs() const { return running_ != 0 && !is_over(fate_->outcomes.of(running_)); }

  // A goal that is not watched any more must not go on at the controller. Needs `mutex_`.
  void abandon() const {
    if (!runs()) return;
    fate_->outcomes.put(running_, Outcome::failed);
    goals_.request_cancel(*goal_);
  }

  std::optional<ros2::ClientGoal<FollowJointTrajectory>> running_goal() const {
    const std::lock_guard lock(mutex_);
    return runs() ? goal_ : std::nullopt;
  }

  void cancel() const {
    const auto goal = running_goal();
    if (!goal) return;
    if (const auto canceled = goals_.cancel(*goal, cancel_within); !canceled) fate_->complain(canceled.error().text);
  }

  Result<Ticket> finished() {
    const Ticket ticket = fate_->outcomes.next();
    fate_->outcomes.put(ticket, Outcome::done);
    return ticket;
  }

  Result<Ticket> publish(const command::Servo& servo) {
    JointTrajectory trajectory = empty_trajectory();
    auto& point = trajectory.points.emplace_back();
    point.positions.assign(servo.q.begin(), servo.q.end());
    point.time_from_start = ros2::message_from(duration_of(servo.t));
    if (stream_.matched() == 0)
      return Error{Fault::unsupported, fmt::format("servoj: {} has no subscriber on ROS", stream_.topic())};
    if (!stream_.publish(trajectory)) return Error{Fault::busy, "servoj: the target could not be published"};
    return finished();
  }

  Result<JointTrajectory> trajectory_for(const command::Any& command) const {
    const auto here = side_->joints->state();
    if (!here) return Error{Fault::timeout, "no /joint_states yet"};
    const auto q = Joint6D::from_radians(here->q).vector(), qd = Joint6D::from_radians(here->qd).vector();
    if (command::is_stop(command)) {
      const auto* joints = std::get_if<command::StopJoints>(&command);
      const auto stop = JointStop::make(q, qd, joints != nullptr ? joints->a : command::StopJoints{}.a);
      if (!stop) return stop.error();
      return sampled(stop->duration(), [&](double t) -> Result<JointState> { return stop->sample(t); });
    }
    if (const auto* speed = std::get_if<command::SpeedJoints>(&command); speed != nullptr && speed->t > 0)
      return held_speed(*speed, q, qd);
    const auto way = plan(command, Joint6D::from_radians(here->q), TCP6D::from_metres_radians(here->tcp_offset));
    if (!way && way.error().fault == Fault::unsupported)
      return Error{Fault::unsupported,
                   fmt::format("{}: not supported by a ROS 2 trajectory controller", command::name(command))};
    if (!way) return way.error();
    return sampled(way->duration(), [&](double t) { return way->sample(t); });
  }

  static Result<JointTrajectory> held_speed(const command::SpeedJoints& speed, const kinematics::ur::Joints& q,
                                            const kinematics::ur::Joints& qd) {
    const auto ramp = JointRamp::make(arm_model, q, qd, Joint6D::from_radians(speed.qd).vector(), speed.a);
    if (!ramp) return ramp.error();
    const JointState last = ramp->sample(speed.t);
    const auto stop = JointStop::make(last.q, last.qd, speed.a);
    if (!stop) return stop.error();
    return sampled(speed.t + stop->duration(), [&](double t) -> Result<JointState> {
      return t < speed.t ? ramp->sample(t) : stop->sample(t - speed.t);
    });
  }

  Result<Ticket> send(JointTrajectory trajectory, const char* name, Instant deadline) {
    FollowJointTrajectory::Goal goal;
    goal.trajectory = std::move(trajectory);
    const Ticket ticket = fate_->outcomes.next();
    fate_->outcomes.put(ticket, Outcome::waiting);
    ros2::ActionClient<FollowJointTrajectory>::Options options;
    options.accept_timeout = std::max<Duration>(deadline - now(), 500ms);
    options.on_outcome = [fate = fate_, ticket, text = std::string(name)](const auto& outcome) {
      Outcome out = Outcome::failed;
      const bool yields = fate->yielding == ticket;  // looked at first: it ends after the outcome is put
      if (is_over(fate->outcomes.of(ticket))) return;
      if (!outcome) {
        fate->complain(outcome.error().text);
      } else if (outcome->status == ros2::GoalStatus::succeeded && outcome->result.error_code == 0) {
        out = Outcome::done;
      } else if (outcome->status == ros2::GoalStatus::canceled || yields) {
        out = Outcome::interrupted;
      } else {
        fate->complain(fmt::format("the controller ended {} with error {}: {}", text, outcome->result.error_code,
                                   outcome->result.error_string));
      }
      fate->outcomes.put(ticket, out);
    };
    std::uint32_t disarmed = 0;
    {
      const std::lock_guard lock(mutex_);
      if (!status_.armed) return not_armed(name, status_);
      disarmed = disarmed_;
      // The controller may drop it before it answers us.
      fate_->yielding = running_;
    }
    auto accepted = goals_.send(goal, std::move(options));
    const std::lock_guard lock(mutex_);
    if (accepted) {
      if (runs()) fate_->outcomes.put(running_, Outcome::interrupted);
      running_ = ticket;
      goal_ = *accepted;
    }
    fate_->yielding = 0;
    if (!accepted) return within(name, std::move(accepted).error());
    if (status_.armed && disarmed_ == disarmed) return ticket;
    abandon();
    return Error{Fault::refused, fmt::format("{}: disarmed before the controller accepted it", name)};
  }

  std::shared_ptr<RosSide> side_;
  std::shared_ptr<Fate> fate_;
  ros2::Publisher<JointTrajectory> stream_;
  ros2::ActionClient<FollowJointTrajectory> goals_;
  std::string controller_;
  std::timed_mutex sending_;  // one goal after the other; locked before mutex_
  mutable std::mutex mutex_;  // of what follows; never held while waiting
  mutable ArmStatus status_;
  mutable std::uint32_t disarmed_ = 0;  // how often
  Ticket running_ = 0;                  // the newest goal that was accepted
  std::optional<ros2::ClientGoal<FollowJointTrajectory>> goal_;
};

}  // namespace

Result<RosArm> open_ros_arm(const RosArmOptions& options) {
  if (options.controller.size() < 2 || options.controller.front() != '/')
    return Error{
        Fault::invalid,
        fmt::format("ros2:{0}: expected the name of a controller like ros2:/joint_trajectory_controller, got \"{0}\"",
                    options.controller)};
  auto environment = ros2::context_options_from_environment();
  if (!environment) return std::move(environment).error();
  auto side = std::make_shared<RosSide>(options.context, std::move(environment->options), options.stale_after);
  auto arm = std::make_unique<RosTrajectoryArm>(side, options.controller);
  if (auto there = arm->find(now() + options.connect_within); !there) return std::move(there).error();
  // A robot without gripper is one too.
  auto fingers = make_ros_fingers(side);
  fingers->wait_until_callable(0s);  // found now, it settles while the controller does
  if (auto heard = arm->wait_until_callable(options.callable_within); !heard) return std::move(heard).error();
  fingers->wait_until_callable(options.callable_within);
  return RosArm{std::move(arm), std::move(fingers)};
}

}  // namespace tandem::ur3e
