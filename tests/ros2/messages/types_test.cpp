// SPDX-License-Identifier: Apache-2.0
#include <doctest/doctest.h>

#include <algorithm>
#include <fstream>
#include <map>

#include "tandem/ros2/messages/registry.hpp"
#include "tandem/ros2/messages/rmw_dds_common.hpp"
#include "tandem/ros2/messages/std_msgs.hpp"
#include "tests/ros2/messages/constants.hpp"

namespace tandem::ros2 {
namespace {

struct Known {
  std::string hash;
  std::string fields;
  std::string constants;  // "A=1, B=2", or empty
};

// types.txt: what other installations say of each type.
std::map<std::string, Known> types_elsewhere() {
  std::map<std::string, Known> known;
  std::ifstream file(TANDEM_ROS2_TYPES);
  for (std::string line; std::getline(file, line);) {
    const std::size_t first = line.find(" | "), second = line.find(" | ", first + 3);
    if (line.starts_with('#') || second == std::string::npos) continue;
    const std::size_t brace = line.find(" {", second), end = std::min(brace, line.size());
    Known& type = known[line.substr(0, first)];
    type.hash = line.substr(first + 3, second - first - 3);
    type.fields = line.substr(second + 3, end - second - 3);
    if (brace != std::string::npos) type.constants = line.substr(brace + 2, line.size() - brace - 3);
  }
  return known;
}

std::string fields_of(const TypeDescription& description) {
  if (description.fields.empty()) return "uint8 structure_needs_at_least_one_member";
  std::string text;
  for (const FieldDescription& field : description.fields) {
    // The installation shows char as what it is on the wire.
    const std::string type = field.text == "char" ? "uint8" : field.text;
    text += (text.empty() ? "" : "; ") + type + field.array + " " + field.name;
  }
  return text;
}

Constants constants_of(std::string_view text) {
  Constants constants;
  while (!text.empty()) {
    const std::string_view one = text.substr(0, text.find(", "));
    const std::size_t sign = one.find('=');
    constants[std::string(one.substr(0, sign))] = one.substr(sign + 1);
    text.remove_prefix(std::min(text.size(), one.size() + 2));
  }
  return constants;
}

}  // namespace

TEST_CASE("we know the types that other installations know and no others") {
  const std::vector<std::string> ours = known_types();
  CHECK(std::ranges::adjacent_find(ours) == ours.end());
  std::vector<std::string> theirs;
  for (const auto& [name, known] : types_elsewhere()) theirs.push_back(name);
  REQUIRE(theirs.size() > 600);
  CHECK(ours == theirs);
}

TEST_CASE("every type has the fields and the hash that other installations give it") {
  for (const auto& [name, known] : types_elsewhere()) {
    INFO(name);
    const TypeSupport* type = find_type(name);
    REQUIRE(type != nullptr);
    CHECK(type->name == name);
    CHECK(fields_of(type->description) == known.fields);
    CHECK(type->hash == known.hash);
  }
}

TEST_CASE("messages of machines have the constants that their packages give them") {
  const std::map<std::string, Constants> ours = all_constants();
  std::size_t compared = 0;
  for (const auto& [name, known] : types_elsewhere()) {
    if (known.constants.empty()) continue;
    INFO(name);
    REQUIRE(ours.contains(name));
    CHECK(ours.at(name) == constants_of(known.constants));
    ++compared;
  }
  CHECK(compared > 20);
}

TEST_CASE("types are found by full and by short names") {
  CHECK(find_type("std_msgs/msg/String")->hash == type_support<std_msgs::String>().hash);
  CHECK(find_type("std_msgs/String") == find_type("std_msgs/msg/String"));
  CHECK(find_type("std_srvs/SetBool_Request") == find_type("std_srvs/srv/SetBool_Request"));
  CHECK(find_type("std_srvs/SetBool")->name == "std_srvs/srv/SetBool");
  // Two types share a short name: the message goes first.
  CHECK(find_type("control_msgs/GripperCommand")->name == "control_msgs/msg/GripperCommand");
  CHECK(find_type("control_msgs/action/GripperCommand")->description.fields.size() == 6);
  CHECK(find_type("control_msgs/action/GripperCommand_SendGoal_Request")->description.fields.size() == 2);
  for (const char* other : {"", "/", "//", "String", "std_msgs/", "/String", "std_msgs/msg/", "std_msgs/srv/String",
                            "std_msgs/msg/Strin", "std_msgs/msg/String/", "std_msgs/msg/msg/String"}) {
    INFO(other);
    CHECK(find_type(other) == nullptr);
  }
}

TEST_CASE("the long form of the graph message has the same type names") {
  using namespace rmw_dds_common;
  CHECK(HumbleParticipantEntitiesInfo::type_name == ParticipantEntitiesInfo::type_name);
  CHECK(type_support<HumbleParticipantEntitiesInfo>().hash != type_support<ParticipantEntitiesInfo>().hash);
}

TEST_CASE("DDS type names and ROS type names become each other") {
  CHECK(type_support<std_msgs::Float64MultiArray>().dds_name == "std_msgs::msg::dds_::Float64MultiArray_");
  CHECK(dds_type_name("control_msgs/action/GripperCommand_Goal") == "control_msgs::action::dds_::GripperCommand_Goal_");
  CHECK(ros_type_name("std_msgs::msg::dds_::Float64MultiArray_") == "std_msgs/msg/Float64MultiArray");
  for (const char* other : {"", "HelloWorld", "::dds_::_", "a::b::c", "a::msg::dds_::"}) {
    INFO(other);
    CHECK(ros_type_name(other).empty());
  }
}

TEST_CASE("the definition text carries every type it needs once and behind a line of equal signs") {
  const std::string line(80, '=');
  CHECK(type_support<std_msgs::Float64MultiArray>().definition ==
        "std_msgs/MultiArrayLayout layout\nfloat64[] data\n" + line +
            "\nMSG: std_msgs/MultiArrayLayout\nstd_msgs/MultiArrayDimension[] dim\nuint32 data_offset\n" + line +
            "\nMSG: std_msgs/MultiArrayDimension\nstring label\nuint32 size\nuint32 stride\n");
  CHECK(type_support<std_msgs::Empty>().definition.empty());
  CHECK(type_support<std_msgs::Char>().definition == "char data\n");
  CHECK(type_support<std_msgs::Byte>().definition == "byte data\n");
  const std::string& info = type_support<rmw_dds_common::ParticipantEntitiesInfo>().definition;
  CHECK(info.find("string<=256 node_name\n") != std::string::npos);
  CHECK(info.find("char[16] data\n") != std::string::npos);
}

}  // namespace tandem::ros2
