// SPDX-License-Identifier: Apache-2.0
// Time and messages, and the rest of the library by part.
#include "tandem/urscript/library/library.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace tandem::urscript {

namespace {

// The cycle to go on in: the next one at the earliest.
Outcome until(Call& call, double cycles_away) {
  if (!call.resumed()) {
    const double away = std::min(std::max(1.0, std::round(cycles_away)), 1e15);
    call.state = call.cycle.number + static_cast<std::uint64_t>(away);
    return wait;
  }
  if (call.cycle.number < std::any_cast<std::uint64_t>(call.state)) return wait;
  return Value(None{});
}

Outcome sleep(Call& call) {
  auto time = number_of(call[0]);
  if (!time) return std::move(time).error();
  if (!(*time >= 0.0)) return Error{Fault::invalid, fmt::format("cannot sleep for {} s", *time)};
  return until(call, *time / call.cycle.step);
}

Outcome assert_that(Call& call) {
  auto holds = truth_of(call[0]);
  if (!holds) return std::move(holds).error();
  if (!*holds) return Error{Fault::invalid, to_text(call[1])};
  return Value(None{});
}

}  // namespace

void add_language_library(Builtins& builtins, LanguageHost host) {
  builtins.add_waiting("sync", {}, [](Call& call) { return until(call, 1.0); });
  builtins.add_waiting("sleep", {"t"}, sleep);
  builtins.add("get_steptime", {}, [](Call& call) -> Outcome { return Value(call.cycle.step); });
  builtins.add("textmsg", {"s1", Parameter("s2", "")}, [textmsg = std::move(host.textmsg)](Call& call) -> Outcome {
    if (textmsg) textmsg(to_message(call[0]) + to_message(call[1]));
    return Value(None{});
  });
  builtins.add("assert", {"condition", Parameter("message", "assertion failed")}, assert_that);
  add_mathematics(builtins, host.random_seed);
  add_lists(builtins);
  add_strings(builtins);
  add_poses(builtins);
}

}  // namespace tandem::urscript
