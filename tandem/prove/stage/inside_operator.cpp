// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <atomic>

#include "tandem/machines/cable_robot/control/machine.hpp"
#include "tandem/machines/orca/control/machine.hpp"
#include "tandem/machines/raptorlift/control/machine.hpp"
#include "tandem/machines/ur3e/control/machine.hpp"
#include "tandem/machines/ur3e/ros/jog.hpp"
#include "tandem/prove/stage/operator.hpp"

namespace tandem::prove {
namespace {

class Truck final : public Operator {
 public:
  explicit Truck(raptorlift::Commands& commands) : commands_(commands) {}
  void move(double a, double b) override {
    commands_.post(raptorlift::VelocityInput::cmd_vel, {{.v = a, .w = 0.5 * b}, now()});
  }

 private:
  raptorlift::Commands& commands_;
};

class Platform final : public Operator {
 public:
  explicit Platform(cable_robot::Commands& commands) : commands_(commands) {}
  void move(double a, double b) override {
    commands_.pose.post({{0.08 * a, 0.08 * b, 0.3 + 0.04 * a * b, 0, 0, 0, 1}, now()});
  }

 private:
  cable_robot::Commands& commands_;
};

class Submarine final : public Operator {
 public:
  explicit Submarine(orca::Commands& commands) : commands_(commands) {}
  void move(double a, double b) override { commands_.twist.post({{a, 0, 0}, 0.5 * b, now()}); }

 private:
  orca::Commands& commands_;
};

// As the jog and the action of the arm's ROS topics, with their checks.
class Arm final : public Operator {
 public:
  explicit Arm(ur3e::Machine& machine) : machine_(machine) {}

  void move(double a, double b) override {
    const ur3e::State state = machine_.state();
    if (!may_move(state) || state.activity == ur3e::Activity::stopping) return;
    ur3e::Joints speeds = ur3e::Joints::Zero();
    speeds[0] = 0.8 * a;
    speeds[5] = 0.8 * b;
    const JointState start = start_of(state);
    auto path = ur3e::jog_path(start, speeds);
    const auto wanted = std::make_shared<ur3e::TrajectoryRequest>();
    if (!path) return;
    wanted->points = *std::move(path);
    if (wanted->plan(start)) machine_.commands().drive(wanted);
  }

  void send_goal(const machines::TrueMotion& pose, const Action& action, Said said,
                 std::function<void()> ended) override {
    const std::string id = fmt::format("goal {}", ++goals_);
    const ur3e::State state = machine_.state();
    const auto wanted = std::make_shared<ur3e::TrajectoryRequest>();
    if (pose.position.size() == 6) {
      auto& point = wanted->points.emplace_back();
      point.time = action.lasts;
      point.q = ur3e::Joints(pose.position.data());
      point.q[0] += action.a;
      point.qd = ur3e::Joints::Zero();
    }
    if (!may_move(state) || wanted->points.empty() || !wanted->plan(start_of(state))) {
      said(id, "rejected");
      return ended();
    }
    said(id, "accepted");
    canceling_ = std::make_shared<std::atomic<bool>>(false);
    wanted->canceling = [canceling = canceling_] { return canceling->load(); };
    wanted->finished = [id, said, ended](ur3e::Finish finish, const std::string&) {
      said(id, finish == ur3e::Finish::reached    ? "succeeded"
               : finish == ur3e::Finish::canceled ? "canceled"
                                                  : "aborted");
      ended();
    };
    machine_.commands().drive(wanted);
  }
  void cancel_goal() override {
    if (canceling_) *canceling_ = true;
  }

 private:
  using JointState = kinematics::trajectory::JointState;

  static bool may_move(const ur3e::State& state) { return state.quality == Quality::live && state.armed; }
  static JointState start_of(const ur3e::State& state) {
    const bool driven = state.activity == ur3e::Activity::trajectory;
    return {ur3e::Joint6D::from_radians(driven ? state.reference : state.controller.actual_q).vector(),
            driven ? ur3e::Joint6D::from_radians(state.reference_speed).vector() : ur3e::Joints::Zero(),
            ur3e::Joints::Zero()};
  }

  ur3e::Machine& machine_;
  int goals_ = 0;
  std::shared_ptr<std::atomic<bool>> canceling_;  // of the newest goal
};

}  // namespace

std::unique_ptr<Operator> make_inside_operator(machines::Machine& machine) {
  if (auto* truck = dynamic_cast<raptorlift::Machine*>(&machine)) return std::make_unique<Truck>(truck->commands());
  if (auto* robot = dynamic_cast<cable_robot::Machine*>(&machine)) return std::make_unique<Platform>(robot->commands());
  if (auto* vehicle = dynamic_cast<orca::Machine*>(&machine)) return std::make_unique<Submarine>(vehicle->commands());
  if (auto* arm = dynamic_cast<ur3e::Machine*>(&machine)) return std::make_unique<Arm>(*arm);
  return nullptr;
}

}  // namespace tandem::prove
