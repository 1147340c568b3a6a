// SPDX-License-Identifier: Apache-2.0
// Whether links come back, leave each other alone, and publish what they hear.
#include <algorithm>
#include <cmath>

#include "tandem/prove/checker/case.hpp"

namespace tandem::prove::checker {
namespace {

void judge_return(Case& one) {
  const auto& deeds = one.machine.deeds;
  for (const Deed& deed : deeds) {
    if (!is_fault(deed)) continue;
    double possible = 0;
    for (const Deed& other : deeds)
      if (is_fault(other) && other.t <= deed.t) possible = std::max(possible, other.end + one.tail_of(other));
    const double limit = possible + one.bounds.link_back;
    double next = one.history.length;
    for (const Deed& other : deeds)
      if (is_fault(other) && other.t > deed.t) next = std::min(next, other.t);
    const auto live = std::ranges::find_if(one.machine.statuses, [&](const Status& status) {
      return status.t > possible && status.state == "live" && status.quality == "live";
    });
    if (possible + one.bounds.link_back > one.history.ended) continue;  // it need not be back before the end
    const double back = live == one.machine.statuses.end() ? forever : live->t;
    if (back > limit && next < limit) {
      one.skipped(link_returns);  // struck again before it had to be back
      continue;
    }
    one.judged(link_returns);
    if (back < forever && !one.host_was_late(possible, back))
      one.reached("link back after " + deed.verb, back - possible, one.bounds.link_back);
    if (back <= limit) continue;
    one.violated(link_returns, possible, limit, "live " + brief(limit - possible) + " s after " + deed.verb,
                 back == forever ? "never live again" : "live after " + brief(back - possible) + " s");
  }
}

// A machine that had a fault lately has itself to blame.
bool has_own_fault(const Case& one, double t) {
  constexpr double echo = 4;  // s
  return std::ranges::any_of(one.machine.deeds, [&](const Deed& deed) {
    return is_fault(deed) && t >= deed.t && t <= deed.end + one.tail_of(deed) + echo;
  });
}

void judge_disturbance(Case& one) {
  const auto judge = [&](double t, const std::string& got) {
    if (t < one.history.begun || t > one.history.ended) return;
    one.judged(no_disturbance);
    if (got.empty()) return;
    one.violated(no_disturbance, t - 2, t, "a link without a fault of its own stays live", got);
  };
  for (const Event& event : one.machine.events) {
    const bool bad = event.kind == "stale" || event.kind == "lost" || event.kind == "away";
    if (event.kind == "faulted" || (bad && !has_own_fault(one, event.t)))
      judge(event.t, event.kind + ": " + event.text);
  }
  // Of events that come often only the first is recorded.
  for (const Status& status : one.machine.statuses)
    if (!has_own_fault(one, status.t)) judge(status.t, status.state == "live" ? "" : "status " + status.state);
}

bool same(const std::vector<double>& a, const std::vector<double>& b) {
  if (a.size() != b.size()) return false;
  for (std::size_t i = 0; i < a.size(); ++i)
    if (!(std::abs(a[i] - b[i]) <= 1e-9 * std::max(1.0, std::abs(a[i])))) return false;
  return true;
}

}  // namespace

void judge_link(Case& one) {
  judge_return(one);
  judge_disturbance(one);
}

void judge_published(Case& one) {
  constexpr double early = 0.02;  // s
  const double oldest = one.bounds.published;
  const auto& readings = one.wire.readings;
  for (const Published& published : one.machine.published) {
    one.judged(published_wire);
    const auto first = std::ranges::lower_bound(readings, published.t - oldest, {}, &Reading::t);
    const auto last = std::ranges::upper_bound(readings, published.t + early, {}, &Reading::t);
    if (std::any_of(first, last, [&](const Reading& reading) { return same(reading.values, published.values); }))
      continue;
    std::string got;
    for (const double value : published.values) got += (got.empty() ? "" : ", ") + std::to_string(value);
    one.violated(published_wire, published.t - oldest, published.t,
                 "numbers that the device sent in the last " + brief(oldest) + " s", got);
  }
}

}  // namespace tandem::prove::checker
