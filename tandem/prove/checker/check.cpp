// SPDX-License-Identifier: Apache-2.0
#include "tandem/prove/checker/check.hpp"

#include <array>
#include <cstdio>

#include "tandem/prove/checker/case.hpp"

namespace tandem::prove::checker {
namespace {

void count(Case& one) {
  Counts& counts = one.counts();
  for (const Deed& deed : one.machine.deeds) {
    if (is_fault(deed))
      ++counts.faults;
    else if (deed.verb == "arm" || deed.verb == "stop" || deed.verb == "reset")
      ++counts.commands;
    else
      ++counts.motions;
    if (deed.verb == "arm" && deed.ok) ++counts.arms;
  }
  for (const Permission& permission : one.permissions)
    if (permission.lost) ++counts.losses;
  constexpr double look = 0.1, moving = 3;  // s, times the speed of standstill
  for (double t = one.history.begun; one.bounds.moves && t < one.history.length; t += look)
    if (one.speed_at(t) > moving * one.bounds.rest) counts.moving += look;
}

// A check of what is not there finds nothing.
void judge_completeness(Case& one) {
  one.judged(complete);
  const MachineHistory& machine = one.machine;
  if (one.history.dropped + one.history.unread > 0)
    one.violated(complete, 0, "every message, readable",
                 std::to_string(one.history.dropped) + " dropped, " + std::to_string(one.history.unread) + " unread");
  if (machine.truth.empty()) one.violated(complete, 0, "the truth of the virtual device", "none");
  if (machine.statuses.empty()) one.violated(complete, 0, "status", "none");
  if (one.wire.readings.empty()) one.violated(complete, 0, "samples on the wire", "none that could be decoded");
}

}  // namespace

std::string_view name(Invariant invariant) {
  constexpr std::array<std::string_view, invariant_count> names{
      "the history is complete",   "no motion without an arm in force", "no command older than its limit",
      "standstill after a loss",   "every accepted goal ends once",     "a stop holds until reset",
      "a link comes back in time", "no machine disturbs another",       "published is what the wire said",
  };
  return names[invariant];
}

std::string text_of(const Violation& violation) {
  char head[64];
  std::snprintf(head, sizeof head, "(%d) %.3f s ", static_cast<int>(violation.invariant), violation.t);
  return head + violation.machine + ": " + std::string(name(violation.invariant)) + ": expected " + violation.expected +
         ", got " + violation.got;
}

Counts& Counts::operator+=(const Counts& other) {
  faults += other.faults;
  commands += other.commands;
  motions += other.motions;
  arms += other.arms;
  losses += other.losses;
  goals += other.goals;
  moving += other.moving;
  return *this;
}

Report& Report::operator+=(const Report& other) {
  violations.insert(violations.end(), other.violations.begin(), other.violations.end());
  for (std::size_t i = 0; i < invariant_count; ++i) {
    judged[i] += other.judged[i];
    skipped[i] += other.skipped[i];
    broken[i] += other.broken[i];
  }
  counts += other.counts;
  return *this;
}

Report check(const History& history) {
  Report report;
  for (const MachineHistory& machine : history.machines) {
    const Bounds* bounds = bounds_of(machine.type);
    if (bounds == nullptr) continue;
    Case one(history, machine, *bounds, report);
    count(one);
    judge_completeness(one);
    judge_motion(one);
    judge_commands(one);
    judge_goals(one);
    judge_link(one);
    judge_published(one);
  }
  return report;
}

}  // namespace tandem::prove::checker
