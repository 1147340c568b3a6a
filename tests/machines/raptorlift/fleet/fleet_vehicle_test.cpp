// SPDX-License-Identifier: Apache-2.0
// The truck as a vehicle of a fleet, on a real broker, with physics: orders, the arm latch, and the faults of masters
// and brokers. Where the truck is, the physics says.
#include <cmath>
#include <stdexcept>

#include "tandem/machines/raptorlift/fleet/thread.hpp"
#include "tandem/ros2/calls/service.hpp"
#include "tandem/ros2/messages/std_srvs.hpp"
#include "tests/machines/raptorlift/fleet/fleet_rig.hpp"
#include "tests/ros2/loopback.hpp"

namespace tandem::raptorlift::rig {
namespace {

const std::vector<Stop> ahead = {{"n0", 0, 0}, {"n1", 3, 0}};
const std::vector<Stop> with_horizon = {{"n0", 0, 0}, {"n1", 3, 0}, {"n2", 9, 0, false}};

bool ended(const Json& state) { return state["nodeStates"].empty() && !state["driving"].get<bool>(); }

TEST_CASE("an order is driven to its last node, and the states tell of every node once") {
  FleetRig rig;
  REQUIRE(rig.ready());
  rig.give(rig.order("A", 0, 0, {{"n0", 0, 0}, {"n1", 4, 0}, {"n2", 4, 4}}));
  REQUIRE(rig.eventually_state([](const Json& state) { return state["lastNodeId"] == "n2" && ended(state); }));
  CHECK(rig.stands());
  CHECK(std::abs(rig.truth().x - 4) < 0.15);
  CHECK(std::abs(rig.truth().y - 4) < 0.15);
  std::vector<std::string> nodes;
  int header_id = -1;
  for (const Json& state : rig.heard("state")) {
    const std::string last = state["lastNodeId"];
    if (state["orderId"] == "A" && (nodes.empty() || nodes.back() != last)) nodes.push_back(last);
    const int number = state["headerId"];
    CHECK(number > header_id);
    header_id = number;
  }
  CHECK(nodes == std::vector<std::string>{"n0", "n1", "n2"});
  Json far = rig.order("far", 0, 0, {{"x", 500, 0}});
  rig.give(far);
  REQUIRE(eventually([&] { return rig.has_error("noRouteError"); }));
  const auto metric = [&](std::string_view name, std::string_view result) {
    for (const auto& each : rig.link->bridge->metrics())
      if (each.name == name && (result.empty() || each.labels.at(0).second == result)) return each.value;
    return -1.0;
  };
  CHECK(eventually([&] { return metric("tandem_vda5050_orders_total", "refused") == 1; }));
  CHECK(metric("tandem_vda5050_orders_total", "accepted") == 1);
  CHECK(metric("tandem_vda5050_connected", "") == 1);
  CHECK(metric("tandem_vda5050_dropped_total", "") == 0);
  rig.broker.kill();
  CHECK(eventually([&] { return metric("tandem_vda5050_connected", "") == 0; }));
  rig.broker.start();
}

TEST_CASE("the truck stops at the decision point, and an update drives it on") {
  FleetRig rig;
  REQUIRE(rig.ready());
  rig.give(rig.order("A", 0, 0, with_horizon));
  REQUIRE(rig.eventually_state(
      [](const Json& state) { return state["lastNodeId"] == "n1" && !state["driving"].get<bool>(); }));
  CHECK(rig.stands());
  CHECK(std::abs(rig.truth().x - 3) < 0.1);
  CHECK(rig.state()["nodeStates"].size() == 1);
  rig.give(rig.order("A", 1, 2, {{"n1", 3, 0}, {"n2", 6, 0}}));
  REQUIRE(rig.eventually_state([](const Json& state) { return state["lastNodeId"] == "n2" && ended(state); }));
  CHECK(std::abs(rig.truth().x - 6) < 0.1);
}

TEST_CASE("disarmed means MANUAL and orders are refused, not kept; MQTT never arms") {
  FleetRig rig;
  REQUIRE(rig.ready());
  rig.link->disarm();
  REQUIRE(eventually([&] { return rig.mode_is("MANUAL"); }));
  rig.give(rig.order("A", 0, 0, ahead));
  REQUIRE(eventually([&] { return rig.has_error("orderError"); }));
  CHECK_FALSE(rig.link->armed());
  REQUIRE(rig.link->arm());
  REQUIRE(eventually([&] { return rig.mode_is("AUTOMATIC"); }));
  pass(500ms);
  CHECK(rig.state()["orderId"] == "");
  CHECK(std::abs(rig.truth().x) < 0.05);
}

// Keeps the fleet's thread busy, as long planning does.
class Busy final : public fleet::Served {
 public:
  Busy() {
    thread_->add(*this);
    CHECK(eventually([&] { return serving_.load(); }));
  }
  ~Busy() override { end(); }
  void end() {
    if (ended_.exchange(true)) return;
    thread_->remove(*this);
  }

