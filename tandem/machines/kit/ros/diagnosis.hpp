// SPDX-License-Identifier: Apache-2.0
// What the lines of all machines on /diagnostics have in common.
#pragma once

#include <string>
#include <string_view>

#include "tandem/base/clock.hpp"
#include "tandem/base/latest.hpp"
#include "tandem/base/quality.hpp"
#include "tandem/ros2/messages/diagnostic_msgs.hpp"

namespace tandem::machines {

// The newest state; stale if its machine has not shared one for too long.
template <typename State>
State state_to_diagnose(const Latest<State>& shared, const Clock& clock, Duration too_old) {
  State state = shared.get().value_or(State{});
  if (state.quality == Quality::live && clock.now() - state.live_at > too_old) {
    state.quality = Quality::stale;
    state.why = "the last sample is too old";
  }
  return state;
}

// Name, hardware, level and message. `warns` and `message` are of a state that is live.
template <typename State>
ros2::diagnostic_msgs::DiagnosticStatus diagnosis_of(const State& state, const std::string& part,
                                                     const std::string& hardware, bool warns,
                                                     std::string_view message) {
  using ros2::diagnostic_msgs::DiagnosticStatus;
  DiagnosticStatus status;
  status.name = part;
  status.hardware_id = hardware;
  status.level = warns ? DiagnosticStatus::WARN : DiagnosticStatus::OK;
  if (state.quality == Quality::stale) status.level = DiagnosticStatus::STALE;
  if (state.quality == Quality::invalid) status.level = DiagnosticStatus::ERROR;
  status.message = state.quality == Quality::live ? message : "no sample yet";
  if (!state.why.empty()) status.message = std::string(state.why.view());
  return status;
}

}  // namespace tandem::machines
