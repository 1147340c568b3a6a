// SPDX-License-Identifier: Apache-2.0
// A pilot's gamepad as ArduSub understands MANUAL_CONTROL: sticks with a gain become pulses of radio channels, buttons
// do what their parameters BTNn_FUNCTION say (BTNn_SFUNCTION while a shift button is held).
#pragma once

#include <array>
#include <cstdint>
#include <optional>

#include "tandem/base/clock.hpp"
#include "tandem/machines/orca/description.hpp"
#include "tandem/protocols/mavlink/messages/control.hpp"

namespace tandem::orca {

// RC channels by what they move, counted from 0.
enum RcChannel : std::size_t {
  rc_pitch,
  rc_roll,
  rc_throttle,
  rc_yaw,
  rc_forward,
  rc_lateral,
  rc_unused,
  rc_tilt,
  rc_lights1,
  rc_lights2,
  rc_video
};
using RcPulses = std::array<std::uint16_t, 18>;  // us; 0: released

// The numbers of BTNn_FUNCTION, as far as they do something here.
namespace button {
inline constexpr int shift = 1, arm_toggle = 2, arm = 3, disarm = 4, mode_manual = 5, mode_stabilize = 6,
                     mode_depth_hold = 7, mode_poshold = 8, mode_auto = 9, mode_circle = 10, mode_guided = 11,
                     mode_acro = 12, mode_surftrak = 13, mount_center = 21, mount_up = 22, mount_down = 23,
                     lights1_cycle = 31, lights1_brighter = 32, lights1_dimmer = 33, lights2_cycle = 34,
                     lights2_brighter = 35, lights2_dimmer = 36, gain_toggle = 41, gain_more = 42, gain_less = 43,
                     roll_more = 44, roll_less = 45, pitch_more = 46, pitch_less = 47, hold = 48, roll_pitch = 49;
}  // namespace button

struct JoystickSettings {
  static constexpr std::size_t buttons = 16;

  double gain = 0.5, least_gain = 0.25, most_gain = 1;  // JS_GAIN_DEFAULT, _MIN, _MAX
  int gain_steps = 4;                                   // JS_GAIN_STEPS
  double throttle_gain = 1;                             // JS_THR_GAIN
  int lights_steps = 8;                                 // JS_LIGHTS_STEPS
  std::array<std::array<int, 2>, buttons> functions{};  // without and with shift
  friend bool operator==(const JoystickSettings&, const JoystickSettings&) = default;
};

// What buttons ask of the autopilot itself.
struct ButtonCommands {
  std::optional<bool> armed{};
  bool arm_toggled = false;
  std::optional<Mode> mode{};
  std::optional<double> gain{};  // it is this now
  std::optional<bool> holding{};
};

class Joystick {
 public:
  void settings(const JoystickSettings& settings);

  // Puts sticks, lights and camera tilt into the channels.
  ButtonCommands take(const mavlink::ManualControl& sticks, Instant now, RcPulses& channels);

  double gain() const { return gain_; }
  bool holding() const { return hold_x_ != 0 || hold_y_ != 0 || hold_z_ != 0; }
  bool rolls() const { return rolls_; }  // sticks lean instead of moving
  // us
  double tilt() const { return tilt_; }
  double lights(std::size_t which) const { return lights_[which]; }

 private:
  void press(int function, bool held, const mavlink::ManualControl& sticks, ButtonCommands& commands);
  bool press_light(int function, bool held);
  void press_hold(const mavlink::ManualControl& sticks, ButtonCommands& commands);
  void step_gain(int direction, ButtonCommands& commands);

  JoystickSettings settings_;
  double gain_ = 0.5;
  double tilt_ = 1500;
  std::array<double, 2> lights_{1100, 1100};
  std::array<bool, 2> lights_fall_{};
  int roll_trim_ = 0, pitch_trim_ = 0;        // us
  int hold_x_ = 0, hold_y_ = 0, hold_z_ = 0;  // of MANUAL_CONTROL
  bool rolls_ = false;
  std::uint16_t before_ = 0;  // buttons
  Instant acted_{};
};

}  // namespace tandem::orca
