// SPDX-License-Identifier: Apache-2.0
#include "tandem/machines/raptorlift/control/machine.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <utility>

#include "tandem/machines/raptorlift/control/machine_setup.hpp"
#include "tandem/machines/raptorlift/fleet/vehicle.hpp"
#include "tandem/machines/raptorlift/options.hpp"
#include "tandem/machines/raptorlift/ros/topics.hpp"

namespace tandem::raptorlift {
namespace {

constexpr double least_push = 1;      // N m
constexpr double worst_decay = 0.98;  // in a cycle: by half in a third of a second
constexpr double most_steps = 5;      // periods that one step of the drive may stand for

}  // namespace

Machine::Machine(const machines::Setup& setup)
    : PolledMachine(*setup.clock, times_from(setup.options).cycle, times_from(setup.options).feedback,
                    times_from(setup.options).link),
      description_(description_from(setup.options)),
      times_(times_from(setup.options)),
      commander_(commander_from(setup.options)),
      mux_(duration_of(times_.reference)),
      controller_(steering_options_from(setup.options)),
      drive_(drive_options_from(description_)),
      gate_(feedback_limits_from(description_)),
      link_(link_options_from(setup)),
      task_(task_from(setup.options)),
      follower_(follower_options_from(description_)) {
  const Topics::Setup ros = Topics::setup_from(setup, description_, times_, commander_);
  if (setup.ros != nullptr) {
    ros_ = std::make_unique<Topics>(*setup.ros, ros, clock_, shared_, commands_, lines_);
    if (commander_ == Commander::internal) jog_ = jog_topic_from(ros);
  }
  if (const auto options = fleet::fleet_options_from(setup.options))
    fleet_ = std::make_unique<fleet::Vehicle>(setup, *options, description_, times_, commands_, lines_,
                                              [this] { return state(); });
}

Machine::~Machine() {
  fleet_.reset();
  disconnect();
}

ros2::FullNode* Machine::ros_node() { return ros_ ? &ros_->node() : nullptr; }

Result<void> Machine::connect(Instant deadline) {
  disconnect();
  gate_.forget();
  X_odom_start_.reset();  // a PLC that was restarted counts from where it is
  controller_.pause();
  if (auto connected = connect_link(link_, deadline); !connected) return connected;
  standing_ = 0;
  pushed_ = false;
  resets_ = !std::exchange(connected_before_, true);
  last_step_ = clock_.now();
  if (link_.enabled()) begin_stopping("the motors were found enabled");
  return {};
}

void Machine::time_step(Instant now) {
  step_time_ = std::min(seconds(now - last_step_), times_.feedback);
  worst_step_ = std::max(step_time_, worst_decay * worst_step_);
  last_step_ = now;
}

// What has come since the last step, and how long ago that was (s).
double Machine::begin_step() {
  take_orders();
  time_step(clock_.now());
  return std::min(step_time_, most_steps * times_.cycle);
}

Result<machines::Cycle> Machine::cycle(const machines::Permit& permit) {
  wait_for_turn();
  const double dt = begin_step();
  const Instant now = last_step_;
  look_at(permit);
  if (state_.activity == Activity::driving && !permit.armed()) begin_stopping("disarmed");
  if (state_.activity == Activity::driving && !is_fresh(now)) begin_stopping(ask_disarm_by_age(now));
  bool prepared = false;  // enabling takes many round trips: only look at the wheels then
  if (state_.activity == Activity::idle && may_start(permit, now)) {
    begin_driving();
    prepared = state_.activity == Activity::driving;
  }
  auto told = prepared ? std::nullopt : commands(dt);
  if (state_.activity == Activity::driving && !prepared && !permit.armed()) {  // a stop counts up to the last moment
    begin_stopping("disarmed");
    told = commands(dt);
  }
  return conclude(exchange(told), told, prepared);
}

Result<machines::Cycle> Machine::conclude(Result<Link::Outcome> outcome, const std::optional<AxisCommands>& told,
                                          bool prepared) {
  if (!outcome) {
    share(Quality::stale, outcome.error().text);
    return std::move(outcome).error();
  }
  note(*outcome, told);
  machines::Cycle cycle = handle(*outcome);
  cycle.prepared = prepared;
  if (state_.activity == Activity::stopping) finish_stopping();
  if (resets_) reset_once();
  tell(cycle);
  return cycle;
}

// Braking, enabling and the first reset take several round trips and waits.
bool Machine::may_share() const { return state_.activity != Activity::stopping && !resets_ && link_.calm(); }

bool Machine::takes_one_exchange(const machines::Permit& permit, Instant now) const {
  if (!may_share()) return false;
  return state_.activity == Activity::driving ? permit.armed() && is_fresh(now) : !may_start(permit, now);
}

Result<bool> Machine::ask(const machines::Permit& permit) {
  if (!takes_one_exchange(permit, clock_.now())) return false;
  const Instant before = last_step_;
  wait_for_turn();  // it is due
  const double dt = begin_step();
  look_at(permit);
  asked_ = commands(dt);
  // A stop counts up to the last moment, and targets that are no numbers stop it as well: then cycle() brakes, at once.
  if (state_.activity == Activity::stopping || (state_.activity == Activity::driving && !permit.armed())) {
    last_step_ = before;
    give_turn_back();
    return false;
  }
  if (auto begun = link_.begin_exchange(asked_ ? &*asked_ : nullptr); !begun) {
    share(Quality::stale, begun.error().text);
    return std::move(begun).error();
  }
  return true;
}

std::optional<Result<machines::Cycle>> Machine::take() {
  if (!link_.is_answered()) return std::nullopt;
  return conclude(link_.finish_exchange(), std::exchange(asked_, std::nullopt), false);
}

void Machine::look_at(const machines::Permit& permit) {
  see(permit);
  state_.stop_latched = permit.stopped();
}

void Machine::take_orders() {
  if (const auto why = commands_.disarm.take(); why && state_.activity == Activity::driving)
    begin_stopping(ask_disarm(std::string(why->view())));
  for (std::size_t i = 0; i < velocity_input_count; ++i) {
    if (const auto order = commands_.twists[i].take())
      mux_.take(static_cast<VelocityInput>(i), order->twist, order->at);
  }
  take_route();
  if (const auto order = commands_.joints.take()) joint_order_ = *order;
  if (const auto gear = commands_.gear.take()) {
    state_.gear = *gear;
    controller_.limit_speed(gear_speed(*gear));
  }
  if (const auto place = commands_.place.take()) {
    controller_.place(*place);
    X_odom_start_.reset();
  }
}

// Earlier commands do not count. Enabling releases the PLC's brake, so it requires standstill.
void Machine::begin_driving() {
  if (!at_standstill(clock_.now())) {
    if (standing_ > 0) return;  // too few samples so far
    const double speed = std::max(std::abs(state_.measured.front_right), std::abs(state_.measured.front_left));
    ask_disarm(
        fmt::format("motors not enabled: a wheel turns at {:.2f} rad/s, expected standstill; arm again then", speed));
    return;
  }
  drive_.reset();
  controller_.rest(state_.measured);
  mux_.forget();
  joint_order_.reset();
  if (task_) task_->restart(controller_.X_odom_axle());
  state_.task_off = false;
  state_.targets = {0, 0, state_.measured.rear_right, state_.measured.rear_left};
  moved_ = true;
  if (auto enabled = link_.enable(); !enabled) return begin_stopping(ask_disarm(std::move(enabled).error().text));
  state_.activity = Activity::driving;
  ++state_.enabled;
  last_step_ = clock_.now();
}

std::optional<AxisCommands> Machine::commands(double dt) {
  if (state_.activity == Activity::driving) {
    if (auto driving = driving_commands(dt)) return *driving;
    begin_stopping(ask_disarm("wheel targets or measurements contain NaN or infinity"));
  }
  if (state_.activity == Activity::idle) return std::nullopt;
  return stopping_commands();
}

Result<AxisCommands> Machine::driving_commands(double dt) {
  const Instant now = clock_.now();
  if (commander_ == Commander::internal) {
    auto targets = internal_targets(dt, now);
    if (!targets) return std::move(targets).error();
    state_.targets = *targets;
  } else {
    state_.targets = joint_targets(now);
  }
  return drive_.step(state_.targets, state_.measured, dt);
}

Result<Wheels> Machine::internal_targets(double dt, Instant now) {
  follow_route(dt, now);
  auto choice = mux_.choose(now);
  // Who has driven and lets go wants the truck to stand: the task does not take it back.
  state_.task_off = state_.task_off || (task_ && choice && choice->input != VelocityInput::task);
  if (task_ && !state_.task_off) {
    mux_.take(VelocityInput::task, task_->step(controller_.X_odom_axle(), dt), now);
    choice = mux_.choose(now);
  }
  state_.input = choice ? source(choice->input).name : "";
  auto output = controller_.step(choice ? std::optional(choice->twist) : std::nullopt, state_.measured, dt);
  if (!output) return std::move(output).error();
  state_.wanted = output->twist;
  state_.steering_angle = output->angle;
  return output->wheels;
}

// When they end, the steering stays as it was commanded last.
Wheels Machine::joint_targets(Instant now) const {
  if (joint_order_ && now - joint_order_->at <= duration_of(times_.command)) return joint_order_->wheels;
  return {0, 0, state_.targets.rear_right, state_.targets.rear_left};
}

Result<Link::Outcome> Machine::exchange(const std::optional<AxisCommands>& commands) {
  const AxisCommands* const written = commands ? &*commands : nullptr;
  return state_.activity == Activity::stopping ? link_.exchange_singly(written, hold_) : link_.exchange(written);
}

void Machine::note(const Link::Outcome& outcome, const std::optional<AxisCommands>& commanded) {
  if (commanded) state_.torques = commanded->torques;
  pushed_ = pushed_ || (state_.activity == Activity::driving && commanded &&
                        std::max(std::abs(commanded->torques[0]), std::abs(commanded->torques[1])) > least_push);
  state_.coils = link_.coil_levels();
  state_.timeouts = link_.timeouts();
  state_.late = link_.late();
  state_.saturated = drive_.saturated();
  if (commander_ == Commander::joint_commands && state_.activity == Activity::driving)
    state_.input = joint_order_ ? "joint_commands" : "";
  if (outcome.distrust && state_.activity == Activity::driving)
    begin_stopping(ask_disarm(std::string(outcome.cause.view())));
}

machines::Verdict Machine::judge(const Link::Outcome& outcome) {
  if (!outcome.measured) return {Quality::invalid, "no measurements"};
  machines::Verdict verdict = gate_.judge(*outcome.measured);
  state_.jumps = gate_.jumps();
  if (verdict.quality == Quality::live && is_frozen(*outcome.measured))
    verdict = {Quality::stale, "the wheels are braked, but their measured speeds do not change"};
  return verdict;
}

void Machine::publish(Instant received) {
  log();
  if (ros_) ros_->publish(state_, received);
}

void Machine::observe(const Link::Outcome& outcome) {
  const Wheels& measured = *outcome.measured;
  const auto since = time_since_last(outcome.received);
  if (!since) controller_.pause();
  const double dt = since.value_or(times_.cycle);
  if (controller_.observe(measured, dt) && since) {
    state_.wheel_angles[0] += 0.5 * (measured.front_right + state_.measured.front_right) * dt;
    state_.wheel_angles[1] += 0.5 * (measured.front_left + state_.measured.front_left) * dt;
    state_.steering_rates = {(measured.rear_right - state_.measured.rear_right) / dt,
                             (measured.rear_left - state_.measured.rear_left) / dt};
  }
  state_.measured = measured;
  believe(outcome.received);
  state_.at_standstill = drive_.standing(measured);
  standing_ = state_.at_standstill ? standing_ + 1 : 0;
  pushed_ = pushed_ && standing_ > 0;
  state_.X_odom_base = controller_.X_odom_base();
  state_.twist = controller_.base_twist();
  state_.distance = controller_.distance();
  state_.slip = controller_.slip();
  if (outcome.truth) compare(*outcome.truth);
}

// The twin's frame is laid where odometry has it at the first look; what comes after is odometry's own error.
void Machine::compare(const kinematics::ackermann::PlanarPose& X_start_axle) {
  const auto& X_odom_axle = controller_.X_odom_axle();
  if (!X_odom_start_) X_odom_start_ = X_odom_axle * kinematics::ackermann::inverse(X_start_axle);
  const auto off = kinematics::ackermann::inverse(X_odom_axle) * (*X_odom_start_ * X_start_axle);
  const kinematics::ackermann::PlanarPose X_axle_base{base_point.x, base_point.y, 0};
  state_.X_base_true = kinematics::ackermann::inverse(X_axle_base) * off * X_axle_base;
  state_.compared = true;
  state_.residual = std::hypot(off.x, off.y);
  state_.residual_yaw = std::abs(off.yaw);
}

}  // namespace tandem::raptorlift
