// SPDX-License-Identifier: Apache-2.0
// The parameters of the virtual autopilot: ArduSub's names with the values that the original project flies with, and
// what they mean to estimator, modes and failsafes.
#pragma once

#include <vector>

#include "tandem/machines/orca/virtual/pilot/estimator_state.hpp"
#include "tandem/machines/orca/virtual/pilot/failsafe.hpp"
#include "tandem/machines/orca/virtual/pilot/joystick.hpp"
#include "tandem/machines/orca/virtual/pilot/modes.hpp"
#include "tandem/protocols/mavlink/services/parameter_server.hpp"

namespace tandem::orca {

std::vector<mavlink::ServedParameter> parameter_table();
// Those of which there are many alike: of buttons, outputs, radio channels, thrusters.
void add_numbered_parameters(std::vector<mavlink::ServedParameter>& table);

// `base` is what no parameter says.
EstimatorOptions estimator_options_from(const mavlink::ParameterServer& parameters, const EstimatorOptions& base);
ModeSettings mode_settings_from(const mavlink::ParameterServer& parameters);
FailsafeSettings failsafe_settings_from(const mavlink::ParameterServer& parameters);
JoystickSettings joystick_settings_from(const mavlink::ParameterServer& parameters);

// The value of a parameter that is surely there, within its range.
double value_of(const mavlink::ParameterServer& parameters, std::string_view name);

}  // namespace tandem::orca
