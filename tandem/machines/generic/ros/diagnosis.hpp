// SPDX-License-Identifier: Apache-2.0
// The health of a described device in words: of its link, and of its signals by group. Pure.
#pragma once

#include <string>
#include <vector>

#include "tandem/machines/generic/shared_readings.hpp"
#include "tandem/machines/generic/state.hpp"
#include "tandem/ros2/messages/diagnostic_msgs.hpp"

namespace tandem::generic {

using DiagnosticStatus = ros2::diagnostic_msgs::DiagnosticStatus;

// "press: device"
DiagnosticStatus link_diagnosis(const State& state, const std::string& machine, const std::string& hardware);
// "press: signals" and one for each group of the file: ERROR for bad, STALE for stale, WARN for uncertain and for what
// is outside of what the file expects.
std::vector<DiagnosticStatus> group_diagnoses(const Description& description, const SharedReadings::Copy& copy,
                                              const std::string& machine, const std::string& hardware);
// Every value as text with its unit, by the same groups: what ~/signals says.
std::vector<DiagnosticStatus> group_values(const Description& description, const SharedReadings::Copy& copy,
                                           const std::string& machine, const std::string& hardware);

}  // namespace tandem::generic
