// SPDX-License-Identifier: Apache-2.0
#include "tandem/machines/raptorlift/ros/urdf.hpp"

#include <doctest/doctest.h>

#include <cmath>
#include <map>
#include <sstream>
#include <string>
#include <vector>

#include "tandem/machines/raptorlift/ros/ros2_control.hpp"

namespace lift = tandem::raptorlift;

namespace {

struct Element {
  std::string name;
  std::map<std::string, std::string> attributes;
  std::vector<Element> children;
  std::string text;

  const Element& child(const std::string& kind) const {
    for (const Element& one : children)
      if (one.name == kind) return one;
    FAIL("no <", kind, "> in <", name, ">");
    return *this;
  }
};

// A reader of well-formed XML without namespaces or entities, for the test's own eyes.
class Reader {
 public:
  explicit Reader(const std::string& text) : text_(text) {}

  Element document() {
    REQUIRE(text_.rfind("<?xml", 0) == 0);
    at_ = text_.find("?>") + 2;
    skip();
    Element root = element();
    skip();
    CHECK(at_ == text_.size());
    return root;
  }

 private:
  void skip() {
    while (at_ < text_.size()) {
      if (text_.compare(at_, 4, "<!--") == 0)
        at_ = text_.find("-->", at_) + 3;
      else if (std::isspace(static_cast<unsigned char>(text_[at_])) != 0)
        ++at_;
      else
        return;
    }
  }
  std::string word() {
    const auto end = text_.find_first_of(" =/>\n", at_);
    REQUIRE(end != std::string::npos);
    std::string result = text_.substr(at_, end - at_);
    at_ = end;
    return result;
  }
  void expect(const std::string& what) {
    REQUIRE(text_.compare(at_, what.size(), what) == 0);
    at_ += what.size();
  }
  Element element() {
    Element result;
    expect("<");
    result.name = word();
    for (skip(); text_[at_] != '/' && text_[at_] != '>'; skip()) {
      const std::string key = word();
      expect("=\"");
      const auto end = text_.find('"', at_);
      REQUIRE(end != std::string::npos);
      CHECK(result.attributes.emplace(key, text_.substr(at_, end - at_)).second);
      at_ = end + 1;
    }
    if (text_[at_] == '/') {
      expect("/>");
      return result;
    }
    expect(">");
    for (skip(); text_.compare(at_, 2, "</") != 0; skip()) {
      REQUIRE(at_ < text_.size());
      if (text_[at_] == '<') {
        result.children.push_back(element());
        continue;
      }
      const auto end = text_.find('<', at_);
      REQUIRE(end != std::string::npos);
      result.text = text_.substr(at_, end - at_);
      at_ = end;
    }
    expect("</" + result.name + ">");
    return result;
  }

  const std::string& text_;
  std::size_t at_ = 0;
};

Element read_xml(const std::string& text) { return Reader(text).document(); }

std::vector<double> row_of(const std::string& text) {
  std::istringstream in(text);
  std::vector<double> numbers;
  for (double number; in >> number;) numbers.push_back(number);
  return numbers;
}

std::map<std::string, Element> named(const Element& robot, const std::string& kind) {
  std::map<std::string, Element> all;
  for (const Element& one : robot.children)
    if (one.name == kind) CHECK(all.emplace(one.attributes.at("name"), one).second);
  return all;
}

}  // namespace

TEST_CASE("the URDF is well-formed and every link hangs on base_footprint") {
  const Element robot = read_xml(lift::urdf({}));
  CHECK(robot.name == "robot");
  const auto links = named(robot, "link"), joints = named(robot, "joint");
  CHECK(links.size() == 6);
  CHECK(joints.size() == 5);
  std::map<std::string, std::string> parent;
  for (const auto& [name, joint] : joints) {
    CHECK(links.count(joint.child("parent").attributes.at("link")) == 1);
    CHECK(
        parent.emplace(joint.child("child").attributes.at("link"), joint.child("parent").attributes.at("link")).second);
  }
  for (const auto& [name, link] : links) {
    CAPTURE(name);
    CHECK((name == "base_footprint" || parent.count(name) == 1));
  }
  CHECK(parent.at("base_link") == "base_footprint");
}

