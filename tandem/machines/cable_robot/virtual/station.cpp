// SPDX-License-Identifier: Apache-2.0
#include "tandem/machines/cable_robot/virtual/station.hpp"

#include "tandem/machines/cable_robot/virtual/faults.hpp"

namespace tandem::cable_robot {
namespace {

constexpr std::uint16_t every_bit = 0xffff;

StationCommand resting_order(int winches) {
  StationCommand order;
  order.winches.lengths = order.winches.speeds = order.winches.tensions = cables::PerCable::Zero(winches);
  return order;
}

bool bit_at(std::uint16_t bits, int i) { return ((bits >> i) & 1) != 0; }

std::uint16_t with_bit(std::uint16_t bits, int i) { return static_cast<std::uint16_t>(bits | (1U << i)); }

}  // namespace

VirtualStation::VirtualStation(const cables::Robot& robot, const StationOptions& options, WinchFaults* faults)
    : body_(robot, options.body),
      options_(options),
      limits_(options.limits),
      faults_(faults),
      slipped_(cables::PerCable::Zero(robot.cables())),
      random_(options.seed) {
  for (int i = 0; i < robot.cables(); ++i) winches_.emplace_back(body_.unwound()[i], robot.design().stiffness);
  feedback_.lengths = feedback_.speeds = feedback_.tensions = cells_ = cables::PerCable::Zero(robot.cables());
  restart();
}

void VirtualStation::restart() {
  for (VirtualWinch& winch : winches_) {
    winch.enable(false);
    winch.clear_faults();
  }
  order_ = resting_order(winches());
  raised_ = every_bit;
  limits_ = options_.limits;
  state_ = {.physics_tripped = state_.physics_tripped};
  feedback_.watchdog = false;
  feedback_.beat = 0;
  measure();
  report();
}

void VirtualStation::order(const StationCommand& order) {
  if (order.counter != order_.counter) unfed_ = 0;
  const bool shut = state_.stop || feedback_.watchdog || state_.physics_tripped;
  for (int i = 0; i < winches(); ++i) {
    VirtualWinch& winch = winches_[static_cast<std::size_t>(i)];
    const bool wanted = bit_at(order.enable, i);
    if (!wanted)
      winch.enable(false);
    else if (!shut && !bit_at(raised_, i))
      winch.enable(true);
  }
  raised_ = order.enable;
  order_ = order;
  age_ = 0;
  report();
}

void VirtualStation::reset(bool level) {
  const bool rises = level && !state_.reset;
  state_.reset = level;
  if (!rises || state_.enabled != 0) return;
  for (VirtualWinch& winch : winches_) winch.clear_faults();
  feedback_.watchdog = false;
  if (state_.physics_tripped) {
    body_.place(body_.robot().home());
    const cables::PerCable unwound = body_.resting(body_.robot().home());
    for (int i = 0; i < winches(); ++i) winches_[static_cast<std::size_t>(i)].place(unwound[i]);
    slipped_.setZero();
    state_.physics_tripped = false;
  }
  report();
}

void VirtualStation::stop(bool level) {
  state_.stop = level;
  if (level) disable_all();
  report();
}

bool VirtualStation::limits(const WinchLimits& limits) {
  if (state_.enabled != 0) return false;
  limits_ = limits;
  return true;
}

void VirtualStation::disable_all() {
  for (VirtualWinch& winch : winches_) winch.enable(false);
  raised_ = every_bit;
}

void VirtualStation::cycle() {
  const double dt = options_.body.cycle;
  if (faults_ != nullptr) misbehave();
  age_ += dt;
  unfed_ += dt;
  if (state_.enabled != 0 && unfed_ > limits_.watchdog) {
    feedback_.watchdog = true;
    disable_all();
  }
  cables::PerCable unwound(winches());
  for (int i = 0; i < winches(); ++i) {
    VirtualWinch& winch = winches_[static_cast<std::size_t>(i)];
    winch.step(
        {order_.winches.mode, order_.winches.lengths[i], order_.winches.speeds[i], order_.winches.tensions[i], age_},
        limits_, cells_[i], dt);
    unwound[i] = winch.length() + slipped_[i];
  }
  if (!state_.physics_tripped && !body_.advance(unwound)) {
    state_.physics_tripped = true;
    disable_all();
  }
  if (state_.physics_tripped)
    for (VirtualWinch& winch : winches_) winch.break_sensor();
  if (faults_ == nullptr || !faults_->beat_frozen) ++feedback_.beat;
  measure();
  report();
}

void VirtualStation::misbehave() {
  body_.cut(faults_->cut);
  const std::uint16_t stuck = faults_->stuck, broken = faults_->broken;
  for (int i = 0; i < winches(); ++i) {
    VirtualWinch& winch = winches_[static_cast<std::size_t>(i)];
    winch.stick(bit_at(stuck, i));
    if (bit_at(broken, i)) winch.break_sensor();
    slipped_[i] += faults_->take_slip(i);
  }
}

// What the sensors say now; the drives act on it in the next cycle.
void VirtualStation::measure() {
  const std::uint16_t broken = faults_ != nullptr ? faults_->broken.load() : std::uint16_t{0};
  const bool frozen = faults_ != nullptr && faults_->feedback_frozen;
  for (int i = 0; i < winches(); ++i) {
    const auto k = static_cast<std::size_t>(i);
    const double tension_error = options_.tension_noise > 0 ? options_.tension_noise * normal_(random_) : 0;
    const double length_error = options_.encoder_noise > 0 ? options_.encoder_noise * normal_(random_) : 0;
    cells_[i] = bit_at(broken, i) ? 0 : body_.state().tensions[k] + tension_error;
    if (frozen) continue;
    feedback_.lengths[i] = winches_[k].length() + length_error;
    feedback_.speeds[i] = winches_[k].speed();
    feedback_.tensions[i] = cells_[i];
  }
}

void VirtualStation::report() {
  state_.counter = order_.counter;
  state_.enabled = state_.faults = 0;
  const bool frozen = faults_ != nullptr && faults_->feedback_frozen;
  for (int i = 0; i < winches(); ++i) {
    const VirtualWinch& winch = winches_[static_cast<std::size_t>(i)];
    if (winch.enabled()) state_.enabled = with_bit(state_.enabled, i);
    if (winch.faulty()) state_.faults = with_bit(state_.faults, i);
    if (!frozen) feedback_.flags[static_cast<std::size_t>(i)] = winch.flags();
  }
  state_.mode = state_.enabled != 0 ? order_.winches.mode : WinchMode::hold;
  feedback_.enabled = state_.enabled == static_cast<std::uint16_t>((1U << winches()) - 1U);
  feedback_.ready = state_.faults == 0 && !feedback_.watchdog && !state_.physics_tripped;
}

}  // namespace tandem::cable_robot
