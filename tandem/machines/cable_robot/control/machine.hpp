// SPDX-License-Identifier: Apache-2.0
// The cable robot as a machine of the runtime: reads its winches, reports where the platform is, and moves it while
// armed.
#pragma once

#include <memory>
#include <mutex>
#include <optional>
#include <string>

#include "tandem/machines/cable_robot/commands.hpp"
#include "tandem/machines/cable_robot/control/controller.hpp"
#include "tandem/machines/cable_robot/control/task.hpp"
#include "tandem/machines/cable_robot/device/gate.hpp"
#include "tandem/machines/cable_robot/device/link.hpp"
#include "tandem/machines/cable_robot/scene.hpp"
#include "tandem/machines/cable_robot/state.hpp"
#include "tandem/machines/kit/polled_machine.hpp"
#include "tandem/machines/kit/ros/refusals.hpp"

namespace tandem::cable_robot {

class Topics;

// For the registry.
const machines::MachineType& machine_type();

class Machine final : public machines::PolledMachine<State, Link::Outcome> {
 public:
  // Throws std::invalid_argument if the options, the geometry or the device URL are invalid.
  explicit Machine(const machines::Setup& setup);
  ~Machine() override;

  Result<void> connect(Instant deadline) override;
  Result<machines::Cycle> cycle(const machines::Permit& permit) override;
  void disconnect() noexcept override;
  std::string delays() const override { return link_.delays(); }
  std::vector<machines::Value> values() const override;
  machines::Scene scene() const override;
  machines::Picture picture() const override;
  machines::Picture beside_picture() const override;
  ros2::FullNode* ros_node() override;

  // Called from any thread.
  const cables::Robot& robot() const { return robot_; }
  // Where what others want is posted; ROS does, and so may others in this process.
  Commands& commands() { return commands_; }

 private:
  enum class Phase : std::uint8_t {
    idle,     // the winches are disabled; only read
    driving,  // armed and enabled
    braking,  // no longer armed: the set point comes to rest, within a bounded time
    holding,  // hold and disable are sent until the winches report it
  };

  void decide(const machines::Permit& permit, Instant now);
  void begin_driving();
  void forget_orders();
  void end_motion(std::string_view why);  // brakes where that is possible, else holds
  void hold(std::string_view why);
  void try_disable();
  void finish_holding();
  const WinchCommand* command() const;
  void note(const Link::Outcome& outcome);
  void look_for_faults(const WinchReport& report);
  machines::Verdict judge(const Link::Outcome& outcome) override;
  void observe(const Link::Outcome& outcome) override;
  void publish(Instant received) override;
  void control(double dt, Instant now);
  void take_orders(double dt, Instant now);
  void follow_tensions(Instant now);
  void judge_motion();
  void refuse(std::string_view who, const Error& error);
  void compare(const WinchTruth& truth);
  void fill_state();
  void log();

  const cables::Robot robot_;
  const Times times_;
  const Commander commander_;
  const Duration command_age_;
  Commands commands_;
  Gate gate_;
  Link link_;
  Controller controller_;
  const Border border_;  // for those who ask how far it is
  std::optional<Task> task_;
  std::optional<PoseTopic> sliders_;       // none without ROS, and while another controller has the cables
  mutable std::once_flag surface_looked_;  // a workspace takes a while: when a scene is first asked for
  mutable machines::Part surface_;

  Phase phase_ = Phase::idle;
  WinchFeedback feedback_;    // the newest that was believed
  WinchCommand reported_;     // what goes out next while driving
  bool has_command_ = false;  // reported_ is of this arming
  std::optional<MotionCommand> velocity_, acceleration_;
  std::optional<PoseCommand> reference_;  // with feed-forward
  std::optional<TensionCommand> tensions_;
  Instant phase_since_{};     // braking or holding
  Instant lowering_since_{};  // the epoch: is not
  Instant next_log_{};
  std::uint64_t logged_refusals_ = 0;
  std::string logged_stop_;
  std::unique_ptr<Topics> ros_;                      // behind the above, which its callbacks use; null without ROS
  std::optional<machines::SparseLog> refusals_log_;  // of the controller: poses outside the workspace; behind ros_
};

}  // namespace tandem::cable_robot