TEST_CASE("a prefix goes before every link and joint and leaves the tree whole") {
  const Element robot = read_xml(lift::urdf({}, {}, "left_"));
  const auto links = named(robot, "link"), joints = named(robot, "joint");
  const Element plain = read_xml(lift::urdf({}));
  for (const auto& [name, link] : named(plain, "link")) CHECK(links.contains("left_" + name));
  for (const auto& [name, joint] : named(plain, "joint")) {
    REQUIRE(joints.contains("left_" + name));
    for (const char* end : {"parent", "child"})
      CHECK(joints.at("left_" + name).child(end).attributes.at("link") ==
            "left_" + joint.child(end).attributes.at("link"));
  }
  CHECK(links.size() == 6);
  CHECK(joints.size() == 5);
}

TEST_CASE("wheels stand on the ground where the truck has them") {
  const Element robot = read_xml(lift::urdf({}));
  const auto joints = named(robot, "joint");
  const auto base = row_of(joints.at("base_joint").child("origin").attributes.at("xyz"));
  const std::map<std::string, std::vector<double>> places = {{"front_right_wheel_joint", {0.47765, -0.355, -0.0705}},
                                                             {"front_left_wheel_joint", {0.47765, 0.355, -0.0705}},
                                                             {"rear_right_steering_joint", {-0.52235, -0.355, -0.0705}},
                                                             {"rear_left_steering_joint", {-0.52235, 0.355, -0.0705}}};
  for (const auto& [name, place] : places) {
    CAPTURE(name);
    const auto origin = row_of(joints.at(name).child("origin").attributes.at("xyz"));
    for (std::size_t i = 0; i < 3; ++i) CHECK(origin[i] == doctest::Approx(place[i]));
    CHECK(base[2] + origin[2] == doctest::Approx(0.1715));
  }
  const auto links = named(robot, "link");
  const Element& wheel = links.at("front_left_wheel_link");
  CHECK(wheel.child("visual").child("geometry").child("cylinder").attributes.at("radius") == "0.1715");
  CHECK(wheel.child("inertial").child("mass").attributes.at("value") == "5");
  CHECK(links.at("base_link").child("inertial").child("mass").attributes.at("value") == "100");
}

TEST_CASE("a positive steering angle turns a wheel behind to the right") {
  const auto joints = named(read_xml(lift::urdf({})), "joint");
  for (const char* name : {"rear_right_steering_joint", "rear_left_steering_joint"}) {
    const Element& joint = joints.at(name);
    CHECK(joint.attributes.at("type") == "revolute");
    CHECK(joint.child("axis").attributes.at("xyz") == "0 0 -1");
    CHECK(joint.child("limit").attributes.at("lower") == "-0.7");
    CHECK(joint.child("limit").attributes.at("upper") == "0.7");
    CHECK(joint.child("limit").attributes.at("effort") == "100");
    CHECK(joint.child("limit").attributes.at("velocity") == "1");
  }
  for (const char* name : {"front_right_wheel_joint", "front_left_wheel_joint"}) {
    const Element& joint = joints.at(name);
    CHECK(joint.attributes.at("type") == "continuous");
    CHECK(joint.child("axis").attributes.at("xyz") == "0 1 0");
    CHECK(joint.child("limit").attributes.at("effort") == "150");
    CHECK(joint.child("limit").attributes.at("velocity") == "10");
  }
  // With the joints of a left turn, the drawn wheels' axles meet in the centre of that turn, left of the front axle.
  const auto turn = tandem::kinematics::ackermann::wheels_from_twist(lift::geometry(), {0.4, 0.2});
  REQUIRE(turn.ok());
  const std::vector<std::pair<std::string, double>> angles = {{"rear_right_steering_joint", turn->wheels.rear_right},
                                                              {"rear_left_steering_joint", turn->wheels.rear_left}};
  for (const auto& [name, angle] : angles) {
    const auto place = row_of(joints.at(name).child("origin").attributes.at("xyz"));
    const double heading = -angle;  // about 0 0 -1
    // From the wheel along its axle as far forward as the front axle.
    const double along = (0.47765 - place[0]) / -std::sin(heading);
    CHECK(place[1] + along * std::cos(heading) == doctest::Approx(2.0).epsilon(1e-6));
  }
}

