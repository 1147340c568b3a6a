// SPDX-License-Identifier: Apache-2.0
// The checker is checked: it finds each kind of violation where one was planted, names it, and finds nothing else.
#include <doctest/doctest.h>

#include <algorithm>
#include <set>

#include "tandem/prove/checker/check.hpp"
#include "tests/prove/checker/constructed.hpp"

using namespace tandem::prove::checker;
namespace made = tandem::prove::checker::constructed;

namespace {

std::set<int> broken(const History& history) {
  std::set<int> found;
  for (const Violation& violation : check(history).violations) {
    INFO(text_of(violation));
    found.insert(violation.invariant);
    CHECK_FALSE(violation.machine.empty());
    CHECK_FALSE(violation.expected.empty());
    CHECK_FALSE(violation.got.empty());
  }
  return found;
}
using Kinds = std::set<int>;

// A cut of the link at 3 s while it drives, which is seen 0.2 s later and lasts until 3.5 s. The truck stops at
// `still`.
History with_loss(double still) {
  History history = made::clean();
  MachineHistory& truck = history.machines[0];
  truck.deeds.push_back({3, 3.5, "black_hole", "", false, 0.5});
  truck.events.push_back({3.2, "stale", "no answer; disarmed"});
  std::erase_if(truck.frames, [](const Frame& frame) { return frame.t > 3 && frame.t < 3.6; });
  std::erase_if(truck.published, [](const Published& published) { return published.t > 3 && published.t < 3.6; });
  // Afterwards it is disarmed: no demands, and no motion of its own.
  std::erase_if(truck.frames,
                [](const Frame& frame) { return frame.t > 3.2 && frame.kind == Frame::out && frame.bytes[7] == 16; });
  const double from = truck.truth[300].position[0];
  for (Truth& truth : truck.truth)
    if (truth.t > 3) truth.position[0] = from + 0.5 * std::min(truth.t, still) - 0.5 * 3;
  for (Status& status : truck.statuses) {
    if (status.t > 3.2 && status.t < 6) status.arm = "disarmed";
    if (status.t > 3.2 && status.t < 3.7) status.state = "connecting";
  }
  truck.deeds[4].ok = false;  // it is not armed again
  std::erase_if(truck.commands, [](const Command& command) { return command.t > 8; });
  for (Status& status : truck.statuses)
    if (status.t > 8) status.arm = "disarmed";
  return history;
}

}  // namespace

TEST_CASE("a run in which all went well is judged often and has no violation") {
  const Report report = check(made::clean());
  CHECK(report.violations.empty());
  for (const Invariant each : {armed_motion, command_age, stop_holds, no_disturbance, published_wire})
    CHECK(report.judged[each] > 0);
  CHECK(report.counts.arms == 2);
  CHECK(report.counts.commands == 4);
  CHECK(report.judged[published_wire] > 900);
}

TEST_CASE("(1) motion without an arm is found in the truth") {
  SUBCASE("before the first arm") {
    History history = made::clean();
    for (Deed& deed : history.machines[0].deeds)
      if (deed.verb == "arm") deed.ok = false;
    CHECK(broken(history).contains(armed_motion));
  }
  SUBCASE("after a stop, for longer than it coasts") {
    History history = made::clean();
    made::push(history.machines[0], 6.5, 3, 0.01);
    CHECK(broken(history).empty());  // slower than what counts as motion
    made::push(history.machines[0], 6.5, 3, 0.1);
    CHECK(broken(history) == Kinds{armed_motion});
  }
  SUBCASE("further than it coasts") {
    History history = made::clean();
    made::push(history.machines[0], 6.02, 0.5, 3);
    CHECK(broken(history) == Kinds{armed_motion});
  }
}

TEST_CASE("(1) a demand on the wire without an arm is found, and so is an arm that nobody gave") {
  SUBCASE("a speed") {
    History history = made::clean();
    made::add_frame(history.machines[0], 7.5, Frame::out, made::write_speed(9999, 0.3));
    made::sort_frames(history.machines[0]);
    CHECK(broken(history).contains(armed_motion));
  }
  SUBCASE("a motor") {
    History history = made::clean();
    made::add_frame(history.machines[0], 7.5, Frame::out, made::write_coil(9999, 8194));
    made::sort_frames(history.machines[0]);
    CHECK(broken(history) == Kinds{armed_motion});
  }
  SUBCASE("an arm") {
    History history = made::clean();
    for (Status& status : history.machines[0].statuses)
      if (status.t > 7.4 && status.t < 7.6) status.arm = "armed";
    CHECK(broken(history) == Kinds{armed_motion});
  }
}

TEST_CASE("(2) a command that is older than its limit is found on the wire") {
  History history = made::clean();
  for (int i = 0; i < 50; ++i)
    made::add_frame(history.machines[0], 4 + 0.01 * i, Frame::out,
                    made::write_speed(static_cast<std::uint16_t>(30000 + i), 0.5));
  made::sort_frames(history.machines[0]);
  CHECK(broken(history).empty());  // as long as commands may last
  made::add_frame(history.machines[0], 5.5, Frame::out, made::write_speed(31000, 0.5));
  made::sort_frames(history.machines[0]);
  CHECK(broken(history) == Kinds{command_age});
}

