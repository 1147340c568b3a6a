// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <iterator>

#include "tandem/machines/orca/virtual/autopilot/parameters.hpp"

namespace tandem::orca {
namespace {

using mavlink::ParameterType;

struct ButtonRow {
  int function = 0, shifted = 0;
};

// As ArduSub comes.
constexpr ButtonRow usual_buttons[] = {
    {},
    {button::mode_manual},
    {button::mode_depth_hold},
    {button::mode_stabilize},
    {button::disarm},
    {button::shift},
    {button::arm},
    {button::mount_center},
    {button::hold},
    {button::mount_down},
    {button::mount_up},
    {button::gain_more, button::pitch_less},
    {button::gain_less, button::pitch_more},
    {button::lights1_dimmer, button::roll_less},
    {button::lights1_brighter, button::roll_more},
    {},
};
static_assert(std::size(usual_buttons) == JoystickSettings::buttons);

// What an output is for, by ArduPilot's numbers: thrusters, the camera's tilt, lights by radio channel.
int function_of_output(std::size_t output) {
  constexpr int first_motor = 33, mount_tilt = 7, radio_9 = 59, radio_10 = 60;
  if (output <= thruster_count) return first_motor + static_cast<int>(output) - 1;
  if (output == 8) return mount_tilt;
  if (output == 9) return radio_9;
  return output == 10 ? radio_10 : 0;
}

}  // namespace

void add_numbered_parameters(std::vector<mavlink::ServedParameter>& table) {
  const auto add = [&](std::string name, double value, ParameterType type) {
    table.push_back({.parameter = {.name = std::move(name), .value = value, .type = type}});
  };
  for (std::size_t i = 0; i < std::size(usual_buttons); ++i) {
    add(fmt::format("BTN{}_FUNCTION", i), usual_buttons[i].function, ParameterType::int8);
    add(fmt::format("BTN{}_SFUNCTION", i), usual_buttons[i].shifted, ParameterType::int8);
  }
  for (std::size_t i = 1; i <= thruster_count; ++i) add(fmt::format("MOT_{}_DIRECTION", i), 1, ParameterType::int8);
  for (const char* what : {"RC", "SERVO"}) {
    for (std::size_t i = 1; i <= 16; ++i) {
      add(fmt::format("{}{}_MIN", what, i), pwm_stop - pwm_swing, ParameterType::int16);
      add(fmt::format("{}{}_MAX", what, i), pwm_stop + pwm_swing, ParameterType::int16);
      add(fmt::format("{}{}_TRIM", what, i), pwm_stop, ParameterType::int16);
      add(fmt::format("{}{}_REVERSED", what, i), 0, ParameterType::int8);
    }
  }
  for (std::size_t i = 1; i <= 16; ++i)
    add(fmt::format("SERVO{}_FUNCTION", i), function_of_output(i), ParameterType::int16);
}

}  // namespace tandem::orca
