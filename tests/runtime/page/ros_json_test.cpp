// SPDX-License-Identifier: Apache-2.0
#include "tandem/runtime/page/ros_json.hpp"

#include <doctest/doctest.h>

#include <cmath>
#include <limits>
#include <nlohmann/json.hpp>
#include <random>

#include "tandem/ros2/messages/geometry_msgs.hpp"
#include "tandem/ros2/messages/registry.hpp"
#include "tandem/ros2/messages/sensor_msgs.hpp"
#include "tandem/ros2/messages/std_msgs.hpp"
#include "tandem/ros2/types/cdr.hpp"

namespace tandem::runtime {
namespace {

ros2::DynamicType described(std::string_view name) { return *ros2::make_dynamic_type(*ros2::find_type(name)); }

template <ros2::Message M>
M message_from_json(std::string_view json) {
  const auto cdr = cdr_from_json(described(M::type_name), json);
  REQUIRE_MESSAGE(cdr, (cdr ? std::string() : cdr.error().text));
  M message;
  REQUIRE(ros2::decode(*cdr, message));
  return message;
}

template <ros2::Message M>
std::string json_of_message(const M& message) {
  std::vector<std::uint8_t> cdr;
  REQUIRE(ros2::encode(message, cdr));
  return *json_from_cdr(described(M::type_name), cdr);
}

std::string problem_of(std::string_view type, std::string_view json) {
  const auto cdr = cdr_from_json(described(type), json);
  return cdr ? "" : cdr.error().text;
}

}  // namespace

TEST_CASE("a message goes into JSON and comes back as it was") {
  ros2::geometry_msgs::Twist twist;
  twist.linear.x = 0.1;
  twist.angular.z = -1e-300;
  CHECK(json_of_message(twist) == R"({"linear":{"x":0.1,"y":0,"z":0},"angular":{"x":0,"y":0,"z":-1e-300}})");
  CHECK(message_from_json<ros2::geometry_msgs::Twist>(json_of_message(twist)) == twist);

  ros2::sensor_msgs::JointState state;
  state.header.frame_id = "a \"b\" \\ \n \x01 \xC3\xA9";
  state.header.stamp.sec = -3;
  state.name = {"one", ""};
  state.position = {1.0 / 3, std::numeric_limits<double>::infinity(), -std::numeric_limits<double>::infinity()};
  CHECK(message_from_json<ros2::sensor_msgs::JointState>(json_of_message(state)) == state);
  // An independent reader agrees.
  const auto read = nlohmann::json::parse(json_of_message(state));
  CHECK(read["header"]["frame_id"] == state.header.frame_id);
  CHECK(read["position"][0].get<double>() == state.position[0]);
  CHECK(read["position"][2] == "-Infinity");
  CHECK(read["name"].size() == 2);
  CHECK(read["effort"].empty());

  ros2::std_msgs::UInt64 whole;
  whole.data = std::numeric_limits<std::uint64_t>::max();
  CHECK(json_of_message(whole) == R"({"data":18446744073709551615})");
  CHECK(message_from_json<ros2::std_msgs::UInt64>(json_of_message(whole)) == whole);
  ros2::std_msgs::Float64 none;
  none.data = std::nan("");
  CHECK(std::isnan(message_from_json<ros2::std_msgs::Float64>(json_of_message(none)).data));
  CHECK(json_of_message(ros2::std_msgs::Empty{}) == "{}");
  CHECK(message_from_json<ros2::geometry_msgs::Pose>("{}").orientation.w == 1.0);
}

TEST_CASE("JSON that is not the message is refused with the field and what was found") {
  CHECK(problem_of("geometry_msgs/msg/Twist", R"({"linear":{"x":"abc"}})") ==
        "geometry_msgs/msg/Twist: linear.x: expected float64, got \"abc\"");
  CHECK(problem_of("geometry_msgs/msg/Twist", R"({"linear":{"x":null}})") ==
        "geometry_msgs/msg/Twist: linear.x: expected float64, got nothing");
  CHECK(problem_of("geometry_msgs/msg/Twist", R"({"linaer":{}})").find("did you mean 'linear'") != std::string::npos);
  CHECK(problem_of("std_msgs/msg/UInt8", R"({"data":256})").find("from 0 to 255") != std::string::npos);
  CHECK(problem_of("std_msgs/msg/Float64", "{\"data\":NaN}").find("expected JSON, got") != std::string::npos);
  for (const char* bad : {"", "{", "{\"data\":1,}", "[1", "\"\xFF\"", "{\"data\":1e999}", "{\"data\":1} 2"}) {
    CHECK_MESSAGE(!problem_of("std_msgs/msg/Float64", bad).empty(), bad);
  }
  CHECK(problem_of("std_msgs/msg/Float64", std::string(100'000, '[')).find("64 deep") != std::string::npos);
}

TEST_CASE("text that is no UTF-8 becomes valid JSON") {
  std::vector<std::uint8_t> cdr;
  ros2::std_msgs::String message;
  message.data = "a\xFF\xC3";
  REQUIRE(ros2::encode(message, cdr));
  const auto read = nlohmann::json::parse(*json_from_cdr(described("std_msgs/msg/String"), cdr));
  CHECK(read["data"] == "a\xEF\xBF\xBD\xEF\xBF\xBD");
}

TEST_CASE("random bytes of every type end in an error or in JSON that is the same message") {
  std::mt19937_64 random(8);
  std::size_t good = 0;
  for (const std::string& name : ros2::known_types()) {
    const ros2::DynamicType type = described(name);
    for (int round = 0; round < 4; ++round) {
      std::vector<std::uint8_t> cdr(4 + random() % 300);
      for (std::uint8_t& byte : cdr) byte = random() % 4 == 0 ? static_cast<std::uint8_t>(random() % 3) : 0;
      cdr[0] = cdr[2] = cdr[3] = 0;
      cdr[1] = 1;
      const auto json = json_from_cdr(type, cdr);
      if (!json) continue;
      ++good;
      CHECK(nlohmann::json::accept(*json));
      const auto again = cdr_from_json(type, *json);
      REQUIRE_MESSAGE(again, name << ": " << *json);
      CHECK(*json_from_cdr(type, *again) == *json);
    }
  }
  CHECK(good > 500);
}

}  // namespace tandem::runtime
