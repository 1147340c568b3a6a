// SPDX-License-Identifier: Apache-2.0
// One machine's history with what follows from it: when it was permitted to move, and what its wire said. The
// invariants are judged on it.
#pragma once

#include <limits>
#include <string>
#include <vector>

#include "tandem/prove/checker/bounds.hpp"
#include "tandem/prove/checker/check.hpp"
#include "tandem/prove/checker/wire/wire.hpp"

namespace tandem::prove::checker {

inline constexpr double forever = std::numeric_limits<double>::infinity();

// From the beginning of a command to arm that was accepted, to what ended that.
struct Permission {
  double from = 0, to = forever;
  std::string ended;  // "stop", "lost", ...; empty: it lasted to the end
  bool lost = false;  // by the link or the device, not by a command
};

std::string brief(double number);    // at most three decimals
bool is_fault(const Deed& deed);     // of the link or the device
bool cuts_link(const Deed& deed);    // a fault after which no answer comes at all
bool asks_motion(const Deed& deed);  // that may be followed

class Case {
 public:
  Case(const History& history, const MachineHistory& machine, const Bounds& bounds, Report& report);

  const History& history;
  const MachineHistory& machine;
  const Bounds& bounds;
  const Wire wire;
  const std::vector<Permission> permissions;

  void judged(Invariant invariant) { ++report_.judged[invariant]; }
  void skipped(Invariant invariant) { ++report_.skipped[invariant]; }
  // Not if the host was late since `since`: what a history shows then may be the host's doing.
  void violated(Invariant invariant, double since, double t, std::string expected, std::string got);
  void reached(const std::string& what, double value, double bound);
  Counts& counts() { return report_.counts; }

  double tail_of(const Deed& deed) const;  // s: how long a fault is felt after its end
  bool host_was_late(double from, double to) const;
  bool permitted(double from, double to) const;  // at some time between
  // Per s, from positions 0.1 s apart; nothing where there are none.
  double speed_at(double t) const;
  // Holds the truth to standstill after `from`: it may go so far, and move for so long.
  void coast(Invariant invariant, double from, double until, double distance, double time, const std::string& cause);

 private:
  const Truth* truth_before(double t) const;
  double apart(const Truth& a, const Truth& b) const;
  const Deed* restart_around(double t) const;

  Report& report_;
  std::size_t listed_[invariant_count] = {};
};

void judge_motion(Case& one);     // 1, 3
void judge_commands(Case& one);   // 2, 5
void judge_goals(Case& one);      // 4
void judge_link(Case& one);       // 6, 7
void judge_published(Case& one);  // 8

}  // namespace tandem::prove::checker
