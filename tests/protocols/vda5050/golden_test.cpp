// SPDX-License-Identifier: Apache-2.0
// The trace that vda-5050-lib 1.4.0 (npm) left with its own master and its own virtual vehicle, event for event: the
// order of states, of which this vehicle joins two where both are due at once (an accepted order and its first node).
#include <fmt/format.h>

#include "tests/protocols/vda5050/rig.hpp"

namespace tandem::vda5050::test {
namespace {

// "A/0 a:0 [b c?] p1=WAITING driving paused"; what is not there is left out.
std::string line(const Json& state) {
  std::string text =
      fmt::format("{}/{} {}:{} [", state["orderId"].get<std::string>(), state["orderUpdateId"].get<int>(),
                  state["lastNodeId"].get<std::string>(), state["lastNodeSequenceId"].get<int>());
  std::string separator;
  for (const Json& node : state["nodeStates"]) {
    text += separator + node["nodeId"].get<std::string>() + (node["released"].get<bool>() ? "" : "?");
    separator = " ";
  }
  text += "] [";
  separator.clear();
  for (const Json& edge : state["edgeStates"]) {
    text += separator + edge["edgeId"].get<std::string>() + (edge["released"].get<bool>() ? "" : "?");
    separator = " ";
  }
  text += "]";
  for (const Json& each : state["actionStates"])
    text += fmt::format(" {}={}", each["actionId"].get<std::string>(), each["actionStatus"].get<std::string>());
  if (state["driving"].get<bool>()) text += " driving";
  if (state["paused"].get<bool>()) text += " paused";
  for (const Json& error : state["errors"]) text += " !" + error["errorType"].get<std::string>();
  if (state.contains("loads")) text += fmt::format(" {} loads", state["loads"].size());
  return text;
}

Action with(Action made, const std::string& key, const std::string& value) {
  made.parameters.push_back({key, {Value::Kind::text, 0, false, value}});
  return made;
}

struct Trace {
  Rig rig{options(Version::v2_0)};
  Texts lines;
  void note(const std::vector<Json>& states) {
    for (const Json& state : states) lines.push_back(line(state));
  }
  Texts take() { return std::exchange(lines, {}); }
  // INITIALIZING, RUNNING, FINISHED, a second each.
  void carry_out(const std::string& id, double x, std::optional<std::vector<Load>> loads) {
    rig.truck.reports[id].status = ActionStatus::running;
    note(rig.at(x, false));
    rig.truck.reports[id].status = ActionStatus::finished;
    Observation after = seen(x);
    after.loads = std::move(loads);
    note(rig.step(after));
  }
};

TEST_CASE("the golden trace of other people's master and vehicle is this vehicle's as well") {
  Trace trace;
  Rig& rig = trace.rig;
  rig.truck.start = {ActionStatus::initializing, ""};
  CHECK(line(rig.state) == "/0 :0 [] []");

  // 1.26: order A with a horizon.
  Order first = order("A", 0, 0,
                      {{"n0", 0},
                       {"n1", 2, true, {with(with(action("pick", "p1"), "stationType", "floor"), "loadType", "EPAL")}},
                       {"n2", 4, false}});
  trace.note(rig.give(first));
  trace.note(rig.at(0.1, true));
  trace.note(rig.at(2, false));
  trace.note(rig.pass(2, false));
  trace.carry_out("p1", 2, std::vector<Load>{{"", "EPAL", "", {}}});
  CHECK(trace.take() == Texts{
                            "A/0 n0:0 [n1 n2?] [n0_n1 n1_n2?] p1=WAITING",  // h1 and h2
                            "A/0 n0:0 [n1 n2?] [n0_n1 n1_n2?] p1=WAITING driving",
                            "A/0 n0:0 [n1 n2?] [n0_n1 n1_n2?] p1=WAITING",
                            "A/0 n1:2 [n2?] [n1_n2?] p1=INITIALIZING",  // h5 and h6
                            "A/0 n1:2 [n2?] [n1_n2?] p1=RUNNING",
                            "A/0 n1:2 [n2?] [n1_n2?] p1=FINISHED 1 loads",
                        });

  // 5.52: the update that releases n2.
  const auto loaded = [&](double x, bool driving) {
    Observation made = seen(x, driving);
    made.loads = std::vector<Load>{{"", "EPAL", "", {}}};
    return made;
  };
  trace.note(rig.give(order("A", 1, 2, {{"n1", 2}, {"n2", 4, true, {action("drop", "d1")}}})));
  trace.note(rig.step(loaded(2.1, true)));
  trace.note(rig.step(loaded(4, false)));
  rig.vehicle.pass_node();
  trace.note(rig.step(loaded(4, false)));
  rig.truck.reports["d1"].status = ActionStatus::running;
  trace.note(rig.step(loaded(4, false)));
  rig.truck.reports["d1"].status = ActionStatus::finished;
  Observation empty = seen(4);
  empty.loads = std::vector<Load>{};
  trace.note(rig.step(empty));
  CHECK(trace.take() == Texts{
                            "A/1 n1:2 [n2] [n1_n2] p1=FINISHED d1=WAITING 1 loads",
                            "A/1 n1:2 [n2] [n1_n2] p1=FINISHED d1=WAITING driving 1 loads",
                            "A/1 n1:2 [n2] [n1_n2] p1=FINISHED d1=WAITING 1 loads",
                            "A/1 n2:4 [] [] p1=FINISHED d1=INITIALIZING 1 loads",
                            "A/1 n2:4 [] [] p1=FINISHED d1=RUNNING 1 loads",
                            "A/1 n2:4 [] [] p1=FINISHED d1=FINISHED 0 loads",
                        });

  // 9.78: what is refused.
  const auto last_error = [&] { return rig.errors().back(); };
  rig.give(first);
  CHECK(last_error() == "orderUpdateError");
  CHECK(rig.reference("orderUpdateId") == "0");
  CHECK(rig.state["orderUpdateId"] == 1);
  rig.give(order("B", 0, 0, {{"x", 50}, {"y", 60}}));
  CHECK(last_error() == "noRouteError");
  CHECK(rig.reference("nodePosition.allowedDeviationXy") == "0.3");
  rig.give(order("C", 0, 0, {{"n2", 4, true, {action("fly", "f1")}}}));
  CHECK(last_error() == "orderError");
  CHECK(rig.reference("actionType") == "fly");
  Order gap = order("D", 0, 0, {{"n2", 4}, {"n3", 6}});
  gap.nodes[1].sequence = 4;
  rig.give(gap);
  CHECK(last_error() == "validationError");
  rig.act_json(
      R"({"headerId":0,"timestamp":"2026-11-18T00:00:00.000Z","version":"2.0.0","manufacturer":"KIT",)"
      R"("serialNumber":"0001","instantActions":[{"actionType":"cancelOrder","actionId":"c0","blockingType":"HARD"}]})");
  CHECK(rig.errors() == Texts{"orderUpdateError", "noRouteError", "orderError", "validationError", "noOrderToCancel"});
  CHECK(rig.reference("actionId") == "c0");

  // 11.34: order E, paused, resumed, cancelled; the rejections go.
  rig.step(seen(4));
  trace.take();
  trace.note(rig.give(order("E", 0, 0, {{"n2", 4}, {"n3", 10, true, {action("drop", "d2")}}})));
  trace.note(rig.at(4.1, true));
  trace.note(rig.act({action("startPause", "sp")}));
  trace.note(rig.at(5.5, false));
  trace.note(rig.act({action("stopPause", "rp")}));
  trace.note(rig.at(5.6, true));
  trace.note(rig.act({action("cancelOrder", "c1")}));
  trace.note(rig.at(7, false));
  CHECK(trace.take() == Texts{
                            "E/0 n2:0 [n3] [n2_n3] d2=WAITING",  // h21 and h22
                            "E/0 n2:0 [n3] [n2_n3] d2=WAITING driving",
                            "E/0 n2:0 [n3] [n2_n3] d2=WAITING sp=RUNNING driving",
                            "E/0 n2:0 [n3] [n2_n3] d2=WAITING sp=FINISHED paused",  // h24 and h25
                            "E/0 n2:0 [n3] [n2_n3] d2=WAITING sp=FINISHED rp=FINISHED",
                            "E/0 n2:0 [n3] [n2_n3] d2=WAITING sp=FINISHED rp=FINISHED driving",
                            "E/0 n2:0 [n3] [n2_n3] d2=FAILED sp=FINISHED rp=FINISHED c1=RUNNING driving",
                            "E/0 n2:0 [] [] d2=FAILED sp=FINISHED rp=FINISHED c1=FINISHED",  // h29 and h30
                        });
  CHECK(rig.state["version"] == "2.0.0");
}

}  // namespace
}  // namespace tandem::vda5050::test
