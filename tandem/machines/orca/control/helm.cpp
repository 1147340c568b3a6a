// SPDX-License-Identifier: Apache-2.0
#include "tandem/machines/orca/control/helm.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numbers>

#include "tandem/base/frames.hpp"
#include "tandem/protocols/mavlink/messages/setpoints.hpp"

namespace tandem::orca {
namespace {

constexpr std::uint16_t velocity_and_turn_only = 0x05C7;  // of SET_POSITION_TARGET_LOCAL_NED: the rest is ignored
constexpr std::uint16_t position_and_heading_only = 0x09F8;
constexpr std::uint8_t local_ned = 1;
constexpr Duration goal_every = 5s;    // ArduSub begins its way again with each one, from rest
constexpr Duration oldest_goal = 10s;  // that waits for GUIDED
constexpr Duration disarm_every = 1s;
constexpr Duration mode_every = 1500ms;      // the heartbeat that shows it comes once a second
constexpr Duration believed_after = 1500ms;  // an older heartbeat may be from before
constexpr Duration words_after = 500ms;      // a refusal, until its reason is there
constexpr int most_halts = 3;                // zero velocities after the last command
// s of neutral sticks after the last command: they are not acknowledged, and where a gap in the link takes them all,
// ArduSub holds the last ones for FS_PILOT_TIMEOUT (3 s).
constexpr double neutral_time = 3.5;
constexpr int first_neutral = 3;  // neutral sticks after arming: no older ones are to count

std::int16_t thousandths(double share, double full, double neutral) {
  return static_cast<std::int16_t>(std::lround(std::clamp(share, -1.0, 1.0) * full + neutral));
}

bool flies_itself(const Vehicle& vehicle) {
  return vehicle.mode == static_cast<std::uint32_t>(Mode::automatic) ||
         vehicle.mode == static_cast<std::uint32_t>(Mode::surface) ||
         vehicle.mode == static_cast<std::uint32_t>(Mode::circle) ||
         vehicle.mode == static_cast<std::uint32_t>(Mode::motor_detect);
}

// An autopilot that has just started knows no attitude yet and would refuse. One that says nothing of it is asked at
// once, unless a task depends on it.
bool ready_to_arm(const Vehicle& vehicle, bool has_task) {
  return vehicle.ekf_at == Instant{} ? !has_task : vehicle.knows_attitude();
}

}  // namespace

const char* name(Activity activity) {
  switch (activity) {
    case Activity::idle:
      return "idle";
    case Activity::arming:
      return "arming";
    case Activity::armed:
      return "armed";
    case Activity::disarming:
      return "disarming";
  }
  return "?";
}

mavlink::ManualControl sticks_from(const TwistCommand& twist, double full_speed, double full_turn) {
  mavlink::ManualControl sticks;
  sticks.x = thousandths(twist.linear[0] / full_speed, 1000, 0);
  sticks.y = thousandths(-twist.linear[1] / full_speed, 1000, 0);
  sticks.z = thousandths(twist.linear[2] / full_speed, 500, 500);
  sticks.r = thousandths(-twist.yaw_rate / full_turn, 1000, 0);
  return sticks;
}

Helm::Helm(const HelmOptions& options) : options_(options) {
  if (options.box) task_.emplace(*options.box);
}

void Helm::yield() { yielded_ = true; }

void Helm::take(Mode mode) {
  yield();
  ordered_mode_ = mode;
}

std::string_view Helm::stage() const {
  if (!task_) return {};
  if (activity_ != Activity::armed) return "waiting to be armed";
  return yielded_ ? "others steer" : task_->text();
}

void Helm::take(const TwistCommand& order) {
  yield();
  twist_ = order;
}

void Helm::take(const GoalCommand& order) {
  yield();
  goal_ = order;
  next_goal_ = {};
}

std::optional<std::string> Helm::step(const machines::Permit& permit, const Vehicle& vehicle, Instant now,
                                      mavlink::CommandClient& commands, mavlink::Outlet& outlet) {
  if (!permit.armed()) refused_ = false;
  if (!permit.armed() && activity_ == Activity::idle) since_ = now;
  std::optional<std::string> trouble;
  const bool due = ready_to_arm(vehicle, task_.has_value()) || now - since_ > options_.arm_patience;
  const bool wanted = activity_ == Activity::idle && permit.armed() && !refused_;
  waits_to_arm_ = wanted && !due;
  if (wanted && due) begin_arming(now, commands);
  if ((activity_ == Activity::arming || activity_ == Activity::armed) && !permit.armed())
    begin_disarming(now, commands, outlet);
  if (activity_ == Activity::arming) trouble = finish_arming(vehicle, now, commands, outlet);
  if (activity_ == Activity::armed && !vehicle.armed && vehicle.heartbeat_at > since_ + believed_after) {
    activity_ = Activity::idle;
    trouble = fmt::format("the autopilot disarmed itself; its last message: {}", vehicle.text.view());
  }
  if (activity_ == Activity::armed) steer(permit, vehicle, now, commands, outlet);
  if (activity_ == Activity::disarming) finish_disarming(vehicle, now, commands, outlet);
  if (trouble) refused_ = true;
  return trouble;
}

// Whatever was wanted before does not count.
void Helm::begin_arming(Instant now, mavlink::CommandClient& commands) {
  twist_.reset();
  goal_.reset();
  halts_ = 0;
  yielded_ = false;
  mode_command_ = 0;
  if (task_) task_->restart();
  command_ = commands.start(mavlink::command_to(options_.vehicle, mavlink::command::arm, 1));
  activity_ = Activity::arming;
  since_ = now;
}

// Acknowledgements do not distinguish arming from disarming, so what is under way is dropped, and the heartbeat has the
// word.
void Helm::begin_disarming(Instant now, mavlink::CommandClient& commands, mavlink::Outlet& outlet) {
  send_sticks(nullptr, outlet);
  commands.abandon();
  command_ = commands.start(mavlink::command_to(options_.vehicle, mavlink::command::arm, 0));
  activity_ = Activity::disarming;
  since_ = now;
  twist_.reset();
  goal_.reset();
}

std::optional<std::string> Helm::finish_arming(const Vehicle& vehicle, Instant now, mavlink::CommandClient& commands,
                                               mavlink::Outlet& outlet) {
  const mavlink::CommandOutcome outcome = commands.outcome(command_);
  if (outcome.status == mavlink::CommandStatus::accepted || (vehicle.armed && vehicle.heartbeat_at > since_)) {
    activity_ = Activity::armed;
    since_ = now;
    neutral_left_ = first_neutral;
    return std::nullopt;
  }
  const bool late = now - since_ > options_.arm_patience;
  const bool objects = vehicle.objected_at >= since_;
  if (!outcome.finished()) refused_at_ = now;
  // ArduSub gives its reasons after its answer.
  if (!late && (!outcome.finished() || (!objects && now - refused_at_ < words_after))) return std::nullopt;
  std::string why = fmt::format("arming: {}; its last message: {}", late ? "no answer" : mavlink::name(outcome.status),
                                objects ? vehicle.objection.view() : vehicle.text.view());
  begin_disarming(now, commands, outlet);  // what became of it is not certain
  return why;
}

void Helm::finish_disarming(const Vehicle& vehicle, Instant now, mavlink::CommandClient& commands,
                            mavlink::Outlet& outlet) {
  if (!vehicle.armed && vehicle.heartbeat_at > since_) {
    activity_ = Activity::idle;
    return;
  }
  if (now < next_input_) return;
  next_input_ = now + duration_of(1 / options_.input_rate);
  send_sticks(nullptr, outlet);
  const bool over =
      commands.outcome(command_).finished() || commands.outcome(command_).status == mavlink::CommandStatus::unknown;
  if (!over || now - since_ < disarm_every) return;
  command_ = commands.start(mavlink::command_to(options_.vehicle, mavlink::command::arm, 0));
  since_ = now;
}

void Helm::steer(const machines::Permit& permit, const Vehicle& vehicle, Instant now, mavlink::CommandClient& commands,
                 mavlink::Outlet& outlet) {
  if (now < next_input_) return;
  next_input_ = std::max(next_input_ + duration_of(1 / options_.input_rate), now);
  if (!permit.armed()) return;
  if (task_ && !yielded_) follow_task(vehicle, now, commands);
  if (twist_ && now - twist_->at > options_.twist_timeout) {
    twist_.reset();
    halts_ = most_halts;
    neutral_left_ = static_cast<int>(std::ceil(neutral_time * options_.input_rate));
  }
  if (!permit.armed()) return;  // a stop counts up to the last moment
  const bool pilots = !vehicle.guided() && !flies_itself(vehicle);
  if (steered(vehicle) || neutral_left_ > 0) {
    if (neutral_left_ > 0) --neutral_left_;
    send_sticks(pilots && twist_ ? &*twist_ : nullptr, outlet);
  }
  if (!vehicle.guided()) {
    if (goal_ && now - goal_->at > oldest_goal) goal_.reset();  // no one expects it to be flown to later
    return;
  }
  if (twist_) {
    goal_.reset();
    send_velocity(vehicle, *twist_, outlet);
  } else if (halts_ > 0 && !goal_) {
    --halts_;
    send_velocity(vehicle, {}, outlet);
  } else if (goal_ && now >= next_goal_) {
    next_goal_ = now + goal_every;
    send_goal(outlet);
  }
}

// Something that we were asked for is in force: sticks, a place, the task, or a mode in which the vehicle goes by
// itself. Else a ground station may be the pilot, and neutral sticks of ours would take the helm from it every tenth of
// a second.
bool Helm::steered(const Vehicle& vehicle) const {
  if (task_ && !yielded_) return true;
  const bool asked_for = yielded_ || (ordered_mode_ && vehicle.mode == static_cast<std::uint32_t>(*ordered_mode_));
  return twist_ || goal_ || (asked_for && (vehicle.guided() || flies_itself(vehicle)));
}

void Helm::follow_task(const Vehicle& vehicle, Instant now, mavlink::CommandClient& commands) {
  const BoxTask::Wish wish = task_->step(vehicle, waiting_, now);
  twist_.reset();
  if (vehicle.mode != static_cast<std::uint32_t>(wish.mode)) {
    goal_.reset();
    return want_mode(wish.mode, now, commands);
  }
  if (wish.heave != 0) twist_ = TwistCommand{{0, 0, wish.heave * options_.full_speed}, 0, now};
  if (wish.goal && (!goal_ || goal_->position != wish.goal->position)) next_goal_ = {};
  goal_ = wish.goal;
}

void Helm::want_mode(Mode mode, Instant now, mavlink::CommandClient& commands) {
  const mavlink::CommandOutcome outcome = commands.outcome(mode_command_);
  if (now < next_mode_ || (!outcome.finished() && outcome.status != mavlink::CommandStatus::unknown)) return;
  next_mode_ = now + mode_every;
  mode_command_ =
      commands.start(mavlink::command_to(options_.vehicle, mavlink::command::do_mode, 1, static_cast<float>(mode)));
}

void Helm::send_sticks(const TwistCommand* twist, mavlink::Outlet& outlet) {
  mavlink::ManualControl sticks =
      sticks_from(twist != nullptr ? *twist : TwistCommand{}, options_.full_speed, options_.full_turn);
  sticks.target = options_.vehicle.system;
  outlet.send(sticks);
}

void Helm::send_velocity(const Vehicle& vehicle, const TwistCommand& twist, mavlink::Outlet& outlet) {
  // Level: a vehicle that pitches shall not dive for it.
  const Eigen::Vector3d enu = Eigen::AngleAxisd(vehicle.yaw(), Eigen::Vector3d::UnitZ()) *
                              Eigen::Vector3d(twist.linear[0], twist.linear[1], twist.linear[2]);
  const Eigen::Vector3f ned = ned_from_enu(enu).cast<float>();
  mavlink::SetPositionTargetLocalNed target;
  target.target_system = options_.vehicle.system;
  target.target_component = options_.vehicle.component;
  target.coordinate_frame = local_ned;
  target.type_mask = velocity_and_turn_only;
  target.vx = ned.x();
  target.vy = ned.y();
  target.vz = ned.z();
  target.yaw_rate = static_cast<float>(-twist.yaw_rate);
  outlet.send(target);
}

void Helm::send_goal(mavlink::Outlet& outlet) {
  const Eigen::Vector3f ned =
      ned_from_enu(Eigen::Vector3d(goal_->position[0], goal_->position[1], goal_->position[2])).cast<float>();
  mavlink::SetPositionTargetLocalNed target;
  target.target_system = options_.vehicle.system;
  target.target_component = options_.vehicle.component;
  target.coordinate_frame = local_ned;
  target.type_mask = position_and_heading_only;
  target.x = ned.x();
  target.y = ned.y();
  target.z = ned.z();
  target.yaw = static_cast<float>(std::remainder(std::numbers::pi / 2 - goal_->yaw, 2 * std::numbers::pi));
  outlet.send(target);
}

bool Helm::farewell(mavlink::Outlet& outlet) {
  if (activity_ == Activity::idle) return false;
  send_sticks(nullptr, outlet);
  outlet.send(mavlink::command_to(options_.vehicle, mavlink::command::arm, 0));
  return true;
}

void Helm::forget(bool until_disarmed) {
  refused_ = until_disarmed;
  activity_ = Activity::idle;
  twist_.reset();
  goal_.reset();
  ordered_mode_.reset();
}

}  // namespace tandem::orca
