// SPDX-License-Identifier: Apache-2.0
#include "tandem/prove/checker/case.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdio>

namespace tandem::prove::checker {
namespace {

constexpr std::size_t most_listed = 10;
constexpr double settling = 1;       // s after a device was made again
constexpr double status_age = 0.15;  // s: what is recorded was asked before

struct Turn {
  double t = 0;
  bool begins = false;
  double from = 0;  // of a beginning: when the command was given
  std::string what;
  bool lost = false;
};

// When the latch took the command, as the program recorded it; the command's end where it did not.
double taken_at(const MachineHistory& machine, const Deed& deed) {
  for (const Command& command : machine.commands)
    if (command.what == deed.verb && command.t >= deed.t && command.t <= deed.end + 0.05) return command.t;
  return deed.end;
}

std::vector<Permission> permissions_of(const MachineHistory& machine) {
  std::vector<Turn> turns;
  for (const Deed& deed : machine.deeds) {
    if (!deed.ok) continue;
    if (deed.verb == "arm") turns.push_back({taken_at(machine, deed), true, deed.t, deed.verb, false});
    if (deed.verb == "stop" || deed.verb == "reset") turns.push_back({deed.end, false, 0, deed.verb, false});
  }
  for (const Event& event : machine.events) {
    const bool disarmed =
        event.kind == "disarmed" || event.kind == "stopped" ||
        ((event.kind == "stale" || event.kind == "lost") && event.text.find("disarmed") != std::string::npos);
    // A stop that was commanded has a deed of its own.
    if (disarmed && !(event.kind == "stopped" && event.text.starts_with("by ")))
      turns.push_back({event.t, false, 0, event.kind, true});
  }
  // Of events that come often only the first is recorded; the status tells of the others.
  for (const Status& status : machine.statuses)
    if (!status.arm.empty() && status.arm != "armed") turns.push_back({status.t, false, 0, "", true});
  std::ranges::stable_sort(turns, {}, &Turn::t);
  std::vector<Permission> all;
  double armed = -forever;
  for (const Turn& turn : turns) {
    const bool open = !all.empty() && all.back().to == forever;
    if (turn.begins) armed = turn.t;
    if (turn.what.empty() && turn.t - armed < status_age) continue;
    if (turn.begins && !open) all.push_back({turn.from, forever, "", false});
    if (!turn.begins && open) {
      all.back().to = turn.t;
      all.back().ended = turn.what.empty() ? "it was disarmed" : turn.what;
      all.back().lost = turn.lost;
    }
  }
  return all;
}

}  // namespace

std::string brief(double number) {
  char text[40];
  std::snprintf(text, sizeof text, "%.3f", number);
  std::string kept = text;
  kept.erase(kept.find_last_not_of('0') + 1);
  if (kept.ends_with('.')) kept.pop_back();
  return kept;
}

bool is_fault(const Deed& deed) {
  constexpr std::array<std::string_view, 9> faults{"delay", "loss",   "black_hole", "reset_link", "half_open",
                                                   "slice", "replay", "restart",    "unplug"};
  return std::ranges::find(faults, deed.verb) != faults.end();
}
bool cuts_link(const Deed& deed) {
  return deed.verb == "black_hole" || deed.verb == "reset_link" || deed.verb == "half_open" || deed.verb == "unplug";
}
bool asks_motion(const Deed& deed) { return deed.verb == "move" || deed.verb == "goal"; }

Case::Case(const History& history_, const MachineHistory& machine_, const Bounds& bounds_, Report& report)
    : history(history_),
      machine(machine_),
      bounds(bounds_),
      wire(wire_of(machine_.type, machine_.frames)),
      permissions(permissions_of(machine_)),
      report_(report) {}

void Case::violated(Invariant invariant, double since, double t, std::string expected, std::string got) {
  if (invariant != complete && host_was_late(since, t)) return skipped(invariant);
  ++report_.broken[invariant];
  if (++listed_[invariant] > most_listed) return;
  report_.violations.push_back({invariant, machine.name, t, std::move(expected), std::move(got)});
}

void Case::reached(const std::string& what, double value, double bound) {
  Margin& margin = report_.nearest[machine.type + ", " + what];
  if (value * margin.bound >= margin.reached * bound) margin = {value, bound};
}

double Case::tail_of(const Deed& deed) const {
  if (deed.verb == "replay") return bounds.replayed;
  return deed.verb == "delay" ? deed.a + deed.b : 0;
}

bool Case::host_was_late(double from, double to) const {
  constexpr double echo = 0.5;  // s: what was late then is made up for
  return std::ranges::any_of(history.stalls,
                             [&](const Stall& stall) { return stall.from <= to && stall.to >= from - echo; });
}

bool Case::permitted(double from, double to) const {
  return std::ranges::any_of(permissions, [&](const Permission& one) { return one.from <= to && one.to >= from; });
}

const Truth* Case::truth_before(double t) const {
  const auto after = std::ranges::upper_bound(machine.truth, t, {}, &Truth::t);
  return after == machine.truth.begin() ? nullptr : &*std::prev(after);
}

double Case::apart(const Truth& a, const Truth& b) const {
  double sum = 0, most = 0;
  for (std::size_t i = 0; i < std::min({bounds.axes, a.position.size(), b.position.size()}); ++i) {
    const double by = a.position[i] - b.position[i];
    sum += by * by;
    most = std::max(most, std::abs(by));
  }
  return machine.type == "ur3e" ? most : std::sqrt(sum);
}

double Case::speed_at(double t) const {
  constexpr double span = 0.1;  // s
  const Truth* now = truth_before(t);
  const Truth* before = truth_before(t - span);
  if (now == nullptr || before == nullptr || now->t - before->t < span / 2) return 0;
  return apart(*now, *before) / (now->t - before->t);
}

const Deed* Case::restart_around(double t) const {
  for (const Deed& deed : machine.deeds)
    if (deed.verb == "restart" && t >= deed.t && t <= deed.end + settling) return &deed;
  return nullptr;
}

void Case::coast(Invariant invariant, double from, double until, double distance, double time,
                 const std::string& cause) {
  const Truth* reference = truth_before(from);
  if (reference == nullptr) return;
  judged(invariant);
  double farthest = 0;
  const auto first = std::ranges::upper_bound(machine.truth, from, {}, &Truth::t);
  until = std::min(until, history.ended);
  for (auto now = first; now != machine.truth.end() && now->t < until; ++now) {
    // A device that was made again is somewhere else, and at rest.
    if (restart_around(now->t) != nullptr) {
      reference = &*now;
      continue;
    }
    const double moved = apart(*now, *reference);
    farthest = std::max(farthest, moved);
    if (moved > distance)
      return violated(invariant, from, now->t, "at most " + brief(distance) + " after " + cause,
                      brief(moved) + " in " + brief(now->t - from) + " s");
    const double rests = from + time;
    if (now->t <= rests + 0.1) continue;
    if (const double speed = speed_at(now->t); speed > bounds.rest && restart_around(now->t - 0.1) == nullptr)
      return violated(invariant, from, now->t, "standstill " + brief(rests - from) + " s after " + cause,
                      brief(speed) + " per s");
  }
  if (!host_was_late(from, std::min(until, from + time))) reached(cause, farthest, distance);
}

}  // namespace tandem::prove::checker
