// SPDX-License-Identifier: Apache-2.0
// Braking to standstill, and what requires standstill: switching motors off and resetting the PLC.
#include <algorithm>
#include <utility>

#include "tandem/machines/raptorlift/control/machine.hpp"

namespace tandem::raptorlift {
namespace {

constexpr int standing_samples = 5;        // in a row: standstill
constexpr Duration longest_unseen = 1s;    // of braking by feedback that is not fresh any more
constexpr Duration watchdog_time = 1s;     // within it the watchdog of a PLC without commands has braked
constexpr Duration longest_farewell = 3s;  // of braking before the link is closed in order

}  // namespace

void Machine::begin_stopping(std::string_view why) {
  state_.activity = Activity::stopping;
  state_.stopped = why;
  state_.input = {};
  stopping_since_ = clock_.now();
  braked_by_ = {};
  silent_ = measured_at_ == Instant{};
  standing_ = 0;
  mux_.forget();
  joint_order_.reset();
  follower_.end(why);
  state_.route = follower_.progress();
}

bool Machine::at_standstill(Instant now) const { return is_fresh(now) && standing_ >= standing_samples; }

// The brake, by fresh feedback or for a short time by the last known one. After that, and at standstill, nothing is
// written: commands without torque would only feed the PLC's watchdog and keep it from braking.
std::optional<AxisCommands> Machine::stopping_commands() {
  state_.targets.front_right = state_.targets.front_left = 0;
  const Instant now = clock_.now();
  hold_.reset();
  if (is_fresh(now)) {
    silent_ = false;
    if (at_standstill(now)) return std::nullopt;
    const bool seen = std::exchange(braked_by_, measured_at_) != measured_at_;
    const AxisCommands braking = drive_.brake(state_.measured, {.dt = step_time_, .worst = worst_step_, .seen = seen});
    hold_ = duration_of(std::min(drive_.stands_in(), times_.feedback));
    return braking;
  }
  if (silent_) return std::nullopt;
  const Duration unseen = now - std::max(measured_at_, stopping_since_);
  Wheels known = state_.measured;
  if (now - measured_at_ > duration_of(times_.feedback) + longest_unseen) known.front_right = known.front_left = 0;
  const AxisCommands braking = drive_.brake_unseen(known, seconds(unseen));
  silent_ = braking.torques == std::array<double, axis_count>{};
  return braking;
}

// A braked wheel slows down. If its measured speed does not change at all, the feedback is frozen.
bool Machine::is_frozen(const Wheels& measured) const {
  return state_.activity == Activity::stopping && measured_at_ > stopping_since_ && !drive_.standing(measured) &&
         measured.front_right == state_.measured.front_right && measured.front_left == state_.measured.front_left;
}

// Motors stay enabled while their wheels may turn, unless the PLC has switched them off itself. If torque was commanded
// and no motion was measured since, the feedback may be frozen at zero: then the PLC's watchdog gets time to brake
// first.
void Machine::finish_stopping() {
  if (!link_.seen_off_since(stopping_since_)) {
    if (!at_standstill(clock_.now()) || (pushed_ && clock_.now() - stopping_since_ < watchdog_time)) return;
    if (auto off = link_.disable(); !off) return;  // and again in the next cycle
  }
  state_.activity = Activity::idle;
  state_.torques = {};
  state_.targets = {0, 0, state_.measured.rear_right, state_.measured.rear_left};
  state_.wanted = {};
  moved_ = false;
}

// Brakes to standstill and switches off before closing. Without feedback the motors are left to the PLC's watchdog:
// switched off, the truck would roll freely.
void Machine::disconnect() noexcept {
  if (state_.activity != Activity::idle && link_.open()) {
    if (state_.activity == Activity::driving) begin_stopping("disconnected");
    const auto stops = [&] { return state_.activity == Activity::stopping && (!silent_ || is_fresh(clock_.now())); };
    farewell(longest_farewell, stops, [&] {
      time_step(clock_.now());
      const auto outcome = exchange(commands(times_.cycle));
      if (!outcome) return false;
      (void)handle(*outcome);
      finish_stopping();
      return true;
    });
  }
  link_.close();
  state_.activity = Activity::idle;
  if (state_.quality == Quality::live) share(Quality::stale, "disconnected");
}

// On the first connection of a process, for errors that the PLC had before, and only if no brake is released by it.
// Later an arm resets them.
void Machine::reset_once() {
  const bool seen = measured_at_ != Instant{};
  if (!seen || (standing_ > 0 && standing_ < standing_samples)) return;
  resets_ = false;
  if (state_.activity == Activity::idle && !link_.enabled() && at_standstill(clock_.now()))
    (void)link_.reset_untripped();
}

}  // namespace tandem::raptorlift
