// SPDX-License-Identifier: Apache-2.0
// The RaptorLift as a machine of the runtime: reads the truck's wheels, reports where it has gone, and drives it while
// armed.
#pragma once

#include <memory>
#include <optional>

#include "tandem/machines/kit/polled_machine.hpp"
#include "tandem/machines/raptorlift/commands.hpp"
#include "tandem/machines/raptorlift/control/drive.hpp"
#include "tandem/machines/raptorlift/control/path_follower.hpp"
#include "tandem/machines/raptorlift/control/steering_controller.hpp"
#include "tandem/machines/raptorlift/control/task.hpp"
#include "tandem/machines/raptorlift/control/velocity_mux.hpp"
#include "tandem/machines/raptorlift/device/gate.hpp"
#include "tandem/machines/raptorlift/device/link.hpp"
#include "tandem/machines/raptorlift/scene.hpp"
#include "tandem/machines/raptorlift/state.hpp"
#include "tandem/machines/shared.hpp"

namespace tandem::raptorlift {

class Topics;
namespace fleet {
class Vehicle;
}  // namespace fleet

// For the registry.
const machines::MachineType& machine_type();

class Machine final : public machines::PolledMachine<State, Link::Outcome>, public machines::Shared {
 public:
  // Throws std::invalid_argument if the options or the device URL are invalid.
  explicit Machine(const machines::Setup& setup);
  ~Machine() override;

  Result<void> connect(Instant deadline) override;
  Result<machines::Cycle> cycle(const machines::Permit& permit) override;
  void disconnect() noexcept override;
  bool may_share() const override;
  Instant turn() const override { return next_turn(); }
  void delay_turn(Duration delay) override { delay_next_turn(delay); }
  Result<bool> ask(const machines::Permit& permit) override;
  int answer_fd() const override { return link_.answer_fd(); }
  Instant answer_deadline() const override { return link_.patience(); }
  std::optional<Result<machines::Cycle>> take() override;
  std::string delays() const override { return link_.delays(); }
  std::vector<machines::Value> values() const override;
  std::vector<machines::Metric> metrics() const override;
  machines::Scene scene() const override;
  machines::Picture picture() const override;
  machines::Picture beside_picture() const override;
  ros2::FullNode* ros_node() override;

  // Where what others want is posted; ROS does, and so may others in this process. From any thread.
  Commands& commands() { return commands_; }

 private:
  double begin_step();
  Result<machines::Cycle> conclude(Result<Link::Outcome> outcome, const std::optional<AxisCommands>& told,
                                   bool prepared);
  bool takes_one_exchange(const machines::Permit& permit, Instant now) const;
  void take_orders();
  void look_at(const machines::Permit& permit);
  void take_route();
  void begin_driving();
  void begin_stopping(std::string_view why);
  void time_step(Instant now);
  void finish_stopping();
  void reset_once();
  bool at_standstill(Instant now) const;
  bool is_frozen(const Wheels& measured) const;
  std::optional<AxisCommands> commands(double dt);
  std::optional<AxisCommands> stopping_commands();
  Result<AxisCommands> driving_commands(double dt);
  Result<Wheels> internal_targets(double dt, Instant now);
  void follow_route(double dt, Instant now);
  Wheels joint_targets(Instant now) const;
  Result<Link::Outcome> exchange(const std::optional<AxisCommands>& commands);
  void note(const Link::Outcome& outcome, const std::optional<AxisCommands>& commanded);
  machines::Verdict judge(const Link::Outcome& outcome) override;
  void observe(const Link::Outcome& outcome) override;
  void publish(Instant received) override;
  void compare(const kinematics::ackermann::PlanarPose& X_start_axle);
  void log();

  const Description description_;
  const Times times_;
  const Commander commander_;
  Commands commands_;
  VelocityMux mux_;
  SteeringController controller_;
  Drive drive_;
  Gate gate_;
  Link link_;
  std::optional<FigureEight> task_;
  PathFollower follower_;
  std::optional<JogTopic> jog_;  // none without ROS, and while another controller has the joints
  std::optional<JointCommand> joint_order_;
  std::optional<AxisCommands> asked_;  // with the exchange that has begun

  Instant last_step_{};                                            // of the drive
  double step_time_ = 0;                                           // s, before it; what the brake reckons with
  std::optional<Duration> hold_;                                   // how long the command of the brake may act
  double worst_step_ = 0;                                          // s, the longest of late
  Instant braked_by_{};                                            // measured_at_ of the last command of the brake
  Instant stopping_since_{};                                       // of the braking
  bool silent_ = false;                                            // while stopping: wait for the PLC's watchdog
  bool pushed_ = false;                                            // torque was commanded, no motion measured since
  bool connected_before_ = false;                                  // in this process
  bool resets_ = false;                                            // an M0 pulse is pending, for standstill
  int standing_ = 0;                                               // fresh samples in a row at standstill
  std::optional<kinematics::ackermann::PlanarPose> X_odom_start_;  // of the twin; from the first look on
  Instant next_log_{};
  // Last: their callbacks use the above.
  std::unique_ptr<Topics> ros_;            // null without ROS
  std::unique_ptr<fleet::Vehicle> fleet_;  // null without `vda5050`
};

}  // namespace tandem::raptorlift
