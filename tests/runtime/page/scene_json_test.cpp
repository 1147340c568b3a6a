// SPDX-License-Identifier: Apache-2.0
#include <doctest/doctest.h>

#include <cmath>
#include <limits>
#include <nlohmann/json.hpp>

#include "tandem/runtime/page/live_channels.hpp"
#include "tandem/runtime/page/scene_json.hpp"

using namespace tandem;
using namespace tandem::runtime;
using nlohmann::json;

namespace {

// What the viewers of Foxglove and Lichtblick make of a JSON Schema (parseJsonSchema.ts of both): empty if they can
// show the channel, else the place where they give up.
std::string unreadable_for_viewers(const json& schema, const std::string& place) {
  if (schema.value("type", json()) != "object" || !schema.contains("properties")) return place;
  for (const auto& [name, field] : schema["properties"].items()) {
    const std::string here = place + "." + name;
    json type = field.value("type", json());
    const json& item = type == "array" ? field["items"] : field;
    if (type == "array") type = item.value("type", json());
    if (type == "object") {
      if (std::string wrong = unreadable_for_viewers(item, here); !wrong.empty()) return wrong;
    } else if (type != "boolean" && type != "string" && type != "number" && type != "integer") {
      return here;
    }
  }
  return {};
}

}  // namespace

TEST_CASE("the schemas of our own channels are such as viewers can read") {
  CHECK(unreadable_for_viewers(json::parse(R"({"type":"object"})"), "a") == "a");
  CHECK(unreadable_for_viewers(json::parse(R"({"type":"object","properties":{"b":{"type":["array","null"]}}})"), "a") ==
        "a.b");
  for (const LiveChannel& channel : live_channels())
    CHECK(unreadable_for_viewers(json::parse(channel.schema), std::string(channel.topic)) == "");
}

TEST_CASE("a scene says every field of the page's contract") {
  machines::Scene scene;
  scene.frames = {"hand"};
  machines::Part part;
  part.name = "floor";
  part.shape = machines::Shape::mesh;
  part.at = {{1, 2, 0.1}, {0, 0, 0, 1}};
  part.points = {{0.1F, 0, 0}, {1, 0, 0}, {0, 1, 0}};
  part.triangles = {{0, 1, 2}};
  part.layer = "sea floor";
  scene.parts = {part};
  scene.ties = {{"cable", "world", "hand", {0, 0, 1}, {0, 0, 2}, 0.02, "#ff0000", 0}};
  scene.scalars = {{"tension", "N", 1, 50}};
  machines::Control control;
  control.name = "forward";
  control.topic = "/cmd_vel";
  control.type = "geometry_msgs/msg/Twist";
  control.field = "linear.x";
  control.message = R"({"linear":{"y":0}})";
  control.key = "w";
  control.scale = 0.001;
  control.offset = 2;
  control.flag = true;
  control.shows = "speed";
  scene.controls = {control};
  scene.indicators = {{"oil", machines::Indicator::Kind::gauge, 10, 90, "tank"}};
  scene.trails = {"hand"};
  scene.main_frame = "hand";
  const std::vector<DrawnMachine> machines = {{"lift", "raptorlift", true, true, scene}};
  const std::string text = scene_json(machines);
  CHECK(text.find('\n') == std::string::npos);
  const json expected = json::parse(R"({"machines":[{"name":"lift","type":"raptorlift","virtual":true,"moves":true,
    "scene":{"frames":["hand"],"parts":[{"name":"floor","frame":"world","shape":"mesh","size":[0.0,0.0,0.0],
    "at":[1.0,2.0,0.1,0.0,0.0,0.0,1.0],"color":"#8a94a6","opacity":1.0,"points":[0.1,0.0,0.0,1.0,0.0,0.0,0.0,1.0,0.0],
    "triangles":[0,1,2],"layer":"sea floor","layer_off":false}],
    "ties":[{"name":"cable","from":"world","to":"hand","from_point":[0.0,0.0,1.0],"to_point":[0.0,0.0,2.0],
    "radius":0.02,"color":"#ff0000","scalar":0}],"scalars":[{"name":"tension","unit":"N","low":1.0,"high":50.0}],
    "controls":[{"name":"forward","group":"","kind":"jog","topic":"/cmd_vel","type":"geometry_msgs/msg/Twist",
    "field":"linear.x","message":{"linear":{"y":0}},"unit":"","low":-1.0,"high":1.0,"value":1.0,"rest":0.0,"key":"w",
    "scale":0.001,"offset":2.0,"flag":true,"shows":"speed"}],
    "indicators":[{"value":"oil","kind":"gauge","low":10.0,"high":90.0,"group":"tank"}],
    "trails":["hand"],"main_frame":"hand","extent":2.0,"beside":{"name":"","text":""},"ground":"","camera_topic":""}}]})");
  CHECK(json::parse(text) == expected);
}

TEST_CASE("a control whose message is no object is sent with an empty one") {
  machines::Scene scene;
  for (const char* message : {"", "{", "3", "[]", "null"}) {
    machines::Control control;
    control.message = message;
    scene.controls.push_back(control);
  }
  const std::vector<DrawnMachine> machines = {{"a", "b", false, false, scene}};
  const json controls = json::parse(scene_json(machines))["machines"][0]["scene"]["controls"];
  for (const json& control : controls) CHECK(control["message"] == json::object());
}

TEST_CASE("a picture has six digits and null for what is no number") {
  constexpr double nothing = std::numeric_limits<double>::quiet_NaN();
  std::vector<Standing> machines(3);
  machines[0].name = "platform";
  machines[0].picture = {true, {{{1.23456789, -0.5, 1e-9}, {0, 0, 0, 1}}, {}}, {nothing, 7}};
  machines[0].twin = {true, {{{1, 2, 3}, {0, 0, 0, 1}}, {}}, {0.25, HUGE_VAL}};
  machines[1].name = "quote\"\n";
  machines[2].name = "lift";
  std::string text = "old";
  picture_json(text, 1700000000.125, machines);
  CHECK(text.find("\"t\":1700000000.125000") != std::string::npos);
  const json whole = json::parse(text);
  const json& first = whole["machines"][0];
  CHECK(first["name"] == "platform");
  CHECK(first["seen"] == true);
  CHECK(first["frames"] == json::parse("[1.23457,-0.5,1e-09,0,0,0,1,0,0,0,0,0,0,1]"));
  CHECK(first["scalars"] == json::parse("[null,7]"));
  CHECK(first["twin"] == json::parse("[1,2,3,0,0,0,1,0,0,0,0,0,0,1]"));
  CHECK(first["twin_scalars"] == json::parse("[0.25,null]"));
  CHECK(whole["machines"][1]["name"] == "quote\"\n");
  CHECK(whole["machines"][2] ==
        json::parse(R"({"name":"lift","seen":false,"frames":[],"scalars":[],"twin":null,"twin_scalars":[]})"));
  CHECK(text == picture_json(1700000000.125, machines));
  CHECK(json::parse(picture_json(nothing, {}))["machines"] == json::array());
}