 private:
  void failed(std::string_view) override {}
  void serve() override {
    serving_ = true;
    while (!ended_) pass(1ms);
  }
  const std::shared_ptr<fleet::FleetThread> thread_ = fleet::FleetThread::shared();
  std::atomic<bool> serving_{false}, ended_{false};
};

TEST_CASE("an order that came before the last arm is refused, though it is looked at after it") {
  FleetRig rig;
  REQUIRE(rig.ready());
  Busy busy;
  const auto give = [&] {
    rig.give(rig.order("A", 0, 0, ahead));
    pass(300ms);  // to the truck's client
  };
  SUBCASE("while disarmed") {
    rig.link->disarm();
    REQUIRE(eventually([&] { return rig.link->state().activity == Activity::idle; }));
    give();
  }
  SUBCASE("while armed, with a disarm since") {
    give();
    rig.link->disarm();
    REQUIRE(eventually([&] { return rig.link->state().activity == Activity::idle; }));
  }
  REQUIRE(rig.link->arm());
  busy.end();
  REQUIRE(eventually([&] { return rig.has_error("orderError"); }));
  CHECK(rig.state()["errors"][0]["errorReferences"].dump().find("operatingMode") != std::string::npos);
  pass(500ms);
  CHECK(rig.state()["orderId"] == "");
  CHECK(std::abs(rig.truth().x) < 0.05);
}

TEST_CASE("a startPause behind more orders than are kept stops the truck, and the lost ones are an error") {
  FleetRig rig;
  REQUIRE(rig.ready());
  rig.give(rig.order("A", 0, 0, {{"n0", 0, 0}, {"n1", 30, 0}}));
  REQUIRE(eventually([&] { return rig.truth().x > 0.3; }));
  {
    Busy busy;
    for (int i = 0; i < 100; ++i) rig.give(rig.order("B", 0, 0, ahead));
    int sent = 1;
    SUBCASE("one") {}
    SUBCASE("more than are kept of those as well") { sent = 100; }
    for (int i = 0; i < sent; ++i) rig.act("startPause", "p" + std::to_string(i));
    pass(500ms);  // to the truck's client
  }
  REQUIRE(rig.eventually_state([](const Json& state) { return state["paused"] == true; }));
  CHECK(rig.stands());
  CHECK(rig.has_error("messageDropped"));
  CHECK(rig.truth().x < 10);
}

TEST_CASE("waitForTrigger at a node ends with a person's confirmation; NONE drives on meanwhile, SOFT and HARD wait") {
  ros2::Context context{ros2::loopback_options()};
  FleetRig rig({}, &context);
  ros2::Node peer(context, "person");
  ros2::Client<ros2::std_srvs::Trigger> confirm(peer, "/ackermann_steering_controller/confirm");
  REQUIRE(rig.ready());
  REQUIRE(confirm.wait_for_server(20s));
  const auto confirms = [&] {
    const auto answer = confirm.call({}, {.timeout = 10s});
    REQUIRE(answer);
    return answer->success;
  };
  CHECK_FALSE(confirms());  // before an order, and it does not count for a later one
  std::string blocking;
  SUBCASE("NONE") { blocking = "NONE"; }
  SUBCASE("SOFT") { blocking = "SOFT"; }
  SUBCASE("HARD") { blocking = "HARD"; }
  Json order = rig.order("A", 0, 0, {{"n0", 0, 0}, {"n1", 2, 0}, {"n2", 4, 0}});
  order["nodes"][1]["actions"] = Json::array({{{"actionType", "waitForTrigger"},
                                               {"actionId", "w"},
                                               {"blockingType", blocking},
                                               {"actionParameters", Json::array()}}});
  rig.give(order);
  REQUIRE(eventually([&] { return rig.status("w") == "RUNNING"; }, 60s));
  if (blocking == "NONE") {
    REQUIRE(rig.eventually_state([](const Json& state) { return state["lastNodeId"] == "n2" && ended(state); }));
    CHECK(std::abs(rig.truth().x - 4) < 0.15);
  } else {
    CHECK(rig.stands());
    pass(1s);
    CHECK(std::abs(rig.truth().x - 2) < 0.15);
    CHECK(rig.state()["nodeStates"].size() == 1);
  }
  CHECK(rig.status("w") == "RUNNING");
  CHECK(confirms());
  REQUIRE(eventually([&] { return rig.status("w") == "FINISHED"; }));
  REQUIRE(rig.eventually_state([](const Json& state) { return state["lastNodeId"] == "n2" && ended(state); }));
  CHECK(std::abs(rig.truth().x - 4) < 0.15);
  CHECK_FALSE(confirms());
}

TEST_CASE("a waitForTrigger that is cancelled waits for nothing; without ROS it is refused") {
  ros2::Context context{ros2::loopback_options()};
  bool with_ros = true;
  SUBCASE("cancelled") {}
  SUBCASE("without ROS") { with_ros = false; }
  FleetRig rig({}, with_ros ? &context : nullptr);
  REQUIRE(rig.ready());
  Json order = rig.order("A", 0, 0, ahead);
  order["nodes"][0]["actions"] =
      Json::array({{{"actionType", "waitForTrigger"}, {"actionId", "w"}, {"blockingType", "HARD"}}});
  rig.give(order);
  if (!with_ros) {
    REQUIRE(eventually([&] { return rig.has_error("orderError"); }));
    CHECK(rig.state()["orderId"] == "");
    return;
  }
  REQUIRE(eventually([&] { return rig.status("w") == "RUNNING"; }));
  rig.act("cancelOrder", "c");
  REQUIRE(eventually([&] { return rig.status("c") == "FINISHED"; }));
  CHECK(rig.status("w") == "FAILED");
  CHECK(std::abs(rig.truth().x) < 0.05);
}

TEST_CASE("another's CONNECTIONBROKEN on the truck's topic is answered with ONLINE") {
  FleetRig rig;
  REQUIRE(rig.ready());
  const auto online = [&] { return rig.heard("connection").back()["connectionState"] == "ONLINE"; };
  REQUIRE(eventually(online));
  const std::size_t before = rig.heard("connection").size();
  rig.send("connection", R"({"connectionState":"CONNECTIONBROKEN"})", true);
  REQUIRE(eventually([&] { return rig.heard("connection").size() > before + 1 && online(); }));
  pass(500ms);
  CHECK(rig.heard("connection").size() == before + 2);
}

TEST_CASE("an exception in the service of one vehicle reaches that one, and the others are served on") {
  struct Throws final : fleet::Served {
    void serve() override { throw std::runtime_error("no"); }
    void failed(std::string_view why) override { told = why == "no"; }
    std::atomic<bool> told{false};
  };
  FleetRig rig;
  Throws throws;
  const auto thread = fleet::FleetThread::shared();
  thread->add(throws);
  CHECK(eventually([&] { return throws.told.load(); }));
  CHECK(rig.ready());
  thread->remove(throws);
}

TEST_CASE("a latched stop is eStop MANUAL with a FATAL error, clears the order, and no message resets it") {
  FleetRig rig;
  REQUIRE(rig.ready());
  rig.give(rig.order("A", 0, 0, {{"n0", 0, 0}, {"n1", 20, 0}}));
  REQUIRE(eventually([&] { return rig.truth().x > 0.3; }));
  rig.link->stop();
  REQUIRE(rig.eventually_state([](const Json& state) {
    return state["safetyState"]["eStop"] == "MANUAL" && state["operatingMode"] == "MANUAL" &&
           state["nodeStates"].empty();
  }));
  CHECK(rig.has_error("stopLatched"));
  CHECK(rig.stands());
  const double x = rig.truth().x;
  rig.act("stopPause", "s");
  rig.act("cancelOrder", "c");
  rig.give(rig.order("B", 0, 0, {{"here", x, 0}, {"n1", 20, 0}}));
  REQUIRE(eventually([&] { return rig.has_error("orderError"); }));
  CHECK(rig.link->stopped());
  REQUIRE(rig.link->arm());  // resets, at the truck
  REQUIRE(rig.eventually_state([](const Json& state) { return state["safetyState"]["eStop"] == "NONE"; }));
  pass(500ms);
  CHECK(std::abs(rig.truth().x - x) < 0.05);
}

TEST_CASE("a key that drives takes the truck from the fleet: MANUAL, and the order is gone") {
  FleetRig rig;
  REQUIRE(rig.ready());
  rig.give(rig.order("A", 0, 0, {{"n0", 0, 0}, {"n1", 20, 0}}));
  REQUIRE(eventually([&] { return rig.truth().x > 0.3; }));
  for (int i = 0; i < 20; ++i, pass(20ms)) rig.link->bridge->commands().post(VelocityInput::key, {{0.1, 0}, now()});
  REQUIRE(rig.eventually_state([](const Json& state) { return state["nodeStates"].empty(); }));
  REQUIRE(eventually([&] { return rig.mode_is("AUTOMATIC"); }));
  CHECK(rig.stands());
  CHECK(rig.truth().x < 10);
  bool manual = false;
  for (const Json& state : rig.heard("state"))
    manual = manual || (state["orderId"] == "A" && state["operatingMode"] == "MANUAL");
  CHECK(manual);
}

TEST_CASE("a key that drives while the truck waits at a decision point takes it as well") {
  FleetRig rig;
  REQUIRE(rig.ready());
  rig.give(rig.order("A", 0, 0, with_horizon));
  REQUIRE(rig.eventually_state(
      [](const Json& state) { return state["lastNodeId"] == "n1" && !state["driving"].get<bool>(); }));
  for (int i = 0; i < 20; ++i, pass(20ms)) rig.link->bridge->commands().post(VelocityInput::key, {{0.1, 0}, now()});
  REQUIRE(rig.eventually_state([](const Json& state) { return state["nodeStates"].empty(); }));
  bool manual = false;
  for (const Json& state : rig.heard("state")) manual = manual || state["operatingMode"] == "MANUAL";
  CHECK(manual);
}

TEST_CASE("a node is not passed by a truck farther beside it than the node allows: the route has failed") {
  FleetRig rig;
  REQUIRE(rig.ready());
  rig.give(rig.order("A", 0, 0, {{"n0", 0, 0}, {"n1", 3, 0, true, 0.1}, {"n2", 9, 0}}));
  REQUIRE(eventually([&] { return rig.truth().x > 2.5; }));
  auto beside = rig.link->state().X_odom_base;
  beside.y += 0.25;  // as if it had slipped, within the 0.3 m of the path that it may be off between nodes
  rig.link->bridge->commands().place.post(beside);
  REQUIRE(eventually([&] { return rig.has_error("routeFailed"); }));
  CHECK(rig.stands());
  CHECK(rig.state()["lastNodeId"] == "n0");
  CHECK(rig.state()["nodeStates"].size() == 2);
  CHECK(rig.truth().x < 5);
  CHECK(rig.link->state().route.ended);
}

TEST_CASE("pause holds the truck where it is, cancel ends the order there") {
  FleetRig rig;
  REQUIRE(rig.ready());
  rig.give(rig.order("A", 0, 0, {{"n0", 0, 0}, {"n1", 20, 0}}));
  REQUIRE(eventually([&] { return rig.truth().x > 0.5; }));
  rig.act("startPause", "p");
  REQUIRE(eventually([&] { return rig.status("p") == "FINISHED"; }));
  CHECK(rig.stands());
  const double x = rig.truth().x;
  CHECK(x < 5);
  rig.act("stopPause", "s");
  REQUIRE(eventually([&] { return rig.truth().x > x + 0.3; }));
  rig.act("cancelOrder", "c");
  REQUIRE(eventually([&] { return rig.status("c") == "FINISHED"; }));
  CHECK(rig.stands());
  CHECK(rig.truth().x < 10);
  CHECK(rig.state()["nodeStates"].empty());
}

TEST_CASE("what a truck with a turning circle cannot drive is refused before it is accepted") {
  FleetRig rig;
  REQUIRE(rig.ready());
  rig.give(rig.order("A", 0, 0, {{"n0", 0, 0}, {"n1", 1, 0, true, 0.05}, {"n2", 1, 3}}));
  REQUIRE(eventually([&] { return rig.has_error("orderError"); }));
  CHECK(rig.state()["orderId"] == "");
  CHECK(rig.state()["nodeStates"].empty());
}

TEST_CASE("the broker is killed in the middle of an order: the truck ends at the last released node, then disarms") {
  FleetRig rig({"disarm_after=4"});
  REQUIRE(rig.ready());
  rig.give(rig.order("A", 0, 0, with_horizon));
  REQUIRE(eventually([&] { return rig.truth().x > 0.5; }));
  rig.broker.kill();
  REQUIRE(eventually([&] { return std::abs(rig.truth().x - 3) < 0.1; }));
  CHECK(rig.stands());
  CHECK(std::abs(rig.truth().x - 3) < 0.1);
  CHECK(eventually([&] { return !rig.link->armed(); }));
  CHECK_FALSE(rig.link->stopped());
}

TEST_CASE("on_broker_loss: pause stops the truck at once, and only stopPause lets it go on") {
  FleetRig rig({"on_broker_loss=pause"});
  REQUIRE(rig.ready());
  rig.give(rig.order("A", 0, 0, {{"n0", 0, 0}, {"n1", 8, 0}}));
  REQUIRE(eventually([&] { return rig.truth().x > 0.5; }));
  rig.broker.kill();
  CHECK(rig.stands());
  CHECK(rig.truth().x < 6);
  const double x = rig.truth().x;
  rig.master.forget();
  rig.broker.start();
  REQUIRE(rig.eventually_state([](const Json& state) { return state["paused"] == true; }));
  pass(1s);
  CHECK(std::abs(rig.truth().x - x) < 0.05);
  rig.act("stopPause", "s");
  CHECK(eventually([&] { return std::abs(rig.truth().x - 8) < 0.1; }, 60s));
}

TEST_CASE("ONLINE comes again after each reconnect with a higher headerId, and OFFLINE when the truck leaves") {
  FleetRig rig;
  const auto last = [&] {
    const auto all = rig.heard("connection");
    return all.empty() ? Json::object() : all.back();
  };
  const auto is = [&](const std::string& state) {
    return eventually([&] { return last().value("connectionState", "") == state; });
  };
  REQUIRE(is("ONLINE"));
  const int first = last()["headerId"];
  rig.master.forget();
  rig.broker.kill();
  rig.broker.start();
  REQUIRE(eventually([&] { return rig.master.connected(); }));
  REQUIRE(eventually([&] { return last().value("connectionState", "") == "ONLINE" && last()["headerId"] > first; }));
  rig.end_machine();
  CHECK(is("OFFLINE"));
  CHECK(rig.master.heard("uagv/v2/KIT/0001/connection").back().qos == 1);
}

TEST_CASE("a cut cable: the broker publishes the will, and ONLINE with a higher headerId replaces it") {
  FleetRig rig;
  REQUIRE(eventually([&] { return rig.heard("connection").size() == 1; }));
  rig.cable.cut(net::Cut::rst);
  REQUIRE(eventually([&] { return rig.heard("connection").size() >= 3; }));
  const auto all = rig.heard("connection");
  CHECK(all[1]["connectionState"] == "CONNECTIONBROKEN");
  CHECK(all[2]["connectionState"] == "ONLINE");
  CHECK(all[1]["headerId"] < all[0]["headerId"]);
  CHECK(all[2]["headerId"] > all[0]["headerId"]);
  REQUIRE(eventually([&] { return !rig.heard("factsheet").empty(); }));
}

TEST_CASE("a half-open connection in an order: the truck ends at the last released node, and nothing is doubled") {
  FleetRig rig;
  REQUIRE(rig.ready());
  rig.give(rig.order("A", 0, 0, with_horizon));
  REQUIRE(eventually([&] { return rig.truth().x > 0.3; }));
  net::PathFaults nothing_passes;
  nothing_passes.black_hole = true;
  rig.cable.apply(net::Faults::both(nothing_passes));
  REQUIRE(eventually([&] { return std::abs(rig.truth().x - 3) < 0.1; }));
  CHECK(rig.stands());
  rig.cable.clear();
  rig.cable.cut(net::Cut::rst);
  REQUIRE(rig.eventually_state(
      [](const Json& state) { return state["lastNodeId"] == "n1" && !state["driving"].get<bool>(); }));
  rig.give(rig.order("A", 0, 0, with_horizon));
  pass(500ms);
  CHECK(std::abs(rig.truth().x - 3) < 0.1);
  CHECK(rig.state()["errors"].empty());
}

TEST_CASE("a trajectory that the truck can follow is driven, and one that is too tight is refused") {
  FleetRig rig;
  REQUIRE(rig.ready());
  const auto with = [&](const std::string& id, double bulge) {
    Json order = rig.order(id, 0, 0, {{"n0", 0, 0}, {"n1", 6, 2}});
    Json& trajectory = order["edges"][0]["trajectory"];
    trajectory["degree"] = 3;
    trajectory["knotVector"] = std::vector<double>{0, 0, 0, 0, 1, 1, 1, 1};
    const std::vector<std::pair<double, double>> points{{0, 0}, {3 + bulge, 0}, {3 - bulge, 2}, {6, 2}};
    for (const auto& [x, y] : points) trajectory["controlPoints"].push_back({{"x", x}, {"y", y}});
    return order;
  };
  rig.give(with("tight", 2.9));
  REQUIRE(eventually([&] { return rig.has_error("orderError"); }));
  CHECK(rig.state()["orderId"] == "");
  rig.give(with("A", 0));
  REQUIRE(rig.eventually_state([](const Json& state) { return state["lastNodeId"] == "n1" && ended(state); }));
  CHECK(std::hypot(rig.truth().x - 6, rig.truth().y - 2) < 0.15);
}

TEST_CASE("two trucks of one process share its fleet thread, and an order drives only its own") {
  FleetRig first;
  FleetRig second;
  REQUIRE(first.ready());
  REQUIRE(second.ready());
  first.give(first.order("A", 0, 0, ahead));
  REQUIRE(first.eventually_state([](const Json& state) { return state["lastNodeId"] == "n1" && ended(state); }));
  CHECK(std::abs(first.truth().x - 3) < 0.1);
  CHECK(std::abs(second.truth().x) < 0.05);
  CHECK(second.state()["orderId"] == "");
}

TEST_CASE(
    "retained orders, orders for others, two masters and old clocks: only what is meant for this truck now is driven") {
  FleetRig rig;
  REQUIRE(rig.ready());
  SUBCASE("retained garbage and a retained order, before the truck comes") {
    rig.end_machine();
    Json old = rig.order("old", 0, 0, ahead);
    rig.send("order", old.dump(), true);
    rig.send("instantActions", "garbage", true);
    rig.start();
    REQUIRE(rig.ready());
    pass(500ms);
    const Json state = rig.state();
    CHECK(state["orderId"] == "");
    for (const Json& error : state["errors"]) CHECK(error["errorType"] == "messageDropped");
    CHECK(state["errors"].size() == 2);
  }
  SUBCASE("an order for another vehicle on this topic") {
    Json other = rig.order("A", 0, 0, ahead);
    other["serialNumber"] = "0002";
    rig.give(other);
    REQUIRE(eventually([&] { return rig.has_error("validationError"); }));
    CHECK(rig.state()["orderId"] == "");
  }
  SUBCASE("a second master's order while one is active") {
    rig.give(rig.order("A", 0, 0, ahead));
    REQUIRE(rig.eventually_state([](const Json& state) { return state["orderId"] == "A"; }));
    rig.give(rig.order("theirs", 0, 0, {{"n0", 0, 0}, {"x", 0, 5}}));
    REQUIRE(eventually([&] { return rig.has_error("orderError"); }));
    REQUIRE(rig.eventually_state([](const Json& state) { return state["lastNodeId"] == "n1" && ended(state); }));
    CHECK(std::abs(rig.truth().x - 3) < 0.1);
    return;
  }
  SUBCASE("a master whose clock is an hour behind") {
    Json late = rig.order("A", 0, 0, ahead);
    late["timestamp"] = vda5050_timestamp(-1h);
    rig.give(late);
    REQUIRE(eventually([&] { return rig.has_error("clockDifference"); }));
    REQUIRE(rig.eventually_state([](const Json& state) { return state["lastNodeId"] == "n1" && ended(state); }));
    return;
  }
  SUBCASE("duplicates") {
    const Json once = rig.order("A", 0, 0, ahead);
    for (int i = 0; i < 5; ++i) rig.give(once);
    REQUIRE(rig.eventually_state([](const Json& state) { return state["lastNodeId"] == "n1" && ended(state); }));
    for (int i = 0; i < 5; ++i) rig.give(once);
    pass(500ms);
    CHECK(rig.state()["errors"].empty());
    CHECK(std::abs(rig.truth().x - 3) < 0.1);
    return;
  }
  CHECK(std::abs(rig.truth().x) < 0.05);
}

TEST_CASE("after a restart no order is left, and the position is not initialized") {
  FleetRig rig;
  REQUIRE(rig.ready());
  rig.give(rig.order("A", 0, 0, {{"n0", 0, 0}, {"n1", 20, 0}}));
  REQUIRE(eventually([&] { return rig.truth().x > 0.3; }));
  rig.end_machine();
  rig.master.forget();
  rig.start();
  REQUIRE(rig.eventually_state([](const Json& state) { return state.contains("agvPosition"); }));
  CHECK(rig.state()["orderId"] == "");
  CHECK(rig.state()["agvPosition"]["positionInitialized"] == false);
  CHECK(rig.stands());
}

}  // namespace
}  // namespace tandem::raptorlift::rig
