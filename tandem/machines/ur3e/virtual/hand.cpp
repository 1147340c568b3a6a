// SPDX-License-Identifier: Apache-2.0
#include "tandem/machines/ur3e/virtual/hand.hpp"

#include <algorithm>
#include <cmath>

namespace tandem::ur3e {
namespace {

using ur::gripper::Variable;

constexpr double activation_time = 1.0;  // s: the real one closes and opens once

std::uint8_t byte(int value) { return static_cast<std::uint8_t>(std::clamp(value, 0, 255)); }

}  // namespace

int Hand::read(Variable variable) const {
  switch (variable) {
    case Variable::act:
      return activate_ ? 1 : 0;
    case Variable::gto:
      return go_ ? 1 : 0;
    case Variable::atr:
      return release_;
    case Variable::ard:
      return release_direction_;
    case Variable::force:
      return command_.force;
    case Variable::speed:
      return command_.speed;
    case Variable::position:
      return state_.position;
    case Variable::echo:
      return wanted_;
    case Variable::status:
      return static_cast<int>(status_);
    case Variable::object:
      return status_ == Status::active ? static_cast<int>(state_.grip) : 0;
    case Variable::fault:
      return 0;
    case Variable::current:
      return byte(static_cast<int>(std::lround(std::abs(state_.current) * 100)));
    case Variable::count:
      return count_;
    case Variable::sid:
      return 9;
    case Variable::msc:
      return 0;
  }
  return 0;
}

void Hand::write(Variable variable, int value) {
  switch (variable) {
    case Variable::act:
      if (value == 0) {
        status_ = Status::reset;
        go_ = false;
      } else if (!activate_) {
        status_ = Status::activating;
        activating_ = 0;
      }
      activate_ = value != 0;
      break;
    case Variable::gto:
      go_ = value != 0;
      break;
    case Variable::atr:
      release_ = value;
      break;
    case Variable::ard:
      release_direction_ = value;
      break;
    case Variable::force:
      command_.force = byte(value);
      break;
    case Variable::speed:
      command_.speed = byte(value);
      break;
    case Variable::position:
      wanted_ = byte(value);
      break;
    default:
      break;
  }
  // Until the fingers say otherwise they are on their way: a client that asks at once must not see the old state.
  if (asked()) state_.grip = Grip::moving;
}

void Hand::step(double dt, const GripperState& state, bool powered) {
  const bool fresh = asked();
  state_ = state;
  if (fresh) state_.grip = Grip::moving;
  if (status_ == Status::activating && powered) {
    activating_ += dt;
    if (activating_ >= activation_time) status_ = Status::active;
  }
  command_.go = status_ == Status::active && go_;
  if (command_.go) command_.position = byte(wanted_);
  ++count_;
  count_ %= 256;
}

}  // namespace tandem::ur3e
