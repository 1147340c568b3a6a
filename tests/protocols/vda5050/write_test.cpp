// SPDX-License-Identifier: Apache-2.0
// What a vehicle sends, against the required fields and words of the state schema of tag 2.1.0.
#include "tandem/protocols/vda5050/write.hpp"

#include <cmath>

#include "tests/protocols/vda5050/rig.hpp"

namespace tandem::vda5050::test {
namespace {

const Identity identity{Version::v2_1, "uagv", "KIT", "0001"};

bool has_null(const Json& tree) {
  if (tree.is_null()) return true;
  return tree.is_structured() && std::any_of(tree.begin(), tree.end(), has_null);
}

TEST_CASE("a state has every required field, in the words of the schema, and no null") {
  const Json state = Json::parse(write_state(identity, {3, UtcTime{} + 1h}, State{}));
  for (const char* field : {"headerId", "timestamp", "version", "manufacturer", "serialNumber", "orderId",
                            "orderUpdateId", "lastNodeId", "lastNodeSequenceId", "nodeStates", "edgeStates", "driving",
                            "actionStates", "batteryState", "operatingMode", "errors", "safetyState"})
    CHECK(state.contains(field));
  CHECK(state["headerId"] == 3);
  CHECK(state["timestamp"] == "1970-01-01T01:00:00.000Z");
  CHECK(state["version"] == "2.1.0");
  CHECK(state["operatingMode"] == "MANUAL");
  CHECK(state["safetyState"] == Json{{"eStop", "NONE"}, {"fieldViolation", false}});
  CHECK(state["batteryState"] == Json{{"batteryCharge", 80.0}, {"charging", false}});
  CHECK_FALSE(state.contains("loads"));
  CHECK_FALSE(state.contains("agvPosition"));
  CHECK_FALSE(has_null(state));
}

TEST_CASE("numbers that are none are left out, and any text is written as UTF-8") {
  State state;
  state.position = Position{NAN, 1, INFINITY, "m", true};
  state.order_id = std::string("bad \xFF\xC3 \"\\\x01\n") + "\xF0\x9F\x9A\x9C";
  const Json json = Json::parse(write_state(identity, {}, state));
  CHECK_FALSE(json["agvPosition"].contains("x"));
  CHECK(json["agvPosition"]["y"] == 1);
  CHECK(json["orderId"] == std::string("bad \uFFFD\uFFFD \"\\\x01\n") + "\xF0\x9F\x9A\x9C");
}

TEST_CASE("words of the enumerations are the schema's") {
  CHECK(text_of(OperatingMode::teach_in) == "TEACHIN");
  CHECK(text_of(EStop::auto_acknowledge) == "AUTOACK");
  CHECK(text_of(ConnectionState::broken) == "CONNECTIONBROKEN");
  CHECK(text_of(ActionStatus::initializing) == "INITIALIZING");
  CHECK(text_of(Version::v2_0) == "2.0.0");
}

TEST_CASE("a factsheet has every required field, and the limits that the reader keeps") {
  const Json sheet = Json::parse(write_factsheet(identity, {}, options().factsheet));
  for (const char* field : {"typeSpecification", "physicalParameters", "protocolLimits", "protocolFeatures",
                            "agvGeometry", "loadSpecification"})
    CHECK(sheet.contains(field));
  CHECK(sheet["protocolLimits"]["maxArrayLens"]["order.nodes"] == 1000);
  CHECK(sheet["protocolFeatures"]["agvActions"].size() == options().factsheet.actions.size());
  CHECK(sheet["loadSpecification"].is_object());
  CHECK_FALSE(has_null(sheet));
}

}  // namespace
}  // namespace tandem::vda5050::test
