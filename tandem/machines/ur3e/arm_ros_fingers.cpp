// The Hand-E behind ROS 2: one gripper action per finger, positions from /joint_states.
#include <fmt/format.h>

#include <array>
#include <cmath>

#include "tandem/machines/ur3e/arm_ros_side.hpp"
#include "tandem/machines/ur3e/description.hpp"
#include "tandem/machines/ur3e/gripper.hpp"
#include "tandem/ros2/action_client.hpp"
#include "tandem/ros2/messages/control_msgs_actions.hpp"

namespace tandem::ur3e {
namespace {

using Action = ros2::control_msgs::GripperCommandAction;

constexpr double still = 0.0005;    // m/s
constexpr double arrived = 0.0015;  // m
constexpr Duration old_state = 1s;
constexpr Duration until_it_moves = 200ms;
constexpr int moving = 0, stopped_opening = 1, stopped_closing = 2, at_goal = 3, active = 3;

class RosFingers final : public Fingers {
 public:
  explicit RosFingers(std::shared_ptr<RosSide> side)
      : side_(std::move(side)),
        left_(side_->node, "/hande_controller_left/gripper_cmd"),
        right_(side_->node, "/hande_controller_right/gripper_cmd") {}

  // A controller on ROS is active when it is there.
  Result<void> activate(Instant deadline) override { return there(deadline); }
  Result<void> deactivate(Instant) override { return {}; }

  Result<void> move(int position, int /*speed*/, int force, Instant deadline) override {
    if (auto ready = there(deadline); !ready) return ready;
    const auto before = side_->joints->fingers();
    Action::Goal goal;
    goal.command.position = hand::finger_stroke * (1 - position / 255.0);
    goal.command.max_effort = hand::force_from(static_cast<std::uint8_t>(force));
    for (auto* finger : {&left_, &right_}) {
      ros2::ActionClient<Action>::Options options;
      options.accept_timeout = std::max<Duration>(deadline - now(), 100ms);
      auto sent = finger->send(goal, std::move(options));
      if (!sent) return within("gripper", std::move(sent).error());
    }
    closing_ = before && goal.command.position < before->position;
    goal_ = goal.command.position;
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
    out.status = active;
    const bool there = std::abs(seen->position - goal_) <= arrived;
    const bool moves = std::abs(seen->speed) > still || now() - sent_ < until_it_moves;
    out.object = there ? at_goal : moves ? moving : closing_ ? stopped_closing : stopped_opening;
    return out;
  }

 private:
  Result<void> there(Instant deadline) {
    for (const auto* finger : {&left_, &right_})
      if (!finger->wait_for_server(std::max<Duration>(deadline - now(), 0s)))
        return Error{Fault::timeout, "gripper: /hande_controller_left and /hande_controller_right do not both answer"};
    return {};
  }

  std::shared_ptr<RosSide> side_;
  ros2::ActionClient<Action> left_, right_;
  double goal_ = hand::finger_stroke;
  int requested_ = 0;
  bool closing_ = false;
  Instant sent_{};
};

}  // namespace

std::unique_ptr<Fingers> make_ros_fingers(const std::shared_ptr<RosSide>& side) {
  return std::make_unique<RosFingers>(side);
}

}  // namespace tandem::ur3e
