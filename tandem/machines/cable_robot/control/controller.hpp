// SPDX-License-Identifier: Apache-2.0
// Moves the platform: a target becomes set points, these become tensions and unwound lengths for the winches. Pure: no
// clock, no device. Nothing in step() throws or allocates.
#pragma once

#include <array>

#include "tandem/base/result.hpp"
#include "tandem/kinematics/cable/tension/tension.hpp"
#include "tandem/kinematics/pid.hpp"
#include "tandem/machines/cable_robot/control/path.hpp"
#include "tandem/machines/cable_robot/control/slack_watch.hpp"
#include "tandem/machines/cable_robot/winches.hpp"

namespace tandem::cable_robot {

// The outer loop makes an acceleration out of the pose's error, in m/s^2 and rad/s^2.
struct PoseGains {
  kinematics::PidGains linear{400, 800, 40, 0.01, 8};
  kinematics::PidGains angular{400, 800, 40, 0.1, 200};
};

struct ControlOptions {
  PathOptions path;
  SlackOptions slack;
  WinchMode mode = WinchMode::length;  // or tension
  cables::Aim aim = cables::Aim::barycentre;
  // Mode length: the cables' own stiffness holds the platform, and the outer loop only makes good what they give way:
  // this share of the error at once, and this share of it a second.
  double give_way_share = 0.01, give_way_rate = 4;
  double most_correction = 5, most_angular_correction = 100;  // m/s^2, rad/s^2, of the outer loop in mode length
  PoseGains tension_gains;                                    // of the outer loop in mode tension
  double lead_back = 5;  // 1/s: in mode tension the speeds lead back to the set point, for winches that are stiff
  // Mode length: unwound lengths follow the measured tensions slowly, as far as these pull against each other only.
  double trim_rate = 2;         // 1/s
  double most_trim = 0.005;     // m
  double tension_rate = 100;    // N/s, while the tensions found at the start become the wanted ones
  double most_residual = 0.02;  // m: lengths that fit together no better tell no pose
  double longest_blind = 1;     // s that cables may be slack without the others telling a pose
  // A cable is cut: down so slowly, with the others nearly slack where they must be.
  PathLimits lowering{0.05, 0.3, 0.3, 2};
  cables::Aim lowering_aim = cables::Aim::least;
  double lowering_least = 0.2;    // N
  double lowering_reserve = 0.1;  // N
};

enum class Activity : std::uint8_t {
  idle,        // may not move; the winches hold
  tensioning,  // has begun: tensions become the wanted ones where the platform is
  resting,     // under control, at the set point
  moving,
  lowering,  // a cable is cut: down to where it can lie
  stopped,   // latched: the winches hold until the next start
};
const char* name(Activity activity);

struct ControlState {
  Pose X_world_platform = Pose::Identity();  // estimated
  bool pose_known = false;
  double residual = 0;  // m: how badly the lengths fit together, root mean square
  SetPoint set_point;
  cables::PerCable tensions;                                 // N wanted
  bool feasible = false;                                     // the tensions hold the set point with its motion
  double margin = 0;                                         // N from them to the nearest bound
  int margin_cable = -1;                                     // that sets it
  Eigen::Vector3d position_error = Eigen::Vector3d::Zero();  // m, set point minus estimate
  Eigen::Vector3d rotation_error = Eigen::Vector3d::Zero();  // rad, rotation vector, world axes
  std::uint16_t slack = 0;                                   // one bit for each cable
  std::uint64_t recoveries = 0;                              // cables that were slack and became taut again
  Activity activity = Activity::idle;
  Finding finding = Finding::fine;
  int cable = -1;          // that it is about
  bool arrived = false;    // at rest at the target
  bool at_border = false;  // stopped there: the way to the target led outside
  bool trim_at_limit = false;
  Reason why;  // of finding, at_border or stopped, in words
};

struct Step {
  WinchCommand command;
  ControlState state;
};

class Controller {
 public:
  Controller(const cables::Robot& robot, const ControlOptions& options);

  // Where to be. Fault::busy while not started, stopped or lowering; otherwise as Path::target(). The pose that comes
  // back is where it goes.
  Result<Pose> target(const Pose& X_world_platform);
  // A moving reference, once before each step().
  Result<void> follow(const SetPoint& reference);
  // Comes to rest and stays under control.
  void brake();

  // Begins from what is measured, and forgets what had stopped it. Without jump: the first command is what the winches
  // have, and tensions change at a bounded rate. Fault::invalid, with the reason, when no pose fits the lengths.
  Result<void> start(const WinchFeedback& feedback);
  // Holds from now on, latched, and says why.
  void stop(const Reason& why);

  // One cycle. While it may not move the command is hold and the state has the estimate only; moving again takes
  // start(). A `dt` that is no time, or more than 20 ms, counts as 0 or 20 ms.
  const Step& step(const WinchFeedback& feedback, double dt, bool may_move);

  const Step& last() const { return step_; }
  const cables::Robot& robot() const { return robot_; }
  const ControlOptions& options() const { return options_; }

 private:
  bool estimate(const WinchFeedback& feedback);          // false: no pose
  bool judge(const WinchFeedback& feedback, double dt);  // false: stopped
  bool may_go_on(bool known, double dt);                 // without a pose for a while; false: stopped
  void lower_without(const SlackWatch::Verdict& verdict);
  void lower();
  void move(double dt);
  cables::Twist correction(double dt);
  void wish_tensions(double dt);
  void blend_tensions(double dt);
  void trim(const WinchFeedback& feedback, double dt);
  void command();
  const Step& hold(const WinchFeedback& feedback);

  cables::Robot robot_;
  ControlOptions options_;
  Path path_;
  SlackWatch watch_;
  std::array<kinematics::Pid, 6> pose_pid_;
  Step step_;
  cables::PerCable measured_;        // m, unwound
  cables::PerCable first_tensions_;  // N, as found at the start
  cables::PerCable wanted_;          // N, for the set point, before they are blended with those
  cables::PerCable misfit_;          // m: unwound lengths at the start beyond those of the pose estimated then
  cables::PerCable trim_;            // m
  cables::Structure structure_;      // at the set point
  double blend_ = 0;                 // 0: tensions as found at the start, 1: as wanted
  double blind_ = 0;                 // s without a pose
  int cut_ = -1;                     // cable
  bool started_ = false, lowered_ = false;
  bool any_slack_ = false;  // in this cycle
  bool reported_ = false;   // the taut cables leave no motion open: the estimate is more than a guess
};

}  // namespace tandem::cable_robot
