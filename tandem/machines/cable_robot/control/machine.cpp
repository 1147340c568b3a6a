// SPDX-License-Identifier: Apache-2.0
#include "tandem/machines/cable_robot/control/machine.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "tandem/machines/cable_robot/options.hpp"
#include "tandem/machines/cable_robot/ros/topics.hpp"

namespace tandem::cable_robot {
namespace {

constexpr Duration longest_braking = 1s;       // then the winches hold, whatever the set point does
constexpr Duration longest_farewell = 1500ms;  // of braking before the link is closed in order

}  // namespace

Machine::Machine(const machines::Setup& setup)
    : PolledMachine(*setup.clock, times_from(setup.options).cycle, times_from(setup.options).feedback,
                    times_from(setup.options).link),
      robot_(robot_from(setup.options)),
      times_(times_from(setup.options)),
      commander_(setup.options.text("control") == "tensions" ? Commander::tensions : Commander::pose),
      command_age_(duration_of(setup.options.number("command_timeout"))),
      gate_(winch_limits_from(setup.options, robot_)),
      link_(link_options_from(setup, robot_)),
      controller_(robot_, control_options_from(setup.options)),
      border_(robot_, controller_.options().path.border) {
  if (setup.options.text("task") == "path") task_ = task_from(setup.options, robot_);
  state_.cables = robot_.cables();
  const Topics::Setup ros = Topics::setup_from(setup, times_, commander_);
  if (setup.ros != nullptr) {
    ros_ = std::make_unique<Topics>(*setup.ros, ros, robot_, clock_, shared_, commands_, lines_);
    if (commander_ == Commander::pose) sliders_ = pose_topic_from(ros);
  }
  refusals_log_.emplace(clock_, ros_node(), &lines_, duration_of(times_.log));
}

Machine::~Machine() { disconnect(); }

ros2::FullNode* Machine::ros_node() { return ros_ ? &ros_->node() : nullptr; }

Result<void> Machine::connect(Instant deadline) {
  disconnect();
  gate_.forget();
  return connect_link(link_, deadline);
}

// The platform is brought to rest first, if the winches still listen.
void Machine::disconnect() noexcept {
  if (phase_ != Phase::idle && link_.open()) {
    if (phase_ == Phase::driving) end_motion("disconnected");
    const auto brakes = [&] { return phase_ == Phase::braking && is_fresh(clock_.now()); };
    farewell(longest_farewell, brakes, [&] {
      const auto outcome = link_.exchange(command());
      if (!outcome || !outcome->report || outcome->distrust) return false;
      (void)handle(*outcome);
      return true;
    });
  }
  link_.leave();
  if (phase_ != Phase::idle) controller_.stop("disconnected");
  phase_ = Phase::idle;
  state_.enabled = false;
  state_.activity = controller_.last().state.activity;
  if (state_.quality == Quality::live) share(Quality::stale, "disconnected");
}

Result<machines::Cycle> Machine::cycle(const machines::Permit& permit) {
  wait_for_turn();
  decide(permit, clock_.now());
  if (phase_ == Phase::driving && !permit.armed()) end_motion("disarmed");  // a stop counts up to the last moment
  const bool held = phase_ == Phase::holding;
  auto outcome = link_.exchange(command());
  if (!outcome) {
    share(Quality::stale, outcome.error().text);
    return std::move(outcome).error();
  }
  note(*outcome);
  machines::Cycle cycle = handle(*outcome);
  if (held && phase_ == Phase::holding) finish_holding();
  tell(cycle);
  return cycle;
}

void Machine::decide(const machines::Permit& permit, Instant now) {
  see(permit);
  if (phase_ == Phase::driving && !permit.armed()) end_motion("disarmed");
  const bool moves = phase_ == Phase::driving || phase_ == Phase::braking;
  if (moves && !is_fresh(now)) hold(ask_disarm_by_age(now));
  if (phase_ == Phase::braking && now - phase_since_ > longest_braking) hold("did not come to rest");
  if (phase_ == Phase::idle && may_start(permit, now)) begin_driving();
  if (phase_ != Phase::driving && commands_.pose.take())
    refuse("desired pose", {Fault::invalid, "not armed: call ~/arm or `tandem arm` first"});
}

// Whatever was wanted before does not count. The first command is the one after the next sample.
void Machine::begin_driving() {
  forget_orders();
  state_.refusal = {};
  has_command_ = false;
  lowering_since_ = {};
  if (commander_ == Commander::pose) {
    if (auto started = controller_.start(feedback_); !started) {
      state_.stopped = ask_disarm(std::move(started).error().text);
      return;
    }
  }
  moved_ = true;
  if (auto enabled = link_.enable(); !enabled) return hold(ask_disarm(std::move(enabled).error().text));
  if (task_) task_->restart();
  phase_ = Phase::driving;
}

void Machine::forget_orders() {
  (void)commands_.pose.take();
  (void)commands_.velocity.take();
  (void)commands_.acceleration.take();
  (void)commands_.tensions.take();
  velocity_.reset();
  acceleration_.reset();
  reference_.reset();
  tensions_.reset();
  state_.has_target = false;
  state_.input = {};
}

// A platform that a cut cable lets down is held where it is: to brake it takes cables that it no longer has.
void Machine::end_motion(std::string_view why) {
  const bool can_brake = commander_ == Commander::pose && has_command_ && is_fresh(clock_.now()) &&
                         controller_.last().state.activity != Activity::lowering;
  if (!can_brake) return hold(why);
  forget_orders();
  controller_.brake();
  state_.stopped = why;
  phase_ = Phase::braking;
  phase_since_ = clock_.now();
}

void Machine::hold(std::string_view why) {
  if (phase_ != Phase::braking || state_.stopped.empty()) state_.stopped = why;
  forget_orders();
  controller_.stop(Reason(why));
  phase_ = Phase::holding;
  phase_since_ = clock_.now();
  try_disable();
}

// In every cycle, until the winches are read as off.
void Machine::finish_holding() {
  if (link_.enabled()) return try_disable();
  phase_ = Phase::idle;
  has_command_ = moved_ = false;
}

void Machine::try_disable() {
  if (link_.open()) (void)link_.disable();
}

const WinchCommand* Machine::command() const {
  const bool moves = phase_ == Phase::driving || phase_ == Phase::braking;
  return moves && has_command_ ? &reported_ : nullptr;
}

void Machine::note(const Link::Outcome& outcome) {
  state_.timeouts = link_.timeouts();
  state_.late = link_.late();
  state_.saturated += outcome.saturated ? 1 : 0;
  if (phase_ != Phase::driving && phase_ != Phase::braking) return;
  if (outcome.report) look_for_faults(*outcome.report);
  if (!outcome.distrust || phase_ == Phase::holding || phase_ == Phase::idle) return;
  hold(ask_disarm(std::string(outcome.cause.view())));
}

// What the winches have latched themselves.
void Machine::look_for_faults(const WinchReport& report) {
  for (int i = 0; i < robot_.cables(); ++i) {
    const char* fault = fault_name(report.winches.flags[static_cast<std::size_t>(i)]);
    if (*fault == '\0') continue;
    return hold(ask_stop(fmt::format("winch {}: {}", i, fault)));
  }
}

machines::Verdict Machine::judge(const Link::Outcome& outcome) {
  if (!outcome.report) return {Quality::invalid, "no measurements"};
  const auto verdict = gate_.judge(outcome.report->winches, seconds(outcome.received - measured_at_));
  state_.jumps = gate_.jumps();
  return verdict;
}

void Machine::publish(Instant received) {
  log();
  if (ros_) ros_->publish(state_, received);
}

void Machine::observe(const Link::Outcome& outcome) {
  const double dt = time_since_last(outcome.received).value_or(times_.cycle);
  feedback_ = outcome.report->winches;
  state_.mode = outcome.report->mode;
  believe(outcome.received);
  control(dt, outcome.received);
  fill_state();
  if (outcome.truth) compare(*outcome.truth);
}

}  // namespace tandem::cable_robot
