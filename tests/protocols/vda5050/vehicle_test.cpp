// SPDX-License-Identifier: Apache-2.0
// Driving, instant actions, modes and messages of a vehicle without a machine.
#include <set>

#include "tests/protocols/vda5050/rig.hpp"

namespace tandem::vda5050::test {
namespace {

Parameter number(std::string key, double value) { return {std::move(key), {Value::Kind::number, value, false, ""}}; }
Parameter text(std::string key, std::string value) {
  return {std::move(key), {Value::Kind::text, 0, false, std::move(value)}};
}

TEST_CASE("a node that is traversed leaves the state together with the edge that led to it") {
  Rig rig;
  rig.give(order("A", 0, 0, three));
  CHECK(rig.state["lastNodeId"] == "a");
  CHECK(rig.nodes() == Texts{"b", "c"});
  CHECK(rig.state["edgeStates"].size() == 2);
  rig.at(1, true);
  CHECK(rig.state["driving"] == true);
  const auto states = rig.pass(5);
  REQUIRE(states.size() == 1);
  CHECK(rig.state["lastNodeId"] == "b");
  CHECK(rig.state["lastNodeSequenceId"] == 2);
  CHECK(rig.nodes() == Texts{"c"});
  REQUIRE(rig.state["edgeStates"].size() == 1);
  CHECK(rig.state["edgeStates"][0]["edgeId"] == "b_c");
}

TEST_CASE("the goal ends at the base's end, and at a node whose actions stop the vehicle") {
  Rig rig;
  SUBCASE("horizon") {
    rig.give(order("A", 0, 0, {{"a", 0}, {"b", 5}, {"c", 10, false}}));
    const Goal goal = rig.vehicle.goal();
    CHECK(goal.nodes == 1);
    CHECK(goal.at_horizon);
    CHECK_FALSE(goal.hold);
  }
  SUBCASE("no horizon") {
    rig.give(order("A", 0, 0, three));
    CHECK(rig.vehicle.goal().nodes == 2);
    CHECK_FALSE(rig.vehicle.goal().at_horizon);
  }
  SUBCASE("a SOFT action at a node") {
    rig.give(order("A", 0, 0, {{"a", 0}, {"b", 5, true, {action("beep", "x", Blocking::soft)}}, {"c", 10}}));
    CHECK(rig.vehicle.goal().nodes == 1);
  }
  SUBCASE("a NONE action at a node") {
    rig.give(order("A", 0, 0, {{"a", 0}, {"b", 5, true, {action("beep", "x", Blocking::none)}}, {"c", 10}}));
    CHECK(rig.vehicle.goal().nodes == 2);
  }
  SUBCASE("a HARD action on the second edge") {
    Order wanted = order("A", 0, 0, three);
    wanted.edges[1].actions = {action("beep", "x")};
    rig.give(wanted);
    CHECK(rig.vehicle.goal().nodes == 1);
    rig.at(1, true);
    rig.pass(5, false);
    CHECK(rig.vehicle.goal().hold);
    CHECK(rig.status("x") == "RUNNING");
    rig.truck.reports["x"].status = ActionStatus::finished;
    rig.step();
    CHECK_FALSE(rig.vehicle.goal().hold);
  }
}

TEST_CASE("a HARD action holds the vehicle at its node, and the next edge begins behind it") {
  Rig rig;
  Order wanted = order("A", 0, 0, {{"a", 0}, {"b", 5, true, {action("pick", "p")}}, {"c", 10}});
  wanted.edges[1].actions = {action("beep", "e", Blocking::none)};
  rig.give(wanted);
  rig.at(1, true);
  rig.pass(5, true);
  CHECK(rig.status("p") == "WAITING");  // until it stands
  CHECK(rig.vehicle.goal().hold);
  rig.at(5, false);
  CHECK(rig.status("p") == "RUNNING");
  CHECK(rig.status("e") == "WAITING");
  rig.truck.reports["p"].status = ActionStatus::finished;
  rig.step();
  rig.step();
  CHECK(rig.status("p") == "FINISHED");
  CHECK(rig.status("e") == "RUNNING");
  CHECK_FALSE(rig.vehicle.goal().hold);
  rig.at(6, true);
  rig.pass(10);
  CHECK(rig.status("e") == "FINISHED");
}

TEST_CASE("an action that fails leaves the vehicle standing until the order is cancelled") {
  Rig rig;
  rig.give(order("A", 0, 0, {{"a", 0, true, {action("pick", "p")}}, {"b", 5}}));
  rig.step();
  rig.truck.reports["p"] = {ActionStatus::failed, "no load"};
  rig.step();
  CHECK(rig.status("p") == "FAILED");
  CHECK(rig.errors() == Texts{"orderActionError"});
  CHECK(rig.reference("actionId") == "p");
  CHECK(rig.vehicle.goal().hold);
  rig.act({action("cancelOrder", "c")});
  rig.step();
  CHECK(rig.status("c") == "FINISHED");
  CHECK(rig.nodes().empty());
}

TEST_CASE("cancelOrder: waiting and running actions fail, the vehicle stops, then the path is gone and the ids stay") {
  Rig rig;
  rig.give(
      order("A", 7, 0,
            {{"a", 0, true, {action("beep", "runs", Blocking::none)}}, {"b", 5, true, {action("drop", "waits")}}}));
  rig.at(1, true);
  rig.act({action("cancelOrder", "c")});
  CHECK(rig.status("waits") == "FAILED");
  CHECK(rig.status("runs") == "FAILED");
  CHECK(rig.truck.log.back() == "interrupt runs");
  CHECK(rig.status("c") == "RUNNING");
  CHECK(rig.nodes() == Texts{"b"});
  CHECK(rig.vehicle.goal().hold);
  rig.at(1.2, true);
  CHECK(rig.status("c") == "RUNNING");
  rig.at(1.3, false);
  CHECK(rig.status("c") == "FINISHED");
  CHECK(rig.nodes().empty());
  CHECK(rig.state["edgeStates"].empty());
  CHECK(rig.state["orderId"] == "A");
  CHECK(rig.state["orderUpdateId"] == 7);
  CHECK(rig.errors().empty());
}

TEST_CASE("a horizon alone can be cancelled, and no order at all cannot") {
  Rig rig;
  rig.act({action("cancelOrder", "c0")});
  CHECK(rig.status("c0") == "FAILED");
  CHECK(rig.errors() == Texts{"noOrderToCancel"});
  CHECK(rig.reference("topic") == "instantActions");
  CHECK(rig.reference("actionId") == "c0");
  CHECK(rig.state["errors"][0]["errorLevel"] == "WARNING");
  rig.give(order("A", 0, 0, {{"a", 0}, {"b", 5, false}}));
  CHECK(rig.nodes() == Texts{"b?"});
  rig.act({action("cancelOrder", "c1")});
  rig.step();
  CHECK(rig.status("c1") == "FINISHED");
  CHECK(rig.nodes().empty());
}

TEST_CASE("startPause holds the vehicle and is FINISHED when it stands; stopPause lets it go on") {
  Rig rig;
  rig.give(order("A", 0, 0, three));
  rig.at(1, true);
  rig.act({action("startPause", "p", Blocking::none)});
  CHECK(rig.status("p") == "RUNNING");
  CHECK(rig.state["paused"] == false);
  CHECK(rig.vehicle.goal().hold);
  rig.at(1.2, false);
  CHECK(rig.status("p") == "FINISHED");
  CHECK(rig.state["paused"] == true);
  CHECK(rig.nodes() == Texts{"b", "c"});
  rig.act({action("stopPause", "s", Blocking::none)});
  CHECK(rig.status("s") == "FINISHED");
  CHECK(rig.state["paused"] == false);
  CHECK_FALSE(rig.vehicle.goal().hold);
}

TEST_CASE("stopPause before the vehicle stands ends the startPause") {
  Rig rig;
  rig.give(order("A", 0, 0, three));
  rig.at(1, true);
  rig.act({action("startPause", "p"), action("stopPause", "s")});
  CHECK(rig.status("p") == "FAILED");
  CHECK(rig.status("s") == "FINISHED");
  CHECK_FALSE(rig.vehicle.goal().hold);
}

TEST_CASE("a vehicle that is held stands paused until stopPause, or until a cancelOrder has ended its order") {
  Rig rig;
  rig.give(order("A", 0, 0, three));
  rig.at(1, true);
  rig.vehicle.hold();
  CHECK(rig.vehicle.goal().hold);
  rig.at(1.2, false);
  CHECK(rig.state["paused"] == true);
  CHECK(rig.vehicle.goal().hold);
  SUBCASE("stopPause") {
    rig.act({action("stopPause", "s", Blocking::none)});
    CHECK(rig.state["paused"] == false);
    CHECK_FALSE(rig.vehicle.goal().hold);
  }
  SUBCASE("cancelOrder") {
    rig.act({action("cancelOrder", "c")});
    rig.step();
    CHECK(rig.nodes().empty());
    CHECK(rig.state["paused"] == false);
  }
  SUBCASE("a startPause of the master outlives the cancelOrder") {
    rig.act({action("startPause", "p", Blocking::none), action("cancelOrder", "c")});
    rig.step();
    CHECK(rig.nodes().empty());
    CHECK(rig.state["paused"] == true);
  }
}

TEST_CASE("an instant action that comes again is done once") {
  Rig rig;
  rig.give(order("A", 0, 0, three));
  rig.at(1, true);
  rig.act({action("startPause", "p")});
  rig.at(1, false);
  rig.act({action("stopPause", "s")});
  rig.act({action("startPause", "q")});
  rig.act({action("stopPause", "s")});
  CHECK(rig.state["paused"] == true);
  CHECK(rig.vehicle.goal().hold);
  CHECK(rig.state["actionStates"].size() == 3);
}

// Instant actions as text, so that they can be malformed.
std::string instants(const std::string& list, const std::string& more = "") {
  return R"({"headerId":5,"timestamp":"2026-11-18T00:00:00Z","version":"2.1.0","manufacturer":"KIT",)"
         R"("serialNumber":"0001",)" +
         more + R"("actions":[)" + list + "]}";
}

TEST_CASE("what stops the vehicle is never refused for its form") {
  Rig rig;
  rig.give(order("A", 0, 0, {{"a", 0}, {"b", 5, true, {action("drop", "d")}}}));
  rig.at(1, true);
  REQUIRE_FALSE(rig.vehicle.goal().hold);
  std::string reported = "validationError";
  bool pause = true;
  const std::string good = R"({"actionType":"startPause","actionId":"p","blockingType":"NONE"})";
  std::string json;
  SUBCASE("the actionId belongs to an action of the order") {
    json = instants(R"({"actionType":"startPause","actionId":"d","blockingType":"NONE"})");
  }
  SUBCASE("the actionId belongs to an instant action of another type") {
    rig.act({action("stateRequest", "x")});
    json = instants(R"({"actionType":"cancelOrder","actionId":"x","blockingType":"NONE"})");
    pause = false;
  }
  SUBCASE("a parameter that is not known") {
    json = instants(
        R"({"actionType":"startPause","actionId":"p","blockingType":"NONE","actionParameters":[{"key":"k","value":1}]})");
    reported = "";
  }
  SUBCASE("an action beside it is malformed") { json = instants(R"({"actionType":7},)" + good); }
  SUBCASE("an action beside it is not an object") { json = instants(good + ",3"); }
  SUBCASE("it has no blocking type") { json = instants(R"({"actionType":"startPause","actionId":"p"})"); }
  SUBCASE("it has no id") { json = instants(R"({"actionType":"startPause"})"); }
  SUBCASE("it has parameters that are none") {
    json = instants(R"({"actionType":"cancelOrder","actionId":"c","blockingType":"NONE","actionParameters":[{}]})");
    pause = false;
  }
  SUBCASE("both keys") { json = instants(good, R"("instantActions":[],)"); }
  SUBCASE("under the other of both keys") { json = instants("", R"("instantActions":[)" + good + "],"); }
  SUBCASE("a version that is not spoken") {
    json = instants(good);
    json.replace(json.find("2.1.0"), 5, "3.0.0");
  }
  SUBCASE("no headerId") {
    json = instants(good);
    json.replace(json.find(R"("headerId":5,)"), 13, "");
  }
  SUBCASE("behind more actions than are read") {
    for (std::size_t i = 0; i < limits::actions; ++i)
      json += R"({"actionType":"stateRequest","actionId":"s)" + std::to_string(i) + R"(","blockingType":"NONE"},)";
    json = instants(json + good);
  }
  rig.act_json(json);
  CHECK(rig.vehicle.goal().hold);
  CHECK(rig.errors() == (reported.empty() ? Texts{} : Texts{reported}));
  for (const Json& error : rig.state["errors"]) CHECK(error["errorLevel"] == "WARNING");
  std::set<std::string> ids;
  for (const Json& each : rig.state["actionStates"]) CHECK(ids.insert(each["actionId"]).second);
  rig.at(1.2, false);
  CHECK(rig.state["paused"] == pause);
  CHECK(rig.nodes().empty() == !pause);
}

TEST_CASE("a stop for another vehicle is not obeyed, however it is written") {
  Rig rig;
  rig.give(order("A", 0, 0, three));
  rig.at(1, true);
  std::string json = instants(R"({"actionType":"startPause","actionId":"p"})");
  json.replace(json.find("0001"), 4, "0002");
  rig.act_json(json);
  CHECK_FALSE(rig.vehicle.goal().hold);
  CHECK(rig.errors() == Texts{"validationError"});
  CHECK(rig.reference("serialNumber") == "0002");
  CHECK(rig.reference("topic") == "instantActions");
}

TEST_CASE("actions beside a malformed one are done, and those of a message that is refused are not") {
  Rig rig;
  const std::string request = R"({"actionType":"stateRequest","actionId":"s","blockingType":"NONE"})";
  rig.act_json(instants(R"({"actionType":"stateRequest"},)" + request));
  CHECK(rig.status("s") == "FINISHED");
  CHECK(rig.errors() == Texts{"validationError"});
  CHECK(rig.reference("field") == "actions[0].actionId");
  Rig other;
  other.act_json(instants(request, R"("instantActions":[],)"));
  CHECK(other.status("s") == "none");
  CHECK(other.errors() == Texts{"validationError"});
}

TEST_CASE("a cancelOrder that names another order cancels nothing") {
  Rig rig;
  rig.give(order("A", 0, 0, three));
  rig.at(1, true);
  Action cancel = action("cancelOrder", "c");
  cancel.parameters = {text("orderId", "B")};
  rig.act({cancel});
  CHECK(rig.status("c") == "FAILED");
  CHECK(rig.errors() == Texts{"noOrderToCancel"});
  CHECK_FALSE(rig.vehicle.goal().hold);
  cancel.id = "d";
  cancel.parameters = {text("orderId", "A")};
  rig.act({cancel});
  rig.at(1.2, false);
  CHECK(rig.status("d") == "FINISHED");
  CHECK(rig.nodes().empty());
}

TEST_CASE("a stopPause under an actionId that has ended resumes nothing and says so") {
  Rig rig;
  rig.give(order("A", 0, 0, three));
  rig.act({action("startPause", "p"), action("stopPause", "s")});
  rig.act({action("stopPause", "s")});  // sent again
  CHECK(rig.errors().empty());
  rig.act({action("startPause", "q")});
  rig.act({action("stopPause", "s")});
  CHECK(rig.vehicle.goal().hold);
  CHECK(rig.errors() == Texts{"instantActionError"});
  CHECK(rig.reference("actionId") == "s");
}

TEST_CASE("an old initPosition or stopPause that comes late does nothing after the next order has begun") {
  Rig rig;
  Action init = action("initPosition", "i", Blocking::none);
  init.parameters = {number("x", 3), number("y", 4), number("theta", 1.5), text("mapId", "hall")};
  rig.act({init, action("startPause", "p"), action("stopPause", "s")});
  REQUIRE(rig.truck.placed);
  rig.truck.placed.reset();
  rig.step(seen());
  rig.give(order("A", 0, 0, {{"a", 0}}));
  REQUIRE(rig.vehicle.idle());
  REQUIRE(rig.status("i") == "none");
  rig.act({init});
  CHECK_FALSE(rig.truck.placed);
  CHECK(rig.errors() == Texts{"instantActionError"});
  CHECK(rig.reference("actionId") == "i");
  rig.vehicle.hold();
  rig.act({action("stopPause", "s")});
  CHECK(rig.vehicle.goal().hold);
  CHECK(rig.errors() == Texts{"instantActionError", "instantActionError"});
  // So many are remembered, also of those that went for want of room.
  for (int i = 0; i < 190; ++i) rig.act({action("stateRequest", "r" + std::to_string(i))});
  rig.act({init});
  CHECK_FALSE(rig.truck.placed);
}

TEST_CASE("a foreign state on the topic connection is answered with ONLINE, at most once in 10 s") {
  Rig rig;
  rig.vehicle.online(rig.times());
  rig.take();
  const auto connections = [&] {
    rig.others.clear();
    rig.take();
    Texts states;
    for (const Outgoing& message : rig.others) {
      if (!message.topic.ends_with("/connection")) continue;
      CHECK(message.retain);
      CHECK(message.qos == 1);
      states.push_back(Json::parse(message.payload)["connectionState"]);
    }
    return states;
  };
  const auto said = [](const std::string& state) { return R"({"connectionState":")" + state + R"("})"; };
  rig.vehicle.receive_connection(said("ONLINE"), false);
  rig.vehicle.receive_connection(said("CONNECTIONBROKEN"), true);  // of before this connection
  CHECK(connections().empty());
  rig.vehicle.receive_connection(said("CONNECTIONBROKEN"), false);
  CHECK(connections() == Texts{"ONLINE"});
  rig.now += 9s;
  rig.vehicle.receive_connection(said("OFFLINE"), false);
  CHECK(connections().empty());
  rig.now += 1s;
  CHECK(connections() == Texts{"ONLINE"});
  rig.now += 20s;
  CHECK(connections().empty());
  rig.vehicle.receive_connection("garbage", false);
  CHECK(connections() == Texts{"ONLINE"});
}

TEST_CASE("what stops the vehicle is done again under an actionId that has ended") {
  Rig rig;
  rig.give(order("A", 0, 0, three));
  SUBCASE("startPause") {
    rig.act({action("startPause", "p"), action("stopPause", "s")});
    rig.at(1, true);
    CHECK_FALSE(rig.vehicle.goal().hold);
    rig.act({action("startPause", "p")});
    CHECK(rig.vehicle.goal().hold);
    rig.at(1.2, false);
    CHECK(rig.state["paused"] == true);
    CHECK(rig.state["actionStates"].size() == 2);
  }
  SUBCASE("cancelOrder") {
    rig.act({action("cancelOrder", "c")});
    rig.step();
    CHECK(rig.nodes().empty());
    rig.act({action("cancelOrder", "c")});  // there is nothing to cancel, and that is no error
    CHECK(rig.errors().empty());
    CHECK(rig.status("c") == "FINISHED");
  }
  SUBCASE("cancelOrder that came when there was nothing to cancel, and an update since") {
    rig.pass(5);
    rig.pass(10, false);
    rig.act({action("cancelOrder", "c")});
    CHECK(rig.status("c") == "FAILED");
    rig.give(order("A", 1, 4, {{"c", 10}, {"d", 15}}));
    REQUIRE(rig.nodes() == Texts{"d"});
    rig.act({action("cancelOrder", "c")});
    rig.step();
    CHECK(rig.nodes().empty());
  }
}

TEST_CASE("initPosition places a vehicle that stands without an order, and names its last node") {
  Rig rig;
  Action init = action("initPosition", "i", Blocking::none);
  init.parameters = {number("x", 3), number("y", 4), number("theta", 1.5), text("mapId", "hall"),
                     text("lastNodeId", "n7")};
  SUBCASE("standing") {
    rig.act({init});
    CHECK(rig.status("i") == "FINISHED");
    CHECK(rig.state["lastNodeId"] == "n7");
    REQUIRE(rig.truck.placed);
    CHECK(rig.truck.placed->x == 3);
    CHECK(rig.truck.placed->theta == 1.5);
  }
  SUBCASE("with an order") {
    rig.give(order("A", 0, 0, three));
    rig.act({init});
    CHECK(rig.errors() == Texts{"instantActionError"});
    CHECK_FALSE(rig.truck.placed);
  }
  SUBCASE("a map that is not there") {
    rig.truck.place_problem = "mapId: expected 'hall', got 'yard'";
    rig.act({init});
    CHECK(rig.errors() == Texts{"instantActionError"});
    CHECK(rig.status("i") == "none");
  }
  SUBCASE("without y") {
    init.parameters.erase(init.parameters.begin() + 1);
    rig.act({init});
    CHECK(rig.errors() == Texts{"instantActionError"});
    CHECK(rig.reference("actionParameters") == "y");
  }
}

TEST_CASE("instant actions: both keys are read, both at once are refused, unknown types are named") {
  Rig rig;
  const std::string body = R"("headerId":0,"timestamp":"2026-11-18T00:00:00Z","version":"2.0.0","manufacturer":"KIT",)"
                           R"("serialNumber":"0001",)";
  const auto list = [](const std::string& id) {
    return R"([{"actionType":"stateRequest","actionId":")" + id + R"(","blockingType":"NONE"}])";
  };
  rig.act_json("{" + body + R"("instantActions":)" + list("x") + "}");
  CHECK(rig.status("x") == "FINISHED");
  rig.act_json("{" + body + R"("actions":)" + list("y") + "}");
  CHECK(rig.status("y") == "FINISHED");
  rig.act_json("{" + body + R"("actions":)" + list("z") + R"(,"instantActions":)" + list("z") + "}");
  CHECK(rig.errors() == Texts{"validationError"});
  CHECK(rig.status("z") == "none");
  rig.act({action("fly", "f")});
  CHECK(rig.errors().back() == "instantActionError");
  CHECK(rig.reference("actionType") == "fly");
  CHECK(rig.reference("topic") == "instantActions");
}

TEST_CASE("a mode change clears the order at once: actions fail, ids stay, nothing continues it") {
  Rig rig;
  rig.give(order("A", 2, 0, {{"a", 0}, {"b", 5, true, {action("drop", "d")}}}));
  rig.at(1, true);
  Observation taken = seen(1, true);
  taken.mode = OperatingMode::manual;
  const auto states = rig.step(taken);
  REQUIRE(states.size() == 1);
  CHECK(rig.state["operatingMode"] == "MANUAL");
  CHECK(rig.nodes().empty());
  CHECK(rig.status("d") == "FAILED");
  CHECK(rig.state["orderId"] == "A");
  CHECK(rig.state["orderUpdateId"] == 2);
  rig.at(1, false);
  CHECK(rig.state["operatingMode"] == "AUTOMATIC");
  CHECK(rig.vehicle.goal().hold);
  rig.give(order("A", 3, 0, {{"a", 0}, {"b", 5}}));
  CHECK(rig.errors() == Texts{"orderUpdateError"});
  rig.give(order("B", 0, 0, {{"x", 1}, {"b", 5}}));
  CHECK(rig.nodes() == Texts{"b"});
}

TEST_CASE("a stop clears the order, and a cancelOrder that ran is finished by it") {
  Rig rig;
  rig.give(order("A", 0, 0, three));
  rig.at(1, true);
  rig.act({action("cancelOrder", "c")});
  Observation stopped = seen(1, true);
  stopped.mode = OperatingMode::manual;
  stopped.safety.e_stop = EStop::manual;
  stopped.errors = {{"stopLatched", ErrorLevel::fatal, "stop requested", "reset, then arm", {}}};
  rig.step(stopped);
  CHECK(rig.state["safetyState"]["eStop"] == "MANUAL");
  CHECK(rig.errors() == Texts{"stopLatched"});
  CHECK(rig.nodes().empty());
  stopped.driving = false;
  rig.step(stopped);
  CHECK(rig.status("c") == "FINISHED");
}

TEST_CASE("newBaseRequest is set only where a horizon follows") {
  Rig rig;
  rig.give(order("A", 0, 0, {{"a", 0}, {"b", 5}, {"c", 10, false}}));
  Observation ending = seen(4, true);
  ending.base_ends_soon = true;
  rig.step(ending);
  CHECK(rig.state["newBaseRequest"] == true);
  rig.give(order("A", 1, 2, {{"b", 5}, {"c", 10}}));
  rig.step(ending);
  CHECK(rig.state["newBaseRequest"] == false);
}

TEST_CASE("a state is sent on every change, once more after it, and then every 30 s") {
  VehicleOptions own = options();
  own.repeat_state = 2s;
  Rig rig(own);
  const auto sent_within = [&](Duration time) {
    std::size_t sent = 0;
    for (Duration passed{0}; passed < time; passed += 100ms) {
      rig.now += 100ms;
      sent += rig.step().size();
    }
    return sent;
  };
  CHECK(sent_within(1900ms) == 0);
  CHECK(sent_within(200ms) == 1);
  CHECK(sent_within(29s) == 0);
  CHECK(sent_within(60s) == 2);
  CHECK(rig.at(0.1, true).size() == 1);
  CHECK(rig.at(0.2, true).empty());  // the position alone is no reason
  Observation charging = seen(0.2, true);
  charging.battery.charging = true;
  CHECK(rig.step(charging).size() == 1);
  charging.loads = std::vector<Load>{{"l1", "EPAL", "", {}}};
  CHECK(rig.step(charging).size() == 1);
  charging.errors = {{"feedbackStale", ErrorLevel::warning, "", "", {}}};
  CHECK(rig.step(charging).size() == 1);
}

TEST_CASE(
    "connection: headerIds go up over wills and births, QoS 1 and retained; ONLINE comes with a state and a "
    "factsheet") {
  Rig rig;
  const Outgoing will = rig.vehicle.will(rig.times());
  const Outgoing online = rig.vehicle.online(rig.times());
  const Outgoing offline = rig.vehicle.offline(rig.times());
  int header_id = 0;
  for (const Outgoing& message : {will, online, offline}) {
    CHECK(message.topic == "uagv/v2/KIT/0001/connection");
    CHECK(message.qos == 1);
    CHECK(message.retain);
    CHECK(Json::parse(message.payload)["headerId"] == header_id++);
  }
  CHECK(Json::parse(will.payload)["connectionState"] == "CONNECTIONBROKEN");
  CHECK(Json::parse(online.payload)["connectionState"] == "ONLINE");
  CHECK(Json::parse(offline.payload)["connectionState"] == "OFFLINE");
  rig.others.clear();
  CHECK(rig.take().size() == 1);
  REQUIRE(rig.others.size() == 1);
  CHECK(rig.others[0].topic == "uagv/v2/KIT/0001/factsheet");
  CHECK(rig.others[0].retain);
  CHECK(rig.others[0].qos == 0);
  CHECK(rig.vehicle.subscriptions() == Texts{"uagv/v2/KIT/0001/order", "uagv/v2/KIT/0001/instantActions"});
}

TEST_CASE("factsheetRequest and stateRequest are answered at once") {
  Rig rig;
  rig.others.clear();
  CHECK(rig.act({action("factsheetRequest", "f", Blocking::none)}).size() == 1);
  REQUIRE(rig.others.size() == 1);
  CHECK(rig.others[0].topic.ends_with("/factsheet"));
  CHECK(rig.status("f") == "FINISHED");
  CHECK(rig.act({action("stateRequest", "s", Blocking::none)}).size() == 1);
  CHECK(rig.status("s") == "FINISHED");
}

TEST_CASE("actions of the horizon are listed, and go with it") {
  Rig rig;
  rig.give(order("A", 0, 0, {{"a", 0}, {"b", 5}, {"c", 10, false, {action("drop", "old")}}}));
  CHECK(rig.status("old") == "WAITING");
  rig.give(order("A", 1, 2, {{"b", 5}, {"d", 10, false, {action("drop", "new")}}}));
  CHECK(rig.status("old") == "none");
  CHECK(rig.status("new") == "WAITING");
  rig.give(order("A", 2, 2, {{"b", 5}, {"d", 10, true, {action("drop", "new")}}}));
  CHECK(rig.errors().empty());
  CHECK(rig.status("new") == "WAITING");
}

TEST_CASE("a new order keeps instant actions that still run, and drops those that have ended") {
  Rig rig;
  rig.act({action("stateRequest", "s")});
  rig.give(order("A", 0, 0, three));
  CHECK(rig.status("s") == "none");
}

}  // namespace
}  // namespace tandem::vda5050::test
