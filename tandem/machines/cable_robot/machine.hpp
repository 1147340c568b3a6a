// The cable robot as a machine of the runtime: reads its winches, tells where the platform is, and moves it while
// armed.
#pragma once

#include <memory>
#include <mutex>
#include <optional>
#include <string>

#include "tandem/machines/cable_robot/controller.hpp"
#include "tandem/machines/cable_robot/orders.hpp"
#include "tandem/machines/cable_robot/scene.hpp"
#include "tandem/machines/cable_robot/state.hpp"
#include "tandem/machines/cable_robot/task.hpp"
#include "tandem/machines/cable_robot/winch_gate.hpp"
#include "tandem/machines/cable_robot/winch_link.hpp"
#include "tandem/machines/machine.hpp"
#include "tandem/machines/paced.hpp"

namespace tandem::cable_robot {

class Ros;

// For the registry.
const machines::MachineType& machine_type();

class Bridge final : public machines::Machine, public machines::Paced {
 public:
  // Throws std::invalid_argument for options, a geometry or a device that cannot be.
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
  const cables::Robot& robot() const { return robot_; }
  // Where what others want is posted; ROS does, and so may others in this process.
  Orders& orders() { return orders_; }

 private:
  enum class Phase : std::uint8_t {
    idle,     // the winches are disabled; only read
    driving,  // armed and enabled
    braking,  // no longer armed: the set point comes to rest, within a bounded time
    holding,  // hold and disable are sent until the winches report it
  };

  void wait_for_turn();
  bool is_fresh(Instant now) const { return measured_at_ != Instant{} && now - measured_at_ <= stale_after_; }
  void decide(const machines::Permit& permit, Instant now);
  void begin_driving();
  void forget_orders();
  void end_motion(std::string_view why);  // brakes where that is possible, else holds
  void hold(std::string_view why);
  void try_disable();
  void finish_holding();
  const WinchCommand* command() const;
  void note(const WinchLink::Outcome& outcome);
  void look_for_faults(const WinchReport& report);
  machines::Cycle handle(const WinchLink::Outcome& outcome);
  void observe(const WinchReport& report, Instant at);
  void control(double dt, Instant now);
  void take_orders(double dt, Instant now);
  void follow_tensions(Instant now);
  void judge_motion();
  void refuse(std::string_view who, const Error& error);
  void compare(const WinchTruth& truth);
  void fill_state();
  void tell(machines::Cycle& cycle);
  void share(Quality quality, std::string_view why);

  Clock& clock_;
  const cables::Robot robot_;
  const Times times_;
  const Commander commander_;
  const Duration cycle_, stale_after_, command_age_;
  Orders orders_;
  WinchGate gate_;
  WinchLink link_;
  Controller controller_;
  const Border border_;  // for those who ask how far it is
  std::optional<Task> task_;
  std::optional<PoseTopic> sliders_;       // none without ROS, and while another controller has the cables
  mutable std::once_flag surface_looked_;  // a workspace takes a while: when a scene is first asked for
  mutable machines::Part surface_;

  State state_;  // of the machine's thread; others see shared_
  Phase phase_ = Phase::idle;
  WinchFeedback feedback_;    // the newest that was believed
  WinchCommand told_;         // what goes out next while driving
  bool has_command_ = false;  // told_ is of this arming
  std::optional<MotionOrder> velocity_, acceleration_;
  std::optional<PoseOrder> reference_;  // with feed-forward
  std::optional<TensionOrder> tensions_;
  Instant next_cycle_{};               // when the next exchange is due
  Instant measured_at_{};              // of feedback_; the epoch when there is none
  Instant phase_since_{};              // braking or holding
  Instant lowering_since_{};           // the epoch: is not
  bool moved_ = false;                 // since the winches were last disabled in order
  bool refused_ = false;               // a disarm was asked for, and has not come yet
  std::optional<std::string> disarm_;  // for the next cycle to tell
  std::optional<std::string> stop_;    // likewise, latched
  Latest<State> shared_;
  std::unique_ptr<Ros> ros_;  // last: its callbacks use the above; null without ROS
};

}  // namespace tandem::cable_robot
