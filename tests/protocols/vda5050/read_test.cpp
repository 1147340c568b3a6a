// SPDX-License-Identifier: Apache-2.0
#include "tandem/protocols/vda5050/read.hpp"

#include "tests/protocols/vda5050/rig.hpp"

namespace tandem::vda5050::test {
namespace {

// As vda-5050-lib 1.4.0 sends it (recorded), with its spelling of the deviation.
constexpr std::string_view recorded =
    R"({"orderId":"A","orderUpdateId":1,"nodes":[{"nodeId":"n1","sequenceId":2,"released":true,)"
    R"("nodePosition":{"x":2,"y":0,"theta":0,"mapId":"hall","allowedDeviationXy":0.3},"actions":[]},)"
    R"({"nodeId":"n2","sequenceId":4,"released":true,"nodePosition":{"x":4,"y":0,"theta":0,"mapId":"hall"},)"
    R"("actions":[{"actionType":"drop","actionId":"d1","blockingType":"HARD","actionParameters":[)"
    R"({"key":"stationType","value":"floor"},{"key":"loadType","value":"EPAL"}]}]}],)"
    R"("edges":[{"edgeId":"e12","sequenceId":3,"released":true,"startNodeId":"n1","endNodeId":"n2","maxSpeed":1,)"
    R"("actions":[]}],"timestamp":"2026-11-17T16:54:20.123Z","headerId":1,"manufacturer":"RobotCompany",)"
    R"("serialNumber":"001","version":"2.0.0"})";

TEST_CASE("an order that another program has sent is read whole") {
  const auto parsed = read_order(recorded);
  REQUIRE(parsed.message);
  const Order& read = *parsed.message;
  CHECK(read.id == "A");
  CHECK(read.update == 1);
  CHECK(read.header.serial_number == "001");
  REQUIRE(read.nodes.size() == 2);
  CHECK(read.nodes[0].sequence == 2);
  CHECK(read.nodes[0].position->deviation == 0.3);
  CHECK(read.nodes[1].position->deviation == 0);
  CHECK(read.nodes[1].actions[0].blocking == Blocking::hard);
  CHECK(read.nodes[1].actions[0].parameter("loadType")->text == "EPAL");
  CHECK(read.edges[0].max_speed == 1);
  CHECK(read.edges[0].start_node == "n1");
}

TEST_CASE("both spellings of the deviation are read, and two different values are refused") {
  const auto with = [](const std::string& fields) {
    return read_order(R"({"headerId":0,"timestamp":"","version":"2.1.0","manufacturer":"m","serialNumber":"s",)"
                      R"("orderId":"A","orderUpdateId":0,"edges":[],"nodes":[{"nodeId":"n","sequenceId":0,)"
                      R"("released":true,"actions":[],"nodePosition":{"x":0,"y":0,"mapId":"m",)" +
                      fields + "}}]}");
  };
  CHECK(with(R"("allowedDeviationXY":0.5)").message->nodes[0].position->deviation == 0.5);
  CHECK(with(R"("allowedDeviationXy":0.5)").message->nodes[0].position->deviation == 0.5);
  CHECK(with(R"("allowedDeviationXY":0.5,"allowedDeviationXy":0.5)").message->nodes[0].position->deviation == 0.5);
  CHECK(with(R"("allowedDeviationXY":0.5,"allowedDeviationXy":0.6)").problem.type == "validationError");
  CHECK(with(R"("allowedDeviationXY":-1)").problem.type == "validationError");
}

TEST_CASE("null in an optional field is as if the field were absent") {
  Json with = Json::parse(recorded);
  const Json without = with;
  with["zoneSetId"] = nullptr;
  for (const char* key : {"nodeDescription", "nodePosition"}) with["nodes"][0][key] = nullptr;
  for (const char* key : {"theta", "allowedDeviationXY", "allowedDeviationTheta", "mapDescription"})
    with["nodes"][1]["nodePosition"][key] = nullptr;
  with["nodes"][1]["actions"][0]["actionDescription"] = nullptr;
  with["nodes"][1]["actions"][0]["actionParameters"][0]["value"] = nullptr;
  for (const char* key : {"edgeDescription", "maxSpeed", "maxHeight", "minHeight", "orientation", "orientationType",
                          "direction", "rotationAllowed", "maxRotationSpeed", "length", "trajectory", "corridor"})
    with["edges"][0][key] = nullptr;
  const auto parsed = read_order(with.dump());
  INFO(parsed.problem.description);
  REQUIRE(parsed.message);
  const Order& read = *parsed.message;
  CHECK_FALSE(read.nodes[0].position);
  CHECK_FALSE(read.nodes[1].position->theta);
  CHECK(read.nodes[1].actions[0].parameter("stationType") == nullptr);
  CHECK(read.nodes[1].actions[0].parameter("loadType")->text == "EPAL");
  CHECK_FALSE(read.edges[0].max_speed);
  CHECK_FALSE(read.edges[0].max_height);
  CHECK_FALSE(read.edges[0].corridor);
  CHECK(read.edges[0].orientation_type == OrientationType::tangential);
  for (const char* key : {"orderId", "nodes", "headerId"}) {
    Json required = without;
    required[key] = nullptr;
    CHECK(read_order(required.dump()).problem.description == std::string(key) + ": expected a value, got null");
  }
}

TEST_CASE("what is written is read again as the same") {
  Order wanted =
      order("A", 4294967295u, 0, {{"a", 1.0 / 3, true, {action("pick", "p", Blocking::soft)}}, {"b", 5, false}});
  wanted.edges[0].max_speed = 0.1;
  wanted.edges[0].orientation = 3.141592653589793;
  wanted.edges[0].orientation_type = OrientationType::global;
  wanted.edges[0].rotation_allowed = false;
  wanted.edges[0].corridor = Corridor{1, 2, CorridorReference::contour};
  wanted.edges[0].trajectory = Trajectory{1, {0, 0, 1, 1}, {{0, 0, 1}, {5, 0, 0.5}}};
  wanted.nodes[0].actions[0].parameters = {{"key \"quoted\"\n", {Value::Kind::json, 0, false, R"({"a":[1,null]})"}},
                                           {"flag", {Value::Kind::boolean, 0, true, ""}}};
  Rig rig;
  const std::string once = rig.json_of(wanted);
  auto parsed = read_order(once);
  REQUIRE(parsed.message);
  CHECK(rig.json_of(*parsed.message) == once);
  CHECK(parsed.message->update == 4294967295u);
  CHECK(parsed.message->edges[0].corridor->reference == CorridorReference::contour);
}

TEST_CASE("a refused message keeps the references by which its master finds it") {
  const auto parsed = read_order(R"({"headerId":7,"orderId":"A","orderUpdateId":3,"nodes":1})");
  REQUIRE_FALSE(parsed.message);
  const std::vector<Reference> expected = {
      {"topic", "order"}, {"headerId", "7"}, {"orderId", "A"}, {"orderUpdateId", "3"}, {"field", "timestamp"}};
  CHECK(parsed.problem.references == expected);
}

TEST_CASE("timestamps: written with milliseconds, read with any number of decimals") {
  const UtcTime time = UtcTime{} + 1'763'398'455'412ms;
  CHECK(timestamp_of(time) == "2025-11-17T16:54:15.412Z");
  CHECK(utc_from("2025-11-17T16:54:15.412Z") == time);
  CHECK(utc_from("2025-11-17T16:54:15.41Z") == time - 2ms);
  CHECK(utc_from("2025-11-17T16:54:15.412000999Z") == time);
  CHECK(utc_from("2025-11-17T16:54:15Z") == time - 412ms);
  for (const char* wrong :
       {"", "soon", "2025-13-17T16:54:15Z", "2025-11-31T16:54:15Z", "2025-11-17T24:54:15Z", "2025-11-17T16:54:15",
        "2025-11-17T16:54:15.Z", "2025-11-17T16:54:15Zx", "99999-11-17T16:54:15Z", "2500-01-01T00:00:00Z"})
    CHECK_FALSE(utc_from(wrong).has_value());
}

}  // namespace
}  // namespace tandem::vda5050::test
