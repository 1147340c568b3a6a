#include <doctest/doctest.h>

#include <fstream>
#include <map>

#include "tandem/ros2/messages/all.hpp"
#include "tandem/ros2/type_support.hpp"

namespace tandem::ros2 {
namespace {

struct Known {
  std::string hash;
  std::string fields;
};

// types.txt: what a real Jazzy installation says of each type.
std::map<std::string, Known> known_types() {
  std::map<std::string, Known> known;
  std::ifstream file(TANDEM_ROS2_TYPES);
  for (std::string line; std::getline(file, line);) {
    const std::size_t first = line.find(" | "), second = line.find(" | ", first + 3);
    if (line.starts_with('#') || second == std::string::npos) continue;
    known[line.substr(0, first)] = {line.substr(first + 3, second - first - 3), line.substr(second + 3)};
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

}  // namespace

TEST_CASE("every message has the fields and the hash of a real installation") {
  std::map<std::string, Known> known = known_types();
  REQUIRE(known.size() > 60);
  const auto check = [&](const TypeSupport& type) {
    INFO(type.name);
    REQUIRE(known.contains(type.name));
    CHECK(fields_of(type.description) == known[type.name].fields);
    CHECK(type.hash == known[type.name].hash);
    known.erase(type.name);
  };
  [&]<typename... M>(std::type_identity<std::tuple<M...>>) {
    (check(type_support<M>()), ...);
  }(std::type_identity<AllMessages>{});
  CHECK(known.empty());
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
