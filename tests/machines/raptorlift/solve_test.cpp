// SPDX-License-Identifier: Apache-2.0
#include "tandem/machines/raptorlift/solve.hpp"

#include <doctest/doctest.h>

#include <cmath>
#include <nlohmann/json.hpp>
#include <numbers>
#include <random>
#include <string>

using nlohmann::json;

namespace {

tandem::Result<std::string> ask_lift(std::string_view query, std::string_view line) {
  for (const auto& known : tandem::raptorlift::queries())
    if (known.name == query) return known.answer(line, {});
  return tandem::Error{tandem::Fault::not_found, "no such query"};
}

json answer_of(std::string_view query, const json& line) {
  const auto answer = ask_lift(query, line.dump());
  REQUIRE_MESSAGE(answer.ok(), (answer.ok() ? "" : answer.error().text));
  return json::parse(*answer);
}

std::string refused(std::string_view query, std::string_view line) {
  const auto answer = ask_lift(query, line);
  return answer.ok() ? "answered: " + *answer : answer.error().text;
}

}  // namespace

TEST_CASE("wheels and twist undo each other") {
  std::mt19937_64 engine(11);
  std::uniform_real_distribution<double> speed(0.1, 1), turn(-0.6, 0.6);
  for (int i = 0; i < 100; ++i) {
    const double v = speed(engine) * (i % 2 == 0 ? 1 : -1), w = std::abs(v) * turn(engine);
    const json wheels = answer_of("wheels", {{"v", v}, {"w", w}});
    CHECK(wheels.size() == 4);
    // Traction without a table: the sum is twice the speed, the difference the turn over the track.
    const double right = wheels["front_right"], left = wheels["front_left"];
    CHECK((right + left) * 0.1715 / 2 == doctest::Approx(v).epsilon(1e-12));
    CHECK((right - left) * 0.1715 / 0.71 == doctest::Approx(w).epsilon(1e-9));
    const json twist = answer_of("twist", wheels);
    CHECK(twist["v"].get<double>() == doctest::Approx(v).epsilon(1e-12));
    CHECK(twist["w"].get<double>() == doctest::Approx(w).epsilon(1e-9));
    CHECK(twist["slip"].get<double>() < 1e-12);
  }
}

TEST_CASE("wheels say when the steering ends first") {
  const json tight = answer_of("wheels", {{"v", 0.5}, {"w", 1.0}});
  CHECK(tight["rear_left"].get<double>() == doctest::Approx(0.7));
  CHECK(tight["rear_right"].get<double>() == doctest::Approx(0.4851).epsilon(1e-4));
  CHECK(tight["w"].get<double>() == doctest::Approx(0.5 / 1.542).epsilon(1e-3));
  CHECK(tight["limited"].get<std::string>().find("too tight") != std::string::npos);
  const json spot = answer_of("wheels", {{"v", 0}, {"w", -1}});
  CHECK(spot["front_right"] == 0);
  CHECK(spot["rear_right"].get<double>() == doctest::Approx(-0.7));
  CHECK(spot["limited"].get<std::string>().find("on the spot") != std::string::npos);
}

TEST_CASE("odometry follows a circle back to its start from any point") {
  const double w = 0.25;
  const json wheels = answer_of("wheels", {{"v", 0.5}, {"w", w}});
  const json quarter = {2 * std::numbers::pi / w / 4, wheels["front_right"], wheels["front_left"], wheels["rear_right"],
                        wheels["rear_left"]};
  const json once = answer_of("odometry", {{"samples", {quarter}}});
  CHECK(once["x"].get<double>() == doctest::Approx(2));
  CHECK(once["y"].get<double>() == doctest::Approx(2));
  CHECK(once["yaw"].get<double>() == doctest::Approx(std::numbers::pi / 2));
  CHECK(once["distance"].get<double>() == doctest::Approx(std::numbers::pi));
  const json round = answer_of(
      "odometry",
      {{"samples", {quarter, quarter, quarter, quarter}}, {"start", {1, 2, 0.5}}, {"point", {-0.47765, 0.1}}});
  CHECK(round["x"].get<double>() == doctest::Approx(1));
  CHECK(round["y"].get<double>() == doctest::Approx(2));
  CHECK(round["yaw"].get<double>() == doctest::Approx(0.5));
  const json nothing = answer_of("odometry", {{"samples", json::array()}, {"start", {3, 4, 5}}});
  CHECK(nothing["x"] == 3.0);
}

TEST_CASE("solve hands out what users of ros2_control load") {
  const json files = answer_of("ros2_control", {{"cycle_hz", 200}});
  CHECK(files["urdf"].get<std::string>().find("<plugin>topic_based_ros2_control/TopicBasedSystem<") !=
        std::string::npos);
  const json other = answer_of("ros2_control", {{"package", "joint_state_topic_hardware_interface"}});
  CHECK(other["urdf"].get<std::string>().find("<plugin>joint_state_topic_hardware_interface/JointStateTopicSystem<") !=
        std::string::npos);
  CHECK(refused("ros2_control", R"({"package": "topic_based"})") ==
        "package: expected topic_based_ros2_control or joint_state_topic_hardware_interface, got \"topic_based\"");
  CHECK(files["controllers"].get<std::string>().find("update_rate: 200\n") != std::string::npos);
  CHECK(refused("ros2_control", R"({"cycle_hz": 0})") == "cycle_hz: expected a number above 0, got 0");
}

TEST_CASE("every example of solve works") {
  for (const auto& query : tandem::raptorlift::queries()) {
    CAPTURE(std::string(query.name));
    CHECK(query.answer(query.example, {}).ok());
  }
}

TEST_CASE("questions that are none are refused with a reason") {
  CHECK(refused("wheels", "") == "query: expected one JSON object, got text that is not JSON");
  CHECK(refused("wheels", "[1]") == "query: expected a JSON object, got [1]");
  CHECK(refused("wheels", R"({"v": 1})") == "w: expected a number, got no such field");
  CHECK(refused("wheels", R"({"v": "fast", "w": 0})") == "v: expected a number, got \"fast\"");
  CHECK(refused("wheels", R"({"v": 1, "w": 0, "x": 0})").find("\"x\": unknown field") == 0);
  CHECK(refused("wheels", R"({"v": 1e308, "w": 0})").find("twist: expected") == 0);
  CHECK(refused("twist", R"({"front_right": 1, "front_left": 1, "rear_right": 0})") ==
        "rear_left: expected a number, got no such field");
  CHECK(refused("odometry", "{}").find("samples: expected an array of [dt,") == 0);
  CHECK(refused("odometry", R"({"samples": [[1, 2, 3]]})") ==
        "samples[0]: sample: expected an array of 5 numbers, got [1,2,3]");
  CHECK(refused("odometry", R"({"samples": [[-1, 0, 0, 0, 0]]})") == "samples[0]: dt: expected 0 s or more, got -1");
  CHECK(refused("odometry", R"({"samples": [], "start": [1]})") == "start: expected an array of 3 numbers, got [1]");
  CHECK(refused("odometry", R"({"samples": [[1e300, 1e300, 1e300, 0, 0]]})").find("samples: expected") == 0);
  const std::string deep = std::string(5000, '[') + std::string(5000, ']');
  CHECK(refused("twist", deep).find("deeper nesting") != std::string::npos);
}
