// SPDX-License-Identifier: Apache-2.0
// Whether what was asked for came in time, and a stop held.
#include <algorithm>
#include <map>
#include <string_view>

#include "tandem/prove/checker/case.hpp"

namespace tandem::prove::checker {
namespace {

void judge_age(Case& one) {
  constexpr double early = 0.02;  // s
  for (const Demand& demand : one.wire.demands) {
    if (demand.enables) continue;
    one.judged(command_age);
    double newest = -forever;
    bool fresh = false;
    for (const Deed& deed : one.machine.deeds) {
      if (!asks_motion(deed) || deed.t - early > demand.t) continue;
      newest = std::max(newest, deed.end);
      fresh = fresh || demand.t <= deed.end + one.bounds.command_age;
    }
    if (!fresh)
      one.violated(command_age, demand.t - one.bounds.command_age - 1, demand.t,
                   "no command older than " + brief(one.bounds.command_age) + " s",
                   demand.what + (newest == -forever ? ", and nothing was commanded"
                                                     : ", " + brief(demand.t - newest) + " s after the last command"));
  }
}

void judge_stops(Case& one) {
  constexpr double status_age = 0.15;  // s
  const auto& deeds = one.machine.deeds;
  for (const Deed& stop : deeds) {
    if (stop.verb != "stop" || !stop.ok) continue;
    one.judged(stop_holds);
    double until = forever;
    for (const Deed& deed : deeds)
      if (deed.verb == "reset" && deed.t >= stop.end) until = std::min(until, deed.t);
    for (const Deed& deed : deeds)
      if (deed.verb == "arm" && deed.ok && deed.t > stop.end && deed.end < until)
        one.violated(stop_holds, stop.t, deed.end, "no arm between stop and reset", "armed by " + deed.by);
    for (const Status& status : one.machine.statuses) {
      if (status.t < stop.end + status_age || status.t > until) continue;
      if (status.arm == "stopped" || status.arm.empty()) continue;
      one.violated(stop_holds, status.t - 1, status.t, "stopped until reset", "status " + status.arm);
      break;
    }
  }
}

// Whatever latched it, a command or the program itself: only a reset ends a stop.
void judge_releases(Case& one) {
  constexpr double status_age = 0.15;  // s: what is recorded was asked before
  const Status* before = nullptr;
  for (const Status& status : one.machine.statuses) {
    if (status.arm.empty()) continue;
    if (before != nullptr && before->arm == "stopped") {
      one.judged(stop_holds);
      const double from = before->t - status_age;
      const bool reset = std::ranges::any_of(one.machine.deeds, [&](const Deed& deed) {
        return deed.verb == "reset" && deed.t <= status.t && deed.end >= from;
      });
      if (status.arm != "stopped" && !reset)
        one.violated(stop_holds, from, status.t, "stopped until reset", "status " + status.arm + " without a reset");
    }
    before = &status;
  }
}

}  // namespace

void judge_commands(Case& one) {
  if (!one.bounds.moves) return;
  judge_age(one);
  judge_stops(one);
  judge_releases(one);
}

void judge_goals(Case& one) {
  struct Course {
    double accepted = -1;
    int ends = 0;
    double ended = 0;
    std::string last;
  };
  std::map<std::string, Course> courses;
  for (const GoalState& state : one.machine.goals) {
    Course& course = courses[state.goal];
    if (state.state == "accepted") {
      course.accepted = state.t;
    } else {
      ++course.ends;
      course.ended = state.t;
    }
    course.last = state.state;
  }
  for (const auto& [goal, course] : courses) {
    if (course.accepted < 0) {
      if (course.last != "rejected")
        one.violated(goals_end, forever, course.ended, "no end of a goal that was not accepted",
                     goal + " " + course.last);
      continue;
    }
    ++one.counts().goals;
    one.judged(goals_end);
    if (course.ends != 1 || course.last == "lost")
      one.violated(goals_end, forever, course.ends == 0 ? course.accepted : course.ended,
                   "exactly one end of goal " + goal, std::to_string(course.ends) + " ends, the last: " + course.last);
  }
}

}  // namespace tandem::prove::checker
