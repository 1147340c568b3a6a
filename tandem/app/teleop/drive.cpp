// SPDX-License-Identifier: Apache-2.0
#include "tandem/app/teleop/drive.hpp"

#include <algorithm>

namespace tandem::app {
namespace {

constexpr char escape_byte = '\x1b';

TeleopKey key_of_letter(char byte) {
  switch (byte) {
    case 'w':
    case 'W':
      return TeleopKey::forward;
    case 's':
    case 'S':
      return TeleopKey::back;
    case 'a':
    case 'A':
      return TeleopKey::left;
    case 'd':
    case 'D':
      return TeleopKey::right;
    case ' ':
      return TeleopKey::halt;
    case 'x':
    case 'X':
      return TeleopKey::stop;
    case '+':
    case '=':  // the same key without shift
      return TeleopKey::faster;
    case '-':
    case '_':
      return TeleopKey::slower;
    case 'q':
    case 'Q':
      return TeleopKey::quit;
    default:
      return TeleopKey::none;
  }
}

TeleopKey key_of_arrow(char last) {
  switch (last) {
    case 'A':
      return TeleopKey::forward;
    case 'B':
      return TeleopKey::back;
    case 'C':
      return TeleopKey::right;
    case 'D':
      return TeleopKey::left;
    default:
      return TeleopKey::none;
  }
}

}  // namespace

TeleopKey TeleopKeys::take(char byte) {
  if (byte == escape_byte) return place_ = Place::escape, TeleopKey::none;
  switch (place_) {
    case Place::plain:
      return key_of_letter(byte);
    case Place::escape:
      place_ = byte == '[' || byte == 'O' ? Place::sequence : Place::plain;
      return place_ == Place::plain ? key_of_letter(byte) : TeleopKey::none;
    case Place::sequence:
      if (byte < '@' || byte > '~') return TeleopKey::none;  // parameters: "1;5" of an arrow with a modifier
      place_ = Place::plain;
      return key_of_arrow(byte);
  }
  return TeleopKey::none;
}

TeleopDrive::Effect TeleopDrive::press(TeleopKey key, Instant now) {
  if (!held(now)) direction_ = turn_ = 0;
  const bool again = halted_ && now - *halted_ <= halt_to_stop;
  if (key != TeleopKey::none) halted_.reset();
  switch (key) {
    case TeleopKey::none:
      return Effect::none;
    case TeleopKey::forward:
      return drive(1, 0, now);
    case TeleopKey::back:
      return drive(-1, 0, now);
    case TeleopKey::left:
      return drive(direction_, 1, now);
    case TeleopKey::right:
      return drive(direction_, -1, now);
    case TeleopKey::halt:
      (void)drive(0, 0, now);
      if (!again) halted_ = now;
      return again ? Effect::stop_machine : Effect::halts;
    case TeleopKey::stop:
      (void)drive(0, 0, now);
      return Effect::stop_machine;
    case TeleopKey::faster:
      return shift(gear_ + 1, now);
    case TeleopKey::slower:
      return shift(gear_ - 1, now);
    case TeleopKey::quit:
      (void)drive(0, 0, now);
      return Effect::quit;
  }
  return Effect::none;
}

TeleopDrive::Effect TeleopDrive::drive(double direction, double turn, Instant now) {
  const bool other = direction != direction_ || turn != turn_;
  direction_ = direction;
  turn_ = turn;
  pressed_ = now;
  return other ? Effect::drives : Effect::none;
}

TeleopDrive::Effect TeleopDrive::shift(int gear, Instant now) {
  if (held(now)) pressed_ = now;
  const int before = gear_;
  gear_ = std::clamp(gear, 1, keys_.gears);
  return gear_ != before ? Effect::gear : Effect::none;
}

std::optional<TeleopDrive::Twist> TeleopDrive::twist(Instant now) {
  if (!pressed_) return std::nullopt;
  if (held(now)) return wanted();
  pressed_.reset();
  direction_ = turn_ = 0;
  return Twist{};
}

}  // namespace tandem::app