TEST_CASE("(3) a loss after which the truck does not stop in time or distance is found") {
  CHECK(broken(with_loss(3.8)).empty());
  CHECK(check(with_loss(3.8)).judged[loss_standstill] == 2);  // that it was noticed, and the way
  CHECK(broken(with_loss(5.2)).contains(loss_standstill));    // 1.1 m
}

TEST_CASE("(3) a fault that was too short to be a loss is none, although a stop follows") {
  History history = made::clean();
  history.machines[0].deeds.push_back({5.5, 5.55, "unplug", "", false, 0.05});
  made::push(history.machines[0], 4, 2.2, 0.5);  // until after the stop at 6 s, 0.85 m from the fault
  CHECK(check(history).judged[loss_standstill] == 0);
}

TEST_CASE("(3) a loss that lasts and is never noticed is found, moving or at rest") {
  // The machine goes on as if nothing were: armed, and its own commands as ever.
  for (const double from : {3.0, 4.8}) {
    CAPTURE(from);
    History history = made::clean();
    auto& deeds = history.machines[0].deeds;
    deeds.push_back({from, from + 1, "black_hole", "", false, 1});
    CHECK(broken(history) == Kinds{loss_standstill});
    deeds.back() = {from, from + 0.4, "black_hole", "", false, 0.4};  // shorter than the bound: need not be
    CHECK(broken(history).empty());
  }
}

TEST_CASE("(4) a goal that ends twice, never, or without having been accepted is found") {
  History history = made::clean();
  auto& goals = history.machines[0].goals;
  goals = {{2, "a", "accepted"}, {3, "a", "succeeded"}, {3.5, "b", "rejected"}};
  CHECK(broken(history).empty());
  CHECK(check(history).judged[goals_end] == 1);
  SUBCASE("twice") { goals.push_back({4, "a", "canceled"}); }
  SUBCASE("never") { goals.push_back({4, "c", "accepted"}); }
  SUBCASE("its end was lost") { goals.insert(goals.end(), {{4, "d", "accepted"}, {9, "d", "lost"}}); }
  SUBCASE("not accepted") { goals.push_back({4, "e", "succeeded"}); }
  CHECK(broken(history) == Kinds{goals_end});
}

TEST_CASE("(5) a stop that does not hold is found") {
  History history = made::clean();
  SUBCASE("an arm is accepted") {
    history.machines[0].deeds.push_back({6.4, 6.41, "arm", "direct", true});
    CHECK(broken(history).contains(stop_holds));
  }
  SUBCASE("it is forgotten") {
    for (Status& status : history.machines[0].statuses)
      if (status.t > 6.5 && status.t < 7) status.arm = "disarmed";
    CHECK(broken(history) == Kinds{stop_holds});
  }
}

TEST_CASE("(5) a stop that the machine latched itself and that ends without a reset is found") {
  History history = made::clean();
  MachineHistory& truck = history.machines[0];
  truck.events.push_back({8.5, "stopped", "the link was away for 1.2 s; latched until reset"});
  for (Status& status : truck.statuses)
    if (status.t > 8.5) status.arm = status.t < 9 ? "stopped" : "disarmed";
  CHECK(broken(history) == Kinds{stop_holds});
  truck.deeds.push_back({8.9, 8.91, "reset", "direct", true});
  CHECK(broken(history).empty());
}

TEST_CASE("(6) a link that does not come back is found") {
  History history = with_loss(3.8);
  for (Status& status : history.machines[0].statuses)
    if (status.t > 3.2 && status.t < 5.5) status.state = "connecting";
  CHECK(broken(history) == Kinds{link_returns});
}

TEST_CASE("(7) a loss without a fault of its own is found") {
  History history = with_loss(3.8);
  history.machines.push_back(made::truck("other"));
  CHECK(broken(history).empty());
  history.machines[1].events.push_back({4.5, "stale", "no sample for 120 ms"});
  history.machines[1].events.push_back({4.6, "fresh", "samples are live again"});
  CHECK(broken(history) == Kinds{no_disturbance});
}

TEST_CASE("(8) a number that the device never sent is found") {
  History history = made::clean();
  history.machines[0].published[500].values[2] += 1e-4;
  CHECK(broken(history) == Kinds{published_wire});
}

TEST_CASE("a history with holes is not called good") {
  History history = made::clean();
  SUBCASE("dropped") { history.dropped = 3; }
  SUBCASE("no truth") { history.machines[0].truth.clear(); }
  SUBCASE("no status") { history.machines[0].statuses.clear(); }
  SUBCASE("no frames") {
    history.machines[0].frames.clear();
    history.machines[0].published.clear();
  }
  CHECK(broken(history).contains(complete));
}

TEST_CASE("what happens while the host is late is not judged, and counted") {
  History history = made::clean();
  history.stalls.push_back({4.2, 4.45});
  history.machines[0].events.push_back({4.5, "stale", "no sample for 120 ms"});
  CHECK(broken(history).empty());
  CHECK(check(history).skipped[no_disturbance] == 1);
  History late = with_loss(5.2);
  late.stalls.push_back({3.1, 3.6});
  CHECK(broken(late).empty());
  CHECK(check(late).skipped[loss_standstill] == 1);
}
