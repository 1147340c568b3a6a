// SPDX-License-Identifier: Apache-2.0
// Every test an order must pass, in the order of VDA 5050 2.1 figure 8: one case or more for each row of acceptance.
#include "tests/protocols/vda5050/rig.hpp"

namespace tandem::vda5050::test {
namespace {

// The order is refused with this error, and nothing of it is taken over.
void check_refused(Rig& rig, const Order& wanted, const std::string& type) {
  const Json before = rig.state;
  const int adopted = rig.truck.adopted;
  const auto states = rig.give(wanted);
  REQUIRE(states.size() == 1);
  REQUIRE(!rig.errors().empty());
  CHECK(rig.errors().back() == type);
  CHECK(rig.reference("topic") == "order");
  CHECK(rig.reference("headerId") == std::to_string(wanted.header.header_id));
  CHECK(rig.reference("orderId") == wanted.id);
  CHECK(rig.reference("orderUpdateId") == std::to_string(wanted.update));
  for (const char* field :
       {"orderId", "orderUpdateId", "lastNodeId", "lastNodeSequenceId", "nodeStates", "edgeStates", "actionStates"})
    CHECK(rig.state[field] == before[field]);
  CHECK(rig.truck.adopted == adopted);
}

TEST_CASE("row 1: an order whose nodes and edges do not join is a validationError") {
  Rig rig;
  SUBCASE("no node") {
    Order wrong = order("A", 0, 0, three);
    wrong.nodes.clear();
    wrong.edges.clear();
    check_refused(rig, wrong, "validationError");
  }
  SUBCASE("one edge too few") {
    Order wrong = order("A", 0, 0, three);
    wrong.edges.pop_back();
    check_refused(rig, wrong, "validationError");
  }
  SUBCASE("one edge too many") {
    Order wrong = order("A", 0, 0, three);
    wrong.edges.push_back(wrong.edges.back());
    check_refused(rig, wrong, "validationError");
  }
  SUBCASE("the first node is not released") {
    Order wrong = order("A", 0, 0, three);
    for (Node& node : wrong.nodes) node.released = false;
    for (Edge& edge : wrong.edges) edge.released = false;
    check_refused(rig, wrong, "validationError");
    CHECK(rig.reference("nodeId") == "a");
  }
  SUBCASE("a released node behind an unreleased one") {
    Order wrong = order("A", 0, 0, {{"a", 0}, {"b", 5, false}, {"c", 10, true}});
    wrong.edges[1].released = true;
    check_refused(rig, wrong, "validationError");
  }
  SUBCASE("a released edge to an unreleased node") {
    Order wrong = order("A", 0, 0, {{"a", 0}, {"b", 5}, {"c", 10, false}});
    wrong.edges[1].released = true;
    check_refused(rig, wrong, "validationError");
    CHECK(rig.reference("edgeId") == "b_c");
  }
  SUBCASE("a gap between sequence ids of nodes") {
    Order wrong = order("A", 0, 0, three);
    wrong.nodes[2].sequence = 6;
    check_refused(rig, wrong, "validationError");
    CHECK(rig.reference("nodeId") == "c");
  }
  SUBCASE("an edge with a node's number") {
    Order wrong = order("A", 0, 0, three);
    wrong.edges[0].sequence = 2;
    check_refused(rig, wrong, "validationError");
  }
  SUBCASE("a first node with an odd number") { check_refused(rig, order("A", 0, 1, three), "validationError"); }
  SUBCASE("a new order that does not count from 0") { check_refused(rig, order("A", 0, 2, three), "validationError"); }
  SUBCASE("an edge that starts elsewhere") {
    Order wrong = order("A", 0, 0, three);
    wrong.edges[1].start_node = "a";
    check_refused(rig, wrong, "validationError");
  }
  SUBCASE("an edge that ends elsewhere") {
    Order wrong = order("A", 0, 0, three);
    wrong.edges[1].end_node = "a";
    check_refused(rig, wrong, "validationError");
  }
  SUBCASE("an actionId twice") {
    check_refused(rig, order("A", 0, 0, {{"a", 0, true, {action("beep", "x")}}, {"b", 5, true, {action("beep", "x")}}}),
                  "validationError");
    CHECK(rig.reference("actionId") == "x");
  }
}

TEST_CASE("row 1: sequence ids near the end of 32 bits do not wrap around") {
  Rig rig;
  Order wrong = order("A", 0, 4294967294u, {{"a", 0}, {"b", 5}});
  wrong.edges[0].sequence = 4294967295u;
  wrong.nodes[1].sequence = 0;
  check_refused(rig, wrong, "validationError");
}

TEST_CASE("row 2: an action that the factsheet does not list is an orderError that names it") {
  Rig rig;
  SUBCASE("unknown") {
    check_refused(rig, order("A", 0, 0, {{"a", 0, true, {action("fly", "f1")}}}), "orderError");
    CHECK(rig.reference("actionId") == "f1");
    CHECK(rig.reference("actionType") == "fly");
    CHECK(rig.reference("nodeId") == "a");
  }
  SUBCASE("known, but not on edges") {
    Order wrong = order("A", 0, 0, three);
    wrong.edges[0].actions = {action("drop", "d1")};
    check_refused(rig, wrong, "orderError");
    CHECK(rig.reference("edgeId") == "a_b");
  }
  SUBCASE("known, but only as an instant action") {
    check_refused(rig, order("A", 0, 0, {{"a", 0, true, {action("cancelOrder", "c")}}}), "orderError");
  }
  SUBCASE("with an unknown parameter") {
    Action pick = action("pick", "p");
    pick.parameters = {{"wings", {}}};
    check_refused(rig, order("A", 0, 0, {{"a", 0, true, {pick}}}), "orderError");
    CHECK(rig.reference("actionParameters") == "wings");
  }
  SUBCASE("with a parameter of another type") {
    Action pick = action("pick", "p");
    pick.parameters = {{"loadType", {Value::Kind::number, 3, false, ""}}};
    check_refused(rig, order("A", 0, 0, {{"a", 0, true, {pick}}}), "orderError");
    CHECK(rig.reference("actionParameters") == "loadType");
  }
}

TEST_CASE("row 2: what the vehicle itself cannot obey is refused with its own words") {
  Rig rig;
  const Order wanted = order("A", 0, 0, three);
  rig.truck.check_problem = Problem{"orderError",
                                    ErrorLevel::warning,
                                    "zoneSetId: not supported",
                                    "",
                                    {{"topic", "order"},
                                     {"headerId", std::to_string(wanted.header.header_id)},
                                     {"orderId", "A"},
                                     {"orderUpdateId", "0"},
                                     {"zoneSetId", "z"}}};
  check_refused(rig, wanted, "orderError");
  CHECK(rig.description() == "zoneSetId: not supported");
  CHECK(rig.reference("zoneSetId") == "z");
}

TEST_CASE("row 3: a vehicle that is not available says by which reference") {
  Rig rig;
  SUBCASE("manual") {
    Observation manual = seen();
    manual.mode = OperatingMode::manual;
    rig.step(manual);
    check_refused(rig, order("A", 0, 0, three), "orderError");
    CHECK(rig.reference("operatingMode") == "MANUAL");
  }
  SUBCASE("stopped") {
    Observation stopped = seen();
    stopped.safety.e_stop = EStop::manual;
    rig.step(stopped);
    check_refused(rig, order("A", 0, 0, three), "orderError");
    CHECK(rig.reference("eStop") == "MANUAL");
  }
  SUBCASE("charging") {
    Observation charging = seen();
    charging.battery.charging = true;
    rig.step(charging);
    check_refused(rig, order("A", 0, 0, three), "orderError");
    CHECK(rig.reference("charging") == "true");
  }
  SUBCASE("without a position") {
    Observation lost = seen();
    lost.position->initialized = false;
    rig.step(lost);
    check_refused(rig, order("A", 0, 0, three), "orderError");
    CHECK(rig.reference("positionInitialized") == "false");
  }
  SUBCASE("cancelling") {
    rig.give(order("A", 0, 0, three));
    rig.at(1, true);
    rig.act({action("cancelOrder", "c0")});
    check_refused(rig, order("B", 0, 0, three), "orderError");
    CHECK(rig.reference("cancelOrder") == "RUNNING");
  }
}

TEST_CASE("row 4: a new order is refused while another one is active, even with only its horizon left") {
  Rig rig;
  rig.give(order("A", 0, 0, {{"a", 0}, {"b", 5}, {"c", 10, false}}));
  SUBCASE("driving") { rig.at(1, true); }
  SUBCASE("only the horizon left") {
    rig.at(1, true);
    rig.pass(5, false);
    CHECK(rig.nodes() == Texts{"c?"});
  }
  check_refused(rig, order("B", 0, 0, {{"b", 5}, {"c", 10}}), "orderError");
  CHECK(rig.state["orderId"] == "A");
}

TEST_CASE("row 4: a new order is refused until the last action of the present one has ended") {
  Rig rig;
  rig.give(order("A", 0, 0, {{"a", 0, true, {action("beep", "x")}}}));
  rig.step();
  CHECK(rig.nodes().empty());
  check_refused(rig, order("B", 0, 0, {{"a", 0}}), "orderError");
  rig.truck.reports["x"].status = ActionStatus::finished;
  rig.step();
  rig.give(order("B", 0, 0, {{"a", 0}}));
  CHECK(rig.state["orderId"] == "B");
  CHECK(rig.errors().empty());
}

TEST_CASE("row 5: a new order begins where the vehicle is") {
  Rig rig;
  Order wanted = order("A", 0, 0, three);
  SUBCASE("too far, by its own deviation") {
    rig.at(0.31, false);
    check_refused(rig, wanted, "noRouteError");
    CHECK(rig.reference("nodeId") == "a");
    CHECK(rig.reference("nodePosition.allowedDeviationXy") == "0.3");
    return;
  }
  SUBCASE("too far, by the vehicle's tolerance") {
    wanted.nodes[0].position->deviation = 0;
    rig.at(0.31, false);
    return check_refused(rig, wanted, "noRouteError");
  }
  SUBCASE("turned away") {
    wanted.nodes[0].position->theta = 1;
    wanted.nodes[0].position->theta_deviation = 0.5;
    return check_refused(rig, wanted, "noRouteError");
  }
  SUBCASE("a wide deviation reaches it") {
    wanted.nodes[0].position->deviation = 3;
    rig.at(2.9, false);
  }
  SUBCASE("a heading a full turn away is the same") {
    Observation turned = seen();
    turned.position->theta = -3.1;
    rig.step(turned);
    wanted.nodes[0].position->theta = 3.1;
    wanted.nodes[0].position->theta_deviation = 0.1;
  }
  rig.give(wanted);
  CHECK(rig.errors().empty());
  CHECK(rig.state["orderId"] == "A");
}

TEST_CASE("row 6: a lower orderUpdateId is an orderUpdateError, and the vehicle goes on") {
  Rig rig;
  rig.give(order("A", 3, 0, three));
  rig.at(1, true);
  check_refused(rig, order("A", 2, 0, three), "orderUpdateError");
  CHECK(rig.nodes() == Texts{"b", "c"});
  CHECK_FALSE(rig.vehicle.goal().hold);
}

TEST_CASE("row 7: a repeated order is no error, changes nothing and is answered at once") {
  Rig rig;
  rig.give(order("A", 0, 0, three));
  rig.at(1, true);
  const auto states = rig.give(order("A", 0, 0, {{"x", 0}, {"y", 3}}));
  REQUIRE(states.size() == 1);
  CHECK(rig.errors().empty());
  CHECK(rig.nodes() == Texts{"b", "c"});
  CHECK(rig.truck.adopted == 1);
}

TEST_CASE("row 8: an update of a busy vehicle begins at the end of the base") {
  Rig rig;
  rig.give(order("A", 0, 0, {{"a", 0}, {"b", 5}, {"c", 10}, {"d", 15, false}}));
  rig.at(1, true);
  SUBCASE("another node") {
    check_refused(rig, order("A", 1, 4, {{"b", 5}, {"d", 15}}), "orderUpdateError");
    CHECK(rig.reference("nodeId") == "b");
  }
  SUBCASE("another number") { check_refused(rig, order("A", 1, 2, {{"c", 10}, {"d", 15}}), "orderUpdateError"); }
  SUBCASE("the end of the horizon") { check_refused(rig, order("A", 1, 6, {{"d", 15}}), "orderUpdateError"); }
  SUBCASE("an action that is already known") {
    rig.give(order("A", 1, 4, {{"c", 10}, {"d", 15, true, {action("beep", "x")}}}));
    check_refused(rig, order("A", 2, 6, {{"d", 15}, {"e", 20, true, {action("beep", "x")}}}), "validationError");
    CHECK(rig.reference("actionId") == "x");
  }
  SUBCASE("fits: the horizon is replaced") {
    rig.give(order("A", 1, 4, {{"c", 10}, {"e", 20}, {"f", 25, false}}));
    CHECK(rig.errors().empty());
    CHECK(rig.state["orderUpdateId"] == 1);
    CHECK(rig.nodes() == Texts{"b", "c", "e", "f?"});
    CHECK(rig.state["edgeStates"].size() == 4);
    CHECK(rig.state["edgeStates"][2]["edgeId"] == "c_e");
  }
  SUBCASE("fits: only the horizon goes") {
    rig.give(order("A", 1, 4, {{"c", 10}}));
    CHECK(rig.nodes() == Texts{"b", "c"});
    CHECK(rig.state["edgeStates"].size() == 2);
  }
}

TEST_CASE("row 8: the first version of the node where an update begins counts") {
  Rig rig;
  rig.give(order("A", 0, 0, {{"a", 0}, {"b", 5}, {"c", 10, false}}));
  rig.at(1, true);
  rig.give(order("A", 1, 2, {{"b", 99, true, {action("beep", "x")}}, {"c", 10}}));
  CHECK(rig.errors().empty());
  CHECK(rig.status("x") == "none");
  CHECK(rig.state["nodeStates"][0]["nodePosition"]["x"] == 5);
}

TEST_CASE("row 9: an update of an idle vehicle begins at its last node") {
  Rig rig;
  rig.give(order("A", 0, 0, {{"a", 0}, {"b", 5}}));
  rig.at(1, true);
  rig.pass(5, false);
  SUBCASE("another node") { check_refused(rig, order("A", 1, 2, {{"c", 5}, {"d", 10}}), "orderUpdateError"); }
  SUBCASE("another number") { check_refused(rig, order("A", 1, 4, {{"b", 5}, {"d", 10}}), "orderUpdateError"); }
  SUBCASE("fits, and new actions at the node are done") {
    rig.give(order("A", 1, 2, {{"b", 5, true, {action("beep", "x")}}, {"c", 10}}));
    CHECK(rig.errors().empty());
    CHECK(rig.nodes() == Texts{"c"});
    CHECK(rig.status("x") == "WAITING");
    rig.step();
    CHECK(rig.status("x") == "RUNNING");
    CHECK(rig.vehicle.goal().hold);
  }
}

TEST_CASE("an order that cannot be driven is refused after all other tests") {
  Rig rig;
  const Order wanted = order("A", 0, 0, three);
  rig.truck.plan_problem = Problem{"orderError",
                                   ErrorLevel::warning,
                                   "leg 1: too tight",
                                   "",
                                   {{"topic", "order"},
                                    {"headerId", std::to_string(wanted.header.header_id)},
                                    {"orderId", "A"},
                                    {"orderUpdateId", "0"}}};
  check_refused(rig, wanted, "orderError");
  Observation manual = seen();
  manual.mode = OperatingMode::manual;
  rig.step(manual);
  rig.give(wanted);
  CHECK(rig.truck.planned == 1);
  CHECK(rig.reference("operatingMode") == "MANUAL");
}

TEST_CASE("an order that was cancelled cannot be continued by an update, only replaced") {
  Rig rig;
  rig.give(order("A", 0, 0, three));
  rig.at(1, true);
  rig.pass(5);
  rig.act({action("cancelOrder", "c0")});
  rig.at(5.2, false);
  CHECK(rig.status("c0") == "FINISHED");
  check_refused(rig, order("A", 1, 2, {{"b", 5}, {"c", 10}}), "orderUpdateError");
  rig.give(order("B", 0, 0, {{"b", 5}, {"c", 10}}));
  CHECK(rig.errors().empty());
  CHECK(rig.nodes() == Texts{"c"});
}

TEST_CASE("rejections pile up to a bound and go with the next order that is accepted") {
  Rig rig;
  for (int i = 0; i < 100; ++i) rig.give_json("{");
  CHECK(rig.errors().size() == 32);
  CHECK(rig.vehicle.refused() == 100);
  rig.give(order("A", 0, 0, three));
  CHECK(rig.errors().empty());
}

TEST_CASE("an order for another vehicle is refused, and so is one of version 3") {
  Rig rig;
  const std::string good = rig.json_of(order("A", 0, 0, three));
  const auto with = [&](const std::string& from, const std::string& to) {
    std::string text = good;
    text.replace(text.find(from), from.size(), to);
    return text;
  };
  rig.give_json(with("\"0001\"", "\"0002\""));
  CHECK(rig.errors() == Texts{"validationError"});
  CHECK(rig.reference("serialNumber") == "0002");
  CHECK(rig.reference("orderId") == "A");
  CHECK(rig.reference("orderUpdateId") == "0");
  CHECK(rig.reference("topic") == "order");
  rig.give_json(with("\"KIT\"", "\"other\""));
  CHECK(rig.reference("manufacturer") == "other");
  rig.give_json(with("\"2.1.0\"", "\"3.0.0\""));
  CHECK(rig.description() == "version: expected 2.x, got \"3.0.0\"");
  CHECK(rig.state["orderId"] == "");
  rig.give_json(with("\"2.1.0\"", "\"2.0.0\""));
  CHECK(rig.state["orderId"] == "A");
}

TEST_CASE("retained orders and instant actions are not obeyed; one error for each topic says so") {
  Rig rig;
  for (int i = 0; i < 3; ++i) {
    rig.give_json(rig.json_of(order("A", 0, 0, three)), true);
    rig.act_json(R"({"headerId": 0})", true);
  }
  CHECK(rig.vehicle.idle());
  CHECK(rig.vehicle.refused() == 6);
  CHECK(rig.errors() == Texts{"messageDropped", "messageDropped"});
  CHECK(rig.reference("topic") == "instantActions");
  CHECK(rig.reference("orderId") == "none");
  rig.give(order("A", 0, 0, three));
  CHECK(rig.errors().empty());
}

TEST_CASE("messages that were lost before they were read are an error with their number") {
  Rig rig;
  rig.vehicle.note_lost("order", 0);
  CHECK(rig.step().empty());
  rig.vehicle.note_lost("order", 3);
  rig.step();
  CHECK(rig.errors() == Texts{"messageDropped"});
  CHECK(rig.reference("topic") == "order");
  CHECK(rig.description().find("3 messages") != std::string::npos);
}

TEST_CASE("an order of another time is carried out with a warning") {
  Rig rig;
  Order wanted = order("A", 0, 0, three);
  const auto sent_at = [&](Duration later) {
    return write_order(rig.own.identity, {0, rig.times().utc + later}, wanted);
  };
  SUBCASE("old") { rig.give_json(sent_at(-61s)); }
  SUBCASE("from the future") { rig.give_json(sent_at(61s)); }
  SUBCASE("unreadable") {
    std::string text = sent_at(0s);
    text.replace(text.find("\"timestamp\":\"") + 13, 4, "soon");
    rig.give_json(text);
  }
  CHECK(rig.errors() == Texts{"clockDifference"});
  // With these a master takes the error for a refusal of its order.
  CHECK(rig.reference("topic") == "order");
  CHECK(rig.reference("orderId") == "none");
  CHECK(rig.reference("orderUpdateId") == "none");
  CHECK(rig.description().starts_with("order 'A', update 0: "));
  CHECK(rig.state["orderId"] == "A");
  CHECK(rig.state["errors"][0]["errorLevel"] == "WARNING");
}

}  // namespace
}  // namespace tandem::vda5050::test
