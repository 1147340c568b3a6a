// SPDX-License-Identifier: Apache-2.0
// Names on ROS that two machines of one file would share: found before anything starts, and the list of names is that
// of the nodes which then run.
#include "tandem/runtime/config/ros_collisions.hpp"

#include <doctest/doctest.h>

#include <set>

#include "tandem/machines/ros_names.hpp"
#include "tandem/runtime/system.hpp"
#include "tests/ros2/loopback.hpp"

namespace tandem::runtime {
namespace {

Config config_of(const std::string& machines, const std::string& rest = "") {
  const ConfigText text{"lab.yaml", "machines:\n" + machines + rest};
  return parse_config({&text, 1}, all_machines());
}

// All problems that `tandem check` would print, or the warnings behind "fine:".
std::string judged(const std::string& machines, const std::string& rest = "") {
  try {
    std::string fine = "fine:";
    for (const std::string& warning : check_config(config_of(machines, rest))) fine += " " + warning;
    return fine;
  } catch (const ConfigError& error) {
    return error.what();
  }
}

bool has(const std::string& text, const std::string& part) { return text.find(part) != std::string::npos; }

std::set<std::string> set_of(const std::vector<machines::RosNames::Name>& names) {
  std::set<std::string> set;
  for (const auto& name : names) set.insert(name.name);
  return set;
}

constexpr const char* two_trucks =
    "  left: { type: raptorlift, device: virtual }\n"
    "  right: { type: raptorlift, device: virtual }\n";

}  // namespace

TEST_CASE("two trucks on one command topic are refused and the remedy is named") {
  const std::string text = judged(two_trucks);
  CAPTURE(text);
  CHECK(has(text,
            "lab.yaml:3:3: right: node /ackermann_steering_controller: expected one machine with it, got left "
            "and right; set `namespace: /right`"));
  CHECK(has(text,
            "right: command topic /cmd_vel (and 7 more): expected one machine that obeys it, got left and right; "
            "set `namespace: /right`"));
  CHECK(has(text,
            "right: frame base_footprint (and 5 more): expected one parent, got odom (left) and odom (right); "
            "set `tf_prefix: right_`"));
}

TEST_CASE("the remedies that are named are enough") {
  CHECK(judged("  left: { type: raptorlift, device: virtual }\n"
               "  right: { type: raptorlift, device: virtual, namespace: /right, tf_prefix: right_ }\n") == "fine:");
  CHECK(judged("  a: { type: em1500, device: virtual }\n"
               "  b: { type: em1500, device: virtual, namespace: b, tf_prefix: b_ }\n") == "fine:");
  CHECK(judged("  a: { type: ur3e, device: virtual }\n"
               "  b: { type: ur3e, device: virtual, namespace: b, tf_prefix: b_ }\n") == "fine:");
  CHECK(judged("  a: { type: cable_robot, device: virtual }\n"
               "  b: { type: cable_robot, device: virtual, namespace: b, platform_frame: b_platform }\n") == "fine:");
  CHECK(judged("  a: { type: orca, device: virtual }\n"
               "  b: { type: orca, device: virtual, namespace: b, tf: false }\n") == "fine:");
}

TEST_CASE("a namespace alone leaves the frames of two machines in conflict") {
  const std::string text = judged(
      "  left: { type: raptorlift, device: virtual }\n"
      "  right: { type: raptorlift, device: virtual, namespace: right }\n");
  CHECK(has(text, "right: frame base_footprint"));
  CHECK_FALSE(has(text, "command topic"));
  CHECK_FALSE(has(text, "node"));
}

TEST_CASE("machines of different types that obey one topic are refused") {
  const std::string text = judged(
      "  lift: { type: raptorlift, device: virtual }\n"
      "  sub: { type: orca, device: virtual }\n");
  CHECK(has(text,
            "sub: command topic /cmd_vel: expected one machine that obeys it, got lift and sub; set "
            "`namespace: /sub`"));
  CHECK(has(text,
            "sub: frame base_link: expected one parent, got base_footprint (lift) and map (sub); set `tf: "
            "false`"));
}

TEST_CASE("names of mavros are absolute and the remedy is another profile") {
  const std::string text = judged(
      "  a: { type: orca, device: virtual, profile: mavros }\n"
      "  b: { type: orca, device: virtual, profile: mavros, namespace: b, tf: false }\n");
  CHECK(has(text, "b: command topic /mavros/"));
  CHECK(has(text, "set `profile: original`"));
}

TEST_CASE("shared state topics and frames that hang on another machine are warnings") {
  const std::string text = judged(
      "  lift: { type: raptorlift, device: virtual }\n"
      "  arm: { type: ur3e, device: virtual }\n");
  CAPTURE(text);
  CHECK(text.starts_with("fine:"));
  CHECK(has(text, "(and 1 more): expected one machine that publishes it, got lift and arm; set `namespace: /arm`"));
  CHECK(
      has(text, "frame base_link: arm uses the same frame as lift; unless it is mounted there, set `tf_prefix: arm_`"));
}

TEST_CASE("without ROS nothing collides") { CHECK(judged(two_trucks, "ros: { enabled: false }\n") == "fine:"); }

TEST_CASE("a system of machines that collide is not started") {
  CHECK_THROWS_AS(System(config_of(two_trucks), {}), ConfigError);
}

TEST_CASE("the demonstration of all machines collides nowhere") {
  std::vector<const machines::MachineType*> types;
  for (const machines::MachineType* type : all_machines().types())
    if (type->read == nullptr) types.push_back(type);  // the others need a file
  const Config config = demo_config(types);
  const RosCollisions found = ros_collisions(config);
  CHECK(found.problems.empty());
  CHECK(found.warnings.empty());
  std::set<std::string> described;
  for (const MachineConfig& machine : config.machines)
    for (const auto& name : machine.type->ros_names(machine.options).published)
      if (name.name.ends_with("/joint_states") || name.name.ends_with("robot_description"))
        described.insert(std::string(machine.type->name) + " " + name.name);
  CHECK(described.contains("ur3e /joint_states"));
  CHECK(described.contains("ur3e /robot_description"));
  CHECK(described.contains("raptorlift /raptorlift/joint_states"));
  CHECK(described.contains("raptorlift /raptorlift/robot_description"));
}

TEST_CASE("the listed names are those of the nodes that run") {
  struct Row {
    const char* type;
    std::vector<std::string> settings;
  };
  const std::vector<Row> rows = {
      {"em1500", {}},
      {"em1500", {"profile=frd", "namespace=/hall"}},
      {"cable_robot", {}},
      {"cable_robot", {"profile=cdpr"}},
      {"raptorlift", {"namespace=/hall"}},
      {"raptorlift", {"control=joint_commands"}},
      {"ur3e", {}},
      {"ur3e", {"gripper=false", "namespace=hall"}},
      {"orca", {"namespace=/orca"}},
      {"orca", {"profile=mavros"}},
      {"orca", {"slam=images", "truth=true"}},
      {"orca", {"slam=features"}},
  };
  const std::set<std::string> of_ros = {"/rosout", "/parameter_events", "/tf", "/tf_static", "/diagnostics", "/clock"};
  for (const Row& row : rows) {
    CAPTURE(row.type);
    CAPTURE(row.settings.empty() ? "" : row.settings[0]);
    const machines::MachineType& type = *all_machines().find(row.type);
    const machines::Options options = options_from_settings(type.options, row.settings);
    ros2::Context context(ros2::loopback_options());
    machines::VirtualSetup device;
    device.standard_ports = false;
    device.options = options;
    device.ros = &context;
    device.clock = &system_clock();
    const auto virtual_device = type.make_virtual(device);
    const machines::Setup setup{row.type, virtual_device->url(), options, &context, &system_clock(), nullptr};
    const auto machine = type.make(setup);
    const auto twin = type.make_twin != nullptr ? type.make_twin(setup) : nullptr;
    const auto companion = type.make_companion != nullptr ? type.make_companion(setup) : nullptr;
    std::set<std::string> nodes, heard, published;
    const ros2::Graph graph = context.graph();
    for (const auto& node : graph.nodes)
      if (node.local) nodes.insert(node.full_name());
    for (const auto& endpoint : graph.endpoints)
      if (endpoint.local && endpoint.topic.starts_with("/") && !of_ros.contains(endpoint.topic) &&
          !endpoint.topic.ends_with("/_action/feedback") && !endpoint.topic.ends_with("/_action/status"))
        (endpoint.writes ? published : heard).insert(endpoint.topic);
    const machines::RosNames names = type.ros_names(options);
    CHECK(set_of(names.nodes) == nodes);
    CHECK(set_of(names.heard) == heard);
    CHECK(set_of(names.published) == published);
  }
}

}  // namespace tandem::runtime