TEST_CASE("a longer wheelbase moves the rear axle") {
  lift::Description longer;
  longer.geometry.wheelbase = 1.5;
  longer.geometry.steering_track = 0.6;
  const auto joints = named(read_xml(lift::urdf(longer)), "joint");
  const auto rear = row_of(joints.at("rear_left_steering_joint").child("origin").attributes.at("xyz"));
  CHECK(rear[0] == doctest::Approx(0.47765 - 1.5));
  CHECK(rear[1] == doctest::Approx(0.3));
}

TEST_CASE("the ros2_control description names the topics and joints of the machine") {
  const Element robot = read_xml(lift::ros2_control_urdf({}));
  const Element& system = robot.child("ros2_control");
  CHECK(system.attributes.at("type") == "system");
  const Element& hardware = system.child("hardware");
  CHECK(hardware.child("plugin").text == "topic_based_ros2_control/TopicBasedSystem");
  std::map<std::string, std::string> parameters;
  for (const Element& one : hardware.children)
    if (one.name == "param") parameters[one.attributes.at("name")] = one.text;
  CHECK(parameters.size() == 3);
  CHECK(parameters["joint_commands_topic"] == "/raptorlift/joint_commands");
  CHECK(parameters["joint_states_topic"] == "/raptorlift/joint_states");
  // Both packages send while |command - state| > threshold, so 0 holds back a command that is followed exactly.
  CHECK(std::stod(parameters["trigger_joint_command_threshold"]) == -1);
  const auto driven = named(system, "joint"), drawn = named(robot, "joint");
  CHECK(driven.size() == 4);
  for (const auto& [name, joint] : driven) {
    CAPTURE(name);
    CHECK(drawn.count(name) == 1);
    const bool steers = name.find("steering") != std::string::npos;
    CHECK(joint.child("command_interface").attributes.at("name") == (steers ? "position" : "velocity"));
    CHECK(joint.children.size() == 4);
  }
}

TEST_CASE("the controllers' parameters are numbers of the machine") {
  lift::Description description;
  description.geometry.wheelbase = 2;
  const std::string yaml = lift::ros2_control_yaml(description, {});
  std::map<std::string, std::string> keys;
  std::istringstream lines(yaml);
  for (std::string line; std::getline(lines, line);) {
    CHECK(line.find('\t') == std::string::npos);
    const auto start = line.find_first_not_of(' ');
    if (start == std::string::npos) continue;
    CHECK(start % 2 == 0);
    const auto colon = line.find(':', start);
    REQUIRE(colon != std::string::npos);
    keys[line.substr(start, colon - start)] = colon + 2 < line.size() ? line.substr(colon + 2) : "";
  }
  CHECK(keys["update_rate"] == "100");
  CHECK(keys["wheelbase"] == "2.0");  // an integer would be of the wrong type
  CHECK(keys["traction_track_width"] == "0.71");
  CHECK(keys["steering_track_width"] == "0.71");
  CHECK(keys["traction_wheels_radius"] == "0.1715");
  CHECK(keys["reference_timeout"] == "0.5");
  CHECK(keys["traction_joints_names"] == "[front_right_wheel_joint, front_left_wheel_joint]");
  CHECK(keys["steering_joints_names"] == "[rear_right_steering_joint, rear_left_steering_joint]");
  CHECK(keys["pose_covariance_diagonal"] == "[0.001, 0.001, 0.001, 0.001, 0.001, 0.01]");
}
