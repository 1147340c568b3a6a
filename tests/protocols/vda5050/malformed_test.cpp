// SPDX-License-Identifier: Apache-2.0
// Payloads that are wrong in some way: none is taken, each leaves an error, and nothing moves.
#include <fmt/format.h>

#include <random>

#include "tandem/protocols/vda5050/read.hpp"
#include "tests/protocols/vda5050/rig.hpp"

namespace tandem::vda5050::test {
namespace {

Order good_order() {
  Order good = order("A", 1, 0, {{"a", 0, true, {action("pick", "p")}}, {"b", 5}, {"c", 10, false}});
  good.edges[0].max_speed = 0.5;
  good.edges[0].corridor = Corridor{1, 1, CorridorReference::contour};
  good.edges[1].trajectory = Trajectory{2, {0, 0, 0, 1, 1, 1}, {{5, 0, 1}, {7, 1, 1}, {10, 0, 1}}};
  good.nodes[1].position->theta = 1;
  good.nodes[0].actions[0].parameters = {{"loadType", {Value::Kind::text, 0, false, "EPAL"}}};
  return good;
}

// Every value of the tree, as pointers into it.
void collect(Json& tree, std::vector<Json*>& all) {
  all.push_back(&tree);
  if (!tree.is_structured()) return;
  for (Json& child : tree) collect(child, all);
}

TEST_CASE("10,000 malformed payloads: each is refused or harmless, and no order is taken over that is not whole") {
  Rig rig;
  Observation manual = seen();
  manual.mode = OperatingMode::manual;  // nothing is ever accepted
  rig.step(manual);
  const Json good = Json::parse(rig.json_of(good_order()));
  const std::string text = good.dump();
  std::mt19937 random(19);
  const auto any = [&](std::size_t most) { return std::uniform_int_distribution<std::size_t>(0, most)(random); };
  const std::vector<Json> strange = {nullptr,
                                     true,
                                     -1,
                                     1e300,
                                     4294967296.0,
                                     0.5,
                                     "",
                                     "NONE",
                                     Json::array(),
                                     Json::object(),
                                     std::string(5000, 'x'),
                                     Json::array({1, 2, 3}),
                                     "\xC3\xA4"};
  for (int i = 0; i < 10'000; ++i) {
    std::string payload;
    if (i % 2 == 0) {  // another value in one place
      Json wrong = good;
      std::vector<Json*> places;
      collect(wrong, places);
      *places[any(places.size() - 1)] = strange[any(strange.size() - 1)];
      payload = wrong.dump();
    } else {  // bytes
      payload = text;
      for (std::size_t n = any(3) + 1; n > 0 && !payload.empty(); --n) {
        const std::size_t at = any(payload.size() - 1);
        const std::size_t kind = any(3);
        if (kind == 0) payload.erase(at, any(20));
        if (kind == 1) payload[at] = static_cast<char>(any(255));
        if (kind == 2) payload.insert(at, payload.substr(any(payload.size() - 1), any(30)));
        if (kind == 3) payload.resize(at);
      }
    }
    const std::uint64_t before = rig.vehicle.refused();
    rig.vehicle.receive_order(payload, false, rig.times());
    rig.vehicle.receive_instant_actions(payload, false, rig.times());
    CHECK(rig.vehicle.refused() == before + 2);
    if (i % 500 == 0) CHECK(rig.take().size() == 1);
  }
  rig.take();
  CHECK(rig.state["orderId"] == "");
  CHECK(rig.truck.planned == 0);
  CHECK(rig.errors().size() == 32);
}

TEST_CASE("too large, too deep and too many: refused before they cost anything") {
  CHECK(read_order(std::string(limits::payload + 1, ' ')).problem.description ==
        "message: expected at most 1048576 bytes, got 1048577");
  CHECK(read_order(std::string(100'000, '[')).problem.description ==
        "message: expected at most 16 objects and arrays within each other");
  CHECK(read_order("[" + std::string(100'000, '"')).problem.type == "validationError");
  Order many = order("A", 0, 0, {{"a", 0}});
  for (std::size_t i = 0; i < limits::nodes; ++i) many.nodes.push_back(many.nodes[0]);
  Rig rig;
  CHECK(read_order(rig.json_of(many)).problem.description == "nodes: expected at most 1000 elements, got 1001");
}

TEST_CASE("errors name the field, what was expected and what came") {
  Rig rig;
  const Json good = Json::parse(rig.json_of(good_order()));
  const auto refused = [&](const char* pointer, const Json& value) {
    Json wrong = good;
    if (value == "nothing")
      wrong = wrong.patch(Json::array({{{"op", "remove"}, {"path", pointer}}}));
    else
      wrong[Json::json_pointer(pointer)] = value;
    auto parsed = read_order(wrong.dump());
    REQUIRE_FALSE(parsed.message);
    CHECK(parsed.problem.type == "validationError");
    return parsed.problem.description;
  };
  CHECK(refused("/nodes/1/nodePosition/x", "far") == "nodes[1].nodePosition.x: expected a number, got \"far\"");
  CHECK(
      refused("/nodes/1/nodePosition/theta", 4).starts_with("nodes[1].nodePosition.theta: expected a number in -3.14"));
  CHECK(refused("/nodes/0/released", "nothing") == "nodes[0].released: expected a value, got nothing");
  CHECK(refused("/nodes/0/sequenceId", -1) == "nodes[0].sequenceId: expected an unsigned 32-bit integer, got -1");
  CHECK(refused("/nodes/0/actions/0/blockingType", "SINGLE") ==
        "nodes[0].actions[0].blockingType: expected one of NONE, SOFT, HARD, got \"SINGLE\"");
  CHECK(refused("/edges/0/maxSpeed", -1) == "edges[0].maxSpeed: expected a number >= 0, got -1");
  CHECK(refused("/edges/1/trajectory/knotVector/4", 0.5) ==
        "edges[1].trajectory.knotVector[4]: expected a knot >= 1, got 0.5");
  CHECK(refused("/edges/1/trajectory/degree", 3) ==
        "edges[1].trajectory.controlPoints: expected more points than the degree 3, got 3");
  CHECK(refused("/edges/1/trajectory/controlPoints/1/weight", 0) ==
        "edges[1].trajectory.controlPoints[1].weight: expected a number > 0, got 0");
  CHECK(refused("/edges/0/corridor", 3) == "edges[0].corridor: expected an object, got 3");
  CHECK(refused("/edges/0/edgeId", nullptr) == "edges[0].edgeId: expected a value, got null");
  CHECK(refused("/orderId", "") == "orderId: expected a string, got an empty one");
  CHECK(refused("/nodes", 3) == "nodes: expected an array, got 3");
}

}  // namespace
}  // namespace tandem::vda5050::test
