// SPDX-License-Identifier: Apache-2.0
// The UR3e as its users program it: one API for the real robot, the virtual one and any ROS 2 trajectory controller.
// Every call has a deadline. After a stop by safety, a lost link or a stopped program every move fails until
// reset_error() and then arm() have been called. It requests stops; it is not a safety function.
#pragma once

#include <atomic>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>

#include "tandem/machines/machine.hpp"
#include "tandem/machines/ur3e/api/arm_ros.hpp"
#include "tandem/machines/ur3e/api/arm_rtde.hpp"
#include "tandem/machines/ur3e/api/gripper.hpp"
#include "tandem/machines/ur3e/api/values.hpp"
#include "tandem/machines/ur3e/arm.hpp"

namespace tandem::ur3e {

struct RobotOptions {
  // "192.168.1.10" or "rtde://192.168.1.10:30004?...": a controller. "virtual": the one on this computer's standard
  // ports, else the one that `running_virtual` knows, else a new one. "ros2:/joint_trajectory_controller": a ROS 2
  // controller.
  std::string device = "virtual";
  double opened_gripper_mm = 40;
  bool gripper = true;                     // must answer too
  bool arm = true;                         // opening is the operator's word that it may move
  std::optional<Duration> connect_within;  // default 5 s, for a ROS 2 controller 15 s
  RtdeArmOptions link;                     // its address comes from `device`
  // Makes the virtual controller on free ports, for "virtual"; without it only one that is there already is joined.
  std::function<std::unique_ptr<machines::VirtualDevice>()> make_virtual;
  // Address of a virtual controller on other ports that may be joined; empty: none.
  std::function<std::string()> running_virtual;
  bool join_virtual = true;      // one that runs already; false: always a new one
  ros2::Context* ros = nullptr;  // for "ros2:"; null: one of its own, by the ROS environment variables
};

// In real time: a caller waits in its calls, and no clock is injected.
class Robot {
 public:
  static Result<std::unique_ptr<Robot>> open(RobotOptions options);
  ~Robot();
  Robot(const Robot&) = delete;
  Robot& operator=(const Robot&) = delete;
  // Stops, and ends the control program. Everything fails afterwards.
  void close();

  // Moves. True: reached (with wait) or taken (without). False: another command, a stop for one, came in between.
  Result<bool> movej(const Joint6D& joints, double a = 1.4, double v = 1.05, double t = 0, double r = 0,
                     bool wait = true);
  // To the solution nearest to where the arm is.
  Result<bool> movej(const TCP6D& pose, double a = 1.4, double v = 1.05, double t = 0, double r = 0, bool wait = true);
  Result<bool> movel(const TCP6D& pose, double a = 1.2, double v = 0.25, double t = 0, double r = 0, bool wait = true);
  Result<bool> movep(const TCP6D& pose, double a = 1.2, double v = 0.25, double r = 0, bool wait = true);
  Result<bool> movec(const TCP6D& via, const TCP6D& to, double a = 1.2, double v = 0.25, double r = 0,
                     bool wait = true);
  Result<bool> movej_waypoints(std::span<const Joint6DDescriptor> points, bool wait = true);
  Result<bool> movel_waypoints(std::span<const TCP6DDescriptor> points, bool wait = true);
  // From `from`, by this many millimetres along an axis.
  Result<bool> move_linear_direction_until(const TCP6D& from, DirectionFeature feature, DirectionAxis axis,
                                           double distance_mm, double a = 1.2, double v = 0.25, bool wait = true);
  Result<bool> stopj(double a = 2.0, bool wait = true);
  Result<bool> stopl(double a = 1.2, bool wait = true);
  // A target of a stream. One that the joints cannot follow is refused before it is sent.
  Result<bool> servoj(const Joint6D& joints, double t = 0.008, double lookahead_time = 0.1, double gain = 100);
  // t = 0: until the next command.
  Result<bool> speedj(const Six& speeds, double a = 1.4, double t = 0, bool wait = false);
  Result<bool> speedl(const Six& twist, double a = 1.2, double t = 0, bool wait = false);
  // Ends freedrive, force mode and whatever moves: the arm holds still.
  Result<bool> idle() { return stopj(); }

