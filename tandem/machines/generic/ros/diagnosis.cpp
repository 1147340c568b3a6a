// SPDX-License-Identifier: Apache-2.0
#include "tandem/machines/generic/ros/diagnosis.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "tandem/machines/generic/signal_text.hpp"
#include "tandem/machines/kit/ros/diagnosis.hpp"

namespace tandem::generic {
namespace {

// Worse levels have higher ranks; an error is what a person should see first.
constexpr std::array levels = {DiagnosticStatus::OK, DiagnosticStatus::WARN, DiagnosticStatus::STALE,
                               DiagnosticStatus::ERROR};

std::size_t rank_of(const Signal& signal, const Reading& reading) {
  switch (reading.quality) {
    case SignalQuality::good:
      return 0;
    case SignalQuality::uncertain:
      return 1;
    case SignalQuality::stale:
      return signal.optional ? 0 : 2;
    case SignalQuality::bad:
      break;
  }
  return signal.expect && reading.why.view().starts_with("expected") ? 1 : 3;
}

struct Group {
  DiagnosticStatus status;
  std::size_t worst = 0, troubled = 0;
};

template <typename Each>
std::vector<Group> grouped(const Description& description, const SharedReadings::Copy& copy, const std::string& machine,
                           const std::string& hardware, Each each) {
  std::vector<Group> groups;
  if (!copy.signals) return groups;
  for (std::size_t i = 0; i < copy.signals->size(); ++i) {
    const Signal& signal = (*copy.signals)[i];
    if (signal.hidden) continue;
    const std::string& named = description.signals[signal.declaration].group;
    const std::string name = fmt::format("{}: {}", machine, named.empty() ? "signals" : named);
    auto group = std::ranges::find_if(groups, [&](const Group& known) { return known.status.name == name; });
    if (group == groups.end()) {
      groups.emplace_back();
      group = groups.end() - 1;
      group->status.name = name;
      group->status.hardware_id = hardware;
    }
    const std::size_t rank = rank_of(signal, copy.readings.of[i]);
    if (rank > group->worst) group->status.message = signal.name + ": " + signal_text(signal, i, copy.readings);
    group->worst = std::max(group->worst, rank);
    group->troubled += rank > 0 ? 1 : 0;
    each(group->status, signal, i, rank);
  }
  for (Group& group : groups) {
    group.status.level = levels[group.worst];
    if (group.worst == 0) group.status.message = "all signals are good";
    if (group.troubled > 1) group.status.message += fmt::format(" ({} more)", group.troubled - 1);
  }
  return groups;
}

std::vector<DiagnosticStatus> statuses_of(std::vector<Group> groups) {
  std::vector<DiagnosticStatus> statuses;
  for (Group& group : groups) statuses.push_back(std::move(group.status));
  return statuses;
}

}  // namespace

DiagnosticStatus link_diagnosis(const State& state, const std::string& machine, const std::string& hardware) {
  const bool ended = !state.ended.empty();
  DiagnosticStatus status = machines::diagnosis_of(state, machine + ": device", hardware, ended,
                                                   ended ? state.ended.view() : std::string_view("live"));
  const auto count = [](std::uint64_t number) { return fmt::format("{}", number); };
  std::uint64_t exceptions = 0;
  for (const std::uint64_t each : state.link.exceptions) exceptions += each;
  status.values = {
      {"quality", name(state.quality)},
      {"samples", count(state.samples)},
      {"requests", count(state.link.requests)},
      {"timeouts", count(state.link.timeouts)},
      {"exceptions", count(exceptions)},
      {"armed", state.armed ? "yes" : "no"},
      {"commanded outputs", count(state.commanded)},
      {"writes", count(state.link.writes_done)},
      {"writes refused", count(state.link.writes_refused)},
      {"writes of unknown outcome", count(state.link.writes_unknown)},
      {"commands refused", count(state.refused)},
      {"last refusal", std::string(state.last_refusal.view())},
  };
  return status;
}

std::vector<DiagnosticStatus> group_diagnoses(const Description& description, const SharedReadings::Copy& copy,
                                              const std::string& machine, const std::string& hardware) {
  return statuses_of(grouped(description, copy, machine, hardware,
                             [&](DiagnosticStatus& status, const Signal& signal, std::size_t i, std::size_t rank) {
                               if (rank > 0)
                                 status.values.push_back({signal.name, signal_text(signal, i, copy.readings)});
                             }));
}

std::vector<DiagnosticStatus> group_values(const Description& description, const SharedReadings::Copy& copy,
                                           const std::string& machine, const std::string& hardware) {
  return statuses_of(grouped(description, copy, machine, hardware,
                             [&](DiagnosticStatus& status, const Signal& signal, std::size_t i, std::size_t) {
                               status.values.push_back({signal.name, signal_text(signal, i, copy.readings)});
                             }));
}

}  // namespace tandem::generic
