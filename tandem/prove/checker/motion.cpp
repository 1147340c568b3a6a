// SPDX-License-Identifier: Apache-2.0
// Whether motion had an arm that was in force, and how it ended when the link was lost: by truth, and by the wire.
#include <algorithm>

#include "tandem/prove/checker/case.hpp"

namespace tandem::prove::checker {
namespace {

constexpr double look_back = 2;  // s before a demand or a status in which a late host explains it

void judge_wire(Case& one) {
  for (const Demand& demand : one.wire.demands) {
    one.judged(armed_motion);
    if (!one.bounds.moves) {
      one.violated(armed_motion, forever, demand.t, "nothing is ever written to this device", demand.what);
      continue;
    }
    if (one.permitted(demand.t - one.bounds.switch_off, demand.t)) continue;
    one.violated(armed_motion, demand.t - look_back, demand.t, "no demand on the wire without an arm in force",
                 demand.what);
  }
}

// The program's own word: armed without a command to arm.
void judge_state(Case& one) {
  constexpr double status_age = 0.15;  // s: what is recorded was asked before
  for (const Status& status : one.machine.statuses) {
    if (status.arm != "armed") continue;
    one.judged(armed_motion);
    if (!one.permitted(status.t - status_age, status.t))
      one.violated(armed_motion, status.t - look_back, status.t, "disarmed, without a command to arm", "status armed");
  }
}

void judge_unarmed(Case& one) {
  const double first = one.permissions.empty() ? forever : one.permissions.front().from;
  one.coast(armed_motion, one.history.begun, first, one.bounds.coast / 4, 0.5, "the start, before the first arm");
  for (std::size_t i = 0; i < one.permissions.size(); ++i) {
    const Permission& permission = one.permissions[i];
    if (permission.to == forever) break;
    const double next = i + 1 < one.permissions.size() ? one.permissions[i + 1].from : forever;
    const double time = permission.lost ? one.bounds.loss_time : one.bounds.stop_time;
    // A stop that meets a line which is lost takes as long as the loss.
    const bool troubled = std::ranges::any_of(one.machine.deeds, [&](const Deed& deed) {
      return is_fault(deed) && deed.t <= permission.to + time && deed.end + one.tail_of(deed) + 0.5 >= permission.to;
    });
    one.coast(armed_motion, permission.to, next, one.bounds.coast,
              troubled ? std::max(time, one.bounds.loss_time) : time, permission.ended);
  }
}

// A cut that lasts longer than the bound must end the arm within it, whether the machine moves or not.
void judge_notice(Case& one, const Deed& deed, const Permission& during) {
  constexpr double status_lag = 0.25;  // s: where only a status shows that it was disarmed
  const double by = deed.t + one.bounds.notice;
  if (deed.end < by || by + status_lag > one.history.ended || (!during.lost && during.to < by)) return;
  one.judged(loss_standstill);
  if (during.to > by + status_lag) {
    const double seen = std::min({during.to, one.history.ended, deed.end});
    one.violated(loss_standstill, deed.t, by + status_lag,
                 "disarmed within " + brief(one.bounds.notice) + " s of " + deed.verb,
                 "armed for another " + brief(seen - deed.t) + " s");
  } else if (!one.host_was_late(deed.t, during.to)) {
    one.reached("disarmed after " + deed.verb, during.to - deed.t, one.bounds.notice);
  }
}

void judge_losses(Case& one) {
  constexpr double moving = 3;  // times the speed of standstill
  for (const Deed& deed : one.machine.deeds) {
    const auto distance = loss_distance(one.machine.type, deed.verb);
    if (!cuts_link(deed) || !distance) continue;
    const auto during = std::ranges::find_if(
        one.permissions, [&](const Permission& each) { return each.from < deed.t && each.to > deed.t; });
    if (during == one.permissions.end()) continue;
    judge_notice(one, deed, *during);
    if (one.speed_at(deed.t) < moving * one.bounds.rest) continue;
    // It was too short to be a loss, or a command was faster.
    if (!during->lost || during->to > deed.end + 0.5) continue;
    const double next = std::next(during) == one.permissions.end() ? forever : std::next(during)->from;
    one.coast(loss_standstill, deed.t, next, *distance, one.bounds.loss_time, deed.verb);
  }
}

}  // namespace

void judge_motion(Case& one) {
  judge_wire(one);
  if (!one.bounds.moves) return;
  judge_state(one);
  judge_unarmed(one);
  judge_losses(one);
}

}  // namespace tandem::prove::checker
