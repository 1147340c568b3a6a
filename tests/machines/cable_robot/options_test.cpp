// The cable robot's configuration: every key in its file, defaults that agree with the description, errors by name.
#include "tandem/machines/cable_robot/options.hpp"

#include <doctest/doctest.h>

#include <fstream>
#include <map>

#include "tandem/runtime/config.hpp"

using namespace tandem;
using namespace tandem::cable_robot;

namespace {

machines::Options with(const std::vector<std::string>& settings) {
  return runtime::options_from_settings(bridge_options(), settings);
}

// "    key: value  # comment" of the file's one machine.
std::map<std::string, std::string> keys_of(const char* file) {
  std::map<std::string, std::string> keys;
  std::ifstream stream(file);
  for (std::string line; std::getline(stream, line);) {
    if (line.compare(0, 4, "    ") != 0 || line.size() < 5 || line[4] == '#' || line[4] == ' ') continue;
    const std::size_t colon = line.find(": ");
    REQUIRE_MESSAGE(colon != std::string::npos, line);
    std::string value = line.substr(colon + 2, line.find(" #") - colon - 2);
    while (!value.empty() && value.back() == ' ') value.pop_back();
    if (value == "\"\"") value.clear();
    keys[line.substr(4, colon - 4)] = value;
  }
  return keys;
}

}  // namespace

TEST_CASE("the configuration file of the cable robot holds every key at its default") {
  auto keys = keys_of(TANDEM_CABLE_ROBOT_YAML);
  CHECK(keys["type"] == "cable_robot");
  CHECK(keys["device"] == "\"modbus://192.168.2.1:1503?unit=1\"");
  keys.erase("type");
  keys.erase("device");
  for (const machines::Option& option : bridge_options()) {
    const std::string name(option.name);
    CAPTURE(name);
    REQUIRE(keys.contains(name));
    CHECK(keys[name] == option.default_value);
    keys.erase(name);
  }
  for (const auto& [key, value] : keys) FAIL_CHECK("a key that nobody knows: ", key, ": ", value);
}

TEST_CASE("defaults agree with the description of the winches and with the controller") {
  const machines::Options options = with({});
  const Times times, told = times_from(options);
  CHECK(told.cycle == doctest::Approx(times.cycle));
  CHECK(told.feedback == times.feedback);
  CHECK(told.response == times.response);
  CHECK(told.link == times.link);
  CHECK(told.log == times.log);
  const WinchLimits limits, found = winch_limits_from(options, cables::Robot::standard());
  CHECK(found.shortest == limits.shortest);
  CHECK(found.longest > 1);
  CHECK(found.speed == limits.speed);
  CHECK(found.acceleration == limits.acceleration);
  CHECK(found.least_tension == limits.least_tension);
  CHECK(found.most_tension == limits.most_tension);
  CHECK(found.following == limits.following);
  CHECK(found.watchdog == limits.watchdog);
  const ControlOptions control, read = control_options_from(options);
  CHECK(read.mode == control.mode);
  CHECK(read.aim == control.aim);
  CHECK(read.path.outside == control.path.outside);
  CHECK(read.path.border.reserve == control.path.border.reserve);
  CHECK(read.path.limits.speed == control.path.limits.speed);
  CHECK(read.path.limits.acceleration == control.path.limits.acceleration);
  CHECK(read.path.limits.angular_speed == control.path.limits.angular_speed);
  CHECK(read.path.limits.angular_acceleration == control.path.limits.angular_acceleration);
}

TEST_CASE("the address of the winches is read strictly") {
  const modbus::Peer plain = winch_peer_from("modbus://192.168.2.1");
  CHECK(plain.host == "192.168.2.1");
  CHECK(plain.port == 1503);
  CHECK(plain.unit == 1);
  CHECK(winch_peer_from("modbus://winches.local:502?unit=255").unit == 255);
  CHECK_THROWS_AS(winch_peer_from("ads://192.168.2.1"), std::invalid_argument);
  CHECK_THROWS_AS(winch_peer_from("modbus://192.168.2.1?unit=256"), std::invalid_argument);
  CHECK_THROWS_AS(winch_peer_from("modbus://192.168.2.1?slave=1"), std::invalid_argument);
}

TEST_CASE("limits that contradict each other are refused by name") {
  const cables::Robot& robot = cables::Robot::standard();
  CHECK_THROWS_WITH(winch_limits_from(with({"shortest=3", "longest=2"}), robot),
                    "shortest: expected less than longest (2 m), seen 3 m");
  CHECK_THROWS_WITH(winch_limits_from(with({"slack_tension=9", "overload_tension=5"}), robot),
                    "slack_tension: expected less than overload_tension (5 N), seen 9 N");
  CHECK(control_options_from(with({"winch_mode=tension"})).mode == WinchMode::tension);
  CHECK(control_options_from(with({"outside=project"})).path.outside == Outside::project);
  CHECK(control_options_from(with({"aim=least"})).aim == cables::Aim::least);
}
