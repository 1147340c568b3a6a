// SPDX-License-Identifier: Apache-2.0
// A slow broker, a link that is full, and masters that send rubbish: the truck as the physics has it.
#include <cmath>
#include <random>

#include "tests/machines/raptorlift/fleet/fleet_rig.hpp"

namespace tandem::raptorlift::rig {
namespace {

bool ended(const Json& state) { return state["nodeStates"].empty() && !state["driving"].get<bool>(); }

net::PathFaults held_for(Duration delay) {
  net::PathFaults faults;
  faults.delay = delay;
  return faults;
}

// As a master does with QoS 0, where messages may be lost: the same order again.
bool gives_until_shown(FleetRig& rig, const Json& order) {
  return eventually([&] {
    rig.give(order);
    return eventually(
        [&] {
          const Json state = rig.state();
          return state["orderId"] == order["orderId"] && state["orderUpdateId"] == order["orderUpdateId"];
        },
        1500ms);
  });
}

// Every value of the tree.
void collect(Json& tree, std::vector<Json*>& all) {
  all.push_back(&tree);
  if (!tree.is_structured()) return;
  for (Json& child : tree) collect(child, all);
}

TEST_CASE("a slow broker: an order is driven late and once, and updates that come in time drive on") {
  FleetRig rig;
  REQUIRE(rig.ready());
  rig.cable.apply(net::Faults::both(held_for(400ms)));
  rig.give(rig.order("A", 0, 0, {{"n0", 0, 0}, {"n1", 3, 0}, {"n2", 6, 0, false}}));
  REQUIRE(rig.eventually_state([](const Json& state) { return state["orderId"] == "A"; }));
  REQUIRE(gives_until_shown(rig, rig.order("A", 1, 2, {{"n1", 3, 0}, {"n2", 6, 0}})));
  REQUIRE(rig.eventually_state([](const Json& state) { return state["lastNodeId"] == "n2" && ended(state); }));
  CHECK(rig.stands());
  CHECK(std::abs(rig.truth().x - 6) < 0.15);
}

TEST_CASE("a broker that takes no bytes: the truck drives its base, drops what does not fit, and is heard again") {
  FleetRig rig;
  REQUIRE(rig.ready());
  rig.give(rig.order("A", 0, 0, {{"n0", 0, 0}, {"n1", 3, 0}, {"n2", 6, 0, false}}));
  REQUIRE(eventually([&] { return rig.truth().x > 0.3; }));
  net::PathFaults held;
  held.hold = true;
  rig.cable.apply({held, held});
  REQUIRE(eventually([&] { return std::abs(rig.truth().x - 3) < 0.1; }));
  CHECK(rig.stands());
  CHECK(rig.link->armed());
  rig.cable.clear();
  rig.cable.cut(net::Cut::rst);
  REQUIRE(rig.eventually_state([](const Json& state) {
    return state["lastNodeId"] == "n1" && state["operatingMode"] == "AUTOMATIC" && !state["driving"].get<bool>();
  }));
  REQUIRE(gives_until_shown(rig, rig.order("A", 1, 2, {{"n1", 3, 0}, {"n2", 6, 0}})));
  REQUIRE(rig.eventually_state([](const Json& state) { return state["lastNodeId"] == "n2" && ended(state); }));
  CHECK(std::abs(rig.truth().x - 6) < 0.15);
}

TEST_CASE("10,000 malformed payloads over the broker: an armed truck stands, and takes the order that follows") {
  FleetRig rig;
  REQUIRE(rig.ready());
  // Far away and of another truck: no single change makes an order of it.
  Json good = rig.order("bad", 0, 0, {{"n0", 50, 50}, {"n1", 53, 50}});
  good["serialNumber"] = "9999";
  const std::string text = good.dump();
  const std::vector<Json> strange = {nullptr, true, -1, 1e300, 0.5, "", "NONE", Json::array(), Json::object()};
  std::mt19937 random(5050);
  const auto any = [&](std::size_t most) { return std::uniform_int_distribution<std::size_t>(0, most)(random); };
  for (int i = 0; i < 10'000; ++i) {
    std::string payload = text;
    if (i % 3 == 0) {
      Json wrong = good;
      std::vector<Json*> places;
      collect(wrong, places);
      *places[any(places.size() - 1)] = strange[any(strange.size() - 1)];
      payload = wrong.dump();
    } else if (i % 3 == 1) {
      payload.resize(any(payload.size() - 1));
    } else {
      for (std::size_t k = 0; k < 3; ++k) payload[any(payload.size() - 1)] = static_cast<char>(any(255));
    }
    rig.send(i % 4 == 0 ? "instantActions" : "order", payload);
    if (i % 50 == 0) pass(2ms);  // most of them arrive: more than waits is dropped and counted
  }
  REQUIRE(eventually([&] { return rig.has_error("validationError"); }));
  const Json told = rig.state();
  for (const Json& error : told["errors"]) {
    CHECK_FALSE(error["errorType"].get<std::string>().empty());
    CHECK_FALSE(error["errorDescription"].get<std::string>().empty());
  }
  CHECK(std::abs(rig.truth().x) < 0.02);
  CHECK(rig.state()["orderId"] == "");
  CHECK(rig.link->armed());
  REQUIRE(gives_until_shown(rig, rig.order("A", 0, 0, {{"n0", 0, 0}, {"n1", 2, 0}})));
  REQUIRE(rig.eventually_state([](const Json& state) { return state["lastNodeId"] == "n1" && ended(state); }));
  CHECK(rig.state()["errors"].empty());
  CHECK(std::abs(rig.truth().x - 2) < 0.1);
}

}  // namespace
}  // namespace tandem::raptorlift::rig
