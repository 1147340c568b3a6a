// SPDX-License-Identifier: Apache-2.0
#include <doctest/doctest.h>

#include <algorithm>
#include <map>
#include <set>
#include <string>

#include "tandem/prove/schedule/plan.hpp"

using namespace tandem::prove;

namespace {

const std::vector<Subject> machines{{.name = "truck"},
                                    {.name = "arm", .goals = true},
                                    {.name = "sub", .datagrams = true},
                                    {.name = "cables", .stamped = true},
                                    {.name = "platform", .moves = false}};

}  // namespace

TEST_CASE("one seed is one schedule, and another seed is another") {
  CHECK(plan(7, machines, 20) == plan(7, machines, 20));
  CHECK(plan(7, machines, 20) != plan(8, machines, 20));
}

TEST_CASE("a machine's schedule does not depend on the machines beside it") {
  auto all = plan(3, machines, 30);
  std::erase_if(all, [](const Action& action) { return action.machine != "arm"; });
  CHECK(all == plan(3, {&machines[1], 1}, 30));
}

TEST_CASE("a schedule that is printed and read again is the same") {
  for (std::uint64_t seed = 1; seed <= 50; ++seed) {
    const auto all = plan(seed, machines, 20);
    const auto again = actions_from(text_of(all));
    REQUIRE(again.ok());
    CHECK(*again == all);
  }
}

TEST_CASE("schedules hold to their rules") {
  std::set<std::string> seen;
  for (std::uint64_t seed = 1; seed <= 300; ++seed) {
    const auto all = plan(seed, machines, 20);
    CHECK(std::ranges::is_sorted(all, {}, &Action::at));
    std::map<std::string, double> fault_ends;
    for (const Action& action : all) {
      const Verb* verb = find_verb(action.verb);
      REQUIRE(verb != nullptr);
      seen.insert(action.verb);
      CHECK(action.at >= 0);
      CHECK(action.at < 20);
      CHECK((verb->kind == Kind::command) == !action.by.empty());
      if (action.machine == "platform") CHECK((verb->kind == Kind::fault || verb->kind == Kind::device));
      if (action.verb == "goal") CHECK(action.machine == "arm");
      if (verb->kind != Kind::fault && verb->kind != Kind::device) continue;
      CHECK(action.lasts > 0);
      CHECK(action.at + action.lasts <= 20 - calm_end + 1e-9);
      CHECK(action.at > fault_ends[action.machine]);  // one at a time
      fault_ends[action.machine] = action.at + action.lasts;
    }
  }
  CHECK(seen.size() == verbs().size());
}

TEST_CASE("what is no action is refused with its line") {
  for (const char* text : {"x truck arm", "-1 truck arm", "1 truck", "1 truck fly", "1 truck arm by=nobody",
                           "1 truck move a=1e999", "1 truck move lasts=-1", "1 truck move what", "1 truck move c=1"}) {
    CAPTURE(text);
    CHECK_FALSE(action_from(text).ok());
  }
  const auto actions = actions_from("# a comment\n\n1.5 truck stop by=socket\nnonsense\n");
  REQUIRE_FALSE(actions.ok());
  CHECK(actions.error().text.starts_with("line 4"));
}
