#include "tandem/machines/cable_robot/machine.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "tandem/machines/cable_robot/options.hpp"
#include "tandem/machines/cable_robot/ros.hpp"

namespace tandem::cable_robot {
namespace {

constexpr Duration most_caught_up = 100ms;     // of cycles that are late
constexpr Duration longest_braking = 1s;       // then the winches hold, whatever the set point does
constexpr Duration longest_farewell = 1500ms;  // of braking before the link is closed in order

}  // namespace

Bridge::Bridge(const machines::Setup& setup)
    : clock_(*setup.clock),
      robot_(robot_from(setup.options)),
      times_(times_from(setup.options)),
      commander_(setup.options.text("control") == "tensions" ? Commander::tensions : Commander::pose),
      cycle_(duration_of(times_.cycle)),
      stale_after_(duration_of(times_.feedback)),
      command_age_(duration_of(setup.options.number("command_timeout"))),
      gate_(winch_limits_from(setup.options, robot_)),
      link_(link_options_from(setup, robot_)),
      controller_(robot_, control_options_from(setup.options)),
      border_(robot_, controller_.options().path.border) {
  if (setup.options.text("task") == "path") task_ = task_from(setup.options, robot_);
  state_.cables = robot_.cables();
  const Ros::Setup ros = Ros::setup_from(setup, times_, commander_);
  if (setup.ros == nullptr) return;
  ros_ = std::make_unique<Ros>(*setup.ros, ros, robot_, clock_, shared_, orders_);
  if (commander_ == Commander::pose) sliders_ = pose_topic_from(ros);
}

Bridge::~Bridge() { disconnect(); }

ros2::FullNode* Bridge::ros_node() { return ros_ ? &ros_->node() : nullptr; }

Result<void> Bridge::connect(Instant deadline) {
  disconnect();
  const Duration away = clock_.now() - measured_at_;
  gate_.forget();
  auto connected = link_.connect(deadline);
  share(Quality::stale, connected ? "connected; no sample yet" : connected.error().text);
  if (!connected) return connected;
  if (moved_ && away >= duration_of(times_.link))
    stop_ = fmt::format("the link was lost for {:.1f} s while moving", seconds(away));
  moved_ = refused_ = false;
  disarm_.reset();
  measured_at_ = {};
  next_cycle_ = clock_.now();
  return connected;
}

// The platform is brought to rest first, if the winches still listen.
void Bridge::disconnect() noexcept {
  if (phase_ != Phase::idle && link_.open()) {
    if (phase_ == Phase::driving) end_motion("disconnected");
    const Instant until = clock_.now() + longest_farewell;
    while (phase_ == Phase::braking && clock_.now() < until && is_fresh(clock_.now())) {
      wait_for_turn();
      const auto outcome = link_.exchange(command());
      if (!outcome || !outcome->report || outcome->distrust) break;
      (void)handle(*outcome);
    }
  }
  link_.leave();
  if (phase_ != Phase::idle) controller_.stop("disconnected");
  phase_ = Phase::idle;
  state_.enabled = false;
  state_.activity = controller_.last().state.activity;
  if (state_.quality == Quality::live) share(Quality::stale, "disconnected");
}

void Bridge::wait_for_turn() {
  const Instant now = clock_.now();
  next_cycle_ += cycle_;
  if (now - next_cycle_ > most_caught_up) next_cycle_ = now;  // what is further behind is lost
  clock_.sleep_until(next_cycle_);
}

Result<machines::Cycle> Bridge::cycle(const machines::Permit& permit) {
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

void Bridge::decide(const machines::Permit& permit, Instant now) {
  if (!permit.armed()) refused_ = false;
  if (phase_ == Phase::driving && !permit.armed()) end_motion("disarmed");
  const bool moves = phase_ == Phase::driving || phase_ == Phase::braking;
  if (moves && !is_fresh(now)) {
    disarm_ = fmt::format("the feedback is {:.0f} ms old", 1e3 * seconds(now - measured_at_));
    hold(*disarm_);
  }
  if (phase_ == Phase::braking && now - phase_since_ > longest_braking) hold("did not come to rest");
  if (phase_ == Phase::idle && permit.armed() && !refused_ && is_fresh(now)) begin_driving();
}

// Whatever was wanted before does not count. The first command is the one after the next sample.
void Bridge::begin_driving() {
  forget_orders();
  has_command_ = false;
  lowering_since_ = {};
  if (commander_ == Commander::pose) {
    if (auto started = controller_.start(feedback_); !started) {
      disarm_ = started.error().text;
      state_.stopped = *disarm_;
      return;
    }
  }
  moved_ = true;
  if (auto enabled = link_.enable(); !enabled) {
    disarm_ = enabled.error().text;
    return hold(*disarm_);
  }
  if (task_) task_->restart();
  phase_ = Phase::driving;
}

void Bridge::forget_orders() {
  (void)orders_.pose.take();
  (void)orders_.velocity.take();
  (void)orders_.acceleration.take();
  (void)orders_.tensions.take();
  velocity_.reset();
  acceleration_.reset();
  reference_.reset();
  tensions_.reset();
  state_.has_target = false;
  state_.input = {};
}

// A platform that a cut cable lets down is held where it is: to brake it takes cables that it no longer has.
void Bridge::end_motion(std::string_view why) {
  const bool can_brake = commander_ == Commander::pose && has_command_ && is_fresh(clock_.now()) &&
                         controller_.last().state.activity != Activity::lowering;
  if (!can_brake) return hold(why);
  forget_orders();
  controller_.brake();
  state_.stopped = why;
  phase_ = Phase::braking;
  phase_since_ = clock_.now();
}

void Bridge::hold(std::string_view why) {
  if (phase_ != Phase::braking || state_.stopped.empty()) state_.stopped = why;
  forget_orders();
  controller_.stop(Reason(why));
  phase_ = Phase::holding;
  phase_since_ = clock_.now();
  try_disable();
}

// In every cycle, until the winches are read as off.
void Bridge::finish_holding() {
  if (link_.enabled()) return try_disable();
  phase_ = Phase::idle;
  has_command_ = moved_ = false;
}

void Bridge::try_disable() {
  if (link_.open()) (void)link_.disable();
}

const WinchCommand* Bridge::command() const {
  const bool moves = phase_ == Phase::driving || phase_ == Phase::braking;
  return moves && has_command_ ? &told_ : nullptr;
}

void Bridge::note(const WinchLink::Outcome& outcome) {
  state_.timeouts = link_.timeouts();
  state_.late = link_.late();
  state_.saturated += outcome.saturated ? 1 : 0;
  if (phase_ != Phase::driving && phase_ != Phase::braking) return;
  if (outcome.report) look_for_faults(*outcome.report);
  if (!outcome.distrust || phase_ == Phase::holding || phase_ == Phase::idle) return;
  disarm_ = std::string(outcome.cause.view());
  hold(*disarm_);
}

// What the winches have latched themselves.
void Bridge::look_for_faults(const WinchReport& report) {
  for (int i = 0; i < robot_.cables(); ++i) {
    const char* fault = fault_name(report.winches.flags[static_cast<std::size_t>(i)]);
    if (*fault == '\0') continue;
    stop_ = fmt::format("winch {}: {}", i, fault);
    return hold(*stop_);
  }
}

machines::Cycle Bridge::handle(const WinchLink::Outcome& outcome) {
  machines::Cycle cycle;
  cycle.readable = outcome.received;
  cycle.quality = outcome.quality;
  cycle.why = outcome.why;
  if (outcome.report && cycle.quality == Quality::live) {
    const double dt = seconds(outcome.received - measured_at_);
    const WinchGate::Verdict verdict = gate_.judge(outcome.report->winches, dt);
    cycle.quality = verdict.quality;
    cycle.why = verdict.why;
  }
  state_.jumps = gate_.jumps();
  if (cycle.quality != Quality::live) {
    state_.rejected += cycle.readable != Instant{} ? 1 : 0;
    share(cycle.quality, cycle.why);
    return cycle;
  }
  observe(*outcome.report, outcome.received);
  if (outcome.truth) compare(*outcome.truth);
  cycle.solved = clock_.now();
  if (ros_) ros_->publish(state_, outcome.received);
  cycle.published = clock_.now();
  share(Quality::live, "");
  return cycle;
}

void Bridge::observe(const WinchReport& report, Instant at) {
  const bool continues = measured_at_ != Instant{} && at - measured_at_ <= stale_after_;
  const double dt = continues ? seconds(at - measured_at_) : times_.cycle;
  feedback_ = report.winches;
  measured_at_ = state_.live_at = at;
  state_.mode = report.mode;
  ++state_.samples;
  control(dt, at);
  fill_state();
}

void Bridge::tell(machines::Cycle& cycle) {
  if (disarm_) {
    cycle.disarm = refused_ = true;
    cycle.why = *std::exchange(disarm_, std::nullopt);
  }
  if (stop_) {
    cycle.stop = true;
    cycle.why = *std::exchange(stop_, std::nullopt);
  }
}

void Bridge::share(Quality quality, std::string_view why) {
  state_.quality = quality;
  state_.why = why;
  shared_.put(state_);
}

}  // namespace tandem::cable_robot