  // The newest sample; an error when it is old.
  Result<ArmState> state() const;
  // No motion is under way, and all joints are slower than 0.01 rad/s. A motion that the slider or a pause holds is
  // under way: it goes on by itself.
  Result<bool> is_steady() const;
  Result<Joint6D> actual_joint_positions() const;
  Result<Six> actual_joint_speeds() const;
  Result<TCP6D> actual_tcp_pose() const;
  Result<Six> actual_tcp_speed() const;
  Result<Six> tcp_force() const;
  Result<double> force() const;  // N, of the three forces

  // Near `qnear`, or where the arm is. The errors are how far the solution may be off, m and rad.
  Result<Joint6D> inverse_kin(const TCP6D& pose, std::optional<Joint6D> qnear = {}, double max_position_error = 1e-4,
                              double max_orientation_error = 1e-4) const;
  // With the tool centre point of now; of the model where the arm cannot be asked.
  Result<TCP6D> forward_kin(const Joint6D& joints) const;

  Result<void> set_tcp(const TCP6D& offset);
  Result<void> set_payload(double mass, const std::array<double, 3>& centre = {});
  Result<void> freedrive_mode();
  Result<void> end_freedrive_mode();
  Result<void> force_mode(const command::ForceMode& mode);
  Result<void> end_force_mode();
  Result<void> zero_ftsensor();

  Result<bool> digital_in(command::Bank bank, int pin) const;
  Result<bool> digital_out(command::Bank bank, int pin) const;
  Result<double> analog_in(int pin) const;
  Result<double> analog_out(int pin) const;
  Result<void> write_digital_out(command::Bank bank, int pin, bool value);
  Result<void> write_analog_out(int pin, double ratio);

  // Powers on, releases brakes and a protective stop where that is needed and allowed, and clears what has latched.
  // Nothing moves before arm().
  Result<void> reset_error(Duration within = 30s);
  Result<void> arm(Duration within = 5s);
  Result<void> disarm(Duration within = 2s);
  ArmStatus status() const;

  Result<void> sleep(double seconds) const;
  Result<void> sync();  // until the controller has taken all commands before

  Gripper* gripper() { return gripper_.get(); }  // null: none

 private:
  struct Virtual;
  Robot() = default;
  static Result<ControllerAddress> find_virtual(const RobotOptions& options, std::unique_ptr<Virtual>& started);
  Result<void> open_controller(const RobotOptions& options, const ControllerAddress& address);
  Result<void> open_ros(const RobotOptions& options);

  // A move with a way to plan, and a motion without one that takes about this long (s).
  Result<bool> move(command::Any command, bool wait);
  Result<bool> motion(command::Any command, bool wait, double seconds);
  Result<bool> settle(Ticket ticket, const char* name, double seconds) const;
  Result<void> perform(command::Any command);
  Result<void> followable(const Joint6D& joints, double t);
  Result<std::size_t> bit(command::Bank bank, int pin) const;

  std::unique_ptr<Virtual> virtual_;  // lives longest
  std::optional<ControllerAddress> controller_;
  Duration stale_after_ = 100ms;
  std::unique_ptr<Arm> arm_;
  std::unique_ptr<Gripper> gripper_;
  std::atomic<Ticket> last_motion_{0};         // 0: none yet
  std::atomic<Duration::rep> streamed_at_{0};  // when it was submitted, if it is one of a stream
  Six served_{};                               // the last target of a stream
  Instant served_at_{};
};

// Powers the robot on, releases its brakes and a protective stop by the dashboard. What a person must do is an error
// that says so.
Result<void> recover(const ControllerAddress& address, Instant deadline);
// Fault::refused when the robot is in local control; good when it is in remote control or does not report.
Result<void> require_remote_control(const ControllerAddress& address, Instant deadline);

}  // namespace tandem::ur3e
