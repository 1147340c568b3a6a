// SPDX-License-Identifier: Apache-2.0
#include "tandem/machines/cable_robot/geometry/file.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <fstream>
#include <random>
#include <sstream>

#include "tests/kinematics/cable/samples.hpp"

namespace {

using namespace tandem;
using cable_robot::geometry_from_file;
using cable_robot::geometry_from_text;
using cables::Design;

std::string published_file(const std::string& name) { return std::string(ROBOTS) + "/" + name + ".yaml"; }

std::string content_of(const std::string& file) {
  std::ostringstream text;
  text << std::ifstream(file).rdbuf();
  return text.str();
}

// The text with its first `from` made `to`; the test itself is wrong where there is none.
std::string with_change(std::string text, const std::string& from, const std::string& to) {
  const auto at = text.find(from);
  REQUIRE(at != std::string::npos);
  return text.replace(at, from.size(), to);
}

std::string error_of(const std::string& text) {
  const auto geometry = geometry_from_text(text, "robot.yaml");
  return geometry ? "" : geometry.error().text;
}

bool says(const std::string& text, const std::string& part) {
  const bool found = text.find(part) != std::string::npos;
  if (!found) MESSAGE("expected '", part, "' in: ", text);
  return found;
}

void check_same(const Design& read, const Design& known) {
  CHECK(read.name == known.name);
  REQUIRE(read.cables.size() == known.cables.size());
  for (std::size_t i = 0; i < known.cables.size(); ++i) {
    CHECK((read.cables[i].frame - known.cables[i].frame).norm() == 0);
    CHECK((read.cables[i].platform - known.cables[i].platform).norm() == 0);
  }
  CHECK(read.mass == known.mass);
  CHECK((read.centre - known.centre).norm() == 0);
  CHECK((read.inertia - known.inertia).norm() < 1e-15 * known.inertia.norm());
  CHECK((read.size - known.size).norm() < 1e-15);
  CHECK((read.home - known.home).norm() == 0);
  CHECK(read.tension.least == known.tension.least);
  CHECK(read.tension.most == known.tension.most);
  CHECK(read.stiffness == known.stiffness);
}

}  // namespace

TEST_CASE("published cable robots are read from their files") {
  const auto caroca = geometry_from_file(published_file("caroca"));
  REQUIRE(caroca.ok());
  check_same(caroca->robot.design(), cable_samples::caroca());
  CHECK(caroca->notes.empty());
  const auto cogiro = geometry_from_file(published_file("cogiro"));
  REQUIRE(cogiro.ok());
  check_same(cogiro->robot.design(), cable_samples::cogiro());
  const auto cdpr3 = geometry_from_file(published_file("cdpr3"));
  REQUIRE(cdpr3.ok());
  check_same(cdpr3->robot.design(), cable_samples::cdpr3());
  REQUIRE(cdpr3->notes.size() == 2);
  CHECK(says(cdpr3->notes[0], "cdpr3.yaml:15: platform.size: missing, taken from its points: [1, 0.4, 0.2] m"));
  CHECK(says(cdpr3->notes[1], "solid box"));
}

TEST_CASE("the default robot is the one in its file") {
  const auto geometry = geometry_from_file(published_file("tandem"));
  REQUIRE(geometry.ok());
  check_same(geometry->robot.design(), cables::default_design());
  CHECK(geometry->notes.empty());
}

TEST_CASE("sections of the other project are left out with a note") {
  const std::string text = content_of(published_file("caroca")) +
                           "cable: {mass: 0.001, radius: 0.005}\n"
                           "frame: {type: box, lower: [-3.5, -2, 0.02], upper: [3.5, 2, 3.5]}\n"
                           "stifness: 4\n";
  const auto geometry = geometry_from_text(text, "robot.yaml");
  REQUIRE(geometry.ok());
  REQUIRE(geometry->notes.size() == 3);
  CHECK(says(geometry->notes[0], "cable is not used"));
  CHECK(says(geometry->notes[1], "robot.yaml:21: frame is not used"));
  CHECK(says(geometry->notes[2], "did you mean 'stiffness'?"));
}

TEST_CASE("positions may be lists and turned ones are told") {
  const std::string text = content_of(published_file("caroca"));
  const std::string position = "{xyz: [0.9, 0.9, 0.2], rpy: [0, 0, 0]}";
  auto plain = geometry_from_text(with_change(text, position, "[0.1, 0.2, 0.3]"), "robot.yaml");
  REQUIRE(plain.ok());
  CHECK((plain->robot.design().home - Eigen::Vector3d(0.1, 0.2, 0.3)).norm() == 0);
  auto turned = geometry_from_text(with_change(text, position, "{xyz: [0, 0, 1], rpy: [0, 0, 1]}"), "robot.yaml");
  REQUIRE(turned.ok());
  REQUIRE(turned->notes.size() == 1);
  CHECK(says(turned->notes[0], "home is level"));
  auto none = geometry_from_text(with_change(text, "position: " + position, "color: blue"), "robot.yaml");
  REQUIRE(none.ok());
  CHECK(says(none->notes.at(0), "home taken as the middle of the frame: [0, 0, 3.5] m"));
}

