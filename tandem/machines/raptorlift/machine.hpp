// The RaptorLift as a machine of the runtime: reads the truck's wheels, tells where it has gone, and drives it while
// armed.
#pragma once

#include <memory>
#include <optional>

#include "tandem/base/latest.hpp"
#include "tandem/machines/machine.hpp"
#include "tandem/machines/paced.hpp"
#include "tandem/machines/raptorlift/drive.hpp"
#include "tandem/machines/raptorlift/feedback_gate.hpp"
#include "tandem/machines/raptorlift/orders.hpp"
#include "tandem/machines/raptorlift/plc_link.hpp"
#include "tandem/machines/raptorlift/scene.hpp"
#include "tandem/machines/raptorlift/state.hpp"
#include "tandem/machines/raptorlift/steering_controller.hpp"
#include "tandem/machines/raptorlift/task.hpp"

namespace tandem::raptorlift {

class Ros;

// For the registry.
const machines::MachineType& machine_type();

class Bridge final : public machines::Machine, public machines::Paced {
 public:
  // Throws std::invalid_argument for options or a device that cannot be.
  explicit Bridge(const machines::Setup& setup);
  ~Bridge() override;

  Result<void> connect(Instant deadline) override;
  Result<machines::Cycle> cycle(const machines::Permit& permit) override;
  void disconnect() noexcept override;
  // A third of the time after which feedback is stale: cycles are shorter, but a late one is not yet stale.
  Duration period() const override { return duration_of(times_.feedback / 3); }
  double rate() const override { return 1 / times_.cycle; }
  std::string delays() const override { return link_.delays(); }
  bool moves() const override { return true; }
  std::vector<machines::Value> values() const override;
  machines::Scene scene() const override;
  machines::Picture picture() const override;
  machines::Picture twin_picture() const override;
  ros2::FullNode* ros_node() override;

  // Called from any thread.
  State state() const { return shared_.get().value_or(State{}); }
  // Where what others want is posted; ROS does, and so may others in this process.
  Orders& orders() { return orders_; }

 private:
  void wait_for_turn();
  void take_orders();
  void begin_driving();
  void begin_stopping(std::string_view why);
  void finish_stopping();
  void reset_once();
  bool is_fresh(Instant now) const { return measured_at_ != Instant{} && now - measured_at_ <= stale_after_; }
  bool at_standstill(Instant now) const;
  bool is_frozen(const Wheels& measured) const;
  std::optional<AxisCommands> commands(double dt);
  std::optional<AxisCommands> stopping_commands(double dt);
  Result<AxisCommands> driving_commands(double dt);
  Result<Wheels> internal_targets(double dt, Instant now);
  Wheels joint_targets(Instant now) const;
  Result<PlcLink::Outcome> exchange(const std::optional<AxisCommands>& commands);
  void note(const PlcLink::Outcome& outcome, const std::optional<AxisCommands>& commanded);
  machines::Cycle handle(const PlcLink::Outcome& outcome);
  void observe(const Wheels& measured, Instant at);
  void compare(const kinematics::ackermann::PlanarPose& X_start_axle);
  void tell(machines::Cycle& cycle);
  void share(Quality quality, std::string_view why);

  Clock& clock_;
  const Description description_;
  const Times times_;
  const Commander commander_;
  const Duration cycle_, stale_after_;
  Orders orders_;
  VelocityMux mux_;
  SteeringController controller_;
  Drive drive_;
  FeedbackGate gate_;
  PlcLink link_;
  std::optional<FigureEight> task_;
  std::optional<JogTopic> jog_;  // none without ROS, and while another controller has the joints
  std::optional<JointOrder> joint_order_;

  State state_;                                                    // of the machine's thread; others see shared_
  Instant next_cycle_{};                                           // when the next exchange is due
  Instant last_step_{};                                            // of the drive
  Instant measured_at_{};                                          // of state_.measured; the epoch when there is none
  Instant stopping_since_{};                                       // of the braking
  bool silent_ = false;                                            // while stopping: wait for the PLC's watchdog
  bool pushed_ = false;                                            // torque was commanded, no motion measured since
  bool connected_before_ = false;                                  // in this process
  bool resets_ = false;                                            // an M0 pulse is pending, for standstill
  int standing_ = 0;                                               // fresh samples in a row at standstill
  bool moved_ = false;                                             // since the motors were last disabled in order
  bool refused_ = false;                                           // a disarm was asked for, and has not come yet
  std::optional<std::string> disarm_;                              // for the next cycle to tell
  std::optional<std::string> stop_;                                // likewise, latched
  std::optional<kinematics::ackermann::PlanarPose> X_odom_start_;  // of the twin; from the first look on
  Latest<State> shared_;
  std::unique_ptr<Ros> ros_;  // last: its callbacks use the above; null without ROS
};

}  // namespace tandem::raptorlift
