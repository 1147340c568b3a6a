// SPDX-License-Identifier: Apache-2.0
// The Hand-E behind ROS 2: one gripper action per finger, positions from /joint_states.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>

#include "tandem/machines/ur3e/api/arm_ros_side.hpp"
#include "tandem/machines/ur3e/api/gripper.hpp"
#include "tandem/machines/ur3e/description.hpp"
#include "tandem/ros2/calls/action_client.hpp"
#include "tandem/ros2/messages/control_msgs_actions.hpp"

namespace tandem::ur3e {
namespace {

using ros2::control_msgs::GripperCommandAction;
using ros2::control_msgs::ParallelGripperCommand;

constexpr double fingers_at_rest = 0.0005;  // m/s
constexpr double arrived = 0.0015;          // m
constexpr Duration old_state = 1s;
constexpr Duration fingers_start_within = 200ms;
constexpr Duration look_for_actions = 5ms;
constexpr int moving = 0, stopped_opening = 1, stopped_closing = 2, at_goal = 3, action_active = 3;

Duration until(Instant deadline) { return std::max<Duration>(deadline - now(), 0s); }

// One finger's controller, whichever of the two gripper actions it serves.
class FingerClient {
 public:
  virtual ~FingerClient() = default;
  virtual bool wait_until_callable(Duration timeout) const = 0;
  virtual Result<void> send(double position, double effort, Duration accept_timeout) = 0;  // m, N
};

// gripper_controllers' GripperActionController.
GripperCommandAction::Goal goal_for(GripperCommandAction, std::string_view, double position, double effort) {
  GripperCommandAction::Goal goal;
  goal.command = {position, effort};
  return goal;
}

// parallel_gripper_controller's GripperActionController, which has replaced it since Jazzy.
ParallelGripperCommand::Goal goal_for(ParallelGripperCommand, std::string_view joint, double position, double effort) {
  ParallelGripperCommand::Goal goal;
  goal.command.name = {std::string(joint)};
  goal.command.position = {position};
  goal.command.effort = {effort};
  return goal;
}

template <typename Action>
class FingerClientOf final : public FingerClient {
 public:
  FingerClientOf(ros2::Node& node, const std::string& action, std::string_view joint)
      : client_(node, action), joint_(joint) {}

  bool wait_until_callable(Duration timeout) const override { return client_.wait_until_callable(timeout); }
  Result<void> send(double position, double effort, Duration accept_timeout) override {
    typename ros2::ActionClient<Action>::Options options;
    options.accept_timeout = accept_timeout;
    auto sent = client_.send(goal_for(Action{}, joint_, position, effort), std::move(options));
    if (!sent) return within("gripper", std::move(sent).error());
    return {};
  }

 private:
  ros2::ActionClient<Action> client_;
  std::string_view joint_;
};

class HandE final : public RosFingers {
 public:
  explicit HandE(std::shared_ptr<RosSide> side) : side_(std::move(side)) {}

  void wait_until_callable(Duration timeout) override {
    const Instant deadline = now() + timeout;
    for (std::size_t i = 0; i < actions.size(); ++i)
      if (clients_[i] != nullptr || found(i)) clients_[i]->wait_until_callable(until(deadline));
  }

  // A controller on ROS is active when it is there.
  Result<void> activate(Instant deadline) override { return there(deadline); }
  Result<void> deactivate(Instant) override { return {}; }

  Result<void> move(int position, int /*speed*/, int force, Instant deadline) override {
    if (auto ready = there(deadline); !ready) return ready;
    const auto before = side_->joints->fingers();
    const double goal = hand::finger_stroke * (1 - position / 255.0);
    const double effort = hand::force_from(static_cast<std::uint8_t>(force));
    for (const auto& finger : clients_)
      if (auto sent = finger->send(goal, effort, std::max<Duration>(until(deadline), 100ms)); !sent) return sent;
    closing_ = before && goal < before->position;
    goal_ = goal;
    requested_ = position;
    sent_ = now();
    return {};
  }

  Result<GripperStatus> status(Instant) override {
    const auto seen = side_->joints->fingers();
    if (!seen || now() - seen->received > old_state)
      return Error{Fault::timeout,
                   fmt::format("gripper: no fresh state of {} in /joint_states", hand::finger_joints[0])};
    GripperStatus out;
    out.position = hand::position_from_finger(seen->position);
    out.requested = requested_;
    out.status = action_active;
    const bool there = std::abs(seen->position - goal_) <= arrived;
    const bool moves = std::abs(seen->speed) > fingers_at_rest || now() - sent_ < fingers_start_within;
    out.object = closing_ ? stopped_closing : stopped_opening;
    if (moves) out.object = moving;
    if (there) out.object = at_goal;
    return out;
  }

 private:
  static constexpr std::array<const char*, 2> actions = {"/hande_controller_left/gripper_cmd",
                                                         "/hande_controller_right/gripper_cmd"};

  Result<void> there(Instant deadline) {
    for (std::size_t i = 0; i < actions.size(); ++i) {
      while (clients_[i] == nullptr && !found(i) && now() < deadline)
        system_clock().sleep_until(now() + look_for_actions);
      if (clients_[i] == nullptr || !clients_[i]->wait_until_callable(until(deadline)))
        return Error{Fault::timeout, fmt::format("gripper: {}: no such action on ROS", actions[i])};
    }
    return {};
  }

  // DDS takes one type for each name, so a client is made when it is known which of the two actions is served.
  bool found(std::size_t i) {
    const std::string name = actions[i], topic = name + "/_action/feedback";
    const ros2::Graph graph = side_->context.graph();
    const auto served = std::ranges::find_if(
        graph.endpoints, [&](const ros2::GraphEndpoint& end) { return end.writes && end.topic == topic; });
    if (served == graph.endpoints.end()) return false;
    if (served->type.starts_with(ParallelGripperCommand::type_name)) {
      clients_[i] = std::make_unique<FingerClientOf<ParallelGripperCommand>>(side_->node, name, hand::finger_joints[i]);
    } else {
      clients_[i] = std::make_unique<FingerClientOf<GripperCommandAction>>(side_->node, name, hand::finger_joints[i]);
    }
    return true;
  }

  std::shared_ptr<RosSide> side_;
  std::array<std::unique_ptr<FingerClient>, 2> clients_;
  double goal_ = hand::finger_stroke;
  int requested_ = 0;
  bool closing_ = false;
  Instant sent_{};
};

}  // namespace

std::unique_ptr<RosFingers> make_ros_fingers(const std::shared_ptr<RosSide>& side) {
  return std::make_unique<HandE>(side);
}

}  // namespace tandem::ur3e
