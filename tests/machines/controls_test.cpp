// SPDX-License-Identifier: Apache-2.0
// What the page offers to a person reaches every machine: each control is a message that its type can carry, on a topic
// that the machine's own node hears with that very type.
#include <doctest/doctest.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "tandem/ros2/full_node.hpp"
#include "tandem/ros2/messages/registry.hpp"
#include "tandem/runtime/config/config.hpp"
#include "tandem/runtime/page/ros_json.hpp"
#include "tandem/runtime/registry.hpp"
#include "tests/machines/rigs/scene_check.hpp"
#include "tests/ros2/loopback.hpp"

using namespace tandem;
using nlohmann::json;

namespace {

// "linear.x" and "data.2" as the page puts a number in.
json put_at(json message, const std::string& field, double value) {
  json* place = &message;
  std::size_t begin = 0;
  while (begin <= field.size() && !field.empty()) {
    const std::size_t dot = std::min(field.find('.', begin), field.size());
    const std::string step = field.substr(begin, dot - begin);
    const bool number = step.find_first_not_of("0123456789") == std::string::npos;
    place = number ? &(*place)[std::stoul(step)] : &(*place)[step];
    begin = dot + 1;
  }
  if (!field.empty()) *place = value;
  return message;
}

const char* device_of(std::string_view type) {
  return type == "em1500"        ? "ads://127.0.0.1:1"
         : type == "orca"        ? "mavlink://127.0.0.1:1?link=tcp"
         : type == "raptorlift"  ? "modbus://127.0.0.1:1"
         : type == "cable_robot" ? "modbus://127.0.0.1:1"
         : type == "generic"     ? "modbus://127.0.0.1:1"
                                 : "rtde://127.0.0.1:1";
}

// Of a machine that a file describes: its example.
std::shared_ptr<const machines::OwnConfig> own_of(const machines::MachineType& type) {
  if (type.read == nullptr) return nullptr;
  const runtime::ConfigText text{"example.yaml", std::string(type.example_file)};
  return runtime::parse_config({&text, 1}, runtime::all_machines()).machines.front().own;
}

void check_messages(const machines::Control& control) {
  CAPTURE(control.name);
  const ros2::TypeSupport* support = ros2::find_type(control.type);
  REQUIRE(support != nullptr);
  const auto type = ros2::make_dynamic_type(*support);
  REQUIRE(type);
  for (const double value : {control.value, control.rest, control.low, control.high}) {
    const std::string text = put_at(json::parse(control.message), control.field, value).dump();
    const auto cdr = runtime::cdr_from_json(*type, text, UtcTime{});
    CHECK_MESSAGE(cdr, text, ": ", cdr ? "" : cdr.error().text);
  }
}

}  // namespace

TEST_CASE("every control of every machine is heard by its node with its type") {
  std::size_t controls = 0;
  for (const machines::MachineType* type : runtime::all_machines().types()) {
    const std::string name(type->name);
    CAPTURE(name);
    ros2::Context context(ros2::loopback_options());
    machines::Setup setup{.name = name, .device = device_of(type->name), .options = {}};
    setup.options = runtime::options_from_settings(type->options, type->demo);
    setup.own = own_of(*type);
    setup.ros = &context;
    setup.clock = &system_clock();
    const auto machine = type->make(setup);
    const machines::Scene scene = machine->scene();
    machines::check_scene(scene);
    CHECK_FALSE(machine->picture().seen);
    CHECK(scene.controls.empty() != machine->moves());
    for (const machines::Control& control : scene.controls) {
      check_messages(control);
      const auto hears = [&](const ros2::GraphEndpoint& end) {
        return !end.writes && end.local && end.topic == control.topic && end.type == control.type;
      };
      CHECK(ros2::eventually([&] {
        const ros2::Graph graph = context.graph();
        return std::any_of(graph.endpoints.begin(), graph.endpoints.end(), hears);
      }));
      ++controls;
    }
  }
  CHECK(controls > 20);
}

TEST_CASE("without ROS a machine has a scene and nothing to press") {
  for (const machines::MachineType* type : runtime::all_machines().types()) {
    const std::string name(type->name);
    CAPTURE(name);
    machines::Setup setup{.name = name, .device = device_of(type->name), .options = {}};
    setup.options = runtime::options_from_settings(type->options, type->demo);
    setup.own = own_of(*type);
    setup.clock = &system_clock();
    const auto machine = type->make(setup);
    CHECK(machine->scene().controls.empty());
    CHECK(!machine->scene().parts.empty());
  }
}
