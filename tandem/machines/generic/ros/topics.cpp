// SPDX-License-Identifier: Apache-2.0
#include "tandem/machines/generic/ros/topics.hpp"

#include <fmt/format.h>

#include "tandem/machines/generic/ros/diagnosis.hpp"
#include "tandem/machines/kit/ros/diagnosis.hpp"
#include "tandem/ros2/types/conversions.hpp"

namespace tandem::generic {

Topics::Topics(ros2::Context& context, const Setup& setup, const Description& description, const Urdf* urdf,
               Clock& clock, const Latest<State>& state, const SharedReadings& readings, Commands& commands,
               const machines::Lines& lines)
    : setup_(setup),
      description_(description),
      node_(context, setup.node, setup.name_space, clock),
      full_name_(node_.full_name()),
      clock_(clock),
      signals_(node_, description, context.options().tap != nullptr),
      everything_(node_.advertise<DiagnosticArray>("~/signals")),
      commands_(node_, description, commands, lines),
      diagnostics_(node_, node_.clock(), [this, &state, &readings] { return diagnose(state, readings); }) {
  if (urdf == nullptr) return;
  posture_.emplace(description, *urdf);
  joints_.emplace(node_, *posture_, setup.tf_prefix);
}

void Topics::offer(const SignalList& signals) {
  signals_.offer(signals);
  if (posture_) posture_->bind(*signals);
}

void Topics::publish(const Readings& readings, Instant received) {
  signals_.publish(readings, clock_.now());
  if (!joints_) return;
  posture_->read(readings);
  joints_->publish(*posture_, node_.clock().utc() - (clock_.now() - received));
}

// Once a second, in the thread of /diagnostics; ~/signals goes out on the way.
std::vector<DiagnosticStatus> Topics::diagnose(const Latest<State>& shared, const SharedReadings& readings) {
  const SharedReadings::Copy copy = readings.get();
  DiagnosticArray everything;
  everything.header.stamp = ros2::message_from(node_.clock().utc());
  everything.status = group_values(description_, copy, setup_.machine, setup_.hardware);
  everything_.publish(everything);
  State state = machines::state_to_diagnose(shared, clock_, setup_.stale_after);
  state.refused += commands_.refusals().count();
  if (state.last_refusal.empty()) state.last_refusal = commands_.refusals().last();
  std::vector<DiagnosticStatus> statuses = {link_diagnosis(state, setup_.machine, setup_.hardware)};
  for (DiagnosticStatus& each : group_diagnoses(description_, copy, setup_.machine, setup_.hardware))
    statuses.push_back(std::move(each));
  return statuses;
}

}  // namespace tandem::generic
