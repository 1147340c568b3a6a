// SPDX-License-Identifier: Apache-2.0
#include "tandem/ros2/types/message_text.hpp"

#include <doctest/doctest.h>

#include <random>
#include <regex>

#include "tandem/ros2/messages/registry.hpp"

namespace tandem::ros2 {
namespace {

// `char` is uint8 to peers; everything else they describe as we do.
std::string without_char(std::string text) {
  for (std::size_t at = 0; (at = text.find("char", at)) != std::string::npos;) {
    const bool word = (at == 0 || text[at - 1] == '\n') && (text[at + 4] == ' ' || text[at + 4] == '[');
    if (word) text.replace(at, 4, "uint8");
    at += 4;
  }
  return text;
}

}  // namespace

TEST_CASE("a type is told as a msg file with its dependencies") {
  const std::string line(80, '=');
  const auto text = ros2msg_text("geometry_msgs/msg/PoseStamped");
  REQUIRE(text);
  CHECK(*text == "std_msgs/Header header\ngeometry_msgs/Pose pose\n" + line +
                     "\nMSG: std_msgs/Header\nbuiltin_interfaces/Time stamp\nstring frame_id\n" + line +
                     "\nMSG: builtin_interfaces/Time\nint32 sec\nuint32 nanosec\n" + line +
                     "\nMSG: geometry_msgs/Pose\ngeometry_msgs/Point position\ngeometry_msgs/Quaternion orientation\n" +
                     line + "\nMSG: geometry_msgs/Point\nfloat64 x\nfloat64 y\nfloat64 z\n" + line +
                     "\nMSG: geometry_msgs/Quaternion\nfloat64 x\nfloat64 y\nfloat64 z\nfloat64 w 1\n");
  CHECK(*ros2msg_text("std_srvs/srv/SetBool_Request") == "bool data\n");
  CHECK(*ros2msg_text("std_srvs/srv/SetBool_Response") == "bool success\nstring message\n");
  CHECK(ros2msg_text("std_srvs/srv/Trigger_Request")->empty());
  CHECK(ros2msg_text("std_msgs/msg/Strnig").error().fault == Fault::not_found);
}

TEST_CASE("every known type has lines of nothing but a type and a name and an initial value") {
  const std::regex field(R"([A-Za-z][\w/]*(<=\d+)?(\[(<=)?\d*\])? [A-Za-z]\w*( (true|-?[0-9.e+-]+))?)");
  const std::regex head(R"(={80}|MSG: \w+/\w+)");
  for (const std::string& name : known_types()) {
    const auto text = ros2msg_text(name);
    REQUIRE(text);
    std::size_t start = 0;
    for (std::size_t end = 0; (end = text->find('\n', start)) != std::string::npos; start = end + 1) {
      const std::string line = text->substr(start, end - start);
      const bool good = std::regex_match(line, field) || std::regex_match(line, head);
      CHECK_MESSAGE(good, name << ": " << line);
    }
    CHECK(start == text->size());
  }
}

TEST_CASE("what a peer describes reads as our own definition of it") {
  for (const std::string& name : known_types()) {
    const TypeSupport& support = *find_type(name);
    // A peer gives no texts, only numbers.
    const auto bare = [](TypeDescription description) {
      for (FieldDescription& each : description.fields) each.text = each.array = "";
      return description;
    };
    std::vector<TypeDescription> referenced;
    for (const TypeDescription& each : support.referenced) referenced.push_back(bare(each));
    const auto text = ros2msg_text(bare(support.description), referenced);
    REQUIRE_MESSAGE(text, name);
    CHECK(*text == without_char(support.definition));
  }
}

TEST_CASE("a description with names that would break out of their line is refused") {
  TypeDescription root{"a/msg/B", {{.name = "x", .type_id = 17, .default_value = "two words"}}};
  CHECK(*ros2msg_text(root, {}) == "string x \"two words\"\n");
  root.fields[0].default_value = "a\nfloat64 y";
  CHECK(*ros2msg_text(root, {}) == "string x\n");
  root.fields[0].name = "x\nfloat64 y";
  CHECK_FALSE(ros2msg_text(root, {}));
  root = {"a/msg/B\nfloat64 y", {{.name = "x", .type_id = 11}}};
  CHECK_FALSE(ros2msg_text(root, {}));
}

}  // namespace tandem::ros2
