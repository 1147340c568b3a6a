#include "tandem/machines/raptorlift/machine.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <utility>

#include "tandem/machines/raptorlift/machine_setup.hpp"
#include "tandem/machines/raptorlift/options.hpp"
#include "tandem/machines/raptorlift/ros.hpp"

namespace tandem::raptorlift {
namespace {

constexpr Duration most_caught_up = 100ms;  // of cycles that are late
constexpr double least_push = 1;            // N m
constexpr double most_steps = 5;            // periods that one step of the drive may stand for

}  // namespace

Bridge::Bridge(const machines::Setup& setup)
    : clock_(*setup.clock),
      description_(description_from(setup.options)),
      times_(times_from(setup.options)),
      commander_(commander_from(setup.options)),
      cycle_(duration_of(times_.cycle)),
      stale_after_(duration_of(times_.feedback)),
      mux_(duration_of(times_.reference)),
      controller_(steering_options_from(setup.options)),
      drive_(drive_options_from(description_)),
      gate_(feedback_limits_from(description_)),
      link_(link_options_from(setup)),
      task_(task_from(setup.options)) {
  const Ros::Setup ros = Ros::setup_from(setup, description_, times_, commander_);
  if (setup.ros == nullptr) return;
  ros_ = std::make_unique<Ros>(*setup.ros, ros, clock_, shared_, orders_);
  if (commander_ == Commander::internal) jog_ = jog_topic_from(ros);
}

Bridge::~Bridge() { disconnect(); }

ros2::FullNode* Bridge::ros_node() { return ros_ ? &ros_->node() : nullptr; }

Result<void> Bridge::connect(Instant deadline) {
  disconnect();
  const Duration away = clock_.now() - measured_at_;
  gate_.forget();
  X_odom_start_.reset();  // a PLC that was restarted counts from where it stands
  controller_.pause();
  auto connected = link_.connect(deadline);
  share(Quality::stale, connected ? "connected; no sample yet" : connected.error().text);
  if (!connected) return connected;
  if (moved_ && away >= duration_of(times_.link))
    stop_ = fmt::format("the link was lost for {:.1f} s while driving", seconds(away));
  moved_ = refused_ = false;
  disarm_.reset();
  measured_at_ = {};
  standing_ = 0;
  pushed_ = false;
  resets_ = !std::exchange(connected_before_, true);
  next_cycle_ = last_step_ = clock_.now();
  if (link_.enabled()) begin_stopping("the motors were found enabled");
  return connected;
}

void Bridge::wait_for_turn() {
  const Instant now = clock_.now();
  next_cycle_ += cycle_;
  if (now - next_cycle_ > most_caught_up) next_cycle_ = now;  // what is further behind is lost
  clock_.sleep_until(next_cycle_);
}

Result<machines::Cycle> Bridge::cycle(const machines::Permit& permit) {
  wait_for_turn();
  take_orders();
  const Instant now = clock_.now();
  const double dt = std::min(seconds(now - last_step_), most_steps * times_.cycle);
  last_step_ = now;
  if (!permit.armed()) refused_ = false;
  if (state_.activity == Activity::driving && !permit.armed()) begin_stopping("disarmed");
  if (state_.activity == Activity::driving && !is_fresh(now)) {
    disarm_ = fmt::format("the feedback is {:.0f} ms old", 1e3 * seconds(now - measured_at_));
    begin_stopping(*disarm_);
  }
  bool prepared = false;  // enabling takes many round trips: only look at the wheels then
  if (state_.activity == Activity::idle && permit.armed() && !refused_ && is_fresh(now)) {
    begin_driving();
    prepared = state_.activity == Activity::driving;
  }
  auto told = prepared ? std::nullopt : commands(dt);
  if (state_.activity == Activity::driving && !prepared && !permit.armed()) {  // a stop counts up to the last moment
    begin_stopping("disarmed");
    told = commands(dt);
  }
  auto outcome = exchange(told);
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

void Bridge::take_orders() {
  for (std::size_t i = 0; i < velocity_input_count; ++i) {
    if (const auto order = orders_.twists[i].take()) mux_.take(static_cast<VelocityInput>(i), order->twist, order->at);
  }
  if (const auto order = orders_.joints.take()) joint_order_ = *order;
  if (const auto gear = orders_.gear.take()) {
    state_.gear = *gear;
    controller_.limit_speed(gear_speed(*gear));
  }
  if (const auto place = orders_.place.take()) {
    controller_.place(*place);
    X_odom_start_.reset();
  }
}

// Earlier commands do not count. Enabling releases the PLC's brake, so it requires standstill.
void Bridge::begin_driving() {
  if (!at_standstill(clock_.now())) {
    if (standing_ > 0) return;  // too few samples so far
    const double speed = std::max(std::abs(state_.measured.front_right), std::abs(state_.measured.front_left));
    disarm_ =
        fmt::format("motors not enabled: a wheel turns at {:.2f} rad/s, expected standstill; arm again then", speed);
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
  if (auto enabled = link_.enable(); !enabled) {
    disarm_ = enabled.error().text;
    return begin_stopping(*disarm_);
  }
  state_.activity = Activity::driving;
  last_step_ = clock_.now();
}

std::optional<AxisCommands> Bridge::commands(double dt) {
  if (state_.activity == Activity::driving) {
    if (auto driving = driving_commands(dt)) return *driving;
    disarm_ = "the wheels' targets or measurements are no numbers";
    begin_stopping(*disarm_);
  }
  if (state_.activity == Activity::idle) return std::nullopt;
  return stopping_commands(dt);
}

Result<AxisCommands> Bridge::driving_commands(double dt) {
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

Result<Wheels> Bridge::internal_targets(double dt, Instant now) {
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

// When they end, the steering stays as it was told last.
Wheels Bridge::joint_targets(Instant now) const {
  if (joint_order_ && now - joint_order_->at <= duration_of(times_.command)) return joint_order_->wheels;
  return {0, 0, state_.targets.rear_right, state_.targets.rear_left};
}

Result<PlcLink::Outcome> Bridge::exchange(const std::optional<AxisCommands>& commands) {
  const AxisCommands* const written = commands ? &*commands : nullptr;
  return state_.activity == Activity::stopping ? link_.exchange_singly(written) : link_.exchange(written);
}

void Bridge::note(const PlcLink::Outcome& outcome, const std::optional<AxisCommands>& commanded) {
  if (commanded) state_.torques = commanded->torques;
  pushed_ = pushed_ || (state_.activity == Activity::driving && commanded &&
                        std::max(std::abs(commanded->torques[0]), std::abs(commanded->torques[1])) > least_push);
  state_.coils = link_.coil_levels();
  state_.timeouts = link_.timeouts();
  state_.late = link_.late();
  state_.saturated = drive_.saturated();
  if (commander_ == Commander::joint_commands && state_.activity == Activity::driving)
    state_.input = joint_order_ ? "joint_commands" : "";
  if (!outcome.distrust || state_.activity != Activity::driving) return;
  disarm_ = std::string(outcome.cause.view());
  begin_stopping(*disarm_);
}

machines::Cycle Bridge::handle(const PlcLink::Outcome& outcome) {
  machines::Cycle cycle;
  cycle.readable = outcome.received;
  cycle.quality = outcome.quality;
  cycle.why = outcome.why;
  if (outcome.measured && cycle.quality == Quality::live) {
    const FeedbackGate::Verdict verdict = gate_.judge(*outcome.measured);
    cycle.quality = verdict.quality;
    cycle.why = verdict.why;
  }
  if (cycle.quality == Quality::live && is_frozen(*outcome.measured)) {
    cycle.quality = Quality::stale;
    cycle.why = "the wheels are braked, but their measured speeds do not change";
  }
  state_.jumps = gate_.jumps();
  if (cycle.quality != Quality::live) {
    state_.rejected += cycle.readable != Instant{} ? 1 : 0;
    share(cycle.quality, cycle.why);
    return cycle;
  }
  observe(*outcome.measured, outcome.received);
  if (outcome.truth) compare(*outcome.truth);
  cycle.solved = clock_.now();
  if (ros_) ros_->publish(state_, outcome.received);
  cycle.published = clock_.now();
  share(Quality::live, "");
  return cycle;
}

void Bridge::observe(const Wheels& measured, Instant at) {
  const Duration since = at - measured_at_;
  const bool continues = measured_at_ != Instant{} && since <= stale_after_;
  if (!continues) controller_.pause();
  const double dt = continues ? seconds(since) : times_.cycle;
  if (controller_.observe(measured, dt) && continues) {
    state_.wheel_angles[0] += 0.5 * (measured.front_right + state_.measured.front_right) * dt;
    state_.wheel_angles[1] += 0.5 * (measured.front_left + state_.measured.front_left) * dt;
    state_.steering_rates = {(measured.rear_right - state_.measured.rear_right) / dt,
                             (measured.rear_left - state_.measured.rear_left) / dt};
  }
  state_.measured = measured;
  measured_at_ = state_.live_at = at;
  ++state_.samples;
  standing_ = drive_.standing(measured) ? standing_ + 1 : 0;
  pushed_ = pushed_ && standing_ > 0;
  state_.X_odom_base = controller_.X_odom_base();
  state_.twist = controller_.base_twist();
  state_.distance = controller_.distance();
  state_.slip = controller_.slip();
}

// The twin's frame is laid where odometry has it at the first look; what comes after is odometry's own error.
void Bridge::compare(const kinematics::ackermann::PlanarPose& X_start_axle) {
  const auto& X_odom_axle = controller_.X_odom_axle();
  if (!X_odom_start_) X_odom_start_ = X_odom_axle * kinematics::ackermann::inverse(X_start_axle);
  const auto off = kinematics::ackermann::inverse(X_odom_axle) * (*X_odom_start_ * X_start_axle);
  const kinematics::ackermann::PlanarPose X_axle_base{base_point.x, base_point.y, 0};
  state_.X_base_true = kinematics::ackermann::inverse(X_axle_base) * off * X_axle_base;
  state_.compared = true;
  state_.residual = std::hypot(off.x, off.y);
  state_.residual_yaw = std::abs(off.yaw);
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

}  // namespace tandem::raptorlift