TEST_CASE("problems of geometry files are told with their line") {
  const std::string text = content_of(published_file("tandem"));
  CHECK(says(error_of(with_change(text, "frame: [0.3, -0.3, 0.6]", "frame: [0.3, -0.3]")),
             "robot.yaml:6:13: points[1].frame: expected a list of 3 numbers, got 2"));
  CHECK(says(error_of(with_change(text, "frame: [0.3, -0.3, 0.6]", "frame: [0.3, -0.3, nan]")),
             "robot.yaml:6:25: points[1].frame[2]: expected a number, got 'nan'"));
  CHECK(says(error_of(with_change(text, "frame: [0.3, -0.3, 0.6]", "fram: [0.3, -0.3, 0.6]")),
             "points[1].frame: expected a list of 3 numbers, got none"));
  CHECK(says(error_of(with_change(text, "mass: 1 ", "mass: heavy ")), "platform.mass: expected a number, got 'heavy'"));
  CHECK(says(error_of(with_change(text, "mass: 1 ", "mass: -1 ")), "mass in kg: expected a number above 0"));
  CHECK(
      says(error_of(with_change(text, "mass: 1 ", "weight: 1 ")), "platform.mass: expected a number of kg, got none"));
  CHECK(says(error_of(with_change(text, "min: 2 ", "min: 200 ")), "expected 0 <= least < most in N"));
  CHECK(says(error_of(with_change(text, "size: [0.1, 0.1, 0.08]", "size: 0.1")), "platform.size: expected a list"));
  CHECK(says(error_of(with_change(text, "home: [0, 0, 0.3]", "home: [0, 0]")),
             "home: expected a list of 3 numbers, got 2"));
  const auto lines = std::count(text.begin(), text.end(), '\n');
  CHECK(says(error_of(text + "home: [0, 0, 1]\n"), "robot.yaml:" + std::to_string(lines + 1) + ":1: 'home' twice"));
  CHECK(says(error_of(with_change(text, "inertia: [0.0013666666666666669, ", "inertia: [-1, ")),
             "inertia: expected three positive moments"));
  CHECK(says(error_of(with_change(text, "points:", "pionts:")), "points: expected a list of cables"));
  CHECK(says(error_of(""), "expected keys with values, among them points and platform, got nothing"));
  CHECK(says(error_of("[1, 2]"), "got a list"));
  CHECK(says(error_of("points: 3\nplatform: {mass: 1}\n"), "robot.yaml:1:9: points: expected a list of cables"));
  CHECK(says(error_of("points: [1, 2]\n"), "points[1]: expected frame and platform, got '2'"));
  CHECK(says(error_of("a: [\n"), "not YAML"));
}

TEST_CASE("counts and coincident points of geometry files are told") {
  const std::string text = content_of(published_file("tandem"));
  const std::string five =
      "points:\n"
      "  - {frame: [1, 0, 0], platform: [0.1, 0, 0]}\n"
      "  - {frame: [0, 1, 0], platform: [0.1, 0, 0]}\n"
      "  - {frame: [0, 0, 1], platform: [0.1, 0, 0]}\n"
      "  - {frame: [1, 1, 0], platform: [0.1, 0, 0]}\n"
      "platform: {mass: 1}\n";
  CHECK(says(error_of(five), "robot.yaml:2: cables: expected 6 to 16, got 4"));
  CHECK(says(error_of(with_change(text, "frame: [0.3, -0.3, 0.6], platform: [0.01812,",
                                  "frame: [-0.3, -0.3, 0.6], platform: [-0.01812,")),
             "robot.yaml:6:5: cable0 and cable1: coincident, both from (-0.3, -0.3, 0.6)"));
  CHECK(says(error_of(with_change(text, "frame: [0.3, -0.3, 0.6]", "frame: [0.01812, -0.06761, 0.26]")),
             "robot.yaml:6:5: cable1: has no length at home"));
}

TEST_CASE("a published layout without yaw is refused in words") {
  // The cube of the cdpr package with the four cables that its file has as comments: eight corners, aligned.
  std::string text = "platform: {mass: 1, position: {xyz: [0, 0, 2], rpy: [0, 0, 0]}}\npoints:\n";
  for (const char* z : {"0", "4"})
    for (const char* x : {"-", ""})
      for (const char* y : {"-", ""})
        text += std::string("  - {frame: [") + x + "2., " + y + "2., " + z + "], platform: [" + x + "0.2, " + y +
                "0.2, " + (z[0] == '0' ? "-" : "") + "0.15]}\n";
  const std::string why = error_of(text);
  CHECK(says(why, "robot.yaml:3: rank 5 of 6"));
  CHECK(says(why, "no cable resists yaw: the line of every cable meets the axis along z through (0, 0, 2)"));
}

TEST_CASE("files that cannot be read are told") {
  const auto missing = geometry_from_file("/nowhere/robot.yaml");
  REQUIRE(!missing.ok());
  CHECK(missing.error().fault == Fault::not_found);
  CHECK(says(missing.error().text, "/nowhere/robot.yaml: expected a geometry file, got: No such file"));
  CHECK(!geometry_from_file("/").ok());
  CHECK(!cable_robot::robot_from_file("").ok());
  CHECK(cable_robot::robot_from_file(published_file("cogiro")).ok());
}

TEST_CASE("broken geometry files never do more than fail") {
  const std::string good = content_of(published_file("cdpr3"));
  std::mt19937_64 random(1);
  int refused = 0;
  for (int k = 0; k < 300; ++k) {
    std::string broken = good;
    for (int cuts = 0; cuts < 3; ++cuts) {
      const std::size_t at = random() % broken.size();
      if (random() % 2)
        broken.erase(at, random() % 20);
      else
        broken[at] = static_cast<char>(' ' + random() % 95);
    }
    const auto geometry = geometry_from_text(broken, "robot.yaml");
    refused += !geometry.ok();
    if (!geometry) CHECK(says(geometry.error().text, "robot.yaml"));
  }
  CHECK(refused > 50);
}
