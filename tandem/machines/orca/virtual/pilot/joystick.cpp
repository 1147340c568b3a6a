// SPDX-License-Identifier: Apache-2.0
#include "tandem/machines/orca/virtual/pilot/joystick.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace tandem::orca {
namespace {

constexpr Duration button_pause = 100ms;  // after one has acted, so that it does not bounce
constexpr double darkest = 1100, brightest = 1900;
constexpr double tilt_step = 25;  // us
constexpr int trim_step = 10, most_trim = 200;
constexpr int held_from = 50;  // less is a stick at rest
constexpr std::int16_t no_stick = std::numeric_limits<std::int16_t>::max();

std::uint16_t channel_pulse(double pulse) {
  return static_cast<std::uint16_t>(std::lround(std::clamp(pulse, 1100.0, 1900.0)));
}
double stick_of(std::int16_t value) { return value == no_stick ? 0 : value; }
double heave_of(std::int16_t value) { return value == no_stick ? 0 : value - 500; }

std::optional<Mode> mode_of(int function) {
  switch (function) {
    case button::mode_manual:
      return Mode::manual;
    case button::mode_stabilize:
      return Mode::stabilize;
    case button::mode_depth_hold:
      return Mode::alt_hold;
    case button::mode_poshold:
      return Mode::poshold;
    case button::mode_auto:
      return Mode::automatic;
    case button::mode_circle:
      return Mode::circle;
    case button::mode_guided:
      return Mode::guided;
    case button::mode_acro:
      return Mode::acro;
    case button::mode_surftrak:
      return Mode::surftrak;
    default:
      return std::nullopt;
  }
}

}  // namespace

// The gain that buttons have chosen stays, unless its own parameters change.
void Joystick::settings(const JoystickSettings& settings) {
  const bool other = settings.gain != settings_.gain || settings.least_gain != settings_.least_gain ||
                     settings.most_gain != settings_.most_gain;
  settings_ = settings;
  if (other) gain_ = std::clamp(settings.gain, settings.least_gain, std::max(settings.least_gain, settings.most_gain));
}

ButtonCommands Joystick::take(const mavlink::ManualControl& sticks, Instant now, RcPulses& channels) {
  ButtonCommands commands;
  if (acted_ == Instant{} || now - acted_ > button_pause) {
    const auto pressed = [&](std::size_t i) { return (sticks.buttons >> i & 1u) != 0; };
    bool shifted = false;
    for (std::size_t i = 0; i < JoystickSettings::buttons; ++i)
      shifted = shifted || (pressed(i) && settings_.functions[i][0] == button::shift);
    for (std::size_t i = 0; i < JoystickSettings::buttons; ++i) {
      if (!pressed(i)) continue;
      press(settings_.functions[i][shifted ? 1 : 0], (before_ >> i & 1u) != 0, sticks, commands);
      acted_ = now;
    }
    before_ = sticks.buttons;
  }
  const double scale = 0.4 * gain_;  // us of 1/1000
  const auto moved = [&](double stick) { return channel_pulse(pwm_stop + scale * stick); };
  const double x = stick_of(sticks.x) + hold_x_, y = stick_of(sticks.y) + hold_y_;
  const double s = (sticks.enabled_extensions & 1) != 0 ? stick_of(sticks.s) : 0;
  const double t = (sticks.enabled_extensions & 2) != 0 ? stick_of(sticks.t) : 0;
  channels[rc_pitch] = channel_pulse(pwm_stop + pitch_trim_ + scale * (s + (rolls_ ? x : 0)));
  channels[rc_roll] = channel_pulse(pwm_stop + roll_trim_ + scale * (t + (rolls_ ? y : 0)));
  channels[rc_throttle] =
      channel_pulse(pwm_stop + 2 * scale * settings_.throttle_gain * (heave_of(sticks.z) + hold_z_));
  channels[rc_yaw] = moved(stick_of(sticks.r));
  channels[rc_forward] = moved(rolls_ ? hold_x_ : x);
  channels[rc_lateral] = moved(rolls_ ? hold_y_ : y);
  channels[rc_unused] = 0;
  channels[rc_tilt] = channel_pulse(tilt_);
  channels[rc_lights1] = channel_pulse(lights_[0]);
  channels[rc_lights2] = channel_pulse(lights_[1]);
  channels[rc_video] = 1100;
  return commands;
}

void Joystick::press(int function, bool held, const mavlink::ManualControl& sticks, ButtonCommands& commands) {
  if (const auto mode = mode_of(function); mode && !held) commands.mode = mode;
  if (press_light(function, held)) return;
  const auto trim = [](int& value, int step) { value = std::clamp(value + step, -most_trim, most_trim); };
  switch (function) {
    case button::arm_toggle:
      commands.arm_toggled = !held;
      break;
    case button::arm:
    case button::disarm:
      if (!held) commands.armed = function == button::arm;
      break;
    case button::mount_center:
      tilt_ = pwm_stop;
      break;
    case button::mount_up:
    case button::mount_down:
      tilt_ = std::clamp(tilt_ + (function == button::mount_up ? -tilt_step : tilt_step), 1100.0, 1900.0);
      break;
    case button::gain_toggle:
      if (!held) commands.gain = gain_ = gain_ < settings_.most_gain ? settings_.most_gain : settings_.gain;
      break;
    case button::gain_more:
    case button::gain_less:
      if (!held) step_gain(function == button::gain_more ? 1 : -1, commands);
      break;
    case button::roll_more:
    case button::roll_less:
      trim(roll_trim_, function == button::roll_more ? trim_step : -trim_step);
      break;
    case button::pitch_more:
    case button::pitch_less:
      trim(pitch_trim_, function == button::pitch_more ? trim_step : -trim_step);
      break;
    case button::hold:
      if (!held) press_hold(sticks, commands);
      break;
    case button::roll_pitch:
      if (!held) rolls_ = !rolls_;
      break;
    default:
      break;
  }
}

bool Joystick::press_light(int function, bool held) {
  if (function < button::lights1_cycle || function > button::lights2_dimmer) return false;
  if (held) return true;
  const bool second = function >= button::lights2_cycle;
  const int way = function - (second ? button::lights2_cycle : button::lights1_cycle);  // 0 cycle, 1 more, 2 less
  double& light = lights_[second ? 1 : 0];
  bool& falls = lights_fall_[second ? 1 : 0];
  const double step = (brightest - darkest) / std::max(1, settings_.lights_steps);
  const bool less = way == 2 || (way == 0 && falls);
  light = std::clamp(light + (less ? -step : step), darkest, brightest);
  if (light >= brightest) falls = true;
  if (light <= darkest) falls = false;
  return true;
}

// What the sticks want now goes on when they are let go; with sticks at rest that ends.
void Joystick::press_hold(const mavlink::ManualControl& sticks, ButtonCommands& commands) {
  const bool before = holding();
  const auto kept = [](double stick) { return std::abs(stick) > held_from ? static_cast<int>(stick) : 0; };
  hold_x_ = kept(stick_of(sticks.x));
  hold_y_ = kept(stick_of(sticks.y));
  hold_z_ = kept(heave_of(sticks.z));
  if (holding() || before) commands.holding = holding();
}

void Joystick::step_gain(int direction, ButtonCommands& commands) {
  const double least = settings_.least_gain, most = std::max(least, settings_.most_gain);
  const int steps = settings_.gain_steps;
  const double step = steps > 1 ? (most - least) / (steps - 1) : 0;
  gain_ = steps > 1 ? std::clamp(gain_ + direction * step, least, most) : std::clamp(settings_.gain, least, most);
  commands.gain = gain_;
}

}  // namespace tandem::orca
